"""The outcome of a claim, and how it was reached: fixed words, strongest first, each with a single meaning."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """What a check concludes about a ruleset; docs/checks.md defines each."""

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
        """Whether the author has to respond, to a flaw or a gap."""
        return self in (Verdict.REFUTED, Verdict.UNSPECIFIED)


class Method(StrEnum):
    """How a verdict was reached."""

    STATIC = "static"
    ENUMERATION = "enumeration"
    SMT = "smt"
    INDUCTION = "induction"
    BOUNDED = "bounded"
    SIMULATION = "simulation"


class DisagreementError(Exception):
    """Two parts of the tool contradict each other (for example, a witness does not replay): an internal error, never a finding."""
