"""Values of core expressions in a state: the meaning of every expression, plainly.

`Evaluator.value` returns Python values as described in `core.py` (sets are frozensets) or raises `FaultError` where the
rules give no value: that is a fault of the rules, found by playing, never a bug of the caller.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    """The rules break down: `kind` is a fixed word (see `FAULTS`), `rule` the rule being carried out."""

    kind: str
    message: str
    span: Span = field(compare=False, repr=False)
    rule: str = ""
    label: str = ""


FAULTS = {
    "no-legal-choice": "a player must choose and has no legal option",
    "cards-not-there": "cards are moved from a place where they are not",
    "deck-empty": "more cards are dealt than the deck holds",
    "not-single": "a set that must have one element has none or several",
    "empty-extreme": "the highest or lowest of nothing is asked for",
    "no-card": "the suit or rank of no card is asked for",
    "tie": "a tie that the rules call impossible",
    "loop-bound": "a loop goes on longer than its bound",
    "unspecified": "a rule that is needed is missing",
    "bad-number": "a number of cards that makes no sense, or a division by zero",
}


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

    def value(self, e: c.Expr) -> Value:
        match e:
            case c.Local():
                return self.bound[e.name]
            case c.Variable():
                return self.variables[(e.name, *map(self.value, e.arguments))]
            case c.CardAttribute():
                return self._attribute(e)
            case c.Compare():
                return self._compare(e)
            case c.Literal():
                return frozenset(e.value) if isinstance(e.value, tuple) else e.value
            case c.RuleValue():
                return self.value(e.value)
            case c.ZoneCards():
                return frozenset(self.zones[(e.zone, *map(self.value, e.arguments))])
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
                return (self._player(e.player) + e.offset) % self.program.players
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
                return frozenset(range(self.value(e.low), self.value(e.high) + 1))
            case c.Table():
                return e.entries[self._player(e.index)]
            case c.Parameter():
                return self.parameters[e.name]
            case c.Reading():
                return self.readings.get(e.rule, 0)
            case c.UnspecifiedValue():
                raise FaultError("unspecified", f"nothing says what `{e.rule}` is", e.span)
            case _:
                assert_never(e)

    def _with(self, binder: str, element: Value, e: c.Expr) -> Value:
        self.bound[binder] = element
        return self.value(e)

    def _holds(self, binder: str, element: Value, condition: c.Expr) -> bool:
        return bool(self._with(binder, element, condition))

    def _universe(self, kind: c.Type) -> int:
        deck = self.program.deck
        sizes = {"suits": deck.suits, "ranks": deck.ranks, "cards": deck.cards}
        return len(sizes[kind.kind]) if kind.kind in sizes else self.program.players

    def _player(self, e: c.Expr) -> int:
        player = self.value(e)
        if player is None:
            raise FaultError("not-single", "a player is needed, there is none", e.span)
        return int(player)

    def _attribute(self, e: c.CardAttribute) -> int:
        card = self.value(e.card)
        if card is None:
            raise FaultError("no-card", f"the {e.attribute} of no card is asked for", e.span)
        deck = self.program.deck
        return deck.card_suit[card] if e.attribute == "suit" else deck.card_rank[card]

    def _compare(self, e: c.Compare) -> bool:
        left, right = self.value(e.left), self.value(e.right)
        match e.operator:
            case "=":
                return bool(left == right)
            case "!=":
                return bool(left != right)
        if left is None or right is None:
            raise FaultError("no-card", "nothing is compared with something", e.span)
        match e.operator:
            case "<":
                return bool(left < right)
            case "<=":
                return bool(left <= right)
            case ">":
                return bool(left > right)
        return bool(left >= right)

    def _arithmetic(self, e: c.Arithmetic) -> int:
        left, right = self.value(e.left), self.value(e.right)
        match e.operator:
            case "+":
                return int(left + right)
            case "-":
                return int(left - right)
            case "*":
                return int(left * right)
        if right == 0:
            raise FaultError("bad-number", "division by zero", e.span)
        return int(left // right if e.operator == "div" else left % right)

    def _best(self, e: c.Best) -> frozenset[int]:
        keys = {x: self._with(e.binder, x, e.key) for x in self.value(e.domain)}
        if not keys:
            return frozenset()
        best = max(keys.values()) if e.highest else min(keys.values())
        return frozenset(x for x, key in keys.items() if key == best)

    def _extreme(self, e: c.Extreme) -> int:
        values = [self._with(e.binder, x, e.value) for x in self.value(e.domain)]
        if not values:
            raise FaultError("empty-extreme", "the highest or lowest of nothing is asked for", e.span)
        return int(max(values) if e.highest else min(values))

    def _only(self, e: c.Only) -> int:
        found = self.value(e.operand)
        if len(found) != 1:
            raise FaultError("not-single", f"expected one {e.type}, found {len(found)}", e.span)
        return int(next(iter(found)))

    def _matching(self, e: c.Matching) -> frozenset[int]:
        deck, cards, pattern = self.program.deck, self.value(e.operand), self.value(e.pattern)
        taken: list[int] = []
        for suit in range(len(deck.suits)):
            wanted = sum(deck.card_suit[x] == suit for x in pattern)
            mine = [x for x in cards if deck.card_suit[x] == suit]
            taken += sorted(mine, key=lambda x: deck.card_rank[x], reverse=e.highest)[:wanted]
        return frozenset(taken)

    def _top(self, e: c.Top) -> frozenset[int]:
        count, elements = self.value(e.count), sorted(self.value(e.operand))
        if not 0 <= count <= len(elements):
            raise FaultError("bad-number", f"{count} of {len(elements)} are asked for", e.span)
        keys = {x: self._with(e.binder, x, e.key) for x in elements}
        return frozenset(sorted(elements, key=keys.__getitem__, reverse=e.highest)[:count])
