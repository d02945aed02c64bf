"""Candidates tried in hands that are consistent with everything a player has seen.

Worlds are drawn and rejected unless the rules reproduce the record word by word, so that all consistent
worlds are equally likely (`exact`).  If too few are found, the others are made from them by swapping cards, or if there
is none, from the one that followed the record furthest (`simulate.script.exchanges`).
"""

from __future__ import annotations

from collections.abc import Sequence

from trickproof.information.knowledge import Knowledge
from trickproof.information.observation import HiddenMovement, Observation
from trickproof.information.record import PART_HOLE
from trickproof.information.stream import Stream
from trickproof.information.worlds import Sampler
from trickproof.simulate.script.machine import Packed, Round, ScriptMachine, Setting, Sums, Trial, World

TRIES, LEAST_TRIES = 200, 1_000
"""Maximum number of worlds drawn for each that is wanted, and for few."""

LOOSE_TRIES = 24
"""Minimum number of worlds drawn when they cannot be counted."""


class Worlds:
    """Draws worlds for one decision, and plays candidates in them.

    Their value is the points of `team` (a mask) minus `before` when all go on by `styles` (see `Setting`).  What was
    seen may be given `packed` as well.
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
        packed: Packed | None = None,
    ) -> None:
        self._machine, self._first, self._words = machine, first, seen.words
        self._packed: Packed = machine.packed(seen.words) if packed is None else packed
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
        first, sampler = self._first, self._sampler
        header, record = self._packed[:first], self._packed[first:]
        holes = [(m.words[0] - first, m.words[-1] - first) for m in self._hidden]
        known, plan = sampler.known, sampler.plan or ()
        if plan and sampler.certain:
            begin, number = len(header), len(sampler.certain)
            header, known = header + self._machine.packed(sampler.certain), [*known, *sampler.certain]
            forced = [h for h in range(sampler.number) if self._knowledge.by_rules >> h & 1]
            for i, h in enumerate(forced):
                record[holes[h][0]] = PART_HOLE - begin - i
                holes[h] = i - number, i - number
            holes += [holes[h] for h in forced]
        return Setting(
            header, record, holes, plan, known, sampler.shares(), team, before, styles, sampler.swaps()
        )

    @property
    def found(self) -> list[World]:
        """All worlds found so far."""
        number = len(self._hidden)
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
        asked = [Round(worlds, alive, stream.word() >> 1) for worlds, alive in rounds]
        given: list[World] = []
        if not self._setting.plan:
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
        record = self._words[self._first :]
        for movement, mask in zip(self._hidden, masks, strict=True):
            for word in movement.words:
                record[word - self._first] = mask
        return record
