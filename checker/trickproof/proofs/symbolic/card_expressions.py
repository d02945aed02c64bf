"""Core expressions about cards as symbols: the ones that `expressions.py` leaves out, over the sets of `card_theory.py`.

A set filtered card by card is exact if the condition asks only for suits, for membership in other sets or for
the card alone, or is put together from such conditions; otherwise it is an arbitrary subset of the domain,
which over-approximates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import z3

from trickproof.analysis.dependencies import reads_local
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Cases, Int, Symbol
from trickproof.proofs.symbolic.cards.card_set import CardSet
from trickproof.proofs.symbolic.expressions import Encoder, GapError, NotEncodedError
from trickproof.proofs.symbolic.path_state import PathState
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import stripped, walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.expressions import Store, evaluate
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.values import Value

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OfSuit(y.CardSymbol):
    """An arbitrary card of a suit."""

    suit: int


class NeedsCardError(NotEncodedError):
    """More than the suit of a card is needed."""


class CardEncoder(Encoder):
    """Evaluates expressions on one path, including those about cards; possible faults become obligations."""

    def __init__(self, state: PathState) -> None:
        super().__init__(state)
        self.path, self.world = state, state.world
        for key, value in state.variables.items():
            if state.program.variables[key[0]].type in (c.CARDS, c.CARD) and value is not y.OPAQUE:
                state.variables[key] = self.as_cards(value)

    # ---------------------------------------------------------------------------------------- other types

    def value(self, e: c.Expr) -> Symbol:
        if e.type in (c.CARDS, c.CARD):
            return self.cards(e)
        match e:
            case c.Compare() if e.left.type in (c.CARDS, c.CARD):
                equal = self.world.equal(self.cards(e.left), self.cards(e.right))
                return equal if e.operator == "=" else y.neg(equal)
            case c.Compare() if e.left.type == c.RANK:
                return self.compare_ranks(e, self.value(e.left), self.value(e.right))
            case c.CardAttribute():
                return self._attribute(e)
            case c.Filter() | c.UnionOf() | c.Best() if e.domain.type == c.CARDS:
                raise NotEncodedError("it goes through cards one by one", e.span)
            case c.Member() if e.set.type == c.CARDS:
                return self.world.some(self.world.both(self.cards(e.element), self.cards(e.set)))
            case c.Size() if e.set.type == c.CARDS:
                return self.world.size(self.cards(e.set))
            case c.Exists() if e.domain.type == c.CARDS:
                domain, known = self.cards(e.domain), len(self.path.obligations)
                found = self.world.some(self._satisfying(domain, e.binder, e.condition))
                noted = self.path.obligations  # cards after the first that satisfies it are not asked
                noted[known:] = [replace(d, doubtful=True) for d in noted[known:]]
                return found
            case c.Sum() if e.domain.type == c.CARDS:
                return self._sum_of_cards(e)
            case c.Extreme() if e.domain.type == c.CARDS:
                domain = self.cards(e.domain)
                self.fault(y.neg(self.world.some(domain)), e.span, "empty-extreme")
                self.about_any(domain, e.binder, e.value)
                if e.type == c.RANK:
                    return self.world.extreme_rank(domain, e.highest, _is_rank(e.value, e.binder))
                return z3.Int(self.world.name())
        return super().value(e)

    def merge(self, kind: c.Type, condition: Bool, then: Symbol, otherwise: Symbol) -> Symbol:
        if kind in (c.CARDS, c.CARD):
            return self.world.choose(condition, self.as_cards(then), self.as_cards(otherwise))
        return super().merge(kind, condition, then, otherwise)

    def _attribute(self, e: c.CardAttribute) -> Symbol:
        bound = self.path.bound.get(e.card.name) if isinstance(e.card, c.Local) else None
        if isinstance(bound, OfSuit):
            if e.attribute == "suit":
                return bound.suit
            raise NeedsCardError("it looks at single cards", e.span)
        card = self.cards(e.card)
        self.fault(y.neg(self.world.some(card)), e.span, "no-card")
        if e.attribute == "suit":
            return self.world.suit_of(card)
        rank = self.world.rank_of(card)
        return z3.BV2Int(rank) if e.attribute == "height" and not isinstance(rank, int) else rank

    def _sum_of_cards(self, e: c.Sum) -> Int:
        domain, known = self.cards(e.domain), len(self.path.obligations)
        try:
            values = [
                self._of_suit(domain, e.binder, s, partial(self.value, e.value))
                for s in range(self.world.suits)
            ]
        except NeedsCardError:
            del self.path.obligations[known:]
            return self._sum_by_value(domain, e)
        known_values = [value for value in values if isinstance(value, int)]
        if len(known_values) < len(values):
            return z3.Int(self.world.name())
        return y.total(value * n for value, n in zip(known_values, domain.counts, strict=True))

    def _sum_by_value(self, domain: CardSet, e: c.Sum) -> Int:
        each = self._of_each_card(e.binder, e.value)
        if each is None:
            self.about_any(domain, e.binder, e.value)
            return z3.Int(self.world.name())
        total: list[Int] = []
        for value in sorted({x for x in each if isinstance(x, int) and x}):
            worth = self.world.known(card for card, x in enumerate(each) if x == value)
            total.append(value * self.world.size(self.world.both(domain, worth)))
        return y.total(total)

    # ---------------------------------------------------------------------------------------------- cards

    def local(self, e: c.Local) -> Symbol:
        """The value of a bound name: unknown if it was forgotten at a loop head, but never nobody if a loop binds it."""
        path = self.path
        if e.name not in path.bound:
            value = path.unknown(e.type)
            if isinstance(value, Cases) and e.name in path.around:
                path.oracle.facts.append(y.disj(*(when for x, when in value.of if x is not None)))
            path.bound[e.name] = value
        return path.bound[e.name]

    def cards(self, e: c.Expr) -> CardSet:
        """A set of cards, or a single card as a set of at most one."""
        match e:
            case c.Literal():
                return self.as_cards(e.value)
            case c.Local():
                bound = self.local(e)
                if isinstance(bound, OfSuit):
                    raise NeedsCardError("it looks at single cards", e.span)
                return self.as_cards(bound)
            case c.Variable():
                return self.as_cards(self.variable(e))
            case c.ZoneCards():
                return self.zone(e)
            case c.Conditional():
                return self.as_cards(self._conditional(e))
            case c.Universe():
                return self.world.known(range(self.world.width))
            case c.SetOperation():
                left, right = self.cards(e.left), self.cards(e.right)
                return self.world.union(left, right) if e.operator == "+" else self.world.without(left, right)
            case c.Single():
                return self.cards(e.element)
            case c.Filter():
                return self._satisfying(self.cards(e.domain), e.binder, e.condition)
            case c.UnionOf():
                return self._union_of_cards(e)
            case c.Best():
                return self._best_cards(e)
            case c.Matching():
                return self._matching(e)
            case c.Top():
                return self._top_cards(e)
            case c.Only():
                operand = self.cards(e.operand)
                size = self.world.size(operand)
                self.path.oblige(
                    y.compare("!=", size, 1), self.world.not_single(operand), e.span, "not-single"
                )
                return operand
            case c.RuleValue():
                return self.cards(e.value)
            case c.UnspecifiedValue():
                raise GapError(e.rule, e.span)
        raise NotEncodedError("it describes cards in a way that is not understood", e.span)

    def zone(self, e: c.ZoneCards | c.Place) -> CardSet:
        """The cards in a zone."""
        owned = self.owners(e.arguments, e.span)
        return self.as_cards(
            self.merged(c.CARDS, [(self.path.zones[(e.zone, *x)], when) for x, when in owned])
        )

    def as_cards(self, value: Symbol | tuple[int, ...] | frozenset[int]) -> CardSet:
        if isinstance(value, CardSet):
            return value
        if value is None:
            return self.world.none
        if isinstance(value, y.Members):
            return self.world.known(x for x, _ in value.of)
        if isinstance(value, tuple | frozenset):
            return self.world.known(value)
        assert isinstance(value, int), value
        return self.world.known([value])

    def _union_of_cards(self, e: c.UnionOf) -> CardSet:
        union = self.world.none
        for x, when in self.members(e.domain):
            self.path.bound[e.binder] = x
            with self.path.under(when):
                part = self.cards(e.value)
            union = self.world.union(union, self.world.choose(when, part, self.world.none))
        return union

    def _best_cards(self, e: c.Best) -> CardSet:
        domain = self.cards(e.domain)
        self.about_any(domain, e.binder, e.key)
        return self.world.best(domain, _is_rank(e.key, e.binder))

    def _matching(self, e: c.Matching) -> CardSet:
        operand, pattern = self.cards(e.operand), self.cards(e.pattern)
        if e.answering is None:
            return self.world.matching(operand, pattern, e.highest)
        return self.world.answering(operand, pattern, e.highest, self.cards(e.answering))

    def _top_cards(self, e: c.Top) -> CardSet:
        count, operand = self.number(e.count), self.cards(e.operand)
        self.about_any(operand, e.binder, e.key)
        size = self.world.size(operand)
        self.path.oblige(
            y.disj(y.compare("<", count, 0), y.compare(">", count, size)), True, e.span, "bad-number"
        )
        return self.world.part_of(operand, count, self.path.guard)

    # ------------------------------------------------------------------------------------- single cards

    def _satisfying(self, domain: CardSet, binder: str, condition: c.Expr) -> CardSet:
        """The cards of a set that satisfy a condition."""
        if domain.empty:
            return domain
        match condition:
            case c.Compare() if (other := _compared_with(condition, binder)) is not None:
                keep = self.world.both if condition.operator == "=" else self.world.without
                return keep(domain, self._asked_for(domain, other))
            case c.Compare() if (by := _ranked_with(condition, binder)) is not None:
                return self._of_ranks(domain, *by, condition.span)
            case c.Logic(operator="and"):
                return self._satisfying(
                    self._satisfying(domain, binder, condition.left), binder, condition.right
                )
            case c.Not(operand=c.Member() as inside) if _asks_only_for(inside, binder):
                return self.world.without(domain, self._asked_for(domain, inside.set))
            case c.Member() if _asks_only_for(condition, binder):
                return self.world.both(domain, self._asked_for(domain, condition.set))
            case c.RuleValue():
                return self._satisfying(domain, binder, condition.value)
        known = len(self.path.obligations)
        try:
            holds = [
                self._of_suit(domain, binder, s, partial(self.truth, condition))
                for s in range(self.world.suits)
            ]
        except NeedsCardError:
            del self.path.obligations[known:]
            each = self._of_each_card(binder, condition)
            if each is not None:
                return self.world.both(domain, self.world.known(card for card, x in enumerate(each) if x))
            match condition:
                case c.Logic():
                    return self._in_cases(domain, binder, condition.left, None, condition.right)
                case c.Conditional():
                    return self._in_cases(
                        domain, binder, condition.condition, condition.then, condition.otherwise
                    )
                case c.Compare() if (split := _by_cases(condition)) is not None:
                    return self._in_cases(domain, binder, *split)
                case c.Not():
                    return self.world.without(domain, self._satisfying(domain, binder, condition.operand))
            self.about_any(domain, binder, condition)
            return self.world.part_of(domain, alike=_of_one_rank(condition, binder))
        return self.world.of_suits(domain, holds)

    def _in_cases(
        self, domain: CardSet, binder: str, when: c.Expr, then: c.Expr | None, otherwise: c.Expr
    ) -> CardSet:
        """The cards that satisfy one of two conditions, depending on a third; without `then`, all for which that holds."""
        first = self._satisfying(domain, binder, when)
        rest = self._satisfying(self.world.without(domain, first), binder, otherwise)
        first = first if then is None else self._satisfying(first, binder, then)
        return replace(self.world.union(first, rest), within=domain.holders)

    def _of_ranks(self, domain: CardSet, operator: str, e: c.Expr, span: Span) -> CardSet:
        """The cards whose rank compares like this with another rank, which may be none."""
        known = len(self.path.obligations)
        others = [(x, when) for x, when in y.cases(self.value(e)).of if when is not False]
        if operator not in ("=", "!="):
            self.fault(y.disj(*(when for x, when in others if x is None)), span)
        self._only_if(domain, known)

        def holds(rank: int) -> Bool:
            sign = "=" if operator == "!=" else operator
            some = y.disj(*(y.conj(when, y.compare(sign, rank, x)) for x, when in others if x is not None))
            return y.neg(some) if operator == "!=" else some

        return self.world.of_ranks(domain, holds, alike=operator == "=")

    def _of_each_card(self, binder: str, e: c.Expr) -> list[Value] | None:
        """The value of an expression about a card alone, such as its value in points, for each card of the deck; otherwise None."""
        bound: dict[str, Value] = {name: x for name, x in self.path.bound.items() if isinstance(x, int)}
        readings = {x.rule: self.path.readings.get(x.rule, 0) for x in walk(e) if isinstance(x, c.Reading)}
        store = Store(self.program, {}, readings, {}, {})
        try:
            return [evaluate(e, store, bound | {binder: card}) for card in range(self.world.width)]
        except (FaultError, EngineLimitError, KeyError):
            return None

    def _of_suit(self, domain: CardSet, binder: str, suit: int, evaluate: Callable[[], T]) -> T:
        """Evaluate something for an arbitrary card of a suit."""
        self.path.bound[binder] = OfSuit(suit)
        known = len(self.path.obligations)
        value = evaluate()
        if len(self.path.obligations) > known:
            self._only_if(self.world.of_suits(domain, [s == suit for s in range(self.world.suits)]), known)
        return value

    def _asked_for(self, domain: CardSet, e: c.Expr) -> CardSet:
        """The cards with which those of a set are compared one by one."""
        known = len(self.path.obligations)
        cards = self.cards(e)
        self._only_if(domain, known)
        return cards

    def _only_if(self, asked: CardSet, known: int) -> None:
        """Restrict what was noted since then to where there is a card of a set."""
        if len(self.path.obligations) > known:
            there, now = self.world.some(asked), self.path.known
            # what defines `there` is known for those that no decision has followed
            self.path.obligations[known:] = [
                replace(
                    d,
                    counts=y.conj(there, d.counts),
                    bits=y.conj(there, d.bits),
                    known=now if now.decisions == d.known.decisions else d.known,
                )
                for d in self.path.obligations[known:]
            ]

    def about_any(self, domain: CardSet, binder: str, e: c.Expr) -> None:
        """Note what may fail when an expression is evaluated for any one card of a set."""
        if domain.empty:
            return
        some = self.world.some(domain)
        self.path.bound[binder] = self.world.part_of(domain, 1, some)
        with self.path.under(some):
            self.value(e)


def _compared_with(e: c.Compare, binder: str) -> c.Expr | None:
    """The card with which the bound card itself is compared, unless it depends on the bound card."""
    for mine, other in ((e.left, e.right), (e.right, e.left)):
        if isinstance(mine, c.Local) and mine.name == binder and mine.type == c.CARD:
            return None if reads_local(other, binder) else other
    return None


def _by_cases(e: c.Compare) -> tuple[c.Expr, c.Expr, c.Expr] | None:
    """A comparison with a value that depends on a condition on a card: that condition, and both comparisons."""
    for value in (e.left, e.right):
        inner = stripped(value)
        if isinstance(inner, c.Conditional):
            ways = (inner.then, inner.otherwise)
            then, otherwise = (replace(e, left=x) if value is e.left else replace(e, right=x) for x in ways)
            return inner.condition, then, otherwise
    return None


def _is_rank(e: c.Expr, binder: str) -> bool:
    """Whether a value is the rank of a bound card."""
    e = stripped(e)
    if not isinstance(e, c.CardAttribute) or e.attribute == "suit":
        return False
    return isinstance(e.card, c.Local) and e.card.name == binder


def _ranked_with(e: c.Compare, binder: str) -> tuple[str, c.Expr] | None:
    """How the rank of the bound card compares with another rank, unless that depends on the card."""
    if e.left.type != c.RANK:
        return None
    for mine, other, operator in ((e.left, e.right, e.operator), (e.right, e.left, _TURNED[e.operator])):
        if _is_rank(mine, binder) and not reads_local(other, binder):
            return operator, other
    return None


_TURNED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The comparison with its sides exchanged."""


def _of_one_rank(e: c.Expr, binder: str) -> bool:
    """Whether all cards that satisfy a condition have the same rank, which does not depend on the card."""
    if not isinstance(e, c.Compare) or e.operator != "=":
        return False
    asked = [reads_local(x, binder) for x in (e.left, e.right)]
    return asked[0] != asked[1] and _is_rank(e.left if asked[0] else e.right, binder)


def _asks_only_for(member: c.Member, binder: str) -> bool:
    """Whether the test is for exactly the bound card being in a set."""
    mentioned = any(isinstance(n, c.Local) and n.name == binder for n in walk(member.set))
    return isinstance(member.element, c.Local) and member.element.name == binder and not mentioned
