"""The invariants of the core: they hold for every ruleset, and each notices what breaks it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from dsl.small_games import NAMES, bundled, game
from trickproof_dsl.core.json_codec import program_from_json, program_json
from trickproof_dsl.core.well_formed import INVARIANTS, violations

Json = Any


@pytest.mark.parametrize("name", NAMES)
def test_rulesets_keep_all_invariants(name: str) -> None:
    assert violations(bundled(name).program) == []


HAND = """
    shuffle
    deal 2 cards to hand of dealer
    deal the rest to kitty
    for p in players with m > 0, highest m first, then clockwise from dealer:
        p lays 1 card of hand as one
        p gives up to 2 cards of hand to left of p as gift(p, left of p)
    for p in players, simultaneously:
        p discards 1 card of hand
    for q in 1 to 3:
        n becomes -q
    n becomes number of cards in kitty with suit = trump
    who chooses trump from suits or none
    dealer chooses n from 0 to goal with n != 3
    dealer chooses said of dealer
    dealer shows kitty to partner of dealer
    put kitty into discards
    repeat until n > 3 and not yes, at most 5 times:
        n becomes if yes then n + 1 else (n mod 2)
    announce told: cards table, number n, scores score
    held becomes highest of hand of dealer matching gift(dealer, who)
    held becomes held + one
    best becomes highest rank among kitty
    one becomes only card in top 1 of hand of dealer by height
    yes becomes one in held or some card in kitty has suit = trump
    yes becomes number of (union of kept for players) = sum of m for players
    yes becomes suit of one = clubs
    do greet of who
    best becomes strength
    if yes:
        the match ends, won by players with the highest m
    do unsaid
"""
RULES = """
greet:
  of: player p
  rule: n becomes if team of p = team of dealer then 1 else 2
  assumes: a test
strength:
  readings:
    - {name: high, says: high, rule: five}
    - {name: low, says: low, rule: two}
  assumes: a test
unsaid: {gives: nothing, silent: nobody says}
unknown-card: {gives: card, silent: nobody says}
reveal:
  rule: dealer shows cards in hand of dealer with card = unknown-card to left of dealer
  assumes: a test
trick:
  rule: |
    do greet of only player in players with m = 3
  assumes: a test
