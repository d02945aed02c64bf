"""What a hand is worth to each player, in the words that all rulesets share.

Points of a hand are `over` (tricks minus target) where the rules keep it, else what `score` changed by, else `tricks`;
where the player with the fewest wins the match, their sign is turned.
"""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import walk

POINTS = ("over", "score", "tricks")
"""Variables that a hand can be judged by, the best first."""

MOST_SCORED = 1000
"""Points that a hand is taken to change scores by at most, unless the user says otherwise."""

Amounts = tuple[float, ...]
"""By player."""


@dataclass(frozen=True)
class Points:
    """How points are counted: `variable` (None where the rules keep none), its change or its value, its sign."""

    variable: str | None
    change: bool
    sign: int
    most: int

    def at(self, state: State) -> Amounts:
        """The value of the variable by player."""
        players = range(state.program.players)
        if self.variable is None:
            return (0.0,) * len(players)
        return tuple(float(state.variable(self.variable, p)) for p in players)

    def of_hand(self, before: Amounts, state: State) -> Amounts:
        """Points of the hand that has just ended, no more than `most` either way."""
        now = self.at(state)
        points = (x - y for x, y in zip(now, before, strict=True)) if self.change else now
        return tuple(max(-float(self.most), min(float(self.most), self.sign * x)) + 0.0 for x in points)


def points_of(program: c.Program, most: int | None = None) -> Points:
    """How points are counted in a program; `most` are the points of a hand at most."""
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
    """Whether the rules name those as winners who have least of it."""
    bests = [
        best
        for end in walk(program.setup, program.hand, program.between)
        if isinstance(end, c.EndMatch)
        for best in walk(end.winners)
        if isinstance(best, c.Best)
        and any(isinstance(x, c.Variable) and x.name == variable for x in walk(best.key))
    ]
    return bool(bests) and not any(best.highest for best in bests)
