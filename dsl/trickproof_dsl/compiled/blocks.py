"""Steps in which somebody chooses: Python functions that end where a decision is asked, and go on after it.

A block is a function of `m` and `v` that answers the next block, a `Decision`, or None at the end of the steps.  What a
later block needs is kept in `v` behind the program's values: what is bound, and of loops what is left to go through.
Every list of steps has its blocks twice, bare and careful (`python_values`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled.decision import question
from trickproof_dsl.compiled.identity_memo import kept
from trickproof_dsl.compiled.peephole import joined, looked_up_once
from trickproof_dsl.compiled.slots import ROUNDS, WORKED, Value, places_of
from trickproof_dsl.compiled.state import Match, State
from trickproof_dsl.compiled.statements import Steps, at_once, flat
from trickproof_dsl.core.binders import bound_by
from trickproof_dsl.core.traversal import walk

Block = Callable[[Match, list[Value]], Any]
"""Answers the next block, a decision, or None."""

Body = tuple[c.Stmt, ...]

MOST_BRANCHES = 15
"""Branches inside branches in one block: Python's own limit is 100 levels of indentation."""

UNBOUND = ...
"""What a name is bound to before it is bound: no value of a game, and itself again when it has been written and read."""

LOOPS = (c.Loop, c.Until)


class Code:
    """The blocks of some steps of a program, and where they keep what they need later."""

    def __init__(self, program: c.Program, body: Body) -> None:
        self.program, self.body = program, body
        steps, size = flat(body), places_of(program).size
        self.size = size
        nodes = list(walk(steps))
        own = [t for t in nodes if isinstance(t, LOOPS) and not at_once(t)]
        chosen = [t for t in nodes if isinstance(t, c.ChooseCards | c.ChooseValue)]
        names = [t.binder for t in own if isinstance(t, c.Loop)] + [t.binder for t in chosen]
        bound = {name for node in nodes for name, _ in bound_by(node)}
        self.free = sorted({e.name for e in nodes if isinstance(e, c.Local)} - bound)
        self.slots = {name: size + i for i, name in enumerate([*self.free, *names])}
        self.loops = {id(t): size + len(self.slots) + i for i, t in enumerate(own)}
        self.questions = {t.binder: question(t) for t in chosen}
        self.steps = steps
        self.beyond: list[Value] = [UNBOUND] * len(self.slots) + [None] * len(self.loops)
        self._careful: dict[str, Block] | None = None
        try:
            blocks = Blocks(self, bare=True).compiled()
        except (SyntaxError, MemoryError, RecursionError):  # too deep for Python
            blocks = Blocks(self, bare=False).compiled()
        self.begin: Block = blocks["begin"]
        for asked in self.questions.values():
            asked.after = blocks.get(f"after_{asked.place}")  # None after the end of a match

    def __reduce__(self) -> Any:
        return code_of, (self.program, self.body)

    def carefully(self, block: Block) -> Block:
        """The careful form of a block."""
        if self._careful is None:
            self._careful = Blocks(self, bare=False).compiled()
        return self._careful[block.__name__]

    def beginning(self, state: State) -> list[Value]:
        """The values with which the steps begin, in a state that waits for nothing."""
        begun = state.values[: self.size] + self.beyond
        begun[ROUNDS] = begun[WORKED] = 0
        for name in self.free:
            begun[self.slots[name]] = state.bound.get(name, UNBOUND)
        return begun

    def bound(self, values: list[Value]) -> dict[str, Value]:
        """What is bound while the steps are under way."""
        return {name: values[at] for name, at in self.slots.items() if values[at] is not UNBOUND}

    def under_way(self, values: list[Value]) -> tuple[Value, ...]:
        """Of every loop what is left to go through."""
        return tuple([values[at] for at in self.loops.values()])


@kept(400)
def code_of(program: c.Program, body: Body) -> Code:
    """The blocks of some steps of a program."""
    return Code(program, body)