"""
TEAMS = "{number: 4, teams: [[0, 2], [1, 3]]}"


@cache
def program_text() -> str:
    return json.dumps(program_json(game(HAND, RULES, TEAMS).program, spans=False))


def data() -> dict[str, Json]:
    made: dict[str, Json] = json.loads(program_text())
    return made


def test_the_game_of_these_tests_keeps_them_too() -> None:
    assert violations(program_from_json(data())) == []


def nodes(value: Json) -> Iterator[dict[str, Json]]:
    """Every node of some JSON, parents first."""
    if isinstance(value, dict):
        if "node" in value:
            yield value
        for part in value.values():
            yield from nodes(part)
    elif isinstance(value, list):
        for part in value:
            yield from nodes(part)


def every(given: Json, node: str, **like: Json) -> list[dict[str, Json]]:
    """The nodes of the match with this name and these fields; at least one."""
    found = [n for n in nodes(given["hand"]) if n["node"] == node]
    found = [n for n in found if all(n[key] == value for key, value in like.items())]
    assert found, (node, like)
    return found


def put(node: str, like: dict[str, Json] | None = None, /, **fields: Json) -> Callable[[Json], None]:
    """Gives the first such node of the hand other fields."""
    return lambda given: every(given, node, **(like or {}))[0].update(fields)


def declare(kind: str, name: str, /, **fields: Json) -> Callable[[Json], None]:
    return lambda given: given[kind][name].update(fields)


def literal(kind: str, value: Json) -> dict[str, Json]:
    return {"node": "Literal", "type": kind, "value": value}


def local(name: str, kind: str = "player") -> dict[str, Json]:
    return {"node": "Local", "name": name, "type": kind}


NUMBER, TRUTH, PLAYER, CARDS = (
    literal("integer", 1),
    literal("boolean", True),
    literal("player", 1),
    literal("cards", []),
)
NO_ORDER: dict[str, Json] = {"node": "Order", "keys": [], "ties": "natural", "start": None, "clockwise": True}
SUIT, SUITS = literal("suit", 1), literal("suits", [])


def twice_bound(given: Json) -> None:
    first, second = every(given, "Filter")[0], every(given, "Exists")[0]
    renamed = json.loads(json.dumps(second).replace(f'"{second["binder"]}"', f'"{first["binder"]}"'))
    second.update(renamed)


def two_choices_one_name(given: Json) -> None:
    first, second = (choice["binder"] for choice in every(given, "ChooseCards")[:2])
    given["hand"] = json.loads(json.dumps(given["hand"]).replace(f'"{second}"', f'"{first}"'))


def within_itself(given: Json) -> None:
    rule = every(given, "InRule", rule="greet")[0]
    rule["body"].append({"node": "InRule", "rule": "greet", "body": []})


def last_card_twice(given: Json) -> None:
    given["deck"]["cards"][-1] = given["deck"]["cards"][0]


def by_a_loop(**fields: Json) -> Callable[[Json], None]:
    return lambda given: every(given, "Loop")[0]["order"].update(fields)


def key_of_suits(given: Json) -> None:
    every(given, "Loop")[0]["order"]["keys"][0][2] = SUIT


BREAKS: dict[str, list[Callable[[Json], None]]] = {
    "declarations_fit": [
        declare("variables", "n", name="m"),
        declare("zones", "kitty", name="hand"),
        declare("rules", "trump", name="kitty"),
        last_card_twice,
        lambda given: given["deck"]["card_suit"].pop(),
        lambda given: given["deck"]["suits"].pop(),
        lambda given: given["deck"]["card_rank"].__setitem__(0, 13),
        lambda given: given.update(teams=[[0, 2], [1, 1]]),
    ],
    "initial_values_fit": [
        declare("variables", "trump", initial=3),
        declare("variables", "trump", initial=-1),
        declare("variables", "n", initial=None),
        declare("variables", "n", initial=True),
        declare("variables", "yes", initial=0),
        declare("variables", "held", initial=None),
        declare("variables", "held", initial=[2, 1]),
        declare("variables", "held", initial=[12]),
        declare("variables", "said", initial=3),
    ],
    "names_known": [
        put("Assign", variable="nn"),
        put("Variable", name="nn"),
        put("ZoneCards", zone="nowhere"),
        put("Place", zone="nowhere"),
        put("Parameter", name="goals"),
        put("Reading", rule="greet"),
        put("InRule", rule="gret"),
        put("RuleValue", rule="gret"),
        put("Unspecified", rule="gret"),
        put("ChooseCards", rule="gret"),
        put("ChooseValue", rule="gret"),
        put("Announce", fields=[["scores", "scores"]]),
        lambda given: given.update(options={}),
    ],
    "closed": [
        put("Local", name="p.0"),
        put("Local", type="card"),
        lambda given: given["rules"]["greet"].update(parameters=[]),
        lambda given: given["rules"]["greet"].update(parameters=[["greet.p", "card"]]),
        lambda given: every(given, "Loop")[0].update(domain=local(every(given, "Loop")[0]["binder"])),
    ],
    "binders_unique": [twice_bound, two_choices_one_name],
    "owners_given": [
        put("Variable", {"name": "m"}, arguments=[]),
        put("Assign", {"variable": "n"}, arguments=[PLAYER]),
        put("ZoneCards", {"zone": "hand"}, arguments=[PLAYER, PLAYER]),
        put("Place", {"zone": "hand"}, arguments=[]),
    ],
    "well_typed": [
        put("Variable", {"name": "n"}, type="player"),
        put("Variable", {"name": "m"}, arguments=[NUMBER]),
        put("ZoneCards", type="players"),
        put("ZoneCards", {"zone": "hand"}, arguments=[SUIT]),
        put("Parameter", type="player"),
        put("Reading", type="player"),
        put("Size", set=NUMBER),
        put("Arithmetic", left=PLAYER),
        put("Arithmetic", right=PLAYER),
        put("Arithmetic", {"operator": "mod"}, type="boolean"),
        put("Compare", right=SUIT),
        put("Compare", {"operator": ">"}, left=PLAYER, right=PLAYER),
        put("Logic", left=NUMBER),
        put("Logic", right=NUMBER),
        put("Not", operand=NUMBER),
        put("Conditional", condition=NUMBER),
        put("Conditional", then=PLAYER),
        put("Conditional", otherwise=PLAYER),
        put("Seat", player=NUMBER),
        put("Table", index=NUMBER),
        put("Table", type="card"),
        put("CardAttribute", card=PLAYER),
        put("CardAttribute", {"attribute": "suit"}, attribute="rank"),
        put("Universe", {"type": "suits"}, type="integers"),
        put("Range", low=PLAYER),
        put("Range", high=PLAYER),
        put("SetOperation", left=SUITS),
        put("SetOperation", right=SUITS),
        put("Single", element=NUMBER),
        put("Filter", condition=NUMBER),
        put("Filter", {"type": "cards"}, type="suits"),
        put("Member", element=PLAYER),
        put("Member", set=NUMBER),
        put("Exists", condition=NUMBER),
        put("Exists", domain=NUMBER, condition=TRUTH),
        put("Sum", value=TRUTH),
        put("UnionOf", value=NUMBER),
        put("UnionOf", type="players"),
        put("Extreme", value=SUIT, type="suit"),
        put("Extreme", type="integer"),
        put("Best", key=TRUTH),
        put("Best", type="cards"),
        put("Matching", operand=SUITS),
        put("Matching", pattern=SUITS),
        put("Matching", answering=SUITS),
        put("Top", count=PLAYER),
        put("Top", key=PLAYER),
        put("Top", type="players"),
        put("Only", operand=PLAYER),
        put("Only", type="player"),
        put("RuleValue", type="integer"),
        put("Assign", {"variable": "n"}, value=PLAYER),
        put("Branch", condition=NUMBER),
        put("Loop", domain=NUMBER, body=[], order=NO_ORDER),
        key_of_suits,
        by_a_loop(start=NUMBER),
        put("Until", condition=NUMBER),
        put("Until", bound=PLAYER),
        put("ChooseCards", actor=NUMBER),
        put("ChooseCards", domain=PLAYER),
        put("ChooseCards", low=PLAYER),
        put("ChooseCards", high=PLAYER),
        put("ChooseCards", to=NUMBER),
        put("ChooseCards", whose=NUMBER),
        put("ChooseValue", actor=NUMBER),
        put("ChooseValue", condition=NUMBER),
        put("ChooseValue", {"label": "n"}, domain=SUITS),
        put("ChooseValue", {"label": "said"}, domain=SUITS),
        put("Move", {"label": "give"}, cards=PLAYER),
        put("Move", actor=NUMBER),
        put("Move", to=NUMBER),
        put("Show", actor=NUMBER),
        put("Show", cards=PLAYER),
        put("Show", to=PLAYER),
        put("Deal", count=PLAYER),
        put("EndMatch", winners=PLAYER),
    ],
    "constants_exist": [
        put("Literal", {"type": "suit"}, value=3),
        put("Literal", {"type": "integer"}, value=None),
        put("Literal", {"type": "integer"}, value=True),
        put("Seat", offset=4),
        put("Seat", offset=-1),
        put("Table", entries=[0, 1]),
        put("Table", entries=[0, 1, 2, 4]),
    ],
    "operators_known": [
        put("Arithmetic", operator="/"),
        put("Compare", operator="<>"),
        put("SetOperation", operator="*"),
    ],
    "choices_told": [
        put("ChooseCards", label=""),
        put("ChooseValue", label=""),
        put("Show", label=""),
        put("Move", {"label": "give"}, label=""),
        put("Move", {"label": "give"}, actor=None),
        put("Move", {"actor": None}, to=PLAYER),
        put("Move", {"actor": None}, single=True),
        put("ChooseValue", {"label": "n"}, or_none=True),
    ],
    "fields_told": [put("Announce", fields=[["number", "n"]])],
    "orders_fit": [by_a_loop(start=None), by_a_loop(ties="natural")],
    "finite": [within_itself],
}


def test_every_invariant_has_something_that_breaks_it() -> None:
    assert list(BREAKS) == [invariant.__name__ for invariant in INVARIANTS]
    assert all(invariant.__doc__ for invariant in INVARIANTS)


@pytest.mark.parametrize(
    ("invariant", "number"), [(name, i) for name, changes in BREAKS.items() for i in range(len(changes))]
)
def test_what_breaks_an_invariant_is_noticed(invariant: str, number: int) -> None:
    given = data()
    BREAKS[invariant][number](given)
    found = violations(program_from_json(given))
    assert found
    assert {line.partition(":")[0] for line in found} == {invariant}
