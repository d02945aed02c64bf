"""Core values to and from the JSON of scenarios, events and states.

Cards are two characters, suits one letter, ranks and options words, players indices; sets of cards are lists
in deck order.  Invalid JSON raises `ScenarioError`, which says what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.catalogue import did_you_mean, or_meant
from trickproof_dsl.diagnostics.diagnostic import escaped
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.values import Key, Owners, owner_keys, size_of

Json = Any

LONGEST_SHOWN = 40
"""Maximum length of a wrong value that a message repeats."""


class ScenarioError(Exception):
    """An invalid scenario: `kind` is a fixed word, `message` says what is wrong."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


def shown(given: Json) -> str:
    """A given value as a message repeats it: JSON, truncated."""
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, default=str)
    text = escaped(text)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def value_json(program: c.Program, kind: c.Type, value: Any) -> Json:
    """One value; tuples (zones in their order, per-player lists) become lists element by element."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return [value_json(program, kind if isinstance(v, frozenset) else _element(kind), v) for v in value]
    if isinstance(value, frozenset):
        return [value_json(program, _element(kind), v) for v in sorted(value)]
    deck = program.deck
    match kind.kind:
        case "card":
            return deck.cards[value]
        case "suit":
            return deck.suit_letters[value]
        case "rank":
            return deck.ranks[value]
        case "option":
            return program.options[kind.option][value]
    return value


def _element(kind: c.Type) -> c.Type:
    return c.Type(c.SETS[kind.kind]) if kind.kind in c.SETS else kind


def event_json(program: c.Program, event: Event) -> dict[str, Json]:
    """An event in the published JSON format."""
    fields = {key: value_json(program, kind, value) for key, kind, value in event.fields}
    return {"event": event.name, **fields}


def read_card(program: c.Program, code: Json) -> int:
    """A card of the deck from its two characters."""
    cards = program.deck.cards
    if not isinstance(code, str) or code not in cards:
        upper = code.upper() if isinstance(code, str) else ""
        close = next((x for x in (upper, upper[::-1]) if x in cards), did_you_mean(upper, cards))
        raise ScenarioError("bad-card", f"`{shown(code)}` is not a card of the deck{or_meant(close)}")
    return cards.index(code)


def read_cards(program: c.Program, codes: Json, what: str) -> tuple[int, ...]:
    """A list of distinct cards, in order."""
    if not isinstance(codes, list):
        raise ScenarioError("bad-scenario", f"`{what}` must be a list of cards")
    cards = tuple(read_card(program, code) for code in codes)
    for card in cards:
        if cards.count(card) > 1:
            raise ScenarioError("bad-card", f"`{program.deck.cards[card]}` is given twice in `{what}`")
    return cards


def read_value(program: c.Program, kind: c.Type, given: Json, what: str) -> Any:
    """A value of a type from its JSON."""
    if kind == c.CARDS:
        return frozenset(read_cards(program, given, what))
    if kind.kind in c.SETS:
        if not isinstance(given, list):
            raise ScenarioError("bad-scenario", f"`{what}` must be a list, found `{shown(given)}`")
        return frozenset(read_value(program, _element(kind), x, what) for x in given)
    if given is None and kind.kind not in ("integer", "boolean"):
        return None
    deck = program.deck
    words: tuple[tuple[str, ...], ...] = ()
    match kind.kind:
        case "integer" if isinstance(given, int) and not isinstance(given, bool) and abs(given) < 10**9:
            return given
        case "boolean" if isinstance(given, bool):
            return given
        case "player" | "team" if is_index(given) and given < size_of(program, kind):
            return given
        case "card":
            return read_card(program, given)
        case "suit":
            words = (deck.suit_letters, deck.suits)
        case "rank":
            words = (deck.ranks, deck.rank_letters)
        case "option":
            words = (program.options[kind.option],)
    for known in words:
        if given in known:
            return known.index(given)
    hint = f" ({', '.join(words[0])})" if words else ""
    raise ScenarioError("bad-scenario", f"`{what}`: expected {kind}{hint}, found `{shown(given)}`")


def is_index(given: Json) -> bool:
    """Whether a value is a non-negative integer, and not a Boolean."""
    return isinstance(given, int) and not isinstance(given, bool) and given >= 0


def read_variable(program: c.Program, name: str, given: Json) -> dict[Key, Any]:
    """The entries of a variable: one value, or nested lists by owner."""
    info = program.variables[name]
    return {
        key: read_value(program, info.type, value, name)
        for key, value in _by_owner(program, name, info.of, given)
    }


def read_zone(program: c.Program, name: str, given: Json) -> dict[Key, tuple[int, ...]]:
    """The cards of a zone: one list, or nested lists by owner."""
    entries = _by_owner(program, name, program.zones[name].of, given)
    return {key: read_cards(program, cards, name) for key, cards in entries}


def _by_owner(
    program: c.Program, name: str, of: tuple[c.Type, ...], given: Json
) -> Iterator[tuple[Key, Json]]:
    for owners in owner_keys(program, of):
        value = given
        for kind, owner in zip(of, owners, strict=True):
            size = size_of(program, kind)
            if not isinstance(value, list) or len(value) != size:
                message = f"`{name}` must be a list of {size} values, one for each {kind}"
                raise ScenarioError("bad-scenario", message)
            value = value[owner]
        yield (name, *owners), value


def variable_json(program: c.Program, name: str, variables: Mapping[Key, Any]) -> Json:
    """A variable's value, as nested lists by owner."""
    info = program.variables[name]
    return _nested(
        program, info.of, lambda owners: value_json(program, info.type, variables[(name, *owners)])
    )


def zone_json(program: c.Program, name: str, zones: Mapping[Key, tuple[int, ...]]) -> Json:
    """A zone's cards in their order, as nested lists by owner."""
    of = program.zones[name].of
    return _nested(program, of, lambda owners: value_json(program, c.CARDS, zones.get((name, *owners), ())))


def _nested(
    program: c.Program, of: tuple[c.Type, ...], entry: Callable[[Owners], Json], owners: Owners = ()
) -> Json:
    if len(owners) == len(of):
        return entry(owners)
    return [_nested(program, of, entry, (*owners, i)) for i in range(size_of(program, of[len(owners)]))]
