"""Two texts side by side: long ones that differ in a few words show which; others stay as they are."""

from __future__ import annotations

import pytest

from trickproof.english.differences import ALWAYS, EMPHASIS, difference_sentence, word_by_word
from trickproof.reports.text import Page
from trickproof.support.terminal import Terminal

RULE = "For each player who was up in the previous deal (the giver), highest target first: the giver passes cards."
FORMER = RULE.replace("highest target", "highest former target")
FEWEST = RULE.replace("highest target first", "fewest tricks first")


def test_the_words_that_only_one_has_are_emphasised() -> None:
    assert word_by_word(RULE, FORMER) == (RULE, FORMER.replace("former", f"{EMPHASIS}former{EMPHASIS}"))


def test_words_that_are_replaced_are_emphasised_on_both_sides() -> None:
    a, b = word_by_word(RULE, FEWEST)
    assert a == RULE.replace("highest target", f"{EMPHASIS}highest target{EMPHASIS}")
    assert b == FEWEST.replace("fewest tricks", f"{EMPHASIS}fewest tricks{EMPHASIS}")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Some player is 6 or more up.", "Some player is 5 or more up."),  # short
        (
            RULE,
            "The dealer discards 4 cards from hand. The dealer picks up the kitty. Then the cards are shown.",
        ),
        (RULE, RULE),
        (RULE, "none"),
    ],
)
def test_other_texts_are_left_as_they_are(a: str, b: str) -> None:
    assert word_by_word(a, b) == (a, b)


def test_emphasis_is_bold_in_colour_and_otherwise_between_asterisks() -> None:
    text = f"deal {EMPHASIS}the cards of the whole pack but those that the last deal left{EMPHASIS} to the players"
    assert Page(Terminal(columns=lambda: 60)).emphasised(text, "  a  ") == [
        "  a  deal *the cards of the whole pack but those that the",
        "     last deal left* to the players",
    ]
    assert Page(Terminal(colour=True, columns=lambda: 60)).emphasised(text, "  a  ") == [
        "  a  deal \x1b[1mthe cards of the whole pack but those that the\x1b[0m",
        "\x1b[1m     last deal left\x1b[0m to the players",
    ]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("target differs", "In every deal at least one player's target differs."),
        ("tricks differs", "In every deal at least one player's tricks differ."),
        ("over differs; payout differs", "In every deal the result and the payout differ."),
        ("leader differs", "In every deal a different player leads to the first trick."),
    ],
)
def test_a_value_that_every_player_has_need_not_differ_for_all(how: str, said: str) -> None:
    assert difference_sentence(how, ALWAYS, "one", "two") == said


def test_the_name_of_a_ruleset_keeps_its_small_letter() -> None:
    said = difference_sentence("what may be chosen", "some player is up", "pagat", "ours")
    assert said == "When some player is up, pagat and ours allow different choices."
