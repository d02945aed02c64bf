"""A scenario told move by move, as it would go at the table: who holds what, what everybody does, who wins each trick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json
from trickproof_dsl.scenarios.replay import replay_scenario


def playout(ruleset: Ruleset, scenario: Mapping[str, Json]) -> Iterator[str]:
    """The lines; those that tell a trick put its cards in the order they were played."""
    yield from situation(scenario)
    answer = replay_scenario(ruleset, scenario)
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
    yield from _after(answer)


def verbs_of(ruleset: Ruleset) -> dict[str, str]:
    """What players are said to do, by the label of the move."""
    return {name: move.verb.value.replace("-", " ") for name, move in ruleset.whole.moves.items()}


def situation(scenario: Mapping[str, Any]) -> Iterator[str]:
    """What the hand begins with, as far as it is told."""
    told = []
    if "dealer" in scenario:
        told.append(f"dealer {scenario['dealer']}")
    for key, name in (("over", "up or down"), ("scores", "scores")):
        if any(scenario.get(key) or ()):
            told.append(f"{name} {' '.join(f'{n:+d}' for n in scenario[key])}")
    if told:
        yield ", ".join(told)
    for player, hand in enumerate(scenario.get("hands") or ()):
        yield f"player {player} is dealt {' '.join(hand)}"
    if scenario.get("kitty"):
        yield f"kitty {' '.join(scenario['kitty'])}"


def _after(answer: Mapping[str, Any]) -> Iterator[str]:
    if not answer["ok"]:
        yield f"then: {answer['error']['message']}"
        return
    state = answer["state"]
    if answer["next"] is not None:
        player, move = answer["next"]["player"], answer["next"]["move"]
        yield f"then player {player} has to {move}"
        hands = "; ".join(f"player {p} holds {' '.join(hand)}" for p, hand in enumerate(state["hands"]))
        if hands:
            yield hands
    else:
        yield f"tricks {' '.join(map(str, state['tricks']))}"


def event_text(event: Mapping[str, Any], verbs: Mapping[str, str]) -> str:
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
