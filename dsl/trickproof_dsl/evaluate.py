"""Values of core expressions in a state: the meaning of every expression, plainly.

`Evaluator.value` returns Python values as described in `core.py` (sets are frozensets) or raises `FaultError` where the
rules give no value: that is a fault of the rules, found by playing, never a bug of the caller.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, assert_never

from trickproof_dsl import core as c
from trickproof_dsl.source import Span

Value = Any
"""int, bool, None, or frozenset[int]; see core.py."""

Key = tuple[Any, ...]
"""Name of a variable or zone, followed by its owners."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The rules break down: `kind` is a fixed word (see `FAULTS`), `label` the move during which."""

    kind: str
    message: str
    span: Span = field(compare=False, repr=False)
    label: str = ""


FAULTS = {
    "no-legal-choice": "a player must choose and has no legal option",
    "cards-not-there": "cards are moved from a place where they are not",
    "deck-empty": "more cards are dealt than the deck holds",
    "not-single": "a set that must have one element has none or several",
    "empty-extreme": "the highest or lowest of nothing is asked for",
    "no-card": "the suit or rank of no card is asked for",
    "nobody": "a player, suit or the like is needed where there is `none`",
    "tie": "a tie that the rules call impossible",
    "loop-bound": "a loop goes on longer than its bound",
    "unspecified": "a rule that is needed is missing",
    "bad-number": "a number of cards that makes no sense, a division by zero, or a number beyond all bounds",
}

LARGEST = 10**18
"""No number of a game goes beyond this, up or down: rules that go on multiplying are stopped."""

MOST_VALUES = 1_000_000
"""Values that are worked out from one decision to the next, at most: sums of sums of sums are stopped."""

MOST_ROUNDS = 10_000
"""The longest range of numbers that can be gone through or chosen from."""


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


_GOING_THROUGH = (c.Filter, c.Exists, c.Sum, c.UnionOf, c.Extreme, c.Best, c.Top)


class FaultError(Exception):
    """Carries a fault to the machine, which stops the hand with it."""

    def __init__(self, kind: str, message: str, span: Span, label: str = "") -> None:
        super().__init__(message)
        self.fault = Fault(kind, message, span, label=label)


