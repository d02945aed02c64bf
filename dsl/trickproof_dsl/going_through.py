"""The meaning of expressions that go through a set: what they are made of is already a function of an environment."""

from __future__ import annotations

from collections.abc import Callable

from trickproof_dsl import core as c
from trickproof_dsl.environment import Environment, Meaning, Value
from trickproof_dsl.faults import FaultError
from trickproof_dsl.source import Span

MOST_VALUES = 500_000
"""Elements gone through from one decision to the next, at most: sums of sums of sums are stopped."""

Pairs = Callable[[Environment], list[tuple[int, Value]]]
"""Elements, each with a value that depends on it."""


def _counted(env: Environment, elements: frozenset[int], span: Span) -> frozenset[int]:
    env.worked += len(elements)
    if env.worked > MOST_VALUES:
        raise FaultError("loop-bound", f"not done after going through {MOST_VALUES} elements", span)
    return elements


def each(elements: Meaning, binder: str, of: Meaning, span: Span) -> Pairs:
    """The elements of a set, each with a value that depends on it."""

    def pairs(env: Environment) -> list[tuple[int, Value]]:
        found, bound = [], env.bound
        for x in _counted(env, elements(env), span):
            bound[binder] = x
            found.append((x, of(env)))
        return found

    return pairs


def filtered(pairs: Pairs) -> Meaning:
    """The elements for which the value is true."""
    return lambda env: frozenset([x for x, holds in pairs(env) if holds])


def exists(elements: Meaning, binder: str, condition: Meaning, span: Span) -> Meaning:
    """Whether a condition holds for some element; none after it is looked at."""

    def found(env: Environment) -> bool:
        for x in _counted(env, elements(env), span):
            env.bound[binder] = x
            if condition(env):
                return True
        return False

    return found


def extreme(pairs: Pairs, highest: bool, span: Span) -> Meaning:
    """The highest or lowest value."""
    choose = max if highest else min

    def found(env: Environment) -> int:
        values = [value for _, value in pairs(env)]
        if not values:
            raise FaultError("empty-extreme", "the highest or lowest of nothing is asked for", span)
        return int(choose(values))

    return found


def best(pairs: Pairs, highest: bool) -> Meaning:
    """The elements whose value is the highest or lowest."""
    choose = max if highest else min

    def found(env: Environment) -> frozenset[int]:
        keys = pairs(env)
        if not keys:
            return frozenset()
        reached = choose([key for _, key in keys])
        return frozenset([x for x, key in keys if key == reached])

    return found


def top(count: Meaning, operand: Meaning, binder: str, key: Meaning, highest: bool, span: Span) -> Meaning:
    """So many elements with the best keys; of equals those of lower index."""

    def found(env: Environment) -> frozenset[int]:
        number, elements = count(env), sorted(_counted(env, operand(env), span))
        if not 0 <= number <= len(elements):
            raise FaultError("bad-number", f"{number} of {len(elements)} are asked for", span)
        keys: dict[int, int] = {}
        for x in elements:
            env.bound[binder] = x
            keys[x] = key(env)
        return frozenset(sorted(elements, key=keys.__getitem__, reverse=highest)[:number])

    return found


def matching(operand: Meaning, pattern: Meaning, answering: Meaning | None, highest: bool) -> Meaning:
    """Suit by suit as many of the best cards as the pattern has; those that go with what is answered."""

    def found(env: Environment) -> frozenset[int]:
        cards, model = operand(env), pattern(env)
        wanted, deck = model if answering is None else answering(env), env.program.deck
        taken: list[int] = []
        for suit in range(len(deck.suits)):
            pairs = zip(
                _ranked(deck, cards, suit, highest), _ranked(deck, model, suit, highest), strict=False
            )
            taken += [mine for mine, theirs in pairs if theirs in wanted]
        return frozenset(taken)

    return found


def _ranked(deck: c.Deck, cards: frozenset[int], suit: int, highest: bool) -> list[int]:
    """The cards of a suit, best first."""
    of_suit = [x for x in sorted(cards) if deck.card_suit[x] == suit]
    return sorted(of_suit, key=lambda x: deck.card_rank[x], reverse=highest)
