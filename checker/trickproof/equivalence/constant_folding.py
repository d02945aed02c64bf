"""Constant folding: expressions with everything known evaluated, as literals if they depend on nothing unknown.

Every rewriting preserves meaning, including runtime faults; nothing is approximated.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any, get_args

from trickproof_dsl import core as c
from trickproof_dsl.core.faults import faults_of, may_be_none
from trickproof_dsl.core.traversal import Node, walk
from trickproof_dsl.core.types import Type
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.expressions import Store, evaluate
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.values import Key, Value

EACH, CHOSEN = "each ", "chosen "
"""Prefixes of bound names: elements iterated over, which are never none, and players' choices."""

_EXPRESSIONS = frozenset(get_args(c.Expr))
_KNOWN = (c.Literal, str, int, type(None))
_LEFT = (c.Literal, c.Local, c.ZoneCards, c.UnspecifiedValue)
"""Expressions that `Values._known` is not asked about. These are built once: a union is built anew wherever it is written."""


class _KnownReadings(dict[str, int]):
    """Readings; one that is not given is unknown rather than the first."""

    def get(self, rule: str, default: Any = None) -> Any:
        return self[rule]


class Values:
    """Evaluates what is known to literals; anything else, including unknown parameters and readings, stays an expression."""

    def __init__(
        self,
        program: c.Program,
        known: Mapping[Key, Value],
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
    ) -> None:
        self.program, self.known = program, dict(known)
        self.parameters, self.readings = parameters, _KnownReadings(readings)
        self.bound: dict[str, c.Expr] = {}
        self.names = [0]
        """The number of choices named so far, shared by everything derived from one deal."""
        self.sizes: dict[Key, int] = {}
        """The number of cards in a zone, where known."""
        self.depth = 0
        """The nesting depth of iteration over sets."""

    def value(self, e: c.Expr) -> c.Expr:
        """The expression with everything known substituted."""
        if not isinstance(e, _LEFT):
            known = self._known(e)
            if known is not None:
                return known
        match e:
            case c.Literal():
                return e
            case c.RuleValue():
                return self.value(e.value)
            case c.Local():
                return self.bound.get(e.name, e)
            case c.Parameter():
                taken = self.parameters.get(e.name)
                return e if taken is None else c.Literal(e.type, taken, e.span)
            case c.Reading():
                return c.Literal(e.type, self.readings[e.rule], e.span) if e.rule in self.readings else e
            case c.Variable():
                arguments = tuple(self.value(x) for x in e.arguments)
                key = entry(e.name, arguments)
                if key in self.known:
                    return literal(e.type, self.known[key], e.span)
                if key is None:
                    self.forget(e.name)
                return e if _unchanged(arguments, e.arguments) else replace(e, arguments=arguments)
            case c.Conditional():
                condition = self.value(e.condition)
                if isinstance(condition, c.Literal):
                    return self.value(e.then if condition.value else e.otherwise)
                return replace(
                    e, condition=condition, then=self.value(e.then), otherwise=self.value(e.otherwise)
                )
            case c.Size(c.ZoneCards(zone, arguments)) if self.sizes:
                key = entry(zone, tuple(self.value(x) for x in arguments))
                if key in self.sizes:
                    return literal(e.type, self.sizes[key], e.span)
            case c.Logic():
                return self._logic(e)
            case c.Filter() | c.Exists() | c.Sum() | c.UnionOf() | c.Extreme() | c.Best() | c.Top():
                return self._going_through(e)
        parts = {name: self.part(getattr(e, name)) for name in semantic_fields(e)}
        changed = any(part is not getattr(e, name) for name, part in parts.items())
        rebuilt = replace(e, **parts) if changed else e
        return self._folded(rebuilt) if all(_is_known(x) for x in parts.values()) else _emptied(rebuilt)

    def forget(self, name: str) -> None:
        """Called when a variable is read of an unknown owner, so that its known values can no longer be left out."""

    def _known(self, e: c.Expr) -> c.Expr | None:
        """The value of an expression that depends on nothing unknown; None otherwise."""
        if any(not self._is_there(leaf) for leaf in read_first(e)):
            return None
        bound = {name: plain(x) for name, x in self.bound.items() if isinstance(x, c.Literal)}
        store = Store(self.program, self.parameters, self.readings, self.known, {})
        try:
            return literal(e.type, evaluate(e, store, bound), e.span)
        except (FaultError, EngineLimitError, KeyError):
            return None

    def _is_there(self, leaf: c.Expr) -> bool:
        """Whether a leaf of an expression has a known value."""
        match leaf:
            case c.Local():
                return isinstance(self.bound.get(leaf.name), c.Literal)
            case c.Variable():
                return entry(leaf.name, leaf.arguments) in self.known
            case c.Parameter():
                return leaf.name in self.parameters
            case c.Reading():
                return leaf.rule in self.readings
        return False  # no cards are known

    def part(self, x: Any) -> Any:
        if type(x) in _EXPRESSIONS:
            return self.value(x)
        if isinstance(x, tuple):
            parts = tuple([self.part(y) for y in x])
            return x if _unchanged(parts, x) else parts
        if isinstance(x, c.Place):
            arguments = self.part(x.arguments)
            return x if arguments is x.arguments else replace(x, arguments=arguments)
        return x

    def _logic(self, e: c.Logic) -> c.Expr:
        left = self.value(e.left)
        if isinstance(left, c.Literal):
            return left if left.value == (e.operator == "or") else self.value(e.right)
        right = self.value(e.right)
        if isinstance(right, c.Literal) and right.value != (e.operator == "or"):
            return left
        return replace(e, left=left, right=right)

    def _going_through(self, e: Any) -> c.Expr:
        """Evaluate an aggregate if every element, and its value for every element, is known."""
        place = "operand" if isinstance(e, c.Top) else "domain"
        inner = next(name for name in ("condition", "value", "key") if hasattr(e, name))
        domain = self.value(getattr(e, place))
        operands: dict[str, Any] = {place: domain}
        if isinstance(e, c.Top):
            operands["count"] = self.value(e.count)
        if isinstance(domain, c.Literal) and isinstance(domain.value, tuple):
            each = [self.with_bound(e.binder, x, domain, getattr(e, inner)) for x in domain.value]
            if all(isinstance(x, c.Literal) for x in each) and all(_is_known(x) for x in operands.values()):
                return self._folded(
                    replace(e, **operands, **{inner: self._table(e.binder, domain.value, each)})
                )
            if isinstance(e, c.Exists):
                return _any(each, e)
            if isinstance(e, c.UnionOf):
                return _union(each, e)
        name = f"{EACH}{self.depth}"
        before = self.bound.get(e.binder)
        self.bound[e.binder] = c.Local(name, element_type(domain.type), e.span)
        self.depth += 1
        rebuilt = replace(e, **operands, **{inner: self.value(getattr(e, inner)), "binder": name})
        self.depth -= 1
        if before is None:
            del self.bound[e.binder]
        else:
            self.bound[e.binder] = before
        return _emptied(rebuilt)

    def with_bound(self, binder: str, x: int, domain: c.Expr, e: c.Expr) -> c.Expr:
        self.bound[binder] = c.Literal(element_type(domain.type), x, domain.span)
        value = self.value(e)
        del self.bound[binder]
        return value

    def _table(self, binder: str, elements: Sequence[int], each: Sequence[c.Expr]) -> c.Expr:
        """Values by element, as one expression over the bound name."""
        table = each[-1] if each else c.Literal(c.INTEGER, 0, self.program.rules["hand"].span)
        span = table.span
        for x, value in list(zip(elements, each, strict=True))[:-1]:
            this = c.Compare(
                "=", c.Local(binder, c.INTEGER, span), c.Literal(c.INTEGER, x, span), c.BOOLEAN, span
            )
            table = c.Conditional(this, value, table, table.type, span)
        return table

    def _folded(self, e: c.Expr) -> c.Expr:
        if isinstance(e, c.ZoneCards | c.UnspecifiedValue):
            return e
        try:
            return literal(e.type, evaluate(e, Store(self.program, {}, {}, {}, {}), {}), e.span)
        except (FaultError, EngineLimitError, KeyError):
            return e

    def choice(self) -> str:
        """A fresh name for a choice."""
        self.names[0] += 1
        return f"{CHOSEN}{self.names[0]}"


