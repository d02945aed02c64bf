"""Scenarios and their answers: the forms, what is refused and why, and no junk is fatal."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from budget import RUN, count
from dsl.small_games import BUNDLED, FOREIGN, HAND, NAMES, bundled, game
from independent.oracle import random_scenario
from trickproof_dsl import (
    Chance,
    apply,
    event_json,
    move_json,
    next_hand,
    random_player,
    replay_lines,
    replay_scenario,
    scenario_json,
    start,
)
from trickproof_dsl.core.faults import FAULTS

Json = Any
CARDS = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def before_any_move(**fields: Json) -> dict[str, Json]:
    """Player 1 deals; 0 holds the lowest cards of each suit, 2 the highest."""
    by_height = sorted(CARDS, key=lambda card: ("23456789TJQKA".index(card[0]), card[1]))
    hands = [sorted(by_height[16 * p : 16 * p + 16], key=CARDS.index) for p in range(3)]
    scenario = {
        "ruleset": "pagat",
        "params": {},
        "dealer": 1,
        "first_hand": False,
        "over": [0, 1, -1],
        "hands": hands,
        "kitty": by_height[48:],
        "moves": [],
    }
    return scenario | fields


GIVE = {"player": 1, "move": "give", "to": 2, "cards": ["7H"]}
TRUMP = {"player": 1, "move": "trump", "suit": "S"}
DISCARD = {"player": 1, "move": "discard", "cards": ["6C", "6D", "6H", "6S"]}
LEAD = {"player": 2, "move": "play", "card": "TC"}


def replay(scenario: Json) -> dict[str, Json]:
    answer = replay_scenario(bundled(scenario["ruleset"]), scenario)
    assert json.loads(json.dumps(answer)) == answer
    return answer


def whole(name: str, number: int) -> dict[str, Json]:
    scenario: dict[str, Json] = random_scenario(name, Random(f"{name} {number}"))
    return scenario


# --------------------------------------------------------------------------------------------- answers


def test_forced_returns_happen_by_themselves() -> None:
    answer = replay(before_any_move(moves=[GIVE]))
    assert answer["ok"]
    assert answer["ruleset"] == "pagat"
    assert answer["events"] == [
        {"event": "give", "player": 1, "to": 2, "cards": ["7H"]},
        {"event": "return", "player": 2, "to": 1, "cards": ["KH"]},
    ]
    assert answer["next"] == {"player": 1, "move": "trump", "legal": ["C", "D", "H", "S"]}
    state = answer["state"]
    assert list(state) == [
        *("dealer", "trump", "hands", "kitty", "discards", "tricks", "over", "scores"),
        *("leader", "match_over", "winners"),
    ]
    assert (state["dealer"], state["trump"], state["leader"]) == (1, None, 2)
    assert (state["over"], state["tricks"], state["match_over"]) == ([0, 1, -1], [0, 0, 0], False)
    assert "KH" in state["hands"][1]
    assert "7H" in state["hands"][2]


def test_next_tells_how_many_cards_and_to_whom() -> None:
    due = replay(before_any_move())["next"]
    assert (due["player"], due["move"], due["to"], due["min"], due["max"]) == (1, "give", 2, 1, 1)
    assert sorted(due["legal"]) == sorted(before_any_move()["hands"][1])
    due = replay(before_any_move(moves=[GIVE, TRUMP]))["next"]
    assert (due["move"], due["min"], due["max"], "to" in due) == ("discard", 4, 4, False)
    due = replay(before_any_move(moves=[GIVE, TRUMP, DISCARD, LEAD]))["next"]
    assert due == {"player": 0, "move": "play", "legal": ["2C", "3C", "4C", "5C"], "min": 1, "max": 1}


FIELDS = {
    "give": {"player", "to", "cards"},
    "return": {"player", "to", "cards"},
    "trump": {"player", "suit"},
    "take-kitty": {"player", "cards"},
    "discard": {"player", "cards"},
    "show": {"player", "to", "cards"},
    "play": {"player", "card"},
    "trick": {"player", "winner", "cards"},
    "score": {"over", "scores", "payouts"},
    "end": {"winners"},
}


@RUN
def test_every_kind_of_event_has_the_fields_of_the_contract() -> None:
    told: dict[str, set[str]] = {}
    for name in BUNDLED.documented():
        for number in range(12):
            answer = replay(whole(name, number))
            for event in answer.get("events", ()):
                told.setdefault(event["event"], set(event) - {"event"})
                assert set(event) - {"event"} == FIELDS[event["event"]], event
    assert told == FIELDS


def test_over_is_the_previous_hands_until_the_hand_is_complete() -> None:
    scenario = next(s for s in (whole("pagat", n) for n in range(99)) if replay(s).get("next", 0) is None)
    for stop in range(len(scenario["moves"])):
        part = replay(scenario | {"moves": scenario["moves"][:stop]})
        assert part["state"]["over"] == scenario["over"]
        assert part["next"] is not None
    done = replay(scenario)["state"]
    target = replay(scenario)["variables"]["target"]
    assert done["over"] == [t - due for t, due in zip(done["tricks"], target, strict=True)]


def test_the_end_of_a_match() -> None:
    answer = replay(whole("pagat", 6))
    assert answer["events"][-1] == {"event": "end", "winners": [1]}
    assert (answer["state"]["match_over"], answer["state"]["winners"], answer["next"]) == (True, [1], None)


def test_a_first_hand_has_no_exchange() -> None:
    answer = replay(before_any_move(first_hand=True, over=[0, 0, 0]))
    assert answer["next"]["move"] == "trump"
    assert replay({"ruleset": "pagat", "seed": 1})["next"]["move"] == "trump"


def test_parameters() -> None:
    scenario = whole("nine-five-two", 31)
    assert replay(scenario)["state"]["match_over"]
    assert not replay(scenario | {"params": {"goal": 20}})["state"]["match_over"]
    assert not replay({"ruleset": "nine-five-two", "seed": 1, "params": {"goal": 20}})["state"]["match_over"]


def test_readings() -> None:
    scenario = before_any_move(ruleset="gamerules", dealer=0, over=[-2, 2, 0], moves=[])
    first = replay(scenario)["next"]
    other = replay(scenario | {"readings": {"exchange-amounts": "any-split"}})["next"]
    assert first["max"] == other["max"] == 2
    assert replay(scenario | {"readings": {"exchange-amounts": "as-many-as-down"}})["next"] == first


def test_a_seed_deals() -> None:
    hands = [replay({"ruleset": "pagat", "seed": seed})["state"]["hands"] for seed in (1, 1, 2)]
    assert hands[0] == hands[1] != hands[2]


def test_other_variables_are_told_and_can_be_given() -> None:
    answer = replay(
        {"ruleset": "lowest-takes", "seed": 1, "variables": {"passing": "nowhere", "cards-each": 7}}
    )
    assert answer["variables"]["passing"] == "nowhere"
    assert answer["next"]["move"] == "play"
    assert [len(hand) for hand in answer["state"]["hands"]] == [7, 7, 7, 7]


def test_a_stock_can_be_given_in_its_order() -> None:
    scenario = {
        "ruleset": "draw-two",
        "hands": [["AC", "KC", "JD", "QD", "TH"], ["AD", "KD", "JC", "QC", "TS"]],
        "zones": {"turned": ["JH"], "deck": ["AS", "KS", "QS"]},
    }
    moves: list[Json] = []
    answer = replay(scenario)
    while not any(event["event"] == "trick" for event in answer["events"]):
        due = answer["next"]
        declined: Json = {"married": {"suit": None}, "exchanges": {"answer": False}}
        choice = declined.get(due["move"], {"card": due["legal"][0]})
        moves.append({"player": due["player"], "move": due["move"], **choice})
        answer = replay(scenario | {"moves": moves})
    hands = answer["state"]["hands"]
    winner = answer["state"]["leader"]
    assert "AS" in hands[winner]
    assert "KS" in hands[1 - winner]
    assert [len(hand) for hand in hands] == [5, 5]


@pytest.mark.parametrize("name", NAMES)
def test_what_was_played_can_be_written_down_and_replayed(name: str) -> None:
    """From any moment of any hand of a match, also where cards are drawn from a stock."""
    ruleset = bundled(name)
    program = ruleset.program
    state, player = start(program, Chance(8)), random_player(8)
    carried = program.variables
    for hand in range(3):
        before = state if hand else None
        state = next_hand(before) if before is not None else state
        begun, moves = state, []
        variables = {key: value for key, value in begun.variables.items() if carried[key[0]].carried}
        while state.decision is not None:
            choice = player(state, state.decision)
            moves.append(move_json(program, state.decision, choice))
            state = apply(state, choice)
        for moment in (begun, state):
            scenario = json.loads(json.dumps(scenario_json(ruleset, moment, variables, moves)))
            answer = replay_scenario(ruleset, scenario)
            assert answer["ok"], answer
            assert answer["events"] == [event_json(program, event) for event in state.events]
        if state.match_over:
            break


# --------------------------------------------------------------------------------------------- refusals

REFUSED: dict[str, tuple[dict[str, Json], str, int | None, str]] = {
    "wrong player": ({"moves": [GIVE | {"player": 0}]}, "wrong-player", 0, "player 1 has to move (`give`)"),
    "no player": ({"moves": [{"move": "give"}]}, "wrong-player", 0, "not player null"),
    "true for 1": ({"moves": [GIVE | {"player": True}]}, "wrong-player", 0, "not player true"),
    "wrong move": ({"moves": [GIVE, DISCARD]}, "wrong-move", 1, "(`trump`), not `discard`"),
    "wrong target": ({"moves": [GIVE | {"to": 0}]}, "wrong-target", 0, "(`give`) to player 2"),
    "odd target": ({"moves": [GIVE | {"to": "2"}]}, "wrong-target", 0, "to player 2"),
    "not held": ({"moves": [GIVE | {"cards": ["2C"]}]}, "illegal-move", 0, "player 1 does not hold `2C`"),
    "too many": ({"moves": [GIVE | {"cards": ["7H", "8H"]}]}, "illegal-move", 0, "expected 1 cards, found 2"),
    "too few": ({"moves": [GIVE | {"cards": []}]}, "illegal-move", 0, "expected 1 cards, found 0"),
    "no cards": ({"moves": [GIVE | {"cards": None}]}, "bad-scenario", 0, "`cards` must be a list"),
    "no such suit": (
        {"moves": [GIVE, TRUMP | {"suit": "N"}]},
        "bad-scenario",
        1,
        "expected suit (C, D, H, S)",
    ),
    "suit not told": ({"moves": [GIVE, {"player": 1, "move": "trump"}]}, "bad-scenario", 1, "needs `suit`"),
    "cards not told": ({"moves": [{"player": 1, "move": "give"}]}, "bad-scenario", 0, "needs `cards`"),
    "card twice": ({"moves": [GIVE | {"cards": ["7H", "7H"]}]}, "bad-card", 0, "`7H` is given twice"),
    "unknown card": ({"moves": [GIVE | {"cards": ["H7"]}]}, "bad-card", 0, "did you mean `7H`?"),
    "small letters": ({"moves": [GIVE | {"cards": ["7h"]}]}, "bad-card", 0, "did you mean `7H`?"),
    "no card": ({"moves": [GIVE | {"cards": [7]}]}, "bad-card", 0, "`7` is not a card of the deck"),
    "no move": ({"moves": ["give"]}, "bad-scenario", 0, "a move must be a mapping"),
    "moves": ({"moves": {}}, "bad-scenario", None, "`moves` must be a list"),
    "unknown field": ({"kity": []}, "bad-scenario", None, "unknown field `kity`; did you mean `kitty`?"),
    "dealer": ({"dealer": 3}, "bad-scenario", None, "`dealer`: expected player, found `3`"),
    "dealer below": ({"dealer": -1}, "bad-scenario", None, "`dealer`: expected player, found `-1`"),
    "over too long": ({"over": [0, 0, 0, 0]}, "bad-scenario", None, "`over` must be a list of 3 values"),
    "over no number": ({"over": [0, 1.0, -1]}, "bad-scenario", None, "`over`: expected integer, found `1.0`"),
    "over no sum": (
        {"over": [1, 1, -1]},
        "impossible-scenario",
        None,
        "no deal leaves the players [1, 1, -1]",
    ),
    "over too low": ({"over": [4, 4, -8]}, "impossible-scenario", None, "no deal leaves"),
    "over at first": ({"first_hand": True}, "impossible-scenario", None, "a first deal has no previous deal"),
    "hands": ({"hands": [[], []]}, "bad-scenario", None, "`hands` must hold 3 lists"),
    "hands empty": ({"hands": [[], [], []]}, "bad-deal", None, "dealt 16 cards, 0 are given"),
    "kitty short": ({"kitty": ["AC", "AD", "AH"]}, "bad-deal", None, "`kitty` is dealt 4 cards, 3 are given"),
    "dealt twice": ({"kitty": ["AC", "AD", "AH", "2C"]}, "bad-card", None, "`2C` is dealt twice"),
    "zone": ({"zones": {"kity": []}}, "bad-scenario", None, "unknown zone `kity`; did you mean `kitty`?"),
    "zone owners": ({"zones": {"hand": []}}, "bad-scenario", None, "`hand` must be a list of 3 values"),
    "never dealt": ({"zones": {"trick": ["AC"]}, "kitty": []}, "bad-deal", None, "`trick` is dealt 0 cards"),
    "parameter": ({"params": {"goal": 10}}, "bad-scenario", None, "unknown parameter `goal`"),
    "reading": ({"readings": {"follow": "x"}}, "bad-scenario", None, "unknown rule with readings `follow`"),
    "variable": (
        {"variables": {"scor": 1}},
        "bad-scenario",
        None,
        "unknown variable `scor`; did you mean `score`?",
    ),
    "no deal": ({"hands": None}, "bad-scenario", None, "`hands` must hold 3 lists of cards"),
    "seed": ({"seed": "x"}, "bad-scenario", None, "`seed`: expected integer, found `x`"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    fields, kind, index, message = REFUSED[name]
    answer = replay(before_any_move(**fields))
    assert not answer["ok"]
    error = answer["error"]
    assert (error["kind"], error["move_index"]) == (kind, index), error
    assert message in error["message"]
    assert isinstance(error["legal"], list)


def test_a_scenario_needs_a_deal() -> None:
    scenario = before_any_move()
    del scenario["hands"], scenario["kitty"]
    assert replay(scenario)["error"]["message"] == "expected `hands`, or a `seed` to deal from"


def test_an_illegal_card_names_the_rule_cites_it_and_lists_the_legal_ones() -> None:
    error = replay(before_any_move(moves=[GIVE, TRUMP, DISCARD, LEAD, LEAD | {"player": 0, "card": "2D"}]))[
        "error"
    ]
    assert error["move_index"] == 4
    assert error["kind"] == "illegal-move"
    assert error["message"] == "`2D` is not allowed by rule `follow`"
    assert (error["rule"], error["cites"]) == ("follow", ["pagat-de.s28", "pagat-de.s29"])
    assert error["legal"] == error["next"]["legal"] == ["2C", "3C", "4C", "5C"]


def test_a_hand_that_is_complete_takes_no_move() -> None:
    scenario = whole("pagat", 6)
    error = replay(scenario | {"moves": [*scenario["moves"], LEAD]})["error"]
    assert (error["kind"], error["move_index"]) == ("hand-over", len(scenario["moves"]))


def test_a_wrong_reading_lists_the_right_ones() -> None:
    error = replay({"ruleset": "gamerules", "seed": 1, "readings": {"reveal": "x"}})["error"]
    assert error["message"] == "the readings of rule `reveal` are than-returned, than-received; found `x`"


def test_a_wrong_parameter_lists_the_right_ones() -> None:
    for wrong in (15, True, 10.0, "10", None, [10]):
        error = replay({"ruleset": "nine-five-two", "seed": 1, "params": {"goal": wrong}})["error"]
        assert (
            error["message"]
            == f"parameter `goal` must be 10 or 20, found `{json.dumps(wrong).strip(chr(34))}`"
        )


def test_deviations_are_only_checked_where_the_rules_tell() -> None:
    """Where targets do not add up to the cards of a hand, nobody can say how many tricks there were."""
    scenario = {"ruleset": "lowest-takes", "seed": 1, "over": [3, 0, 0, 0]}
    assert replay(scenario)["ok"]
    assert replay({"ruleset": "weaver-four", "seed": 1, "over": [1, 0, 0, -1]})["ok"]


def test_breakdowns_of_the_rules_are_told_with_their_place() -> None:
    hand = "dealer chooses trump\none becomes only card in hand of dealer"
    move = {"player": 0, "move": "trump", "suit": "H"}
    answer = replay_scenario(game(hand), {"seed": 1, "moves": [move]})
    assert answer["error"] == {
        "kind": "not-single",
        "message": "expected one card, found 0",
        "legal": [],
        "where": {"file": "small.yaml", "line": HAND + 1, "column": 19},
        "move_index": 0,
    }


# ------------------------------------------------------------------------------------------------- junk

JUNK = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 60),
        st.sampled_from([10**30, -(10**30), 1.5, float("nan"), float("inf")]),
        st.text(max_size=4),
        st.sampled_from(
            ["AS", "as", "S", "give", "play", "pagat", "hand", "hands", "\ud800", "\0", "x" * 5000]
        ),
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def paths(value: Json, path: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """Every place in some JSON."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from paths(part, (*path, key))


