"""Core expressions: typed, without effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from trickproof_dsl.core.types import Type, span_field
from trickproof_dsl.diagnostics.source import Span


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant; None is `none`; a set constant is a sorted tuple."""

    type: Type
    value: int | bool | tuple[int, ...] | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Reading:
    """The index of the reading taken of a rule: fixed for a match, 0 unless the scenario says otherwise."""

    rule: str
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Local:
    name: str
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class ZoneCards:
    """The cards in a zone, as a set."""

    zone: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`operator`: + - * div mod on integers (div and mod round towards minus infinity)."""

    operator: str
    left: Expr
    right: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Compare:
    """`operator`: = != on any one type, < <= > >= on integers and ranks."""

    operator: str
    left: Expr
    right: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Logic:
    """`operator`: and, or; evaluated left to right, stopping when decided."""

    operator: OneOf["and", "or"]
    left: Expr
    right: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Seat:
    """The player `offset` seats clockwise."""

    player: Expr
    offset: int
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Table:
    """A constant looked up by player: team, partner."""

    index: Expr
    entries: tuple[int, ...]
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class CardAttribute:
    """`attribute`: suit or rank of a card (faults on `none`); `height` is the rank as an integer from 0."""

    attribute: OneOf["suit", "rank", "height"]
    card: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Universe:
    """All players, suits, ranks or cards."""

    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Range:
    """Integers from low to high, both included; empty when high < low."""

    low: Expr
    high: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class SetOperation:
    """`operator`: + union, - difference."""

    operator: str
    left: Expr
    right: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Single:
    """The set of one element."""

    element: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Filter:
    binder: str
    domain: Expr
    condition: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Member:
    element: Expr
    set: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Size:
    set: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Exists:
    """Some element of the domain satisfies the condition (`every` and `no` are lowered to it)."""

    binder: str
    domain: Expr
    condition: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Sum:
    binder: str
    domain: Expr
    value: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class UnionOf:
    """Everything that is in the value of some element of the domain."""

    binder: str
    domain: Expr
    value: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Extreme:
    """The largest or smallest value; faults on an empty domain."""

    highest: bool
    binder: str
    domain: Expr
    value: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Best:
    """Every element whose key is extreme."""

    highest: bool
    binder: str
    domain: Expr
    key: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Matching:
    """Suit by suit, as many of the highest (lowest) cards of `operand` as `pattern` has (all if fewer).

    With `answering`, the first of them goes with the first of the pattern, and so on; those stay that go with one of
    its cards.
    """

    highest: bool
    operand: Expr
    pattern: Expr
    answering: Expr | None
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Top:
    """The `count` elements with the best keys, equal keys in order of index; faults if there are fewer."""

    highest: bool
    count: Expr
    binder: str
    operand: Expr
    key: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Only:
    """The single element of a set; faults on any other size."""

    operand: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class RuleValue:
    """A value taken from a rule's text."""

    rule: str
    value: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class UnspecifiedValue:
    """A value that a missing rule would give; faults."""

    rule: str
    type: Type
    span: Span = span_field()


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
