"""Chance as an additional player: every deal is a choice, so that all deals can be enumerated.

A shuffled deck has no order until cards are dealt from it; one that was never shuffled, or that cards were
put under, has. The variable `RANDOM` holds the cards whose order is still undetermined: they are on top, and
dealing them is a choice labelled `DEALT`. Cards may be dealt between two deals, when variables still have the values of
the last one; so all are carried, and `reset` forgets what is not once the next deal can begin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, count
from typing import Any, TypeVar

from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import mapped
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import Fault
from trickproof_dsl.semantics.state import State as Reference
from trickproof_dsl.semantics.values import DECK, Value, owner_keys, uncarried

RANDOM = "#random"
DEALT = "#dealt"
SHUFFLED = "#shuffled"

Either = TypeVar("Either", State, Reference)
"""A state of either engine."""


def with_nature(program: c.Program) -> c.Program:
    """The program with deals as choices and every variable carried, otherwise unchanged."""
    numbers = count()

    def change(node: Any) -> Any:
        match node:
            case c.Shuffle():
                return _shuffle(program, node)
            case c.Deal():
                return _deal(node, f"{DEALT}.{next(numbers)}")
            case c.Move() if node.source.zone == DECK:
                return c.InRule(RANDOM, (_no_longer_random(node.cards, node), node), node.span)
        return None

    variables = {name: replace(info, carried=True) for name, info in program.variables.items()}
    variables[RANDOM] = c.VariableInfo(RANDOM, c.CARDS, (), True, ())
    return replace(
        program,
        variables=variables,
        setup=mapped(program.setup, change),
        hand=mapped(program.hand, change),
        between=mapped(program.between, change),
    )


def _random(at: Any) -> c.Expr:
    return c.Variable(RANDOM, (), c.CARDS, at.span)


def _deck(at: Any) -> c.Expr:
    return c.ZoneCards(DECK, (), c.CARDS, at.span)


def _no_longer_random(cards: c.Expr, at: Any) -> c.Stmt:
    return c.Assign(RANDOM, (), c.SetOperation("-", _random(at), cards, c.CARDS, at.span), at.span)


def _shuffle(program: c.Program, at: c.Shuffle) -> c.Stmt:
    """Move every card to the deck, with unknown order."""
    deck = c.Place(DECK, (), at.span)
    moves: list[c.Stmt] = []
    for name, zone in program.zones.items():
        for owners in owner_keys(program, zone.of) if name != DECK else ():
            whose = tuple(c.Literal(kind, i, at.span) for i, kind in zip(owners, zone.of, strict=True))
            cards = c.ZoneCards(name, whose, c.CARDS, at.span)
            moves.append(
                c.Move(SHUFFLED, None, cards, c.Place(name, whose, at.span), deck, None, False, at.span)
            )
    everything = c.Assign(RANDOM, (), c.Universe(c.CARDS, at.span), at.span)
    return c.InRule(SHUFFLED, (*moves, everything), at.span)


def _deal(t: c.Deal, binder: str) -> c.Stmt:
    """A choice among the cards that may be on top; the rest of the deck is dealt without a choice."""
    deck = c.Place(DECK, (), t.span)
    if t.count is None:
        move = c.Move(DEALT, None, _deck(t), deck, t.to, None, False, t.span)
        return c.InRule(DEALT, (move, _no_longer_random(_random(t), t)), t.span)
    nature = c.Literal(c.PLAYER, 0, t.span)
    choice = c.ChooseCards(
        DEALT, nature, binder, _deck(t), t.count, t.count, None, None, True, False, DEALT, t.span
    )
    dealt = c.Local(binder, c.CARDS, t.span)
    move = c.Move(DEALT, None, dealt, deck, t.to, None, False, t.span)
    return c.InRule(DEALT, (choice, move, _no_longer_random(dealt, t)), t.span)


def deals(state: State, decision: Decision) -> Iterator[frozenset[int]]:
    """The possible deals: any of the cards of undetermined order, then those below in their order."""
    random, deck = state.variable(RANDOM), state.cards(DECK)
    on_top = [card for card in deck if card in random]
    below = [card for card in deck if card not in random]
    if decision.low <= len(on_top):
        yield from map(frozenset, combinations(on_top, decision.low))
    else:
        yield frozenset(on_top + below[: decision.low - len(on_top)])


def choices(state: State, decision: Decision) -> Iterator[Value]:
    """All choices of chance or of a player."""
    if decision.label == DEALT:
        yield from deals(state, decision)
    elif decision.of_cards:
        for number in range(decision.low, decision.high + 1):
            yield from map(frozenset, combinations(decision.legal, number))
    else:
        yield from decision.legal


def reset(program: c.Program, state: Either) -> Either:
    """The state after the steps between hands of a program with chance as a player, when variables that are not carried are reset."""
    goes_on = state.decision is None and state.fault is None and not state.match_over
    return state.but(variables=uncarried(program)) if goes_on else state


def as_fault_of_deal(fault: Fault) -> Fault:
    """The corresponding fault of the original program."""
    if fault.label == DEALT:
        return Fault("deck-empty", "more cards are dealt than are there", fault.span)
    return fault