@RUN
@pytest.mark.grows("scenarios.junk")
@settings(max_examples=count("scenarios.junk"))
@given(st.data())
def test_junk_anywhere_is_answered(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["pagat", "gamerules", "nine-five-two", "weaver-four"]))
    scenario = copy.deepcopy(whole(name, data.draw(st.integers(0, 9))))
    scenario |= data.draw(
        st.fixed_dictionaries(
            {}, optional={"variables": st.just({"over": [0, 0, 0]}), "zones": st.just({"deck": ["AS"]})}
        )
    )
    path = data.draw(st.sampled_from([p for p in paths(scenario) if p]))
    inner = scenario
    for key in path[:-1]:
        inner = inner[key]
    if data.draw(st.integers(0, 9)) == 0 and isinstance(inner, dict):
        inner[data.draw(st.text(max_size=3))] = data.draw(JUNK)
    else:
        inner[path[-1]] = data.draw(JUNK)
    answer = replay_scenario(bundled(name), scenario)
    if not answer["ok"]:
        error = answer["error"]
        assert error["message"]
        assert len(error["message"]) < 400
        assert not any(word in error["message"] for word in ("<class", "NoneType", "Error", "object at"))
    json.dumps(answer)


@settings(max_examples=150)
@given(JUNK)
def test_any_json_is_answered(junk: Json) -> None:
    (answer,) = replay_lines(BUNDLED, [json.dumps(junk)])
    assert not answer["ok"]
    (answer,) = replay_lines(BUNDLED, [json.dumps({"ruleset": "pagat", "hands": junk, "seed": junk})])
    assert not answer["ok"] or junk is None or isinstance(junk, int)


