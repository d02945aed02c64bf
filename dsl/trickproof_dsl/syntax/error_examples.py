"""Common mistakes in rule text, by example, each with a hint.

An example is a text that the grammar rejects; a user's text that is rejected in the same parser state, at the
same kind of token, gets the same hint.  The names in the examples do not matter, nor whether it is one card or several.  To add one: put the text
under its hint; tests/dsl/syntax/test_error_examples.py has the resulting messages.
"""

from __future__ import annotations

import re

from trickproof_dsl.syntax.plain_words import NUMBERS

USUAL_RULES: dict[str, tuple[str, ...]] = {
    "deal": ("for p in players:", "deal 13 cards to hand of p"),
    "lead": ("left of dealer",),
    "follow": ("if some card in hand has suit = led then cards in hand with suit = led else hand",),
    "trick-winner": ("players with the highest rank of played among players with suit of played = led",),
    "scoring": ("for p in players:", "score of p becomes score of p + tricks of p"),
    "end": ("some player has score >= 30",),
    "winner": ("players with the highest score",),
    "next-dealer": ("left of dealer",),
}
"""The rules that every game needs as they usually are: a line, and one indented below it."""

WITH_TRUMPS = f"{USUAL_RULES['trick-winner'][0].removesuffix('led')}(if some player has suit of played = trump then trump else led)"
"""The usual rule `trick-winner` in a game with trumps."""

_FOR, _SCORE = USUAL_RULES["scoring"]
FOR_EACH = f"write `{_FOR}` with a line below it such as `{_SCORE}`"

COUNTED = (
    "count deals in a variable: `deals: {type: integer, carried: true}` under `state:`, "
    "`deals becomes deals + 1` as the first line of the rule `scoring`, and then `deals = 10`"
)

WHO = "players are named by their seats: `dealer`, `left of dealer`, `right of dealer`; in the block of `for p in players:`, `p`"

_COUNT = re.compile(
    rf"\b(?:(?:after|number of|\d+|{'|'.join(NUMBERS)}) (?:deals|hands|rounds)\b(?! of)"
    r"|(?:deals?|hands|rounds)(?: number| count)?(?: (?:are|been|have|were))* (?:[<>=]|played|dealt))"
)
"""A number of deals."""

ONE_EQUALS = "compare with one `=`; to change a variable write `becomes`"

WHICH_CARDS = "say which cards, as in `p plays 1 card of hand`; to compare, write `=`"

WHICH_PLAYER = "write `players with …`, or for one player `only player in (players with …)`"

SOME_PLAYER = "write `some player has …`, `every player has …` or `no player has …`"

BOTH_PARTS = "a value needs both parts: `if … then … else …`"

