"""Expressions of rule text as written."""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl.diagnostics.source import Span, span_field


@dataclass(frozen=True, slots=True)
class Name:
    """A word: a variable, zone, rule, parameter, option, suit or rank; or a bound name."""

    name: str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Subject:
    """`player`, `card` or `suit` standing for the implicit subject."""

    kind: str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class IntegerLiteral:
    value: int
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class CardLiteral:
    code: str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Nothing:
    """`none`."""

    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Apply:
    """`function of x` (one argument) or `function(x, y)` (two or more)."""

    function: str
    arguments: tuple[Expr, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Unary:
    """`operator` is `-` or `not`."""

    operator: str
    operand: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Binary:
    """`operator` is one of + - * div mod = != < <= > >= and or in `not in`."""

    operator: str
    left: Expr
    right: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class IsEmpty:
    operand: Expr
    negated: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Everything:
    """`suits` or `ranks`: all of them, lowest first."""

    kind: str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class PlayerSet:
    """`players [name] [in set] [other than player] [with condition]`."""

    binder: str | None
    inside: Expr | None
    other_than: Expr | None
    condition: Expr | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class CardSet:
    """`cards [name] in set [with condition]`."""

    binder: str | None
    inside: Expr
    condition: Expr | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class BestOf:
    """`players with the highest key [among set]`: every player with the highest key (ties included)."""

    kind: str
    highest: bool
    key: Expr
    among: Expr | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Quantified:
    """`some player has …`, `every card in hand has …`, `no suit has …`."""

    quantifier: str
    kind: str
    binder: str | None
    inside: Expr | None
    condition: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Count:
    """`number of set`."""

    operand: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Total:
    """`sum of value for set`."""

    value: Expr
    domain: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class UnionOf:
    """`union of set for set`: the union over all elements."""

    value: Expr
    domain: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Extreme:
    """`highest value among set`: the largest value, not the player who has it."""

    highest: bool
    value: Expr
    domain: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Matching:
    """`highest of set matching pattern`: suit by suit, as many of the highest as the pattern has.

    With `answering part`, only those in the same positions as the part's cards in the pattern.
    """

    highest: bool
    operand: Expr
    pattern: Expr
    answering: Expr | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Top:
    """`top 3 of set by key` (`bottom …`); ties go to the first in deck order."""

    highest: bool
    count: Expr
    operand: Expr
    key: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Only:
    """`only player in set`: the single element; anything but one element is a fault of the rules."""

    kind: str
    operand: Expr
    span: Span = span_field()


Expr = (
    Name
    | Subject
    | IntegerLiteral
    | CardLiteral
    | Truth
    | Nothing
    | Apply
    | Unary
    | Binary
    | IsEmpty
    | Conditional
    | Everything
    | PlayerSet
    | CardSet
    | BestOf
    | Quantified
    | Count
    | Total
    | UnionOf
    | Extreme
    | Matching
    | Top
    | Only
)


@dataclass(frozen=True, slots=True)
class Range:
    """`1 to 4`, both ends included."""

    low: Expr
    high: Expr
    span: Span = span_field()


Domain = Expr | Range
