"""A set of unknown cards, and the operations on such sets.

Each set is represented twice: as the cards in it (bits) and as the number in each suit (counts).
`card_theory.py` constructs the sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

import z3

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, CardSymbol, Finite, Int, Number
from trickproof_dsl import core as c

RANK_BITS = 8
"""Wide enough for every rank and a sign bit."""

Bits: TypeAlias = int | z3.BitVecRef
"""One bit per card, ordered by suit, low cards first."""


@dataclass(frozen=True, eq=False, slots=True)
class CardSet(CardSymbol):
    """A set with `counts` by suit; relations known without a query are recorded by the numbers of other sets.

    The set is disjoint from those in `apart`, a subset of those in `within`, and a superset of those in
    `parts`. For a zone, `made` records whether cards came (True) or went (False), the set before, and the
    cards moved; `tops` is the set whose highest cards make it up.
    """

    bits: Bits
    counts: tuple[Int, ...]
    number: int
    apart: frozenset[int] = field(default=frozenset())
    within: frozenset[int] = field(default=frozenset())
    parts: frozenset[int] = field(default=frozenset())
    made: tuple[bool, CardSet, CardSet] | None = None
    tops: int | None = None

    @property
    def holders(self) -> frozenset[int]:
        """The sets of which it is known to be a subset, including itself."""
        return self.within | {self.number}

    def apart_from(self, other: CardSet) -> bool:
        """Whether it is known to be disjoint from another set."""
        return bool(self.apart & other.holders or other.apart & self.holders)

    def part_of(self, whole: CardSet) -> bool:
        """Whether it is known to be a subset of another set."""
        if whole.number in self.holders or self.empty:
            return True
        if whole.made is None:
            return False
        came, before, moved = whole.made
        if came and self.part_of(moved):
            return True
        return self.part_of(before) and (came or self.apart_from(moved))

    @property
    def empty(self) -> bool:
        """Whether it is known to be empty."""
        return isinstance(self.bits, int) and self.bits == 0


class CardFacts:
    """What is known about sets of cards of a deck, in bits and in counts, and predicates over them."""

    def __init__(self, deck: c.Deck, tag: str) -> None:
        self.deck, self.tag = deck, tag
        self.width, self.suits = len(deck.cards), len(deck.suits)
        order = sorted(range(self.width), key=lambda x: (deck.card_suit[x], deck.card_rank[x]))
        self.position = {card: place for place, card in enumerate(order)}
        self.order = order
        self.masks = [self.mask(x for x in order if deck.card_suit[x] == s) for s in range(self.suits)]
        self.bit_facts: list[Bool] = []
        self.count_facts: list[Bool] = []
        self._names, self._numbers = count(1), count(1)
        self.sizes: dict[int, int] = {}
        self.none = self._made(0, (0,) * self.suits)
        self._size_of: dict[int, Int] = {}
        self._some_of: dict[int, Bool] = {}
        self._single_of: dict[int, Bool] = {}
        self._suit_of: dict[int, Finite] = {}
        self._rank_of: dict[int, z3.BitVecRef] = {}
        self._ranked: list[CardSet] = []
        self._no_doubles = len(set(zip(deck.card_suit, deck.card_rank, strict=True))) == self.width
        self._unions: dict[tuple[int, int], CardSet] = {}
        self._shared: dict[tuple[int, int], CardSet] = {}
        self._matched: dict[tuple[int, int, bool], tuple[CardSet, list[tuple[CardSet, CardSet]]]] = {}

    def name(self) -> str:
        """A fresh name."""
        return f"{self.tag}.{next(self._names)}"

    def mask(self, cards: Iterable[int]) -> int:
        """The bit mask of known cards."""
        return sum(1 << self.position[card] for card in cards)

    def known(self, cards: Iterable[int]) -> CardSet:
        """The set of known cards."""
        listed = list(cards)
        suits = [self.deck.card_suit[x] for x in listed]
        return self._made(self.mask(listed), tuple(suits.count(s) for s in range(self.suits)))

    def of_suits(self, cards: CardSet, conditions: Sequence[Bool]) -> CardSet:
        """The cards of those suits for which the condition holds."""
        bits: Bits = 0
        for mask, when in zip(self.masks, conditions, strict=True):
            bits = self._or(bits, self._if(when, mask, 0))
        bits = cards.bits & bits if isinstance(bits, int) else self._term(cards.bits) & bits
        counts = tuple(y.number(when, n) for n, when in zip(cards.counts, conditions, strict=True))
        return self._made(bits, counts, cards.apart, cards.holders)

    def number_of(self, cards: CardSet) -> int | None:
        """The number of cards if it is known without a query, computed from the moves that made the set; otherwise None."""
        if isinstance(cards.bits, int):
            return cards.bits.bit_count()
        if cards.made is None:
            return self.sizes.get(cards.number)
        came, before, moved = cards.made
        known, change = self.number_of(before), self.number_of(moved)
        return None if known is None or change is None else known + (change if came else -change)

    def each_above(self, part: z3.BitVecRef, rest: z3.BitVecRef, highest: bool) -> list[Bool]:
        """For each suit, that no card in `rest` is higher (lower) than a card in `part`."""
        conditions: list[Bool] = []
        for mask in self.masks:
            if mask:  # the cards of a suit are adjacent
                last, first = mask.bit_length() - 1, (mask & -mask).bit_length() - 1
                mine, others = z3.Extract(last, first, part), z3.Extract(last, first, rest)
                low, high = (mine, others) if highest else (others, mine)
                conditions.append(z3.Or(mine == 0, others == 0, z3.ULT(high, low & -low)))
        return conditions

    def size(self, cards: CardSet) -> Int:
        """The number of cards."""
        if cards.number not in self._size_of:
            self._size_of[cards.number] = y.total(cards.counts)
        return self._size_of[cards.number]

    def some(self, cards: CardSet) -> Bool:
        """Whether the set is non-empty: a Boolean shared by both abstractions."""
        if isinstance(cards.bits, int):
            return cards.bits != 0
        if cards.number not in self._some_of:
            named = z3.Bool(self.name())
            self.bit_facts.append(named == (cards.bits != 0))
            self.count_facts.append(named == y.compare(">", self.size(cards), 0))
            self._some_of[cards.number] = named
        return self._some_of[cards.number]

    def suit_of(self, card: CardSet) -> Finite:
        """The suit of a single card; None if the set is empty."""
        if card.number not in self._suit_of:
            self._suit_of[card.number] = self._new_suit(card)
        return self._suit_of[card.number]

    def _new_suit(self, card: CardSet) -> Finite:
        suits = range(self.suits)
        alternatives: list[tuple[int | None, Bool]] = []
        for s in suits:
            only = self.of_suits(card, [s == other for other in suits])
            alternatives.append((s, self.some(only)))
        alternatives.append((None, y.neg(self.some(card))))
        return y.plain_cases(alternatives)

    def rank_of(self, card: CardSet) -> Number:
        """The rank of a single card: a number, or a bit-vector that compares like one."""
        if isinstance(card.bits, int):
            held = [x for x in range(self.width) if card.bits >> self.position[x] & 1]
            return self.deck.card_rank[held[0]] if held else -1
        if card.number not in self._rank_of:
            self._rank_of[card.number] = self._new_rank(card)
        return self._rank_of[card.number]

    def _new_rank(self, card: CardSet) -> z3.BitVecRef:
        rank = z3.BitVec(self.name(), RANK_BITS)
        ranks = sorted(set(self.deck.card_rank))
        rank_of_bits: z3.BitVecRef = z3.BitVecVal(ranks[0], RANK_BITS)
        for r in ranks[1:]:
            mask = self.mask(x for x in range(self.width) if self.deck.card_rank[x] == r)
            rank_of_bits = z3.If((card.bits & mask) != 0, z3.BitVecVal(r, RANK_BITS), rank_of_bits)
        self.bit_facts.append(rank == rank_of_bits)
        for other in self._ranked:
            if card.apart_from(other) and self._no_doubles:
                self._different(card, other, rank == self._rank_of[other.number])
        self._ranked.append(card)
        return rank

    def _different(self, card: CardSet, other: CardSet, alike: Bool) -> None:
        """Two distinct cards differ in suit or rank."""
        one = y.conj(self._single(card), self._single(other))
        suits = [dict(y.cases(self.suit_of(x)).of) for x in (card, other)]
        both = y.disj(*(y.conj(suits[0].get(s, False), suits[1].get(s, False)) for s in range(self.suits)))
        fact = y.neg(y.conj(one, both, alike))
        self.bit_facts.append(fact)
        self.count_facts.append(fact)

    def _single(self, cards: CardSet) -> Bool:
        """Whether there is exactly one card: a Boolean shared by both abstractions."""
        if cards.number not in self._single_of:
            named = z3.Bool(self.name())
            self.bit_facts.append(named == y.neg(self.not_single(cards)))
            self.count_facts.append(named == y.compare("=", self.size(cards), 1))
            self._single_of[cards.number] = named
        return self._single_of[cards.number]

    def surpassed(self, cards: CardSet, others: CardSet) -> Bool:
        """Whether, within a suit, some card of `others` is higher than some card of `cards`."""
        if cards.empty or others.empty:
            return False
        if cards.tops in others.holders and others.apart_from(cards):
            return False
        mine, theirs = self._term(cards.bits), self._term(others.bits)
        return z3.Not(z3.And(*self.each_above(mine, theirs & ~mine, True)))

    def not_single(self, cards: CardSet) -> Bool:
        """Whether there is not exactly one card, in terms of bits."""
        if isinstance(cards.bits, int):
            return cards.bits.bit_count() != 1
        return z3.Or(cards.bits == 0, (cards.bits & (cards.bits - 1)) != 0)

    def outside(self, cards: CardSet, whole: CardSet) -> Bool:
        """Whether some of the cards are not in `whole`; only bits can tell."""
        if cards.part_of(whole):
            return False
        return z3.simplify((self._term(cards.bits) & ~self._term(whole.bits)) != 0)

    def equal(self, left: CardSet, right: CardSet) -> Bool:
        """Whether both sets are equal."""
        if isinstance(left.bits, int) and isinstance(right.bits, int):
            return left.bits == right.bits
        if left.empty or right.empty:
            return y.neg(self.some(right if left.empty else left))
        named = z3.Bool(self.name())
        self.bit_facts.append(named == (self._term(left.bits) == self._term(right.bits)))
        same = [a == b for a, b in zip(left.counts, right.counts, strict=True)]
        self.count_facts.append(
            z3.Implies(named, z3.And(*(z3.BoolVal(x) if isinstance(x, bool) else x for x in same)))
        )
        return named

    def _made(
        self,
        bits: Bits,
        counts: tuple[Int, ...],
        apart: frozenset[int] = frozenset(),
        within: frozenset[int] = frozenset(),
    ) -> CardSet:
        return CardSet(bits, counts, next(self._numbers), apart, within)

    def _term(self, bits: Bits) -> z3.BitVecRef:
        return z3.BitVecVal(bits, self.width) if isinstance(bits, int) else bits

    def _or(self, left: Bits, right: Bits) -> Bits:
        if isinstance(left, int) and isinstance(right, int):
            return left | right
        return self._term(left) | self._term(right)

    def _and_not(self, left: Bits, right: Bits) -> Bits:
        if isinstance(left, int) and isinstance(right, int):
            return left & ~right
        return self._term(left) & ~self._term(right)

    def _if(self, condition: Bool, then: Bits, otherwise: Bits) -> Bits:
        if isinstance(condition, bool):
            return then if condition else otherwise
        return z3.If(condition, self._term(then), self._term(otherwise))

    def _full(self) -> z3.BitVecRef:
        return z3.BitVecVal((1 << self.width) - 1, self.width)
