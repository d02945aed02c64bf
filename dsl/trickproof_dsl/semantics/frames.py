"""Running blocks of statements: a state has a stack of them, outermost first."""

from __future__ import annotations

from dataclasses import dataclass

from trickproof_dsl import core as c

Body = tuple[c.Stmt, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """A running block: `body[index]` is next.

    The body of a loop has the loop and its remaining work: elements of `for`, or how many iterations `repeat
    until` may still make.
    """

    body: Body
    index: int = 0
    loop: c.Loop | c.Until | None = None
    rest: tuple[int, ...] | int = ()

    def after(self) -> Frame:
        """The same block, advanced by one statement."""
        return Frame(self.body, self.index + 1, self.loop, self.rest)
