"""The meaning of every core expression, plainly: a function that gives its value in an environment.

The functions are made once of each expression, so that playing is a matter of calling them.  They return Python values
as described in `core.py` (sets are frozensets) or raise `FaultError` where the rules give no value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Any, assert_never

from trickproof_dsl import core as c
from trickproof_dsl.environment import Environment, Key, Meaning, Value, owned, present
from trickproof_dsl.faults import FaultError
from trickproof_dsl.going_through import best, each, exists, extreme, filtered, matching, top
from trickproof_dsl.source import Span

LARGEST = 10**18
"""No number of a game goes beyond this, up or down: rules that go on multiplying are stopped."""

MOST_ROUNDS = 10_000
"""The longest range of numbers that can be gone through or chosen from."""

MOST_MEANINGS = 200_000
"""Expressions whose meanings are kept."""

_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}

_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


_meanings: dict[int, tuple[c.Expr, Meaning]] = {}
"""By identity of the expression, which is kept with it."""


def meaning(e: c.Expr) -> Meaning:
    """The function that gives the value of an expression."""
    known = _meanings.get(id(e))
    if known is None:
        if len(_meanings) >= MOST_MEANINGS:
            _meanings.clear()
        known = _meanings[id(e)] = e, _made(e)
    return known[1]


def _made(e: c.Expr) -> Meaning:
    match e:
        case c.Local():
            name = e.name
            return lambda env: env.bound[name]
        case c.Variable():
            key = entry(e.name, e.arguments, e.span)
            return lambda env: env.variables[key(env)]
        case c.ZoneCards():
            key = entry(e.zone, e.arguments, e.span)
            return lambda env: frozenset(env.zones[key(env)])
        case c.RuleValue():
            return meaning(e.value)
        case c.Literal():
            value = frozenset(e.value) if isinstance(e.value, tuple) else e.value
            return lambda env: value
        case c.Universe():
            kind = e.type.kind
            return lambda env: _all(_how_many(env.program, kind))
        case c.Parameter():
            name = e.name
            return lambda env: env.parameters[name]
        case c.Reading():
            rule = e.rule
            return lambda env: env.readings.get(rule, 0)
        case c.UnspecifiedValue():
            return _unspecified(e)
        case c.CardAttribute():
            return _attribute(e)
        case c.Compare():
            return _compare(e)
        case c.Logic():
            left, right, settles = meaning(e.left), meaning(e.right), e.operator == "or"
            return lambda env: value if (value := left(env)) == settles else right(env)
        case c.Not():
            operand = meaning(e.operand)
            return lambda env: not operand(env)
        case c.Conditional():
            condition, then, otherwise = meaning(e.condition), meaning(e.then), meaning(e.otherwise)
            return lambda env: then(env) if condition(env) else otherwise(env)
        case c.Arithmetic():
            return _arithmetic(e)
        case c.Seat():
            player, offset = given(e.player), e.offset
            return lambda env: (player(env) + offset) % env.program.players
        case c.Table():
            index, entries = given(e.index), e.entries
            return lambda env: entries[index(env)]
        case c.Range():
            return _range(e)
        case c.Size():
            of = meaning(e.set)
            return lambda env: len(of(env))
        case c.Member():
            element, of = meaning(e.element), meaning(e.set)
            return lambda env: element(env) in of(env)
        case c.Single():
            element = meaning(e.element)
            return lambda env: frozenset() if (x := element(env)) is None else frozenset((x,))
        case c.SetOperation():
            left, right = meaning(e.left), meaning(e.right)
            if e.operator == "+":
                return lambda env: left(env) | right(env)
            return lambda env: left(env) - right(env)
        case c.Only():
            return _only(e)
        case c.Exists():
            return exists(meaning(e.domain), e.binder, meaning(e.condition), e.span)
        case c.Top():
            count, by = meaning(e.count), given(e.key)
            return top(count, meaning(e.operand), e.binder, by, e.highest, e.span)
        case c.Matching():
            answering = None if e.answering is None else meaning(e.answering)
            return matching(meaning(e.operand), meaning(e.pattern), answering, e.highest)
        case c.Filter():
            return filtered(each(meaning(e.domain), e.binder, meaning(e.condition), e.span))
        case c.Sum():
            terms = each(meaning(e.domain), e.binder, meaning(e.value), e.span)
            return lambda env: sum(value for _, value in terms(env))
        case c.UnionOf():
            parts = each(meaning(e.domain), e.binder, meaning(e.value), e.span)
            return lambda env: frozenset().union(*(value for _, value in parts(env)))
        case c.Extreme():
            return extreme(each(meaning(e.domain), e.binder, given(e.value), e.span), e.highest, e.span)
        case c.Best():
            return best(each(meaning(e.domain), e.binder, given(e.key), e.span), e.highest)
        case _:
            assert_never(e)


def given(e: c.Expr) -> Callable[[Environment], int]:
    """A player, rank or the like that must not be `none`."""
    value, kind, span = meaning(e), e.type, e.span
    return lambda env: present(value(env), kind, span)


def entry(name: str, owners: tuple[c.Expr, ...], span: Span) -> Callable[[Environment], Key]:
    """The entry of a variable or zone; faults where the owner is `none`."""
    if not owners:
        alone = (name,)
        return lambda env: alone
    parts = [meaning(owner) for owner in owners]
    if len(parts) == 1:
        part = parts[0]

        def one(env: Environment) -> Key:
            owner = part(env)
            return (name, owner) if owner is not None else owned((name, owner), span)

        return one
    return lambda env: owned((name, *[part(env) for part in parts]), span)


@lru_cache(64)
def _all(number: int) -> frozenset[int]:
    return frozenset(range(number))


def _how_many(program: c.Program, kind: str) -> int:
    match kind:
        case "cards":
            return len(program.deck.cards)
        case "suits":
            return len(program.deck.suits)
        case "ranks":
            return len(program.deck.ranks)
    return program.players


def _unspecified(e: c.UnspecifiedValue) -> Meaning:
    def nothing(env: Environment) -> Value:
        raise FaultError("unspecified", f"nothing says what `{e.rule}` is", e.span)

    return nothing


def _attribute(e: c.CardAttribute) -> Meaning:
    card, of_suit, attribute, span = meaning(e.card), e.attribute == "suit", e.attribute, e.span

    def told(env: Environment) -> int:
        x = card(env)
        if x is None:
            raise FaultError("no-card", f"the {attribute} of no card is asked for", span)
        deck = env.program.deck
        return deck.card_suit[x] if of_suit else deck.card_rank[x]

    return told


def _compare(e: c.Compare) -> Meaning:
    left, right, relation, span = meaning(e.left), meaning(e.right), _RELATIONS[e.operator], e.span
    if e.operator in ("=", "!="):
        return lambda env: relation(left(env), right(env))

    def compared(env: Environment) -> bool:
        a, b = left(env), right(env)
        if a is None or b is None:
            raise FaultError("nobody", "there is none to compare", span)
        return relation(a, b)

    return compared


def _arithmetic(e: c.Arithmetic) -> Meaning:
    left, right, work_out, span = meaning(e.left), meaning(e.right), _OPERATORS[e.operator], e.span
    divides = e.operator in ("div", "mod")

    def reckoned(env: Environment) -> int:
        a, b = left(env), right(env)
        if b == 0 and divides:
            raise FaultError("bad-number", "division by zero", span)
        made = work_out(a, b)
        if not -LARGEST <= made <= LARGEST:
            raise FaultError("bad-number", f"a number goes beyond {LARGEST}", span)
        return made

    return reckoned


def _range(e: c.Range) -> Meaning:
    low, high, span = meaning(e.low), meaning(e.high), e.span

    def numbers(env: Environment) -> frozenset[int]:
        a, b = low(env), high(env)
        if b - a >= MOST_ROUNDS:
            raise FaultError("loop-bound", f"{a} to {b} are more than {MOST_ROUNDS} numbers", span)
        return frozenset(range(a, b + 1))

    return numbers


def _only(e: c.Only) -> Meaning:
    operand, kind, span = meaning(e.operand), e.type, e.span

    def only(env: Environment) -> int:
        found = operand(env)
        if len(found) != 1:
            raise FaultError("not-single", f"expected one {kind}, found {len(found)}", span)
        return int(next(iter(found)))

    return only
