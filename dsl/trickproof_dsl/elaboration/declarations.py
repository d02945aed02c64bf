"""The names of a ruleset and their types: everything that rule text can mention, apart from bound names.

Input: a composed `RulesetFile` (merged with all bases).  Promises: every name has one meaning; types, owners
and initial values are valid; the deck has each card once.  Diagnostics are E4xx.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.catalogue import did_you_mean, error, meant
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.elaboration.hints import unknown_type
from trickproof_dsl.files.model import DeckDecl, RulesetFile, VariableDecl, Word

MAX_VALUES = 100_000
"""Maximum number of values of variables and zones of a game, counting every owner."""

PLAIN_TYPES = {
    "integer": c.INTEGER,
    "boolean": c.BOOLEAN,
    "player": c.PLAYER,
    "team": c.TEAM,
    "suit": c.SUIT,
    "rank": c.RANK,
    "card": c.CARD,
    "cards": c.CARDS,
    "players": c.PLAYERS,
}


@dataclass
class Names:
    """Every declared name by category; `broken` are those with an invalid declaration."""

    players: int
    teams: tuple[tuple[int, ...], ...]
    deck: c.Deck
    variables: dict[str, c.VariableInfo]
    zones: dict[str, c.ZoneInfo]
    parameters: dict[str, tuple[int, ...]]
    options: dict[str, tuple[str, ...]]
    moves: dict[str, Move]
    file: RulesetFile
    option_values: dict[str, tuple[str, int]] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)

    def owner_types(self, name: str) -> tuple[c.Type, ...] | None:
        """Types of the owners of a variable or zone, or None if it is neither."""
        if name in self.variables:
            return self.variables[name].of
        return self.zones[name].of if name in self.zones else None

    def all_words(self) -> list[str]:
        """Every name that could occur in rule text, for suggestions."""
        return [
            *self.variables,
            *self.zones,
            *self.file.rules,
            *self.parameters,
            *self.option_values,
            *self.deck.suits,
            *self.deck.ranks,
        ]


@dataclass(frozen=True, slots=True)
class Move:
    """A label of moves: default target zone (or None), and whether cards are only shown."""

    label: str
    to: str | None
    shows: bool


def declare(file: RulesetFile) -> tuple[Names | None, list[Diagnostic]]:
    """Collect the names of a composed ruleset; None if the errors prevent elaboration."""
    wrong: list[Diagnostic] = []
    if file.players is None:
        return None, [error("E412", file.id.span)]
    deck = build_deck(file.deck, wrong)
    if deck is None:
        return None, wrong
    options = {o.name.value: tuple(v.value for v in o.values) for o in file.options.values()}
    names = Names(
        players=file.players.number,
        teams=file.players.teams,
        deck=deck,
        variables={},
        zones={},
        parameters={p.name.value: p.values for p in file.parameters.values()},
        options=options,
        moves={},
        file=file,
        option_values={v: (o, i) for o, values in options.items() for i, v in enumerate(values)},
    )
    types = {**PLAIN_TYPES, **{o: c.Type("option", o) for o in options}}
    for variable in file.state.values():
        info = _variable(variable, types, names, wrong)
        if info:
            names.variables[info.name] = info
        if info is None or len(info.of) < len(variable.of):
            names.broken.add(variable.name.value)
    for zone in file.zones.values():
        owners = _owners(zone.of, types, wrong)
        if len(owners) < len(zone.of):
            names.broken.add(zone.name.value)
        seen_by = zone.seen_by.value if zone.seen_by else "nobody"
        names.zones[zone.name.value] = c.ZoneInfo(zone.name.value, owners, seen_by)
        if {"hand": (c.PLAYER,), "deck": ()}.get(zone.name.value, owners) != owners:
            expected = "a hand for each player, one deck"
            wrong.append(error("E302", zone.name.span, expected=expected, found="other owners"))
    for move in file.moves.values():
        to = move.to.value if move.to else None
        if to and to not in names.zones and move.to:
            wrong.append(_unknown(move.to, names.zones))
        names.moves[move.verb.value] = Move(move.name.value, to, move.shows)
    return (None if _too_many(names, wrong) else names), wrong


def resolve_type(word: Word, types: dict[str, c.Type], wrong: list[Diagnostic]) -> c.Type | None:
    """The type that a word names, or None and E406."""
    resolved = types.get(word.value)
    if resolved is None:
        wrong.append(error("E406", word.span, name=word.value, help=unknown_type(word.value, types)))
    return resolved


def _too_many(names: Names, wrong: list[Diagnostic]) -> bool:
    """Whether the values of variables and zones exceed the limit."""
    deck, file, count = names.deck, names.file, 0
    sizes = {"suit": len(deck.suits), "rank": len(deck.ranks), "card": len(deck.cards)}
    sizes |= {"team": len(names.teams), "player": names.players}
    for declared, places in ((names.variables, file.state), (names.zones, file.zones)):
        for name, info in declared.items():
            count += prod(
                sizes[kind.kind] if kind.kind in sizes else len(names.options[kind.option])
                for kind in info.of
            )
            if count > MAX_VALUES:
                word = places[name].name
                wrong.append(error("E420", word.span, name=name, count=count, limit=MAX_VALUES))
                return True
    return False


def _unknown(word: Word, candidates: dict[str, c.ZoneInfo]) -> Diagnostic:
    help_ = meant(did_you_mean(word.value, candidates)) or "declare it under `zones:`"
    return error("E301", word.span, name=word.value, help=help_)


def build_deck(deck: DeckDecl | None, wrong: list[Diagnostic]) -> c.Deck | None:
    """The cards of the game in canonical order: suit by suit, lowest rank first."""
    if deck is None or deck.ranks is None or deck.suits is None:
        return None
    ranks = [letter.value for letter, _ in deck.ranks]
    suits = [letter.value for letter, _ in deck.suits]
    every = [r + s for s in suits for r in ranks]
    for word in (*(deck.cards or ()), *(deck.without or ())):
        if word.value not in every:
            wrong.append(error("E413", word.span, name=word.value))
    chosen = {w.value for w in deck.cards} if deck.cards else set(every)
    chosen -= {w.value for w in deck.without or ()}
    cards = tuple(card for card in every if card in chosen)
    return c.Deck(
        cards=cards,
        card_suit=tuple(suits.index(card[1]) for card in cards),
        card_rank=tuple(ranks.index(card[0]) for card in cards),
        suits=tuple(name.value for _, name in deck.suits),
        suit_letters=tuple(suits),
        ranks=tuple(name.value for _, name in deck.ranks),
        rank_letters=tuple(ranks),
    )


def _owners(words: tuple[Word, ...], types: dict[str, c.Type], wrong: list[Diagnostic]) -> tuple[c.Type, ...]:
    finite = {
        k: t for k, t in types.items() if t.kind in ("player", "team", "suit", "rank", "option", "card")
    }
    resolved = [resolve_type(w, finite, wrong) for w in words]
    return tuple(t for t in resolved if t is not None)


def _variable(
    decl: VariableDecl, types: dict[str, c.Type], names: Names, wrong: list[Diagnostic]
) -> c.VariableInfo | None:
    of = _owners(decl.of, types, wrong)
    kind = resolve_type(decl.type, types, wrong)
    if kind is None:
        return None
    initial = _initial(decl.initial, kind, names, wrong)
    return c.VariableInfo(decl.name.value, kind, of, decl.carried, initial)


def _initial(
    word: Word | None, kind: c.Type, names: Names, wrong: list[Diagnostic]
) -> int | bool | tuple[int, ...] | None:
    if word is None:
        return unset(kind)
    text, values = word.value, names.deck.cards[:0]
    number = int(text) if text.lstrip("-").isdigit() else None
    if kind.kind in ("integer", "player", "team") and number is not None:
        if kind.kind == "integer" or 0 <= number < names.players:
            return number
    elif kind.kind == "boolean" and text in ("true", "false"):
        return text == "true"
    elif kind.kind not in ("integer", "boolean") and text == "none":
        return () if kind.kind in c.SETS else None
    else:
        values = {
            "suit": names.deck.suits,
            "rank": names.deck.ranks,
            "card": names.deck.cards,
            "option": names.options.get(kind.option, ()),
        }.get(kind.kind, ())
        if text in values:
            return values.index(text)
    seats = f"players are numbered from 0 to {names.players - 1}"
    help_ = seats if kind.kind == "player" else meant(did_you_mean(text, values))
    wrong.append(error("E407", word.span, value=text, type=str(kind), help=help_))
    return None


def unset(kind: c.Type) -> int | bool | tuple[int, ...] | None:
    """The initial value of a variable that declares none."""
    return () if kind.kind in c.SETS else {"integer": 0, "boolean": False}.get(kind.kind)


_FIELDS = {
    "a variable": ("the variable", "state"),
    "a zone": ("the zone", "zones"),
    "a parameter": ("the parameter", "parameters"),
}
"""What a base declares under another field than `rules:`."""


def check_unique(names: Names, value_rules: list[str], wrong: list[Diagnostic]) -> None:
    """Check that every name has one meaning; procedures are exempt, since they occur only after `do`."""
    file = names.file
    places: list[tuple[str, str, Span]] = [
        *((n, "a variable", file.state[n].name.span) for n in file.state),
        *((n, "a zone", file.zones[n].name.span) for n in file.zones),
        *((n, "a value rule", file.rules[n].name.span) for n in value_rules),
        *((n, "a parameter", file.parameters[n].name.span) for n in file.parameters),
        *((v.value, f"an option of `{o}`", v.span) for o in file.options for v in file.options[o].values),
        *((word.value, "a suit", word.span) for _, word in (file.deck and file.deck.suits) or ()),
        *((word.value, "a rank", word.span) for _, word in (file.deck and file.deck.ranks) or ()),
    ]
    first: dict[str, tuple[str, Span]] = {}
    for name, what, span in places:
        if name in first:
            before, where = first[name]
            here, other = sorted((span, where), key=lambda place: place.source != file.source)
            notes = [("the other is here", other)]
            field = _FIELDS.get(before if other == where else what)
            own = (
                f"a rule that changes it writes `{name} becomes …`; otherwise "
                if {before, what} == {"a variable", "a value rule"}
                else f"to change {field[0]}, write it under `{field[1]}:`; otherwise "
                if field and other.source != here.source
                else ""
            )
            help_ = f"{own}rename one of the two"
            wrong.append(error("E405", here, notes=notes, name=name, first=before, second=what, help=help_))
        first.setdefault(name, (what, span))
