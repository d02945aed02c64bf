"""Whether two programs do the same because their expressions agree in every state that a deal comes to.

The programs are walked in step. Where an expression differs, an assertion is put before the statement of the
first that evaluates it: it fails at run time unless both expressions have the same value there. Where only
one of the two asks a condition, that condition is asserted. If no assertion of the program can fail in a deal,
the two always do the same: up to a first difference both would be in the same state, and there an assertion
would fail. Steps without an assertion fail in both or in neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from trickproof.checking.proof_session import ProofSession
from trickproof.diff.symbolic.value_rules import equal_everywhere, same_effect
from trickproof.diff.witnesses.parting import Pair
from trickproof.equivalence.constant_folding import EACH
from trickproof.equivalence.de_bruijn import leveled, leveled_expression
from trickproof.equivalence.normal_form import normal_steps, setting_of
from trickproof.proofs import kernel
from trickproof.proofs.hands.assertions import (
    PREFIX,
    Assertion,
    assertion,
    proved_or_failing,
    with_assertions,
)
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof_dsl import core as c
from trickproof_dsl.core.binders import bound_by, rename
from trickproof_dsl.core.traversal import field_names, walk

Steps = tuple[c.Stmt, ...]
Names = Mapping[str, str]
"""The names that the second program has bound, with those of the first."""

_ASSERTED: Mapping[type, tuple[str, ...]] = {
    c.Assign: ("value", "arguments"),
    c.Branch: ("condition",),
    c.Loop: ("domain",),
    c.ChooseCards: ("domain", "low", "high", "actor", "to"),
    c.ChooseValue: ("actor",),
    c.Move: ("cards",),
    c.Show: ("cards", "to", "actor"),
    c.Deal: ("count",),
    c.EndMatch: ("winners",),
}
"""The expressions of a statement that are evaluated in the state before it, and so may be asserted to agree."""

_LATER: Mapping[type, tuple[str, ...]] = {c.Move: ("source", "target", "actor", "to")}
"""Those that are not, or not only, evaluated there: they must have the same value in every state."""

_ELSEWHERE = ("then", "otherwise", "body", "binder", "rule", "single")
"""Fields that are compared otherwise, or do not matter."""


class ApartError(Exception):
    """The two programs cannot be walked in step."""


def agree_everywhere(pair: Pair) -> Theorem | None:
    """Both do the same because their expressions have the same values in every state, reachable or not; None if not proved."""
    if any(pair.readings):
        return None
    one, other = pair.one.program, pair.other.program
    forms = ((one, other), (_normal(one), _normal(other)))
    for form, kind in ((forms[0], _Assertions), (forms[1], _Assertions), (forms[1], _Effects)):
        asserted = _asserted(*form, kind)
        if asserted is not None and not asserted.made:
            return kernel.equivalent("in every state", asserted.reasons)
    return None


def agree_in_context(pair: Pair, session: ProofSession) -> Theorem | None:
    """Both do the same in every deal of the first; None if that is not proved. May raise NotEncodedError."""
    asserted = None if any(pair.readings) else _asserted(pair.one.program, pair.other.program, _Assertions)
    if asserted is None:
        return None
    holds, _ = proved_or_failing(pair.one, asserted.program, asserted.made, session)
    return kernel.equivalent("in every deal", [*asserted.reasons, holds]) if holds is not None else None


def _normal(program: c.Program) -> c.Program:
    """The program in normal form, with names by depth; not meant to be played."""
    setting = setting_of(program)
    setup, hand, between = (normal_steps(leveled(steps, {}), setting) for steps in program.phases)
    return replace(program, setup=setup, hand=hand, between=between)


@dataclass(frozen=True, slots=True)
class _Asserted:
    """A program with its assertions, and why all else is as in the other program."""

    program: c.Program
    made: Sequence[Assertion]
    reasons: Sequence[Theorem]


def _asserted(one: c.Program, other: c.Program, kind: type[_Assertions]) -> _Asserted | None:
    """The first program with its assertions; None if the two cannot be walked in step."""
    other = _with_variables_of(one, other)
    declared, declared_there = ({n: x for n, x in p.variables.items() if "." not in n} for p in (one, other))
    if (alike := kernel.equivalence("their variables", (declared, declared_there))) is None:
        return None
    asserted = kind(one)
    try:
        for mine, theirs in ((one.setup, other.setup), (one.between, other.between)):
            asserted.block(mine, theirs, {})
        if asserted.made:  # only deals are proved to keep assertions
            return None
        hand = asserted.block(one.hand, other.hand, {})
    except ApartError:
        return None
    return _Asserted(with_assertions(one, hand), asserted.made, [alike, *asserted.reasons])


def _with_variables_of(one: c.Program, other: c.Program) -> c.Program:
    """The second program with the first one's names for the variables that no ruleset declares, in order."""
    mine, theirs = (
        dict.fromkeys(x.variable for x in walk(*p.phases) if isinstance(x, c.Assign) and "." in x.variable)
        for p in (one, other)
    )
    names = dict(zip(theirs, mine, strict=False))
    setup, hand, between = (rename(steps, names) for steps in other.phases)
    return replace(other, setup=setup, hand=hand, between=between)


