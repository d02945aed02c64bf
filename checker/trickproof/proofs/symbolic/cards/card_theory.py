"""Sets of unknown cards under two abstractions: which cards (bits) and how many of each suit (counts).

Facts about a set are stated in bits, in counts, or in both, and the two are never combined in one query:
cardinalities go to linear integer arithmetic, comparisons to bit-vectors (z3 does not terminate on the
combination). Each abstraction over-approximates, so what either one excludes cannot happen. A single card is
a set of at most one. New facts are always satisfiable: they describe the new set and restrict nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import z3

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Int
from trickproof.proofs.symbolic.cards.card_set import Bits, CardFacts, CardSet


class CardWorld(CardFacts):
    """Constructs sets of cards of a deck and collects the facts about them."""

    def anything(self) -> CardSet:
        """A completely unknown set."""
        return self.part_of(self.known(range(self.width)))

    def part_of(
        self, whole: CardSet, size: Int | None = None, given: Bool = True, alike: bool = False
    ) -> CardSet:
        """An unknown subset; of exactly `size` cards, if that many exist and `given` holds; if `alike`, of one rank."""
        if whole.empty:
            return self.none
        name = self.name()
        bits = z3.BitVec(name, self.width)
        self.bit_facts.append((bits & ~self._term(whole.bits)) == 0)
        counts = self._unknown_counts(name)
        self._at_most(counts, whole.counts)
        if alike:
            self.count_facts += [n <= self._most_alike for n in counts if not isinstance(n, int)]
        part = self._made(bits, counts, whole.apart, whole.holders)
        self._bounded[part.number] = partial(self.among, whole)
        if isinstance(size, int) and given is True and 0 <= size <= (self.number_of(whole) or 0):
            self.sizes[part.number] = size
        if size is not None:
            enough = y.conj(given, y.compare(">=", size, 0), y.compare("<=", size, self.size(whole)))
            self.count_facts.append(y.disj(y.neg(enough), y.compare("=", self.size(part), size)))
            if isinstance(size, int) and size == 1:
                some = y.conj(given, self._term(whole.bits) != 0)
                self.bit_facts.append(y.disj(y.neg(some), z3.And(bits != 0, (bits & (bits - 1)) == 0)))
        return part

    def parts(self, names: Sequence[str]) -> list[CardSet]:
        """A partition of all cards into one zone per name."""
        places = [self.part_of(self.known(range(self.width))) for _ in names]
        seen: z3.BitVecRef = z3.BitVecVal(0, self.width)
        for i, part in enumerate(places):
            places[i] = replace(part, apart=frozenset(other.number for other in places[:i]))
            self.bit_facts.append((seen & self._term(part.bits)) == 0)
            seen = seen | self._term(part.bits)
            self._bounded[part.number] = partial(self._elsewhere, places[:i])
        self.bit_facts.append(seen == self._full())
        for s in range(self.suits):
            self.count_facts.append(z3.Sum(*(p.counts[s] for p in places)) == self.masks[s].bit_count())
        self._counted[places[-1].number] = partial(self._elsewhere, places[:-1])
        return places

    def _elsewhere(self, places: Sequence[CardSet], suit: int, mask: int) -> Int:
        """How many cards of a suit that are in a mask are in none of some disjoint sets."""
        return mask.bit_count() - y.total(self.among(place, suit, mask) for place in places)

    def moved_in(self, there: CardSet, cards: CardSet) -> CardSet:
        """A zone after `cards`, which were not in it, have come in."""
        if cards.empty:
            return there
        if there.empty:
            return cards
        sums = tuple(a + b for a, b in zip(there.counts, cards.counts, strict=True))
        return replace(self._made(self._or(there.bits, cards.bits), sums), made=(True, there, cards))

    def moved_out(self, there: CardSet, cards: CardSet) -> CardSet:
        """A zone after `cards`, which were in it, have left."""
        if there is cards:
            return self.none
        if cards.empty:
            return there
        counts = tuple(a - b for a, b in zip(there.counts, cards.counts, strict=True))
        rest = self._made(
            self._and_not(there.bits, cards.bits), counts, there.apart | {cards.number}, there.holders
        )
        return replace(rest, made=(False, there, cards))

    def union(self, left: CardSet, right: CardSet) -> CardSet:
        """The union of both sets."""
        if left.empty or right.empty:
            return right if left.empty else left
        key = (left.number, right.number)
        if key not in self._unions:
            both = self.moved_in(left, right) if left.apart_from(right) else self._union(left, right)
            parts = left.parts | right.parts | {left.number, right.number}
            self._unions[key] = replace(both, apart=left.apart & right.apart, parts=parts)
        return self._unions[key]

    def _union(self, left: CardSet, right: CardSet) -> CardSet:
        if isinstance(left.bits, int) and isinstance(right.bits, int):
            return self._known_part(self.known(range(self.width)), left.bits | right.bits)
        counts = self._unknown_counts(self.name())
        for n, a, b in zip(counts, left.counts, right.counts, strict=True):
            sound = y.conj(y.compare(">=", a, 0), y.compare(">=", b, 0))
            self.count_facts.append(y.disj(y.neg(sound), z3.And(n >= a, n >= b, n <= a + b)))
        return self._made(self._or(left.bits, right.bits), counts)

    def without(self, left: CardSet, right: CardSet) -> CardSet:
        """The cards of the first set that are not in the second."""
        if left.empty or right.empty or left.apart_from(right):
            return left
        if isinstance(right.bits, int):
            rest = self._known_part(left, self._all & ~right.bits)
            return replace(rest, apart=rest.apart | {right.number})
        if right.part_of(left):
            return self.moved_out(left, right)
        rest = self._named_part(self._and_not(left.bits, right.bits), left)
        for n, a, b in zip(rest.counts, left.counts, right.counts, strict=True):
            self.count_facts.append(y.disj(y.compare("<", b, 0), n >= a - b))
        return replace(rest, apart=left.apart | {right.number}, within=left.holders)

    def both(self, left: CardSet, right: CardSet) -> CardSet:
        """The intersection of both sets."""
        if left.empty or right.empty:
            return self.none
        if isinstance(left.bits, int):
            left, right = right, left
        if isinstance(right.bits, int):
            shared = self._known_part(left, right.bits)
            return replace(shared, apart=left.apart | right.apart, within=left.holders | right.holders)
        key = (left.number, right.number)
        if key not in self._shared:  # the same set for every request, in counts too
            shared = self._named_part(self._term(left.bits) & self._term(right.bits), left)
            for n, b in zip(shared.counts, right.counts, strict=True):
                self.count_facts.append(y.disj(y.compare("<", b, 0), n <= b))
            apart, within = left.apart | right.apart, left.holders | right.holders
            self._shared[key] = replace(shared, apart=apart, within=within)
        return self._shared[key]

    def of_ranks(self, cards: CardSet, holds: Callable[[int], Bool], alike: bool) -> CardSet:
        """The cards of those ranks for which a condition holds, of one at most if `alike`: the same set for every request."""
        bits: Bits = 0
        for rank in sorted(set(self.deck.card_rank)):
            mask = self.mask(x for x in range(self.width) if self.deck.card_rank[x] == rank)
            bits = self._or(bits, self._if(holds(rank), mask, 0))
        if isinstance(bits, int):
            return self._known_part(cards, bits)
        those = self._term(cards.bits) & bits
        if those.get_id() not in self._of_ranks:
            part = self._named_part(those, cards)
            if alike:
                self.count_facts += [n <= self._most_alike for n in part.counts if not isinstance(n, int)]
            self._of_ranks[those.get_id()] = those, part
        return replace(self._of_ranks[those.get_id()][1], apart=cards.apart, within=cards.holders)

    def _known_part(self, cards: CardSet, mask: int) -> CardSet:
        """The cards that are in a mask: the same set for every request."""
        if isinstance(cards.bits, int):
            return self.known(x for x, place in self.position.items() if (cards.bits & mask) >> place & 1)
        key = (cards.number, mask)
        if key not in self._known_parts:
            counts = tuple(self.among(cards, s, mask) for s in range(self.suits))
            these = self._made(self._term(cards.bits) & mask, counts, cards.apart, cards.holders)
            self._counted[these.number] = lambda s, other: self.among(cards, s, mask & other)
            self._known_parts[key] = these
        return self._known_parts[key]

    def choose(self, condition: Bool, then: CardSet, otherwise: CardSet) -> CardSet:
        """One of two sets."""
        if isinstance(condition, bool) or then is otherwise:
            return then if condition is not False else otherwise
        key = (condition.get_id(), then.number, otherwise.number)
        if key in self._chosen:  # the same set for the same choice
            return self._chosen[key][1]
        counts = tuple(
            y.choose_number(condition, a, b) for a, b in zip(then.counts, otherwise.counts, strict=True)
        )
        apart, within = then.apart & otherwise.apart, then.holders & otherwise.holders
        one = self._made(self._if(condition, then.bits, otherwise.bits), counts, apart, within)
        self._chosen[key] = condition, one
        self._counted[one.number] = lambda s, mask: y.choose_number(
            condition, self.among(then, s, mask), self.among(otherwise, s, mask)
        )
        return one

    def matching(self, operand: CardSet, pattern: CardSet, highest: bool) -> CardSet:
        """For each suit, as many of the highest (lowest) cards as the pattern has, or all there are."""
        if operand.empty or pattern.empty:
            return self.none
        bits = z3.BitVec(self.name(), self.width)
        counts = tuple(
            y.choose_number(y.compare("<=", b, a), b, a)
            for a, b in zip(operand.counts, pattern.counts, strict=True)
        )
        mine = self._term(operand.bits)
        self.bit_facts.append((bits & ~mine) == 0)
        self.bit_facts += self.each_above(bits, mine & ~bits, highest)
        matches = self._made(bits, counts, operand.apart, operand.holders)
        self._bounded[matches.number] = partial(self.among, operand)
        return replace(matches, tops=operand.number if highest else None)

    def answering(self, operand: CardSet, pattern: CardSet, highest: bool, part: CardSet) -> CardSet:
        """The cards `matching` a pattern that answer one part of it, disjoint from those that answer other parts."""
        if part.empty or pattern.empty or operand.empty:
            return self.none
        key = (operand.number, pattern.number, highest)
        if key not in self._matched:
            self._matched[key] = self.matching(operand, pattern, highest), []
        whole, others = self._matched[key]
        answers_to_part = self.part_of(whole)
        there = part if part.number in {pattern.number, *pattern.parts} else self.both(pattern, part)
        for n, mine, theirs, number in zip(
            answers_to_part.counts, operand.counts, pattern.counts, there.counts, strict=True
        ):
            self.count_facts.append(y.disj(y.compare("<", mine, theirs), y.compare("=", n, number)))
        for other, answer in others:
            shared = self._term(part.bits) & self._term(other.bits)
            self.bit_facts.append(
                z3.Or(shared != 0, (self._term(answers_to_part.bits) & self._term(answer.bits)) == 0)
            )
        answers_to_part = replace(
            answers_to_part,
            apart=answers_to_part.apart
            | {answer.number for other, answer in others if part.apart_from(other)},
        )
        others.append((part, answers_to_part))
        parts, answers = self.none.bits, self.none.bits
        for one, answer in others:
            parts, answers = self._or(parts, one.bits), self._or(answers, answer.bits)
        every = (self._term(pattern.bits) & ~self._term(parts)) == 0
        self.bit_facts.append(z3.Implies(every, (self._term(whole.bits) & ~self._term(answers)) == 0))
        return answers_to_part

    def best(self, cards: CardSet, alone_in_suit: bool) -> CardSet:
        """The cards that maximise some key; `alone_in_suit` if no two of one suit can tie."""
        highest = self.part_of(cards)
        self.count_facts.append(y.disj(y.compare("<=", self.size(cards), 0), self.size(highest) >= 1))
        some = z3.And(self._term(cards.bits) != 0, self._term(highest.bits) == 0)
        self.bit_facts.append(z3.Not(some))
        if alone_in_suit:
            self.count_facts += [n <= 1 for n in highest.counts if not isinstance(n, int)]
        return highest

    def _named_part(self, bits: Bits, whole: CardSet) -> CardSet:
        """A subset with known bits and unknown counts."""
        counts = self._unknown_counts(self.name())
        self._at_most(counts, whole.counts)
        part = self._made(bits, counts)
        self._bounded[part.number] = partial(self.among, whole)
        return part

    def _at_most(self, counts: Sequence[Int], most: Sequence[Int]) -> None:
        for n, m in zip(counts, most, strict=True):
            bounded = y.disj(y.compare("<", m, 0), y.compare("<=", n, m))
            self.count_facts += [y.compare(">=", n, 0), bounded]

    def _unknown_counts(self, name: str) -> tuple[Int, ...]:
        return tuple(z3.Int(f"{name}.{s}") for s in range(self.suits))
