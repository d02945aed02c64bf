"""Plain English for the standard vocabulary of the prelude: only data, nothing about particular rulesets.

Names that are in none of these tables are worded from their form: `due-to` becomes "due to". In templates,
`{0}` and `{1}` stand for the players (or other values) that a name is applied to.
"""

from __future__ import annotations

ASPECTS = (
    "players",
    "deck",
    "deal",
    "targets",
    "exchange-amounts",
    "exchange-order",
    "exchange-returns",
    "exchange-timing",
    "trump",
    "kitty",
    "reveal",
    "lead",
    "follow",
    "trick-winner",
    "scoring",
    "payout",
    "end",
    "winner",
    "next-dealer",
)
"""The aspects by which rulesets are compared, in the contract's order; all but the first two are rules."""

SHARED = {
    "dealer": "the dealer",
    "leader": "the leader",
    "trump": "the trump suit",
    "led": "the suit led",
    "hand-size": "the number of tricks in the deal",
    "picked-up": "the cards picked up",
    "deck": "the deck",
    "kitty": "the kitty",
    "discards": "the discards",
    "trick": "the trick",
}
"""Variables and zones without an owner."""

OWNED = {
    "target": "target",
    "tricks": "tricks",
    "over": "result",
    "score": "score",
    "payout": "payout",
    "hand": "hand",
    "played": "card",
    "tricks-taken": "pile of tricks",
}
"""Variables and zones that each player has."""

PAIRS = {
    "gift": "the cards {0} gave {1}",
    "returned": "the cards {0} returned to {1}",
}
"""Variables indexed by two players."""

MEANINGS = {
    "dealer": "who deals; seat 0 in the first deal",
    "first-hand": "whether this is the first deal of the match",
    "trump": "the trump suit, or `none`",
    "target": "the number of tricks that a player has to take in the deal",
    "tricks": "the number of tricks that a player has won in the deal",
    "over": "a player's tricks minus their target, on which the next deal's exchange is based",
    "score": "a player's running score",
    "payout": "what a player is paid for the deal",
    "hand-size": "the number of tricks in the deal, set by `play`",
    "leader": "the player who leads to the current trick",
    "led": "the suit led to the current trick",
    "played": "the card that a player has played to the current trick",
    "gift": "the cards that one player has given another",
    "returned": "the cards that one player has returned to another",
    "picked-up": "the cards taken from the kitty",
    "deck": "the cards that are not yet dealt",
    "hand": "a player's hand",
    "kitty": "the cards set aside in the deal",
    "discards": "the cards out of play",
    "trick": "the cards of the current trick",
    "tricks-taken": "the cards of the tricks that a player has won",
    "under": "the number of tricks that a player was down",
    "to-give": "the number of cards that a player must give in the exchange",
    "to-receive": "the number of cards that a player receives in the exchange",
}
"""What variables, zones and rules without a heading mean, for whoever meets them in a file."""

RULE_NOUNS = {
    "under": "the number of tricks {0} {was} down{lately}",
    "to-give": "the number of cards {0} must give",
    "to-receive": "the number of cards {0} receives",
    "lead": "the player who leads first",
    "may-lead": "the cards {0} may lead",
    "follow": "the cards {0} may play",
    "trick-winner": "the winner of the trick",
    "winner": "the winner",
    "next-dealer": "the next dealer",
    "followed-suit": "the suit of {0}",
}
"""Value rules, as worded where another rule mentions them."""

SEVERAL = {
    "winner": "the winners",
    "trick-winner": "the winners of the trick",
}
"""The same where there may be several."""

PLACES = {
    "gift": "{0} gave {1}",
    "returned": "{0} returned to {1}",
    "may-lead": "{0} may lead",
    "follow": "{0} may play",
    "picked-up": "picked up",
}
"""The phrase that locates a card, after the word "card"."""

