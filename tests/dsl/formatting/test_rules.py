"""Canonical rule text: the same tree, brackets where they help, no comment lost."""

from __future__ import annotations

import re
import textwrap

import pytest
from hypothesis import given, settings, strategies as st

from budget import RUN, count
from dsl.formatting.tree_strategy import expressions, rule_texts, small_expressions, unheard_of, without_forms
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.formatting.rules import format_expression, format_rule
from trickproof_dsl.syntax import ast as s
from trickproof_dsl.syntax.parser import parse_rule


def parse(text: str) -> s.RuleText:
    source = Source("rule", text)
    tree, found = parse_rule(source, Span(source, 0, len(text)))
    assert tree is not None, (text, [d.message for d in found])
    return tree


def reformat(text: str, width: int = 100) -> str:
    source = Source("rule", text)
    region = Span(source, 0, len(text))
    tree, found = parse_rule(source, region)
    assert tree is not None, (text, [d.message for d in found])
    return format_rule(tree, width, region)


def comments(text: str) -> list[str]:
    return sorted(comment.rstrip() for comment in re.findall("#.*", text))


# (written, canonical); an expression that is already canonical stands alone.
EXPRESSIONS = [
    "a",
    ("((a))", "a"),
    ("(a + b) + c", "a + b + c"),
    "a + (b + c)",
    "a - (b - c)",
    ("a + (b * c)", "a + b * c"),
    "(a + b) * c",
    "-a * b",
    ("(-a) * (b)", "-a * b"),
    "-(a * b)",
    "a - -b",
    "(not a) = b",
    "(a = b) = c",
    ("a = (b + 1)", "a = b + 1"),
    "number of hand",
    "number of (a + b)",
    ("(number of hand) + 1", "number of hand + 1"),
    "(players) in c",
    "players in (cards in x) with a",
    "highest over among players",
    "top 3 of hand of p by rank",
    "top (a + 1) of hand by rank",
    "if a then b else if c then d else e",
    ("if a then b else (c or d)", "if a then b else c or d"),
    "(if a then b else c) or d",
    "suit of card = trump",
    "only player in players with x = 1",
    "a is not empty and b not in c",
    ("some  player   has a>1", "some player has a > 1"),
    # and, or, not
    ("a or b and c", "a or (b and c)"),
    ("a and b or not c", "(a and b) or not c"),
    "(a or b) and c",
    "a and b and c",
    ("(a or b) or c", "a or b or c"),
    ("not a = b", "not (a = b)"),
    ("not hand is empty", "not (hand is empty)"),
    ("not some player has a", "not (some player has a)"),
    "not (a and b)",
    "not passed of p and a",
    # a set with a condition: brackets when something follows
    ("number of (cards in hand with card = x)", "number of cards in hand with card = x"),
    ("(number of cards in hand with card = x) + 1", "number of (cards in hand with card = x) + 1"),
    ("1 + (number of cards in hand with card = x)", "1 + number of cards in hand with card = x"),
    ("number of players with over > 0 = 1", "number of (players with over > 0) = 1"),
    "1 = number of players with over > 0",
    ("a or p in players with b or c", "a or p in (players with b) or c"),
    "number of (players with the highest over) = number of players with over > 0",
    "number of (players with x) = 2 and number of (players with y) = 2",
    ("sum of tricks for players with team = a >= 7", "sum of tricks for (players with team = a) >= 7"),
    "union of hand for (players with x) = a",
    ("highest a among players with b = c = d", "highest a among (players with b = c) = d"),
    "(players with the highest a among players with b) = c",
    "highest number of (cards in hand with suit = led) among players",
    "bottom 1 of (players with the highest score) by distance",
    "some card in (cards in hand with a) has b",
    "(players with a = b) = c",
    ("players in x in c", "(players in x) in c"),
    "number of (players other than p) = 3",
    "(players other than p) + dealer",
    "hand of (only player in x) + y",
    "(cards in hand) + x",
    "sum of bid for players != 13",
    # within a condition
    "players with (a and b)",
    "(players with a) = c",
    ("players with some player has a", "players with (some player has a)"),
    ("cards in hand with a in cards in b with c", "cards in hand with a in (cards in b with c)"),
    "players with 2C in hand",
    # some, every, no
    ("some player has a >= 9 or b >= 30", "(some player has a >= 9) or b >= 30"),
    "some player has a >= 15 or some player has a <= -15",
    "a or some player has b",
    "some card in hand has (a and b) and no card in hand has c",
    # phrases within phrases
    ("sum of sum of x for y for z", "sum of (sum of x for y) for z"),
    "(sum of x for y) + a",
    "a + sum of x for y",
    "highest (players with the highest x) among y",
    "sum of (highest a among b) for c",
    "sum of number of gift(giver, player) for players",
    # conditionals
    "f(a, if b then c else d)",
    ("f(if a then b else c, d)", "f((if a then b else c), d)"),
    ("if if a then b else c then d else e", "if (if a then b else c) then d else e"),
    ("if a then if b then c else d else e", "if a then (if b then c else d) else e"),
]


