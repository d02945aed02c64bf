"""A scenario told move by move, as it would go at the table: what it begins with, what everybody does, how it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trickproof_dsl.library import Ruleset


def opening(scenario: Mapping[str, Any]) -> str:
    """The dealer, results and scores that a hand begins with; "" where the scenario names none."""
    parts = [f"dealer {scenario['dealer']}"] if "dealer" in scenario else []
    for key, name in (("over", "up or down"), ("scores", "scores")):
        if any(scenario.get(key) or ()):
            parts.append(f"{name} {' '.join(f'{n:+d}' for n in scenario[key])}")
    return ", ".join(parts)


def situation(scenario: Mapping[str, Any]) -> Iterator[str]:
    """The opening and the hands as plain lines, for answers that programs read."""
    if first := opening(scenario):
        yield first
    for player, hand in enumerate(scenario.get("hands") or ()):
        yield f"player {player} is dealt {' '.join(hand)}"
    if scenario.get("kitty"):
        yield f"kitty {' '.join(scenario['kitty'])}"


def course_of_play(ruleset: Ruleset, answer: Mapping[str, Any]) -> Iterator[str]:
    """The events of an answer of `replay_scenario`; a trick has its cards in the order they were played."""
    verbs = verbs_of(ruleset)
    trick: list[str] = []
    tricks = 0
    for event in answer.get("events", ()):
        if event["event"] == "play":
            trick.append(f"{event['player']} {_cards(event)}")
        elif event["event"] == "trick":
            tricks += 1
            yield f"trick {tricks}: {', '.join(trick)}; player {event['winner']} wins"
            trick = []
        else:
            yield event_text(event, verbs)
    if trick:
        yield f"trick {tricks + 1}: {', '.join(trick)}"


def ending(answer: Mapping[str, Any]) -> str:
    """What is asked next, or the tricks, or why the scenario ends."""
    if not answer["ok"]:
        return f"then: {answer['error']['message']}"
    if answer["next"] is not None:
        return f"then player {answer['next']['player']} has to {answer['next']['move']}"
    return f"tricks {' '.join(map(str, answer['state']['tricks']))}"


def verbs_of(ruleset: Ruleset) -> dict[str, str]:
    """What players are said to do, by the label of the move."""
    return {name: move.verb.value.replace("-", " ") for name, move in ruleset.whole.moves.items()}


def event_text(event: Mapping[str, Any], verbs: Mapping[str, str]) -> str:
    """One event in words."""
    name = event["event"]
    if "player" not in event:
        fields = (f"{key} {_value(value)}" for key, value in event.items() if key != "event")
        return f"{name}: {', '.join(fields)}"
    what = _cards(event)
    if not what:
        values = (_value(value) for key, value in event.items() if key not in ("event", "player"))
        return f"player {event['player']} chooses {name} {' '.join(values)}"
    source = f" from player {event['from']}" if "from" in event else ""
    target = f" to player {event['to']}" if "to" in event else ""
    return f"player {event['player']} {verbs.get(name, name)} {what}{source}{target}"


def _cards(event: Mapping[str, Any]) -> str:
    return " ".join(event.get("cards", [event["card"]] if "card" in event else []))


def _value(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else "none" if value is None else str(value)
