"""The value of a deal to each player, in terms common to all rulesets.

The points of a deal are `over` (tricks minus target) if the rules use it, otherwise the change in `score`,
otherwise `tricks`; they are negated if the player with the fewest wins the match.
"""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import walk

POINTS = ("over", "score", "tricks")
"""Variables by which a deal can be judged, best first."""

MOST_SCORED = 1000
"""The assumed maximum by which a deal changes scores, unless the user specifies one."""

Amounts = tuple[float, ...]
"""One value per player."""


@dataclass(frozen=True)
class Points:
    """How points are counted: the `variable` (None if the rules have none), its change or its value, and its sign."""

    variable: str | None
    change: bool
    sign: int
    most: int

    def at(self, state: State) -> Amounts:
        """The value of the variable for each player."""
        players = range(state.program.players)
        if self.variable is None:
            return (0.0,) * len(players)
        return tuple(float(state.variable(self.variable, p)) for p in players)

    def of_hand(self, before: Amounts, state: State) -> Amounts:
        """Points of the deal that has just ended, clamped to `most` in either direction."""
        now = self.at(state)
        points = (x - y for x, y in zip(now, before, strict=True)) if self.change else now
        return tuple(max(-float(self.most), min(float(self.most), self.sign * x)) + 0.0 for x in points)


def points_of(program: c.Program, most: int | None = None) -> Points:
    """How points are counted in a program; `most` overrides the maximum number of points per deal."""
    assigned = {x.variable for x in walk(program.hand) if isinstance(x, c.Assign)}
    for name in POINTS:
        info = program.variables.get(name)
        if name in assigned and info is not None and info.of == (c.PLAYER,) and info.type == c.INTEGER:
            score = name == "score"
            usual = MOST_SCORED if score else len(program.deck.cards)
            return Points(
                name, score and info.carried, -1 if _fewest_wins(program, name) else 1, most or usual
            )
    return Points(None, False, 1, most or 1)


def _fewest_wins(program: c.Program, variable: str) -> bool:
    """Whether the rules name as winners the players with the least of a variable."""
    bests = [
        best
        for end in walk(*program.phases)
        if isinstance(end, c.EndMatch)
        for best in walk(end.winners)
        if isinstance(best, c.Best)
        and any(isinstance(x, c.Variable) and x.name == variable for x in walk(best.key))
    ]
    return bool(bests) and not any(best.highest for best in bests)
