"""Values of the core as the JSON of scenarios, events and states, and back.

Cards are two characters, suits one letter, ranks and options words, players indices; sets of cards are lists in
the order of the deck.  Reading wrong JSON raises `ScenarioError`, which says what was expected.
"""

from __future__ import annotations

from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.errors import did_you_mean
from trickproof_dsl.evaluate import Key
from trickproof_dsl.interpret import Event, owner_keys, size_of

Json = Any


class ScenarioError(Exception):
    """A scenario that cannot be: `kind` is a fixed word, `message` says what is wrong."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


def value_json(program: c.Program, kind: c.Type, value: Any) -> Json:
    """One value; tuples (zones in their order, per-player lists) become lists element by element."""
    if value is None:
        return None
    if isinstance(value, tuple):
        inner = c.CARD if kind.kind == "cards" else kind
        return [value_json(program, inner, v) for v in value]
    if isinstance(value, frozenset):
        return [value_json(program, c.Type(c.SETS[kind.kind]), v) for v in sorted(value)]
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


def event_json(program: c.Program, event: Event) -> dict[str, Json]:
    """An event in the contract's form."""
    told = {key: value_json(program, kind, value) for key, kind, value in event.fields}
    return {"event": event.name, **told}


def read_card(program: c.Program, code: Json) -> int:
    """A card of the deck from its two characters."""
    cards = program.deck.cards
    if not isinstance(code, str) or code not in cards:
        close = did_you_mean(code.upper(), cards) if isinstance(code, str) else None
        hint = f"; did you mean `{close}`?" if close else ""
        raise ScenarioError("bad-card", f"`{code}` is no card of the deck{hint}")
    return cards.index(code)


def read_cards(program: c.Program, codes: Json, what: str) -> tuple[int, ...]:
    """A list of different cards, in its order."""
    if not isinstance(codes, list):
        raise ScenarioError("bad-scenario", f"`{what}` must be a list of cards")
    cards = tuple(read_card(program, code) for code in codes)
    for card in cards:
        if cards.count(card) > 1:
            raise ScenarioError("bad-card", f"`{program.deck.cards[card]}` is given twice in `{what}`")
    return cards


def read_value(program: c.Program, kind: c.Type, given: Json, what: str) -> Any:
    """A value of a type from its JSON."""
    if kind.kind in ("cards", "players"):
        if kind.kind == "cards":
            return frozenset(read_cards(program, given, what))
        return frozenset(read_value(program, c.PLAYER, p, what) for p in given)
    if given is None and kind.kind not in ("integer", "boolean"):
        return None
    deck = program.deck
    words: tuple[tuple[str, ...], ...] = ()
    match kind.kind:
        case "integer" if isinstance(given, int) and not isinstance(given, bool) and abs(given) < 10**9:
            return given
        case "boolean" if isinstance(given, bool):
            return given
        case "player" | "team" if isinstance(given, int) and not isinstance(given, bool):
            if 0 <= given < size_of(program, kind):
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
    shown = str(given)[:40]
    raise ScenarioError("bad-scenario", f"`{what}`: expected {kind}{hint}, found `{shown}`")


def read_variable(program: c.Program, name: str, given: Json) -> dict[Key, Any]:
    """The entries of a variable: one value, or nested lists by owner."""
    info = program.variables[name]
    found: dict[Key, Any] = {}
    for owners in owner_keys(program, info.of):
        value = given
        for kind, owner in zip(info.of, owners, strict=True):
            size = size_of(program, kind)
            if not isinstance(value, list) or len(value) != size:
                raise ScenarioError(
                    "bad-scenario", f"`{name}` must be a list of {size} values, one for each {kind}"
                )
            value = value[owner]
        found[(name, *owners)] = read_value(program, info.type, value, name)
    return found


def variable_json(program: c.Program, name: str, variables: Any) -> Json:
    """A variable's value, as nested lists by owner."""
    info = program.variables[name]

    def part(owners: tuple[int, ...]) -> Json:
        if len(owners) == len(info.of):
            return value_json(program, info.type, variables[(name, *owners)])
        return [part((*owners, i)) for i in range(size_of(program, info.of[len(owners)]))]

    return part(())
