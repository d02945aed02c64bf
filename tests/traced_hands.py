"""Reads the traces of hands that the simulator writes for comparisons (`simulate/lowering/trace.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.lowering.trace import CARDS, DEALT, HAND, LEFT, STATE, VALUE


@dataclass(frozen=True)
class TracedHand:
    """One hand: its match and number, and its notes in order."""

    match: int
    number: int
    notes: tuple[tuple[int, ...], ...]


def read(layout: DataLayout, words: Sequence[int]) -> Iterator[TracedHand]:
    """Split a trace into hands."""
    sizes = {HAND: 3, DEALT: 4, CARDS: 6, VALUE: 6, STATE: 1 + len(layout.entries), LEFT: 3}
    at, hand = 0, (0, 0)
    notes: list[tuple[int, ...]] = []
    while at < len(words):
        size = sizes[words[at]]
        note = tuple(words[at : at + size])
        at += size
        if note[0] == HAND:
            if notes:
                yield TracedHand(*hand, tuple(notes))
            hand, notes = (note[1], note[2]), []
        else:
            notes.append(note)
    if notes:
        yield TracedHand(*hand, tuple(notes))
