"""A player who searches: from the record of a hand to what is chosen.

What is thought about is the `Observation` only: the record itself goes to nobody but to those who make it, and to the prober, which
tells what the rules would have allowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trickproof.information.knowledge import Knowledge, KnowledgeReader, TooManyWaysError
from trickproof.information.observation import Observation, Watcher
from trickproof.information.record import PLAYER
from trickproof.information.stream import Stream, mixed
from trickproof.search.candidates import Question, changed_sets, question, random_set, random_sets
from trickproof.search.engine import SearchEngine
from trickproof.search.halving import Tried, halved
from trickproof.search.prober import RecordProber
from trickproof.search.worlds import Worlds

SETS_BUDGET = 4
"""How many times the rollouts of a card go to a choice among sets of cards."""

SETS_COMPARED = 5
"""Sets that are compared where not all are."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of one decision: candidates, the best first; whether the worlds were drawn uniformly, and how many."""

    tried: tuple[Tried, ...]
    exact: bool
    worlds: int


class SearchPlayer:
    """Plays by search, with so many rollouts for a decision."""

    def __init__(self, engine: SearchEngine, rollouts: int) -> None:
        self.engine, self.rollouts = engine, rollouts
        self.form = engine.form
        self._hand: tuple[int, int] = (-1, -1)
        self._answers: dict[tuple[int, int], int] = {}
        self._views: dict[int, _View] = {}

    def bind(self, parameters: Mapping[str, int], readings: Mapping[str, int]) -> None:
        """See `RecordedPlayer`."""
        self.engine.bind(parameters, readings)
        self.forget()

    def forget(self) -> None:
        """What was asked about this hand is of another one."""
        self._hand, self._answers, self._views = (-1, -1), {}, {}

    def choose(self, record: Sequence[int], stream: int, hand: int) -> int:
        """See `RecordedPlayer`."""
        if self._hand != (stream, hand):
            self.forget()
            self._hand = stream, hand
        form = self.form
        last, choices = form.last(record)
        asked = question(last.site, record[last.at :])
        chance = Stream(mixed(stream, hand, choices))
        if asked.blind:
            return random_set(asked, chance)
        if len(asked.options) == 1:
            return asked.options[0]
        viewer = record[last.at + PLAYER]
        view = self._views.setdefault(viewer, _View(self.engine, viewer))
        try:
            seen, knowledge = view.looked(record, self.prober(record))
        except TooManyWaysError:
            del self._views[viewer]
            return (
                asked.options[chance.below(len(asked.options))]
                if asked.options
                else random_set(asked, chance)
            )
        return self.thought(seen, knowledge, asked, chance).tried[0].choice

    def prober(self, record: Sequence[int]) -> RecordProber:
        """Who tells what the rules would have allowed in this hand."""
        return RecordProber(self.form, self.engine.machine, record, self._answers)

    def thought(self, seen: Observation, knowledge: Knowledge, asked: Question, chance: Stream) -> Thought:
        """What a player who has seen this thinks of what may be chosen."""
        trials = _Trials(self.engine, seen, knowledge, chance)
        if not asked.of_sets:
            tried = halved(asked.options, self.rollouts, trials.worths)
        else:
            half = self.rollouts * SETS_BUDGET // 2
            some = halved(random_sets(asked, chance), half, trials.worths)
            tried = halved(changed_sets(asked, some[0].choice, chance), half, trials.worths)
        if not trials.number:  # no world was found: nothing speaks for any of them
            tried.insert(0, tried.pop(chance.below(len(tried))))
        return Thought(tuple(tried), trials.worlds.exact, trials.number)

    def compared(
        self, seen: Observation, knowledge: Knowledge, asked: Question, chance: Stream
    ) -> list[Tried]:
        """What may be chosen, the best first, each tried in as many worlds as there are rollouts; of sets the best that were found."""
        choices = asked.options
        if asked.of_sets:
            thought = self.thought(seen, knowledge, asked, chance)
            choices = tuple(x.choice for x in thought.tried[:SETS_COMPARED])
        trials = _Trials(self.engine, seen, knowledge, chance)
        tried = [Tried(choice) for choice in choices]
        for one, sums in zip(tried, trials.worths(list(choices), self.rollouts), strict=True):
            one.add(*sums)
        return sorted(tried, key=lambda x: -x.mean)


class _View:
    """What one player has seen of the hand and knows of it, so far."""

    def __init__(self, engine: SearchEngine, viewer: int) -> None:
        self.watcher = Watcher(engine.observer, viewer)
        self.reader = KnowledgeReader(engine.form, engine.deck)

    def looked(self, record: Sequence[int], prober: RecordProber) -> tuple[Observation, Knowledge]:
        """What there is to be seen now, and what follows from it."""
        seen = self.watcher.observation(record)
        return seen, self.reader.knowledge(seen, prober, self.watcher.changed)


class _Trials:
    """Rollouts of one decision."""

    def __init__(self, engine: SearchEngine, seen: Observation, knowledge: Knowledge, chance: Stream) -> None:
        team, before = engine.team(seen.viewer), engine.before(seen.viewer, seen.words)
        self.worlds = Worlds(engine.machine, seen, engine.form.first, knowledge, team, before)
        self.engine, self.chance, self.number = engine, chance, 0

    def worths(self, choices: list[int], number: int) -> list[tuple[int, int, int]]:
        """What each choice is worth in so many new worlds; hands that were not played to the end do not count."""
        sums = self.worlds.tried(choices, number, self.chance)
        self.number += max(x.number for x in sums)
        sign = self.engine.points.sign
        return [(x.number, sign * x.total, x.squares) for x in sums]