class _Assertions:
    """Puts assertions into the first of two programs."""

    def __init__(self, program: c.Program) -> None:
        self._program, self._bound = program, 0
        nodes = list(walk(*program.phases))
        loops = {x.binder for x in nodes if isinstance(x, c.Loop)}
        self._elements = loops - {x.binder for x in nodes if isinstance(x, c.ChooseValue)}
        """The names that are never bound to none."""
        self.made: list[Assertion] = []
        self.reasons: list[Theorem] = []

    def block(self, mine: Steps, theirs: Steps, names: Names) -> Steps:
        """A whole block with its assertions. Raises ApartError."""
        steps, left, names = self._steps(mine, _opened(theirs), names)
        for step in left:
            steps = (*steps, *self._skipped(step, names))
        return steps

    def _steps(self, mine: Steps, theirs: Steps, names: Names) -> tuple[Steps, Steps, Names]:
        """Some steps with their assertions, and what remains of the other's."""
        steps: list[c.Stmt] = []
        for step in mine:
            if isinstance(step, c.InRule):
                body, theirs, names = self._steps(step.body, theirs, names)
                steps.append(replace(step, body=body))
            else:
                more, theirs, names = self._step(step, theirs, names)
                steps += more
        return tuple(steps), theirs, names

    def _step(self, mine: c.Stmt, theirs: Steps, names: Names) -> tuple[Steps, Steps, Names]:
        first = theirs[0] if theirs else None
        if type(mine) is type(first):
            return self._alike(mine, first, names), theirs[1:], {**names, **_chosen(mine, first)}
        if isinstance(first, c.Branch):
            holds = _begins_like(first.then, mine) or not _begins_like(first.otherwise, mine)
            inside = _opened(first.then if holds else first.otherwise)
            steps, theirs, names = self._step(mine, (*inside, *theirs[1:]), names)
            return (*self._holds(first.condition, holds, names), *steps), theirs, names
        if isinstance(mine, c.Branch):
            holds = first is not None and _begins_like(mine.then, first)
            inside = mine.then if holds else mine.otherwise
            steps, theirs, names = self._steps(inside, theirs, names)
            put = replace(mine, then=steps) if holds else replace(mine, otherwise=steps)
            return (*self._holds(mine.condition, holds, {}), put), theirs, names
        raise ApartError

    def _skipped(self, step: c.Stmt, names: Names) -> Steps:
        """The assertion that a branch of the other program does nothing. Raises ApartError for other steps."""
        if not isinstance(step, c.Branch) or (step.then and step.otherwise):
            raise ApartError
        return self._holds(step.condition, not step.then, names)

    def _alike(self, mine: Any, other: Any, names: Names) -> Steps:
        """A step with the assertions that the other, of the same kind, does the same."""
        names = {**names, **_chosen(mine, other)}
        asserted = _ASSERTED.get(type(mine), ())
        made: list[c.Stmt] = []
        elsewhere: tuple[str, ...] = _ELSEWHERE
        options, theirs = _options(mine), _options(other)
        if options is not None and theirs is not None:
            if not self._same(options, theirs, names) and not self._allowed_alike(mine, other, names):
                made += self._equal(options, theirs, names)
            elsewhere += ("domain", "condition")
        for name in field_names(mine):
            one, two = getattr(mine, name), getattr(other, name)
            if name == "order":
                one, two = (
                    replace(x, domain=c.Universe(x.domain.type, x.span), body=()) for x in (mine, other)
                )
            if name in elsewhere or self._same(one, two, names):
                continue
            later = name in _LATER.get(type(mine), ())
            several = _expressions(one), _expressions(two)
            if not (later or name in asserted) or None in (one, two) or not _of_one_shape(one, two, several):
                raise ApartError
            for x, z in zip(*several, strict=True):
                equal = () if self._same(x, z, names) else self._equal(x, z, names)
                if equal and later:
                    raise ApartError
                made += equal
        for name in ("then", "otherwise", "body"):
            if hasattr(mine, name):
                inside = {**names, **_looped(mine, other)}
                block = self.block(getattr(mine, name), getattr(other, name), inside)
                mine = replace(mine, **{name: block})
        return (*made, mine)

    def _holds(self, condition: c.Expr, holds: bool, names: Names) -> Steps:
        return self._equal(c.Literal(c.BOOLEAN, holds, condition.span), condition, names)

    def _same(self, mine: Any, theirs: Any, names: Names) -> bool:
        """Whether two fields are equal but for the names that they bind, and the rules from which values come."""
        own = {name: name for name in names.values()}
        sides = leveled_expression(mine, own), leveled_expression(theirs, names)
        if theorem := kernel.equivalence("the same words", sides):
            self.reasons.append(theorem)
        return theorem is not None

    def _equal(self, mine: c.Expr, theirs: c.Expr, names: Names) -> Steps:
        """A step that fails unless two expressions have the same value: it looks for one player if they do.

        None is needed if they have the same value in every state.
        """
        renamed = self._renamed(theirs, names)
        if self._always_equal(mine, renamed):
            return ()
        equal = c.Compare("=", mine, renamed, c.BOOLEAN, mine.span)
        self.made.append(assertion(equal, self._bound, mine.span))
        return (self.made[-1].step,)

    def _renamed(self, theirs: c.Expr, names: Names) -> c.Expr:
        """The other's expression with the first one's names, and fresh ones for those that it binds itself."""
        inner = [name for node in walk(theirs) for name, _ in bound_by(node)]
        fresh = {name: f"{PREFIX}{self._bound + n}" for n, name in enumerate(dict.fromkeys(inner), 1)}
        self._bound += len(fresh) + 1
        renamed: c.Expr = rename(theirs, {**names, **fresh})
        return renamed

    def _always_equal(self, mine: c.Expr, theirs: c.Expr) -> bool:
        """Whether two expressions, or the parts in which they differ, are proved to have the same value in every state."""
        sides = leveled_expression(mine, {}), leveled_expression(theirs, {})
        return self._equal_parts(*sides) or (_binds(sides) and self._proved_equal(mine, theirs))

    def _equal_parts(self, one: c.Expr, two: c.Expr) -> bool:
        """Whether the smallest parts that differ are equal, or larger ones that bind nothing."""
        if one == two:
            return True
        if type(one) is type(two):
            fields = [(getattr(one, name), getattr(two, name)) for name in field_names(one)]
            apart = [(x, z) for x, z in fields if x != z]
            inner = all(
                isinstance(x, c.Expr) and isinstance(z, c.Expr) and x.type == z.type for x, z in apart
            )
            if inner and all(self._equal_parts(x, z) for x, z in apart):
                return True
        return not _binds((one, two)) and self._proved_equal(one, two)

    def _proved_equal(self, one: c.Expr, two: c.Expr) -> bool:
        within = {x.name for x in walk(one, two) if isinstance(x, c.Local) and x.name.startswith(EACH)}
        with suppress(NotEncodedError, GapError):
            if theorem := equal_everywhere(self._program, one, two, self._elements | within):
                self.reasons.append(theorem)
                return True
        return False

    def _allowed_alike(self, mine: c.ChooseValue, other: c.ChooseValue, names: Names) -> bool:
        """Whether two choices are from the same set, and every element of it, whatever it is, is allowed by both or by neither."""
        return self._same(mine.domain, other.domain, names) and self._always_equal(
            mine.condition, self._renamed(other.condition, names)
        )


