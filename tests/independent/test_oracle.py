"""The oracle against itself: laws of every hand of every game."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from budget import RUN, slow_but

from .oracle import RULESETS, comparable, play, random_scenario
from .variants import SUITS, VARIANTS, kitty_size, pack, rank, targets

Json = dict[str, Any]
EACH = pytest.mark.parametrize("ruleset", RULESETS)


@cache
def played(ruleset: str, seed: int) -> tuple[Json, Json]:
    """A random scenario and what it comes to; all laws look at the same ones."""
    scenario = random_scenario(ruleset, Random(f"{ruleset} {seed}"))
    return scenario, play(scenario)


def scenarios(ruleset: str, number: int) -> list[Json]:
    return [played(ruleset, seed)[0] for seed in range(number)]


def legal_scenarios(ruleset: str, number: int) -> list[tuple[Json, Json]]:
    pairs = [played(ruleset, seed) for seed in range(number)]
    return [(scenario, answer) for scenario, answer in pairs if answer["ok"]]


def of_kind(answer: Json, *kinds: str) -> list[Json]:
    return [event for event in answer["events"] if event["event"] in kinds]


def kinds(answer: Json) -> list[str]:
    return [event["event"] for event in answer["events"]]


@EACH
def test_every_card_is_in_exactly_one_place_after_every_move(ruleset: str) -> None:
    for scenario, _ in legal_scenarios(ruleset, 12):
        for stop in range(len(scenario["moves"]) + 1):
            answer = play(scenario | {"moves": scenario["moves"][:stop]})
            state = answer["state"]
            cards = [card for hand in state["hands"] for card in hand] + state["kitty"] + state["discards"]
            cards += [event["card"] for event in of_kind(answer, "play")]
            assert sorted(cards) == sorted(pack(ruleset))


@EACH
def test_stopping_earlier_tells_the_beginning_of_the_same_story(ruleset: str) -> None:
    for scenario, answer in legal_scenarios(ruleset, 12):
        for stop in range(len(scenario["moves"])):
            shorter = play(scenario | {"moves": scenario["moves"][:stop]})
            due, move = shorter["next"], scenario["moves"][stop]
            assert shorter["events"] == answer["events"][: len(shorter["events"])]
            assert (due["player"], due["move"]) == (move["player"], move["move"])


@EACH
def test_only_the_listed_suits_and_cards_are_accepted(ruleset: str) -> None:
    for scenario, answer in legal_scenarios(ruleset, 40):
        due = answer["next"]
        if due is None or due["move"] not in ("trump", "play"):
            continue
        field, everything = ("suit", SUITS) if due["move"] == "trump" else ("card", pack(ruleset))
        for choice in everything:
            move = {"player": due["player"], "move": due["move"], field: choice}
            assert play(scenario | {"moves": [*scenario["moves"], move]})["ok"] == (choice in due["legal"])


@EACH
def test_play_starts_with_full_hands_and_ends_with_all_tricks_taken(ruleset: str) -> None:
    tricks_of_a_hand = VARIANTS[ruleset].hand
    for scenario, answer in legal_scenarios(ruleset, 60):
        plays = [i for i, move in enumerate(scenario["moves"]) if move["move"] == "play"]
        if plays:
            state = play(scenario | {"moves": scenario["moves"][: plays[0]]})["state"]
            assert [len(hand) for hand in state["hands"]] == [tricks_of_a_hand] * len(state["hands"])
            assert state["leader"] == (scenario["dealer"] + 1) % len(state["hands"])
        if answer["next"] is None:
            state = answer["state"]
            assert sum(state["tricks"]) == tricks_of_a_hand
            assert sum(state["over"]) == sum(state["scores"]) == 0
            assert state["tricks"] == [
                sum(trick["winner"] == player for trick in of_kind(answer, "trick"))
                for player in range(len(state["tricks"]))
            ]


@EACH
def test_tricks_go_clockwise_follow_suit_and_fall_to_the_highest_trump_or_card_led(ruleset: str) -> None:
    for scenario, answer in legal_scenarios(ruleset, 40):
        plays, tricks = of_kind(answer, "play"), of_kind(answer, "trick")
        players = len(scenario["hands"])
        leader, trump = (scenario["dealer"] + 1) % players, answer["state"]["trump"]
        for number, trick in enumerate(tricks):
            first, *others = plays[number * players : (number + 1) * players]
            assert [event["player"] for event in (first, *others)] == [
                (leader + i) % players for i in range(players)
            ]
            assert trick["cards"] == [first["card"], *(event["card"] for event in others)]
            led = first["card"][1]
            for event in others:
                later = {e["card"] for e in plays[number * players :] if e["player"] == event["player"]}
                unplayed = later | set(answer["state"]["hands"][event["player"]])
                assert event["card"][1] == led or all(card[1] != led for card in unplayed)
            worth = {card: (card[1] == trump, card[1] == led, rank(card)) for card in trick["cards"]}
            leader = (leader + trick["cards"].index(max(worth, key=lambda card: worth[card]))) % players
            assert trick["winner"] == trick["player"] == leader


@EACH
def test_everybody_gives_and_gets_what_the_last_hand_says(ruleset: str) -> None:
    for scenario, answer in legal_scenarios(ruleset, 60):
        if not of_kind(answer, "play"):
            continue
        out, back = Counter[int](), Counter[int]()
        for gift in of_kind(answer, "give"):
            out[gift["player"]] += len(gift["cards"])
            back[gift["to"]] += len(gift["cards"])
        for player, over in enumerate(scenario["over"]):
            if VARIANTS[ruleset].may:
                assert out[player] <= max(over, 0)
            else:
                assert (out[player], back[player]) == (max(over, 0), max(-over, 0))
        given = {(g["player"], g["to"]): Counter(c[1] for c in g["cards"]) for g in of_kind(answer, "give")}
        returned = {
            (r["to"], r["player"]): Counter(c[1] for c in r["cards"]) for r in of_kind(answer, "return")
        }
        assert {pair: suits for pair, suits in given.items() if suits} == returned


@EACH
def test_no_card_above_a_returned_one_stays_behind(ruleset: str) -> None:
    for scenario, answer in legal_scenarios(ruleset, 80):
        hands = [set(hand) for hand in scenario["hands"]]
        back = of_kind(answer, "return")
        until_last_return = answer["events"].index(back[-1]) + 1 if back else 0
        for event in answer["events"][:until_last_return]:
            cards = set(event.get("cards", ()))
            if event["event"] in ("give", "return", "discard"):
                assert cards <= hands[event["player"]]
                hands[event["player"]] -= cards
            if event["event"] in ("give", "return"):
                hands[event["to"]] |= cards
            if event["event"] == "take-kitty":
                hands[event["player"]] |= cards
        for event in back:
            for card in event["cards"]:
                left = [other for other in hands[event["player"]] if other[1] == card[1]]
                assert all(rank(other) < rank(card) for other in left)


@RUN
@pytest.mark.parametrize("ruleset", slow_but(("pagat", "weaver-four"), RULESETS))
def test_random_scenarios_reach_everything_a_hand_can_hold(ruleset: str) -> None:
    made = scenarios(ruleset, 300)
    answers = [play(scenario) for scenario in made]
    good = [answer for answer in answers if answer["ok"]]
    assert 0.05 < 1 - len(good) / len(answers) < 0.16
    assert 0.55 < sum(answer["next"] is None for answer in good) / len(good) < 0.8
    assert {answer["next"]["move"] for answer in good if answer["next"]} >= {"give", "trump", "play"}
    assert sum(answer["state"]["match_over"] for answer in good) >= 5
    told = {kind for answer in good for kind in kinds(answer)}
    kitty = {"take-kitty", "discard"} if kitty_size(ruleset) else set()
    shows = {"show"} if VARIANTS[ruleset].shows else set()
    assert told == {"give", "return", "trump", "play", "trick", "score", "end"} | kitty | shows
    assert {scenario["dealer"] for scenario in made} == set(range(len(VARIANTS[ruleset].targets)))
    assert all(not any(scenario["over"]) for scenario in made if scenario["first_hand"])
    assert all(sum(scenario["over"]) == sum(scenario["scores"]) == 0 for scenario in made)


@EACH
def test_answers_are_comparable_with_themselves_and_scenarios_repeatable(ruleset: str) -> None:
    for scenario in scenarios(ruleset, 20):
        answer = play(scenario)
        assert comparable(answer) == comparable(comparable(answer)) == comparable(play(scenario))
    assert scenarios(ruleset, 3) == scenarios(ruleset, 3)


@EACH
def test_targets_sum_to_the_tricks(ruleset: str) -> None:
    for dealer in range(len(VARIANTS[ruleset].targets)):
        assert sum(targets(ruleset, dealer)) == VARIANTS[ruleset].hand


def test_the_oracle_shares_no_code_with_the_project() -> None:
    for file in Path(__file__).parent.glob("[!t]*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.startswith("trickproof")], file
