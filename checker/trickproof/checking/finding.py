"""The result of one check on one ruleset, with what it depends on; its fields are the keys of `check --json`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from trickproof.checking.verdict import Method, Verdict
from trickproof.support.serialise import HIDDEN, OPTIONAL, rounded
from trickproof_dsl.diagnostics.source import Span

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Recheck:
    """How many of a proof's queries a second solver confirmed; `solver` is None if there were none."""

    solver: str | None
    questions: int
    agreed: int
    gave_up: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that a rule leaves open, or a variable that it reads and nothing sets; `what` describes it."""

    rule: str
    variable: str | None
    where: Span = field(compare=False, repr=False)
    what: str = field(metadata=HIDDEN)
    assumed: bool = field(default=False, compare=False, metadata=HIDDEN)
    """Whether the file states an assumption for it, or its meaning is plain, so that it is no gap in the game."""

    def __str__(self) -> str:
        return f"`{self.variable or self.rule}` {self.what}"


@dataclass(frozen=True, slots=True)
class Premise:
    """What a result depends on: a theorem, which is proved, or an assumption, which is not."""

    kind: Literal["theorem", "assumption"]
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class InternalError:
    """Why a check has no result of its own: an internal error."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding; `cites` and `assumes` are those of the rules that the claim is about.

    `readings` names the readings it concerns as `rule: reading` (none if it holds for all); `reason` is why a
    negative verdict is known; `gaps` lists what is unspecified; `cases` counts the deals played, and `bound`
    the deals up to which it was searched; `termination` says how matches are proved to end, and
    `within_deals` after how many deals at most; `match` is a match from its start as SCENARIOs, one per deal,
    and `witness` the last of them (the witness of an example has no match); `details` are further lines for
    people; `recheck` is the result of a second solver, if one was used.
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
        """What `replay` accepts for the witness: its deal, or the match that leads to it."""
        if self.match is None or len(self.match) == 1:
            return self.witness
        return {"match": list(self.match)}


def new_gaps(finding: Finding, before: Finding) -> tuple[Gap, ...]:
    """The gaps of a finding that `before`, a finding about the base, does not have."""
    return tuple(gap for gap in finding.gaps if gap not in before.gaps)


def is_same(finding: Finding, before: Finding) -> bool:
    """Whether a finding adds nothing to `before`, a finding about the base, so that what is known there is known here.

    Which players it happens to together, as when several win, is chance if it is the same line that lets it happen.
    """
    if finding.verdict is not before.verdict or finding.readings != before.readings:
        return False
    if finding.gaps:
        return not new_gaps(finding, before)
    if finding.message == before.message:
        return True
    texts = [_PLAYERS.sub("players", one.message) for one in (finding, before)]
    return texts[0] == texts[1] and finding.where == before.where


_PLAYERS = re.compile(r"players \d+(, \d+)* and \d+")
