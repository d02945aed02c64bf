"""The meaning of every core expression.

Operands are evaluated in the order documented at each node of the core; if several have no value, the first
determines the fault.  Integers are unbounded in the semantics: where this engine gives up, it raises
`EngineLimitError`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import Key, Value

LARGEST = 10**18
"""Largest absolute value of a number in this engine."""

MOST_NUMBERS = 10_000
"""Longest range of integers in this engine."""

MOST_STEPS = 500_000
"""Maximum number of elements and loop iterations between two decisions."""

Environment = Mapping[str, Value]
"""The values of bound names."""


@dataclass(slots=True)
class Store:
    """What expressions read: the match and its variables and zones; `steps` counts elements and iterations."""

    program: c.Program
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    variables: Mapping[Key, Value]
    zones: Mapping[Key, tuple[int, ...]]
    steps: int = 0

    def another_step(self, span: Span) -> None:
        """Count an element or an iteration of a loop."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise EngineLimitError(f"not done after {MOST_STEPS} rounds and elements", span)


def evaluate(e: c.Expr, store: Store, bound: Environment) -> Value:
    """The value of an expression.

    Raises FaultError if the rules define none, EngineLimitError if this engine gives up, and KeyError if a
    variable, zone or name is not in the store or the environment.
    """
    match e:
        case c.Literal():
            return frozenset(e.value) if isinstance(e.value, tuple) else e.value
        case c.Parameter():
            return store.parameters[e.name]
        case c.Reading():
            return store.readings.get(e.rule, 0)
        case c.Local():
            return bound[e.name]
        case c.Variable():
            return store.variables[key(e.name, e.arguments, e.span, store, bound)]
        case c.ZoneCards():
            return frozenset(store.zones[key(e.zone, e.arguments, e.span, store, bound)])
        case c.Arithmetic():
            left, right = given(e.left, store, bound), given(e.right, store, bound)
            return arithmetic(e, left, right)
        case c.Compare():
            return compare(e, evaluate(e.left, store, bound), evaluate(e.right, store, bound))
        case c.Logic():
            if bool(evaluate(e.left, store, bound)) == (e.operator == "or"):
                return e.operator == "or"
            return bool(evaluate(e.right, store, bound))
        case c.Not():
            return not evaluate(e.operand, store, bound)
        case c.Conditional():
            return evaluate(e.then if evaluate(e.condition, store, bound) else e.otherwise, store, bound)
        case c.Seat():
            return (given(e.player, store, bound) + e.offset) % store.program.players
        case c.Table():
            return e.entries[given(e.index, store, bound)]
        case c.CardAttribute():
            card = evaluate(e.card, store, bound)
            if card is None:
                raise FaultError(
                    "no-card", f"the {e.attribute} of a card is needed, but there is none", e.span
                )
            assert isinstance(card, int)
            deck = store.program.deck
            return deck.card_suit[card] if e.attribute == "suit" else deck.card_rank[card]
        case c.Universe():
            return universe(store.program, e.type)
        case c.Range():
            low, high = given(e.low, store, bound), given(e.high, store, bound)
            if high - low >= MOST_NUMBERS:
                raise EngineLimitError(f"{low} to {high} are more than {MOST_NUMBERS} numbers", e.span)
            return frozenset(range(low, high + 1))
        case c.SetOperation():
            mine, other = members(e.left, store, bound), members(e.right, store, bound)
            return mine | other if e.operator == "+" else mine - other
        case c.Single():
            element = evaluate(e.element, store, bound)
            assert not isinstance(element, frozenset)
            return frozenset() if element is None else frozenset((element,))
        case c.Filter():
            return frozenset(
                [x for x, inner in elements(e, store, bound) if evaluate(e.condition, store, inner)]
            )
        case c.Member():
            element = evaluate(e.element, store, bound)
            return element in members(e.set, store, bound)
        case c.Size():
            return len(members(e.set, store, bound))
        case c.Exists():
            return any(evaluate(e.condition, store, inner) for _, inner in elements(e, store, bound))
        case c.Sum():
            return sum([given(e.value, store, inner) for _, inner in elements(e, store, bound)])
        case c.UnionOf():
            sets = [members(e.value, store, inner) for _, inner in elements(e, store, bound)]
            return frozenset().union(*sets)
        case c.Extreme():
            values = [given(e.value, store, inner) for _, inner in elements(e, store, bound)]
            if not values:
                raise FaultError("empty-extreme", "the highest or lowest of an empty set", e.span)
            return max(values) if e.highest else min(values)
        case c.Best():
            keys = {x: given(e.key, store, inner) for x, inner in elements(e, store, bound)}
            extreme = (max if e.highest else min)(keys.values(), default=0)
            return frozenset([x for x in keys if keys[x] == extreme])
        case c.Matching():
            cards, pattern = members(e.operand, store, bound), members(e.pattern, store, bound)
            answered = pattern if e.answering is None else members(e.answering, store, bound)
            return matching(store.program.deck, cards, pattern, answered, e.highest)
        case c.Top():
            count, operand = given(e.count, store, bound), members(e.operand, store, bound)
            if not 0 <= count <= len(operand):
                raise FaultError("bad-number", f"the first {count} of a set of {len(operand)}", e.span)
            among = bindings(e.binder, operand, e.span, store, bound)
            keys = {x: given(e.key, store, inner) for x, inner in among}
            return frozenset(sorted(keys, key=keys.__getitem__, reverse=e.highest)[:count])
        case c.Only():
            operand = members(e.operand, store, bound)
            if len(operand) != 1:
                raise FaultError("not-single", f"expected one {e.type}, found {len(operand)}", e.span)
            return next(iter(operand))
        case c.RuleValue():
            return evaluate(e.value, store, bound)
        case c.UnspecifiedValue():
            if e.otherwise is not None:
                return e.otherwise
            raise FaultError("unspecified", f"nothing says what `{e.rule}` is", e.span)
        case _:
            assert_never(e)


