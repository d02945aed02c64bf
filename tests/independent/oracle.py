"""The oracle's front: `play` a scenario, make a `random_scenario`, and what of an answer is `comparable`."""

from __future__ import annotations

from typing import Any

from .game import Hand, Impossible, Scenario
from .scenarios import random_scenario
from .variants import VARIANTS, in_order

__all__ = ["RULESETS", "comparable", "play", "random_scenario"]

RULESETS = tuple(VARIANTS)

_FIELDS = {
    "give": ("player", "to", "cards"),
    "return": ("player", "to", "cards"),
    "trump": ("player", "suit"),
    "take-kitty": ("player", "cards"),
    "discard": ("player", "cards"),
    "show": ("player", "to", "cards"),
    "play": ("player", "card"),
    "trick": ("player", "winner", "cards"),
    "score": ("over", "scores"),
    "end": ("winners",),
}


def play(scenario: Scenario) -> dict[str, Any]:
    """The expected answer to a scenario, as far as the contract fixes it.

    Every list of cards is in order of suit and rank, except a trick's, which is in the order of play.
    """
    try:
        hand = Hand(scenario)
    except Impossible:
        return {"ok": False}
    if not all(hand.decide(move) for move in scenario.get("moves", ())):
        return {"ok": False}
    ask = hand.ask
    due = ask and {"player": ask.player, "move": ask.move, "legal": ask.legal}
    return {"ok": True, "events": hand.events, "state": hand.state(), "next": due}


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer, anybody's, reduced to what the contract fixes: known fields, sets of cards in order."""
    if not answer["ok"]:
        return {"ok": False}
    events = []
    for event in answer["events"]:
        kept = {field: event[field] for field in _FIELDS[event["event"]]}
        if "cards" in kept and event["event"] != "trick":
            kept["cards"] = in_order(kept["cards"])
        events.append({"event": event["event"], **kept})
    state = {key: answer["state"][key] for key in _STATE}
    state["hands"] = [in_order(hand) for hand in state["hands"]]
    state |= {zone: in_order(state[zone]) for zone in ("kitty", "discards")}
    due = answer["next"]
    if due is not None:
        due = {"player": due["player"], "move": due["move"], "legal": sorted(due["legal"])}
    return {"ok": True, "events": events, "state": state, "next": due}


_STATE = (
    *("dealer", "trump", "hands", "kitty", "discards", "tricks"),
    *("over", "scores", "leader", "match_over", "winners"),
)
