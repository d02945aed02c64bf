"""Candidates tried in hands that are consistent with everything a player has seen.

Worlds are drawn and rejected unless the rules reproduce the record word by word, so that all consistent
worlds are equally likely (`exact`).  If `MOST_TRIES` draws yield too few, the worlds found are reused with
other random numbers.  Only if none was found are cards swapped in the world that followed the record
furthest, accepting swaps that follow it no less far, until the whole record fits (Metropolis).
"""

from __future__ import annotations

from collections.abc import Sequence

from trickproof.information.knowledge import Knowledge
from trickproof.information.observation import HiddenMovement, Observation
from trickproof.information.plan import bits
from trickproof.information.record import HOLE, PART_HOLE
from trickproof.information.stream import Stream
from trickproof.information.worlds import Sampler, through_choices
from trickproof.simulate.script.machine import Job, Result, Round, ScriptMachine, Setting, Sums, Trial, World

MOST_TRIES, MOST_LOOSE_TRIES = 100_000, 24
"""Maximum number of worlds drawn per decision; the second is the limit when they cannot be counted."""

BATCH = 24
"""Worlds or swaps that are tried together."""

MOST_EXCHANGES = 3_000
"""Maximum number of swaps tried."""

BETWEEN = 30
"""Swaps between one sampled world and the next."""

NEAREST = 16
"""Number of drawn worlds from which the one that follows the record furthest is chosen as the start."""


class Worlds:
    """Draws worlds for one decision, and plays candidates in them.

    Their value is the points of `team` (a mask) minus `before` when all go on by `styles` (see `Setting`).
    """

    def __init__(
        self,
        machine: ScriptMachine,
        seen: Observation,
        first: int,
        knowledge: Knowledge,
        team: int = 0,
        before: int = 0,
        styles: Sequence[int] = (),
    ) -> None:
        self._machine, self._header, self._first = machine, seen.words[:first], first
        self._base = seen.words[first:]
        self._hidden: tuple[HiddenMovement, ...] = knowledge.hidden
        self._sampler = Sampler(knowledge, machine.planner)
        self._knowledge = knowledge
        self.exact = self._sampler.exact
        self.tries = 0
        self._found: list[World] = []
        self._trials: list[Trial] = []
        """Trials whose worlds are not in the list yet."""
        self._setting = self._made_setting(team, before, styles)

    def _made_setting(self, team: int, before: int, styles: Sequence[int]) -> Setting:
        """What the trials have in common.

        Where the rules determine the cards of a movement, they must include those drawn as having certainly gone
        through it: worlds that would be rejected later are rejected there.  These cards are written behind the
        header, as if they were of further movements.
        """
        first, header, record, sampler = self._first, self._header, self._base, self._sampler
        holes = [(m.words[0] - first, m.words[-1] - first) for m in self._hidden]
        known, plan = sampler.known, sampler.plan or ()
        if plan and sampler.certain:
            begin, number = len(header), len(sampler.certain)
            header, record, known = [*header, *sampler.certain], list(record), [*known, *sampler.certain]
            forced = [h for h in range(sampler.number) if self._knowledge.by_rules >> h & 1]
            for i, h in enumerate(forced):
                record[holes[h][0]] = PART_HOLE - begin - i
                holes[h] = i - number, i - number
            holes += [holes[h] for h in forced]
        return Setting(header, record, holes, plan, known, sampler.shares(), team, before, styles)

    @property
    def found(self) -> list[World]:
        """All worlds found so far."""
        number = len(self._hidden)
        for trial in self._trials:
            self._found += [World(x.stream, x.cards[:number]) for x in trial.worlds]
        self._trials.clear()
        return self._found

    @property
    def can_draw(self) -> bool:
        """Whether more worlds can be drawn by a plan."""
        return bool(self._setting.plan) and self.tries < MOST_TRIES

    def halved(
        self, choices: Sequence[int], rounds: Sequence[tuple[int, int]], sign: int, stream: Stream
    ) -> Trial:
        """Evaluate choices by a plan in rounds, numbers of worlds and of choices, as far as enough worlds are found."""
        ahead = stream.copy()
        given = [Round(worlds, number, ahead.word() >> 1) for worlds, number in rounds]
        trial = self._machine.halved(self._setting, choices, given, sign, MOST_TRIES - self.tries)
        self._count(trial)
        for _ in given[: trial.complete + 1]:
            stream.word()
        return trial

    def _count(self, trial: Trial) -> None:
        self.tries += trial.tries
        self._trials.append(trial)

    def draw(self, number: int, stream: Stream) -> list[list[int]]:
        """Up to `number` worlds, as records without holes; `exact` then says whether they are uniform."""
        self._try([], number, stream)
        if not self.found:
            self._exchange(number, stream)
        return [self._record(world.cards) for world in self.found[:number]]

    def tried(self, choices: Sequence[int], number: int, stream: Stream) -> list[Sums]:
        """Evaluate each choice in `number` worlds, fewer or none if not enough were found."""
        sums, done = self._try(choices, number, stream)
        if done < number and not self.found:
            self._exchange(number, stream)
        if done < number and self.found:
            given = [self._again(stream) for _ in range(number - done)]
            more = self._machine.tried(self._setting, choices, len(given), 0, 0, given).sums
            sums = [_added(x, y) for x, y in zip(sums, more, strict=True)]
        return sums

    def _try(self, choices: Sequence[int], number: int, stream: Stream) -> tuple[list[Sums], int]:
        """Evaluate the choices in new worlds, as many as are found."""
        sums, done = [Sums(0, 0, 0)] * len(choices), 0
        if self.can_draw:
            trial = self._machine.tried(
                self._setting, choices, number, stream.word() >> 1, MOST_TRIES - self.tries
            )
            self._count(trial)
            return trial.sums, trial.number
        while not self._setting.plan and done < number and self.tries < MOST_LOOSE_TRIES:
            batch = max(number - done, BATCH)
            self.tries += batch
            drawn = [x for x in (self._sampler.draw(stream) for _ in range(batch)) if x is not None]
            given = [World(stream.word() >> 1, tuple(x)) for x in drawn]
            trial = self._machine.tried(self._setting, choices, number - done, 0, 0, given, checked=True)
            done += trial.number
            self._trials.append(trial)
            sums = [_added(x, y) for x, y in zip(sums, trial.sums, strict=True)]
        return sums, done

    def _again(self, stream: Stream) -> World:
        """One of the worlds found, with other random numbers."""
        cards = self.found[stream.below(len(self.found))].cards
        others = len(self._setting.holes) - len(self._hidden)
        return World(stream.word() >> 1, (*cards, *[0] * others))

    def _record(self, masks: Sequence[int]) -> list[int]:
        record = list(self._base)
        for movement, mask in zip(self._hidden, masks, strict=True):
            for word in movement.words:
                record[word - self._first] = mask
        return record

    def _fits(self, result: Result) -> bool:
        """Whether the whole record was followed; how the hand continues does not matter."""
        return result.followed > len(self._base)

    def _played(self, records: list[list[int]], stream: Stream) -> list[Result]:
        jobs = [Job(i, HOLE, stream.word() >> 1) for i in range(len(records))]
        return self._machine.play(self._header, records, jobs)

    # ------------------------------------------------------------------------------------------- Metropolis

    def _exchange(self, number: int, stream: Stream) -> None:
        """Sample worlds by swapping cards; they are not uniformly distributed."""
        self.exact = False
        drawn = [x for x in (self._sampler.draw(stream) for _ in range(NEAREST)) if x is not None]
        results = self._played([self._record(x) for x in drawn], stream) if drawn else []
        if not results:
            return
        depth, masks = max(zip((x.followed for x in results), drawn, strict=True), key=lambda pair: pair[0])
        swaps = _Exchanges(self._knowledge)
        tried, since, fits = 0, 0, False
        while tried < MOST_EXCHANGES and len(self.found) < number:
            others = [x for x in (swaps.swapped(masks, stream) for _ in range(BATCH)) if x is not None]
            if not others:
                return
            tried += BATCH
            records = [self._record(x) for x in others]
            for other, result in zip(others, self._played(records, stream), strict=True):
                good = self._fits(result)
                if good if fits else good or (result.rejected and result.followed >= depth):
                    masks, depth, fits = other, result.followed, fits or good
                    since += BATCH
                    if good and (not self.found or since >= BETWEEN):
                        self.found.append(World(stream.word() >> 1, tuple(other)))
                        since = 0
                    break
            else:
                since += BATCH


