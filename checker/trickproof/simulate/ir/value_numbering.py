"""Facts known at the current point of an integer program under construction: named values, and array contents.

May assume: locals whose names begin with `t` never change.  Promises: what is known holds on every path to
the point.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trickproof.simulate.ir.instructions import Expr, Op, op


@dataclass
class ValueNumbering:
    """Updated as statements are written; `in_block` gives the facts for a block, `after_block` those after it."""

    names: dict[Expr, str] = field(default_factory=dict)
    """Names of immutable values."""
    values: dict[str, Expr] = field(default_factory=dict)
    """The value of each name, in any block; names are unique."""
    contents: dict[str, dict[Expr, Expr]] = field(default_factory=dict)
    """Known contents of arrays, by index."""
    permutations: list[list[Expr]] = field(default_factory=list)
    """Lists of pairwise distinct indices; a list as long as an array covers it."""
    stored: set[str] = field(default_factory=set)
    """Arrays that have been written to."""

    def in_block(self, again: bool = False) -> ValueNumbering:
        """What is known at the start of a block; array contents are unknown if it may run `again`."""
        contents = {} if again else {array: dict(x) for array, x in self.contents.items()}
        return ValueNumbering(dict(self.names), self.values, contents, list(self.permutations))

    def after_block(self, block: ValueNumbering) -> None:
        """Account for a block that may or may not have been executed."""
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
        """A list of `number` distinct indices at which the array's contents are all known, or None."""
        contents = self.contents.get(array, {})
        whole = (x for x in self.permutations if len(x) == number and all(i in contents for i in x))
        return next(whole, None)

    def bit(self, index: Expr) -> Expr:
        """The singleton of an index; the very mask that the index was taken from, if that was a singleton."""
        first = self._value(index)
        if isinstance(first, Op) and first.name == "first":
            one = self._value(first.args[0])
            if isinstance(one, Op) and one.name == "spread" and _is_bit(one.args[0]):
                return first.args[0]
        return op("bit", index)

    def _value(self, x: Expr) -> Expr:
        return self.values.get(x, x) if isinstance(x, str) else x


def is_immutable(x: Expr) -> bool:
    """Whether a value never changes while its name is in scope."""
    return isinstance(x, int) or (isinstance(x, str) and x[0] == "t")


def _pure(x: Expr) -> bool:
    """Whether a value depends on immutable values only."""
    return all(map(_pure, x.args)) if isinstance(x, Op) and x.name != "load" else is_immutable(x)


def _is_bit(x: Expr) -> bool:
    return isinstance(x, Op) and x.name == "bit"
