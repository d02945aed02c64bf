"""What every core program guarantees its readers: named invariants, each an executable predicate.

An invariant yields its violations.  They are checked in the order of `INVARIANTS`, and each may assume those
before it; `violations` stops after the first that is broken.  `elaborate.py` produces only programs that
satisfy them all (which the tests check); a program read from JSON should be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from trickproof_dsl.core import expressions as e, statements as s
from trickproof_dsl.core.binders import Bound, bound_by, scoped
from trickproof_dsl.core.program import Program
from trickproof_dsl.core.traversal import Node, nodes_in, parts, walk
from trickproof_dsl.core.type_check import type_faults
from trickproof_dsl.core.types import INTEGER, PLAYER, SETS, Type

Invariant = Callable[[Program], Iterator[str]]


def violations(program: Program) -> list[str]:
    """The violations of the first broken invariant, each line beginning with its name; empty if all hold."""
    for invariant in INVARIANTS:
        broken = list(dict.fromkeys(invariant(program)))
        if broken:
            return [f"{invariant.__name__}: {what}" for what in broken]
    return []


def declarations_fit(program: Program) -> Iterator[str]:
    """Everything declared is filed under its own name, seats and teams exist, the deck has parallel lists."""
    for kind in ("variables", "zones", "rules", "invariants"):
        for name, declared in getattr(program, kind).items():
            if declared.name != name:
                yield f"`{declared.name}` is filed under `{name}`"
    deck = program.deck
    if not len(deck.cards) == len(set(deck.cards)) == len(deck.card_suit) == len(deck.card_rank):
        yield "cards, their suits and their ranks must be equally many, and each card there once"
    if not set(deck.card_suit) <= set(range(len(deck.suits))) or len(deck.suits) != len(deck.suit_letters):
        yield "a card has a suit that the deck has not"
    if not set(deck.card_rank) <= set(range(len(deck.ranks))) or len(deck.ranks) != len(deck.rank_letters):
        yield "a card has a rank that the deck has not"
    seats = sorted(p for team in program.teams for p in team)
    if seats and seats != list(range(program.players)):
        yield "the teams must hold every player once"


def initial_values_fit(program: Program) -> Iterator[str]:
    """Every variable begins with a value of its type."""
    for info in program.variables.values():
        if not _is_value(program, info.type, info.initial):
            yield f"`{info.name}` begins with {info.initial!r}, which is no {info.type}"


def names_known(program: Program) -> Iterator[str]:
    """Every variable, zone, parameter, reading, option and rule that is mentioned is declared."""
    for node in _everything(program):
        for name, known in _names(program, node):
            if name not in known:
                yield f"{type(node).__name__}: nothing is called `{name}`"


def closed(program: Program) -> Iterator[str]:
    """A bound name is used only in its scope, with the type it is bound to."""
    for node, bound in _everything_scoped(program):
        if isinstance(node, e.Local):
            if node.name not in bound:
                yield f"`{node.name}` is not bound"
            elif bound[node.name] != node.type:
                yield f"`{node.name}` is used as {node.type}, bound to {bound[node.name]}"


def binders_unique(program: Program) -> Iterator[str]:
    """In a match, in a rule by itself and in an invariant, no name is bound in two places."""
    for bound, body in _sections(program):
        seen = set(bound)
        for node in walk(body):
            for name, _ in bound_by(node):
                if name in seen:
                    yield f"`{name}` is bound twice"
                seen.add(name)


def owners_given(program: Program) -> Iterator[str]:
    """Variables, zones and places have as many owners as declared."""
    for node in _everything(program):
        match node:
            case e.Variable(name, arguments) | s.Assign(name, arguments):
                owners = len(program.variables[name].of)
            case e.ZoneCards(name, arguments) | s.Place(name, arguments):
                owners = len(program.zones[name].of)
            case _:
                continue
        if len(arguments) != owners:
            yield f"`{name}` has {owners} owners, {len(arguments)} are given"


def well_typed(program: Program) -> Iterator[str]:
    """The parts of every node have the types it requires."""
    for node in _everything(program):
        yield from type_faults(program, node)


def constants_exist(program: Program) -> Iterator[str]:
    """Constants are values of their types; seats and tables have an entry for every player."""
    for node in _everything(program):
        match node:
            case e.Literal() if not _is_value(program, node.type, node.value):
                yield f"{node.value!r} is no {node.type}"
            case e.Seat() if not 0 <= node.offset < program.players:
                yield f"no player sits {node.offset} places away"
            case e.Table() if len(node.entries) != program.players:
                yield f"a table has {len(node.entries)} entries for {program.players} players"
            case e.Table() if not all(_is_value(program, node.type, x) for x in node.entries):
                yield "a table leads to what does not exist"


def operators_known(program: Program) -> Iterator[str]:
    """Operators are among those documented for the node."""
    for node in _everything(program):
        known = _OPERATORS.get(type(node))
        if known is not None and node.operator not in known:
            yield f"{type(node).__name__}: no operator `{node.operator}`"


def choices_told(program: Program) -> Iterator[str]:
    """Every choice or move by a player has a label; what no player does has neither label nor recipient."""
    for node in _everything(program):
        match node:
            case s.ChooseCards() | s.ChooseValue() | s.Show() if not node.label:
                yield f"{type(node).__name__}: no label"
            case s.Move() if (node.actor is None) != (not node.label):
                yield "Move: actor and label go together"
            case s.Move() if node.actor is None and (node.to is not None or node.single):
                yield "Move: cards that nobody moves are given to nobody"
            case s.ChooseValue() if node.or_none and node.value_type.kind in ("integer", "boolean"):
                yield f"ChooseValue: {node.value_type} is never none"


def fields_told(program: Program) -> Iterator[str]:
    """A variable that is announced by name has one value per player."""
    for node in _everything(program):
        for _, value in node.fields if isinstance(node, s.Announce) else ():
            if isinstance(value, str) and program.variables[value].of != (PLAYER,):
                yield f"`{value}` is not held by each player"


def orders_fit(program: Program) -> Iterator[str]:
    """Loops over players have a first seat and go round the table; no other loop has a start."""
    for node in _everything(program):
        if isinstance(node, s.Loop):
            players, order = node.domain.type.kind == "players", node.order
            if players != (order.start is not None):
                yield f"Loop: {node.domain.type} {'need' if players else 'have no'} first seat"
            if order.ties == ("natural" if players else "circle"):
                yield f"Loop: {node.domain.type} in {order.ties} order"


def finite(program: Program) -> Iterator[str]:
    """Every rule terminates: no rule is executed within itself, and only `Loop` and `Until` repeat."""
    for _, body in _sections(program):
        yield from _inside_itself(body, ())


INVARIANTS: tuple[Invariant, ...] = (
    declarations_fit,
    initial_values_fit,
    names_known,
    closed,
    binders_unique,
    owners_given,
    well_typed,
    constants_exist,
    operators_known,
    choices_told,
    fields_told,
    orders_fit,
    finite,
)

_OPERATORS: dict[type, tuple[str, ...]] = {
    e.Arithmetic: ("+", "-", "*", "div", "mod"),
    e.Compare: ("=", "!=", "<", "<=", ">", ">="),
    e.Logic: ("and", "or"),
    e.SetOperation: ("+", "-"),
}


def _sections(program: Program) -> Iterator[tuple[Bound, object]]:
    """The match; each rule by itself with its parameters; each invariant."""
    yield {}, program.phases
    for rule in program.rules.values():
        yield dict(rule.parameters), (rule.body or (), rule.value)
    for invariant in program.invariants.values():
        yield {}, invariant.condition


def _everything(program: Program) -> Iterator[Node]:
    return (node for _, body in _sections(program) for node in walk(body))


def _everything_scoped(program: Program) -> Iterator[tuple[Node, Bound]]:
    return (pair for bound, body in _sections(program) for pair in scoped(body, bound))


def _names(program: Program, node: Node) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The declared names that a node mentions, and where they must be declared."""
    match node:
        case e.Variable(name) | s.Assign(name):
            yield name, program.variables
        case e.ZoneCards(name) | s.Place(name):
            yield name, program.zones
        case e.Parameter(name):
            yield name, program.parameters
        case e.Reading(name):
            yield name, program.readings
        case e.RuleValue(name) | e.UnspecifiedValue(name) | s.InRule(name) | s.Unspecified(name):
            yield name, program.rules
        case s.ChooseCards() | s.ChooseValue():
            yield node.rule, program.rules
        case s.Announce():
            yield from ((value, program.variables) for _, value in node.fields if isinstance(value, str))
    kind = getattr(node, "type", None)
    if isinstance(kind, Type) and kind.kind == "option":
        yield kind.option, program.options


