"""The parts of a deal: its steps up to the end of the play, those after it, and where it can end before its last step.

A deal thrown in by `deal again` is followed by another without the steps between deals. Carried values are
then as they were at that point, so it matters what a deal can change before it is thrown in
(`changed_before_redeal`).
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import dropwhile

from trickproof.analysis.dependencies import (
    Body,
    blocks_of,
    first_part,
    in_play,
    is_play,
    last_part,
    names_read,
    steps,
    steps_of_deal,
)
from trickproof.analysis.live_variables import flat
from trickproof.analysis.slicing import Slice, sliced
from trickproof.analysis.usage import SUMS, usage_of
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import DECK


def stops(program: c.Program) -> list[c.EndMatch | c.EndHand]:
    """Where a deal can stop before its play is over."""
    return [node for node in walk(first_part(program)) if isinstance(node, c.EndMatch | c.EndHand)]


def split(program: c.Program) -> tuple[Body, Body]:
    """The steps of a deal up to and including the play, and those after it, provided all of them are executed in every deal."""
    before, after = parts_of_hand(program)
    for node in [*stops(program), *(x for x in walk(after) if isinstance(x, c.EndHand))]:
        what = "deal can end before its last step"
        if isinstance(node, c.EndMatch):
            what = "match can end before the play is over"
        elif node.again:
            what = "deal can be thrown in"
        raise NotEncodedError(f"the {what}", node.span)
    return before, after


def labels_from_play(program: c.Program) -> Set[str]:
    """Labels of the moves that a deal may contain once its play has begun; all labels if the play is no step of its own."""
    later = tuple(dropwhile(lambda step: not is_play(step), steps_of_deal(program)))
    return usage_of(*(later or program.hand)).labels


def parts_of_hand(program: c.Program) -> tuple[Body, Body]:
    """The steps of a deal up to and including the play, during which it may stop, and those after it."""
    before, after = first_part(program), last_part(program)
    span = before[0].span if before else program.rules["hand"].span
    if not any(map(is_play, before)):
        raise NotEncodedError("the deal has no step `do play`", span)
    tricks = program.variables.get("tricks")
    if tricks is None or tricks.of != (c.PLAYER,) or tricks.type != c.INTEGER:
        raise NotEncodedError("`tricks` is not one number for each player", before[-1].span)
    return before, after


def looked_at(program: c.Program) -> bool:
    """Whether anything after the play of a deal looks at cards, up to the next deal."""
    stated = (
        invariant.condition for invariant in program.invariants.values() if invariant.when == "hand-ends"
    )
    return any(isinstance(node, c.ZoneCards) for node in walk(last_part(program), program.between, *stated))


def never_occupied(subject: Subject) -> set[str]:
    """The zones that may well be empty when the play is over, if anything looks at cards afterwards.

    That is so if no deal played at random left a card there, unless cards were moved after the play. Nothing
    is said if the play of no deal was over.
    """
    program = subject.program
    if not looked_at(program) or not subject.played.occupied:
        return set()
    moved = [node for node in walk(last_part(program)) if isinstance(node, c.Move)]
    occupied = subject.played.occupied - {move.target.zone for move in moved}
    return {DECK, *program.zones} - occupied - {move.source.zone for move in moved}


def redeals(*nodes: object) -> list[c.EndHand]:
    """Where a deal can be thrown in."""
    return [node for node in walk(*nodes) if isinstance(node, c.EndHand) and node.again]


def changed_before_redeal(program: c.Program, body: Body) -> frozenset[str]:
    """The carried variables that a deal may set before it is thrown in by one of these steps."""
    assigned = usage_of(*_up_to_redeals(body)).assigns
    return frozenset(name for name in assigned if program.variables[name].carried)


def _up_to_redeals(body: Body) -> Iterator[c.Stmt]:
    """The statements after which the deal may still be thrown in; loops count as a whole."""
    places = [i for i, t in enumerate(body) if redeals(t)]
    if not places:
        return
    yield from body[: places[-1]]
    last = body[places[-1]]
    if isinstance(last, c.Branch | c.InRule):
        for block in blocks_of(last):
            yield from _up_to_redeals(block)
    else:
        yield last


def redealt_slice(body: Body) -> Slice:
    """The slice that decides whether a deal is thrown in before its play, and what is carried on if it is."""
    every = steps(body, skipped_rules=("play",))
    places = [x for x in every if redeals(x.statement) and not is_play(x.statement)]
    carried = usage_of(*_up_to_redeals(body)).assigns
    tests = [e for step in places for e in step.tests]
    slice_ = sliced(body, carried | set(names_read(*tests)))
    also = {id(t) for step in places for t in (*step.enclosing, step.statement)}
    return Slice(slice_.names, (*slice_.nodes, *tests), slice_.steps | also, slice_.choices)


def earlier(subject: Subject) -> Slice:
    """The slice of the steps before the play that matters to the steps after it, and to what is stated of the end of a deal."""
    return subject.once(earlier, lambda: _earlier(subject))


def _earlier(subject: Subject) -> Slice:
    before, after = parts_of_hand(subject.program)
    stated = (x.condition for x in subject.program.invariants.values() if x.when == "hand-ends")
    reads = usage_of(after, subject.program.between, *stated).reads
    reads |= _carried_through(subject.program, before) | (subject.program.variables.keys() & SUMS)
    return sliced(before, reads - in_play(subject.program))


def _carried_through(program: c.Program, before: Body) -> frozenset[str]:
    """What decides whether a later deal is thrown in, except what is reset between deals."""
    if not redeals(*before):
        return frozenset()
    carried = {name for name in redealt_slice(before).names if name in program.variables}
    anew = {t.variable for t in flat(program.between) if isinstance(t, c.Assign) and not t.arguments}
    return frozenset(name for name in carried - anew if program.variables[name].carried)