MEASURES = {
    "tricks": ("has taken", "have taken", "tricks"),
}
"""Numbers that are worded with a verb: singular, plural, unit."""

MOST = {
    ("tricks", True): "the most tricks",
    ("tricks", False): "the fewest tricks",
    ("over", True): "the most overtricks",
}
"""Superlatives that are not worded as "the highest …" or "the lowest …"."""

KEYS = {
    ("over", True): "most tricks up first",
    ("over", False): "most tricks down first",
    ("under", True): "most tricks down first",
    ("tricks", True): "most tricks first",
    ("tricks", False): "fewest tricks first",
    ("rank", True): "highest first",
    ("rank", False): "lowest first",
}
"""What comes first in an order."""

HEADINGS = {
    "match-start": "the start of the match",
    "hand": "the course of a deal",
    "between-hands": "between deals",
    "before-play": "everything before play",
    "play": "the play",
    "trick": "a trick",
    "after-trick": "after a trick",
    "deal": "the deal",
    "targets": "the targets",
    "exchange-timing": "before play",
    "exchange-order": "the exchange",
    "exchange-amounts": "passing cards",
    "exchange-returns": "returning cards",
    "trump": "the choice of trump",
    "kitty": "the kitty",
    "reveal": "the reveal",
    "lead": "the first lead",
    "may-lead": "what may be led",
    "others-play": "following to the trick",
    "follow": "following",
    "followed-suit": "the suit a card belongs to",
    "trick-winner": "the winner of a trick",
    "scoring": "the scoring",
    "payout": "the payout",
    "end": "the end of the match",
    "winner": "the winner",
    "next-dealer": "the next dealer",
}
"""The title of a rule, as a heading and in references to it."""

CALLS = {
    "after-trick": "whatever comes after a trick",
    "before-play": "everything before play is done",
    "deal": "the cards are dealt",
    "exchange-amounts": "{0} passes cards",
    "exchange-returns": "{1} returns cards to {0}",
    "exchange-timing": "whatever comes before play is done",
    "kitty": "the kitty is handled",
    "others-play": "the other players follow",
    "payout": "payouts are made",
    "play": "all tricks are played",
    "reveal": "cards are revealed as required",
    "scoring": "the deal is scored",
    "targets": "the targets are set",
    "trick": "play a trick",
    "trump": "trump is chosen",
}
"""Rules as worded where they are called; the heading of any other procedure "takes place"."""

OPENINGS = {
    "lead": ("the first trick is led", "by "),
    "trick-winner": ("the trick is won", "by "),
    "end": ("the match ends", "when "),
    "winner": ("the match is won", "by "),
    "next-dealer": ("the next dealer is", ""),
    "may-lead": ("the leader may lead", ""),
    "follow": ("a player who follows may play", ""),
    "followed-suit": ("the card belongs", "to "),
}
"""The opening of a value rule on the rule sheet: a clause, and the word before each of its values."""


WHEN = {
    "always": "whenever a player decides, and after every deal",
    "play-starts": "when play starts",
    "hand-ends": "at the end of every deal",
}
"""When an invariant must hold."""

STEPS = {
    "discard": ("discard", "discarding", "cards are discarded"),
    "take kitty": ("take the kitty", "taking the kitty", "the kitty is taken"),
    "give": ("give cards", "giving cards", "cards are given"),
    "return": ("return cards", "returning cards", "cards are returned"),
    "trump": ("choose trump", "choosing trump", "trump is chosen"),
    "show": ("show cards", "showing cards", "cards are shown"),
    "play": ("play to the first trick", "playing to the first trick", "the first trick is played"),
}
"""Moves of the standard vocabulary, as infinitive, gerund and clause."""

ROLES = {"taker": "receiver"}
"""Replacements for bound names of the standard rules."""


def plain(name: str) -> str:
    """A name as words."""
    return name.replace("-", " ")


def role(name: str) -> str:
    """A bound name of a player as words."""
    return plain(ROLES.get(name, name))
