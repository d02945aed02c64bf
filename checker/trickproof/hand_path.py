"""One path through a part of a hand, put to the solver: which doubts cannot come true on it.

Facts in counts and facts in bits are asked apart (`cardsets.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from trickproof import symbols as y
from trickproof.encode_cards import Doubt
from trickproof.hand_reader import HandReader
from trickproof.repeated import asked_once, identity
from trickproof.solve import Answer, Questions
from trickproof.symbols import Bool

Way = tuple[Bool, Bool]
"""When something happens, in counts and in bits; True where that half cannot tell."""

ASSUMED_LATER = "hand-size"
"""The claim that is taken for granted once it has been put: that hands are as many cards as there are tricks."""


class Half:
    """Facts of one kind; they come to the solver when something is asked."""

    def __init__(self, *facts: Bool) -> None:
        self.facts = list(facts)
        self._questions, self._told = Questions(), 0

    def add(self, fact: Bool) -> None:
        """From here on this holds."""
        if not isinstance(fact, bool):
            self.facts.append(fact)

    @property
    def questions(self) -> Questions:
        """The solver that knows all facts."""
        self._questions.add(*self.facts[self._told :])
        self._told = len(self.facts)
        return self._questions


class Path:
    """The two halves of what holds on a path that a reader has followed to its end."""

    def __init__(self, reader: HandReader) -> None:
        self.reader = reader
        self.counts = Half(*reader.trail.facts, *reader.world.count_facts)
        self.bits = Half(*reader.trail.facts, *reader.world.bit_facts)
        self._early: list[Answer] | None = None
        self._answers: list[Answer] | None = None

    @property
    def possible(self) -> bool:
        """Whether anything can go this way at all."""
        words = map(identity, self.counts.facts)
        return asked_once("possible", words, lambda: self.counts.questions.possible()) is not Answer.NO

    def early(self) -> list[Answer]:
        """The answers to the doubts before the first card is played; from then on hands are taken to be even."""
        if self._early is None:
            doubts = self.reader.doubts[: self.reader.milestone]
            self._early = self._cleared(doubts)
            for doubt in doubts:
                if doubt.check == ASSUMED_LATER:
                    self.counts.add(y.neg(doubt.counts))
                    self.bits.add(y.neg(doubt.bits))
        return self._early

    def answers(self) -> list[Answer]:
        """The answers to all doubts."""
        if self._answers is None:
            early = self.early()
            self._answers = [*early, *self._cleared(self.reader.doubts[len(early) :])]
        return self._answers

    def excluded(self, ways: Sequence[Way], stops: Sequence[bool] | None = None) -> list[Answer]:
        """For each of some ways, one after another: NO where it cannot happen if none before it that `stops` has."""
        if not ways:
            return []
        halting = [True] * len(ways) if stops is None else list(stops)
        terms = [
            *self.counts.facts,
            None,
            *self.bits.facts,
            None,
            *(half for way in ways for half in way),
            *halting,
        ]
        return asked_once("path", map(identity, terms), lambda: self._asked(ways, halting))

    def _cleared(self, doubts: Sequence[Doubt]) -> list[Answer]:
        """The answers to doubts; those excluded are known not to come true for whoever gets past them."""
        answers = self.excluded([(d.counts, d.bits) for d in doubts], [not d.check for d in doubts])
        for doubt, answer in zip(doubts, answers, strict=True):
            if answer is Answer.NO:
                self.counts.add(y.neg(doubt.counts))
                self.bits.add(y.neg(doubt.bits))
        return answers

    def _asked(self, ways: Sequence[Way], halting: Sequence[bool]) -> list[Answer]:
        left = _left(range(len(ways)), [counts for counts, _ in ways], self.counts)
        sure = [y.neg(ways[i][1]) for i in range(len(ways)) if i not in left]
        if any(ways[i][1] is not True for i in left):
            self.bits.questions.add(*(fact for fact in sure if not isinstance(fact, bool)))
            left = _left(left, [bits for _, bits in ways], self.bits)
        answers = [Answer.NO] * len(ways)
        for i in left:
            earlier = [way for way, stops in zip(ways[:i], halting, strict=False) if stops]
            answers[i] = self._one(ways[i], earlier)
        return answers

    def _one(self, way: Way, before: Sequence[Way]) -> Answer:
        counts, bits = way
        answer = Answer.YES
        if counts is not True:
            earlier = [y.neg(n) for n, _ in before if n is not True]
            answer = self.counts.questions.possible(counts, *earlier)
        if answer is not Answer.NO and bits is not True:
            earlier = [y.neg(b) for _, b in before if b is not True]
            answer = self.bits.questions.possible(bits, *earlier)
        return answer


def _left(among: Sequence[int], ways: Sequence[Bool], half: Half) -> list[int]:
    """Those that one half does not exclude, all that it can tell asked together."""
    asked = [i for i in among if ways[i] is not True]
    certain = [i for i in asked if ways[i] is False]
    if len(certain) < len(asked):
        told = half.questions.excluded([ways[i] for i in asked])
        certain = [i for i, no in zip(asked, told, strict=True) if no]
    return [i for i in among if i not in certain]
