"""What the rules would have allowed if a player had held other cards, evaluated in the hand as it was played.

Only choices that depend on no other non-public information are probed (`hand_that_decides`), so an answer
reveals nothing about anybody's cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from trickproof.information.record import HOLE, Item, RecordForm
from trickproof.simulate.script.machine import Job, ScriptMachine
from trickproof_dsl import core as c


class RecordProber:
    """Probes one hand; answers are memoised."""

    def __init__(
        self,
        form: RecordForm,
        machine: ScriptMachine,
        record: Sequence[int],
        answers: dict[tuple[int, int], int],
    ) -> None:
        first = form.first
        self._form, self._machine, self._answers = form, machine, answers
        self._header, self._items, self._first = record[:first], record[first:], first

    def zone(self, item: Item) -> str | None:
        """See `knowledge.Prober`."""
        node = item.site.node
        return self._form.decided_by(node) if isinstance(node, c.ChooseCards) else None

    def allowed(self, item: Item, hands: list[int]) -> list[int]:
        """See `knowledge.Prober`."""
        unknown = [hand for hand in dict.fromkeys(hands) if (item.at, hand) not in self._answers]
        if unknown:
            jobs = [Job(0, HOLE, 0, item.at - self._first, hand) for hand in unknown]
            for hand, result in zip(
                unknown, self._machine.play(self._header, [self._items], jobs), strict=True
            ):
                self._answers[(item.at, hand)] = result.answer if result.answered else hand
        return [self._answers[(item.at, hand)] for hand in hands]