def value_in(state: StateView, e: c.Expr, bound: Environment | None = None) -> Value:
    """The value of an expression in a state, with the given names bound.  Raises like `evaluate`."""
    store = Store(state.program, state.parameters, state.readings, state.variables, state.zones)
    return evaluate(e, store, bound or {})


def given(e: c.Expr, store: Store, bound: Environment) -> int:
    """The value of an expression that must not be `none`: a number, or an index of a player, card or the like."""
    value = evaluate(e, store, bound)
    if value is None:
        raise FaultError("nobody", f"a {e.type} is needed, but there is none", e.span)
    assert isinstance(value, int)
    return value


def members(e: c.Expr, store: Store, bound: Environment) -> frozenset[int]:
    """The value of a set expression."""
    value = evaluate(e, store, bound)
    assert isinstance(value, frozenset)
    return value


def key(name: str, owners: tuple[c.Expr, ...], span: Span, store: Store, bound: Environment) -> Key:
    """The key of a variable or zone; all owners are evaluated before any is checked for `none`."""
    indices: list[int] = []
    values = [evaluate(owner, store, bound) for owner in owners]
    for value in values:
        if value is None:
            raise FaultError("nobody", f"the owner of `{name}` is `none`", span)
        assert isinstance(value, int)
        indices.append(value)
    return (name, *indices)


def elements(
    e: c.Filter | c.Exists | c.Sum | c.UnionOf | c.Extreme | c.Best, store: Store, bound: Environment
) -> Iterator[tuple[int, Environment]]:
    """The elements of the domain in order of index, each with the environment that binds it."""
    return bindings(e.binder, members(e.domain, store, bound), e.span, store, bound)


def bindings(
    binder: str, domain: frozenset[int], span: Span, store: Store, bound: Environment
) -> Iterator[tuple[int, Environment]]:
    """The same for a domain that has been evaluated."""
    inner = dict(bound)
    for element in sorted(domain):
        store.another_step(span)
        inner[binder] = element
        yield element, inner


def universe(program: c.Program, kind: c.Type) -> frozenset[int]:
    """All players, cards, suits or ranks."""
    deck = program.deck
    sizes = {"players": program.players, "cards": len(deck.cards), "suits": len(deck.suits)}
    return frozenset(range(sizes.get(kind.kind, len(deck.ranks))))


def arithmetic(e: c.Arithmetic, left: int, right: int) -> int:
    """A sum, difference, product, quotient or remainder."""
    if e.operator in ("div", "mod") and right == 0:
        raise FaultError("bad-number", "division by zero", e.span)
    match e.operator:
        case "+":
            number = left + right
        case "-":
            number = left - right
        case "*":
            number = left * right
        case "div":
            number = left // right
        case _:
            number = left % right
    if abs(number) > LARGEST:
        raise EngineLimitError(f"a number goes beyond {LARGEST}", e.span)
    return number


def compare(e: c.Compare, left: Value, right: Value) -> bool:
    """Whether two values are equal or, for numbers and ranks, ordered."""
    if e.operator in ("=", "!="):
        return (left == right) == (e.operator == "=")
    if left is None or right is None:
        raise FaultError("nobody", "there is nothing to compare", e.span)
    assert isinstance(left, int)
    assert isinstance(right, int)
    match e.operator:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


def matching(
    deck: c.Deck, cards: frozenset[int], pattern: frozenset[int], answered: frozenset[int], highest: bool
) -> frozenset[int]:
    """Pair the best cards with the best of the pattern in each suit; return those paired with `answered` ones."""
    taken: list[int] = []
    for suit in range(len(deck.suits)):
        mine, theirs = (
            sorted(
                [x for x in sorted(some) if deck.card_suit[x] == suit],
                key=deck.card_rank.__getitem__,
                reverse=highest,
            )
            for some in (cards, pattern)
        )
        taken += [card for card, other in zip(mine, theirs, strict=False) if other in answered]
    return frozenset(taken)
