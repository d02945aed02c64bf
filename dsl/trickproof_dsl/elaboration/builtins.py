"""The built-in functions of rule text: what they are applied to, and what they mean in words."""

from __future__ import annotations

from trickproof_dsl import core as c

FUNCTIONS: dict[str, tuple[c.Type, ...]] = {
    "left": (c.PLAYER,),
    "right": (c.PLAYER,),
    "opposite": (c.PLAYER,),
    "partner": (c.PLAYER,),
    "team": (c.PLAYER,),
    "suit": (c.CARD,),
    "rank": (c.CARD,),
    "height": (c.CARD,),
    "larger": (c.INTEGER, c.INTEGER),
    "smaller": (c.INTEGER, c.INTEGER),
}

MEANINGS = {
    "left": "the next player clockwise",
    "right": "the next player anticlockwise",
    "opposite": "the player half way round",
    "partner": "the other player of the team; needs teams of two",
    "team": "the player's team; needs teams",
    "suit": "the suit of a card",
    "rank": "the rank of a card, compared in the order of the deck",
    "height": "the rank as a number, 0 for the lowest of the deck",
    "larger": "the larger of two numbers",
    "smaller": "the smaller of two numbers",
}

SYNONYMS = {
    "a": "1",
    "an": "1",
    "one": "1",
    "max": "larger",
    "min": "smaller",
    "nobody": "none",
    "nothing": "none",
}
"""What people write who have not met the words of the language, and what they mean."""
