"""Scenarios: one hand as JSON, replayed by the reference interpreter.

`replay_scenario` answers as the contract says: events, state and what is asked next, or an error that names the
rule broken, cites it and lists the legal options.  `scenario_json` and `move_json` write scenarios.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.errors import did_you_mean
from trickproof_dsl.evaluate import Evaluator, Fault, FaultError, Key
from trickproof_dsl.interpret import VALUE_KEYS, Chance, Decision, State, apply, initial, run, start
from trickproof_dsl.jsonform import (
    Json,
    ScenarioError,
    event_json,
    read_card,
    read_cards,
    read_value,
    read_variable,
    value_json,
    variable_json,
)
from trickproof_dsl.load import Ruleset

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
_WORDS = {"dealer": "dealer", "first_hand": "first-hand", "over": "over", "scores": "score"}
"""Keys of a scenario that set a variable."""


def replay_scenario(ruleset: Ruleset, scenario: Mapping[str, Json]) -> dict[str, Json]:
    """The answer to one scenario; never raises on a bad one."""
    index: int | None = None
    try:
        state = start_scenario(ruleset, scenario)
        moves = scenario.get("moves", [])
        if not isinstance(moves, list):
            raise ScenarioError("bad-scenario", "`moves` must be a list")
        for index, move in enumerate(moves):
            if state.fault:
                break
            state = apply(state, read_move(ruleset, state, move))
    except ScenarioError as wrong:
        return {
            "ok": False,
            "error": {"kind": wrong.kind, "move_index": index, "message": wrong.message, "legal": []},
        }
    except _IllegalMove as wrong:
        return {"ok": False, "error": {**wrong.told, "move_index": index}}
    if state.fault:
        return {"ok": False, "error": {**fault_json(ruleset, state.fault), "move_index": index}}
    program = ruleset.program
    return {
        "ok": True,
        "ruleset": ruleset.id,
        "events": [event_json(program, e) for e in state.events],
        "state": state_json(state),
        "next": None if state.decision is None else decision_json(program, state.decision),
        "variables": {
            name: variable_json(program, name, state.variables)
            for name in sorted(program.variables)
            if "." not in name and name not in ("tricks", "over", "score", "dealer", "trump", "leader")
        },
    }


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
    given |= {word: scenario[key] for key, word in _WORDS.items() if key in scenario}
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


# --------------------------------------------------------------------------------------------- moves


class _IllegalMove(Exception):  # noqa: N818
    def __init__(self, told: dict[str, Json]) -> None:
        super().__init__(told["message"])
        self.told = told


def read_move(ruleset: Ruleset, state: State, move: Json) -> Any:
    """The choice that a move makes in a state.  Raises when the move is not the one asked for or not legal."""
    program, decision = ruleset.program, state.decision
    if not isinstance(move, dict):
        raise ScenarioError("bad-scenario", "a move must be a mapping with `player` and `move`")
    if decision is None:
        raise _illegal(ruleset, None, "hand-over", "the hand is complete: no move is left")
    asked = f"player {decision.player} has to move (`{decision.label}`)"
    if move.get("player") != decision.player or isinstance(move.get("player"), bool):
        raise _illegal(
            ruleset, decision, "wrong-player", f"{asked}, not player {str(move.get('player'))[:20]}", program
        )
    if move.get("move") != decision.label:
        raise _illegal(
            ruleset, decision, "wrong-move", f"{asked}, not `{str(move.get('move'))[:40]}`", program
        )
    if decision.to is not None and move.get("to", decision.to) != decision.to:
        raise _illegal(ruleset, decision, "wrong-target", f"{asked} to player {decision.to}", program)
    choice = _read_choice(program, decision, move)
    if not decision.allows(choice):
        raise _illegal(ruleset, decision, "illegal-move", _why_not(state, decision, choice), program)
    return choice


def _read_choice(program: c.Program, decision: Decision, move: Mapping[str, Json]) -> Any:
    if decision.type == c.CARDS:
        if "card" in move:
            return frozenset((read_card(program, move["card"]),))
        if "cards" in move:
            return frozenset(read_cards(program, move["cards"], "cards"))
        wanted = "card" if decision.single else "cards"
        raise ScenarioError("bad-scenario", f"move `{decision.label}` needs `{wanted}`")
    key = VALUE_KEYS[decision.type.kind]
    if key not in move:
        raise ScenarioError("bad-scenario", f"move `{decision.label}` needs `{key}`")
    return read_value(program, decision.type, move[key], key)


def _why_not(state: State, decision: Decision, choice: Any) -> str:
    program = state.program
    if decision.type != c.CARDS:
        shown = value_json(program, decision.type, choice)
        return f"`{shown}` is not allowed by rule `{decision.rule}`"
    outside = sorted(choice - frozenset(decision.legal))
    if not outside:
        low, high = decision.low, decision.high
        wanted = f"{low}" if low == high else f"{low} to {high}"
        return f"expected {wanted} cards, found {len(choice)}"
    card = program.deck.cards[outside[0]]
    if ("hand", decision.player) in state.zones and outside[0] not in state.zones[("hand", decision.player)]:
        return f"player {decision.player} does not hold `{card}`"
    return f"`{card}` is not allowed by rule `{decision.rule}`"


def _illegal(
    ruleset: Ruleset, decision: Decision | None, kind: str, message: str, program: c.Program | None = None
) -> _IllegalMove:
    told: dict[str, Json] = {"kind": kind, "message": message, "legal": []}
    if decision is not None and program is not None:
        told["legal"] = legal_json(program, decision)
        told["next"] = decision_json(program, decision)
        told |= _rule_json(ruleset, decision.rule)
    return _IllegalMove(told)


def _rule_json(ruleset: Ruleset, name: str) -> dict[str, Json]:
    rule = ruleset.whole.rules.get(name)
    return {"rule": name, "cites": [w.value for w in rule.backing.cites] if rule else []}


def fault_json(ruleset: Ruleset, fault: Fault) -> dict[str, Json]:
    """A fault of the rules as an error."""
    span = fault.span
    where = {"file": span.source.name, "line": span.line, "column": span.column}
    return {"kind": fault.kind, "message": fault.message, "legal": [], "where": where}


# -------------------------------------------------------------------------------------- what is written


def legal_json(program: c.Program, decision: Decision) -> list[Json]:
    """Legal options: cards that may be part of the choice, or values."""
    kind = c.CARD if decision.type == c.CARDS else decision.type
    return [value_json(program, kind, v) for v in decision.legal]


def decision_json(program: c.Program, decision: Decision) -> dict[str, Json]:
    """What is asked next; for cards also how many, and to whom they go."""
    told: dict[str, Json] = {
        "player": decision.player,
        "move": decision.label,
        "legal": legal_json(program, decision),
    }
    if decision.type == c.CARDS:
        told |= {"min": decision.low, "max": decision.high}
    if decision.to is not None:
        told["to"] = decision.to
    return told


def move_json(program: c.Program, decision: Decision, choice: Any) -> dict[str, Json]:
    """The move that makes a choice."""
    told: dict[str, Json] = {"player": decision.player, "move": decision.label}
    if decision.to is not None:
        told["to"] = decision.to
    if decision.type != c.CARDS:
        return {**told, VALUE_KEYS[decision.type.kind]: value_json(program, decision.type, choice)}
    cards = value_json(program, c.CARDS, choice)
    return {**told, "card": cards[0]} if decision.single and len(cards) == 1 else {**told, "cards": cards}


def scenario_json(
    ruleset: Ruleset, begun: State, carried: Mapping[Key, Any], moves: Sequence[dict[str, Json]]
) -> dict[str, Json]:
    """A scenario: `begun` is the hand at its first decision, `carried` its variables before it was dealt."""
    program = ruleset.program
    told: dict[str, Json] = {"ruleset": ruleset.id, "params": dict(begun.parameters)}
    readings = {rule: program.readings[rule][i] for rule, i in begun.readings.items() if i}
    if readings:
        told["readings"] = readings
    more: dict[str, Json] = {}
    words = {word: key for key, word in _WORDS.items()}
    for name, info in sorted(program.variables.items()):
        if info.carried:
            value = variable_json(program, name, carried)
            (told if name in words else more)[words.get(name, name)] = value
    if more:
        told["variables"] = more
    dealt = begun.chance.dealt
    told["hands"] = [
        value_json(program, c.CARDS, frozenset(dealt.get(("hand", p), ()))) for p in range(program.players)
    ]
    told["kitty"] = value_json(program, c.CARDS, frozenset(dealt.get(("kitty",), ())))
    zones = {
        str(place[0]): value_json(program, c.CARDS, cards)
        for place, cards in sorted(dealt.items())
        if len(place) == 1 and place[0] != "kitty"
    }
    if zones:
        told["zones"] = zones
    return {**told, "moves": list(moves)}


def state_json(state: State) -> dict[str, Json]:
    """The state in the contract's form."""
    program = state.program

    def told(name: str) -> Json:
        return variable_json(program, name, state.variables) if name in program.variables else None

    def cards(zone: str, *owners: int) -> list[Json]:
        held: list[Json] = value_json(program, c.CARDS, frozenset(state.zones.get((zone, *owners), ())))
        return held

    return {
        "dealer": told("dealer"),
        "trump": told("trump"),
        "hands": [cards("hand", p) for p in range(program.players)],
        "kitty": cards("kitty"),
        "discards": cards("discards"),
        "tricks": told("tricks"),
        "over": told("over"),
        "scores": told("score"),
        "leader": _leader(state),
        "match_over": state.match_over,
        "winners": sorted(state.winners),
    }


def _leader(state: State) -> int | None:
    """Who leads or has won the last trick; before the play, who is going to lead."""
    leader = state.variables.get(("leader",))
    rule = state.program.rules.get("lead")
    if leader is not None or rule is None or rule.value is None:
        return None if leader is None else int(leader)
    values = Evaluator(state.program, state.variables, state.zones, {}, state.parameters, state.readings)
    try:
        found = values.value(rule.value)
    except FaultError:
        return None
    return None if found is None else int(found)
