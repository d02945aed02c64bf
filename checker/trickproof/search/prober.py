"""What the rules would have allowed if a player had held other cards, evaluated in the hand as it was played.

Only choices that depend on no other non-public information are probed (`hand_that_decides`), so an answer
reveals nothing about anybody's cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from trickproof.information.record import Item, RecordForm
from trickproof.simulate.script.machine import Packed, ScriptMachine
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
        self._form, self._machine, self._answers = form, machine, answers
        self._record = record
        self._packed: Packed | None = None
        """The record as the machine reads it, once there is something to probe."""

    def zone(self, item: Item) -> str | None:
        """See `knowledge.Prober`."""
        node = item.site.node
        return self._form.decided_by(node) if isinstance(node, c.ChooseCards) else None

    def allowed(self, item: Item, hands: list[int]) -> list[int]:
        """See `knowledge.Prober`."""
        unknown = [hand for hand in dict.fromkeys(hands) if (item.at, hand) not in self._answers]
        if unknown:
            if self._packed is None:
                self._packed = self._machine.packed(self._record)
            answers = self._machine.probed(self._packed, self._form.first, item.at, unknown)
            for hand, answer in zip(unknown, answers, strict=True):
                self._answers[(item.at, hand)] = hand if answer is None else answer
        return [self._answers[(item.at, hand)] for hand in hands]
