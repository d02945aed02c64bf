"""What the rules would have allowed if a player had held other cards, evaluated in the hand as it was played.

Only choices that depend on no other non-public information are probed (`hand_that_decides`), so an answer
reveals nothing about anybody's cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from trickproof.information.record import Item, RecordForm
from trickproof.simulate.script.machine import PROBES, Packed, ScriptMachine
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
        self._script: Packed = machine.packed([0] * (PROBES + 1))
        self.read(record)

    def read(self, record: Sequence[int]) -> None:
        """Read what has been added to the record."""
        script = self._script
        script.pop()
        script += self._machine.packed(record[len(script) - PROBES :])
        script.append(0)

    def zone(self, item: Item) -> str | None:
        """See `knowledge.Prober`."""
        node = item.site.node
        return self._form.decided_by(node) if isinstance(node, c.ChooseCards) else None

    def allowed(self, item: Item, hands: list[int]) -> list[int]:
        """See `knowledge.Prober`."""
        known, at = self._answers, item.at
        unknown = [hand for hand in hands if (at, hand) not in known]
        if unknown:
            answers = self._machine.probed(self._script, self._form.first, at, unknown)
            for hand, answer in zip(unknown, answers, strict=True):
                known[at, hand] = hand if answer is None else answer
        return [known[at, hand] for hand in hands]
