"""A scenario move by move, as played at the table: how it begins, what everybody does, how it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trickproof.english.inflection import base_form, counted, noun_of
from trickproof.english.seats import NUMBERED, SUIT_SIGNS, Names, with_names
from trickproof.english.vocabulary import plain
from trickproof_dsl.library import Ruleset

PLAYERS = frozenset({"winner", "winners", "leader", "dealer", "players"})
"""Event keys whose values are players."""

UP_OR_DOWN = "up or down"
"""What a player's tricks minus the target are called where every player has a number."""

CUT_SHORT = {
    "deal-again": "the cards are thrown in, and the same dealer deals again",
    "hand-ends": "the deal ends here, and nobody scores",
}
"""Events that end a deal before its last step."""

CHOSEN = {"bid": "bids"}
"""Verbs of choices that have one in card players' language."""


def called(name: str, number: bool) -> str:
    """What is chosen: `trump`, but `the number named` if a number is called `named`."""
    noun = noun_of(name, "integer" if number else "")
    return noun if noun == plain(name) else f"the {noun}"


def opening(scenario: Mapping[str, Any], names: Names = NUMBERED) -> str:
    """The dealer, results and scores at the start of a deal; "" if the scenario has none."""
    if names is not NUMBERED:
        return "; ".join(_standing(scenario, names))
    parts = [f"dealer {scenario['dealer']}"] if "dealer" in scenario else []
    for key, name in (("over", UP_OR_DOWN), ("scores", "scores")):
        if any(scenario.get(key) or ()):
            parts.append(f"{name} {' '.join(f'{n:+d}' for n in scenario[key])}")
    return ", ".join(parts)


