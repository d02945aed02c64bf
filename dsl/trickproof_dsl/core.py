"""The core program: the only place where a rule has a meaning.

Made by `elaborate.py` (names resolved, types checked, sugar and rule calls gone); read by the interpreter,
the simulator and the symbolic reader, and by nothing else.  Expressions have a `type` and no effects.
Bound names are unique within a program, so that a single environment suffices.  Rule calls are inlined;
`InRule` and `RuleValue` remember whose text a part came from.

Values: integer `int`; boolean `bool`; player, suit, rank, card, team, option: index `int`, or None for `none`;
sets (`players`, `cards`, `suits`, `ranks`, `integers`): frozenset of indices.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as OneOf

from trickproof_dsl.source import Span

SCALARS = ("integer", "boolean", "player", "team", "suit", "rank", "card", "option")
SETS = {"players": "player", "cards": "card", "suits": "suit", "ranks": "rank", "integers": "integer"}


@dataclass(frozen=True, slots=True)
class Type:
    """`kind` is one of SCALARS or SETS; `option` names the option type."""

    kind: str
    option: str = ""

    def __str__(self) -> str:
        return self.option or {"players": "set of players", "cards": "set of cards"}.get(self.kind, self.kind)


INTEGER, BOOLEAN, PLAYER, SUIT, RANK, CARD, TEAM = (
    Type(k) for k in ("integer", "boolean", "player", "suit", "rank", "card", "team")
)
PLAYERS, CARDS, SUITS, RANKS, INTEGERS = (Type(k) for k in SETS)


def _span() -> Span:
    made: Span = field(compare=False, repr=False)
    return made


# ---------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant; None is `none`; a set constant is a sorted tuple."""

    type: Type
    value: int | bool | tuple[int, ...] | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Reading:
    """The index of the reading taken of a rule: fixed for a match, 0 unless the scenario says otherwise."""

    rule: str
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Local:
    name: str
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ZoneCards:
    """The cards in a zone, as a set."""

    zone: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`operator`: + - * div mod on integers (div and mod round towards minus infinity)."""

    operator: str
    left: Expr
    right: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Compare:
    """`operator`: = != on any one type, < <= > >= on integers and ranks."""

    operator: str
    left: Expr
    right: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Logic:
    """`operator`: and, or; evaluated left to right, stopping when decided."""

    operator: OneOf["and", "or"]
    left: Expr
    right: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Seat:
    """The player `offset` seats clockwise."""

    player: Expr
    offset: int
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Table:
    """A constant looked up by player: team, partner."""

    index: Expr
    entries: tuple[int, ...]
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class CardAttribute:
    """`attribute`: suit or rank of a card (faults on `none`); `height` is the rank as an integer from 0."""

    attribute: OneOf["suit", "rank", "height"]
    card: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Universe:
    """All players, suits or ranks."""

    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Range:
    """Integers from low to high, both included; empty when high < low."""

    low: Expr
    high: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SetOperation:
    """`operator`: + union, - difference."""

    operator: str
    left: Expr
    right: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Single:
    """The set of one element."""

    element: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Filter:
    binder: str
    domain: Expr
    condition: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Member:
    element: Expr
    set: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Size:
    set: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Exists:
    """Some element of the domain satisfies the condition (`every` and `no` are lowered to it)."""

    binder: str
    domain: Expr
    condition: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Sum:
    binder: str
    domain: Expr
    value: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class UnionOf:
    """Everything that is in the value of some element of the domain."""

    binder: str
    domain: Expr
    value: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Extreme:
    """The largest or smallest value; faults on an empty domain."""

    highest: bool
    binder: str
    domain: Expr
    value: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Best:
    """Every element whose key is extreme."""

    highest: bool
    binder: str
    domain: Expr
    key: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Matching:
    """Suit by suit, as many of the highest (lowest) cards of `operand` as `pattern` has (all if fewer)."""

    highest: bool
    operand: Expr
    pattern: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Top:
    """The `count` elements with the best keys, equal keys in order of index; faults if there are fewer."""

    highest: bool
    count: Expr
    binder: str
    operand: Expr
    key: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Only:
    """The single element of a set; faults on any other size."""

    operand: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class RuleValue:
    """A value taken from a rule's text."""

    rule: str
    value: Expr
    type: Type
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class UnspecifiedValue:
    """A value that a missing rule would give; faults."""

    rule: str
    type: Type
    span: Span = _span()


Expr = (
    Literal
    | Parameter
    | Reading
    | Local
    | Variable
    | ZoneCards
    | Arithmetic
    | Compare
    | Logic
    | Not
    | Conditional
    | Seat
    | Table
    | CardAttribute
    | Universe
    | Range
    | SetOperation
    | Single
    | Filter
    | Member
    | Size
    | Exists
    | Sum
    | UnionOf
    | Extreme
    | Best
    | Matching
    | Top
    | Only
    | RuleValue
    | UnspecifiedValue
)