@settings(max_examples=100)
@given(st.text(max_size=30))
def test_any_line_is_answered(line: str) -> None:
    for answer in replay_lines(FOREIGN, [line]):
        assert not answer["ok"]


def test_lines_are_answered_in_order() -> None:
    good, bad = json.dumps(before_any_move()), json.dumps(before_any_move(dealer=7))
    lines = [good, "", "{", bad, "[]", '{"ruleset": "pagt", "seed": 1}', good, "[" * 100_000, "x" * 1_000_001]
    answers = list(replay_lines(BUNDLED, lines))
    assert [answer["ok"] for answer in answers] == [True, False, False, False, False, True, False, False]
    kinds = [answer["error"]["kind"] for answer in answers if not answer["ok"]]
    assert kinds == ["bad-json", "bad-scenario", "bad-scenario", "unknown-ruleset", "bad-json", "bad-json"]
    assert "did you mean `pagat`?" in answers[4]["error"]["message"]


def test_nobody_leads_in_a_hand_that_is_thrown_in() -> None:
    """Before the play the state says who is going to lead; once a hand is over without play, nobody is."""
    passes = [{"player": p, "move": "named", "number": 0} for p in (2, 0)]
    scenario = {"ruleset": "skat", "seed": 1, "moves": passes}
    asked = replay(scenario)
    assert (asked["next"]["move"], asked["state"]["leader"]) == ("holds", 1)
    thrown_in = replay({**scenario, "moves": [*passes, {"player": 1, "move": "holds", "answer": False}]})
    assert (thrown_in["next"], thrown_in["state"]["leader"]) == (None, None)