@pytest.mark.parametrize("case", EXPRESSIONS)
def test_brackets_where_they_help(case: str | tuple[str, str]) -> None:
    written, canonical = case if isinstance(case, tuple) else (case, case)
    tree = parse(written)
    assert isinstance(tree, s.Value)
    shown = format_expression(tree.expr)
    assert shown == canonical
    assert parse(shown) == tree


STATEMENTS = [
    "shuffle",
    "deal 1 card to hand of p",
    "deal the rest to kitty",
    "put highest of hand of p matching x from hand of p into pile",
    "nothing happens",
    "do deal",
    "do count-up of p",
    "do pay(a, b)",
    "announce score: player p, number 3, amount 3",
    "the match ends, won by players with score > 3",
    "p plays 1 card of hand of p with legal of card to trick",
    "p discards between 1 and 4 cards of hand of p blindly to pile as x",
    "p shows hand of p to everyone",
    "(players) gives any number of cards of hand of p to q",
    "p chooses trump from suits or none with a = b",
    "p chooses n from 1 to 4",
    "p chooses q from (players other than p) or none",
    "p chooses q from players with over > 0",
    "p gives over of p cards of hand to q",
    "p gives up to (over of p + 1) cards of hand to q",
    "p gives number of (players with a) cards of hand to q",
    "put cards in talon with suit = trump into discards",
    "repeat number of (players with a) times:\n    do x",
    "for p in players, highest number of (cards in hand with a) first, ties open:\n    do x",
    "if (if a then b else c):\n    do x",
    "announce e: number (if a then b else c), number if a then b else c",
    "for p in players with over > 0, highest over first, then clockwise from dealer, simultaneously:\n    do x",
    "for p in players, highest x first, ties open, simultaneously:\n    do x",
    "for p in players, lowest x first, highest y first, simultaneously:\n    do x",
    "for p in players, anticlockwise from q, simultaneously:\n    do x",
    "for p in players, simultaneously:\n    do x",
    "for p in 1 to 3, clockwise from p:\n    do x",
    "repeat 3 times:\n    do x",
    "repeat until a, at most 3 times:\n    do x",
    "if a:\n    do x\nelse if b:\n    do y\nelse:\n    if c:\n        do z\ndo last",
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_canonical_statements_stay(text: str) -> None:
    assert reformat(text) == text


# (written, canonical at a width of 80)
LONG = [
    (
        "legal becomes suit of card = suit of lead or no card in hand of player has suit of card = suit of lead",
        """\
        legal becomes suit of card = suit of lead
            or no card in hand of player has suit of card = suit of lead""",
    ),
    (
        "if some card in hand has followed-suit = led then cards in hand with followed-suit = led else hand",
        """\
        if some card in hand has followed-suit = led
        then cards in hand with followed-suit = led
        else hand""",
    ),
    (
        "if over of player > 0 and first-hand then over of player else if over of player < 0 then 0 else 100",
        """\
        if over of player > 0 and first-hand
        then over of player
        else if over of player < 0
        then 0
        else 100""",
    ),
    (
        "passing becomes if passing = to-the-left then to-the-right else if passing = across then nowhere else x",
        """\
        passing becomes
            if passing = to-the-left
            then to-the-right
            else if passing = across
            then nowhere
            else x""",
    ),
    (
        "if a:\n  passing of p becomes if passing of p = to-the-left of p then to-the-right of p else across\ndo x",
        """\
        if a:
            passing of p becomes
                if passing of p = to-the-left of p
                then to-the-right of p
                else across
        do x""",
    ),
    (
        "if some card in hand has suit = led then if heading of p is empty then cards in hand with suit = led "
        "else heading of p else if heading of p is empty then if led = trump then hand else heading of p else x",
        """\
        if some card in hand has suit = led
        then
            (if heading of p is empty
             then cards in hand with suit = led
             else heading of p)
        else if heading of p is empty
        then (if led = trump then hand else heading of p)
        else x""",
    ),
    (
        "bonus of leader becomes bonus of leader + the-rest of leader + (if married of leader = trump then forty of leader else twenty of left of leader)",
        """\
        bonus of leader becomes bonus of leader + the-rest of leader
            + (if married of leader = trump
               then forty of leader
               else twenty of left of leader)""",
    ),
    (
        "for giver in players with over > 0, highest target first, then clockwise from dealer:\n  do x",
        """\
        for giver in players with over > 0, highest target first,
                then clockwise from dealer:
            do x""",
    ),
    (
        "for n in larger(0, over of first-up - under of last-down) to smaller(over of first-up, under of first-down), "
        "highest contests first, lowest leftward first, ties open:\n  do x",
        """\
        for n in larger(0, over of first-up - under of last-down)
                to smaller(over of first-up, under of first-down),
                highest contests first, lowest leftward first, ties open:
            do x""",
    ),
    (
        "repeat until (number of (players with passed) = 3 and declarer != none) or x, at most 60 times:\n  do x",
        """\
        repeat until (number of (players with passed) = 3 and declarer != none) or x,
                at most 60 times:
            do x""",
    ),
    (
        "repeat until (number of (players with passed) = 3 and declarer != none) or every player has passed, at most 60 times:\n  do x",
        """\
        repeat until (number of (players with passed) = 3 and declarer != none)
                or every player has passed, at most 60 times:
            do x""",
    ),
    (
        "giver gives 3 cards of hand of giver with card not in received of giver to hand of taker as given",
        """\
        giver gives 3 cards of hand of giver with card not in received of giver
            to hand of taker as given""",
    ),
    (
        "giver gives up to over of giver - sum of number of gift(giver, player) for players cards of hand "
        "to taker as gift(giver, taker)",
        """\
        giver gives up to (over of giver
                - sum of number of gift(giver, player) for players)
            cards of hand to taker as gift(giver, taker)""",
    ),
    (
        "dealer shows cards c in picked-up with some card back in returned(dealer, giver) has "
        "(suit of c = suit of back and rank of c > rank of back) to giver",
        """\
        dealer shows cards c in picked-up
            with (some card back in returned(dealer, giver)
                has (suit of c = suit of back and rank of c > rank of back))
            to giver""",
    ),
    (
        "leader chooses married from suits or none with (some card in hand has suit = married and first-hand)",
        """\
        leader chooses married from suits or none
            with ((some card in hand has suit = married) and first-hand)""",
    ),
    (
        "announce score: player leader, number points of leader, amount stake of leader, cards hand of leader",
        """\
        announce score: player leader, number points of leader, amount stake of leader,
            cards hand of leader""",
    ),
    (
        "number of (cards in hand of left of dealer with suit = trump) = number of cards in hand with suit = led",
        """\
        number of (cards in hand of left of dealer with suit = trump)
            = number of cards in hand with suit = led""",
    ),
]


@pytest.mark.parametrize(("text", "expected"), LONG)
def test_long_lines_are_broken(text: str, expected: str) -> None:
    shown = reformat(text, 80)
    assert shown == textwrap.dedent(expected)
    assert parse(shown) == parse(text)
    assert reformat(shown, 80) == shown


COMMENTED = [
    ("a # why", "a  # why"),
    ("# top\na", "# top\na"),
    ("a\n# end", "a\n# end"),
    ("a +  # one\n  b # two", "# one\na + b  # two"),
    ("a +  # one\n  b", "a + b  # one"),
    ("a +\n  # one\n  b", "# one\na + b"),
    (
        "if a: # if\n  # in\n  do x # x\n  # end\n# before else\nelse: # else\n  # e\n  do y\n# last",
        "if a:  # if\n    # in\n    do x  # x\n    # end\n# before else\nelse:  # else\n    # e\n    do y\n# last",
    ),
    (
        "if a:\n  do x\nelse # hm\n  : do y\n".replace(": do y", ":\n  do y"),
        "if a:\n    do x\nelse:  # hm\n    do y",
    ),
    ("for p in players:\n  do x\n  # in\n# out\ndo y", "for p in players:\n    do x\n    # in\n# out\ndo y"),
    ("do x\n\n\n# c\n\ndo y\ndo z\n", "do x\n\n# c\n\ndo y\ndo z"),
    ("if a:\n\n  do x\n\nelse:\n\n  do y\n", "if a:\n    do x\nelse:\n    do y"),
]


@pytest.mark.parametrize(("text", "expected"), COMMENTED)
def test_comments_keep_their_place(text: str, expected: str) -> None:
    shown = reformat(text)
    assert shown == expected
    assert reformat(shown) == shown


@pytest.mark.parametrize("depth", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
@RUN
def test_all_small_expressions_are_read_back(depth: int) -> None:
    exprs = list(small_expressions(depth))
    for start in range(0, len(exprs), 50):
        some = exprs[start : start + 50]
        text = "announce e: " + ", ".join(f"k {format_expression(expr)}" for expr in some)
        tree = parse(text)
        assert isinstance(tree, s.Procedure)
        (stmt,) = tree.body
        assert isinstance(stmt, s.Announce)
        for (_, read), expr in zip(stmt.fields, some, strict=True):
            assert read == expr, format_expression(expr)


@pytest.mark.grows("formatting.rules")
@given(expressions)
@settings(max_examples=count("formatting.rules"))
def test_expression_is_read_back(expr: s.Expr) -> None:
    assert parse(format_expression(expr)) == s.Value(expr, expr.span)


@pytest.mark.grows("formatting.rules")
@given(rule_texts, st.sampled_from((30, 60, 100)))
@settings(max_examples=count("formatting.rules"))
def test_rule_is_read_back(tree: s.RuleText, width: int) -> None:
    text = format_rule(tree, width)
    assert parse(text) == tree
    assert format_rule(parse(text), width) == text
    assert not re.search(r"[ \t]$", text, re.MULTILINE)


@RUN
@pytest.mark.grows("formatting.rules")
@given(st.data(), rule_texts)
@settings(max_examples=count("formatting.rules"))
def test_comments_are_never_lost(data: st.DataObject, tree: s.RuleText) -> None:
    lines = []
    for number, line in enumerate(format_rule(tree, data.draw(st.sampled_from((30, 100)))).split("\n")):
        for _ in range(data.draw(st.integers(0, 2))):
            indent = " " * data.draw(st.integers(0, 9))
            lines.append(data.draw(st.sampled_from(("", indent + f"# alone {number}"))))
        lines.append(line + data.draw(st.sampled_from(("", "", f" # beside {number} if: else"))))
    lines += data.draw(st.sampled_from(([], ["# end"], ["", "      # end"])))
    text = "\n".join(lines)
    shown = reformat(text, 40)
    assert parse(shown) == tree
    assert comments(shown) == comments(text)
    assert reformat(shown, 40) == shown


def test_every_kind_of_node_is_tried() -> None:
    assert unheard_of() == set(), "give these to the strategies of tree_strategy.py"
    assert without_forms() == set(), (
        "give these to `_forms` of tree_strategy.py, in every place of an expression"
    )


def test_a_comment_has_no_effect_on_the_end_of_lines() -> None:
    assert reformat("a # one  \r\nand b\t# two\r\n") == "# one\na and b  # two"


@pytest.mark.parametrize(
    "text", ["1" + " + 1" * 300, "a" + " and a" * 1000, "-" * 60 + "(" * 60 + "a" + ")" * 60]
)
def test_long_chains(text: str) -> None:
    shown = reformat(text)
    assert reformat(shown) == shown
