"""How a claim came out, and how we know: fixed words, strongest first, none shared by two strengths."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """What a check says about a ruleset; docs/checks.md says what each means."""

    PROVED = "proved"
    BOUNDED = "bounded"
    TESTED = "tested"
    UNDECIDED = "undecided"
    UNSPECIFIED = "unspecified"
    NOT_APPLICABLE = "not-applicable"
    REFUTED = "refuted"

    @property
    def proved(self) -> bool:
        """Whether it holds in every case."""
        return self is Verdict.PROVED

    @property
    def refuted(self) -> bool:
        """Whether it is shown to fail."""
        return self is Verdict.REFUTED

    @property
    def negative(self) -> bool:
        """Whether it needs an answer by the author: a flaw, or a gap."""
        return self in (Verdict.REFUTED, Verdict.UNSPECIFIED)


class Method(StrEnum):
    """Where a verdict comes from."""

    STATIC = "static"
    ENUMERATION = "enumeration"
    SMT = "smt"
    INDUCTION = "induction"
    BOUNDED = "bounded"
    SIMULATION = "simulation"


class DisagreementError(Exception):
    """Two parts of the tool give two answers (a witness that does not replay): our bug, never a finding."""
