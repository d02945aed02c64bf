"""Core statements: the only things that change a state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from trickproof_dsl.core.expressions import Expr
from trickproof_dsl.core.types import Type, span_field
from trickproof_dsl.diagnostics.source import Span


@dataclass(frozen=True, slots=True)
class Place:
    """A zone and whose."""

    zone: str
    arguments: tuple[Expr, ...]
    span: Span = span_field()


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
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Branch:
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Loop:
    """For each element of a set that is evaluated once, before the first round."""

    binder: str
    domain: Expr
    order: Order
    body: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Until:
    """Test, body, test …; faults when the body would run more than `bound` times."""

    condition: Expr
    bound: Expr
    body: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class ChooseCards:
    """A player picks between `low` and `high` cards of a set; the picked set is bound to `binder`.

    `whose` is the player whose cards they are, where their place tells; `single` where the rule says exactly one card: scenarios then name a `card` instead of `cards`.  Nothing is
    asked where `high` is 0.
    """

    label: str
    actor: Expr
    binder: str
    domain: Expr
    low: Expr
    high: Expr
    to: Expr | None
    whose: Expr | None
    blind: bool
    single: bool
    rule: str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class ChooseValue:
    """A player picks an element of a set that satisfies `condition` (over `binder`), or `none` if allowed."""

    label: str
    actor: Expr
    binder: str
    value_type: Type
    domain: Expr
    or_none: bool
    condition: Expr
    rule: str
    span: Span = span_field()


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
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Show:
    label: str
    actor: Expr
    cards: Expr
    to: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Every card goes to the deck, which is shuffled."""

    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards go from the top of the deck to a place; `count` None deals the rest."""

    count: Expr | None
    to: Place
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Announce:
    """An event.  A field's value is an expression, or the name of a per-player variable, told as a list."""

    event: str
    fields: tuple[tuple[str, Expr | str], ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class EndMatch:
    winners: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class InRule:
    rule: str
    body: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Unspecified:
    """What a missing rule would do; faults."""

    rule: str
    span: Span = span_field()


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
