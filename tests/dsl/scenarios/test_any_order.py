"""Scenarios whose moves may be asked for in any order, and what is meant for one ruleset only."""

from __future__ import annotations

from typing import Any

import pytest

from checker.rulesets_for_tests import documented
from trickproof_dsl import replay_scenario

TWO_UP: dict[str, Any] = {"dealer": 1, "over": [-3, 1, 2], "seed": 3}


def moves_for(name: str) -> list[dict[str, Any]]:
    """The gifts that are asked for, each of the first cards that may be given."""
    found: list[dict[str, Any]] = []
    while True:
        asked: Any = replay_scenario(documented(name), {**TWO_UP, "moves": found})
        if asked["next"]["move"] != "give":
            return found
        cards = asked["next"]["legal"][: asked["next"]["max"]]
        found.append(
            {"player": asked["next"]["player"], "move": "give", "to": asked["next"]["to"], "cards": cards}
        )


def test_each_ruleset_asks_in_its_own_order() -> None:
    moves = moves_for("pagat")
    assert [move["player"] for move in moves] == [1, 2]
    strict: Any = replay_scenario(documented("trumpet-major"), {**TWO_UP, "moves": moves})
    assert strict["error"]["kind"] == "wrong-player"
    told: Any = replay_scenario(documented("trumpet-major"), {**TWO_UP, "moves": moves, "any_order": True})
    assert told["ok"]
    assert told["unused"] == []
    assert [e["player"] for e in told["events"] if e["event"] == "give"] == [2, 1]


def test_moves_that_nobody_asks_for_are_told() -> None:
    idle = {"player": 0, "move": "play", "card": "AS"}
    told: Any = replay_scenario(
        documented("pagat"), {**TWO_UP, "moves": [idle, *moves_for("pagat")], "any_order": True}
    )
    assert told["unused"] == [0]
    assert told["next"]["move"] == "trump"


def test_the_same_order_is_the_same_answer() -> None:
    moves = moves_for("pagat")
    plain: Any = replay_scenario(documented("pagat"), {**TWO_UP, "moves": moves})
    told: Any = replay_scenario(documented("pagat"), {**TWO_UP, "moves": moves, "any_order": True})
    assert {**plain, "unused": []} == told
    assert "unused" not in plain


@pytest.mark.parametrize(("card", "wrong"), [("2C", False), ("2X", True), ("1C", True)])
def test_a_card_that_only_another_deck_has_is_left_unused(card: str, wrong: bool) -> None:
    """The pack of shawn-51 has no two of clubs."""
    moves = [{"player": p, "move": "trump", "suit": "S"} for p in range(3)]
    play = {"player": 2, "move": "play", "card": card}
    scenario = {**TWO_UP, "over": [0, 0, 0], "any_order": True, "moves": [*moves, play]}
    told: Any = replay_scenario(documented("shawn-51"), scenario)
    assert told["ok"] != wrong
    assert wrong or 3 in told["unused"]


@pytest.mark.parametrize(
    ("wrong", "kind"), [("yes", "bad-scenario"), (1, "bad-scenario"), (None, "bad-scenario")]
)
def test_it_is_true_or_false(wrong: Any, kind: str) -> None:
    told: Any = replay_scenario(documented("pagat"), {**TWO_UP, "moves": [], "any_order": wrong})
    assert told["error"]["kind"] == kind


def test_a_move_that_is_no_move_is_refused() -> None:
    told: Any = replay_scenario(documented("pagat"), {**TWO_UP, "moves": ["give"], "any_order": True})
    assert told["error"]["kind"] == "bad-scenario"
    assert told["error"]["move_index"] == 0


def test_readings_and_parameters_of_one_ruleset() -> None:
    given = {
        **TWO_UP,
        "moves": [],
        "params": {"nine-five-two/goal": 20},
        "readings": {"gamerules/exchange-order": "together"},
    }
    for name in ("pagat", "nine-five-two", "gamerules"):
        told: Any = replay_scenario(documented(name), given)
        assert told["ok"], told
    wrong: Any = replay_scenario(
        documented("gamerules"), {**given, "readings": {"gamerules/exchange-order": "x"}}
    )
    assert "higher-target" in wrong["error"]["message"]
    bare: Any = replay_scenario(documented("pagat"), {**given, "params": {"goal": 20}})
    assert bare["error"]["kind"] == "bad-scenario"
