"""Between which whole numbers a value of the rules lies, as far as that can be told without playing.

Variables are followed through their assignments; one that keeps growing has no limit.
"""

from __future__ import annotations

from collections.abc import Iterable

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk

Span = tuple[int, int]

ROUNDS = 6
"""Times that assignments are followed; what still changes then is taken for growing."""

LARGEST = 1000
"""Wider ranges of numbers to choose from are not made into actions."""


class Limits:
    """The limits of the integer variables of a program; those without are not in `variables`."""

    def __init__(self, program: c.Program) -> None:
        self.program = program
        phases = (program.setup, program.hand, program.between)
        assigned = [x for x in walk(*phases) if isinstance(x, c.Assign) and x.value.type == c.INTEGER]
        self.bound = {
            x.binder: x.domain for x in walk(*phases) if isinstance(x, c.Loop) and x.domain.type == c.INTEGERS
        }
        self.chosen = {x.binder: x for x in walk(*phases) if isinstance(x, c.ChooseValue)}
        self.variables: dict[str, Span] = {
            x.name: (int(x.initial), int(x.initial))
            for x in program.variables.values()
            if x.type == c.INTEGER and isinstance(x.initial, int)
        }
        for round_ in range(2 * ROUNDS):
            changed = self._follow(assigned, round_ >= ROUNDS)
            if not changed:
                break

    def _follow(self, assigned: list[c.Assign], give_up: bool) -> bool:
        changed = False
        for t in assigned:
            old = self.variables.get(t.variable)
            if old is None:
                continue
            new = self.of(t.value)
            wider = None if new is None else (min(old[0], new[0]), max(old[1], new[1]))
            if wider == old:
                continue
            changed = True
            if wider is None or give_up:
                del self.variables[t.variable]
            else:
                self.variables[t.variable] = wider
        return changed

    def of_choices(self, choices: Iterable[c.ChooseValue]) -> Span | None:
        """The range of all numbers that are chosen from; (0, -1) where none are, None where no limit is known."""
        found: Span | None = (0, -1)
        for t in choices:
            if t.value_type == c.INTEGER and found is not None:
                one = self.of_set(t.domain)
                if one is not None and one[1] - one[0] > LARGEST:
                    one = None
                found = one if one is None or found == (0, -1) else _both(found, one)
        return found

    def of_set(self, e: c.Expr) -> Span | None:
        """The limits of the numbers in a set."""
        match e:
            case c.Range():
                low, high = self.of(e.low), self.of(e.high)
                return None if low is None or high is None else (low[0], max(low[0], high[1]))
            case c.Filter():
                return self.of_set(e.domain)
            case c.Single():
                return self.of(e.element)
            case c.RuleValue():
                return self.of_set(e.value)
        return None

    def of(self, e: c.Expr) -> Span | None:
        """The limits of a number, or None."""
        match e:
            case c.Literal():
                return (int(e.value), int(e.value)) if isinstance(e.value, int) else None
            case c.Parameter():
                values = self.program.parameters[e.name]
                return min(values), max(values)
            case c.Variable():
                return self.variables.get(e.name)
            case c.Local():
                return self._of_local(e.name)
            case c.Size():
                return 0, self._members(e.set.type)
            case c.CardAttribute():
                return 0, len(self.program.deck.ranks)
            case c.RuleValue():
                return self.of(e.value)
            case c.Conditional():
                return _both(self.of(e.then), self.of(e.otherwise))
            case c.Extreme():
                return self.of(e.value)
            case c.Sum():
                return _reckoned("*", (0, self._members(e.domain.type)), self.of(e.value))
            case c.Arithmetic():
                return _reckoned(e.operator, self.of(e.left), self.of(e.right))
        return None

    def _of_local(self, name: str) -> Span | None:
        if name in self.bound:
            return self.of_set(self.bound[name])
        choice = self.chosen.get(name)
        return self.of_set(choice.domain) if choice is not None else None

    def _members(self, kind: c.Type) -> int:
        deck = self.program.deck
        sizes = {"cards": len(deck.cards), "suits": len(deck.suits), "ranks": len(deck.ranks)}
        return sizes.get(kind.kind, self.program.players)


def _both(one: Span | None, other: Span | None) -> Span | None:
    if one is None or other is None:
        return None
    return min(one[0], other[0]), max(one[1], other[1])


def _reckoned(operator: str, left: Span | None, right: Span | None) -> Span | None:
    if left is None or right is None:
        return None
    pairs = [(x, y) for x in left for y in right]
    match operator:
        case "+":
            corners = [x + y for x, y in pairs]
        case "-":
            corners = [x - y for x, y in pairs]
        case "*":
            corners = [x * y for x, y in pairs]
        case "div" if left[0] >= 0 and right[0] > 0:
            corners = [x // y for x, y in pairs]
        case "mod" if right[0] > 0:
            corners = [0, right[1] - 1]
        case _:
            return None
    return min(corners), max(corners)
