"""Blocks of statements that are under way: a state holds a stack of them, outermost first."""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl import core as c

Body = tuple[c.Stmt, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """A block under way: `body[index]` comes next.

    A block that a loop repeats has the loop and what is left of it: elements of `for`, or how often `repeat until`
    may go round again.
    """

    body: Body
    index: int = 0
    loop: c.Loop | c.Until | None = None
    rest: tuple[int, ...] | int = ()

    def after(self) -> Frame:
        """The same block with its next statement carried out."""
        return Frame(self.body, self.index + 1, self.loop, self.rest)
