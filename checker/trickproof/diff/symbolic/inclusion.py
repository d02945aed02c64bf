"""Which of two rules, if any, allows everything that the other allows before the first trick.

Both are partially evaluated from every initial state in which they differ, with parameters and readings left
open. One includes the other if their residues are the same but for the bounds and options of choices: every
course of the narrower one is then one of the wider one, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from trickproof.diff.witnesses.parting import Direction
from trickproof.diff.witnesses.pre_play import Steps, effect
from trickproof.equivalence.constant_folding import semantic_fields
from trickproof.equivalence.partial_evaluation import Specialiser
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key, Value


def inclusion(
    one: c.Program, other: c.Program, steps: tuple[Steps, Steps], begins: Sequence[Mapping[Key, Value]]
) -> Direction | None:
    """`wider` if the second allows everything that the first allows from these states, `narrower` if vice versa.

    `neither` if that depends on the state; None if it is not known. May raise TooLongError.
    """
    found: set[Direction | None] = set()
    for begin in begins:
        sides = [Specialiser(program, begin, {}, {}) for program in (one, other)]
        for side, own in zip(sides, steps, strict=True):
            side.run(own)
        found.add(_of_residues(*sides))
        if None in found:
            return None
    return _of_all(found)


def _of_all(found: Set[Direction | None]) -> Direction | None:
    return None if None in found or not found else next(iter(found)) if len(found) == 1 else "neither"


def _of_residues(mine: Specialiser, theirs: Specialiser) -> Direction | None:
    (residue, *rest), (other, *others) = effect(mine), effect(theirs)
    if rest != others or len(residue) != len(other):
        return None
    return _of_all({way for pair in zip(residue, other, strict=True) for way in _of_choices(*pair)})


def _of_choices(one: c.Stmt, other: c.Stmt) -> Iterator[Direction | None]:
    """Which of two choices has more options, for each of the parts in which they differ; None for any other difference."""
    if type(one) is not type(other):
        yield None
        return
    parts = {x for x in semantic_fields(one) if getattr(one, x) != getattr(other, x)}
    if (
        isinstance(one, c.ChooseCards)
        and isinstance(other, c.ChooseCards)
        and parts <= {"low", "high", "single"}
    ):
        yield from _of_bounds([x for side in (one, other) for x in (side.low, side.high)]) if parts else ()
    elif (
        isinstance(one, c.ChooseValue)
        and isinstance(other, c.ChooseValue)
        and parts <= {"or_none", "condition"}
    ):
        if "or_none" in parts:
            yield "wider" if other.or_none else "narrower"
        if "condition" in parts:
            free = [isinstance(x.condition, c.Literal) and x.condition.value is True for x in (one, other)]
            yield "narrower" if free[0] else "wider" if free[1] else None
    elif parts:
        yield None


def _of_bounds(bounds: Sequence[c.Expr]) -> Iterator[Direction | None]:
    known = [x.value for x in bounds if isinstance(x, c.Literal) and isinstance(x.value, int)]
    if len(known) < len(bounds):
        yield None
        return
    low, high, other_low, other_high = known
    if other_low < low or high < other_high:
        yield "wider"
    if low < other_low or other_high < high:
        yield "narrower"
