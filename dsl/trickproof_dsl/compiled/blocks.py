"""Compiles statements that contain choices to Python functions that end and resume at decisions.

A block is a function of the match and its memory that returns the next block, a decision, or None at the end
of the statements.  State needed by a later block is in the memory: bound names, and the remaining iterations
of loops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from trickproof_dsl import core as c
from trickproof_dsl.compiled.expressions import ExpressionCompiler, constants
from trickproof_dsl.compiled.memory import UNBOUND, Match, Memory
from trickproof_dsl.compiled.module import Module
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.compiled.statements import StatementCompiler, at_once, flat
from trickproof_dsl.core.binders import bound_by
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value

Body = tuple[c.Stmt, ...]

MOST_BRANCHES = 15
"""Maximum nesting of branches in a block; Python allows 100 levels of indentation."""


class Block(Protocol):
    """Statements up to the next decision or the next block."""

    def __call__(self, match: Match, memory: Memory, /) -> Block | Decision | None: ...


class Continuation(NamedTuple):
    """What follows a decision: the slot of the choice, the next block, the statements that may still run."""

    slot: int
    block: Block
    to_come: Body


class Code:
    """The blocks of a sequence of statements, and the slots of their state in the memory.

    `names` has the slots of bound names (`free` ones are bound outside), `loops` those of loops by identity.
    """

    def __init__(self, program: c.Program, body: Body) -> None:
        self.program, self.body, self.statements = program, body, flat(body)
        nodes = list(walk(self.statements))
        loops = [t for t in nodes if isinstance(t, c.Loop | c.Until) and not at_once(t)]
        choices = [t for t in nodes if isinstance(t, c.Choice)]
        bound = {name for node in nodes for name, _ in bound_by(node)}
        self.free = sorted({e.name for e in nodes if isinstance(e, c.Local)} - bound)
        binding = [*(t for t in loops if isinstance(t, c.Loop)), *choices]
        self.names = {name: slot for slot, name in enumerate([*self.free, *(t.binder for t in binding)])}
        self.loops = {id(t): slot for slot, t in enumerate(loops)}
        compiler = _BlockCompiler(self, {t.binder for t in binding if _never_none(t)})
        functions = compiler.functions()
        self.begin: Block = functions["begin"]
        self.continuations = {
            binder: Continuation(self.names[binder], functions[block], later)
            for binder, (block, later) in compiler.answered.items()
        }

    def __reduce__(self) -> tuple[Callable[..., Code], tuple[c.Program, Body]]:
        return code_of, (self.program, self.body)

    def prepare(self, memory: Memory, bound: Mapping[str, Value]) -> None:
        """Prepare a memory for the first block, with the names bound around the statements."""
        memory.bound = [bound.get(name, UNBOUND) for name in self.free]
        memory.bound += [UNBOUND] * (len(self.names) - len(self.free))
        memory.loops = [0] * len(self.loops)

    def bound(self, memory: Memory) -> dict[str, Value]:
        """The names bound while the statements are running."""
        values = zip(self.names, memory.bound, strict=True)
        return {name: value for name, value in values if value is not UNBOUND}


@cached_by_identity(400)
def code_of(program: c.Program, body: Body) -> Code:
    """The blocks of a sequence of statements."""
    return Code(program, body)


def _never_none(t: c.Loop | c.Choice) -> bool:
    """Whether the value that a statement binds cannot be `none`."""
    return not isinstance(t, c.ChooseValue) or not t.or_none


class _BlockCompiler:
    """Writes the blocks; `answered` has, for every choice, the block after it and the statements that may follow."""

    def __init__(self, code: Code, present: set[str]) -> None:
        self._code, self._module = code, Module(constants(code.program.deck))
        bound = {name: f"b[{slot}]" for name, slot in code.names.items()}
        self._expressions = ExpressionCompiler(self._module, code.program, bound, present)
        self._statements = StatementCompiler(self._expressions)
        self._branches = 0
        self.answered: dict[str, tuple[str, Body]] = {}
        self._block("begin", lambda: self._course(code.statements, "None", ()))

    def functions(self) -> Mapping[str, Block]:
        """The blocks by name."""
        return self._module.functions()

    def _block(self, name: str, lines: Callable[[], list[str]]) -> str:
        """Define a block."""
        branches, self._branches = self._branches, 0
        self._module.define(name, lines())
        self._branches = branches
        return name

    def _course(self, body: Body, after: str, later: Body) -> list[str]:
        """Execute statements and continue with a block; `later` are the statements that may follow these."""
        lines: list[str] = []
        for i, t in enumerate(body):
            if not at_once(t):
                return lines + self._stop(t, body[i + 1 :], after, later)
            lines += self._statements.lines((t,), {})
        return [*lines, f"return {after}"]

    def _then(self, body: Body, after: str, later: Body) -> str:
        """The block that executes statements and continues with a block."""
        if not body:
            return after
        return self._block(self._module.new_name("b"), lambda: self._course(body, after, later))

    def _stop(self, t: c.Stmt, rest: Body, after: str, later: Body) -> list[str]:
        """A statement that cannot be executed in line, and its continuation."""
        match t:
            case c.Branch():
                return self._branch(t, self._then(rest, after, later), (*rest, *later))
            case c.Loop() | c.Until():
                return self._loop(t, self._then(rest, after, later), (*rest, *later))
            case c.ChooseCards() | c.ChooseValue():
                return self._choice(t, rest, after, later)
            case c.EndHand():
                return [f"end_hand(s, {t.again})", "return None"]
            case c.EndMatch():
                return [f"end_match(s, {self._expressions.value(t.winners, {})})", "return None"]
            case _:
                raise AssertionError("this is carried out at once")

    def _branch(self, t: c.Branch, after: str, later: Body) -> list[str]:
        condition, then, otherwise = self._expressions.value(t.condition, {}), flat(t.then), flat(t.otherwise)
        if self._branches >= MOST_BRANCHES:
            return [
                f"return {self._then(then, after, later)} if {condition} else {self._then(otherwise, after, later)}"
            ]
        self._branches += 1
        lines = [f"if {condition}:", *[f"    {line}" for line in self._course(then, after, later)]]
        lines += self._course(otherwise, after, later)
        self._branches -= 1
        return lines

    def _choice(self, t: c.Choice, rest: Body, after: str, later: Body) -> list[str]:
        slot, decision = self._code.names[t.binder], self._module.new_name("d")
        block = self._block(f"after_{slot}", lambda: self._course(rest, after, later))
        self.answered[t.binder] = block, (*rest, *later)
        if isinstance(t, c.ChooseValue):
            return [f"return {self._statements.ask(t, {})}"]
        lines = [f"{decision} = {self._statements.ask(t, {})}", f"if {decision}:", f"    return {decision}"]
        return [*lines, f"b[{slot}] = frozenset()", f"return {block}"]

    def _loop(self, t: c.Loop | c.Until, after: str, later: Body) -> list[str]:
        """The remaining iterations are tested in a block of their own."""
        slot, k = self._code.loops[id(t)], self._module.constant(t)
        rest, head = f"r[{slot}]", f"round_{slot}"
        if isinstance(t, c.Loop):
            begin = f"{rest} = {self._statements.ordered(t, {})}"
            lines = [f"if not {rest}:", f"    return {after}"]
            lines.append(f"b[{self._code.names[t.binder]}], {rest} = {rest}[0], {rest}[1:]")
        else:
            begin = f"{rest} = {self._expressions.value(t.bound, {})}"
            lines = [f"if {self._expressions.value(t.condition, {})}:", f"    return {after}"]
            lines.append(f"{rest} = rounds_left({rest}, {k})")
        lines.append(f"another_round(s, {k})")
        self._block(head, lambda: [*lines, *self._course(flat(t.body), head, (t, *later))])
        return [begin, f"return {head}"]
