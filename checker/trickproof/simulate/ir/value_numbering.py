"""What is known at a place of an integer program that is being written: values with names, and what arrays hold.

May assume: names that begin with `t` never change.  Promises: what is known holds on every way to the place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trickproof.simulate.ir.instructions import Expr, Op, op


@dataclass
class ValueNumbering:
    """Grows with what is written; `inner` is for a block, `after` for what follows it."""

    names: dict[Expr, str] = field(default_factory=dict)
    """Names of values that nothing can change."""
    values: dict[str, Expr] = field(default_factory=dict)
    """What names stand for, in whatever block; no name is used twice."""
    contents: dict[str, dict[Expr, Expr]] = field(default_factory=dict)
    """What arrays hold, by index."""
    permutations: list[list[Expr]] = field(default_factory=list)
    """Indices that all differ: all that there are, where they are as many."""
    stored: set[str] = field(default_factory=set)
    """Arrays that are written."""

    def in_block(self, again: bool = False) -> ValueNumbering:
        """What is known at the beginning of a block; in one that may come `again`, nothing of arrays."""
        contents = {} if again else {array: dict(x) for array, x in self.contents.items()}
        return ValueNumbering(dict(self.names), self.values, contents, list(self.permutations))

    def after_block(self, block: ValueNumbering) -> None:
        """A block has been written that may or may not be gone through."""
        self.stored |= block.stored
        for array in block.stored:
            self.contents.pop(array, None)

    def define(self, name: str, value: Expr) -> None:
        self.values[name] = value
        if _pure(value):
            self.names.setdefault(value, name)

    def store(self, array: str, index: Expr, value: Expr) -> None:
        self.stored.add(array)
        contents = {i: x for i, x in self.contents.get(array, {}).items() if self._differ(i, index)}
        self.contents[array] = contents | (
            {index: value} if is_immutable(index) and is_immutable(value) else {}
        )

    def load(self, array: str, index: Expr, value: Expr) -> None:
        if is_immutable(index) and is_immutable(value):
            self.contents.setdefault(array, {})[index] = value

    def _differ(self, a: Expr, b: Expr) -> bool:
        if isinstance(a, int) and isinstance(b, int):
            return a != b
        return a != b and any(a in permutation and b in permutation for permutation in self.permutations)

    def permutation(self, array: str, number: int) -> list[Expr] | None:
        """So many indices, in an order in which it is known what the array holds at each."""
        contents = self.contents.get(array, {})
        whole = (x for x in self.permutations if len(x) == number and all(i in contents for i in x))
        return next(whole, None)

    def bit(self, index: Expr) -> Expr:
        """The set of one element: the very set that the element was picked from, if it was of one."""
        first = self._value(index)
        if isinstance(first, Op) and first.name == "first":
            one = self._value(first.args[0])
            if isinstance(one, Op) and one.name == "spread" and _is_bit(one.args[0]):
                return first.args[0]
        return op("bit", index)

    def _value(self, x: Expr) -> Expr:
        return self.values.get(x, x) if isinstance(x, str) else x


def is_immutable(x: Expr) -> bool:
    """Whether a value is the same as long as it can be named."""
    return isinstance(x, int) or (isinstance(x, str) and x[0] == "t")


def _pure(x: Expr) -> bool:
    """Whether a value depends on immutable ones only."""
    return all(map(_pure, x.args)) if isinstance(x, Op) and x.name != "load" else is_immutable(x)


def _is_bit(x: Expr) -> bool:
    return isinstance(x, Op) and x.name == "bit"