def _added(one: Sums, other: Sums) -> Sums:
    return Sums(one.number + other.number, one.total + other.total, one.squares + other.squares)


class _Exchanges:
    """Swaps of two cards that may have taken each other's ways."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._ways: dict[int, frozenset[int]] = {}
        for ways, mask in sorted(through_choices(knowledge).items(), key=lambda pair: pair[1]):
            through = frozenset(way & ~knowledge.by_rules for way in ways)
            for card in bits(mask):
                if len(through) > 1:
                    self._ways[card] = through
        self._cards = list(self._ways)

    def swapped(self, masks: Sequence[int], stream: Stream) -> list[int] | None:
        """The masks after one swap, or None if none was found."""
        for _ in range(20 if len(self._cards) > 1 else 0):
            one, other = (self._cards[stream.below(len(self._cards))] for _ in range(2))
            if (exchanged := self.exchanged(masks, one, other)) is not None:
                return exchanged
        return None

    def exchanged(self, masks: Sequence[int], one: int, other: int) -> list[int] | None:
        """The masks with two cards swapped, or None if that is impossible or changes nothing."""
        ways = [_way(masks, card) for card in (one, other)]
        if (
            ways[0] == ways[1]
            or ways[1] not in self._ways.get(one, ())
            or ways[0] not in self._ways.get(other, ())
        ):
            return None
        both = 1 << one | 1 << other
        return [mask ^ both if mask != HOLE and mask & both not in (0, both) else mask for mask in masks]


def _way(masks: Sequence[int], card: int) -> int:
    return sum(1 << h for h, mask in enumerate(masks) if mask != HOLE and mask >> card & 1)