ERROR_EXAMPLES: dict[str, list[str]] = {
    FOR_EACH: ["every player a b\n", "every player a 1 card of b\n"],
    "multiply, as in `giver gives (2 * over of giver) cards of hand to taker`": ["p gives 2 cards for each a to b\n", "p gives 2 cards of a for each b to c\n"],
    "write `becomes` to change a variable": ["for p in a:\n    x = 1\n", "x := 1\n"],
    "a rule is one value, or statements: to change a variable write `becomes`": [
        "a = b\nc = d\n",
        "a = b\ndo c\n",
    ],
    "each statement begins on a line of its own": [
        "x becomes y, z becomes w\n",
        "do x, do y\n",
        "shuffle, deal the rest to a\n",
        "p plays a and plays b\n",
        "p plays 1 card of a and plays b\n",
    ],
    "say again what is compared, as in `tricks > 3 and tricks < 8`": ["a > 1 and < 2\n", "a > 1 or < 2\n"],
    WHICH_CARDS: ["p plays\n"],
    "say what is compared, as in `tricks of p >= 10` or `some player has tricks >= 10`": [
        "some player has >= 10 a\n",
        "some player has 10 a\n",
        "players with 10 a\n",
        "if some player has 10 a:\n    do x\n",
        "players with >= 10 a\n",
    ],
    "say `has`, as in `every player has tricks > 3`": ["some player a > 1\n"],
    "say what the cards have, as in `(no card in hand has rank = ace)`": [
        "if some player has no card of a b:\n    do x\n",
    ],
    "write `of` between a thing and whose it is, as in `target of left of dealer`": ["x y of p becomes 1\n"],
    "first what, then whose: `tricks of dealer`": ["x y becomes 1\n"],
    "only lines with `if`, `else`, `for` and `repeat` end with `:`": ["do x\ny:\n    do z\n"],
    "deal in a block: `for p in players:`, and in it `deal 16 cards to hand of p`": [
        "deal 3 cards to each player\n",
        "deal 3 cards to every player\n",
        "deal 3 cards each to a\n",
    ],
    "end the line with `:` and indent what follows": [
        "if a = b\n    do x\n",
        "if a = b:\n    do x\nelse if c = d\n    do x\n",
        "for p in players\n    do x\n",
        "for p in players, clockwise from a\n    do x\n",
        "for p in players with a = b\n    do x\n",
        "repeat 3 times\n    do x\n",
        "repeat until a = b\n    do x\n",
        "if a = b:\n    do x\nelse\n    do y\n",
    ],
    "indent the block under the `:`": ["if a:\ndo x\n", "for p in players:\ndo x\n"],
    "what follows the `:` begins on a line of its own, indented": [
        "if a: x becomes b\n",
        "if a: do x\n",
        "for p in players: do x\n",
        "for p in players: deal 3 cards to b\n",
        "if a:\n    do x\nelse: do y\n",
        "if a:\n    do x\nelse: x becomes y\n",
    ],
    BOTH_PARTS: ["if a then b\n"],
    "`then` makes a value; statements go in a block: `if …:`, then indented lines": [
        "if a then b becomes c\n",
        "if a then do b\n",
        "if a then put b into c\n",
        "if a then p plays 1 card of b\n",
        "for p in players:\n    if tricks of p > 6 then score of p becomes 1\n",
        "a becomes b\nif tricks of p > 6 then score of p becomes 1\n",
    ],
    "a condition comes first: `if …:` and a block, or `x becomes if … then … else …`": [
        "x becomes y if a = b\n",
        "x of p becomes y of p + 10 if a = b\n",
        "do x if a\n",
        "put x into y if a\n",
    ],
    "put the whole condition in brackets: `with (… and …)`": [
        "for p in players with a and b:\n    do x\n",
        "for p in players with a or b:\n    do x\n",
        "p plays 1 card of a with b = c and d = e\n",
        "p plays 1 card of a with b = c or d = e\n",
        "p chooses a with b = c and d = e\n",
        "p chooses a with b = c or d = e\n",
        "p chooses a from b with c = d and e = f\n",
        "p chooses a from b with c = d or e = f\n",
        "p discards cards in a with b = c or d = e\n",
        "put cards in a with b = c and d = e into f\n",
        "put cards in a with b = c or d = e into f\n",
    ],
    "put it in brackets: `with (not …)`": [
        "players with not a\n",
        "cards in a with not b\n",
        "for p in players with not a:\n    do x\n",
        "p plays 1 card of a with not b\n",
        "p chooses a with not b\n",
        "p chooses a from b with not c\n",
    ],
    "put it in brackets: `has (not …)`": ["some player has not a\n", "every card in a has not b\n"],
    "compare with `=` or `!=`; to change a variable write `becomes`": ["a of p is 1\n", "a is b\n", "if a of p is 1:\n    do x\n", "if a is b:\n    do x\n", "a is not b\n"],
    "for cards write `AS in hand of p` or `no card in hand of p has rank = ace`; for a number compare: `tricks of p = 0`": ["if p has AS:\n    do x\n", "p has AS\n"],
    SOME_PLAYER: ["if a player has b = 1:\n    do x\n", "a player has b = 1\n", "if any player has b = 1:\n    do x\n"],
    "say which first: `cards in hand with …`": ["cards with a = b\n", "cards with suit = a in b\n"],
    "write `cards with the highest rank among hand`": ["highest card in a\n", "highest card of a\n", "lowest card of a\n"],
    "the condition comes first: `if … then … else …`": ["a if b = c else d\n", "a of p if b = c else d of p\n", "1 if b = c else d\n"],
    "say `the highest` or `the lowest`": ["players with highest a\n", "players with lowest a\n", "players with the most a\n", "players with most a\n", "cards with most a\n"],
    "say for which: `sum of points for tricks-taken of p`": ["sum of a\n", "sum of a + b\n"],
    "write `only player in players with …`": ["only player with a\n"],
    WHICH_PLAYER: ["player with a = b\n"],
    "say `clockwise from …` after a comma": ["for p in players from a:\n    do x\n", "for p in players clockwise from a:\n    do x\n"],
    "say `highest … first`": ["for p in players, highest x:\n    do y\n"],
    "write `for p in players:`": ["for each player p:\n    do x\n", "for every p in players:\n    do x\n", "for all players p:\n    do x\n", "for each p in players:\n    do x\n", "for p in all players:\n    do x\n"],
    "write `repeat 3 times:` or `repeat until …:`": ["3 times:\n    do x\n", "repeat 3:\n    do x\n", "repeat while a:\n    do x\n"],
    "say where to: `deal 16 cards to hand of p`": ["deal 16 cards\n", "deal the rest\n"],
    "write `put trick into discards`": ["put a to b\n", "put a in b\n"],
    "write `chooses trump from suits or none`": ["p chooses a or none\n"],
    "write `chooses bid of p from 1 to 13`": ["p chooses a between 1 and 13\n", "p chooses a of p between 1 and 13\n"],
    "cards are picked by a move, as in `p discards 3 cards of hand`": ["p chooses 1 card of a\n"],
    "write `1 card of hand`": ["p plays 1 card from hand\n", "p plays card of hand\n", "p plays any card of hand\n"],
    "say which cards: `3 cards of hand`": ["p gives 3 cards to a\n", "p plays 1 card\n", "p gives 3 cards\n"],
    "write `the match ends`": ["end match\n", "end the match\n"],
    "write `the match ends, won by …`": ["the match ends, winner a\n", "the match ends with a\n", "the match ends won by a\n"],
}  # fmt: skip