class _Effects(_Assertions):
    """Compares two programs in normal form, what their steps that only set variables do together; nothing is asserted."""

    def __init__(self, program: c.Program) -> None:
        super().__init__(program)
        self._somebody = setting_of(program).somebody

    def block(self, mine: Steps, theirs: Steps, names: Names) -> Steps:
        runs, others = _runs(mine), _runs(theirs)
        if len(runs) != len(others):
            raise ApartError
        for (quiet, loud), (other_quiet, other_loud) in zip(runs, others, strict=True):
            if not self._same(quiet, other_quiet, names):
                self._effect(quiet, rename(other_quiet, names))
            if type(loud) is not type(other_loud):
                raise ApartError
            if loud is not None:
                self._alike(loud, other_loud, names)
                names = {**names, **_chosen(loud, other_loud)}
        return mine

    def _effect(self, mine: Steps, theirs: Steps) -> None:
        with suppress(NotEncodedError, GapError):
            if theorem := same_effect(self._program, mine, theirs, self._elements, self._somebody):
                self.reasons.append(theorem)
                return
        raise ApartError

    def _equal(self, mine: c.Expr, theirs: c.Expr, names: Names) -> Steps:
        if super()._equal(mine, theirs, names):
            raise ApartError
        return ()


def _runs(steps: Steps) -> list[tuple[Steps, c.Stmt | None]]:
    """The steps that only set variables, up to each of the others and to the end."""
    runs: list[tuple[Steps, c.Stmt | None]] = []
    quiet: Steps = ()
    for step in steps:
        if all(isinstance(x, c.Assign | c.Branch | c.Loop) for x in walk(step) if isinstance(x, c.Stmt)):
            quiet = (*quiet, step)
        else:
            runs, quiet = [*runs, (quiet, step)], ()
    return [*runs, (quiet, None)]


