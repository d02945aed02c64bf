"""Plays matches two at a time, and what pairs cannot play one by one."""

from __future__ import annotations

from collections.abc import Callable

from trickproof.simulate.calling import (
    END,
    HANDS,
    MATCH,
    NEXT,
    NUMBER,
    OWN_WORDS,
    STATE,
    STOPPED,
    STREAM,
    Facts,
)

Call = Callable[[list[int], list[int]], tuple[list[int], list[int]]]
"""Takes `io` and totals, and gives both back."""

PATIENCE = 50
"""A pair may be stuck once in so many rounds."""

OWN = {"m.match": MATCH, "m.number": NUMBER, "m.stream": STREAM}
"""Where the words of a lane lie in the `io` of one match."""


class Pairing:
    """Matches `first` to `last` with two lanes; `whole` says whether all were played within the hands."""

    def __init__(self, facts: Facts, two: Call, one: Call, step: int) -> None:
        self.facts, self.two, self.one, self.step = facts, two, one, step

    def play(
        self, io: list[int], totals: list[int], hands: int, tell: Callable[[int], None]
    ) -> tuple[list[int], int, bool]:
        """`io` as for one match; answers totals, hands begun, and whether all matches were played to their ends."""
        both = [*io[:STATE], *[0] * (2 * self.facts.lane_size)]
        left, rounds, stuck = hands, 0, 0
        while left > 1 and both[NEXT] < io[END]:
            both[HANDS] = begun = min(self.step, left)
            both, totals = self.two(both, totals)
            left -= begun - both[HANDS]
            rounds += (begun - both[HANDS]) // 2
            tell(hands - left)
            if not both[STOPPED]:
                if begun - both[HANDS] == 0:
                    break
                continue
            stuck += 1
            if stuck * PATIENCE > rounds + 10 * PATIENCE:
                break
            for lane in range(2):
                if left > 0:
                    totals, played = self._alone(both, lane, totals, 1, io[END])
                    left -= played
        for lane in range(2):
            while left > 0 and (both[NEXT] < io[END] or self._number(both, lane)):
                totals, played = self._alone(both, lane, totals, min(self.step, left), io[END])
                left -= played
                tell(hands - left)
        ended = both[NEXT] >= io[END] and not any(self._number(both, lane) for lane in range(2))
        return totals, hands - left, ended

    def _at(self, lane: int) -> int:
        return STATE + lane * self.facts.lane_size

    def _number(self, both: list[int], lane: int) -> int:
        return both[self._at(lane) + OWN_WORDS.index("m.number")]

    def _alone(
        self, both: list[int], lane: int, totals: list[int], hands: int, last: int
    ) -> tuple[list[int], int]:
        """Plays on with one lane; its state is put back."""
        at, words = self._at(lane), len(OWN_WORDS)
        single = [*both[:STATE], *both[at + words : at + self.facts.lane_size]]
        for i, word in enumerate(OWN_WORDS):
            single[OWN[word]] = both[at + i]
        single[HANDS], single[END] = hands, last
        single, totals = self.one(single, totals)
        both[NEXT] = single[NEXT]
        for i, word in enumerate(OWN_WORDS):
            both[at + i] = single[OWN[word]]
        both[at + words : at + self.facts.lane_size] = single[STATE:]
        return totals, hands - single[HANDS]
