"""Scenarios in words: what players say, deals that end early, and the moves before a runtime fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.rulesets_for_tests import documented, house, rule
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.english.playout import by_player, course_of_play, event_text, pending
from trickproof.english.seats import names_at_table, with_names
from trickproof.reports.findings import Detail, report
from trickproof.reports.played_hand import played_hand
from trickproof.reports.text import PLAIN
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_scenario

DEALT: Mapping[str, Any] = {"dealer": 0, "first_hand": True, "seed": 1}
NAMES = names_at_table(DEALT, 3)

CLOSED = """\
    state:
      closed: {type: boolean}
    rules:
      kitty:
        rule: |
          dealer chooses closed
          if not closed:
              dealer discards 4 cards of hand
              dealer picks-up kitty as picked-up
        assumes: a test
    """

TRUMP = {"player": 0, "move": "trump", "suit": "S"}


def told(ruleset: Ruleset, *moves: Mapping[str, Any]) -> list[str]:
    answer = replay_scenario(ruleset, {**DEALT, "moves": list(moves)})
    return list(course_of_play(ruleset, answer, NAMES))


def test_a_boolean_choice_is_answered_with_yes_or_no() -> None:
    ruleset = house(CLOSED)
    answer = replay_scenario(ruleset, {**DEALT, "moves": [TRUMP]})
    assert pending(ruleset, answer["next"], NAMES) == "Dealer must say yes or no to “closed”"
    closes = {"player": 0, "move": "closed", "answer": True}
    assert told(ruleset, TRUMP, closes)[1] == "Dealer says yes to “closed”"


def test_players_are_listed_from_the_dealer_clockwise() -> None:
    """The order of their numbers would begin with whoever dealt first."""
    names = names_at_table({"dealer": 3}, 4)
    assert with_names("players 0, 1 and 3 win together", names) == "Dealer, Left and Opposite win together"
    assert event_text({"event": "end", "winners": [2, 3]}, {}, names) == "end: won by Dealer and Right"
    assert event_text({"event": "end", "winners": []}, {}, names) == "end: nobody wins"
    assert by_player([1, 2, 3, 4], names) == "Dealer 4, Left 1, Opposite 2, Right 3"


def test_cards_that_are_thrown_in_are_reported() -> None:
    again = house(rule("trump", "dealer chooses trump\ndeal again\n"))
    assert told(again, TRUMP)[-1] == "the cards are thrown in, and the same dealer deals again"
    over = house(rule("trump", "dealer chooses trump\nthe hand ends\n"))
    assert told(over, TRUMP)[-1] == "the deal ends here, and nobody scores"


def test_what_is_scored_alone_is_not_called_a_score_twice() -> None:
    event = {"event": "score", "over": [0, 0, 0], "scores": [-40, 20, 20], "payouts": [0, 0, 0]}
    answer = {"events": [event]}
    assert list(course_of_play(documented("pagat"), answer, NAMES)) == [
        "scores: Dealer -40, Left +20, Right +20"
    ]
    event["payouts"] = [1, 0, -1]
    (line,) = course_of_play(documented("pagat"), answer, NAMES)
    assert line.startswith("scores: Dealer -40, Left +20, Right +20; payouts: Dealer +1")


def test_the_moves_before_a_runtime_fault_are_shown() -> None:
    ruleset = house(rule("trump", "dealer chooses trump\nleader becomes only player in players\n"))
    lines = [line.strip() for line in played_hand(PLAIN, ruleset, {**DEALT, "moves": [TRUMP]})]
    assert lines[-2] == "Dealer chooses trump ♠"
    assert lines[-1] == "then: expected one player, found 3"


def test_hands_under_another_reading_are_drawn() -> None:
    ruleset = house(CLOSED)
    told = "with `deal: other`: player 0 holds 2C KC AS; player 1 holds 3D; player 2 holds 4H TS"
    finding = Finding(
        "hand-size", Verdict.REFUTED, Method.STATIC, "no", witness=DEALT, details=(told, "so it is")
    )
    lines = report([(ruleset, [finding])], Detail(2)).splitlines()
    assert not any("holds" in line for line in lines)
    assert "      note so it is" in lines
    at = lines.index("      with `deal: other`:")
    assert lines[at + 1 : at + 4] == [
        "        Dealer  ♣ K 2  ♠ A",
        "        Left    ♦ 3",
        "        Right   ♥ 4  ♠ 10",
    ]


def test_a_choice_of_two_numbers_names_both() -> None:
    ruleset = house(rule("kitty", "dealer discards up to 1 card of hand\n"))
    answer = replay_scenario(ruleset, {**DEALT, "moves": [TRUMP]})
    assert pending(ruleset, answer["next"], NAMES) == "Dealer may discard 1 of 16 cards"


def test_nobody_and_no_card_are_none() -> None:
    """A card may be chosen `or none`, and a rule may announce a player who is not there."""
    assert event_text({"event": "called", "player": 0, "card": None}, {}) == "player 0 chooses called none"
    told_of = event_text({"event": "news", "player": None, "card": "7D"}, {}, NAMES)
    assert told_of == "news: player none; card 7D"
