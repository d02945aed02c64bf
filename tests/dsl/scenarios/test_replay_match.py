"""A match as a list of scenarios: each deal goes on from the one before it, and says nothing else than that."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dsl.small_games import BUNDLED, ROOT, bundled
from trickproof_dsl import (
    Chance,
    Ruleset,
    apply,
    move_json,
    next_hand,
    replay_lines,
    replay_scenario,
    scenario_json,
    start,
)
from trickproof_dsl.scenarios import replay
from trickproof_dsl.semantics.state import State

Json = Any


GATHERED = """
ruleset: gathered
title: Hearts, of which the tricks go back into the deck
extends: hearts.yaml
rules:
  payout:
    rule: |
      for p in players:
          put tricks-taken of p into deck
    assumes: a test
"""


def match(deals: int = 2, ruleset: Ruleset | None = None) -> list[dict[str, Json]]:
    """Deals of a ruleset, or pagat, in which everybody chooses what is legal first."""
    ruleset, scenarios = ruleset or bundled("pagat"), list[dict[str, Json]]()
    state = start(ruleset.program, Chance(3))
    for _ in range(deals):
        begun, moves = state, list[dict[str, Json]]()
        while (decision := state.decision) is not None:
            choice = frozenset(decision.legal[: decision.low]) if decision.of_cards else decision.legal[0]
            moves.append(move_json(ruleset.program, decision, choice))
            state = apply(state, choice)
        scenarios.append(scenario_json(ruleset, state, begun.variables, moves))
        if state.match_over:
            break
        state = next_hand(state)
    return scenarios


def answer(scenarios: list[dict[str, Json]], **more: Json) -> dict[str, Json]:
    (only,) = replay_lines(BUNDLED, [json.dumps({"match": scenarios, **more})])
    return only


def test_the_last_deal_is_answered() -> None:
    scenarios = match()
    assert len(scenarios) == 2
    answered = answer(scenarios)
    assert answered["ok"]
    assert answered["deal"] == 2
    (alone,) = replay_lines(BUNDLED, [json.dumps(scenarios[1])])
    assert {key: x for key, x in answered.items() if key != "deal"} == alone


def test_cards_put_back_into_the_deck_are_written_where_they_were_dealt() -> None:
    ruleset, _ = BUNDLED.load_text(GATHERED, str(ROOT / "rulesets/games/gathered.yaml"))
    assert ruleset is not None
    (scenario,) = match(1, ruleset)
    assert "zones" not in scenario
    assert replay_scenario(ruleset, json.loads(json.dumps(scenario)))["ok"]


def test_a_deal_that_begins_otherwise_is_refused() -> None:
    scenarios = match()
    scenarios[1]["dealer"] = (scenarios[1]["dealer"] + 1) % 3
    refused = answer(scenarios)
    assert (refused["ok"], refused["error"]["kind"], refused["deal"]) == (False, "impossible-match", 2)


def test_a_match_begins_at_its_start() -> None:
    assert answer(match()[1:])["error"]["kind"] == "impossible-match"


def test_a_match_that_fails_before_a_deal_says_so() -> None:
    """Also without that deal: the steps before it are the last that are carried out."""
    text = "ruleset: fails\nextends: pagat\nrules: {next-dealer: {rule: only player in players, assumes: a test}}\n"
    fails, wrong = BUNDLED.load_text(text, "fails.yaml")
    assert fails is not None, wrong
    scenarios = [{**deal, "ruleset": "fails.yaml"} for deal in match()]
    alone = replay.replay_match(fails, scenarios[:1])
    assert alone["ok"]
    assert alone["between_deals"]["message"] == "expected one player, found 3"
    assert alone["between_deals"]["where"]["file"] == "fails.yaml"
    assert replay_scenario(fails, scenarios[0])["between_deals"] == alone["between_deals"]
    more = replay.replay_match(fails, scenarios)
    assert (more["error"]["kind"], more["deal"]) == ("impossible-match", 2)
    assert more["error"]["message"].endswith(": the rules fail before it: expected one player, found 3")


def test_a_deal_after_one_that_is_not_complete_is_refused() -> None:
    scenarios = match()
    scenarios[0]["moves"] = scenarios[0]["moves"][:-1]
    assert answer(scenarios)["error"]["kind"] == "impossible-match"


def test_the_answers_to_all_deals_are_those_to_the_matches_that_they_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each deal is replayed once, and nothing after one that is refused."""
    ruleset, scenarios = bundled("pagat"), match(4)
    scenarios[2]["moves"] = scenarios[2]["moves"][:-1]
    prefixes = [replay.replay_match(ruleset, scenarios[: n + 1]) for n in range(4)]
    begun: list[Json] = []
    begin_deal = replay.begin_deal

    def counted(ruleset: Ruleset, scenario: Json, before: State | None) -> tuple[State, State]:
        begun.append(scenario)
        return begin_deal(ruleset, scenario, before)

    monkeypatch.setattr(replay, "begin_deal", counted)
    assert list(replay.replay_deals(ruleset, [*scenarios, scenarios[0]])) == [*prefixes, prefixes[-1]]
    assert begun == scenarios
    assert [one["ok"] for one in prefixes] == [True, True, True, False]


def test_parameters_and_readings_stay_the_same() -> None:
    scenarios = match()
    scenarios[1]["readings"] = {"nonsense": "x"}
    assert not answer(scenarios)["ok"]


def test_what_is_no_match_is_refused() -> None:
    assert answer([])["error"]["kind"] == "bad-scenario"
    assert answer([*match(), 5])["error"]["kind"] == "bad-scenario"  # type: ignore[list-item]
    assert answer(match(), ruleset="pagat")["error"]["kind"] == "bad-scenario"
