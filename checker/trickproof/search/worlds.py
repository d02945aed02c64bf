"""Hands that fit all that a player has seen: records without holes, each played once to see that the rules agree.

Exact where within `MOST_TRIES` enough assignments fit (`Sampler` draws all that are possible with the same probability, and the rest
is refused).  Else approximate: from the one that followed the record farthest cards are exchanged, as long as that goes no
worse, until the whole record fits (Metropolis).
"""

from __future__ import annotations

from collections.abc import Sequence

from trickproof.information.knowledge import Knowledge
from trickproof.information.observation import HiddenMovement, Observation
from trickproof.information.record import HOLE
from trickproof.information.stream import Stream
from trickproof.information.worlds import Sampler
from trickproof.simulate.script.machine import Job, Result, ScriptMachine

MOST_TRIES, MOST_LOOSE_TRIES = 1_000, 400
"""Assignments drawn for one decision before exchanges of cards take over; where they are not drawn uniformly anyway."""

MOST_BATCH, BATCH = 64, 24
"""Assignments that are tried together at most, and exchanges."""

MOST_EXCHANGES = 3_000
"""Exchanges tried before it is given up."""

MOST_FIELDS = 8
"""Words of an item about a movement, at most."""

BETWEEN = 30
"""Exchanges between one world and the next."""


class Worlds:
    """Draws worlds for one decision."""

    def __init__(
        self,
        machine: ScriptMachine,
        header: Sequence[int],
        seen: Observation,
        first: int,
        knowledge: Knowledge,
    ) -> None:
        self._machine, self._header, self._first = machine, header, first
        self._base = seen.words[first:]
        self._hidden: tuple[HiddenMovement, ...] = knowledge.hidden
        self._sampler = Sampler(knowledge)
        self._swaps = _Exchanges(knowledge)
        self._forced = {
            m.words[-1] - first: h for h, m in enumerate(self._hidden) if knowledge.by_rules >> h & 1
        }
        """By the word of its cards, the hidden movements that follow from the rules."""
        self.exact = self._sampler.exact and not self._forced
        self.tries, self._batch = 0, 1
        self._waiting: list[list[int]] = []
        """Worlds that fit and have not been used."""
        self._nearest: tuple[int, list[int]] = (-1, [])

    def draw(self, number: int, stream: Stream) -> list[list[int]]:
        """So many worlds, or fewer; `exact` tells afterwards whether they were drawn uniformly."""
        waiting = self._waiting
        most = MOST_TRIES if self.exact else MOST_LOOSE_TRIES
        while len(waiting) < number and self.tries < most:
            batch = min(most - self.tries, max(number - len(waiting), self._batch))
            drawn = [self._sampler.draw(stream) for _ in range(batch)]
            self.tries += batch
            self._batch = min(2 * batch, MOST_BATCH)
            waiting += self._fitting([x for x in drawn if x is not None], stream)
        if not waiting:
            self.exact = False
            waiting += self._exchanged(number, stream)
        worlds, self._waiting = waiting[:number], waiting[number:]
        return worlds

    def _record(self, masks: Sequence[int]) -> list[int]:
        record = list(self._base)
        for movement, mask in zip(self._hidden, masks, strict=True):
            for word in movement.words:
                record[word - self._first] = mask
        return record

    def _fitting(self, masks: list[list[int]], stream: Stream) -> list[list[int]]:
        """The records of those that the rules agree with, or do after cards have been exchanged that the rules would move."""
        fitting: list[list[int]] = []
        for _ in range(len(self._forced) + 1):
            again: list[list[int]] = []
            records = [self._record(x) for x in masks]
            for record, mask, result in zip(records, masks, self._played(records, stream), strict=True):
                if self._fits(result):
                    fitting.append(record)
                elif result.rejected:
                    if result.followed > self._nearest[0]:
                        self._nearest = result.followed, mask
                    again += self._repaired(mask, result)
            masks = again
            if not masks:
                break
        return fitting

    def _fits(self, result: Result) -> bool:
        """Whether the whole record was followed; what comes of the hand then does not matter."""
        return result.followed > len(self._base)

    def _repaired(self, masks: list[int], result: Result) -> list[list[int]]:
        """The assignment with the cards that the rules move in place of those that it says they do, if that can be."""
        item = next(
            (word for word in self._forced if result.followed <= word < result.followed + MOST_FIELDS), None
        )
        if item is None:
            return []
        wrong, right = masks[self._forced[item]], result.answer
        if wrong.bit_count() != right.bit_count() or wrong == right:
            return []
        for one, other in zip(bits(wrong & ~right), bits(right & ~wrong), strict=True):
            exchanged = self._swaps.exchanged(masks, one, other)
            if exchanged is None:
                return []
            masks = exchanged
        return [masks]

    def _played(self, records: list[list[int]], stream: Stream) -> list[Result]:
        jobs = [Job(i, HOLE, stream.word() >> 1) for i in range(len(records))]
        return self._machine.play(self._header, records, jobs)

    # ------------------------------------------------------------------------------------------- Metropolis

    def _exchanged(self, number: int, stream: Stream) -> list[list[int]]:
        worlds: list[list[int]] = []
        depth, masks = self._nearest
        if depth < 0:
            return worlds
        tried, since = 0, 0
        fits = False
        while tried < MOST_EXCHANGES and len(worlds) < number:
            others = [x for x in (self._swaps.swapped(masks, stream) for _ in range(BATCH)) if x is not None]
            if not others:
                return worlds
            tried += BATCH
            records = [self._record(x) for x in others]
            for other, record, result in zip(others, records, self._played(records, stream), strict=True):
                good = self._fits(result)
                if good if fits else good or (result.rejected and result.followed >= depth):
                    masks, depth, fits = other, result.followed, fits or good
                    since += BATCH
                    if good and (not worlds or since >= BETWEEN):
                        worlds.append(record)
                        since = 0
                    break
            else:
                since += BATCH
        return worlds


class _Exchanges:
    """Exchanges of two cards that may have taken each other's ways."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._ways: dict[int, frozenset[int]] = {}
        for ways, mask in sorted(knowledge.cards.items(), key=lambda pair: pair[1]):
            through = frozenset(way[1] for way in ways)
            for card in bits(mask):
                if len(through) > 1:
                    self._ways[card] = through
        self._cards = list(self._ways)

    def swapped(self, masks: Sequence[int], stream: Stream) -> list[int] | None:
        """The masks after one exchange; None where none was found."""
        for _ in range(20 if len(self._cards) > 1 else 0):
            one, other = (self._cards[stream.below(len(self._cards))] for _ in range(2))
            if (exchanged := self.exchanged(masks, one, other)) is not None:
                return exchanged
        return None

    def exchanged(self, masks: Sequence[int], one: int, other: int) -> list[int] | None:
        """The masks with two cards in each other's places; None where they cannot be, or nothing changes."""
        ways = [_way(masks, card) for card in (one, other)]
        if (
            ways[0] == ways[1]
            or ways[1] not in self._ways.get(one, ())
            or ways[0] not in self._ways.get(other, ())
        ):
            return None
        both = 1 << one | 1 << other
        return [mask ^ both if mask & both not in (0, both) else mask for mask in masks]


def _way(masks: Sequence[int], card: int) -> int:
    return sum(1 << h for h, mask in enumerate(masks) if mask >> card & 1)


def bits(mask: int) -> list[int]:
    """The positions in a mask, ascending."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]
