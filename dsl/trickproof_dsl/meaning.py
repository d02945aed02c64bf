"""The meaning of every core expression, plainly: a function that gives its value in an environment.

The functions are made once of each expression, so that playing is a matter of calling them.  They return Python values
as described in `core.py` (sets are frozensets) or raise `FaultError` where the rules give no value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, assert_never

from trickproof_dsl import core as c
from trickproof_dsl.faults import FaultError
from trickproof_dsl.source import Span

Value = Any
"""int, bool, None, or frozenset[int]; see core.py."""

Key = tuple[Any, ...]
"""Name of a variable or zone, followed by its owners."""

LARGEST = 10**18
"""No number of a game goes beyond this, up or down: rules that go on multiplying are stopped."""

MOST_VALUES = 500_000
"""Elements gone through from one decision to the next, at most: sums of sums of sums are stopped."""

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


class Environment:
    """What expressions are about: variables, zones, bound names, parameters and readings of one program."""

    __slots__ = ("bound", "parameters", "program", "readings", "variables", "worked", "zones")

    def __init__(
        self,
        program: c.Program,
        variables: Mapping[Key, Value],
        zones: Mapping[Key, tuple[int, ...]],
        bound: Mapping[str, Value],
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
    ) -> None:
        self.program = program
        self.variables, self.zones, self.bound = variables, zones, dict(bound)
        self.parameters, self.readings = parameters, readings
        self.worked = 0


Meaning = Callable[[Environment], Value]

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
            key = owned(e.name, e.arguments, e.span)
            return lambda env: env.variables[key(env)]
        case c.ZoneCards():
            key = owned(e.zone, e.arguments, e.span)
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
        case c.Filter():
            return _filter(e)
        case c.Exists():
            return _exists(e)
        case c.Sum():
            terms = _each(e.domain, e.binder, meaning(e.value), e.span)
            return lambda env: sum(value for _, value in terms(env))
        case c.UnionOf():
            parts = _each(e.domain, e.binder, meaning(e.value), e.span)
            return lambda env: frozenset().union(*(value for _, value in parts(env)))
        case c.Extreme():
            return _extreme(e)
        case c.Best():
            return _best(e)
        case c.Top():
            return _top(e)
        case c.Matching():
            return _matching(e)
        case _:
            assert_never(e)


def given(e: c.Expr) -> Callable[[Environment], int]:
    """A player, rank or the like that must not be `none`."""
    value, kind, span = meaning(e), e.type, e.span

    def found(env: Environment) -> int:
        x = value(env)
        if x is None:
            raise FaultError("nobody", f"a {kind} is needed, there is none", span)
        return int(x)

    return found


def owned(name: str, owners: tuple[c.Expr, ...], span: Span) -> Callable[[Environment], Key]:
    """The entry of a variable or zone; faults where the owner is `none`."""
    if not owners:
        alone = (name,)
        return lambda env: alone
    parts = [meaning(owner) for owner in owners]
    if len(parts) == 1:
        part = parts[0]

        def of_one(env: Environment) -> Key:
            owner = part(env)
            if owner is None:
                raise FaultError("nobody", f"whose `{name}` is asked for, there is none", span)
            return (name, owner)

        return of_one

    def key(env: Environment) -> Key:
        entry = (name, *[part(env) for part in parts])
        if None in entry:
            raise FaultError("nobody", f"whose `{name}` is asked for, there is none", span)
        return entry

    return key


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


# ------------------------------------------------------------------------------- going through a set


def _counted(env: Environment, elements: frozenset[int], span: Span) -> frozenset[int]:
    env.worked += len(elements)
    if env.worked > MOST_VALUES:
        raise FaultError("loop-bound", f"not done after going through {MOST_VALUES} elements", span)
    return elements


def _each(
    domain: c.Expr, binder: str, of: Meaning, span: Span
) -> Callable[[Environment], list[tuple[int, Value]]]:
    """The elements of a set, each with a value that depends on it."""
    elements = meaning(domain)

    def pairs(env: Environment) -> list[tuple[int, Value]]:
        found, bound = [], env.bound
        for x in _counted(env, elements(env), span):
            bound[binder] = x
            found.append((x, of(env)))
        return found

    return pairs


def _filter(e: c.Filter) -> Meaning:
    pairs = _each(e.domain, e.binder, meaning(e.condition), e.span)
    return lambda env: frozenset([x for x, holds in pairs(env) if holds])


def _exists(e: c.Exists) -> Meaning:
    domain, binder, condition, span = meaning(e.domain), e.binder, meaning(e.condition), e.span

    def exists(env: Environment) -> bool:
        for x in _counted(env, domain(env), span):
            env.bound[binder] = x
            if condition(env):
                return True
        return False

    return exists


def _extreme(e: c.Extreme) -> Meaning:
    pairs, best, span = _each(e.domain, e.binder, given(e.value), e.span), max if e.highest else min, e.span

    def extreme(env: Environment) -> int:
        values = [value for _, value in pairs(env)]
        if not values:
            raise FaultError("empty-extreme", "the highest or lowest of nothing is asked for", span)
        return int(best(values))

    return extreme


def _best(e: c.Best) -> Meaning:
    pairs, best = _each(e.domain, e.binder, given(e.key), e.span), max if e.highest else min

    def bests(env: Environment) -> frozenset[int]:
        keys = pairs(env)
        if not keys:
            return frozenset()
        reached = best([key for _, key in keys])
        return frozenset([x for x, key in keys if key == reached])

    return bests


def _top(e: c.Top) -> Meaning:
    count, operand, binder, key, span = meaning(e.count), meaning(e.operand), e.binder, given(e.key), e.span
    highest = e.highest

    def top(env: Environment) -> frozenset[int]:
        number, elements = count(env), sorted(_counted(env, operand(env), span))
        if not 0 <= number <= len(elements):
            raise FaultError("bad-number", f"{number} of {len(elements)} are asked for", span)
        keys: dict[int, int] = {}
        for x in elements:
            env.bound[binder] = x
            keys[x] = key(env)
        return frozenset(sorted(elements, key=keys.__getitem__, reverse=highest)[:number])

    return top


def _matching(e: c.Matching) -> Meaning:
    operand, pattern, highest = meaning(e.operand), meaning(e.pattern), e.highest
    answering = pattern if e.answering is None else meaning(e.answering)

    def matching(env: Environment) -> frozenset[int]:
        cards, given_ = operand(env), pattern(env)
        wanted, deck = given_ if answering is pattern else answering(env), env.program.deck
        taken: list[int] = []
        for suit in range(len(deck.suits)):
            pairs = zip(
                _ranked(deck, cards, suit, highest), _ranked(deck, given_, suit, highest), strict=False
            )
            taken += [mine for mine, theirs in pairs if theirs in wanted]
        return frozenset(taken)

    return matching


def _ranked(deck: c.Deck, cards: frozenset[int], suit: int, highest: bool) -> list[int]:
    """The cards of a suit, best first."""
    of_suit = [x for x in sorted(cards) if deck.card_suit[x] == suit]
    return sorted(of_suit, key=lambda x: deck.card_rank[x], reverse=highest)