FEWER_TRICKS = """
ruleset: fewer
title: Not every card makes a trick
extends: pagat
rules:
  play:
    rule: |
      leader becomes lead
      SIZE
      repeat ROUNDS times:
          do trick
    assumes: a test
"""

FULL = "hand-size becomes number of hand of leader"


@pytest.mark.parametrize(
    ("size", "rounds", "accepted"),
    [
        (FULL, "hand-size", False),
        (FULL, "hand-size - 1", True),
        (f"{FULL} - 1", "hand-size", True),
    ],
)
def test_where_not_every_card_makes_a_trick_deviations_need_not_add_up(
    size: str, rounds: str, accepted: bool
) -> None:
    text = FEWER_TRICKS.replace("SIZE", size).replace("ROUNDS", rounds)
    ruleset, wrong = BUNDLED.load_text(text, "fewer.yaml")
    assert ruleset is not None, wrong
    answer = replay_scenario(ruleset, before_any_move(ruleset="fewer.yaml", over=[-1, -1, 1]))
    assert answer["ok"] is accepted


@pytest.mark.parametrize(
    "hand",
    [
        "n becomes 3\nrepeat 90 times:\n    n becomes n * n",
        "for q in 1 to 10001:\n    n becomes q",
        pytest.param(
            "repeat 1000 times:\n    repeat 1000 times:\n        n becomes n + 1", marks=pytest.mark.slow
        ),
    ],
)
def test_where_the_interpreter_gives_up_the_rules_are_not_at_fault(hand: str) -> None:
    answer = replay_scenario(game(hand), {"ruleset": "small", "seed": 1})
    assert answer["ok"] is False
    assert answer["error"]["kind"] == "engine-limit"
    assert answer["error"]["kind"] not in FAULTS
    assert answer["error"]["where"]["line"] > 1


