"""What is asked of a player: a decision, and the question of the rules behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import Value
from trickproof_dsl.diagnostics.source import Span

if TYPE_CHECKING:
    from trickproof_dsl.compiled.blocks import Code

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def unchanging(cls: type[Made]) -> type[Made]:
    """A dataclass that nobody changes.  Types say so; at run time it would make playing much slower."""
    return dataclass(slots=True, unsafe_hash=True, repr="__repr__" not in vars(cls))(cls)


@dataclass(slots=True, unsafe_hash=True)
class Question:
    """What a step asks, whoever is asked: `code`, `place` and `after` are where play goes on.

    `left` are the steps that may still come, of every block around the step.
    """

    label: str
    type: c.Type
    single: bool
    blind: bool
    rule: str
    binder: str = field(repr=False)
    span: Span = field(compare=False, repr=False)
    left: tuple[object, ...] = field(default=(), compare=False, repr=False)
    code: Code | None = field(default=None, compare=False, repr=False)
    place: int = field(default=-1, compare=False, repr=False)
    after: Any = field(default=None, compare=False, repr=False)
    of_cards: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.of_cards = self.type.kind == "cards"

    def __reduce__(self) -> Any:
        """What is written belongs to the steps, which are made again when it is read."""
        if self.code is not None:
            return _again, (self.code, self.binder)
        told = (self.label, self.type, self.single, self.blind, self.rule, self.binder, self.span, self.left)
        return Question, told


def _again(code: Code, binder: str) -> Question:
    return code.questions[binder]


def question(t: c.ChooseCards | c.ChooseValue) -> Question:
    """What a choice asks."""
    if isinstance(t, c.ChooseCards):
        rule = limiting_rule(t.domain) or t.rule
        return Question(t.label, c.CARDS, t.single, t.blind, rule, t.binder, t.span)
    return Question(t.label, t.value_type, True, False, t.rule, t.binder, t.span)


def limiting_rule(domain: c.Expr) -> str | None:
    """The rule whose value a choice is made from, if it is one."""
    while isinstance(domain, c.Filter):
        domain = domain.domain
    return domain.rule if isinstance(domain, c.RuleValue) else None


@dataclass(slots=True, eq=False, repr=False)
class Decision:
    """What is asked: `legal` lists values, or for `cards` the cards of which `low` to `high` are picked.

    `among` holds the same as they lie; `to` is the player whom the cards go to, `whose` another player whose cards they are.
    """

    question: Question
    player: int
    among: tuple[Value, ...]
    low: int = 1
    high: int = 1
    to: int | None = None
    whose: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decision) and self._told() == other._told()

    def __hash__(self) -> int:
        return hash(self._told())

    def __repr__(self) -> str:
        return "Decision({!r}, player {}, {}, {} to {}, to {}, whose {})".format(*self._told())

    def _told(self) -> tuple[object, ...]:
        return self.question, self.player, self.legal, self.low, self.high, self.to, self.whose

    @property
    def legal(self) -> tuple[Value, ...]:
        """What may be chosen, in order: cards by index."""
        return tuple(sorted(self.among)) if self.question.of_cards else self.among

    @property
    def label(self) -> str:
        """What the rules call it."""
        return self.question.label

    @property
    def type(self) -> c.Type:
        """Of what is chosen."""
        return self.question.type

    @property
    def single(self) -> bool:
        """Whether the rule says exactly one card (values are always single)."""
        return self.question.single

    @property
    def blind(self) -> bool:
        """Whether the cards are not seen."""
        return self.question.blind

    @property
    def rule(self) -> str:
        """The rule that says what may be chosen."""
        return self.question.rule

    @property
    def binder(self) -> str:
        """The name that the chosen gets."""
        return self.question.binder

    @property
    def span(self) -> Span:
        """Where the rules say so."""
        return self.question.span

    @property
    def of_cards(self) -> bool:
        """Whether a set of cards is chosen."""
        return self.question.of_cards

    def allows(self, choice: Value) -> bool:
        """Whether the choice is legal."""
        if self.of_cards:
            cards = frozenset(choice)
            return self.low <= len(cards) <= self.high and cards.issubset(self.among)
        return choice in self.among