FOREIGN_WORDS: dict[str, str] = {
    "otherwise": "write `else:`",
    "elif": "write `else if …:`",
    "elsif": "write `else if …:`",
    "elseif": "write `else if …:`",
    "unless": "write `if not (…):`",
    "while": "write `repeat until …:`",
    "foreach": "write `for p in players:`",
    "who": "write `players with …`",
    "whose": "write `players with …`",
    "each": FOR_EACH,
    "any": "write `some player has …`",
    "anybody": "write `some player has …`",
    "somebody": "write `some player has …`",
    "everybody": "write `every player has …`",
    "anyone": "write `some player has …`",
    "someone": "write `some player has …`",
    "everyone": "write `every player has …`",
    "nobody": "write `no player has …`",
    "whoever": "write `players with …`",
    "may": "write it as a choice: `p discards up to 3 cards of hand`, or `p chooses x` with a boolean `x`",
    "must": "leave out `must`: players do what the rule says, as in `p discards 4 cards of hand`",
    "can": "write it as a choice: `p discards up to 3 cards of hand`, or `p chooses x` with a boolean `x`",
    "set": "write `x becomes …`",
    "let": "write `x becomes …`",
    "return": "write the value alone",
    "add": "write `x becomes x + …`",
    "subtract": "write `x becomes x - …`",
    "increase": "write `x becomes x + …`",
    "decrease": "write `x becomes x - …`",
    "more": "write `>`",
    "fewer": "write `<`",
    "less": "write `<`",
    "so": "write `with` and a condition, as in `p chooses bid of p from 0 to 13 with (sum of bid for players) != 13`",
    "plus": "write `+`",
    "minus": "write `-`",
}
"""Words that the language does not have in that position, and what people mean by them."""