class Evaluator:
    """Evaluates expressions over the given variables, zones and bound names (read, never written)."""

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

    def value(self, e: c.Expr) -> Value:
        self.worked += 1
        if self.worked > MOST_VALUES and isinstance(e, _GOING_THROUGH):
            raise FaultError("loop-bound", f"not done after working out {MOST_VALUES} values", e.span)
        match e:
            case c.Local():
                return self.bound[e.name]
            case c.Variable():
                return self.variables[self.key(e.name, e.arguments, e.span)]
            case c.CardAttribute():
                return self._attribute(e)
            case c.Compare():
                return self._compare(e)
            case c.RuleValue():
                return self.value(e.value)
            case c.Literal():
                return frozenset(e.value) if isinstance(e.value, tuple) else e.value
            case c.ZoneCards():
                return frozenset(self.zones[self.key(e.zone, e.arguments, e.span)])
            case c.Filter():
                return frozenset(x for x in self.value(e.domain) if self._holds(e.binder, x, e.condition))
            case c.Exists():
                return any(self._holds(e.binder, x, e.condition) for x in self.value(e.domain))
            case c.Conditional():
                return self.value(e.then if self.value(e.condition) else e.otherwise)
            case c.Logic():
                left = self.value(e.left)
                return left if left == (e.operator == "or") else self.value(e.right)
            case c.Not():
                return not self.value(e.operand)
            case c.Arithmetic():
                return self._arithmetic(e)
            case c.Universe():
                return frozenset(range(self._universe(e.type)))
            case c.Seat():
                return (self.given(e.player) + e.offset) % self.program.players
            case c.Best():
                return self._best(e)
            case c.Only():
                return self._only(e)
            case c.Size():
                return len(self.value(e.set))
            case c.Member():
                return self.value(e.element) in self.value(e.set)
            case c.SetOperation():
                left, right = self.value(e.left), self.value(e.right)
                return left | right if e.operator == "+" else left - right
            case c.Single():
                element = self.value(e.element)
                return frozenset() if element is None else frozenset((element,))
            case c.Sum():
                return sum(self._with(e.binder, x, e.value) for x in self.value(e.domain))
            case c.UnionOf():
                return frozenset().union(*(self._with(e.binder, x, e.value) for x in self.value(e.domain)))
            case c.Extreme():
                return self._extreme(e)
            case c.Matching():
                return self._matching(e)
            case c.Top():
                return self._top(e)
            case c.Range():
                return self._range(e)
            case c.Table():
                return e.entries[self.given(e.index)]
            case c.Parameter():
                return self.parameters[e.name]
            case c.Reading():
                return self.readings.get(e.rule, 0)
            case c.UnspecifiedValue():
                raise FaultError("unspecified", f"nothing says what `{e.rule}` is", e.span)
            case _:
                assert_never(e)

    def key(self, name: str, owners: tuple[c.Expr, ...], span: Span) -> Key:
        """The entry of a variable or zone; faults where the owner is `none`."""
        key = (name, *map(self.value, owners))
        if None in key:
            raise FaultError("nobody", f"whose `{name}` is asked for, there is none", span)
        return key

    def given(self, e: c.Expr) -> int:
        """A player, rank or the like that must not be `none`."""
        found = self.value(e)
        if found is None:
            raise FaultError("nobody", f"a {e.type} is needed, there is none", e.span)
        return int(found)

    def _with(self, binder: str, element: Value, e: c.Expr) -> Value:
        self.bound[binder] = element
        return self.value(e)

    def _holds(self, binder: str, element: Value, condition: c.Expr) -> bool:
        return bool(self._with(binder, element, condition))

    def _universe(self, kind: c.Type) -> int:
        deck = self.program.deck
        sizes = {"suits": deck.suits, "ranks": deck.ranks, "cards": deck.cards}
        return len(sizes[kind.kind]) if kind.kind in sizes else self.program.players

    def _given_with(self, binder: str, element: Value, e: c.Expr) -> int:
        self.bound[binder] = element
        return self.given(e)

    def _range(self, e: c.Range) -> frozenset[int]:
        low, high = self.value(e.low), self.value(e.high)
        if high - low >= MOST_ROUNDS:
            raise FaultError("loop-bound", f"{low} to {high} are more than {MOST_ROUNDS} numbers", e.span)
        return frozenset(range(low, high + 1))

    def _attribute(self, e: c.CardAttribute) -> int:
        card = self.value(e.card)
        if card is None:
            raise FaultError("no-card", f"the {e.attribute} of no card is asked for", e.span)
        deck = self.program.deck
        return deck.card_suit[card] if e.attribute == "suit" else deck.card_rank[card]

    def _compare(self, e: c.Compare) -> bool:
        left, right = self.value(e.left), self.value(e.right)
        if (left is None or right is None) and e.operator not in ("=", "!="):
            raise FaultError("nobody", "there is none to compare", e.span)
        return _RELATIONS[e.operator](left, right)

    def _arithmetic(self, e: c.Arithmetic) -> int:
        left, right = self.value(e.left), self.value(e.right)
        if right == 0 and e.operator in ("div", "mod"):
            raise FaultError("bad-number", "division by zero", e.span)
        made = _OPERATORS[e.operator](left, right)
        if not -LARGEST <= made <= LARGEST:
            raise FaultError("bad-number", f"a number goes beyond {LARGEST}", e.span)
        return made

    def _best(self, e: c.Best) -> frozenset[int]:
        keys = {x: self._given_with(e.binder, x, e.key) for x in self.value(e.domain)}
        if not keys:
            return frozenset()
        best = max(keys.values()) if e.highest else min(keys.values())
        return frozenset(x for x, key in keys.items() if key == best)

    def _extreme(self, e: c.Extreme) -> int:
        values = [self._given_with(e.binder, x, e.value) for x in self.value(e.domain)]
        if not values:
            raise FaultError("empty-extreme", "the highest or lowest of nothing is asked for", e.span)
        return max(values) if e.highest else min(values)

    def _only(self, e: c.Only) -> int:
        found = self.value(e.operand)
        if len(found) != 1:
            raise FaultError("not-single", f"expected one {e.type}, found {len(found)}", e.span)
        return int(next(iter(found)))

    def _matching(self, e: c.Matching) -> frozenset[int]:
        cards, pattern = self.value(e.operand), self.value(e.pattern)
        wanted = pattern if e.answering is None else self.value(e.answering)
        taken: list[int] = []
        for suit in range(len(self.program.deck.suits)):
            pairs = zip(
                self._ranked(cards, suit, e.highest), self._ranked(pattern, suit, e.highest), strict=False
            )
            taken += [mine for mine, theirs in pairs if theirs in wanted]
        return frozenset(taken)

    def _ranked(self, cards: frozenset[int], suit: int, highest: bool) -> list[int]:
        """The cards of a suit, best first."""
        deck = self.program.deck
        of_suit = [x for x in sorted(cards) if deck.card_suit[x] == suit]
        return sorted(of_suit, key=lambda x: deck.card_rank[x], reverse=highest)

    def _top(self, e: c.Top) -> frozenset[int]:
        count, elements = self.value(e.count), sorted(self.value(e.operand))
        if not 0 <= count <= len(elements):
            raise FaultError("bad-number", f"{count} of {len(elements)} are asked for", e.span)
        keys = {x: self._given_with(e.binder, x, e.key) for x in elements}
        return frozenset(sorted(elements, key=keys.__getitem__, reverse=e.highest)[:count])
