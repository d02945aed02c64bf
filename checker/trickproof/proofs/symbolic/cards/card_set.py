"""A set of unknown cards, and the operations on such sets.

Each set is represented twice: as the cards in it (bits) and as the number in each suit (counts).
`card_theory.py` constructs the sets.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
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


Among: TypeAlias = Callable[[int, int], Int]
"""The number of cards of a suit that are in a mask."""


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
        self._all = (1 << self.width) - 1
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
        self._most_alike = max(Counter(zip(deck.card_suit, deck.card_rank, strict=True)).values())
        self._unions: dict[tuple[int, int], CardSet] = {}
        self._shared: dict[tuple[int, int], CardSet] = {}
        self._known: dict[int, CardSet] = {}
        self._chosen: dict[tuple[int, int, int], tuple[Bool, CardSet]] = {}
        """Sets by the identity of a condition, which is kept: the identity of a term that is gone may become another's."""
        self._of_ranks: dict[int, tuple[z3.BitVecRef, CardSet]] = {}
        self._extremes: dict[tuple[int, bool], tuple[z3.BitVecRef, z3.BitVecRef]] = {}
        self._known_parts: dict[tuple[int, int], CardSet] = {}
        self._matched: dict[tuple[int, int, bool], tuple[CardSet, list[tuple[CardSet, CardSet]]]] = {}
        self._counted: dict[int, Among] = {}
        """What determines the number of certain cards in a set, by the set's number."""
        self._bounded: dict[int, Among] = {}
        """What bounds it, for unknown sets."""
        self._classes: dict[tuple[int, int], list[tuple[int, Int]]] = {}

    def name(self) -> str:
        """A fresh name."""
        return f"{self.tag}.{next(self._names)}"

    def mask(self, cards: Iterable[int]) -> int:
        """The bit mask of known cards."""
        return sum(1 << self.position[card] for card in cards)

    def known(self, cards: Iterable[int]) -> CardSet:
        """The set of known cards: the same one for every request."""
        bits = self.mask(set(cards))
        if bits not in self._known:
            self._known[bits] = self._made(bits, tuple((bits & mask).bit_count() for mask in self.masks))
        return self._known[bits]

    def of_suits(self, cards: CardSet, conditions: Sequence[Bool]) -> CardSet:
        """The cards of those suits for which the condition holds."""
        bits: Bits = 0
        for mask, when in zip(self.masks, conditions, strict=True):
            bits = self._or(bits, self._if(when, mask, 0))
        bits = cards.bits & bits if isinstance(bits, int) else self._term(cards.bits) & bits
        counts = tuple(y.number(when, n) for n, when in zip(cards.counts, conditions, strict=True))
        these = self._made(bits, counts, cards.apart, cards.holders)
        self._counted[these.number] = lambda s, mask: y.number(conditions[s], self.among(cards, s, mask))
        return these

    def among(self, cards: CardSet, suit: int, mask: int) -> Int:
        """How many of the cards of a suit are in a mask, in counts."""
        mask &= self.masks[suit]
        if isinstance(cards.bits, int):
            return (cards.bits & mask).bit_count()
        if mask in (0, self.masks[suit]):
            return cards.counts[suit] if mask else 0
        if cards.made is not None:
            came, before, moved = cards.made
            change = self.among(moved, suit, mask)
            return self.among(before, suit, mask) + (change if came else -change)
        if cards.number in self._counted:
            return self._counted[cards.number](suit, mask)
        return self._in_class(cards, suit, mask)

    def _in_class(self, cards: CardSet, suit: int, mask: int) -> Int:
        """The same for an unknown set: its cards of a suit are divided into classes, each of which lies in the mask or outside."""
        classes: list[tuple[int, Int]] = []
        for whole, number in self._classes.get(
            (cards.number, suit), [(self.masks[suit], cards.counts[suit])]
        ):
            parts = [part for part in (whole & mask, whole & ~mask) if part]
            if len(parts) == 1:
                classes.append((whole, number))
                continue
            some = z3.Int(self.name())
            numbers = some, number - some
            mosts = [self._most(cards, suit, part) for part in parts]
            self._divided(number, numbers, mosts)
            classes += zip(parts, numbers, strict=True)
        self._classes[cards.number, suit] = classes
        return y.total(number for part, number in classes if not part & ~mask)

    def _most(self, cards: CardSet, suit: int, mask: int) -> list[Int]:
        """Bounds on how many of a set's cards are in a mask."""
        bound = self._bounded.get(cards.number)
        there = mask.bit_count() if bound is None else bound(suit, mask)
        return [there] if isinstance(there, int) else [mask.bit_count(), there]

    def _divided(self, number: Int, numbers: Sequence[Int], mosts: Sequence[Sequence[Int]]) -> None:
        """State how a number is divided, if it can be divided within the bounds at all."""
        possible = [y.compare("<=", number, one + other) for one in mosts[0] for other in mosts[1]]
        possible += [y.compare(">=", n, 0) for n in (number, *mosts[0], *mosts[1])]
        bounds = [
            y.compare("<=", n, most) for n, several in zip(numbers, mosts, strict=True) for most in several
        ]
        bounds += [y.compare(">=", n, 0) for n in numbers]
        self.count_facts.append(y.disj(y.neg(y.conj(*possible)), y.conj(*bounds)))

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
            if card.apart_from(other) and self._most_alike == 1:
                self._different(card, other, rank == self._rank_of[other.number])
        self._ranked.append(card)
        return rank

    def extreme_rank(self, cards: CardSet, highest: bool, known: bool) -> z3.BitVecRef:
        """The highest (lowest) rank in a set of cards, the same one for every request; not `known`: any number."""
        rank, bits = z3.BitVec(self.name(), RANK_BITS), self._term(cards.bits)
        if not known:
            return rank
        key = bits.get_id(), highest
        if key in self._extremes:
            return self._extremes[key][1]
        ways: list[Bool] = [bits == 0]
        for r in sorted(set(self.deck.card_rank)):
            there, beyond = (
                self.mask(x for x in range(self.width) if holds(self.deck.card_rank[x], r))
                for holds in (operator.eq, operator.gt if highest else operator.lt)
            )
            ways.append(z3.And(rank == r, bits & there != 0, bits & beyond == 0))
        self.bit_facts.append(z3.Or(*ways))
        self._extremes[key] = bits, rank
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
        return z3.BitVecVal(self._all, self.width)
