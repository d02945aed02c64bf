"""From the YAML tree of a ruleset to `RulesetFile`.

How it is made: the tables of `ruleset_spec.py` decode the tree into `Values` and report all errors; only if
there are none, the functions here build the dataclasses of `model.py`.

Promises: `decode_ruleset` returns either a file or diagnostics, sorted by place.  Every name, id and citation
is well formed, no user-defined name is a keyword of the rule language, and each rule has exactly one of
`rule`, `readings`, `silent` and `gives`.  Out of scope: whether the named things exist, types, rule text, and
whether everything a game needs is present.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from trickproof_dsl.diagnostics.catalogue import error
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.files import ruleset_spec as f
from trickproof_dsl.files.field_spec import Field, NamedItem, Record, Values
from trickproof_dsl.files.model import (
    Backing,
    DeckDecl,
    ExampleDecl,
    InheritsDecl,
    InvariantDecl,
    KnownDecl,
    MoveDecl,
    OptionDecl,
    ParameterDecl,
    PlayersDecl,
    ReadingDecl,
    RuleDecl,
    RulesetFile,
    VariableDecl,
    Word,
    ZoneDecl,
)
from trickproof_dsl.files.yaml_tree import first_errors, load_tree

T = TypeVar("T")
U = TypeVar("U")


def decode_ruleset(source: Source) -> tuple[RulesetFile | None, list[Diagnostic]]:
    """The ruleset in a source, or None and all errors in its YAML and its fields (E0xx, E1xx)."""
    file, diagnostics, _ = decode_with_rules(source)
    return file, diagnostics


def decode_with_rules(source: Source) -> tuple[RulesetFile | None, list[Diagnostic], list[tuple[str, Span]]]:
    """As `decode_ruleset`, and the rule texts that can be parsed, by name, to report their errors even if nothing else can be read."""
    values, diagnostics = read_values(source, f.RULESET_FORM)
    if values and not values.get(f.RULESET):
        for one in diagnostics:
            if one.data.get("name") == "document":
                help_ = "this file registers a document; name a ruleset that cites it"
                return None, [error("E101", one.span, name="document", allowed=("ruleset",), help=help_)], []
    players = values and values.get(f.PLAYERS)
    diagnostics += _seats(players) if players and not diagnostics else []
    if values and not diagnostics:
        return _ruleset(values, source), [], _readable_rules(values)
    return None, diagnostics, _readable_rules(values)


def _readable_rules(values: Values | None) -> list[tuple[str, Span]]:
    return [
        (item.name.value, text)
        for item in (values and values.get(f.RULES)) or ()
        for text in (
            item.value.get(f.RULE),
            *(one.get(f.RULE_NEEDED) for one in item.value.get(f.READINGS) or ()),
        )
        if text is not None
    ]


def read_values(source: Source, form: Record) -> tuple[Values | None, list[Diagnostic]]:
    """The fields of a whole file, and all errors in it, sorted by place."""
    tree, diagnostics = load_tree(source)
    reported = {one.span for one in diagnostics}
    values = form.read(tree, diagnostics) if tree else None
    diagnostics = [one for one in diagnostics if one.code < "E1" or one.span not in reported]
    return values, first_errors(diagnostics)


def _seats(players: Values) -> list[Diagnostic]:
    """Check that each seat belongs to one team."""
    span, number = players.span, players.need(f.NUMBER)
    teams = players.get(f.TEAMS)
    if teams is None:
        return []
    seats = sorted(seat for team in teams for seat in team)
    return [] if seats == [*range(number)] else [error("E408", span, last=number - 1)]


def _ruleset(values: Values, source: Source) -> RulesetFile:
    players, deck = values.get(f.PLAYERS), values.get(f.DECK)
    return RulesetFile(
        id=values.need(f.RULESET),
        title=values.get(f.TITLE),
        extends=values.get(f.EXTENDS),
        documents=values.get(f.DOCUMENTS) or (),
        inherits=tuple(map(_inherits, values.get(f.INHERITS) or ())),
        players=_players(players) if players else None,
        deck=_deck(deck) if deck else None,
        parameters=_each(values, f.PARAMETERS, lambda it: ParameterDecl(it.name, it.value, it.span)),
        options=_each(values, f.OPTIONS, lambda it: OptionDecl(it.name, it.value, it.span)),
        state=_each(values, f.STATE, _variable),
        zones=_each(values, f.ZONES, _zone),
        moves=_each(values, f.MOVES, _move),
        rules=_each(values, f.RULES, _rule),
        invariants=_each(values, f.INVARIANTS, _invariant),
        examples=tuple(map(_example, values.get(f.EXAMPLES) or ())),
        known=tuple(KnownDecl(item.name, item.value, item.span) for item in values.get(f.KNOWN) or ()),
        source=source,
    )


def _each(
    values: Values, field: Field[tuple[NamedItem[T], ...]], make: Callable[[NamedItem[T]], U]
) -> dict[str, U]:
    return {item.name.value: make(item) for item in values.get(field) or ()}


def _backing(values: Values) -> Backing:
    return Backing(values.get(f.CITES) or (), values.get(f.ASSUMES) or (), values.get(f.CONTRADICTS) or ())


def _inherits(values: Values) -> InheritsDecl:
    return InheritsDecl(values.get(f.INHERITED_RULES) or (), _backing(values), values.span)


def _players(values: Values) -> PlayersDecl:
    return PlayersDecl(values.need(f.NUMBER), values.get(f.TEAMS) or (), _backing(values), values.span)


def _deck(values: Values) -> DeckDecl:
    return DeckDecl(
        ranks=values.get(f.RANKS),
        suits=values.get(f.SUITS),
        cards=values.get(f.CARDS),
        without=values.get(f.WITHOUT),
        backing=_backing(values),
        span=values.span,
    )


def _variable(item: NamedItem[Values]) -> VariableDecl:
    values = item.value
    return VariableDecl(
        name=item.name,
        type=values.need(f.TYPE),
        of=values.get(f.OF) or (),
        carried=values.get(f.CARRIED) or False,
        initial=values.get(f.INITIAL),
        backing=_backing(values),
        span=item.span,
    )


def _zone(item: NamedItem[Values]) -> ZoneDecl:
    return ZoneDecl(item.name, item.value.get(f.OF) or (), item.value.get(f.SEEN_BY), item.span)


def _move(item: NamedItem[Values]) -> MoveDecl:
    values = item.value
    return MoveDecl(item.name, values.need(f.VERB), values.get(f.TO), values.get(f.SHOWS) or False, item.span)


def _rule(item: NamedItem[Values]) -> RuleDecl:
    values = item.value
    return RuleDecl(
        name=item.name,
        parameters=values.get(f.PARAMETERS_OF) or (),
        text=values.get(f.RULE),
        readings=tuple(map(_reading, values.get(f.READINGS) or ())),
        silent=values.get(f.SILENT),
        gives=values.get(f.GIVES),
        same_as=values.get(f.SAME_AS),
        backing=_backing(values),
        span=item.span,
    )


def _reading(values: Values) -> ReadingDecl:
    return ReadingDecl(
        name=values.need(f.READING_NAME),
        says=values.get(f.SAYS),
        text=values.need(f.RULE_NEEDED),
        backing=_backing(values),
        span=values.span,
    )


def _invariant(item: NamedItem[Values]) -> InvariantDecl:
    values = item.value
    when = values.get(f.WHEN_CHECKED) or Word("hand-ends", item.name.span)
    return InvariantDecl(item.name, values.need(f.RULE_NEEDED), when, _backing(values), item.span)


def _example(item: NamedItem[Values]) -> ExampleDecl:
    values = item.value
    return ExampleDecl(
        name=item.name,
        backing=_backing(values),
        given=values.get(f.GIVEN) or {},
        when=list(values.get(f.WHEN) or ()),
        run=values.get(f.RUN),
        then=values.need(f.THEN),
        known=values.get(f.EXAMPLE_KNOWN),
        span=item.span,
    )