def _is_value(program: Program, kind: Type, value: object) -> bool:
    if kind.kind in SETS:
        element = Type(SETS[kind.kind])
        parts_fit = isinstance(value, tuple) and all(_is_value(program, element, x) for x in value)
        return parts_fit and list(value) == sorted(set(value))  # type: ignore[call-overload]
    if kind.kind == "boolean":
        return isinstance(value, bool)
    if kind == INTEGER or value is not None:
        size = _size(program, kind)
        return type(value) is int and (size is None or 0 <= value < size)
    return True


def _size(program: Program, kind: Type) -> int | None:
    deck = program.deck
    sizes = {"player": program.players, "team": len(program.teams), "card": len(deck.cards)}
    sizes |= {"suit": len(deck.suits), "rank": len(deck.ranks)}
    sizes |= {"option": len(program.options.get(kind.option, ()))}
    return sizes.get(kind.kind)


def _inside_itself(nodes: object, outer: tuple[str, ...]) -> Iterator[str]:
    for node in nodes_in(nodes):
        inner = (*outer, node.rule) if isinstance(node, s.InRule) else outer
        if isinstance(node, s.InRule) and node.rule in outer:
            yield f"rule `{node.rule}` is carried out within itself"
            continue
        yield from _inside_itself(tuple(parts(node)), inner)
