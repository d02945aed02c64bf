"""From rule-text expressions to core expressions: resolves names, checks types, inlines rule calls.

`Values.value` returns a core expression, or raises `AbandonedError` after reporting the error, so that the
caller can continue with the next statement.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.elaboration import hints
from trickproof_dsl.elaboration.names import Applications
from trickproof_dsl.elaboration.scope import AbandonedError, Scope
from trickproof_dsl.syntax import ast as s

_ELEMENT_WORDS = {"player": c.PLAYER, "card": c.CARD, "suit": c.SUIT, "rank": c.RANK}


class Values(Applications):
    """Elaborates expressions."""

    # ---------------------------------------------------------------------------------- entry points

    def value(self, e: s.Expr, scope: Scope, expected: c.Type | None = None) -> c.Expr:
        """Any value; `expected` gives a type to `none` and lets a single card or player stand for a singleton."""
        self.shared.spend(e.span)
        self.shared.depth += 1
        try:
            value = self._lift(self._value(e, scope, expected), expected)
        finally:
            self.shared.depth -= 1
        if expected is not None and value.type != expected:
            raise self._mismatch(e, str(expected), value.type, expected)
        return value

    def boolean(self, e: s.Expr, scope: Scope) -> c.Expr:
        return self.value(e, scope, c.BOOLEAN)

    def domain(self, d: s.Domain, scope: Scope) -> c.Expr:
        """A set to iterate over."""
        if isinstance(d, s.Range):
            low, high = self.integer(d.low, scope), self.integer(d.high, scope)
            return c.Range(low, high, c.INTEGERS, d.span)
        domain = self.value(d, scope)
        if domain.type.kind not in c.SETS:
            raise self._mismatch(d, "a set such as `players` or `cards in hand`", domain.type)
        return domain

    def condition(self, e: s.Expr, binder: str, element: c.Type, scope: Scope, name: str | None) -> c.Expr:
        return self.boolean(e, self.inner(binder, element, scope, name, e.span))

    def inner(self, binder: str, element: c.Type, scope: Scope, name: str | None, span: Span) -> Scope:
        """The scope inside `… with`, where the element is the subject (and has a name, if one is given)."""
        local = c.Local(binder, element, span)
        inside = scope.about(element.kind, local)
        return inside.bind(name, local) if name else inside

    def _mismatch(
        self, e: s.Domain, expected: str, found: c.Type, wanted: c.Type | None = None
    ) -> AbandonedError:
        help_, lines = hints.mismatch(e, expected, found), None
        if expected == "card" and getattr(e, "name", getattr(e, "function", None)) in self.names.variables:
            help_, lines = hints.one_of_cards(e.span)
        described = expected if wanted is None else wanted.described
        return self.shared.report(
            "E302", e.span, expected=described, found=found.described, help=help_, lines=lines
        )

    def _lift(self, value: c.Expr, expected: c.Type | None) -> c.Expr:
        if expected is not None and expected.kind in ("cards", "players"):
            element = c.SETS[expected.kind]
            if value.type.kind == element:
                return c.Single(value, expected, value.span)
        return value

    # ------------------------------------------------------------------------------------- each form

    def _value(self, e: s.Expr, scope: Scope, expected: c.Type | None) -> c.Expr:
        match e:
            case s.Name():
                return self._name(e, scope, expected)
            case s.Apply():
                return self._apply(e, scope, expected)
            case s.Subject():
                return self._subject(e, scope)
            case s.IntegerLiteral(value):
                return c.Literal(c.INTEGER, value, e.span)
            case s.Truth(truth):
                return c.Literal(c.BOOLEAN, truth, e.span)
            case s.Nothing():
                return self._nothing(e, expected)
            case s.CardLiteral(code):
                return self._card(code, e.span)
            case s.Unary():
                return self._unary(e, scope)
            case s.Binary():
                return self._binary(e, scope)
            case s.IsEmpty(operand, negated):
                size = c.Size(self._set(operand, scope), c.INTEGER, e.span)
                zero = c.Literal(c.INTEGER, 0, e.span)
                return c.Compare("!=" if negated else "=", size, zero, c.BOOLEAN, e.span)
            case s.Conditional():
                return self._conditional(e, scope, expected)
            case s.Everything(kind):
                return c.Universe(c.Type(kind), e.span)
            case s.PlayerSet():
                return self._players(e, scope)
            case s.CardSet():
                return self._cards(e, scope)
            case s.Quantified():
                return self._quantified(e, scope)
            case s.Count(operand):
                return c.Size(self._set(operand, scope), c.INTEGER, e.span)
            case s.BestOf() | s.Total() | s.UnionOf() | s.Extreme() | s.Top():
                return self._by_key(e, scope)
            case s.Matching(highest, operand, pattern, answering):
                zone = self.value(operand, scope, c.CARDS)
                like = self.value(pattern, scope, c.CARDS)
                part = None if answering is None else self.value(answering, scope, c.CARDS)
                return c.Matching(highest, zone, like, part, c.CARDS, e.span)
            case s.Only(kind, operand):
                plural = {"player": c.PLAYERS, "card": c.CARDS, "suit": c.SUITS}[kind]
                return c.Only(self.value(operand, scope, plural), _ELEMENT_WORDS[kind], e.span)
            case _:
                assert_never(e)

    def _set(self, e: s.Expr, scope: Scope) -> c.Expr:
        value = self.value(e, scope)
        if value.type.kind not in c.SETS:
            raise self._mismatch(e, "a set", value.type)
        return value

    def _subject(self, e: s.Subject, scope: Scope) -> c.Expr:
        if e.kind in scope.subjects:
            return self.shared.again(scope.subjects[e.kind])
        if e.kind == "suit" and "card" in scope.subjects:
            return c.CardAttribute("suit", self.shared.again(scope.subjects["card"]), c.SUIT, e.span)
        raise self.shared.report("E316", e.span, kind=e.kind)

    def _nothing(self, e: s.Nothing, expected: c.Type | None) -> c.Expr:
        if expected is None or expected.kind in ("integer", "boolean"):
            raise self.shared.report(
                "E302", e.span, expected=expected.described if expected else "a value", found="`none`"
            )
        return c.Literal(expected, () if expected.kind in c.SETS else None, e.span)

    def _card(self, code: str, span: Span) -> c.Expr:
        if code not in self.names.deck.cards:
            raise self.shared.report("E313", span, name=code, help=hints.no_card(code, self.names.deck))
        return c.Literal(c.CARD, self.names.deck.cards.index(code), span)

    def _unary(self, e: s.Unary, scope: Scope) -> c.Expr:
        if e.operator == "not":
            return c.Not(self.boolean(e.operand, scope), c.BOOLEAN, e.span)
        zero = c.Literal(c.INTEGER, 0, e.span)
        return c.Arithmetic("-", zero, self.integer(e.operand, scope), c.INTEGER, e.span)

    def _binary(self, e: s.Binary, scope: Scope) -> c.Expr:
        match e.operator:
            case "and" | "or" as operator:
                left = self.boolean(e.left, scope)
                right = self.boolean(e.right, replace(scope, after=_ends_in_condition(e.left)))
                return c.Logic(operator, left, right, c.BOOLEAN, e.span)
            case "in" | "not in":
                container = self._set(e.right, scope)
                element = self.value(e.left, scope, c.Type(c.SETS[container.type.kind]))
                member = c.Member(element, container, c.BOOLEAN, e.span)
                return c.Not(member, c.BOOLEAN, e.span) if e.operator == "not in" else member
            case "=" | "!=" | "<" | "<=" | ">" | ">=":
                return self._compare(e, scope)
            case "+" | "-":
                return self._plus_minus(e, scope)
            case _:
                left, right = self.integer(e.left, scope), self.integer(e.right, scope)
                return c.Arithmetic(e.operator, left, right, c.INTEGER, e.span)

    def _compare(self, e: s.Binary, scope: Scope) -> c.Expr:
        if isinstance(e.left, s.Nothing):
            right = self.value(e.right, scope)
            left = self.value(e.left, scope, right.type)
        else:
            left = self.value(e.left, scope)
            equal = e.operator in ("=", "!=")
            if equal and left.type == c.CARDS and isinstance(e.right, s.IntegerLiteral):
                help_ = hints.cards_as_number(e.left)
                raise self.shared.report(
                    "E302", e.left.span, expected="a number", found=left.type.described, help=help_
                )
            right = self.value(e.right, scope, left.type)
        if e.operator not in ("=", "!=") and left.type not in (c.INTEGER, c.RANK):
            raise self._mismatch(e.left, "a number or rank", left.type)
        return c.Compare(e.operator, left, right, c.BOOLEAN, e.span)

    def _plus_minus(self, e: s.Binary, scope: Scope) -> c.Expr:
        left = self.value(e.left, scope)
        if left.type == c.INTEGER:
            return c.Arithmetic(e.operator, left, self.integer(e.right, scope), c.INTEGER, e.span)
        plural = {"card": c.CARDS, "player": c.PLAYERS}.get(left.type.kind, left.type)
        if plural.kind not in c.SETS:
            raise self._mismatch(e.left, "a number or a set", left.type)
        right = self.value(e.right, scope, plural)
        return c.SetOperation(e.operator, self._lift(left, plural), right, plural, e.span)

    def _conditional(self, e: s.Conditional, scope: Scope, expected: c.Type | None) -> c.Expr:
        condition = self.boolean(e.condition, scope)
        if isinstance(e.then, s.Nothing) and expected is None:
            otherwise = self.value(e.otherwise, scope)
            then = self.value(e.then, scope, otherwise.type)
        else:
            then = self.value(e.then, scope, expected)
            otherwise = self.value(e.otherwise, scope, expected or then.type)
        return c.Conditional(condition, then, otherwise, then.type, e.span)

    def _players(self, e: s.PlayerSet, scope: Scope) -> c.Expr:
        players: c.Expr = (
            self.value(e.inside, scope, c.PLAYERS) if e.inside else c.Universe(c.PLAYERS, e.span)
        )
        if e.other_than is not None:
            other = self.value(e.other_than, scope, c.PLAYERS)
            players = c.SetOperation("-", players, other, c.PLAYERS, e.span)
        return self._filter(players, e.condition, scope, e.binder, e.span)

    def _cards(self, e: s.CardSet, scope: Scope) -> c.Expr:
        cards = self.value(e.inside, scope, c.CARDS)
        return self._filter(cards, e.condition, scope, e.binder, e.span)

    def _filter(
        self, domain: c.Expr, condition: s.Expr | None, scope: Scope, name: str | None, span: Span
    ) -> c.Expr:
        if condition is None:
            return domain
        kind = c.SETS[domain.type.kind]
        binder = self.shared.unique(name or kind)
        holds = self.condition(condition, binder, c.Type(kind), scope, name)
        return c.Filter(binder, domain, holds, domain.type, span)

    def _quantified(self, e: s.Quantified, scope: Scope) -> c.Expr:
        plural = {"player": c.PLAYERS, "card": c.CARDS, "suit": c.SUITS}[e.kind]
        if e.inside is None and e.kind == "card":
            raise self.shared.report("E201", e.span, found="`has`", expected="`in` and a zone", help=None)
        domain = self.value(e.inside, scope, plural) if e.inside else c.Universe(plural, e.span)
        binder = self.shared.unique(e.binder or e.kind)
        holds = self.condition(e.condition, binder, _ELEMENT_WORDS[e.kind], scope, e.binder)
        if e.quantifier == "every":
            holds = c.Not(holds, c.BOOLEAN, holds.span)
        exists = c.Exists(binder, domain, holds, c.BOOLEAN, e.span)
        return exists if e.quantifier == "some" else c.Not(exists, c.BOOLEAN, e.span)

    def _by_key(self, e: s.BestOf | s.Total | s.UnionOf | s.Extreme | s.Top, scope: Scope) -> c.Expr:
        """Forms that evaluate an expression for each element of a set."""
        if isinstance(e, s.BestOf):
            plural = c.PLAYERS if e.kind == "player" else c.CARDS
            domain = self.value(e.among, scope, plural) if e.among else c.Universe(plural, e.span)
            key = e.key
        elif isinstance(e, s.Top):
            domain, key = self._set(e.operand, scope), e.key
        else:
            domain, key = self._set(e.domain, scope), e.value
        element = c.Type(c.SETS[domain.type.kind])
        binder = self.shared.unique(element.kind)
        value = self.value(key, self.inner(binder, element, scope, _name_given(e), key.span))
        if isinstance(e, s.Total):
            if value.type != c.INTEGER:
                raise self._mismatch(key, "integer", value.type, c.INTEGER)
            return c.Sum(binder, domain, value, c.INTEGER, e.span)
        if isinstance(e, s.UnionOf):
            if value.type.kind not in c.SETS:
                raise self._mismatch(key, "a set", value.type)
            return c.UnionOf(binder, domain, value, value.type, e.span)
        if value.type not in (c.INTEGER, c.RANK):
            raise self._mismatch(key, "a number or rank", value.type)
        if isinstance(e, s.Extreme):
            return c.Extreme(e.highest, binder, domain, value, value.type, e.span)
        if isinstance(e, s.BestOf):
            return c.Best(e.highest, binder, domain, value, domain.type, e.span)
        count = self.integer(e.count, scope)
        return c.Top(e.highest, count, binder, domain, value, domain.type, e.span)


def _name_given(e: s.BestOf | s.Total | s.UnionOf | s.Extreme | s.Top) -> str | None:
    """The name given to the elements of the set: `sum of … for players giver with …`."""
    named = e.among if isinstance(e, s.BestOf) else e.operand if isinstance(e, s.Top) else e.domain
    return named.binder if isinstance(named, s.PlayerSet | s.CardSet) else None


def _ends_in_condition(e: s.Expr) -> bool:
    """Whether a following `and …` would look like part of a nested condition."""
    if isinstance(e, s.Binary):
        return _ends_in_condition(e.right)
    return isinstance(e, s.Quantified) or (isinstance(e, s.PlayerSet | s.CardSet) and e.condition is not None)
