"""The source of chance, and the deck order that it produces."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import shake_128

from trickproof_dsl.semantics.values import DECK, Key


@dataclass(frozen=True, slots=True)
class Chance:
    """The source of chance: a seed, or `given` cards by place (dealt in order).

    Cards given for the deck are its order, top first, once all other given cards are dealt.  `shuffles`
    counts shuffles; `dealt` records what went where since the last one, each deal in order of index.
    """

    seed: int = 0
    given: Mapping[Key, tuple[int, ...]] | None = None
    shuffles: int = 0
    dealt: Mapping[Key, tuple[int, ...]] = field(default_factory=dict)

    def shuffled(self, cards: int) -> tuple[int, ...]:
        """The deck after the next shuffle, top first: reproducible from the seed on any machine and Python version."""
        if self.given is not None:
            top = self.given.get((DECK,), ())
            return (*top, *(card for card in range(cards) if card not in top))
        digest = shake_128(f"{self.seed}/{self.shuffles}".encode()).digest(8 * cards)
        keys = struct.unpack(f"<{cards}Q", digest)
        return tuple(sorted(range(cards), key=keys.__getitem__))
