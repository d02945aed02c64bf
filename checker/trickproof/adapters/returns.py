"""What a game that was played returns to each player.

Returns are one of

- `winners`: those who have won share 1, the others share -1 (all have 0 where nobody or everybody has won); after
  one hand of a match that goes on, those with the most points have won; a match broken off has no winners;
- `points`: the points of all hands together;
- `difference`: the points, less what all have on average.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trickproof.analysis.points import Amounts

RETURNS = ("winners", "points", "difference")


def shared(winners: Collection[int], players: int) -> Amounts:
    """1 shared by the winners, -1 by the others."""
    won, lost = len(winners), players - len(winners)
    if not won or not lost:
        return (0.0,) * players
    return tuple(1 / won if p in winners else -1 / lost for p in range(players))


def differences(points: Sequence[float]) -> Amounts:
    """What each has more than all have on average."""
    average = sum(points) / len(points)
    return tuple(x - average for x in points)


def most_of(points: Sequence[float]) -> frozenset[int]:
    """The players with the most."""
    return frozenset(p for p, x in enumerate(points) if x == max(points))
