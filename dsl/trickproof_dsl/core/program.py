"""A ruleset's core program: declarations, rules, and the statements a match is made of."""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl.core.expressions import Expr
from trickproof_dsl.core.statements import Stmt
from trickproof_dsl.core.types import Type
from trickproof_dsl.diagnostics.source import Span, span_field


@dataclass(frozen=True, slots=True)
class VariableInfo:
    """`of` has the owner types; `initial` is the value at the start of every hand (if carried, of the match).

    A variable keeps what a hand leaves in it until the next hand begins, whether it is carried or not.
    """

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
    """Cards in canonical order; suit and rank of card i are `card_suit[i]` and `card_rank[i]`."""

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
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class InvariantCode:
    name: str
    when: str
    condition: Expr
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Program:
    """The whole meaning of a ruleset: `setup` once, then hands, with `between` before each hand but the first.

    `setup`, `hand` and `between` are the bodies of the rules `match-start`, `hand` and `between-hands`.
    `between` finds every variable and every card as the hand left it; then variables that are not carried are
    reset, and the next hand begins.  After `deal again`, `between` is skipped.  If `setup` or `between` ends
    the match, no hand follows.
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

    @property
    def phases(self) -> tuple[tuple[Stmt, ...], ...]:
        """All that a match runs: `setup`, `hand` and `between`."""
        return self.setup, self.hand, self.between

    @property
    def defaults(self) -> dict[str, int]:
        """The first value of every parameter."""
        return {name: values[0] for name, values in self.parameters.items()}

    @property
    def sides(self) -> list[frozenset[int]]:
        """The teams, or each player if there are none: those who may win alone."""
        return [frozenset(team) for team in self.teams] or [frozenset([p]) for p in range(self.players)]
