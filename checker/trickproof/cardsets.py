"""Sets of cards nobody has seen yet, told twice: which cards (bits) and how many of each suit (counts).

Every fact about a set is told in bits, in counts, or in both, and the two never meet in one question: what is counted
is decided in linear integers, what is compared in bit-vectors (together they do not come to an end).  Each half allows
at least what can happen, so that what one of them excludes cannot happen.  A single card is a set of at most one.
All facts can be satisfied whatever came before: they describe the new set and restrict nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import z3

from trickproof import symbols as y
from trickproof.symbols import Bool, Cases, Int, Symbol
from trickproof_dsl import core as c

RANK_BITS = 8
"""Wide enough for every rank, and its sign."""

Bits = Any
"""int or z3.BitVecRef: one bit a card, suit by suit, low cards first."""


@dataclass(frozen=True, eq=False, slots=True)
class CardSet:
    """`counts` by suit; what is known without asking is told by the numbers of other sets.

    It shares no card with those in `apart`, is part of those in `within` and holds those in `parts`.  `made` tells of a
    place what it was before cards came (True) or went (False), and which; `tops` the set whose highest it is made of.
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
        """The sets it is part of, itself among them."""
        return self.within | {self.number}

    def apart_from(self, other: CardSet) -> bool:
        """Whether it is known to share no card with another."""
        return bool(self.apart & other.holders or other.apart & self.holders)

    def part_of(self, whole: CardSet) -> bool:
        """Whether it is known to be part of another."""
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


