"""One answer of one check about one ruleset, with what it rests on; and its form in `check --json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trickproof.verdict import Method, Verdict
from trickproof_dsl.source import Span

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Finding:
    """`cites` and `assumes` are those of the rules the claim is about.

    `readings` names those it speaks of as `rule: reading` (none: it holds for all); `reason` is why a negative verdict
    is known; `inherited` says that all that is wrong stands in the base; `cases` is how many hands were played, `bound` the number of hands up to which it was searched;
    `witness` is a SCENARIO; `details` are further lines for people.
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
    readings: tuple[str, ...] = ()
    cases: int | None = None
    bound: int | None = None
    details: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The contract's fields, then those of ours that say something."""
        made: dict[str, object] = {
            "check": self.check,
            "verdict": self.verdict.value,
            "method": self.method.value,
            "seconds": round(self.seconds, 3),
            "message": self.message,
            "where": _place(self.where),
            "cites": list(self.cites),
            "assumes": list(self.assumes),
            "known": self.known,
            "witness": self.witness,
        }
        more = {
            "reason": self.reason,
            "readings": list(self.readings) or None,
            "cases": self.cases,
            "bound": self.bound,
            "details": list(self.details) or None,
        }
        return made | {key: value for key, value in more.items() if value is not None}


def _place(span: Span | None) -> dict[str, object] | None:
    return None if span is None else {"file": span.source.name, "line": span.line, "column": span.column}
