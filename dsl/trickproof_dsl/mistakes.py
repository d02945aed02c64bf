"""Mistakes that people make in rule text, by example, and the advice each gets.

An example is a text that the grammar refuses; where the user's text is refused in the same state of the parser, at
the same kind of word, it gets the same advice.  The names in the examples do not matter.  To add one: put the text
under its advice; tests/dsl/test_mistakes.py has the messages as users see them.
"""

from __future__ import annotations

MISTAKES: dict[str, list[str]] = {
    "write `becomes` to change a variable": ["x := 1\n", "x of p := 1\n", "x of p += 1\n", "x += 1\n"],
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
    "a value needs both parts: `if … then … else …`": ["if a then b\n", "if a then b + 1\n"],
    "`then` makes a value; what is done stands in a block: `if …:`, then indented lines": [
        "if a then b becomes c\n",
        "if a = b then c of d becomes e\n",
        "if a then do b\n",
        "if a then put b into c\n",
        "if a then p plays 1 card of b\n",
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
        "for p in players with a = b and c = d:\n    do x\n",
        "for p in players with a > 0 or c > 0:\n    do x\n",
        "p plays 1 card of a with b = c and d = e\n",
        "p plays 1 card of a with b = c or d = e\n",
        "p chooses a with b = c and d = e\n",
        "p chooses a with b = c or d = e\n",
        "p chooses a from b with c = d and e = f\n",
        "p chooses a from b with c = d or e = f\n",
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
    "compare with `=` or `!=`": ["a is b\n", "if a is b:\n    do x\n", "a is not b\n"],
    "write `AS in hand of p` to ask whether someone holds a card": ["if p has AS:\n    do x\n", "p has AS\n"],
    "say which first: `cards in hand with …`": ["cards with a = b\n", "cards with suit = a in b\n"],
    "write `cards with the highest rank among hand`": ["highest card in a\n", "highest card of a\n", "lowest card of a\n"],
    "say `the highest` or `the lowest`": ["players with the most a\n", "players with most a\n", "cards with most a\n"],
    "say for which: `sum of points for tricks-taken of p`": ["sum of a\n", "sum of a of b\n", "sum of a + b\n"],
    "write `only player in players with …`": ["only player with a\n"],
    "write `players with …`": ["player with a = b\n"],
    "say `clockwise from …` after a comma": ["for p in players from a:\n    do x\n", "for p in players clockwise from a:\n    do x\n"],
    "say `highest … first`": ["for p in players, highest x:\n    do y\n"],
    "write `for p in players:`": ["for each player p:\n    do x\n", "for each p in players:\n    do x\n", "for p in all players:\n    do x\n", "for all p in players:\n    do x\n"],
    "write `repeat 3 times:` or `repeat until …:`": ["repeat 3:\n    do x\n", "while a:\n    do x\n", "while a = b:\n    do x\n", "repeat while a:\n    do x\n"],
    "say where to: `deal 16 cards to hand of p`": ["deal 16 cards\n", "deal the rest\n"],
    "write `put trick into discards`": ["put a to b\n", "put a in b\n"],
    "write `chooses trump from suits or none`": ["p chooses a or none\n", "p chooses a of p or none\n"],
    "write `chooses bid of p from 1 to 13`": ["p chooses a between 1 and 13\n", "p chooses a of p between 1 and 13\n"],
    "cards are picked by a move, as in `p discards 3 cards of hand`": ["p chooses 3 cards of a\n", "p chooses 1 card of a\n"],
    "say which cards, as in `p plays 1 card of hand`; to compare, write `=`": ["p plays\n", "suit a\n", "cards in a with suit b\n"],
    "write `1 card of hand`": ["p plays 1 card from hand\n", "p plays card of hand\n", "p plays any card of hand\n"],
    "say which cards: `3 cards of hand`": ["p gives 3 cards to a\n", "p plays 1 card\n", "p gives 3 cards\n"],
    "write `the match ends`": ["end match\n", "end the match\n"],
    "write `the match ends, won by …`": ["the match ends, winner a\n", "the match ends won by a\n"],
}  # fmt: skip
