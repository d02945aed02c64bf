"""The built-in functions of rule text: parameter types, result type and description."""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl import core as c


@dataclass(frozen=True, slots=True)
class Builtin:
    """A function of the language; `names.py` translates its calls to the core."""

    takes: tuple[c.Type, ...]
    gives: c.Type
    meaning: str


BUILTINS: dict[str, Builtin] = {
    "left": Builtin((c.PLAYER,), c.PLAYER, "the next player clockwise"),
    "right": Builtin((c.PLAYER,), c.PLAYER, "the next player anticlockwise"),
    "opposite": Builtin((c.PLAYER,), c.PLAYER, "the player half way round"),
    "partner": Builtin((c.PLAYER,), c.PLAYER, "the other player of the team; needs teams of two"),
    "team": Builtin((c.PLAYER,), c.TEAM, "the player's team; needs teams"),
    "suit": Builtin((c.CARD,), c.SUIT, "the suit of a card"),
    "rank": Builtin((c.CARD,), c.RANK, "the rank of a card, compared in the order of the deck"),
    "height": Builtin((c.CARD,), c.INTEGER, "the rank as a number, 0 for the lowest of the deck"),
    "larger": Builtin((c.INTEGER, c.INTEGER), c.INTEGER, "the larger of two numbers"),
    "smaller": Builtin((c.INTEGER, c.INTEGER), c.INTEGER, "the smaller of two numbers"),
}

SYNONYMS = {
    "a": "1",
    "always": "true",
    "an": "1",
    "never": "false",
    "one": "1",
    "down": "under",
    "first-deal": "first-hand",
    "max": "larger",
    "min": "smaller",
    "nobody": "none",
    "nothing": "none",
    "pass": "nothing happens",
    "points": "score",
    "skip": "nothing happens",
    **dict.fromkeys(
        ("eldest", "eldest-hand", "elder", "forehand", "first-player", "dealers-left"), "left of dealer"
    ),
    **dict.fromkeys(("dealers-right", "rearhand", "youngest"), "right of dealer"),
}
"""Words commonly used by people who do not know the language's own, with their equivalents."""