_READ_FIRST: Mapping[type, tuple[str, ...]] = {
    c.Arithmetic: ("left", "right"),
    c.Compare: ("left", "right"),
    c.Logic: ("left",),
    c.Not: ("operand",),
    c.Conditional: ("condition",),
    c.Seat: ("player",),
    c.Table: ("index",),
    c.CardAttribute: ("card",),
    c.Range: ("low", "high"),
    c.SetOperation: ("left", "right"),
    c.Single: ("element",),
    c.Filter: ("domain",),
    c.Member: ("element", "set"),
    c.Size: ("set",),
    c.Exists: ("domain",),
    c.Sum: ("domain",),
    c.UnionOf: ("domain",),
    c.Extreme: ("domain",),
    c.Best: ("domain",),
    c.Matching: ("operand", "pattern"),
    c.Top: ("count", "operand"),
    c.Only: ("operand",),
    c.RuleValue: ("value",),
}
"""The operands without whose values an expression has none, whatever else is known."""

MOST_READ = 50_000
"""Number of expressions whose leaves are memoised."""

_READ: dict[int, tuple[c.Expr, tuple[c.Expr, ...]]] = {}
"""Memoised results of `read_first` by identity, each with its expression, which therefore keeps its identity."""


def read_first(e: c.Expr) -> tuple[c.Expr, ...]:
    """The leaves (names, variables of known owners, parameters, readings, zones) without whose values an expression has none.

    There may be others: only operands that are always evaluated are looked at.
    """
    memoised = _READ.get(id(e))
    if memoised is not None:
        return memoised[1]
    if isinstance(e, c.Local | c.Parameter | c.Reading | c.ZoneCards):
        leaves: tuple[c.Expr, ...] = (e,)
    elif isinstance(e, c.Variable):
        inside = [leaf for x in e.arguments for leaf in read_first(x)]
        leaves = (e,) if entry(e.name, e.arguments) is not None else tuple(inside)
    else:
        operands = (getattr(e, name) for name in _READ_FIRST.get(type(e), ()))
        leaves = tuple(dict.fromkeys(leaf for x in operands for leaf in read_first(x)))
    if len(_READ) >= MOST_READ:
        _READ.clear()
    _READ[id(e)] = e, leaves
    return leaves