class Blocks(Steps):
    """Text of blocks."""

    def __init__(self, code: Code, bare: bool) -> None:
        super().__init__(code.program, bare)
        self.code, self.branches = code, 0
        self.blocks: dict[str, list[str]] = {}
        self._block("begin", lambda: self._course(code.steps, "None", ()))

    def compiled(self) -> dict[str, Any]:
        blocks = joined(self.blocks) if self.bare else self.blocks
        for name, lines in blocks.items():
            lines = looked_up_once(lines, self.code.slots.values()) if self.bare else lines
            self.lines += [f"def {name}(m, v):", *[f"    {line}" for line in lines]]
        return super().compiled()

    def outside(self, name: str) -> str:
        return f"v[{self.code.slots[name]}]"

    def _block(self, name: str, lines: Callable[[], list[str]]) -> str:
        """A new block."""
        branches, self.branches = self.branches, 0
        self.blocks[name] = lines()
        self.branches = branches
        return name

    def _course(self, steps: Body, after: str, left: tuple[object, ...]) -> list[str]:
        """Carries out steps and goes on with a block; `left` are the steps that may come after these."""
        lines: list[str] = []
        for i, t in enumerate(steps):
            if at_once(t):
                lines += self.steps((t,), {})
            else:
                return lines + self._stop(t, steps[i + 1 :], after, left)
        return [*lines, f"return {after}"]

    def _then(self, steps: Body, after: str, left: tuple[object, ...]) -> str:
        """The block that carries out steps and goes on with a block."""
        return self._block(self.new("b"), lambda: self._course(steps, after, left)) if steps else after

    def _stop(self, t: c.Stmt, later: Body, after: str, left: tuple[object, ...]) -> list[str]:
        """A step that is not carried out at once, and what comes later."""
        match t:
            case c.Branch():
                join, to_come = self._then(later, after, left), (*later, *left)
                if self.branches >= MOST_BRANCHES:
                    then, otherwise = (self._then(flat(x), join, to_come) for x in (t.then, t.otherwise))
                    return [f"return {then} if {self.value(t.condition, {})} else {otherwise}"]
                self.branches += 1
                lines = [
                    f"if {self.value(t.condition, {})}:",
                    *[f"    {line}" for line in self._course(flat(t.then), join, to_come)],
                    *self._course(flat(t.otherwise), join, to_come),
                ]
                self.branches -= 1
                return lines
            case c.Loop() | c.Until():
                return self._going_round(t, self._then(later, after, left), (*later, *left))
            case c.ChooseCards() | c.ChooseValue():
                asked = self.code.questions[t.binder]
                asked.place, asked.code, asked.left = self.code.slots[t.binder], self.code, (*later, *left)
                self._block(f"after_{asked.place}", lambda: self._course(later, after, left))
                lines, answer = self.ask(t, asked, {})
                return [*lines, f"return {answer}"]
            case c.EndMatch():
                return [f"end_match(v, {self.value(t.winners, {})})", "return None"]
            case _:
                raise AssertionError("this is carried out at once")

    def _going_round(self, t: c.Loop | c.Until, join: str, to_come: tuple[object, ...]) -> list[str]:
        """A loop: what is left to go through is kept, and looked at in a block of its own."""
        place, rounds = self.code.loops[id(t)], self.counted(t)
        kept_at, head = f"v[{place}]", f"round_{place}"
        if isinstance(t, c.Loop):
            begin = f"{kept_at} = {self.ordered(t, {})}"
            left = self.new("l")
            lines = [f"{left} = {kept_at}", f"if not {left}:", f"    return {join}"]
            lines += [f"{self.outside(t.binder)} = {left}[0]", f"{kept_at} = {left}[1:]"]
        else:
            begin = f"{kept_at} = {self.value(t.bound, {})}"
            lines = [f"if {self.value(t.condition, {})}:", f"    return {join}"]
            lines += [f"{kept_at} = rounds_left({kept_at}, {self.constant(t)})"]
        self._block(head, lambda: [*lines, *rounds, *self._course(flat(t.body), head, (t, *to_come))])
        return [begin, f"return {head}"]
