"""Moves of a scenario: checked against the pending decision, and refused with the rule that forbids them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import (
    Json,
    ScenarioError,
    is_index,
    read_card,
    read_cards,
    read_value,
    shown,
    value_json,
)
from trickproof_dsl.scenarios.writing import decision_json, legal_json
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import VALUE_KEYS
from trickproof_dsl.semantics.state_view import StateView

_USUAL = re.compile("[2-9TJQKA][CDHS]$")


class IllegalMoveError(Exception):
    """A move that answers no pending decision, or is illegal; `payload` is the error in the answer."""

    def __init__(self, payload: dict[str, Json]) -> None:
        super().__init__(payload["message"])
        self.payload = payload


def read_move(ruleset: Ruleset, state: StateView, move: Json) -> Any:
    """The choice that a move makes in a state.  Raises if the move does not answer the decision or is illegal."""
    program, decision = ruleset.program, state.decision
    if not isinstance(move, dict):
        raise ScenarioError("bad-scenario", "a move must be a mapping with `player` and `move`")
    if decision is None:
        raise _illegal(ruleset, state, "hand-over", "the deal is complete: no move is left")
    expected = f"player {decision.player} has to move (`{decision.label}`)"
    player, label, to = move.get("player"), move.get("move"), move.get("to", decision.to)
    if not is_index(player) or player != decision.player:
        raise _illegal(ruleset, state, "wrong-player", f"{expected}, not player {shown(player)}")
    if label != decision.label:
        raise _illegal(ruleset, state, "wrong-move", f"{expected}, not `{shown(label)}`")
    if decision.to is not None and (not is_index(to) or to != decision.to):
        raise _illegal(ruleset, state, "wrong-target", f"{expected} to player {decision.to}")
    choice = _read_choice(program, decision, move)
    if not decision.allows(choice):
        raise _illegal(ruleset, state, "illegal-move", _why_not(state, decision, choice))
    return choice


def fitting(ruleset: Ruleset, state: StateView, moves: Sequence[Json], unplayed: Sequence[int]) -> int | None:
    """The index of the first of the `unplayed` moves that may answer the decision; None if there is none."""
    decision = state.decision
    for number in unplayed if decision is not None else ():
        move = moves[number]
        if not isinstance(move, dict) or (move.get("player"), move.get("move")) == _expected(decision):
            try:
                read_move(ruleset, state, move)
            except IllegalMoveError:
                continue
            except ScenarioError:
                if not _is_of_usual_pack(move):
                    raise
                continue  # a card that another ruleset has
            return number
    return None


def _is_of_usual_pack(move: Json) -> bool:
    """Whether a move names cards of the usual pack only, each once, though perhaps none of this deck."""
    cards = move.get("cards", [move.get("card")]) if isinstance(move, dict) else None
    return (
        isinstance(cards, list)
        and len({*map(str, cards)}) == len(cards)
        and all(_USUAL.match(str(x)) for x in cards)
    )


def _expected(decision: Decision | None) -> tuple[object, object]:
    return (None, None) if decision is None else (decision.player, decision.label)


def _read_choice(program: c.Program, decision: Decision, move: Mapping[str, Json]) -> Any:
    if decision.type == c.CARDS:
        if "card" in move:
            return frozenset((read_card(program, move["card"]),))
        if "cards" in move:
            return frozenset(read_cards(program, move["cards"], "cards"))
        field = "card" if decision.single else "cards"
        raise ScenarioError("bad-scenario", f"move `{decision.label}` needs `{field}`")
    key = VALUE_KEYS[decision.type.kind]
    if key not in move:
        raise ScenarioError("bad-scenario", f"move `{decision.label}` needs `{key}`")
    return read_value(program, decision.type, move[key], key)


def _why_not(state: StateView, decision: Decision, choice: Any) -> str:
    program = state.program
    if decision.type != c.CARDS:
        value = shown(value_json(program, decision.type, choice))
        return f"`{value}` is not allowed by rule `{decision.rule}`"
    outside = sorted(choice - frozenset(decision.legal))
    if not outside:
        low, high = decision.low, decision.high
        number = f"{low}" if low == high else f"{low} to {high}"
        return f"expected {number} cards, found {len(choice)}"
    card = program.deck.cards[outside[0]]
    if ("hand", decision.player) in state.zones and outside[0] not in state.zones[("hand", decision.player)]:
        return f"player {decision.player} does not hold `{card}`"
    return f"`{card}` is not allowed by rule `{decision.rule}`"


def _illegal(ruleset: Ruleset, state: StateView, kind: str, message: str) -> IllegalMoveError:
    payload: dict[str, Json] = {"kind": kind, "message": message, "legal": []}
    decision = state.decision
    if decision is not None:
        payload["legal"] = legal_json(state.program, decision)
        payload["next"] = decision_json(state.program, decision)
        payload |= _rule_json(ruleset, decision.rule, state.readings.get(decision.rule, 0))
    return IllegalMoveError(payload)


def _rule_json(ruleset: Ruleset, name: str, reading: int) -> dict[str, Json]:
    """The rule that was broken and its citations, in the reading that is played."""
    rule = ruleset.whole.rules.get(name)
    cites = list(rule.backing.cites) if rule else []
    if rule and rule.readings:
        cites += rule.readings[reading].backing.cites
    return {"rule": name, "cites": list(dict.fromkeys(w.value for w in cites))}
