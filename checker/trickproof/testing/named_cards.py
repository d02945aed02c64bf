"""Deals in which the cards that the rules single out are together.

A rule about four aces takes effect only if some player holds them. A condition on nothing but a card (`cards
in discards with rank = ace`), and a suit that somebody chooses, selects some cards of the deck. These go to one
player, or to all the others, and are the first to be discarded or put down; that suit is chosen; the play itself is
random.  A rule about many trumps takes effect only
if some player holds them: most of a suit, or all of it, goes to one player, is kept, and becomes trump where a
suit is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from trickproof.testing.random_play import pick
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.expressions import value_in
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.machine import initial
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import Key, Value

MATCHES = 48
"""Maximum number of matches with named cards together, and of deals in each."""
HANDS = 3

CLOSED = (
    c.Literal,
    c.Parameter,
    c.Local,
    c.Compare,
    c.Logic,
    c.Not,
    c.Conditional,
    c.CardAttribute,
    c.Arithmetic,
)
"""The expressions that a condition on a card alone may consist of."""


class Named(NamedTuple):
    """Cards that a condition selects, and the suit that has to be chosen for that, if any."""

    cards: frozenset[int]
    suit: int | None = None


def named_cards(program: c.Program) -> tuple[Named, ...]:
    """The proper, non-empty subsets of the deck that conditions of rules and invariants select."""
    every, chosen = range(len(program.deck.cards)), _chosen_suits(program)
    sets: dict[Named, None] = {}
    stated = (claim.condition for claim in program.invariants.values())
    for node in walk(*program.phases, *stated):
        if not (isinstance(node, c.Filter | c.Exists) and node.domain.type == c.CARDS):
            continue
        suits = _on_card_alone(node, chosen)
        for suit in () if suits is None else range(len(program.deck.suits)) if suits else (None,):
            given: dict[Key, Value] = {(name,): suit for name in suits or ()}
            cards = frozenset(card for card in every if _holds(program, node, card, given))
            if 0 < len(cards) < len(every):
                sets.setdefault(Named(cards, suit))
    return tuple(sets)


def _chosen_suits(program: c.Program) -> frozenset[str]:
    """The variables that are set to a suit which a player chooses."""
    steps = list(walk(*program.phases))
    binders = {step.binder for step in steps if isinstance(step, c.ChooseValue) and step.value_type == c.SUIT}
    return frozenset(
        step.variable
        for step in steps
        if isinstance(step, c.Assign) and isinstance(step.value, c.Local) and step.value.name in binders
    )


def _on_card_alone(node: c.Filter | c.Exists, chosen: frozenset[str]) -> frozenset[str] | None:
    """The chosen suit that a condition on a card looks at besides, at most one; None if it looks at anything else."""
    inside = list(walk(node.condition))
    suits = frozenset(e.name for e in inside if isinstance(e, c.Variable) and not e.arguments)
    names = {e.name for e in inside if isinstance(e, c.Local)}
    alone = all(isinstance(e, CLOSED) or (isinstance(e, c.Variable) and e.name in suits) for e in inside)
    return suits if names == {node.binder} and alone and suits <= chosen and len(suits) < 2 else None


def _holds(program: c.Program, node: c.Filter | c.Exists, card: int, given: Mapping[Key, Value]) -> bool:
    state = initial(program)
    try:
        known = state.but(variables={**state.variables, **given})
        return bool(value_in(known, node.condition, {node.binder: card}))
    except (FaultError, EngineLimitError):
        return False


class NamedCardsMatch:
    """One match in which cards that the rules name are dealt to one player, or kept away from that player."""

    def __init__(self, program: c.Program, number: int, sets: Sequence[Named]) -> None:
        self.program, self.rng = program, Random(f"named {number}")
        some = [one for one in sets if self.rng.random() < 0.5] or [sets[number % len(sets)]]
        self.suit = next((one.suit for one in some if one.suit is not None), None)
        self.cards = frozenset[int]().union(*(one.cards for one in some if one.suit in (None, self.suit)))
        self.apart = number % 3 == 2

    def given(self, dealt: Mapping[Key, tuple[int, ...]]) -> dict[Key, tuple[int, ...]]:
        """Cards for the zones of a deal, as many for each."""
        hands = sorted(place for place in dealt if place[0] == "hand")
        mine = hands[self.rng.randrange(len(hands))] if hands else next(iter(dealt), None)
        cards = list(range(len(self.program.deck.cards)))
        self.rng.shuffle(cards)
        cards.sort(key=lambda card: (card in self.cards) == self.apart)
        given: dict[Key, tuple[int, ...]] = {}
        if mine is not None:
            given[mine], cards = tuple(cards[: len(dealt[mine])]), cards[len(dealt[mine]) :]
        self.rng.shuffle(cards)
        for place in sorted(dealt.keys() - given.keys()):
            given[place], cards = tuple(cards[: len(dealt[place])]), cards[len(dealt[place]) :]
        return given

    def chosen(self, _: StateView, decision: Decision) -> Value:
        """Choose the suit, and the cards that come first; everything else is random."""
        if decision.type == c.SUIT and self.suit in decision.legal:
            return self.suit
        if decision.type != c.CARDS or decision.label == "play" or self.rng.random() < 0.1:
            return pick(decision, self.rng)
        cards = sorted(decision.legal, key=lambda card: (self.last(card, decision), self.rng.random()))
        return frozenset(cards[: decision.high])

    def last(self, card: int, decision: Decision) -> bool:
        """Whether a card comes last: named cards are put down first and given away last."""
        return (card in self.cards) == (decision.to is not None)


class LongSuitMatch(NamedCardsMatch):
    """One match in which one player is dealt more than half of a suit and keeps it, and everybody names that suit."""

    def __init__(self, program: c.Program, number: int) -> None:  # the base class draws other cards
        rng, deck = Random(f"long suit {number}"), program.deck
        self.suit = rng.randrange(len(deck.suits))
        cards = [card for card in range(len(deck.cards)) if deck.card_suit[card] == self.suit]
        chosen = rng.sample(cards, rng.randint(len(cards) // 2 + 1, len(cards))) if cards else []
        self.program, self.rng, self.cards, self.apart = program, rng, frozenset(chosen), False

    def last(self, card: int, decision: Decision) -> bool:
        """Whether a card comes last: other cards than those of the suit are put down and given away first."""
        return card in self.cards
