"""Steps in which somebody chooses, as one Python generator that hands over decisions: for hands played to their end.

It is the bare text of `python_steps` as it stands, loops and all: nothing is kept but what Python keeps.  So it is faster
than going from block to block (`python_blocks`), and cannot be begun in the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled import event_log as happened
from trickproof_dsl.compiled.blocks import Code
from trickproof_dsl.compiled.decision import Decision
from trickproof_dsl.compiled.expressions import Scope
from trickproof_dsl.compiled.fast_paths import legal_of, number_of
from trickproof_dsl.compiled.identity_memo import kept
from trickproof_dsl.compiled.peephole import KEEP, in_variables
from trickproof_dsl.compiled.slots import EVENTS, ROUNDS, WORKED, Value
from trickproof_dsl.compiled.state import Match
from trickproof_dsl.compiled.statements import Steps

Course = Callable[[Match, list[Value]], Generator[Decision, Value, None]]
"""Is sent choices and hands over decisions; what is not legal raises something."""


RESET = f"v[{ROUNDS}] = v[{WORKED}] = 0"
"""Counts begin anew after every decision."""


class _Course(Steps):
    """Text of such a generator."""

    def __init__(self, code: Code) -> None:
        super().__init__(code.program, bare=True)
        self.code = code
        lines = [*self.steps(code.steps, {}), KEEP, "return", "yield"]
        alone = [self.places.variables[key] for key in self.places.variables if len(key) == 1]
        lines = in_variables(lines, [EVENTS, *alone] if not self.lines else [])
        self.lines += ["def course(m, v):", *[f"    {line}" for line in lines]]

    def outside(self, name: str) -> str:
        return f"v[{self.code.slots[name]}]"

    def steps(self, body: Sequence[c.Stmt], scope: Scope) -> list[str]:
        lines: list[str] = []
        for t in body:
            lines += self.step(t, scope)
            if isinstance(t, c.ChooseCards | c.ChooseValue):
                scope = {**scope, t.binder: self._chosen(t)}
        return lines

    def step(self, t: c.Stmt, scope: Scope) -> list[str]:
        if isinstance(t, c.EndMatch):
            winners = self.new("w")
            return [f"{winners} = {self.value(t.winners, scope)}", KEEP, f"end_match(v, {winners})", "return"]
        if isinstance(t, c.ChooseCards | c.ChooseValue):
            return self._choice(t, scope)
        return super().step(t, scope)

    def _chosen(self, t: c.ChooseCards | c.ChooseValue) -> str:
        """The Python variable of what is chosen."""
        return f"chosen_{self.code.slots[t.binder]}"

    def _choice(self, t: c.ChooseCards | c.ChooseValue, scope: Scope) -> list[str]:
        """Hands over a decision and looks at the answer."""
        asked, chosen = self.code.questions[t.binder], self._chosen(t)
        lines, answer = self.ask(t, asked, scope)
        if isinstance(t, c.ChooseCards) and number_of(t) == 1:
            card = self.elements_of[chosen] = f"card_{asked.place}"
            lines += [f"{chosen} = yield {answer}", RESET, f"{card}, = {chosen}"]
            return [*lines, f"if {card} not in {legal_of(asked)}:", "    raise LookupError"]
        q = self.new("q")
        lines.append(f"{q} = {answer}")
        if isinstance(t, c.ChooseCards):
            lines += [f"if {q}.__class__ is Decision:", f"    {chosen} = legal_cards({q}, (yield {q}))"]
            lines.append(f"    {RESET}")
            return [*lines, "else:", f"    {chosen} = frozenset()"]
        lines += [f"{chosen} = yield {q}", RESET, f"if {chosen} not in {q}.among:", "    raise LookupError"]
        return [*lines, self.told(partial(happened.chosen, t.label, t.value_type), f"{q}.player", chosen)]


@kept(200)
def course_of(code: Code) -> Course | None:
    """The generator of some steps; None where they are nested too deeply for Python."""
    try:
        names: dict[str, Any] = _Course(code).compiled()
    except (SyntaxError, MemoryError, RecursionError):
        return None
    course: Course = names["course"]
    return course