# ----------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Place:
    """A zone and whose."""

    zone: str
    arguments: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Order:
    """How a loop takes its elements: by `keys` (highest?, binder, value), then by `ties`.

    `ties`: "circle" (start and direction given), "open" (the rules do not say; played clockwise from `start`),
    "impossible" (a tie faults), "natural" (by index, for anything but players).
    """

    keys: tuple[tuple[bool, str, Expr], ...]
    ties: OneOf["circle", "open", "impossible", "natural"]
    start: Expr | None
    clockwise: bool = True


@dataclass(frozen=True, slots=True)
class Assign:
    variable: str
    arguments: tuple[Expr, ...]
    value: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Branch:
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Loop:
    """For each element of a set that is evaluated once, before the first round."""

    binder: str
    domain: Expr
    order: Order
    body: tuple[Stmt, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Until:
    """Test, body, test …; faults when the body would run more than `bound` times."""

    condition: Expr
    bound: Expr
    body: tuple[Stmt, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ChooseCards:
    """A player picks between `low` and `high` cards of a set; the picked set is bound to `binder`.

    `single` where the rule says exactly one card: scenarios then name a `card` instead of `cards`.  Nothing is
    asked where `high` is 0.
    """

    label: str
    actor: Expr
    binder: str
    domain: Expr
    low: Expr
    high: Expr
    to: Expr | None
    blind: bool
    single: bool
    rule: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ChooseValue:
    """A player picks an element of a set that satisfies `condition` (over `binder`)."""

    label: str
    actor: Expr
    binder: str
    value_type: Type
    domain: Expr
    or_none: bool
    condition: Expr
    rule: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Move:
    """Cards go from one place to another; faults when a card is not there.  `to` is the player they go to.

    Without an actor nobody moves and nothing is told (`put`).
    """

    label: str
    actor: Expr | None
    cards: Expr
    source: Place
    target: Place
    to: Expr | None
    single: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Show:
    label: str
    actor: Expr
    cards: Expr
    to: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Every card goes to the deck, which is shuffled."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards go from the top of the deck to a place; `count` None deals the rest."""

    count: Expr | None
    to: Place
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Announce:
    """An event.  A field's value is an expression, or the name of a per-player variable, told as a list."""

    event: str
    fields: tuple[tuple[str, Expr | str], ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class EndMatch:
    winners: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class InRule:
    rule: str
    body: tuple[Stmt, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Unspecified:
    """What a missing rule would do; faults."""

    rule: str
    span: Span = _span()


Stmt = (
    Assign
    | Branch
    | Loop
    | Until
    | ChooseCards
    | ChooseValue
    | Move
    | Show
    | Shuffle
    | Deal
    | Announce
    | EndMatch
    | InRule
    | Unspecified
)

# -------------------------------------------------------------------------------------------- program


@dataclass(frozen=True, slots=True)
class VariableInfo:
    """`of` holds owner types; `initial` the value every hand (or, if carried, the match) starts with."""

    name: str
    type: Type
    of: tuple[Type, ...]
    carried: bool
    initial: int | bool | tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class ZoneInfo:
    name: str
    of: tuple[Type, ...]
    seen_by: str


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards in canonical order; `suit` and `rank` of card i are `card_suit[i]`, `card_rank[i]`."""

    cards: tuple[str, ...]
    card_suit: tuple[int, ...]
    card_rank: tuple[int, ...]
    suits: tuple[str, ...]
    suit_letters: tuple[str, ...]
    ranks: tuple[str, ...]
    rank_letters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleCode:
    """One rule by itself: `parameters` are (local, type); it has a `body` or a `value`, or neither if missing."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    body: tuple[Stmt, ...] | None
    value: Expr | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class InvariantCode:
    name: str
    when: str
    condition: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Program:
    """A ruleset's whole meaning: once `setup`; then hands, with `between` before every hand but the first.

    `setup`, `hand` and `between` are the bodies of the rules `match-start`, `hand` and `between-hands`.
    """

    players: int
    teams: tuple[tuple[int, ...], ...]
    deck: Deck
    parameters: dict[str, tuple[int, ...]]
    options: dict[str, tuple[str, ...]]
    readings: dict[str, tuple[str, ...]]
    variables: dict[str, VariableInfo]
    zones: dict[str, ZoneInfo]
    rules: dict[str, RuleCode]
    invariants: dict[str, InvariantCode]
    setup: tuple[Stmt, ...]
    hand: tuple[Stmt, ...]
    between: tuple[Stmt, ...]
