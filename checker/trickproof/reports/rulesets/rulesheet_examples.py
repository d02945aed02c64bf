"""Worked examples in plain English: the situation, the action, and the result.

Players are named by their seats, or numbered where an example does not say who deals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trickproof.english.inflection import is_plural, listed, noun_of, said_of
from trickproof.english.rules import Words
from trickproof.english.seats import NUMBERED, names_at_table, with_names
from trickproof.english.vocabulary import OWNED, RULE_NOUNS, SHARED, plain
from trickproof_dsl.files.model import ExampleDecl, Json
from trickproof_dsl.semantics.events import VALUE_KEYS

_ALIASES = {"scores": "score", "payouts": "payout", "hands": "hand"}
_UNSAID = ("seed", "dealer")
"""Who deals is said by the names of the players."""
_MANY = 4
"""A list of more cards than this is worded suit by suit."""
_NUMBER = re.compile(r"\bplayer \d")
_ANY = "any"
"""A value that an example leaves open."""


@dataclass(frozen=True, slots=True)
class ExampleWords:
    """An example: its situation, its actions and its result, each as a list of clauses."""

    name: str
    given: tuple[str, ...]
    done: tuple[str, ...]
    then: tuple[str, ...]
    known: str | None

    @property
    def numbered(self) -> bool:
        """Whether players are named by their numbers."""
        return any(_NUMBER.search(text) for text in (*self.given, *self.done, *self.then))


class Examples:
    """The examples of one ruleset in words."""

    def __init__(self, words: Words, players: int) -> None:
        self._words, self._file, self._players, self._names = words, words.file, players, NUMBERED
        self._suits, self._ranks = words.file.suit_names, words.file.rank_names

    def example(self, e: ExampleDecl) -> ExampleWords:
        """One example."""
        run = e.run.value if e.run else None
        parameters = self._words.parameters(run) if run is not None else {}
        names = self._names = names_at_table(e.given, self._players)
        given = [x for key, value in e.given.items() for x in self._given(key, value, parameters)]
        done = [f"only the rule “{self._words.title(run)}” is applied"] if run is not None else []
        done += [self._move(move) for move in e.when]
        then = [x for key, value in e.then.items() for x in self._then(key, value, run, parameters)]
        given, done, then = ([with_names(text, names) for text in some] for some in (given, done, then))
        return ExampleWords(
            plain(e.name.value), tuple(given), tuple(done), tuple(then), e.known.value if e.known else None
        )

    # -------------------------------------------------------------------------------- parts of an example

    def _given(self, key: str, value: Json, parameters: Mapping[str, tuple[str, str]]) -> Iterator[str]:
        if key in _UNSAID:
            return
        if key in parameters:
            text, kind = parameters[key]
            yield f"{text} {'are' if is_plural(text) else 'is'} {self._value(kind, value)}"
        elif key == "params" and isinstance(value, dict):
            yield from (f"the agreed {plain(name)} is {number}" for name, number in value.items())
        elif key == "readings" and isinstance(value, dict):
            yield from (
                f"{self._words.title(rule)} as in the reading “{plain(str(reading))}”"
                for rule, reading in value.items()
            )
        elif key == "zones" and isinstance(value, dict):
            for name, cards in value.items():
                yield from self._fact(name, cards)
        else:
            yield from self._fact(key, value)

    def _then(
        self, key: str, value: Json, run: str | None, parameters: Mapping[str, tuple[str, str]]
    ) -> Iterator[str]:
        if key == "events" and isinstance(value, list):
            yield from (self._move(event) for event in value)
        elif key == "value" and run and run not in RULE_NOUNS and self._words.kind(run) == "boolean":
            yield said_of(run, [text for text, _ in parameters.values()], negated=not value)
        elif key == "value" and run is not None:
            called = RULE_NOUNS.get(run, self._words.title(run)).format("the player", was="was", lately="")
            yield f"{called}: {self._value(self._words.kind(run), value)}"
        elif key == "match_over":
            yield "the match is over" if value else "the match goes on"
        elif key == "winners":
            yield f"the match is won by {self._value('players', value)}"
        else:
            yield from self._fact(key, value)

    def _fact(self, key: str, value: Json) -> Iterator[str]:
        """The value of a variable, or the cards of a zone."""
        key = _ALIASES.get(key, key)
        name = "first-hand" if key == "first_hand" else key
        if value == _ANY:
            return
        if name in self._file.state:
            of, kind = self._file.state[name].of, self._file.state[name].type.value
        elif name in self._file.zones:
            of, kind = self._file.zones[name].of, "cards"
        else:
            yield f"{plain(name)}: {_raw(value)}"
            return
        if len(of) == 0:
            yield self._shared(name, kind, value)
        elif len(of) == 1 and isinstance(value, list):
            yield from self._owned(name, kind, of[0].value, value)
        elif isinstance(value, list):
            yield from self._for_two(name, kind, value)
        else:
            yield f"{plain(name)}: {_raw(value)}"

    def _shared(self, name: str, kind: str, value: Json) -> str:
        if name == "dealer" and isinstance(value, int):
            return f"player {value} deals"
        if name == "first-hand":
            return "it is the first deal" if value else "it is not the first deal"
        if kind == "boolean":
            return said_of(name, [], negated=not value)
        noun = noun_of(name, kind)
        if noun.endswith(" cards") and self._words.holds_one(name):
            noun = noun[:-1]
        called = SHARED.get(name, f"the {noun}")
        return f"{called}: {self._value(kind, value)}"

    def _owned(self, name: str, kind: str, owner: str, values: Sequence[Json]) -> Iterator[str]:
        """The value of each player (or team): "score of player 0: 10, player 1: 3"."""
        seats = range(len(values))
        order = self._names.clockwise(seats) if owner == "player" else seats
        each = [(f"{owner} {seat}", values[seat]) for seat in order if values[seat] not in (_ANY, [])]
        if kind == "boolean":
            yield from (said_of(name, [who], negated=not value) for who, value in each)
            return
        parts = [f"{who}: {self._value(kind, value)}" for who, value in each]
        called = OWNED.get(name, noun_of(name, kind))
        if parts:
            between = "; of " if kind in ("cards", "players") else ", "
            yield f"{called} of {between.join(parts)}"

    def _for_two(self, name: str, kind: str, values: Sequence[Json]) -> Iterator[str]:
        """The values between pairs of players; zero and empty ones are omitted."""
        called = noun_of(name, kind)
        parts = [
            f"player {a} for player {b}: {self._value(kind, value)}"
            for a, row in enumerate(values)
            for b, value in enumerate(row if isinstance(row, list) else [])
            if value and value != _ANY
        ]
        yield f"{called} of {', '.join(parts)}; otherwise none" if parts else f"{called}: none"

    def _move(self, move: Json) -> str:
        """A move or an event: "player 2 gives player 1 the two of diamonds"."""
        if not isinstance(move, dict):
            return _raw(move)
        label = str(move.get("move", move.get("event", "")))
        who = f"player {move['player']}" if "player" in move else ""
        to = f" to player {move['to']}" if "to" in move else ""
        cards = move.get("cards", [move["card"]] if "card" in move else None)
        if label in self._file.moves and who and cards is not None:
            verb = plain(self._file.moves[label].verb.value)
            return f"{who} {verb}{to} {self._value('cards', cards)}"
        for kind, key in VALUE_KEYS.items():
            if "move" in move and key in move:
                called = SHARED.get(label, f"“{plain(label)}”")
                return f"{who} chooses {called}: {self._value(kind, move[key])}"
        fields = [
            f"{key} {self._value(_event_kind(key), value)}"
            for key, value in move.items()
            if key not in ("move", "event") and value != _ANY
        ]
        return f"{plain(label)}: {', '.join(fields)}"

    # ------------------------------------------------------------------------------------------- values

    def _value(self, kind: str, value: Json) -> str:
        """A JSON value in words."""
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            one = {"cards": "card", "players": "player"}.get(kind, kind)
            if one == "card" and len(value) > _MANY and all(self._is_card(x) for x in value):
                return self._by_suit([str(x) for x in value])
            return listed([self._value(one, x) for x in value]) if value else "none"
        if isinstance(value, int):
            return f"{kind} {value}" if kind in ("player", "team") else str(value)
        if isinstance(value, str):
            return self._word(kind, value)
        return _raw(value)

    def _word(self, kind: str, text: str) -> str:
        if kind == "card" and self._is_card(text):
            return f"the {plain(self._ranks[text[0]])} of {plain(self._suits[text[1]])}"
        if kind == "suit":
            return plain(self._suits.get(text, text))
        if kind in ("rank", "card"):
            return plain(self._ranks.get(text, text))
        return f"“{plain(text)}”"

    def _is_card(self, value: Json) -> bool:
        return (
            isinstance(value, str) and len(value) == 2 and value[0] in self._ranks and value[1] in self._suits
        )

    def _by_suit(self, cards: Sequence[str]) -> str:
        """Many cards: "clubs 2 4 10, hearts A"."""
        suits = dict.fromkeys(card[1] for card in cards)
        held = {suit: " ".join(c[0].replace("T", "10") for c in cards if c[1] == suit) for suit in suits}
        return ", ".join(f"{plain(self._suits[suit])} {ranks}" for suit, ranks in held.items())


def _event_kind(key: str) -> str:
    if key in ("player", "to", "winner", "whom"):
        return "player"
    return {"cards": "cards", "card": "card", "suit": "suit"}.get(key, "")


def _raw(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