def _standing(scenario: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Results and scores by seat: `up or down in the previous deal: Dealer +1, Left -1`."""
    for key, name in (("over", f"{UP_OR_DOWN} in the previous deal"), ("scores", "scores")):
        if any(scenario.get(key) or ()):
            yield f"{name}: {by_player(scenario[key], names, signed=True)}"


def by_player(values: Sequence[int], names: Names, signed: bool = False) -> str:
    """One number per player, dealer first: `Dealer 8, Left 5, Right 3`."""
    players = names.clockwise(range(len(values)))
    return ", ".join(f"{names.player(p)} {values[p]:{'+' if signed and values[p] else ''}d}" for p in players)


def situation(scenario: Mapping[str, Any]) -> Iterator[str]:
    """The opening and the hands as plain lines, for machine-readable answers."""
    if first := opening(scenario):
        yield first
    for player, hand in enumerate(scenario.get("hands") or ()):
        yield f"player {player} is dealt {' '.join(hand)}"
    if scenario.get("kitty"):
        yield f"kitty {' '.join(scenario['kitty'])}"


def course_of_play(ruleset: Ruleset, answer: Mapping[str, Any], names: Names = NUMBERED) -> Iterator[str]:
    """The events in an answer of `replay_scenario`; a trick lists its cards in playing order."""
    return (line for _, line in numbered_course(ruleset, answer, names))


def numbered_course(
    ruleset: Ruleset, answer: Mapping[str, Any], names: Names = NUMBERED
) -> Iterator[tuple[int, str]]:
    """The lines of `course_of_play`, each with the index of its last event."""
    verbs = verbs_of(ruleset)
    trick: list[str] = []
    tricks = last = 0
    for number, event in enumerate(answer.get("events", ())):
        last = number if event["event"] == "play" else last
        if event["event"] == "play":
            who = str(event["player"]) if names is NUMBERED else names.player(event["player"])
            trick.append(f"{who} {_cards(event, names)}")
        elif event["event"] == "trick":
            tricks += 1
            yield number, f"trick {tricks}: {', '.join(trick)}; {names.player(event['winner'])} wins"
            trick = []
        else:
            text = event_text(event, verbs, names)
            if names is NUMBERED or not text.endswith(": "):  # nobody scored anything
                yield number, text
    if trick:
        yield last, f"trick {tricks + 1}: {', '.join(trick)}"


def ending(ruleset: Ruleset, answer: Mapping[str, Any], names: Names = NUMBERED) -> str:
    """The pending decision, the tricks, or why the scenario ends."""
    if not answer["ok"]:
        message = answer["error"]["message"]
        return f"then: {message if names is NUMBERED else with_names(message, names)}"
    if answer["next"] is not None:
        return f"then {pending(ruleset, answer['next'], names)}"
    tricks = answer["state"]["tricks"]
    if names is NUMBERED or not tricks:
        return f"tricks {' '.join(map(str, tricks))}"
    return f"tricks: {by_player(tricks, names)}"


RUN = 4
"""Number of consecutive numbers from which on only the first and the last are listed."""

MOST_OPTIONS = 8
"""More options than this are counted rather than listed."""


def pending(
    ruleset: Ruleset, decision: Mapping[str, Any], names: Names = NUMBERED, most: int = MOST_OPTIONS
) -> str:
    """Who must decide what: `Left must give exactly 3 of 16 cards`, `Dealer must choose trump: ♣ ♦ ♥ ♠`; lists at `most` so many cards."""
    who, label, legal = names.player(decision["player"]), decision["move"], decision["legal"]
    to = f" to {names.player(decision['to'])}" if isinstance(decision.get("to"), int) else ""
    verb = verbs_of(ruleset).get(label)
    if verb is None and legal and all(isinstance(x, bool) for x in legal):
        return (
            f"{who} must say {' or '.join(map(yes_or_no, sorted(legal, reverse=True)))} to “{plain(label)}”"
        )
    if verb is None:
        options = [_option(ruleset, x, names) for x in _in_runs(legal)]
        return f"{who} must {_choice(label, legal)}{to}" + (
            f": {' '.join(options)}" if len(options) <= MOST_OPTIONS else ""
        )
    low, high = decision.get("min", 1), decision.get("max", 1)
    number = f"{low} {'or' if high == low + 1 else 'to'} {high}"
    must = "must"
    if low == 0 < high:
        must, number = "may", "1" if high == 1 else f"up to {high}"
    elif low == high:
        number = "1" if low == 1 else f"exactly {low}"
    if "max" not in decision:
        number = "one"
    if len(legal) > most or not all(isinstance(x, str) for x in legal):
        return f"{who} {must} {base_form(verb)} {number} of {counted(len(legal), 'card')}{to}"
    of = "" if low == high == len(legal) else f"{number} of "
    return f"{who} {must} {base_form(verb)} {of}{names.cards(legal)}{to}"


def _in_runs(values: Sequence[Any]) -> list[Any]:
    """Values to choose from, with the first and last number in place of several in a row."""
    shown: list[Any] = []
    for value in values:
        if type(value) is int and shown and isinstance(shown[-1], range) and shown[-1].stop == value:
            shown[-1] = range(shown[-1].start, value + 1)
        else:
            shown.append(range(value, value + 1) if type(value) is int else value)
    runs = [[x] if not isinstance(x, range) or len(x) >= RUN else list(x) for x in shown]
    return [x for some in runs for x in some]


def options_text(ruleset: Ruleset, label: str, legal: Sequence[Any], names: Names) -> tuple[str, str]:
    """What a player does who makes a move, and what with: ("bid", "0 to 13"), ("give", "3♣ J♥"), ("choose trump", "♣")."""
    verb = verbs_of(ruleset).get(label)
    if verb is not None:
        return base_form(verb), names.cards(list(legal))
    return _choice(label, legal), " ".join(_option(ruleset, x, names) for x in _in_runs(legal))


def _choice(label: str, legal: Sequence[Any]) -> str:
    if label in CHOSEN:
        return base_form(CHOSEN[label])
    return f"choose {called(label, isinstance(next(iter(legal), None), int))}"


def _option(ruleset: Ruleset, value: Any, names: Names) -> str:
    if isinstance(value, range):
        return f"{value[0]} to {value[-1]}"
    deck = ruleset.program.deck
    if isinstance(value, str) and value in deck.suit_letters:
        named = deck.suits[deck.suit_letters.index(value)]
        return named if names is NUMBERED else SUIT_SIGNS.get(value, named)
    return "none" if value is None else str(value)


def verbs_of(ruleset: Ruleset) -> dict[str, str]:
    """The verb for each move label."""
    return {name: move.verb.value.replace("-", " ") for name, move in ruleset.whole.moves.items()}


def event_text(event: Mapping[str, Any], verbs: Mapping[str, str], names: Names = NUMBERED) -> str:
    """One event in words."""
    name = event["event"]
    if name in CUT_SHORT:
        return CUT_SHORT[name]
    if event.get("player") is None:
        fields = [x for key, value in event.items() if key != "event" and (x := _field(key, value, names))]
        named = name == "score" or (len(fields) == 1 and fields[0].startswith(f"{name}s: "))
        if names is not NUMBERED and named:
            return "; ".join(fields) or f"{name}: "
        return f"{name}: {(', ' if names is NUMBERED else '; ').join(fields)}"
    what, who = _cards(event, names), names.player(event["player"])
    if name == "trick" and names is not NUMBERED:
        return f"{who} wins the trick"
    if not what and isinstance(event.get("answer"), bool):
        return f"{who} says {yes_or_no(event['answer'])} to “{plain(name)}”"
    if not what:
        values = {key: value for key, value in event.items() if key not in ("event", "player")}
        noun = called(name, isinstance(values.get("number"), int))
        if name in ("bid", "trump") and set(values.values()) == {None}:
            return f"{who} chooses no {name}"
        if isinstance(values.get("whom"), int):
            return f"{who} chooses {names.player(values['whom'])} as {noun}"
        chosen = CHOSEN.get(name) or f"chooses {noun}"
        return " ".join((who, chosen, *(_value(key, value, names) for key, value in values.items())))
    if event.get("to") == event["player"]:
        return f"{who} looks at {what}"
    source = f" from {names.player(event['from'])}" if "from" in event else ""
    target = f" to {names.player(event['to'])}" if "to" in event else ""
    return f"{who} {verbs.get(name, name)} {what}{source}{target}"


def yes_or_no(answer: bool) -> str:
    """A boolean as players answer it."""
    return "yes" if answer else "no"


def _cards(event: Mapping[str, Any], names: Names) -> str:
    return names.cards(event.get("cards", [event["card"]] if event.get("card") else []))


def _field(key: str, value: Any, names: Names) -> str:
    """A value with its label; at the table, "" for per-player numbers that are all zero."""
    if names is not NUMBERED and key == "winners":
        return f"won by {_value(key, value, names)}" if value else "nobody wins"
    if names is not NUMBERED and _is_by_player(key, value):
        words = UP_OR_DOWN if key == "over" else key
        return f"{words}: {by_player(value, names, signed=key != 'tricks')}" if any(value) else ""
    return f"{key} {_value(key, value, names)}"


def _is_by_player(key: str, value: Any) -> bool:
    """Whether a value is a number for each player rather than a list of players."""
    numbers = isinstance(value, list) and bool(value) and all(isinstance(x, int) for x in value)
    return numbers and key not in PLAYERS


def _value(key: str, value: Any, names: Names) -> str:
    if names is not NUMBERED:
        if key in PLAYERS and value is not None:
            return names.listed(value if isinstance(value, list) else [value])
        if key == "suit" and isinstance(value, str):
            return SUIT_SIGNS.get(value, value)
    return " ".join(map(str, value)) if isinstance(value, list) else "none" if value is None else str(value)