class CardWorld:
    """Makes sets of the cards of a deck, and collects what is known about them."""

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
        self.none = self._made(0, (0,) * self.suits)
        self._named: dict[tuple[str, int], Any] = {}
        self._ranked: list[CardSet] = []
        self._no_doubles = len(set(zip(deck.card_suit, deck.card_rank, strict=True))) == self.width
        self._unions: dict[tuple[int, int], CardSet] = {}
        self._matched: dict[tuple[int, int, bool], tuple[CardSet, list[tuple[CardSet, CardSet]]]] = {}

    # ------------------------------------------------------------------------------------------ making

    def name(self) -> str:
        """A name nobody has used."""
        return f"{self.tag}.{next(self._names)}"

    def mask(self, cards: Iterable[int]) -> int:
        """The bits of known cards."""
        return sum(1 << self.position[card] for card in cards)

    def known(self, cards: Iterable[int]) -> CardSet:
        """A set that is known."""
        listed = list(cards)
        suits = [self.deck.card_suit[x] for x in listed]
        return self._made(self.mask(listed), tuple(suits.count(s) for s in range(self.suits)))

    def anything(self) -> CardSet:
        """A set that nothing is known about."""
        return self.part_of(self.known(range(self.width)))

    def part_of(self, whole: CardSet, size: Int = None, given: Bool = True) -> CardSet:
        """Some cards of a set; exactly `size` of them, if there are so many and the condition holds."""
        if whole.empty:
            return self.none
        name = self.name()
        made = z3.BitVec(name, self.width)
        self.bit_facts.append((made & ~self._term(whole.bits)) == 0)
        counts = self._unknown_counts(name)
        self._at_most(counts, whole.counts)
        part = self._made(made, counts, whole.apart, whole.holders)
        if size is not None:
            enough = y.conj(given, y.compare(">=", size, 0), y.compare("<=", size, self.size(whole)))
            self.count_facts.append(y.disj(y.neg(enough), y.compare("=", self.size(part), size)))
            if isinstance(size, int) and size == 1:
                some = y.conj(given, self._term(whole.bits) != 0)
                self.bit_facts.append(y.disj(y.neg(some), z3.And(made != 0, (made & (made - 1)) == 0)))
        return part

    def parts(self, names: Sequence[str]) -> list[CardSet]:
        """All cards, divided somehow into so many places."""
        made = [self.part_of(self.known(range(self.width))) for _ in names]
        seen: Any = z3.BitVecVal(0, self.width)
        for i, part in enumerate(made):
            made[i] = replace(part, apart=frozenset(other.number for other in made[:i]))
            self.bit_facts.append((seen & self._term(part.bits)) == 0)
            seen = seen | self._term(part.bits)
        self.bit_facts.append(seen == self._full())
        for s in range(self.suits):
            self.count_facts.append(z3.Sum(*(p.counts[s] for p in made)) == self.masks[s].bit_count())
        return made

    # -------------------------------------------------------------------------------------- operations

    def moved_in(self, there: CardSet, cards: CardSet) -> CardSet:
        """A place after cards came that were not there."""
        if cards.empty:
            return there
        if there.empty:
            return cards
        sums = tuple(a + b for a, b in zip(there.counts, cards.counts, strict=True))
        return replace(self._made(self._or(there.bits, cards.bits), sums), made=(True, there, cards))

    def moved_out(self, there: CardSet, cards: CardSet) -> CardSet:
        """A place after cards went that were there."""
        if there is cards:
            return self.none
        if cards.empty:
            return there
        left = tuple(a - b for a, b in zip(there.counts, cards.counts, strict=True))
        rest = self._made(
            self._and_not(there.bits, cards.bits), left, there.apart | {cards.number}, there.holders
        )
        return replace(rest, made=(False, there, cards))

    def union(self, left: CardSet, right: CardSet) -> CardSet:
        """The cards of both."""
        if left.empty or right.empty:
            return right if left.empty else left
        key = (left.number, right.number)
        if key not in self._unions:
            made = self.moved_in(left, right) if left.apart_from(right) else self._union(left, right)
            parts = left.parts | right.parts | {left.number, right.number}
            self._unions[key] = replace(made, apart=left.apart & right.apart, parts=parts)
        return self._unions[key]

    def _union(self, left: CardSet, right: CardSet) -> CardSet:
        counts = self._unknown_counts(self.name())
        for n, a, b in zip(counts, left.counts, right.counts, strict=True):
            sound = y.conj(y.compare(">=", a, 0), y.compare(">=", b, 0))
            self.count_facts.append(y.disj(y.neg(sound), z3.And(n >= a, n >= b, n <= a + b)))
        return self._made(self._or(left.bits, right.bits), counts)

    def without(self, left: CardSet, right: CardSet) -> CardSet:
        """The cards of the first that are not in the second."""
        if left.empty or right.empty or left.apart_from(right):
            return left
        made = self._named_part(self._and_not(left.bits, right.bits), left)
        for n, a, b in zip(made.counts, left.counts, right.counts, strict=True):
            self.count_facts.append(y.disj(y.compare("<", b, 0), n >= a - b))
        return replace(made, apart=left.apart | {right.number}, within=left.holders)

    def both(self, left: CardSet, right: CardSet) -> CardSet:
        """The cards that are in both."""
        if left.empty or right.empty:
            return self.none
        made = self._named_part(self._term(left.bits) & self._term(right.bits), left)
        for n, b in zip(made.counts, right.counts, strict=True):
            self.count_facts.append(y.disj(y.compare("<", b, 0), n <= b))
        return replace(made, apart=left.apart | right.apart, within=left.holders | right.holders)

    def of_suits(self, cards: CardSet, wanted: Sequence[Bool]) -> CardSet:
        """The cards of the suits for which a condition holds."""
        bits: Bits = 0
        for mask, when in zip(self.masks, wanted, strict=True):
            bits = self._or(bits, self._if(when, mask, 0))
        bits = cards.bits & bits if isinstance(bits, int) else self._term(cards.bits) & bits
        counts = tuple(y.number(when, n) for n, when in zip(cards.counts, wanted, strict=True))
        return self._made(bits, counts, cards.apart, cards.holders)

    def choose(self, condition: Bool, then: CardSet, otherwise: CardSet) -> CardSet:
        """One of two sets."""
        if isinstance(condition, bool) or then is otherwise:
            return then if condition is not False else otherwise
        counts = tuple(y.choose(condition, a, b) for a, b in zip(then.counts, otherwise.counts, strict=True))
        apart, within = then.apart & otherwise.apart, then.holders & otherwise.holders
        return self._made(self._if(condition, then.bits, otherwise.bits), counts, apart, within)

    def matching(self, operand: CardSet, pattern: CardSet, highest: bool) -> CardSet:
        """Suit by suit as many of the highest (lowest) as the pattern has, or all."""
        if operand.empty or pattern.empty:
            return self.none
        bits = z3.BitVec(self.name(), self.width)
        counts = tuple(
            y.choose(y.compare("<=", b, a), b, a) for a, b in zip(operand.counts, pattern.counts, strict=True)
        )
        mine = self._term(operand.bits)
        self.bit_facts.append((bits & ~mine) == 0)
        self.bit_facts += [
            self.above(bits & mask, mine & ~bits & mask, highest) for mask in self.masks if mask
        ]
        made = self._made(bits, counts, operand.apart, operand.holders)
        return replace(made, tops=operand.number if highest else None)

    def answering(self, operand: CardSet, pattern: CardSet, highest: bool, part: CardSet) -> CardSet:
        """Of the cards `matching` a pattern those that go with a part of it; apart from what goes with other parts."""
        if part.empty or pattern.empty or operand.empty:
            return self.none
        key = (operand.number, pattern.number, highest)
        if key not in self._matched:
            self._matched[key] = self.matching(operand, pattern, highest), []
        whole, others = self._matched[key]
        made = self.part_of(whole)
        there = part if part.number in {pattern.number, *pattern.parts} else self.both(pattern, part)
        for n, mine, theirs, wanted in zip(
            made.counts, operand.counts, pattern.counts, there.counts, strict=True
        ):
            self.count_facts.append(y.disj(y.compare("<", mine, theirs), y.compare("=", n, wanted)))
        for other, answer in others:
            shared = self._term(part.bits) & self._term(other.bits)
            self.bit_facts.append(z3.Or(shared != 0, (self._term(made.bits) & self._term(answer.bits)) == 0))
        made = replace(
            made, apart=made.apart | {answer.number for other, answer in others if part.apart_from(other)}
        )
        others.append((part, made))
        parts, answers = self.none.bits, self.none.bits
        for one, answer in others:
            parts, answers = self._or(parts, one.bits), self._or(answers, answer.bits)
        every = (self._term(pattern.bits) & ~self._term(parts)) == 0
        self.bit_facts.append(z3.Implies(every, (self._term(whole.bits) & ~self._term(answers)) == 0))
        return made

    def best(self, cards: CardSet, alone_in_suit: bool) -> CardSet:
        """Cards that are best in some way; `alone_in_suit` if no two of one suit can be."""
        made = self.part_of(cards)
        self.count_facts.append(y.disj(y.compare("<=", self.size(cards), 0), self.size(made) >= 1))
        some = z3.And(self._term(cards.bits) != 0, self._term(made.bits) == 0)
        self.bit_facts.append(z3.Not(some))
        if alone_in_suit:
            self.count_facts += [n <= 1 for n in made.counts if not isinstance(n, int)]
        return made

    # --------------------------------------------------------------------------------------- questions

    def above(self, kept: Bits, rest: Bits, highest: bool) -> Bool:
        """Within one suit no card of the rest is higher (lower) than one that is kept."""
        low, high = (kept, rest) if highest else (rest, kept)
        lowest = low & -low
        return z3.Or(kept == 0, rest == 0, z3.ULT(high, lowest))

    def size(self, cards: CardSet) -> Int:
        """How many."""
        if ("size", cards.number) not in self._named:
            self._named["size", cards.number] = y.total(cards.counts)
        return self._named["size", cards.number]

    def some(self, cards: CardSet) -> Bool:
        """Whether there is one: a name with the same meaning in both halves."""
        if isinstance(cards.bits, int):
            return cards.bits != 0
        if ("some", cards.number) not in self._named:
            named = z3.Bool(self.name())
            self.bit_facts.append(named == (cards.bits != 0))
            self.count_facts.append(named == (self.size(cards) > 0))
            self._named["some", cards.number] = named
        return self._named["some", cards.number]

    def suit_of(self, card: CardSet) -> Symbol:
        """The suit of a single card; None if there is none."""
        if ("suit", card.number) not in self._named:
            self._named["suit", card.number] = self._suit_of(card)
        return self._named["suit", card.number]

    def _suit_of(self, card: CardSet) -> Symbol:
        suits = range(self.suits)
        alternatives: list[tuple[int | None, Bool]] = []
        for s in suits:
            only = self.of_suits(card, [s == other for other in suits])
            alternatives.append((s, self.some(only)))
        alternatives.append((None, y.neg(self.some(card))))
        return y.made_cases(alternatives)

    def rank_of(self, card: CardSet) -> Any:
        """The rank of a single card: a number, or a bit-vector that is compared like one."""
        if isinstance(card.bits, int):
            held = [x for x in range(self.width) if card.bits >> self.position[x] & 1]
            return self.deck.card_rank[held[0]] if held else -1
        if ("rank", card.number) not in self._named:
            self._named["rank", card.number] = self._rank_of(card)
        return self._named["rank", card.number]

    def _rank_of(self, card: CardSet) -> Any:
        rank = z3.BitVec(self.name(), RANK_BITS)
        ranks = sorted(set(self.deck.card_rank))
        told: Any = z3.BitVecVal(ranks[0], RANK_BITS)
        for r in ranks[1:]:
            mask = self.mask(x for x in range(self.width) if self.deck.card_rank[x] == r)
            told = z3.If((card.bits & mask) != 0, z3.BitVecVal(r, RANK_BITS), told)
        self.bit_facts.append(rank == told)
        for other in self._ranked:
            if card.apart_from(other) and self._no_doubles:
                self._different(card, other, rank == self._named["rank", other.number])
        self._ranked.append(card)
        return rank

    def _different(self, card: CardSet, other: CardSet, alike: Bool) -> None:
        """Two cards that are not the same differ in suit or rank."""
        one = y.conj(self._single(card), self._single(other))
        suits = [dict(y.cases(self.suit_of(x)).of) for x in (card, other)]
        both = y.disj(*(y.conj(suits[0].get(s, False), suits[1].get(s, False)) for s in range(self.suits)))
        fact = y.neg(y.conj(one, both, alike))
        self.bit_facts.append(fact)
        self.count_facts.append(fact)

    def _single(self, cards: CardSet) -> Bool:
        """Whether there is exactly one: a name with the same meaning in both halves."""
        if ("single", cards.number) not in self._named:
            named = z3.Bool(self.name())
            self.bit_facts.append(named == y.neg(self.not_single(cards)))
            self.count_facts.append(named == y.compare("=", self.size(cards), 1))
            self._named["single", cards.number] = named
        return self._named["single", cards.number]

    def surpassed(self, cards: CardSet, others: CardSet) -> Bool:
        """Whether, within a suit, one of the others is higher than one of the cards."""
        if cards.empty or others.empty:
            return False
        if cards.tops in others.holders and others.apart_from(cards):
            return False
        mine, theirs = self._term(cards.bits), self._term(others.bits)
        return z3.Not(z3.And(*(self.above(mine & m, theirs & ~mine & m, True) for m in self.masks if m)))

    def not_single(self, cards: CardSet) -> Bool:
        """Whether there is not exactly one card, as far as the bits tell."""
        if isinstance(cards.bits, int):
            return cards.bits.bit_count() != 1
        return z3.Or(cards.bits == 0, (cards.bits & (cards.bits - 1)) != 0)

    def outside(self, cards: CardSet, whole: CardSet) -> Bool:
        """Whether some of the cards are not in the whole; only the bits can tell."""
        if cards.part_of(whole):
            return False
        return z3.simplify((self._term(cards.bits) & ~self._term(whole.bits)) != 0)

    def equal(self, left: CardSet, right: CardSet) -> Bool:
        """Whether both are the same set."""
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

    def as_cases(self, card: CardSet) -> Cases:
        """A single card as one of all cards, or none."""
        bits = self._term(card.bits)
        found: list[tuple[int | None, Bool]] = []
        for x in range(self.width):
            place = self.position[x]
            found.append((x, z3.Extract(place, place, bits) == 1))
        return Cases((*found, (None, y.neg(self.some(card)))))

    # --------------------------------------------------------------------------------------------- bits

    def _made(
        self,
        bits: Bits,
        counts: tuple[Int, ...],
        apart: frozenset[int] = frozenset(),
        within: frozenset[int] = frozenset(),
    ) -> CardSet:
        return CardSet(bits, counts, next(self._numbers), apart, within)

    def _named_part(self, bits: Bits, whole: CardSet) -> CardSet:
        """A part of a set with known bits and unknown counts."""
        counts = self._unknown_counts(self.name())
        self._at_most(counts, whole.counts)
        return self._made(bits, counts)

    def _at_most(self, counts: Sequence[Int], most: Sequence[Int]) -> None:
        for n, m in zip(counts, most, strict=True):
            self.count_facts += [n >= 0, y.disj(y.compare("<", m, 0), n <= m)]

    def _unknown_counts(self, name: str) -> tuple[Int, ...]:
        return tuple(z3.Int(f"{name}.{s}") for s in range(self.suits))

    def _full(self) -> z3.BitVecRef:
        return z3.BitVecVal((1 << self.width) - 1, self.width)

    def _term(self, bits: Bits) -> Any:
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
