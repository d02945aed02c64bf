"""A normal form of core programs, equal for programs that differ only in what cannot matter.

Rule calls are inlined, and the rule behind a choice, used only in messages, is dropped, as is whether a
number of cards is literally one, which is how moves are written down; steps without effect are removed; loops whose rounds are independent per player get one order; adjacent independent steps are put
in a fixed order. Consecutive deals of fixed numbers of cards are added up per zone, and dealing the rest of a
shuffled pack becomes dealing an explicit number of cards (`dealing.py`). Every rewriting keeps the deals in which the rules fail.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from trickproof.analysis.usage import Usage, usage_of
from trickproof.equivalence.constant_folding import can_be_none, cannot_fault
from trickproof.equivalence.de_bruijn import outside
from trickproof.equivalence.dealing import (
    FREE as _FREE,
    added_up,
    deals_by_chance,
    dealt_in_rounds,
    rest_counted,
)
from trickproof.equivalence.plain_forms import merged
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.core.binders import rename
from trickproof_dsl.core.json_codec import fingerprint
from trickproof_dsl.core.traversal import walk

_QUIET = (c.Assign, c.Branch, c.Loop)
_MOVING = (c.Move, c.Show, c.Deal, c.Branch, c.Loop)


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of the program that some steps belong to.

    `chance` says whether all orders of the cards in the deck are equally likely whenever some are dealt;
    `somebody` are the variables that are never none.
    """

    players: int
    chance: bool
    somebody: frozenset[str]


@cached_by_identity(200)
def setting_of(program: c.Program) -> Setting:
    """The setting of a program's steps."""
    return Setting(program.players, deals_by_chance(program), _never_none(program))


def _never_none(program: c.Program) -> frozenset[str]:
    """The variables that begin with a value and are only assigned values."""
    assigned = [x for x in walk(*program.phases) if isinstance(x, c.Assign)]
    names = frozenset(name for name, info in program.variables.items() if info.initial is not None)
    while lost := {x.variable for x in assigned if x.variable in names and can_be_none(x.value, names)}:
        names -= lost
    return names


def same_in_other_words(one: c.Program, other: c.Program) -> Theorem | None:
    """Two programs have the same normal form; None if they have not."""
    return kernel.equivalence(
        "both have the same normal form", (fingerprint(normal(one)), fingerprint(normal(other)))
    )


def normal(program: c.Program) -> c.Program:
    """The normal form; not meant to be played."""
    setting, cards = setting_of(program), len(program.deck.cards)
    return replace(
        program,
        rules={},
        invariants={},
        setup=normal_steps(program.setup, setting, cards),
        hand=normal_steps(program.hand, setting, cards),
        between=normal_steps(program.between, setting, cards),
    )


def normal_steps(body: tuple[c.Stmt, ...], setting: Setting, cards: int | None = None) -> tuple[c.Stmt, ...]:
    """The normal form of some steps; `cards` is the size of the pack, if known."""
    normalised: list[c.Stmt] = []
    for step in body:
        match step:
            case c.InRule():
                normalised += normal_steps(step.body, setting, cards)
            case c.Branch():
                then, otherwise = (normal_steps(x, setting, cards) for x in (step.then, step.otherwise))
                if then == otherwise and cannot_fault(step.condition, setting.somebody):
                    normalised += then
                else:
                    normalised.append(merged(replace(step, then=then, otherwise=otherwise)))
            case c.Loop():
                step = _unfiltered(step)
                inner = normal_steps(step.body, setting, cards)
                if setting.chance and (dealt := dealt_in_rounds(step, inner)) is not None:
                    normalised += dealt
                    continue
                if (decided := _decided_before(step, inner, setting)) is not None:
                    normalised += normal_steps((decided,), setting, cards)
                    continue
                free = _each_for_himself(step, inner, setting)
                order = _any_order(step.order, setting) if free else step.order
                if inner or not _goes_through(step, setting):
                    normalised.append(replace(step, body=inner, order=order))
            case c.Until():
                normalised.append(replace(step, body=normal_steps(step.body, setting, cards)))
            case c.ChooseCards():
                normalised.append(replace(step, rule="", single=False))
            case c.ChooseValue():
                normalised.append(replace(step, rule=""))
            case c.Move():
                normalised.append(replace(step, single=False))
            case c.Assign() if _changes_nothing(step, setting):
                pass
            case _:
                normalised.append(step)
    if setting.chance:
        normalised = added_up(rest_counted(normalised, setting.players, cards))
    return _sorted(normalised, setting.players)


def _changes_nothing(step: c.Assign, setting: Setting) -> bool:
    """Whether a variable is set to what it is."""
    value = step.value
    same = isinstance(value, c.Variable) and (value.name, value.arguments) == (step.variable, step.arguments)
    return (
        same
        and cannot_fault(value, setting.somebody)
        and all(_has_value(owner, setting) for owner in step.arguments)
    )


def _any_order(order: c.Order, setting: Setting) -> c.Order:
    """One order for all that go through the same elements and fail alike: from nobody, or by a key that has no value."""
    if not all(_has_value(key, setting) for _, _, key in order.keys):
        return order
    start = order.start
    while isinstance(start, c.Seat):  # the seat of nobody fails as nobody does
        start = start.player
    return _FREE if start is None or _has_value(start, setting) else replace(_FREE, start=start)


def _has_value(e: c.Expr, setting: Setting) -> bool:
    """Whether an expression always has a value other than none."""
    return cannot_fault(e, setting.somebody) and not can_be_none(e, setting.somebody)


