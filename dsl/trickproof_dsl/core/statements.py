"""Core statements: the only things that change a state.

Each node states in which order its expressions are evaluated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from trickproof_dsl.core.expressions import Expr
from trickproof_dsl.core.types import Type
from trickproof_dsl.diagnostics.source import Span, span_field


@dataclass(frozen=True, slots=True)
class Place:
    """A zone and its owners.

    Evaluates `arguments` left to right; faults when one of them is `none`.
    """

    zone: str
    arguments: tuple[Expr, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Order:
    """How a loop orders its elements: by `keys` (highest?, binder, value), then by `ties`.

    `ties`: "circle" (start and direction given), "open" (the rules do not say; played clockwise from
    `start`), "impossible" (a tie faults), "natural" (by index, for anything but players).  Evaluates `start`,
    then, for each element in the order of ties (by index, if there is no start), its keys left to right;
    faults when one of these is `none`.
    """

    keys: tuple[tuple[bool, str, Expr], ...]
    ties: OneOf["circle", "open", "impossible", "natural"]
    start: Expr | None
    clockwise: bool = True


@dataclass(frozen=True, slots=True)
class Assign:
    """Assigns a value to a variable.

    Evaluates `value`, then `arguments` left to right; faults when one of these is `none`.
    """

    variable: str
    arguments: tuple[Expr, ...]
    value: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Branch:
    """Evaluates `condition`, then executes `then` or `otherwise`."""

    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Loop:
    """For each element of a set.

    Evaluates `domain`, then `order`, once, before the first iteration.
    """

    binder: str
    domain: Expr
    order: Order
    body: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Until:
    """Test, body, test …; faults when the body would run more than `bound` times.

    Evaluates `bound` once, then `condition` before every iteration.
    """

    condition: Expr
    bound: Expr
    body: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class InRule:
    """The statements of a rule's text."""

    rule: str
    body: tuple[Stmt, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class ChooseCards:
    """A player picks between `low` and `high` cards of a set; the picked set is bound to `binder`.

    `whose` is the player whose cards they are, if their zone determines it; `single` means that the rule says
    exactly one card: scenarios then give a `card` instead of `cards`.  Nothing is asked if `high` is 0.

    Evaluates `domain`, `low`, `high`, `actor`, `to`; faults when one of the last two is `none`, when `low` is
    negative or `high` less than `low`, or when the set has fewer than `low` cards.  Then evaluates `whose`,
    if something is asked.
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
    """A player picks an element of a set that satisfies `condition` (over `binder`), or `none` if allowed.

    Evaluates `actor`, then `domain`, then `condition` for each element in order of index; faults when the actor is `none` or
    there is nothing to pick.
    """

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
    """Cards go from one place to another, in order of index; faults when a card is not there.

    `to` is the player who receives them.  Without an actor (`put`) nobody moves them and no event is
    recorded; nor if there are no cards.

    Evaluates `cards`, `source`, `target`; moves the cards; then evaluates `actor`, `to` and once more the
    player who owns the source, for the event.
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
    """A player shows cards to others; no event is recorded if there are none.

    Evaluates `cards`, then `to`, then `actor` for each player to whom they are shown, in order of index.
    """

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
    """Cards go from the top of the deck to a place; `count` None deals the rest.

    Evaluates `to`, then `count`; faults when it is negative or the deck has fewer cards.
    """

    count: Expr | None
    to: Place
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Announce:
    """An event.  A field's value is an expression, or the name of a per-player variable, reported as a list.

    Evaluates the fields left to right.  A field that is a zone reports its cards in order.
    """

    event: str
    fields: tuple[tuple[str, Expr | str], ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class EndHand:
    """The hand is over: no statement of it runs after this one.

    The match continues as after any hand; with `again` the cards are dealt again, without the steps between
    hands, and the next hand begins with the carried variables as they are.  Allowed only in `hand`.
    """

    again: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class EndMatch:
    """The match is over, and with it the hand: no statement runs after this one."""

    winners: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Unspecified:
    """What a missing rule would do; faults."""

    rule: str
    span: Span = span_field()


Choice = ChooseCards | ChooseValue
"""A statement that asks a player."""

Stmt = (
    Assign
    | Branch
    | Loop
    | Until
    | InRule
    | ChooseCards
    | ChooseValue
    | Move
    | Show
    | Shuffle
    | Deal
    | Announce
    | EndHand
    | EndMatch
    | Unspecified
)
