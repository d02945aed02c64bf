"""The returns of a finished game for each player.

Returns are one of

- `winners`: the winners share 1, the others share -1 (all get 0 if nobody or everybody has won); after a single deal of
  a match that continues, the players with the most points win; an unfinished match has no winners;
- `points`: the total points of all deals;
- `difference`: the points minus the average of all players.
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
    """Each player's difference from the average."""
    average = sum(points) / len(points)
    return tuple(x - average for x in points)


def most_of(points: Sequence[float]) -> frozenset[int]:
    """The players with the most points."""
    return frozenset(p for p, x in enumerate(points) if x == max(points))
