"""What a house rule makes dead: rules that no match reaches, and conditions that never or always hold.

Conditions before play are evaluated for every initial state of a deal, all readings and all parameters; one
that depends on cards or choices is never reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trickproof.diff.rule_dependencies import Texts
from trickproof.equivalence.partial_evaluation import Specialiser, TooLongError
from trickproof.equivalence.program_equivalence import begins_known
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.proofs.symbolic.hand_parts import split
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

Kind = Literal["unreachable", "never", "always"]


@dataclass(frozen=True, slots=True)
class Useless:
    """A dead rule or condition, and its location."""

    kind: Kind
    what: str
    where: Span


def useless(base: Ruleset, house: Ruleset) -> list[Useless]:
    """The rules and conditions that become dead because of the house rule."""
    old, new = Texts(base), Texts(house)
    added = house.own.rules.keys() - base.whole.rules.keys()
    without_use = [
        Useless("unreachable", name, house.whole.rules[name].name.span)
        for name in house.whole.rules
        if name not in new.course.written and (name in old.course.written or name in added)
    ]
    house_conditions, base_conditions = _conditions(house), _conditions(base)
    for span, values in sorted(house_conditions.items(), key=lambda x: (x[0].source.name, x[0].start)):
        if len(values) == 1 and base_conditions.get(span, frozenset()) != values:
            kind: Kind = "always" if True in values else "never"
            if None not in values:
                without_use.append(Useless(kind, " ".join(span.text.split()), span))
    return without_use


def _conditions(ruleset: Ruleset) -> dict[Span, frozenset[bool | None]]:
    """The values that each condition before play can take; None if it depends on more than the initial state."""
    try:
        begins = begins_known(Subject(ruleset, (), 4))
        steps = split(ruleset.program)[0][:-1]
    except (NotEncodedError, GapError, TooLongError):
        return {}
    seen: dict[Span, set[bool | None]] = {}
    for begin in begins:
        watcher = _Watcher(ruleset.program, dict(begin), {}, {}, {}, [0])
        watcher.seen = seen
        try:
            watcher.run(steps)
        except TooLongError:
            return {}
    return {span: frozenset(values) for span, values in seen.items()}


class _Watcher(Specialiser):
    """Records the values of conditions."""

    seen: dict[Span, set[bool | None]]

    def _step(self, t: c.Stmt) -> None:
        if isinstance(t, c.Branch) and not _of_reading(t.condition):
            value = self.value(t.condition)
            known = bool(value.value) if isinstance(value, c.Literal) else None
            self.seen.setdefault(t.condition.span, set()).add(known)
        super()._step(t)

    def _another(self, program: c.Program, names: list[int]) -> Specialiser:
        other = super()._another(program, names)
        assert isinstance(other, _Watcher)
        other.seen = self.seen
        return other


def _of_reading(e: c.Expr) -> bool:
    """Whether a condition only tests a reading."""
    return isinstance(e, c.Compare) and isinstance(e.left, c.Reading)
