"""Plays matches interleaved, falling back to one by one where they get stuck."""

from __future__ import annotations

from collections.abc import Callable

from trickproof.simulate.ir.calling_convention import (
    END,
    HANDS,
    LANES,
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
"""Takes `io` and totals, and returns both."""

PATIENCE = 50
"""Rounds per stuck round (after an initial allowance) below which interleaving is abandoned."""

OWN = {"m.match": MATCH, "m.number": NUMBER, "m.stream": STREAM}
"""Position of a lane's words in the `io` of a single match."""


class Lanes:
    """Plays matches with a routine for several (`together`) and one for a single match (`one`)."""

    def __init__(self, facts: Facts, together: Call, one: Call, step: int) -> None:
        self.facts, self.together, self.one, self.step = facts, together, one, step

    def play(
        self, io: list[int], totals: list[int], hands: int, tell: Callable[[int], None]
    ) -> tuple[list[int], int, bool]:
        """`io` as for one match; returns totals, hands begun, and whether all matches were played to their ends."""
        lanes = [*io[:STATE], *[0] * (len(LANES) * self.facts.lane_size)]
        remaining, rounds, stuck = hands, 0, 0
        while remaining >= len(LANES) and lanes[NEXT] < io[END]:
            lanes[HANDS] = begun = min(self.step, remaining)
            lanes, totals = self.together(lanes, totals)
            remaining -= begun - lanes[HANDS]
            rounds += (begun - lanes[HANDS]) // len(LANES)
            tell(hands - remaining)
            if not lanes[STOPPED]:
                if begun - lanes[HANDS] == 0:
                    break
                continue
            stuck += 1
            if stuck * PATIENCE > rounds + 10 * PATIENCE:
                break
            for lane in range(len(LANES)):
                if remaining > 0:
                    totals, played = self._alone(lanes, lane, totals, 1, io[END])
                    remaining -= played
        for lane in range(len(LANES)):
            while remaining > 0 and (lanes[NEXT] < io[END] or self._number(lanes, lane)):
                totals, played = self._alone(lanes, lane, totals, min(self.step, remaining), io[END])
                remaining -= played
                tell(hands - remaining)
        ended = lanes[NEXT] >= io[END] and not any(self._number(lanes, lane) for lane in range(len(LANES)))
        return totals, hands - remaining, ended

    def _at(self, lane: int) -> int:
        return STATE + lane * self.facts.lane_size

    def _number(self, lanes: list[int], lane: int) -> int:
        return lanes[self._at(lane) + OWN_WORDS.index("m.number")]

    def _alone(
        self, lanes: list[int], lane: int, totals: list[int], hands: int, last: int
    ) -> tuple[list[int], int]:
        """Continue one lane by itself, and store its state back."""
        at, words = self._at(lane), len(OWN_WORDS)
        single = [*lanes[:STATE], *lanes[at + words : at + self.facts.lane_size]]
        for i, word in enumerate(OWN_WORDS):
            single[OWN[word]] = lanes[at + i]
        single[HANDS], single[END] = hands, last
        single, totals = self.one(single, totals)
        lanes[NEXT] = single[NEXT]
        for i, word in enumerate(OWN_WORDS):
            lanes[at + i] = single[OWN[word]]
        lanes[at + words : at + self.facts.lane_size] = single[STATE:]
        return totals, hands - single[HANDS]