def _opened(steps: Sequence[c.Stmt]) -> Steps:
    """The steps, with those of rules in place of their calls."""
    opened = (_opened(step.body) if isinstance(step, c.InRule) else (step,) for step in steps)
    return tuple(x for some in opened for x in some)


def _begins_like(body: Steps, step: c.Stmt) -> bool:
    """Whether a block begins with a step of the same kind."""
    return bool(opened := _opened(body)) and type(opened[0]) is type(step)


def _binds(parts: tuple[c.Expr, c.Expr]) -> bool:
    return any(hasattr(x, "binder") for x in walk(parts))


def _expressions(part: Any) -> tuple[c.Expr, ...]:
    """The expressions of a field whose other parts are equal."""
    if isinstance(part, c.Place):
        return part.arguments
    return part if isinstance(part, tuple) else (part,)


def _of_one_shape(one: Any, two: Any, several: tuple[Sequence[c.Expr], Sequence[c.Expr]]) -> bool:
    """Whether two fields differ in these expressions only."""
    zones = [part.zone if isinstance(part, c.Place) else None for part in (one, two)]
    return zones[0] == zones[1] and len(several[0]) == len(several[1])


def _options(step: Any) -> c.Expr | None:
    """The values that a player may choose, but for `none`."""
    if not isinstance(step, c.ChooseValue) or step.value_type == c.BOOLEAN:
        return None
    return c.Filter(step.binder, step.domain, step.condition, step.domain.type, step.span)


def _chosen(mine: Any, other: Any) -> Names:
    """The name that a choice binds in the steps after it."""
    return {other.binder: mine.binder} if isinstance(mine, c.Choice) else {}


def _looped(mine: Any, other: Any) -> Names:
    return {other.binder: mine.binder} if isinstance(mine, c.Loop) else {}