def _each_for_himself(loop: c.Loop, body: tuple[c.Stmt, ...], setting: Setting) -> bool:
    """Whether rounds only set entries of their own player and read nothing that other rounds set, or only deal."""
    if loop.domain.type != c.PLAYERS or loop.order.ties == "impossible":
        return False
    if all(_deals_to(step, loop.binder) for step in body):
        return setting.chance
    sets: set[str] = set()
    for node in walk(body):
        if isinstance(node, c.Assign):
            if not _of(node.arguments, loop.binder):
                return False
            sets.add(node.variable)
        elif isinstance(node, c.Stmt) and not isinstance(node, _QUIET):
            return False
    reads = (node for node in walk(body) if isinstance(node, c.Variable) and node.name in sets)
    return all(_of(node.arguments, loop.binder) for node in reads)


def _unfiltered(loop: c.Loop) -> c.Loop:
    """A loop over those that meet a condition as one over all with a branch, if rounds do not change what it reads."""
    domain = loop.domain
    if not isinstance(domain, c.Filter) or loop.order.keys or loop.order.ties == "impossible":
        return loop
    moves = any(isinstance(node, c.Stmt) and not isinstance(node, _QUIET) for node in walk(loop.body))
    if (
        moves
        or not cannot_fault(domain.condition)
        or usage_of(domain.condition).reads & usage_of(loop.body).assigns
    ):
        return loop
    condition = rename(domain.condition, {domain.binder: loop.binder})
    return replace(loop, domain=domain.domain, body=(c.Branch(condition, loop.body, (), loop.span),))


def _decided_before(loop: c.Loop, body: tuple[c.Stmt, ...], setting: Setting) -> c.Branch | None:
    """A loop whose rounds are a branch on one condition that none of them changes, as a branch with two loops; None for others."""
    if len(body) != 1 or not isinstance(branch := body[0], c.Branch) or loop.order.keys:
        return None
    inner = (node for node in walk(branch) if isinstance(node, c.Stmt))
    named = any(isinstance(node, c.Local) and node.name == loop.binder for node in walk(branch.condition))
    if (
        named
        or not all(isinstance(node, _QUIET) for node in inner)
        or not cannot_fault(branch.condition, setting.somebody)
        or usage_of(branch.condition).reads & usage_of(branch).assigns
    ):
        return None
    then, otherwise = (replace(loop, body=steps) for steps in (branch.then, branch.otherwise))
    return replace(branch, condition=outside(loop, branch.condition), then=(then,), otherwise=(otherwise,))


def _deals_to(step: c.Stmt, binder: str) -> bool:
    """Whether a step deals the player of the round a number of cards that does not depend on what was dealt."""
    if not isinstance(step, c.Deal) or step.count is None:
        return False
    fixed = not any(isinstance(node, c.ZoneCards | c.Variable | c.Local) for node in walk(step.count))
    return fixed and _of(step.to.arguments, binder)


def _goes_through(loop: c.Loop, setting: Setting) -> bool:
    """Whether iterating a loop with an empty body cannot fail."""
    order = loop.order
    places = [e for e in (order.start, *(key for _, _, key in order.keys)) if e is not None]
    sound = cannot_fault(loop.domain, setting.somebody) and all(_has_value(e, setting) for e in places)
    return sound and order.ties != "impossible"


def _of(arguments: tuple[c.Expr, ...], binder: str) -> bool:
    """Whether the first owner is the given bound name."""
    return bool(arguments) and isinstance(arguments[0], c.Local) and arguments[0].name == binder


def _sorted(steps: list[c.Stmt], players: int) -> tuple[c.Stmt, ...]:
    """The steps with adjacent commuting ones in a fixed order."""
    ordered = [_Step(step) for step in steps]
    swapped = True
    while swapped:
        swapped = False
        for i in range(len(ordered) - 1):
            one, other = ordered[i : i + 2]
            if _commute(one, other, players) and one.text > other.text:
                ordered[i : i + 2] = other, one
                swapped = True
    return tuple(x.step for x in ordered)


class _Step:
    """A step to be put in order, with what decides whether it commutes with others."""

    def __init__(self, step: c.Stmt) -> None:
        self.step = step

    @cached_property
    def text(self) -> str:
        return repr(self.step)

    @cached_property
    def usage(self) -> Usage:
        return usage_of(self.step)

    @cached_property
    def only_sets(self) -> bool:
        return _is_made_of(self.step, _QUIET)

    @cached_property
    def moves(self) -> bool:
        return not self.only_sets and _is_made_of(self.step, _MOVING)

    @cached_property
    def looks_at_cards(self) -> bool:
        return any(isinstance(node, c.ZoneCards) for node in walk(self.step))


def _commute(one: _Step, other: _Step, players: int) -> bool:
    if not all(x.only_sets or x.moves for x in (one, other)) or (one.moves and other.moves):
        return False
    if (one.moves and other.looks_at_cards) or (other.moves and one.looks_at_cards):
        return False
    if one.usage.reads & other.usage.assigns or other.usage.reads & one.usage.assigns:
        return False
    return not one.usage.assigns & other.usage.assigns or _of_different_players(one.step, other.step, players)


def _is_made_of(step: c.Stmt, kinds: tuple[type, ...]) -> bool:
    return all(isinstance(node, kinds) or not isinstance(node, c.Stmt) for node in walk(step))


def _of_different_players(one: c.Stmt, other: c.Stmt, players: int) -> bool:
    """Whether both assign to players at different offsets from the same seat."""
    if not (isinstance(one, c.Assign) and isinstance(other, c.Assign) and one.arguments and other.arguments):
        return False
    (seat, offset), (base, further) = _seat(one.arguments[0]), _seat(other.arguments[0])
    return seat == base and (offset - further) % players != 0


def _seat(e: c.Expr) -> tuple[c.Expr, int]:
    if isinstance(e, c.Seat):
        base, offset = _seat(e.player)
        return base, offset + e.offset
    return e, 0
