"""The forms of statements and values with their meanings: for the language reference and for `explain`.

A test checks that the grammar has no others.
"""

from __future__ import annotations

from collections.abc import Iterator

STATEMENTS = (
    ("assignment", "trump becomes hearts"),
    ("conditional", "if x > 0:\n    do a\nelse if x = 0:\n    do b\nelse:\n    nothing happens"),
    ("for each player, clockwise from the dealer's left", "for p in players:\n    do a of p"),
    (
        "for each player, clockwise from a given seat",
        "for p in players, clockwise from dealer:\n    do a of p",
    ),
    ("anticlockwise", "for p in players, anticlockwise from dealer:\n    do a of p"),
    (
        "sorted by keys, ties broken by seat",
        "for p in players, highest over first, then clockwise from dealer:\n    do a of p",
    ),
    ("sorted by a key, ties unspecified", "for p in players, lowest score first, ties open:\n    do a of p"),
    (
        "sorted by keys, ties declared impossible (a runtime fault if there is one)",
        "for p in players, highest target first, lowest over first, ties impossible:\n    do a of p",
    ),
    ("for each number in a range", "for n in 1 to 4:\n    do a of n"),
    (
        "all players choose before any card moves",
        "for p in players, simultaneously:\n    p passes 3 cards of hand to left of p",
    ),
    ("a fixed number of times", "repeat hand-size times:\n    do trick"),
    (
        "until a condition holds, tested before each iteration",
        "repeat until trick is empty, at most 60 times:\n    do a",
    ),
    ("call a procedure", "do deal"),
    ("… with one argument", "do exchange-amounts of giver"),
    ("… with several arguments", "do exchange-returns(giver, taker)"),
    ("gather all cards in the deck and shuffle", "shuffle"),
    ("deal cards from the top of the deck", "deal 5 cards to hand of p"),
    ("deal the remaining cards", "deal the rest to kitty"),
    ("a player chooses cards and moves them", "p gives 3 cards of hand to left of p as gift(p, left of p)"),
    ("… up to a number", "p discards up to 3 cards of hand"),
    ("… between two numbers", "p discards between 1 and 3 cards of hand"),
    ("… any number", "p discards any number of cards of hand"),
    ("… that satisfy a condition", "p plays 1 card of hand with suit = led"),
    ("… without seeing them (at random)", "p draws 1 card of hand of left of p blindly"),
    ("a player moves computed cards, without a choice", "p returns gift(q, p) from hand to q"),
    ("show cards", "p shows kitty to everyone"),
    ("move cards without a player", "put trick from trick into discards"),
    ("a player chooses", "p chooses trump"),
    ("… from a set, or none", "p chooses trump from suits or none with trump != led"),
    ("… from a range", "p chooses bid of p from 0 to 13"),
    ("record an event", "announce trick: player leader, winner leader, cards trick"),
    ("end the deal now; its remaining steps are skipped", "the hand ends"),
    ("… and the same dealer deals again, without the steps between deals", "deal again"),
    ("end the match", "the match ends, won by players with the highest score"),
    ("do nothing", "nothing happens"),
)
"""What each statement does, with an example."""

VALUES = (
    ("a name; a number; a card; a truth value; none", "trump != none and x = 12 or c = AS and true"),
    ("a variable or rule of one argument", "played of p"),
    ("… of two arguments", "gift(giver, taker)"),
    ("a card's suit", "suit of c"),
    ("implicit subject: the player", "players with (player != dealer and tricks > 0)"),
    ("implicit subject: the card and its suit", "cards in hand with (card != QS and suit = led)"),
    ("sum, difference; union and difference of sets", "a + b - c"),
    ("product, integer quotient, remainder", "a * b div c mod 2"),
    ("negation of a number", "-over of p"),
    ("order of numbers and ranks", "a <= b"),
    ("equality of any values", "a != b"),
    ("membership", "AS in hand of p"),
    ("non-membership", "AS not in hand of p"),
    ("empty set", "trick is empty"),
    ("non-empty set", "trick is not empty"),
    ("negation", "not passed of p != false"),
    ("conjunction", "a = b and b = c"),
    ("disjunction", "a = b or b = c"),
    ("conditional value", "if a = b then 1 else 2"),
    ("all players", "players"),
    ("players that satisfy a condition", "players q in side of p other than p with tricks of q > 0"),
    ("cards that satisfy a condition", "cards c in hand of p with suit of c = led"),
    ("all suits, all ranks", "number of suits + number of ranks"),
    ("existence", "some player has tricks >= 9"),
    ("for all", "every card c in trick has suit of c = led"),
    ("non-existence", "no suit has suit = trump"),
    ("number of elements", "number of trick"),
    ("sum", "sum of score for players"),
    ("union", "union of hand for players"),
    ("maximum", "highest score among players"),
    ("minimum", "lowest rank among trick"),
    ("the players with the maximum (all that tie)", "players with the highest score among side of p"),
    ("the cards with the minimum (all that tie)", "cards with the lowest rank among hand of p"),
    ("the only element; any other size is a runtime fault", "only player in trick-winner"),
    (
        "in each suit the highest cards, as many as the pattern has",
        "highest of hand of p matching gift(q, p)",
    ),
    ("in each suit the lowest cards", "lowest of hand of p matching gift(q, p)"),
    (
        "of these, the cards that correspond to a part of the pattern",
        "highest of hand of p matching trick answering gift(q, p)",
    ),
    ("the first n by a key, ties in the order of the deck or of the seats", "top 3 of hand of p by rank"),
    ("the last n", "bottom 1 of players by score"),
    ("parentheses", "number of (players with passed) = 3"),
)
"""The meaning of each form of value, with an example."""


def forms_of_rules() -> Iterator[tuple[str, str]]:
    """The meaning and the example of each form of statement and value; `…` repeats the meaning before it."""
    whole = ""
    for meaning, example in (*STATEMENTS, *VALUES):
        whole = whole if meaning.startswith("…") else meaning
        yield meaning.replace("…", f"{whole},", 1), example
