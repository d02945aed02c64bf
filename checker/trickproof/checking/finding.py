"""One answer of one check about one ruleset, with what it rests on; and its form in `check --json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from trickproof.checking.verdict import Method, Verdict
from trickproof.support.locations import place
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
class Finding:
    """`cites` and `assumes` are those of the rules the claim is about.

    `readings` names those it speaks of as `rule: reading` (none: it holds for all); `reason` is why a negative verdict
    is known; `inherited` says that all that is wrong stands in the base; `cases` is how many hands were played, `bound` the number of hands up to which it was searched;
    `witness` is a SCENARIO; `details` are further lines for people; `recheck` is what a second solver says, where it was asked.
    """

    check: str
    verdict: Verdict
    method: Method
    message: str
    where: Span | None = field(default=None, compare=False, repr=False)
    seconds: float = 0.0
    cites: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    known: bool = False
    inherited: bool = False
    reason: str | None = None
    witness: Json | None = None
    match: tuple[Json, ...] = ()
    loop_from: int | None = None
    readings: tuple[str, ...] = ()
    cases: int | None = None
    bound: int | None = None
    details: tuple[str, ...] = ()
    recheck: Recheck | None = None

    def as_json(self) -> dict[str, object]:
        """The contract's fields, then those of ours that say something."""
        made: dict[str, object] = {
            "check": self.check,
            "verdict": self.verdict.value,
            "method": self.method.value,
            "seconds": round(self.seconds, 3),
            "message": self.message,
            "where": place(self.where),
            "cites": list(self.cites),
            "assumes": list(self.assumes),
            "known": self.known,
            "witness": self.witness,
        }
        more = {
            "match": list(self.match) or None,
            "loop_from": self.loop_from,
            "reason": self.reason,
            "readings": list(self.readings) or None,
            "cases": self.cases,
            "bound": self.bound,
            "details": list(self.details) or None,
            "recheck": None if self.recheck is None else asdict(self.recheck),
        }
        return made | {key: value for key, value in more.items() if value is not None}
