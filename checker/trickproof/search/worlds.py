"""What a player has seen and knows of a hand, and candidates tried in hands that are consistent with it.

Worlds are drawn and rejected unless the rules reproduce the record word by word, so that all consistent
worlds are equally likely (`exact`).  If too few are found, the others are made from them by swapping cards, or if there
is none, from the one that followed the record furthest (`simulate.script.exchanges`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from trickproof.information.record import DOMAIN, HOLE, PART_HOLE, Item
from trickproof.information.stream import Stream
from trickproof.information.worlds import Sampler, shape_of
from trickproof.search.engine import SearchEngine
from trickproof.simulate.script.looking_layout import (
    BEGUN,
    CLASSES,
    CLASSES_AT,
    END,
    HOLE_ONE,
    HOLE_TWO,
    KEY_AT,
    KEY_END,
    LEFT,
    LENGTH,
    MOVE,
    MOVES_AT,
    NEXT,
    NUMBER,
    state_words,
)
from trickproof.simulate.script.machine import (
    PROBES,
    Packed,
    ScriptMachine,
    Setting,
    Sums,
    Trial,
    World,
)
from trickproof_dsl import core as c

TRIES, LEAST_TRIES = 200, 1_000
"""Maximum number of worlds drawn for each that is wanted, and for few."""

LOOSE_TRIES = 24
"""Minimum number of worlds drawn when they cannot be counted."""


class TooManyWaysError(Exception):
    """Cards may have taken more ways than are tracked."""


class Log:
    """The record of a hand, read as it grows; shared by those who watch the hand."""

    def __init__(self, engine: SearchEngine) -> None:
        self.form, self._packed = engine.form, engine.machine.packed
        self.record: list[int] = []
        self.script: Packed = self._packed([0] * (PROBES + 1))
        """The record between words for probes and a word that is 0."""
        self.at = self.form.first
        """Position of the first item that is not complete."""
        self.last: Item | None = None
        """The last item, which may lack its chosen word."""
        self.choices = 0
        """The number of players' choices up to and including the last item."""

    def read(self, record: Sequence[int]) -> bool:
        """Read what has been added; False if the record is another one."""
        number = len(self.record)
        if record[:number] != self.record:
            return False
        more = record[number:]
        self.record += more
        self.script[-1:] = self._packed([*more, 0])
        last, end, sites = self.at, len(record), self.form.sites
        after = last
        if last < number:  # the last item has been counted
            self.choices -= sites[record[last]].of_player
        while after < end:
            last = after
            site = sites[record[last]]
            self.choices += site.of_player
            after += site.size
            if after <= end:
                self.at = after
        if last < end:
            self.last = Item(sites[record[last]], last)
        return True


class View:
    """What a player has seen of a hand, and what follows from it."""

    def __init__(self, engine: SearchEngine, viewer: int, log: Log) -> None:
        self.viewer, self._log, self._machine = viewer, log, engine.machine
        self._arrays = engine.looking
        self.words: Packed = engine.machine.packed(log.record[: log.form.first])
        """The record, with a hole for every word that the player has not seen, and 0 for variables that are not public."""
        for i in log.form.secret:
            self.words[i] = 0
        self.state = state_words(log.form, viewer)

    def look(self) -> View:
        """Take in what has been added to the record.  Raises TooManyWaysError, after which the view is of no use."""
        log, words, state = self._log, self.words, self.state
        words += log.script[PROBES + len(words) : -1]
        state[END], state[LENGTH] = log.at, len(log.script)
        look, form, answers, told = self._arrays
        machine = self._machine
        look(form, words, state, told, machine.params, machine.no_trials, answers, log.script)
        if state[LEFT]:
            raise TooManyWaysError
        if log.at < len(words):
            node = log.form.sites[words[log.at]].node
            if isinstance(node, c.ChooseCards) and node.blind:
                words[log.at + DOMAIN] = HOLE
        self.shape = shape_of(told[KEY_AT : told[KEY_END]].tobytes())
        self.classes: array[int] = told[CLASSES_AT : CLASSES_AT + told[CLASSES]]
        """The cards of each class of the shape."""
        begin, end = (MOVES_AT + MOVE * state[x] for x in (BEGUN, NEXT))
        self.sizes = state[begin + NUMBER : end : MOVE]
        """The number of cards of each hidden movement."""
        self.holes: list[int] = [0] * (2 * len(self.sizes))
        """Two positions of holes for each hidden movement, equal if there is only one."""
        self.holes[::2], self.holes[1::2] = (state[begin + x : end : MOVE] for x in (HOLE_ONE, HOLE_TWO))
        return self


