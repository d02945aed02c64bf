"""Statements of rule text, as written."""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl.diagnostics.source import Span, span_field
from trickproof_dsl.syntax.ast.expressions import Domain, Expr


@dataclass(frozen=True, slots=True)
class Circle:
    """`clockwise from player`, that player first."""

    clockwise: bool
    start: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Key:
    """`highest value first`."""

    highest: bool
    value: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Order:
    """Keys, most important first; `ties` is a circle, `open`, `impossible`, or None if the text does not say."""

    keys: tuple[Key, ...]
    ties: Circle | str | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Becomes:
    """`variable becomes value`."""

    target: Expr
    value: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class If:
    """Branches in order, each (condition, body); `otherwise` may be empty."""

    branches: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class For:
    binder: str
    domain: Domain
    order: Order | None
    simultaneous: bool
    body: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class RepeatTimes:
    count: Expr
    body: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class RepeatUntil:
    """Runs the body until the condition holds (tested first); `bound` is the stated limit, if any."""

    condition: Expr
    bound: Expr | None
    body: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Do:
    """`do rule`, `do rule of x`, `do rule(x, y)`."""

    rule: str
    arguments: tuple[Expr, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Gather every card into the deck and shuffle it."""

    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Deal:
    """`deal 16 cards to zone`, `deal the rest to zone` (count None)."""

    count: Expr | None
    to: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Announce:
    """An event with fields (key, value)."""

    event: str
    fields: tuple[tuple[str, Expr], ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class HandEnds:
    """`the hand ends`, or `deal again`."""

    again: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class MatchEnds:
    winners: Expr | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Chosen:
    """Cards picked by the actor: between `low` and `high` cards of a set; `high` None means any number."""

    low: Expr
    high: Expr | None
    of: Expr
    condition: Expr | None
    blindly: bool
    form: str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Act:
    """`actor verb selection [from zone] [to place] [as variable]`; `to` is "everyone" for a show to all."""

    actor: Expr
    verb: str
    selection: Chosen | Expr
    source: Expr | None
    to: Expr | str | None
    binding: Expr | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Chooses:
    """`actor chooses variable [from domain [or none]] [with condition]`."""

    actor: Expr
    target: Expr
    domain: Domain | None
    or_none: bool
    condition: Expr | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Put:
    """`put cards [from zone] into zone`: cards change zones without a player's move."""

    cards: Expr
    source: Expr | None
    to: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class NothingHappens:
    """An explicit statement that a procedure does nothing."""

    span: Span = span_field()


Stmt = (
    Becomes
    | Put
    | NothingHappens
    | If
    | For
    | RepeatTimes
    | RepeatUntil
    | Do
    | Shuffle
    | Deal
    | Announce
    | HandEnds
    | MatchEnds
    | Act
    | Chooses
)


@dataclass(frozen=True, slots=True)
class Value:
    """Rule text that is one expression."""

    expr: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Procedure:
    """Rule text that is a list of statements."""

    body: tuple[Stmt, ...]
    span: Span = span_field()


RuleText = Value | Procedure
