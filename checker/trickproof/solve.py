"""Questions to z3, answered yes, no or given up; smallest answers in a fixed order.

Effort is bounded by z3's own count of resources, so that giving up is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum

import z3

from trickproof.symbols import Bool, Cases, Int, Members, Symbol

RESOURCES = 4_000_000
"""z3's resources for one question; about two seconds."""


class Answer(Enum):
    YES = "yes"
    NO = "no"
    GAVE_UP = "gave up"


class Questions:
    """Facts that grow, and questions whether something is possible besides them."""

    def __init__(self) -> None:
        self.solver = z3.Solver()
        self.solver.set("rlimit", RESOURCES)
        self.solver.set("random_seed", 0)

    def add(self, *facts: Bool) -> None:
        """From here on these hold."""
        self.solver.add(*(_term(fact) for fact in facts))

    @contextmanager
    def supposing(self, *facts: Bool) -> Iterator[None]:
        """Within, these hold."""
        self.solver.push()
        self.add(*facts)
        try:
            yield
        finally:
            self.solver.pop()

    def possible(self, *facts: Bool) -> Answer:
        """Whether these can hold."""
        with self.supposing(*facts):
            return self._ask()

    def _ask(self) -> Answer:
        answer = self.solver.check()
        if answer == z3.sat:
            return Answer.YES
        return Answer.NO if answer == z3.unsat else Answer.GAVE_UP

    def smallest(self, unknowns: Sequence[Int]) -> list[int] | None:
        """The lexicographically smallest values (integers from 0), which hold from here on; None if given up."""
        found: list[int] = []
        for unknown in unknowns:
            if self._ask() is not Answer.YES:
                return None
            low, high = 0, self.number(unknown)
            while low < high:
                middle = (low + high) // 2
                if self.possible(unknown <= middle) is Answer.YES:
                    high = middle
                else:
                    low = middle + 1
            self.add(unknown == high)
            found.append(high)
        return found

    def number(self, value: Int) -> int:
        """An integer in the model of the last question that was answered yes."""
        if isinstance(value, int):
            return value
        return int(self.solver.model().eval(value, model_completion=True).as_long())

    def truth(self, value: Bool) -> bool:
        """A truth value in that model."""
        if isinstance(value, bool):
            return value
        return bool(z3.is_true(self.solver.model().eval(value, model_completion=True)))

    def concrete(self, value: Symbol) -> object:
        """Any value in that model, as the interpreter has it."""
        match value:
            case Members(of):
                return frozenset(x for x, when in of if self.truth(when))
            case Cases(of):
                return next((x for x, when in of if self.truth(when)), None)
            case bool() | z3.BoolRef():
                return self.truth(value)
            case int() | z3.ArithRef():
                return self.number(value)
        return value

    def model(self) -> bool:
        """Makes the model of what holds now; False if there is none."""
        return self._ask() is Answer.YES


def _term(fact: Bool) -> z3.BoolRef:
    return z3.BoolVal(fact) if isinstance(fact, bool) else fact