_FIELDS: dict[type, tuple[str, ...]] = {}
"""Memoised results of `semantic_fields`, which is called very often."""


def semantic_fields(node: Any) -> tuple[str, ...]:
    """The fields that determine what a node does."""
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(node) if field.name not in ("span", "type"))
    return _FIELDS[kind]


def _unchanged(parts: Sequence[object], of: Sequence[object]) -> bool:
    """Whether all parts are the very same objects as before."""
    return all(map(operator.is_, parts, of))


def _is_known(x: Any) -> bool:
    if isinstance(x, tuple):
        return all(_is_known(y) for y in x)
    return isinstance(x, _KNOWN) or not is_dataclass(x)


def entry(name: str, arguments: Sequence[c.Expr]) -> Key | None:
    """The key of a variable's entry, if its owners are known."""
    owners = [x.value for x in arguments if isinstance(x, c.Literal) and isinstance(x.value, int)]
    return (name, *owners) if len(owners) == len(arguments) else None


def literal(kind: Type, value: Value, span: Span) -> c.Literal:
    return c.Literal(kind, tuple(sorted(value)) if isinstance(value, frozenset) else value, span)


def plain(e: c.Literal) -> Value:
    return frozenset(e.value) if isinstance(e.value, tuple) else e.value


def element_type(kind: Type) -> Type:
    """The element type of a set type."""
    return {
        "players": c.PLAYER,
        "cards": c.CARD,
        "integers": c.INTEGER,
        "suits": c.SUIT,
        "ranks": c.RANK,
    }.get(kind.kind, kind)