FOLLOW_SUIT = f"`follow` is `{USUAL_RULES['follow'][0]}`"
LEADS = "`if some card in hand has suit != hearts then cards in hand with suit != hearts else hand`"
MAY_LEAD = f"which cards may be led is the rule `may-lead`, such as {LEADS}"
MAY_PLAY = "which cards may be played is the rule `follow`, or for the first card of a trick `may-lead`"
FIRST_TRICK = "for the first trick write `every player has tricks = 0`"
FIRST_DEAL = "for the first deal write `first-hand`, as in `if first-hand:` or `if not first-hand:`"
TRICK_WON = (
    "the winner of a trick is `leader` once the trick is over, as in `score of leader becomes score of leader + 2`; "
    "the rule `trick-winner` says who wins it"
)
LAST_TRICK = (
    "once the last trick is over, `leader` is its winner, as in `score of leader becomes score of leader + 2`; "
    "in the rule `after-trick` it is the last `if hand of leader is empty:`"
)
WHO_WON = (
    "say what makes a player win or lose, as in `players with the lowest score`; "
    "for a single player, `only player in (players with the lowest score)`"
)
TURNED_UP = (
    "deal that card to a zone of its own: in `deal`, `deal 1 card to turned`, with `turned: {seen-by: everyone}` "
    "under `zones:`; then `trump becomes suit of only card in turned`"
)
NOT_ALL = (
    "say which cards may be chosen, as in `dealer discards 4 cards of hand with rank != ace`; "
    "which may be played is said by `follow` and `may-lead`"
)
LAST_TRUMP = (
    "keep the suit in a variable, `last-trump: {type: suit, carried: true}` under `state:`; then "
    "`dealer chooses trump from suits with trump != last-trump` and `last-trump becomes trump`"
)
IF_ENOUGH = (
    "write `if number of (cards in hand of dealer with suit != trump) >= 4:`, indented below it what is done then, "
    "then `else:` and below it what is done otherwise, such as `dealer discards 4 cards of hand`"
)
UP_TO = "write `up to`, as in `p gives up to 2 cards of hand to left of p`"
LOOK = "a player looks at cards by `dealer shows kitty to dealer`"
EXCHANGE = (
    "with the kitty write `dealer picks-up up to 1 card of kitty as picked-up` and, on the next line, "
    "`dealer discards number of picked-up cards of hand`; with a player, each gives, as in "
    "`p gives 1 card of hand to left of p`"
)

UNSEEN = "cards are taken unseen by `draws`, as in `dealer draws 2 cards of kitty blindly`"
AS_MANY = "write `number of …`, as in `dealer picks-up number of discards cards of kitty`"

PHRASES: dict[str, str] = {
    "as many": AS_MANY,
    "follow suit": FOLLOW_SUIT,
    "follows suit": FOLLOW_SUIT,
    "following suit": FOLLOW_SUIT,
    "can follow": FOLLOW_SUIT,
    "able to follow": FOLLOW_SUIT,
    "not lead": MAY_LEAD,
    "be led": MAY_LEAD,
    **dict.fromkeys(("may play", "can play", "not play", "be played"), MAY_PLAY),
    **{
        f"{before} {the}first trick": FIRST_TRICK
        for before in ("in", "if", "is", "not", "during", "on", "to")
        for the in ("", "the ")
    },
    **{
        f"{before} {the}first {deal}": FIRST_DEAL
        for before in ("in", "if", "is", "not", "during", "on")
        for the in ("", "the ")
        for deal in ("deal", "hand")
    },
    "trick = first": FIRST_TRICK,
    "trick is first": FIRST_TRICK,
    "last trick": LAST_TRICK,
    **dict.fromkeys(
        ("winner of trick", "winner of the trick", "winner of a trick", "trick winner"),
        TRICK_WON,
    ),
    **dict.fromkeys(
        ("loser", " lost", "winner of last ", "winner of the last ", "winner of previous"), WHO_WON
    ),
    **dict.fromkeys(
        (
            "last card",
            "top card",
            *(f"{turn} {up}" for turn in ("turn", "turns", "turned") for up in ("up", "over")),
        ),
        TURNED_UP,
    ),
    **{
        f"{may} not {do}": NOT_ALL
        for may in ("may", "must", "can")
        for do in ("be ", "discard", "give", "pass", "play")
    },
    **dict.fromkeys((f"{last}trump" for last in ("last ", "last deal's ", "previous ")), LAST_TRUMP),
    **{f"{do} at most": UP_TO for do in ("discards", "gives", "passes", "plays", "returns", "shows")},
    **{
        f"{before}{do} ": EXCHANGE
        for do in ("exchange", "swap", "trade")
        for before in ("may ", "can ", "must ")
    },
    **{f" {do}s ": EXCHANGE for do in ("exchange", "swap", "trade")},
    **dict.fromkeys(("if possible", "such cards"), IF_ENOUGH),
    "look at": LOOK,
    "looks at": LOOK,
    "looking at": LOOK,
    "see the": LOOK,
    "sees the": LOOK,
    "is doubled": "write `x becomes 2 * x`",
}
"""What people write as they say it, and how the language says it."""


