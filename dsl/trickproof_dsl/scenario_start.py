"""A scenario's situation as a state: what it gives is read, and refused when no such hand can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.errors import did_you_mean
from trickproof_dsl.evaluate import Key
from trickproof_dsl.interpret import run, start
from trickproof_dsl.jsonform import Json, ScenarioError, read_cards, read_value, read_variable
from trickproof_dsl.load import Ruleset
from trickproof_dsl.state import Chance, State, initial

_KEYS = (
    "ruleset",
    "params",
    "dealer",
    "first_hand",
    "over",
    "scores",
    "hands",
    "kitty",
    "moves",
    "readings",
    "seed",
    "zones",
    "variables",
)
SCENARIO_WORDS = {"dealer": "dealer", "first_hand": "first-hand", "over": "over", "scores": "score"}
"""Keys of a scenario that set a variable."""


def start_scenario(ruleset: Ruleset, scenario: Mapping[str, Json]) -> State:
    """The scenario's hand before its first move.  Raises ScenarioError."""
    program = ruleset.program
    for key in scenario:
        if key not in _KEYS:
            close = did_you_mean(str(key), _KEYS)
            hint = f"; did you mean `{close}`?" if close else ""
            raise ScenarioError("bad-scenario", f"unknown field `{str(key)[:40]}`{hint}")
    variables = read_variables(program, scenario)
    _check_over(program, variables, scenario)
    given = read_deal(program, scenario)
    seed = scenario.get("seed", 0)
    if not given and "seed" not in scenario:
        raise ScenarioError("bad-scenario", "expected `hands`, or a `seed` to deal from")
    parameters = _parameters(program, scenario.get("params", {}))
    readings = _readings(program, scenario.get("readings", {}))
    chance = Chance(read_value(program, c.INTEGER, seed, "seed"), given or None)
    state = start(program, chance, parameters, readings, variables)
    _check_dealt(program, state)
    return state


def read_variables(program: c.Program, scenario: Mapping[str, Json]) -> dict[Key, Any]:
    """Carried variables that the scenario sets; a hand is not the first unless it says so."""
    given: dict[str, Json] = {}
    if "first-hand" in program.variables:
        given["first-hand"] = False
    given |= {word: scenario[key] for key, word in SCENARIO_WORDS.items() if key in scenario}
    more = scenario.get("variables", {})
    if not isinstance(more, dict):
        raise ScenarioError("bad-scenario", "`variables` must be a mapping of names to values")
    found: dict[Key, Any] = {}
    for name, value in (given | more).items():
        if name not in program.variables:
            close = did_you_mean(name, program.variables)
            raise ScenarioError(
                "bad-scenario", f"no variable `{name}`" + (f"; did you mean `{close}`?" if close else "")
            )
        found |= read_variable(program, name, value)
    return found


def read_deal(program: c.Program, scenario: Mapping[str, Json]) -> dict[Key, tuple[int, ...]]:
    """The cards that each place is dealt."""
    given: dict[Key, tuple[int, ...]] = {}
    if "hands" in scenario:
        hands = scenario["hands"]
        if not isinstance(hands, list) or len(hands) != program.players:
            raise ScenarioError("bad-scenario", f"`hands` must hold {program.players} lists of cards")
        given |= {("hand", p): read_cards(program, hand, "hands") for p, hand in enumerate(hands)}
    if scenario.get("kitty"):
        given[("kitty",)] = read_cards(program, scenario["kitty"], "kitty")
    zones = scenario.get("zones", {})
    if not isinstance(zones, dict):
        raise ScenarioError("bad-scenario", "`zones` must be a mapping of zones to cards")
    for name, cards in zones.items():
        if name not in program.zones or program.zones[name].of:
            raise ScenarioError("bad-scenario", f"no shared zone `{name}`")
        given[(name,)] = read_cards(program, cards, name)
    every = [card for cards in given.values() for card in cards]
    for card in every:
        if every.count(card) > 1:
            raise ScenarioError("bad-card", f"`{program.deck.cards[card]}` is dealt twice")
    return given


def _parameters(program: c.Program, given: Json) -> dict[str, int]:
    if not isinstance(given, dict):
        raise ScenarioError("bad-scenario", "`params` must be a mapping of names to numbers")
    for name, value in given.items():
        allowed = program.parameters.get(name)
        if allowed is None:
            raise ScenarioError("bad-scenario", f"no parameter `{name}`")
        if value not in allowed or isinstance(value, bool):
            told = " or ".join(map(str, allowed))
            raise ScenarioError(
                "bad-scenario", f"parameter `{name}` must be {told}, found `{str(value)[:40]}`"
            )
    return dict(given)


def _readings(program: c.Program, given: Json) -> dict[str, int]:
    if not isinstance(given, dict):
        raise ScenarioError("bad-scenario", "`readings` must be a mapping of rules to readings")
    taken: dict[str, int] = {}
    for rule, name in given.items():
        known = program.readings.get(rule, ())
        if name not in known:
            told = f"one of {', '.join(known)}" if known else "no readings"
            raise ScenarioError("bad-scenario", f"rule `{rule}` has {told}")
        taken[rule] = known.index(name)
    return taken


def _check_over(program: c.Program, variables: Mapping[Key, Any], scenario: Mapping[str, Json]) -> None:
    """Refuses deviations that no previous hand can have had, where the ruleset's own words allow to tell."""
    over = [variables.get(("over", p), 0) for p in range(program.players)]
    if not any(over):
        return
    if variables.get(("first-hand",)):
        raise ScenarioError("impossible-scenario", "a first hand has no previous hand: `over` must be zero")
    targets = program.rules["targets"].body if "targets" in program.rules else None
    hands = scenario.get("hands")
    if targets is None or not isinstance(hands, list) or not hands:
        return
    tried = 0
    for dealer in range(program.players):
        before = initial(program, variables={("dealer",): dealer})
        after = run(before, program.between)
        settled = run(before, targets)
        if after.fault or settled.fault or settled.decision:
            return
        if after.variables[("dealer",)] != variables.get(("dealer",), 0):
            continue
        tried += 1
        tricks = [over[p] + settled.variables[("target", p)] for p in range(program.players)]
        if min(tricks) >= 0 and sum(tricks) == len(hands[0]):
            return
    if tried:
        raise ScenarioError("impossible-scenario", f"no hand leaves the players {over} over their targets")


def _check_dealt(program: c.Program, state: State) -> None:
    """Refuses hands that are not as large as the rules deal them."""
    fault = state.fault
    if fault is not None and fault.kind == "deck-empty":
        raise ScenarioError("bad-deal", f"the cards given cannot be dealt: {fault.message}")
    if any(_deals(t) for frame in state.stack for t in frame.body[frame.index :]):
        return
    for place, cards in (state.chance.given or {}).items():
        if cards:
            name = " of player ".join(map(str, place))
            dealt = len(state.chance.dealt.get(place, ()))
            raise ScenarioError(
                "bad-deal", f"`{name}` is dealt {dealt} cards, {dealt + len(cards)} are given"
            )


def _deals(t: c.Stmt) -> bool:
    match t:
        case c.Deal():
            return True
        case c.InRule(_, body) | c.Loop(_, _, _, body) | c.Until(_, _, body):
            return any(map(_deals, body))
        case c.Branch(_, then, otherwise):
            return any(map(_deals, (*then, *otherwise)))
    return False