def is_empty(e: c.Expr | None) -> bool:
    return isinstance(e, c.Literal) and e.value == ()


def _emptied(e: c.Expr) -> c.Expr:
    """Simplify operations on empty sets and filters with a constant condition."""
    empty = c.Literal(e.type, (), e.span)
    match e:
        case c.Filter(domain=domain) | c.Best(domain=domain) if is_empty(domain):
            return empty
        case c.Filter(condition=c.Literal(value=holds)) if holds or cannot_fault(e.domain):
            return e.domain if holds else empty
        case c.Matching(answering=None):
            one, other = e.operand, e.pattern
            if (is_empty(one) and cannot_fault(other)) or (is_empty(other) and cannot_fault(one)):
                return empty
        case c.Matching() if is_empty(e.answering) and cannot_fault((e.operand, e.pattern)):
            return empty
        case c.SetOperation(operator="+") if is_empty(e.left):
            return e.right
        case c.SetOperation() if is_empty(e.right):
            return e.left
    return e


def _any(each: Sequence[c.Expr], e: c.Expr) -> c.Expr:
    """The disjunction of several conditions, in their order."""
    open_ = [x for x in each if not (isinstance(x, c.Literal) and x.value is False)]
    if not open_ or any(isinstance(x, c.Literal) for x in open_[:1]):
        return c.Literal(c.BOOLEAN, bool(open_), e.span)
    disjunction = open_[-1]
    for x in reversed(open_[:-1]):
        disjunction = c.Logic("or", x, disjunction, c.BOOLEAN, e.span)
    return disjunction


def _union(each: Sequence[c.Expr], e: c.Expr) -> c.Expr:
    """The union of several sets, omitting those known to be empty."""
    parts = [x for x in each if not is_empty(x)]
    union = parts[0] if parts else c.Literal(e.type, (), e.span)
    for x in parts[1:]:
        union = c.SetOperation("+", union, x, e.type, e.span)
    return union


def is_total(step: c.ChooseCards | c.Move) -> bool:
    """Whether evaluating the step cannot fail, so that it can be omitted if it does nothing."""
    return all(cannot_fault(node) for node in walk(step) if node is not step)


def cannot_fault(e: object, somebody: Collection[str] = ()) -> bool:
    """Whether evaluation gives a value in every state; False if that is not obvious.

    `somebody` are variables that are never none.
    """
    nullable = partial(can_be_none, somebody=somebody)
    return not any(_may_give_up(node) or any(faults_of(node, nullable)) for node in walk(e))


def _may_give_up(node: Node) -> bool:
    """Whether numbers or ranges can become larger than an engine handles."""
    return isinstance(node, c.Range) or (isinstance(node, c.Arithmetic) and node.operator == "*")


def can_be_none(e: c.Expr, somebody: Collection[str] = ()) -> bool:
    """Whether a value can be none, where these variables never are; a bound card never is."""
    match e:
        case c.RuleValue():
            return can_be_none(e.value, somebody)
        case c.Conditional():
            return can_be_none(e.then, somebody) or can_be_none(e.otherwise, somebody)
        case c.Variable(name=name) if name in somebody:
            return False
    return may_be_none(e) and not is_somebody(e) and not (isinstance(e, c.Local) and e.type == c.CARD)


def is_somebody(e: c.Expr) -> bool:
    """Whether it is known not to be none."""
    if isinstance(e, c.Literal):
        return e.value is not None
    return isinstance(e, c.Local) and e.name.startswith(EACH)