def saying(text: str) -> str | None:
    """How the language says what a text says as people do, if known."""
    if re.search(r"\btop (?:\d+|two|three|four) (?:cards |of kitty$)|\btop cards\b", text):
        return UNSEEN
    said = next((advice for phrase, advice in PHRASES.items() if phrase in text), None)
    if said == EXCHANGE and (several := re.search(rf"\b([2-9]\d*|{'|'.join(NUMBERS)}) cards", text)):
        return EXCHANGE.replace("1 card", f"{NUMBERS.get(several[1], several[1])} cards", 1)
    if said is None and (count := _COUNT.search(text)):
        number = re.search(rf"\b(\d+|{'|'.join(NUMBERS)})\b", text[count.start() :])
        deals = number[1] if number else "10"
        return COUNTED.replace("10", str(NUMBERS.get(deals, deals)))
    return said or (WHO if re.search(r"\b(?:player|seat) \d", text) else None)


USUAL_TEXTS: dict[str, str] = {
    "deal": "the rule `deal` deals in a block: `{}`, and in it `{}`".format(*USUAL_RULES["deal"]),
    "targets": "the rule `targets` sets every target, as in `target of dealer becomes 8`",
    "exchange-timing": "the rule `exchange-timing` is what is done before play: `nothing happens`, `do trump`, or "
    "`for p in players:` with a line below it such as `p passes 3 cards of hand to left of p`",
    "trump": "the rule `trump` is `dealer chooses trump`, `dealer chooses trump with trump != hearts` "
    "or `trump becomes hearts`; without trumps, `trump becomes none`",
    "kitty": "the rule `kitty` consists of moves, such as `dealer picks-up kitty` and `dealer discards 4 cards of hand`",
    "exchange-amounts": "the rule `exchange-amounts` consists of moves, such as `giver gives 2 cards of hand to left of giver as gift(giver, left of giver)`",
    "exchange-returns": "the rule `exchange-returns` is a move, such as `taker returns 1 card of hand to giver as returned(taker, giver)`",
    "lead": f"the rule `lead` names a player, such as `{USUAL_RULES['lead'][0]}` or `only player in players with 2C in hand`",
    "may-lead": f"the rule `may-lead` is the cards that may be led, such as {LEADS}",
    "follow": FOLLOW_SUIT,
    "trick-winner": f"the rule `trick-winner` names a set of players, such as `{USUAL_RULES['trick-winner'][0]}`; with trumps, `{WITH_TRUMPS}`",
    "scoring": f"the rule `scoring` is {FOR_EACH.removeprefix('write ')}",
    "payout": "the rule `payout` is `for p in players:` with a line below it such as `payout of p becomes over of p`",
    "end": f"the rule `end` is a condition, such as `{USUAL_RULES['end'][0]}`",
    "winner": f"the rule `winner` names a set of players, such as `{USUAL_RULES['winner'][0]}`",
    "next-dealer": f"the rule `next-dealer` names a player, such as `{USUAL_RULES['next-dealer'][0]}`",
}
"""What the rules of the standard vocabulary usually look like, for users who write a sentence instead."""

LAST_WORDS: dict[str, str] = {
    "deals": USUAL_TEXTS["next-dealer"],
    "leads": USUAL_TEXTS["lead"],
    "wins": "the rules `winner` and `trick-winner` are just a set of players, such as `players with the highest score`",
}
"""Verbs that end a line about who does something, and how such a rule is written."""
