"""One answer of one check about one ruleset, with what it rests on; its fields are the keys of `check --json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from trickproof.checking.verdict import Method, Verdict
from trickproof.support.serialise import HIDDEN, OPTIONAL, rounded
from trickproof_dsl.diagnostics.source import Span

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Recheck:
    """How many of a proof's questions a second solver has answered the same way; no solver where nothing was asked."""

    solver: str | None
    questions: int
    agreed: int
    gave_up: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that a rule leaves open, or a variable that it reads and nothing sets; `what` says it in words."""

    rule: str
    variable: str | None
    where: Span = field(compare=False, repr=False)
    what: str = field(metadata=HIDDEN)
    assumed: bool = field(default=False, compare=False, metadata=HIDDEN)
    """Whether the file says what is assumed, or what it means is plain, so that it is no gap of the game."""

    def __str__(self) -> str:
        return f"`{self.variable or self.rule}` {self.what}"


@dataclass(frozen=True, slots=True)
class Premise:
    """What an answer rests on: a theorem, which is proved, or an assumption, which is not."""

    kind: Literal["theorem", "assumption"]
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class InternalError:
    """Why a check has no answer of its own: a fault of ours."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """`cites` and `assumes` are those of the rules the claim is about.

    `readings` names those it speaks of as `rule: reading` (none: it holds for all); `reason` is why a negative verdict
    is known; `gaps` are what is unspecified, one by one; `cases` is how many hands were played, `bound` the number of hands up to which it was searched;
    `termination` is how matches are proved to end, `within_deals` after how many deals at the latest; `match` is a match from its start
    as SCENARIOs, one a deal, and `witness` its last (an example's witness has none); `details` are further lines for people; `recheck` is what a second solver says, where it was asked.
    """

    check: str
    verdict: Verdict
    method: Method
    message: str
    where: Span | None = field(default=None, compare=False, repr=False)
    seconds: float = field(default=0.0, metadata=rounded(3))
    cites: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    known: bool = False
    reason: str | None = None
    witness: Json | None = None
    match: tuple[Json, ...] | None = None
    loop_from: int | None = None
    readings: tuple[str, ...] = ()
    cases: int | None = field(default=None, metadata=OPTIONAL)
    bound: int | None = field(default=None, metadata=OPTIONAL)
    details: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()
    recheck: Recheck | None = field(default=None, metadata=OPTIONAL)
    rests_on: tuple[Premise, ...] = ()
    termination: Literal["surely", "almost-surely"] | None = None
    within_deals: int | None = None
    internal_error: InternalError | None = None

    @property
    def replayable(self) -> Json | None:
        """What `replay` takes of the witness: its deal, or the match that leads to it."""
        if self.match is None or len(self.match) == 1:
            return self.witness
        return {"match": list(self.match)}


def new_gaps(finding: Finding, before: Finding) -> tuple[Gap, ...]:
    """The gaps of a finding that another one, about the base, does not have."""
    return tuple(gap for gap in finding.gaps if gap not in before.gaps)


def is_same(finding: Finding, before: Finding) -> bool:
    """Whether a finding says nothing that another one, about the base, does not say: what is known of that is known."""
    if finding.verdict is not before.verdict or finding.readings != before.readings:
        return False
    if finding.gaps:
        return not new_gaps(finding, before)
    return finding.message == before.message
