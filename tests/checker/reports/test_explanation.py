"""What `explain` says of names that a user meets in files and results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from checker.cli.console import run
from checker.rulesets_for_tests import documented
from trickproof.checks import NAMES
from trickproof.english.vocabulary import HEADINGS, MEANINGS
from trickproof.reports.comparison.validation import FATES
from trickproof.reports.explanation import (
    UNUSED,
    check_explained,
    name_explained,
    policy_explained,
    rule_word_explained,
    rule_words,
    vocabulary,
)
from trickproof.reports.result_words import POLICIES, WORDS
from trickproof.simulate.ir.calling_convention import POLICIES as SIMULATED, SEARCH
from trickproof_dsl.library import Library, prelude
from trickproof_dsl.syntax.rule_forms import STATEMENTS, VALUES

RULESETS = Path(__file__).parents[3] / "rulesets"


@pytest.mark.parametrize("check", NAMES)
def test_rules_for_which_a_check_fails_can_be_tried(check: str) -> None:
    """Several did not load: a block on the line of its `for`, and a comma within braces."""
    for rules in re.findall(r"(?:^    .*\n?)+", check_explained(check).text, re.MULTILINE):
        if "assumes" not in rules:
            rules = re.sub(r"\}$", ", assumes: so}", rules.rstrip(), flags=re.MULTILINE)
            rules += "" if "assumes" in rules else "\n      assumes: so"
        text = f"ruleset: mine\nextends: pagat\nrules:\n{rules}\n"
        assert Library([RULESETS]).load_text(text, "mine.yaml")[1] == [], text


def test_every_name_of_the_vocabulary_is_explained() -> None:
    assert {*prelude().state, *prelude().zones} <= MEANINGS.keys()
    for name in vocabulary():
        explained = name_explained(name)
        assert explained.text
        other = ("This is a field of a ruleset.", "This is a function of the rule language")
        assert name in HEADINGS or name in MEANINGS or explained.text.startswith(other)


def test_functions_are_explained_with_the_way_they_are_written() -> None:
    smaller = name_explained("smaller")
    assert smaller.says == "the smaller of two numbers."
    assert smaller.text == "This is a function of the rule language; it takes 2 integers: `smaller(…, …)`."
    assert name_explained("left").text.endswith("it takes 1 player: `left of …`.")


def test_fields_are_explained_with_those_in_them() -> None:
    assert "As a field of a ruleset: the cards." in name_explained("deck").text
    assert "    suits: The suits, as letters;" in name_explained("deck").text
    assert "Each has these fields:" in name_explained("rules").text


def test_a_field_in_fields_is_explained_and_not_as_a_name_of_rulesets() -> None:
    """Lines of five rulesets begin with `teams:`, for the partners of their players."""
    assert run("explain", "teams").out.startswith(
        "teams: a field of `players`.\n\nPartnerships, each a list of seats"
    )
    assert run("explain", "seen-by").out.startswith("seen-by: a field of `zones`.\n\nWho sees the cards")
    assert "`rules`" in run("explain", "assumes").out
    assert "In `parameters`" not in run("explain", "type").out


def test_words_of_the_rule_language_are_shown_in_rules() -> None:
    shown = run("explain", "clockwise").out.splitlines()
    assert shown[0] == "clockwise: a word of the rule language."
    assert shown[4:7] == [
        "    for each player, clockwise from a given seat",
        "        for p in players, clockwise from dealer:",
        "            do a of p",
    ]
    assert all(" clockwise from " in line for line in shown[-3:])
    assert "    dealer picks-up kitty as picked-up" in run("explain", "picks-up").out
    assert "did you mean `returns`?" in run("explain", "return").err


def _rule_texts(node: object) -> Iterator[str]:
    """What stands after `rule:` in a file."""
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, part in parts:
        if key == "rule":
            yield str(part)
        else:
            yield from _rule_texts(part)


def test_every_word_of_the_rule_language_is_shown() -> None:
    files = [path for path in RULESETS.glob("**/*.yaml") if "documents" not in path.parts]
    texts = "\n".join(x for path in files for x in _rule_texts(yaml.load(path.read_text(), yaml.CSafeLoader)))
    rare = [word for word in rule_words() if not re.search(rf"(?<![\w-]){word}(?![\w-])", texts)]
    bare = [x for x in rare if "\n    " not in rule_word_explained(x, [documented("six-over")]).text]
    assert bare == [], "add a line of docs/reference.md with each to UNUSED of reports/explanation.py"
    examples = "\n".join(text for _, text in (*STATEMENTS, *VALUES)).splitlines()
    assert [line for line in UNUSED if line not in examples] == []


def test_name_of_a_rule_and_a_variable() -> None:
    text = name_explained("trump").text
    assert "This is a rule and a variable of the standard vocabulary." in text
    assert (
        "The variable is the trump suit, or `none`; it is of type suit and is reset at the start of every deal."
        in text
    )


def test_sets_and_pairs_are_said_as_such() -> None:
    text = name_explained("gift").text
    assert (
        "The variable is a set of cards for each pair of players and is reset at the start of every deal."
        in text
    )
    assert "is of type card for each player and" in name_explained("played").text


def test_a_rule_about_a_time_is_about_what_happens_then() -> None:
    assert name_explained("exchange-timing").says == "the rule about what happens before play."
    assert name_explained("after-trick").says == "the rule about what happens after a trick."
    assert name_explained("before-play").says == "the rule about everything before play."


def test_standard_text_of_a_rule() -> None:
    assert "Its standard text:\n\n    shuffle\n    do deal\n" in name_explained("hand").text
    assert "A ruleset, or its base, must state it" in name_explained("next-dealer").text


def test_what_becomes_of_guarantees_is_explained() -> None:
    assert {words.partition(",")[0] for words in (*FATES.values(), "newly holds", "more certain")} <= {*WORDS}
    assert run("explain", "less certain").out.startswith("less certain: a guarantee")
    assert "deals becomes deals + 1" in run("explain", "deals").out.replace("\n  ", " ")


def test_every_policy_is_explained() -> None:
    assert {*POLICIES} == {*SIMULATED, SEARCH}
    assert "its moves in 50 trial deals" in policy_explained("search:50").says


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("follow", "follow: the rule about following."),
        ("first-hand", "first-hand: whether this is the first deal of the match."),
        ("search:50", "search:50: at every decision"),
        ("not-single", "not-single: a rule fails: a set that must have one element has none or several."),
        ("pp", "pp: percentage points"),
        ("overtricks", "the variable is `over`"),
        ("overtrick", "overtricks: a player's tricks minus their target"),
        ("undertricks", "undertricks: the tricks by which a player missed"),
        ("giver", "giver: a player who gives cards in the exchange"),
        ("receivers", "receiver: a player who is given cards"),
        ("discard", "discard: to put cards"),
        ("box", "the zone `kitty`"),
        ("counterexample", "counterexample: a deal"),
        ("hand-size", "As a name in rulesets: the number of tricks in the deal, set by `play`."),
        ("known", "This is a field of a ruleset."),
        ("tallyn", "It extends `nine-five-two`"),
        ("E301", "wrong:\n\n    triks of dealer becomes 8\n\nright:\n\n    tricks of dealer becomes 8\n"),
    ],
)
def test_explained_on_the_command_line(name: str, said: str) -> None:
    result = run("explain", name)
    assert result.code == 0, result.err
    assert said in result.out


def test_list_has_every_group() -> None:
    output = run("explain").out
    for group in (
        "Checks:",
        "Result words: ",
        "Names in rulesets: ",
        "Policies: ",
        "Rulesets: ",
        "Error codes: ",
    ):
        assert group in output


def test_letters_within_a_word_are_not_what_was_meant() -> None:
    """`turn` led to `exchange-returns-highest`."""
    assert "did you mean `not-the-turned-suit`?" in run("explain", "turn").err
