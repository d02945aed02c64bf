"""Bids near a line through the strength of a hand: what greedy players choose when the rules ask them for a number.

The strength of a hand is the heights of its high cards, and the number of its trumps.  The coefficients of the
line for each choice are found by rollouts (`search.bids`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.decisions import Decision

HONOURS = 4
"""Number of ranks of a suit that count as high: the lowest of them 1, the next 2, and so on."""

UNIT = 64
"""What coefficients are divided by."""

Line = tuple[int, int, int]
"""For each point of high cards, for each trump, and at any rate; all zero if there is no line."""

NO_LINE: Line = (0, 0, 0)

PLAIN_LINE: Line = (16, 16, 0)
"""A trick for the highest rank, three quarters for the next, and so on, and a quarter for each trump."""


def bid_sites(program: c.Program) -> tuple[str, ...]:
    """The binders of the choices of a number in a deal, if every player has a hand by which to judge it."""
    zone = program.zones.get("hand")
    if zone is None or zone.of != (c.PLAYER,):
        return ()
    choices = (x for x in walk(program.hand) if isinstance(x, c.ChooseValue))
    return tuple(dict.fromkeys(x.binder for x in choices if x.value_type == c.INTEGER and not x.or_none))


def line_words(program: c.Program, lines: Mapping[str, Line]) -> list[int]:
    """The lines as policies of integer programs read them, after the parameters and readings."""
    return [word for binder in bid_sites(program) for word in lines.get(binder, NO_LINE)]


def strength(state: State, player: int) -> tuple[int, int]:
    """The points of a player's high cards, and the number of trumps."""
    program, hand = state.program, state.zones[("hand", player)]
    deck, trump = program.deck, program.variables.get("trump")
    low = max(len(deck.ranks) - HONOURS, 0)
    points = sum(max(deck.card_rank[x] - low + 1, 0) for x in hand)
    if trump is None or trump.type != c.SUIT or trump.of or (suit := state.variables[("trump",)]) is None:
        return points, 0
    return points, sum(deck.card_suit[x] == suit for x in hand)


def on_line(line: Line, points: int, trumps: int) -> int:
    """The number on a line for a hand."""
    return (line[0] * points + line[1] * trumps + line[2]) // UNIT


def nearest(number: int, options: Sequence[int]) -> int:
    """The option next to a number; the lower of two."""
    return min(options, key=lambda x: (abs(x - number), x))


def bid(lines: Mapping[str, Line], state: State, decision: Decision) -> int | None:
    """The number that a player chooses; None if there is no line for the choice."""
    line = lines.get(decision.binder, NO_LINE)
    if line == NO_LINE:
        return None
    return nearest(on_line(line, *strength(state, decision.player)), decision.legal)
