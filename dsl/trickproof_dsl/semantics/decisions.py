"""Decisions put to a player, as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import Value


@dataclass(frozen=True, slots=True)
class Question:
    """The content of a choice, whoever makes it: the `type` of the chosen value, the `rule` that limits it.

    `single` means that the rule says exactly one card (values are always single), `blind` that the cards are
    picked unseen.  The choice is bound to the name `binder`.
    """

    label: str
    type: c.Type
    single: bool
    blind: bool
    rule: str
    binder: str = field(repr=False)
    span: Span = field(compare=False, repr=False)

    @property
    def of_cards(self) -> bool:
        """Whether a set of cards is chosen."""
        return self.type.kind == "cards"


@dataclass(frozen=True, slots=True)
class Decision:
    """A question put to a player: `legal` lists values, or for `cards` those from which `low` to `high` are
    picked.

    Both are in order, cards by index.  `to` is the player who receives the cards, `whose` another player who
    owns them.
    """

    question: Question
    player: int
    legal: tuple[Any, ...]
    low: int = 1
    high: int = 1
    to: int | None = None
    whose: int | None = None

    @property
    def label(self) -> str:
        """Its label in the rules."""
        return self.question.label

    @property
    def type(self) -> c.Type:
        """The type of the choice."""
        return self.question.type

    @property
    def single(self) -> bool:
        """Whether the rule says exactly one card (values are always single)."""
        return self.question.single

    @property
    def blind(self) -> bool:
        """Whether the cards are picked unseen."""
        return self.question.blind

    @property
    def rule(self) -> str:
        """The rule that limits the choice."""
        return self.question.rule

    @property
    def binder(self) -> str:
        """The name to which the choice is bound."""
        return self.question.binder

    @property
    def span(self) -> Span:
        """The place of the choice in the rules."""
        return self.question.span

    @property
    def of_cards(self) -> bool:
        """Whether a set of cards is chosen."""
        return self.question.of_cards

    def allows(self, choice: Value | Iterable[int]) -> bool:
        """Whether a choice is legal."""
        if not self.of_cards:
            return choice in self.legal
        if not isinstance(choice, frozenset | Iterable):
            return False
        cards = frozenset(choice)
        return self.low <= len(cards) <= self.high and cards.issubset(self.legal)


def question(t: c.Choice) -> Question:
    """The question that a choice poses."""
    if isinstance(t, c.ChooseCards):
        rule = limiting_rule(t.domain) or t.rule
        return Question(t.label, c.CARDS, t.single, t.blind, rule, t.binder, t.span)
    return Question(t.label, t.value_type, True, False, t.rule, t.binder, t.span)


def limiting_rule(domain: c.Expr) -> str | None:
    """The rule whose value is the domain of the choice, if there is one."""
    while isinstance(domain, c.Filter):
        domain = domain.domain
    return domain.rule if isinstance(domain, c.RuleValue) else None
