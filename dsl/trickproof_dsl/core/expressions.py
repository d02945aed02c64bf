"""Core expressions: typed, without effects.

Each node documents the order in which its operands are evaluated, which matters because the first fault wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from trickproof_dsl.core.types import Type
from trickproof_dsl.diagnostics.source import Span, span_field


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant; None is `none`; a set constant is a sorted tuple."""

    type: Type
    value: int | bool | tuple[int, ...] | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the ruleset: fixed for a match."""

    name: str
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Reading:
    """The index of the reading chosen for a rule: fixed for a match, 0 unless the scenario says otherwise."""

    rule: str
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Local:
    """A name bound by an enclosing expression or an earlier statement."""

    name: str
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Variable:
    """The value of a variable.

    Evaluates `arguments` left to right; faults when one of them is `none`.
    """

    name: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class ZoneCards:
    """The cards in a zone, as a set.

    Evaluates `arguments` left to right; faults when one of them is `none`.
    """

    zone: str
    arguments: tuple[Expr, ...]
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`operator`: + - * div mod on integers (div and mod round towards minus infinity).  Integers have no bounds.

    Evaluates `left`, then `right`; div and mod by 0 fault.
    """

    operator: str
    left: Expr
    right: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Compare:
    """`operator`: = != on any one type, < <= > >= on integers and ranks.

    Evaluates `left`, then `right`; < <= > >= then fault when either is `none`.
    """

    operator: str
    left: Expr
    right: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Logic:
    """`operator`: and, or.

    Evaluates `left`; then `right`, unless `left` determines the result.
    """

    operator: OneOf["and", "or"]
    left: Expr
    right: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Not:
    """Logical negation."""

    operand: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Conditional:
    """Evaluates `condition`, then `then` or `otherwise`, never both."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Seat:
    """The player `offset` seats clockwise of `player`; faults when that is `none`."""

    player: Expr
    offset: int
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Table:
    """A constant looked up by player: team, partner; faults when `index` is `none`."""

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
    """Integers from low to high, both included; empty when high < low.

    Evaluates `low`, then `high`.
    """

    low: Expr
    high: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class SetOperation:
    """`operator`: + union, - difference.

    Evaluates `left`, then `right`.
    """

    operator: str
    left: Expr
    right: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Single:
    """A singleton; the empty set for `none`."""

    element: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Filter:
    """The elements of the domain that satisfy the condition.

    Evaluates `domain`, then `condition` for each element in order of index.
    """

    binder: str
    domain: Expr
    condition: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Member:
    """Whether an element is in a set; `none` is in no set.

    Evaluates `element`, then `set`.
    """

    element: Expr
    set: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Size:
    """The number of elements of a set."""

    set: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether some element of the domain satisfies the condition (`every` and `no` are lowered to it).

    Evaluates `domain`, then `condition` for each element in order of index up to the first that satisfies it.
    """

    binder: str
    domain: Expr
    condition: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of the values of all elements of the domain.

    Evaluates `domain`, then `value` for each element in order of index.
    """

    binder: str
    domain: Expr
    value: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class UnionOf:
    """The union of the values of all elements of the domain.

    Evaluates `domain`, then `value` for each element in order of index.
    """

    binder: str
    domain: Expr
    value: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Extreme:
    """The largest or smallest value; faults on an empty domain.

    Evaluates `domain`, then `value` for each element in order of index; faults when one of them is `none`.
    """

    highest: bool
    binder: str
    domain: Expr
    value: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Best:
    """Every element whose key is extreme; the empty set for an empty domain.

    Evaluates `domain`, then `key` for each element in order of index; faults when one of them is `none`.
    """

    highest: bool
    binder: str
    domain: Expr
    key: Expr
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Matching:
    """Suit by suit, as many of the highest (lowest) cards of `operand` as `pattern` has (all if fewer).

    With `answering`, these are paired in order with the cards of the pattern, and only those paired with one
    of its cards remain.  Evaluates `operand`, then `pattern`, then `answering`.
    """

    highest: bool
    operand: Expr
    pattern: Expr
    answering: Expr | None
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Top:
    """The `count` elements with the best keys, equal keys in order of index.

    Evaluates `count`, then `operand`; faults if the count is negative or there are fewer elements.  Then evaluates
    `key` for each element in order of index; faults when one of them is `none`.
    """

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
    """A value that a missing rule would give; faults, unless play continues as if it were `otherwise`."""

    rule: str
    type: Type
    otherwise: bool | None
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
