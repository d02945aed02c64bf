"""What a house rule makes dead: rules that no match reaches, and conditions that never or always hold.

Conditions before play are evaluated for every initial state of a deal, all readings and all parameters. Of the
conditions of the file's own rules that never hold in some deals played at random, an assertion says that they
never do; they are reported if all assertions are proved (`proofs/hands/assertions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from trickproof.checking.engines import State
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.property import Probe, Property
from trickproof.diff.rule_dependencies import Texts
from trickproof.diff.side import unchecked
from trickproof.equivalence.partial_evaluation import Specialiser, TooLongError
from trickproof.equivalence.program_equivalence import begins_known
from trickproof.proofs.hands.assertions import (
    PREFIX,
    Assertion,
    assertion,
    proved_or_failing,
    with_assertions,
)
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.proofs.symbolic.hand_parts import split
from trickproof.support.locations import on_one_line
from trickproof.testing.random_play import play_matches
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

Kind = Literal["unreachable", "never", "always"]

PLAYED = 6
"""Number of deals played to see which conditions hold, and at most four times as many for whole matches."""


@dataclass(frozen=True, slots=True)
class Useless:
    """A dead rule or condition, and its location."""

    kind: Kind
    what: str
    where: Span


def useless(base: Ruleset, house: Ruleset, session: ProofSession | None = None) -> list[Useless]:
    """The rules and conditions that become dead because of the house rule, and its own that never hold."""
    session = ProofSession() if session is None else session
    old, new = Texts(base), Texts(house)
    added = house.own.rules.keys() - base.whole.rules.keys()
    replaced = (name for name in house.own.rules if name not in added and name not in new.course.written)
    by_checks = {used for name in replaced for used in new.reaches(name)}  # such as by `to-give`
    without_use = [
        Useless("unreachable", name, house.whole.rules[name].name.span)
        for name in house.whole.rules
        if name not in new.course.written
        and (name in old.course.written or (name in added and name not in by_checks))
    ]
    house_conditions, base_conditions = _conditions(house, session), _conditions(base, session)
    for span, values in sorted(house_conditions.items(), key=lambda x: (x[0].source.name, x[0].start)):
        if len(values) == 1 and base_conditions.get(span, frozenset()) != values:
            kind: Kind = "always" if True in values else "never"
            if None not in values:
                without_use.append(Useless(kind, on_one_line(span), span))
    known = {x.where for x in without_use}
    dead = [span for span in never_met(base, house, session) if span not in known]
    return [*without_use, *(Useless("never", on_one_line(span), span) for span in dead)]


def never_met(base: Ruleset, house: Ruleset, session: ProofSession) -> list[Span]:
    """The conditions of branches in the file's own rules, new in it, that are proved to hold in no deal."""
    inherited = {on_one_line(_condition(x).span) for x in _branches(base.program)}
    own = [x for x in map(_condition, _branches(house.program)) if x.span.source == house.own.source]
    new = {x.span for x in own if not _of_reading(x) and on_one_line(x.span) not in inherited}
    left = _never_seen(house, new) if new else new
    while left:
        program, asserted = _denying(house.program, left)
        try:
            theorem, failing = proved_or_failing(house, program, asserted, session)
        except (NotEncodedError, GapError):
            return []
        if theorem is not None:
            return sorted(left, key=lambda span: span.start)
        left = left - {x.step.span for x in failing}
    return []


def _denying(program: c.Program, spans: Collection[Span]) -> tuple[c.Program, list[Assertion]]:
    """The program with assertions that some conditions of branches do not hold."""
    made: list[Assertion] = []

    def denied(branch: c.Branch) -> c.Stmt | None:
        if (span := _condition(branch).span) not in spans:
            return None
        made.append(assertion(c.Not(branch.condition, c.BOOLEAN, span), len(made), span))
        return made[-1].step

    return with_assertions(program, _before_branches(program.hand, denied)), made


def _branches(program: c.Program) -> Iterator[c.Branch]:
    return (x for x in walk(program.hand) if isinstance(x, c.Branch))


def _condition(branch: c.Branch) -> c.Expr:
    """The condition as it is written, which may be in the rule that a branch asks by name."""
    condition = branch.condition
    return condition.value if isinstance(condition, c.RuleValue) else condition


def _before_branches(
    steps: tuple[c.Stmt, ...], made: Callable[[c.Branch], c.Stmt | None]
) -> tuple[c.Stmt, ...]:
    """The steps, with another one before each branch for which one is made."""
    with_them: list[c.Stmt] = []
    for step in steps:
        if isinstance(step, c.Branch) and (before := made(step)) is not None:
            with_them.append(before)
        blocks: dict[str, Any] = {
            name: _before_branches(getattr(step, name), made)
            for name in ("then", "otherwise", "body")
            if hasattr(step, name)
        }
        with_them.append(replace(step, **blocks) if blocks else step)
    return tuple(with_them)


def _never_seen(house: Ruleset, asked: Collection[Span]) -> set[Span]:
    """Those of some conditions that did not hold in a few matches played at random: a variable notes each."""
    names = {span: f"{PREFIX}{number}" for number, span in enumerate(asked)}

    def noted(branch: c.Branch) -> c.Stmt | None:
        condition = branch.condition
        if (name := names.get(_condition(branch).span)) is None:
            return None
        before = c.Variable(name, (), c.BOOLEAN, condition.span)
        return c.Assign(name, (), c.Logic("or", before, condition, c.BOOLEAN, condition.span), condition.span)

    notes = {name: c.VariableInfo(name, c.BOOLEAN, (), False, False) for name in names.values()}
    program = replace(
        house.program,
        hand=_before_branches(house.program.hand, noted),
        variables={**house.program.variables, **notes},
    )
    holding = [Property(name, (), probes=(Probe("always", partial(_noted, name)),)) for name in notes]
    seen = play_matches(replace(house, program=program), holding, PLAYED).violations
    return {span for span, name in names.items() if name not in seen}


def _noted(name: str, state: State) -> str | None:
    return "it holds" if state.variables.get((name,)) else None


def _conditions(ruleset: Ruleset, session: ProofSession) -> dict[Span, frozenset[bool | None]]:
    """The values that each condition before play can take; None if it depends on more than the initial state."""
    try:
        begins = begins_known(unchecked(ruleset, session))
        steps = split(ruleset.program)[0][:-1]
    except (NotEncodedError, GapError, TooLongError):
        return {}
    seen: dict[Span, set[bool | None]] = {}
    for begin in begins:
        watcher = _Watcher(ruleset.program, begin, {}, {})
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
