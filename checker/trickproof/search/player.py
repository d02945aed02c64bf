"""A searching player: from the record of a hand to a choice.

The search sees only the `View`.  The record itself is passed only to the code that derives views from it, which also probes
what the rules would have allowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trickproof.information.record import HOLE, PLAYER
from trickproof.information.stream import Stream, mixed
from trickproof.search.candidates import Question, changed_sets, question, random_set, random_sets
from trickproof.search.engine import SearchEngine
from trickproof.search.halving import Progress, Tried, halved, rounds_of
from trickproof.search.worlds import Log, TooManyWaysError, View, Worlds
from trickproof.simulate.script.machine import Job, Sums, Trial
from trickproof.simulate.script.sets import drawer
from trickproof_dsl import core as c

SETS_BUDGET = 4
"""Rollouts of a choice among sets of cards, as a multiple of those for a single card."""

SETS_COMPARED = 5
"""Number of sets compared when not all are enumerated."""


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of one decision: candidates, best first; whether the worlds are uniform; and their number."""

    tried: tuple[Tried, ...]
    exact: bool
    worlds: int


class SearchPlayer:
    """Plays by search, with a fixed number of rollouts per decision."""

    def __init__(self, engine: SearchEngine, rollouts: int) -> None:
        self.engine, self.rollouts = engine, rollouts
        self.form, self._draw = engine.form, drawer(engine.backend)
        self.forget()

    def bind(self, parameters: Mapping[str, int], readings: Mapping[str, int]) -> None:
        """See `RecordedPlayer`."""
        self.engine.bind(parameters, readings)
        self.forget()

    def forget(self) -> None:
        """Drop what was read, seen and probed in the previous hand."""
        self._hand, self._log = (-1, -1), Log(self.engine)
        self._views: dict[int, View] = {}

    def choose(self, record: Sequence[int], stream: int, hand: int) -> int:
        """See `RecordedPlayer`."""
        if self._hand != (stream, hand) or not self._log.read(record):
            self.forget()
            self._hand = stream, hand
            self._log.read(record)
        last = self._log.last
        assert last is not None
        asked = question(last.site, record[last.at :])
        if len(asked.options) == 1:
            return asked.options[0]
        chance = Stream(mixed(stream, hand, self._log.choices))
        if asked.blind:
            return random_set(asked, self._draw, chance)
        viewer = record[last.at + PLAYER]
        view = self._views.get(viewer)
        if view is None:
            view = self._views[viewer] = View(self.engine, viewer, self._log)
        try:
            seen = view.look()
        except TooManyWaysError:
            del self._views[viewer]
            return (
                asked.options[chance.below(len(asked.options))]
                if asked.options
                else random_set(asked, self._draw, chance)
            )
        if isinstance(last.site.node, c.ChooseValue) and last.site.node.binder in self.engine.lines():
            number = self._by_line(seen, last.at, chance)
            if number is not None:
                return number
        return self._best(asked, chance, _Trials(self.engine, seen, chance))

    def _best(self, asked: Question, chance: Stream, trials: _Trials) -> int:
        """The first option of a thought, without ranking the others."""
        choices, rollouts = self._tried(asked, chance, trials)
        best = trials.best(choices, rollouts)
        return best if trials.number else choices[chance.below(len(choices))]

    def _tried(self, asked: Question, chance: Stream, trials: _Trials) -> tuple[Sequence[int], int]:
        """The options to be compared in the end, and in how many rollouts."""
        if not asked.of_sets:
            return asked.options, self.rollouts
        half = self.rollouts * SETS_BUDGET // 2
        best = trials.best(random_sets(asked, self._draw, chance), half)
        return changed_sets(asked, self._draw, best, chance), half

    def _by_line(self, seen: View, at: int, chance: Stream) -> int | None:
        """The number that rollouts would choose at the end of what was seen; None if no world is found."""
        machine, first = self.engine.machine, self.form.first
        for record in Worlds(machine, seen, first).draw(1, chance):
            (found,) = machine.play(seen.words[:first], [record], [Job(0, HOLE, 0, at - first)])
            return found.answer if found.answered else None
        return None

    def thought(self, seen: View, asked: Question, chance: Stream) -> Thought:
        """Evaluate the options of a player who has seen this."""
        trials = _Trials(self.engine, seen, chance)
        tried = trials.halved(*self._tried(asked, chance, trials))
        if not trials.number:  # no world was found, so nothing ranks them
            tried.insert(0, tried.pop(chance.below(len(tried))))
        return Thought(tuple(tried), trials.worlds.exact, trials.number)

    def compared(
        self,
        seen: View,
        asked: Question,
        chance: Stream,
        wanted: Sequence[int] = (),
    ) -> list[Tried]:
        """The options, best first, each tried in `rollouts` worlds; for sets, those `wanted`, or the best ones found."""
        choices = asked.options or tuple(wanted)
        if not choices:
            thought = self.thought(seen, asked, chance)
            choices = tuple(x.choice for x in thought.tried[:SETS_COMPARED])
        trials = _Trials(self.engine, seen, chance)
        tried = [Tried(choice) for choice in choices]
        for one, sums in zip(tried, trials.worths(list(choices), self.rollouts), strict=True):
            one.add(*sums)
        return sorted(tried, key=lambda x: -x.mean)


class _Trials:
    """The rollouts of one decision."""

    def __init__(self, engine: SearchEngine, seen: View, chance: Stream) -> None:
        team, before = engine.team(seen.viewer), engine.before(seen.viewer, seen.words)
        machine, first = engine.machine, engine.form.first
        self.worlds = Worlds(machine, seen, first, team, before, engine.styles)
        self.sign, self.chance, self.number = engine.points.sign, chance, 0

    def best(self, choices: Sequence[int], rollouts: int) -> int:
        """The first of `halved`."""
        rounds = rounds_of(len(choices), rollouts)
        trial = self._begun(choices, rounds)
        if trial.complete == len(rounds):
            return choices[trial.best]
        return self._ended(choices, rollouts, trial)[0].choice

    def halved(self, choices: Sequence[int], rollouts: int) -> list[Tried]:
        """All choices, best first, by sequential halving."""
        return self._ended(choices, rollouts, self._begun(choices, rounds_of(len(choices), rollouts)))

    def _begun(self, choices: Sequence[int], rounds: Sequence[tuple[int, int]]) -> Trial:
        """All rounds, as far as worlds are found."""
        trial = self.worlds.halved(choices, rounds, self.sign, self.chance)
        self.number += trial.most
        return trial

    def _ended(self, choices: Sequence[int], rollouts: int, trial: Trial) -> list[Tried]:
        """The rest of the rounds, one by one."""
        progress = Progress(trial.order, self._signed(trial.sums), trial.complete, trial.done)
        return halved(choices, rollouts, self.worths, progress)

    def worths(self, choices: Sequence[int], number: int) -> Sequence[tuple[int, int, int]]:
        """Evaluate each choice in a number of new worlds; hands that were not played to the end do not count."""
        sums = self.worlds.tried(choices, number, self.chance)
        self.number += max(x.number for x in sums)
        return self._signed(sums)

    def _signed(self, sums: list[Sums]) -> Sequence[tuple[int, int, int]]:
        if self.sign == 1:
            return sums
        return [(number, self.sign * total, squares) for number, total, squares in sums]