def viewed(engine: SearchEngine, record: Sequence[int], viewer: int) -> View:
    """What a player knows of a hand whose record ends where that player is to choose.  Raises TooManyWaysError."""
    log = Log(engine)
    log.read(record)
    return View(engine, viewer, log).look()


class Worlds:
    """Draws worlds for one decision, and plays candidates in them.

    Their value is the points of `team` (a mask) minus `before` when all go on by `styles` (see `Setting`).
    """

    def __init__(
        self,
        machine: ScriptMachine,
        seen: View,
        first: int,
        team: int = 0,
        before: int = 0,
        styles: Sequence[int] = (),
    ) -> None:
        self._machine, self._first, self._seen = machine, first, seen
        self._sampler = Sampler(seen.shape, seen.classes, seen.sizes, machine.planner)
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
        record, as if they were of further movements.
        """
        sampler, seen, pack = self._sampler, self._seen, self._machine.packed
        words, known = pack(sampler.plan or []), sampler.known
        header = len(words)
        words += seen.words
        end = len(words)
        holes = [header + x for x in seen.holes]
        if header and sampler.certain:
            words += pack(sampler.certain)
            known = [*known, *sampler.certain]
            forced = [h for h in range(len(seen.sizes)) if seen.shape.by_rules >> h & 1]
            for i, h in enumerate(forced, end):
                words[holes[2 * h]] = PART_HOLE - i
                holes[2 * h : 2 * h + 2] = i, i
            holes += [holes[2 * h] for h in forced for _ in range(2)]
        first, shares, swaps = header + self._first, sampler.shares(), sampler.swaps()
        return Setting(words, header, first, end, team, before, styles, known, holes, shares, swaps)

    @property
    def found(self) -> list[World]:
        """All worlds found so far."""
        number = len(self._seen.sizes)
        for trial in self._trials:
            self._found += [World(x.stream, x.cards[:number]) for x in trial.worlds]
        self._trials.clear()
        return self._found

    def halved(
        self, choices: Sequence[int], rounds: Sequence[tuple[int, int]], sign: int, stream: Stream
    ) -> Trial:
        """Evaluate choices in rounds, numbers of worlds and of choices, as far as worlds are found."""
        return self._trial(choices, rounds, sign, stream)

    def tried(self, choices: Sequence[int], number: int, stream: Stream) -> list[Sums]:
        """Evaluate each choice in `number` worlds, or in as many as are found."""
        return self._trial(choices, [(number, len(choices))], 1, stream).sums

    def draw(self, number: int, stream: Stream) -> list[list[int]]:
        """Up to `number` worlds, as records without holes; `exact` then says whether they are uniform."""
        self._trial([], [(number, 0)], 1, stream)
        return [self._record(world.cards) for world in self.found[:number]]

    def _trial(
        self, choices: Sequence[int], rounds: Sequence[tuple[int, int]], sign: int, stream: Stream
    ) -> Trial:
        number = sum(worlds for worlds, _ in rounds)
        asked = [(worlds, alive, stream.word() >> 1) for worlds, alive in rounds]
        given: list[World] = []
        if not self._setting.header:
            drawn = [self._sampler.draw(stream) for _ in range(max(number, LOOSE_TRIES))]
            given = [World(stream.word() >> 1, tuple(x)) for x in drawn if x is not None]
        trial = self._machine.halved(
            self._setting, choices, asked, sign, max(LEAST_TRIES, TRIES * number), given
        )
        self.tries += trial.tries + len(given)
        self.exact = self.exact and not trial.swapped
        self._trials.append(trial)
        return trial

    def _record(self, masks: Sequence[int]) -> list[int]:
        record, holes = list(self._seen.words), self._seen.holes
        for i, mask in enumerate(masks):
            record[holes[2 * i]] = record[holes[2 * i + 1]] = mask
        return record[self._first :]
