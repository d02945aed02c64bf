"""Decisions, moves, scenarios and states in the published JSON format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, value_json, variable_json, zone_json
from trickproof_dsl.scenarios.situation import SCENARIO_WORDS
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import VALUE_KEYS
from trickproof_dsl.semantics.expressions import value_in
from trickproof_dsl.semantics.faults import EngineLimitError, Fault, FaultError
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import DECK, Key


def fault_json(fault: Fault) -> dict[str, Json]:
    """A fault of the rules as a JSON error."""
    span = fault.span
    where = {"file": span.source.name, "line": span.line, "column": span.column}
    return {"kind": fault.kind, "message": fault.message, "legal": [], "where": where}


LIMIT = "engine-limit"
"""The kind of error when the interpreter gives up."""


def limit_json(limit: EngineLimitError) -> dict[str, Json]:
    """A JSON error for the interpreter giving up at a limit, which is not a fault of the rules."""
    span = limit.span
    where = {"file": span.source.name, "line": span.line, "column": span.column}
    return {"kind": LIMIT, "message": limit.message, "legal": [], "where": where}


def legal_json(program: c.Program, decision: Decision) -> list[Json]:
    """Legal options: cards that may be part of the choice, or values."""
    kind = c.CARD if decision.type == c.CARDS else decision.type
    return [value_json(program, kind, v) for v in decision.legal]


def decision_json(program: c.Program, decision: Decision) -> dict[str, Json]:
    """The pending decision; for cards also how many, and who receives them."""
    payload: dict[str, Json] = {
        "player": decision.player,
        "move": decision.label,
        "legal": legal_json(program, decision),
    }
    if decision.type == c.CARDS:
        payload |= {"min": decision.low, "max": decision.high}
    if decision.to is not None:
        payload["to"] = decision.to
    if decision.whose is not None:
        payload["from"] = decision.whose
    return payload


def move_json(program: c.Program, decision: Decision, choice: Any) -> dict[str, Json]:
    """The move that makes a choice."""
    payload: dict[str, Json] = {"player": decision.player, "move": decision.label}
    if decision.to is not None:
        payload["to"] = decision.to
    if decision.type != c.CARDS:
        return {**payload, VALUE_KEYS[decision.type.kind]: value_json(program, decision.type, choice)}
    cards = value_json(program, c.CARDS, choice)
    return (
        {**payload, "card": cards[0]} if decision.single and len(cards) == 1 else {**payload, "cards": cards}
    )


def scenario_json(
    ruleset: Ruleset, begun: StateView, carried: Mapping[Key, Any], moves: Sequence[dict[str, Json]]
) -> dict[str, Json]:
    """A scenario: `begun` is the hand at any moment, `carried` its variables before it was dealt.

    Hands and other places list what was dealt to them, in dealing order; `deck` what is left, top first.
    """
    program = ruleset.program
    scenario: dict[str, Json] = {"ruleset": ruleset.named, "params": dict(begun.parameters)}
    readings = {rule: program.readings[rule][i] for rule, i in begun.readings.items() if i}
    if readings:
        scenario["readings"] = readings
    more: dict[str, Json] = {}
    words = {word: key for key, word in SCENARIO_WORDS.items()}
    for name, info in sorted(program.variables.items()):
        if info.carried:
            value = variable_json(program, name, carried)
            (scenario if name in words else more)[words.get(name, name)] = value
    if more:
        scenario["variables"] = more
    dealt = {place: cards for place, cards in begun.chance.dealt.items() if place != (DECK,)}
    put_back = {card for cards in dealt.values() for card in cards}
    dealt[(DECK,)] = tuple(card for card in begun.zones[(DECK,)] if card not in put_back)
    places = sorted({str(place[0]) for place, cards in dealt.items() if cards} | {"hand", "kitty"})
    zones = {name: zone_json(program, name, dealt) for name in places}
    scenario["hands"] = zones.pop("hand")
    scenario["kitty"] = [] if program.zones["kitty"].of else zones.pop("kitty")
    if zones:
        scenario["zones"] = zones
    return {**scenario, "moves": list(moves)}


def state_json(state: StateView) -> dict[str, Json]:
    """The state in the published JSON format."""
    program = state.program

    def variable(name: str) -> Json:
        return variable_json(program, name, state.variables) if name in program.variables else None

    def cards(zone: str, *owners: int) -> list[Json]:
        held: list[Json] = value_json(program, c.CARDS, frozenset(state.zones.get((zone, *owners), ())))
        return held

    return {
        "dealer": variable("dealer"),
        "trump": variable("trump"),
        "hands": [cards("hand", p) for p in range(program.players)],
        "kitty": cards("kitty"),
        "discards": cards("discards"),
        "tricks": variable("tricks"),
        "over": variable("over"),
        "scores": variable("score"),
        "leader": _leader(state),
        "match_over": state.match_over,
        "winners": sorted(state.winners),
    }


def _ended_unplayed(state: StateView) -> bool:
    """Whether the hand is over and was scored, though nobody has led."""
    return state.hand_over and any(event.name == "score" for event in state.events)


def _leader(state: StateView) -> int | None:
    """The player who leads or won the last trick, or who will lead; None if the hand was not played."""
    leader = state.variables.get(("leader",))
    rule = state.program.rules.get("lead")
    if leader is None and rule is not None and rule.value is not None and not _ended_unplayed(state):
        try:
            leader = value_in(state, rule.value)
        except (FaultError, EngineLimitError):
            return None
    return leader if isinstance(leader, int) else None