def test_of_a_path_that_leads_to_no_ruleset_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("password: swordfish\n")
    (tmp_path / "secret").write_text("swordfish\n")
    places = [tmp_path / "secret.yaml", tmp_path / "secret", tmp_path / "missing.yaml", tmp_path, "/dev/zero"]
    answers = [
        a for place in places for a in replay_lines(BUNDLED, [json.dumps({"ruleset": str(place), "seed": 1})])
    ]
    assert {answer["error"]["kind"] for answer in answers} == {"unknown-ruleset"}
    shapes = {answer["error"]["message"].partition("`")[2].partition("` ")[2] for answer in answers}
    assert shapes == {"is not a ruleset (`trickproof check` on it says why)"}


def test_ids_only(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text("ruleset: house\ntitle: House\nextends: pagat\n")
    line = json.dumps({"ruleset": str(path), "seed": 1})
    assert [answer["ok"] for answer in replay_lines(BUNDLED, [line])] == [True]
    (answer,) = replay_lines(BUNDLED, [line], ids_only=True)
    assert "is a path: only the ids of rulesets are taken" in answer["error"]["message"]
    (answer,) = replay_lines(BUNDLED, [json.dumps({"ruleset": "pagat", "seed": 1})], ids_only=True)
    assert answer["ok"]
