"""Random streams for search: each depends only on its seed and is the same on every machine."""

from __future__ import annotations

GOLDEN, MIX_1, MIX_2, ALL = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, (1 << 64) - 1


def mixed(*words: int) -> int:
    """Hash numbers to 64 bits (the finaliser of splitmix64, word by word)."""
    x = 0
    for word in words:
        x = (x ^ word) + GOLDEN & ALL
        x = (x ^ x >> 30) * MIX_1 & ALL
        x = (x ^ x >> 27) * MIX_2 & ALL
        x ^= x >> 31
    return x


class Stream:
    """The splitmix64 generator (Steele, Lea and Flood 2014)."""

    __slots__ = ("at",)

    def __init__(self, begin: int) -> None:
        self.at = begin

    def word(self) -> int:
        """The next 64 bits."""
        self.at = (self.at + GOLDEN) & ALL
        x = self.at
        x = (x ^ x >> 30) * MIX_1 & ALL
        x = (x ^ x >> 27) * MIX_2 & ALL
        return x ^ x >> 31

    def below(self, number: int) -> int:
        """A uniform number from 0 to `number` - 1; `number` may have any length."""
        if number <= 1 << 32:
            return (self.word() >> 32) * number >> 32
        bits = number.bit_length()
        while True:
            drawn = 0
            for _ in range(0, bits, 64):
                drawn = drawn << 64 | self.word()
            drawn >>= -bits % 64
            if drawn < number:
                return drawn

    def shuffle(self, things: list[int]) -> None:
        """Shuffle a list in place, uniformly."""
        at = self.at
        for i in range(len(things) - 1, 0, -1):  # `below`, written out
            at = at + GOLDEN & ALL
            x = (at ^ at >> 30) * MIX_1 & ALL
            x = (x ^ x >> 27) * MIX_2 & ALL
            j = ((x ^ x >> 31) >> 32) * (i + 1) >> 32
            things[i], things[j] = things[j], things[i]
        self.at = at
