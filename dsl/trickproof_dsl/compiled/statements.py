"""Compiles core statements without choices or ends to Python source, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from trickproof_dsl import core as c
from trickproof_dsl.compiled.expressions import ExpressionCompiler, Scope
from trickproof_dsl.compiled.runtime import MOST_ROUNDS
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.decisions import question

DEEPEST_BLOCK = 8
"""Maximum nesting of blocks in a function; Python allows 20 nested loops."""


def at_once(t: c.Stmt) -> bool:
    """Whether a statement contains neither a choice nor the end of the hand or match."""
    return not any(isinstance(x, c.Choice | c.EndHand | c.EndMatch) for x in walk(t))


def flat(body: tuple[c.Stmt, ...]) -> tuple[c.Stmt, ...]:
    """The statements, with rules inlined if they contain choices or ends."""
    if not any(isinstance(t, c.InRule) and not at_once(t) for t in body):
        return body
    parts = (flat(t.body) if isinstance(t, c.InRule) and not at_once(t) else (t,) for t in body)
    return tuple(t for part in parts for t in part)


class StatementCompiler:
    """Writes statements as lines of source."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self._expressions, self._module = expressions, expressions.module
        self._depth = 0

    def lines(self, body: Sequence[c.Stmt], scope: Scope) -> list[str]:
        """Compile statements in sequence."""
        return [line for t in body for line in self._statement(t, scope)]

    def _inner(self, body: Sequence[c.Stmt], scope: Scope) -> list[str]:
        """An indented block; if too deeply nested, it becomes a function."""
        self._depth += 1
        lines = self.lines(body, scope) or ["pass"]
        if self._depth % DEEPEST_BLOCK == 0:
            lines = [self._expressions.function(lines, scope)]
        self._depth -= 1
        return [f"    {line}" for line in lines]

    def _statement(self, t: c.Stmt, scope: Scope) -> list[str]:
        value, given = self._expressions.value, self._expressions.given
        match t:
            case c.Assign():
                return [f"{self._expressions.variable(t, scope)} = {value(t.value, scope)}"]
            case c.Branch():
                lines = [f"if {value(t.condition, scope)}:", *self._inner(t.then, scope)]
                return [*lines, "else:", *self._inner(t.otherwise, scope)] if t.otherwise else lines
            case c.Loop():
                return self._loop(t, scope)
            case c.Until():
                return self._until(t, scope)
            case c.Move():
                return self._move(t, scope)
            case c.Show():
                cards, to = self._module.new_name("c"), self._module.new_name("x")
                shown = f"moved({self._module.constant(t)}, {cards}, {given(t.actor, scope)}, {to})"
                lines = [f"{cards} = {value(t.cards, scope)}", f"if {cards}:"]
                return [*lines, f"    for {to} in sorted({value(t.to, scope)}):", f"        {_note(shown)}"]
            case c.Shuffle():
                return ["shuffle(m, s)"]
            case c.Deal():
                count = "None" if t.count is None else value(t.count, scope)
                to = self._expressions.slot(t.to, scope)
                return [f"deal(m, s, {to}, {count}, {self._module.constant(t)})"]
            case c.Announce():
                return [self._announce(t, scope)]
            case c.InRule():
                return self.lines(t.body, scope)
            case c.Unspecified():
                return [f"not_said({self._module.constant(t)})"]
            case c.ChooseCards() | c.ChooseValue() | c.EndHand() | c.EndMatch():
                raise AssertionError("this is not carried out at once")
            case _:
                assert_never(t)

    def _until(self, t: c.Until, scope: Scope) -> list[str]:
        rounds, k = self._module.new_name("n"), self._module.constant(t)
        begin = f"{rounds} = {self._expressions.value(t.bound, scope)}"
        with self._expressions.repeated(MOST_ROUNDS):
            lines = [f"while not {self._expressions.value(t.condition, scope)}:"]
            lines += [f"    {rounds} = rounds_left({rounds}, {k})", f"    another_round(s, {k})"]
            return [begin, *lines, *self._inner(t.body, scope)]

    def _loop(self, t: c.Loop, scope: Scope) -> list[str]:
        x = self._module.new_name("x")
        lines = [f"for {x} in {self.ordered(t, scope)}:"]
        if not self._expressions.is_few(t.domain):
            lines.append(f"    another_round(s, {self._module.constant(t)})")
        with self._expressions.repeated(self._expressions.most(t.domain)):
            return [*lines, *self._inner(t.body, {**scope, t.binder: x})]

    def ordered(self, t: c.Loop, scope: Scope) -> str:
        """The elements of a loop in the order of its keys, with ties broken as the order specifies."""
        given, x = self._expressions.given, self._module.new_name("x")
        keys = [("-" if high else "") + given(e, {**scope, binder: x}) for high, binder, e in t.order.keys]
        key = f"lambda {x}: ({', '.join(keys)},)" if keys else "None"
        start = "None" if t.order.start is None else given(t.order.start, scope)
        domain, players = self._expressions.value(t.domain, scope), self._expressions.program.players
        return f"ordered({players}, {domain}, {start}, {key}, {self._module.constant(t)})"

    def _move(self, t: c.Move, scope: Scope) -> list[str]:
        cards, k = self._module.new_name("c"), self._module.constant(t)
        source, target = self._expressions.slot(t.source, scope), self._expressions.slot(t.target, scope)
        get = f"{cards} = {self._expressions.value(t.cards, scope)}"
        move = f"move(z, {cards}, {source}, {target}, {k})"
        if t.actor is None:
            return [get, move]
        given = self._expressions.given
        actor, to = given(t.actor, scope), "None" if t.to is None else given(t.to, scope)
        owners = t.source.arguments
        holder = given(owners[0], scope) if [owner.type for owner in owners] == [c.PLAYER] else "None"
        holder = "None" if holder == actor else holder
        return [get, f"if {move}:", f"    {_note(f'moved({k}, {cards}, {actor}, {to}, {holder})')}"]

    def _announce(self, t: c.Announce, scope: Scope) -> str:
        """An event; zones keep their order, per-player variables become a tuple."""
        program, slots = self._expressions.program, self._expressions.slots
        fields, values = list[tuple[str, c.Type]](), list[str]()
        for key, field in t.fields:
            if isinstance(field, str):
                fields.append((key, program.variables[field].type))
                first = slots.variable_rows[field].first
                values.append(f"tuple(v[{first}:{first + program.players}])")
            else:
                fields.append((key, field.type))
                write = self._expressions
                values.append(
                    write.pile(field, scope) if isinstance(field, c.ZoneCards) else write.value(field, scope)
                )
        told = f"({', '.join(values)},)" if values else "()"
        return _note(f"announced({told}, {self._module.constant(tuple(fields))}, {self._module.constant(t)})")

    def ask(self, t: c.Choice, scope: Scope) -> str:
        """A decision, or None if nothing is asked."""
        value, given = self._expressions.value, self._expressions.given
        place = f"{self._module.shared(question(t))}, {self._module.constant(t)}"
        if isinstance(t, c.ChooseValue):
            x, options = (
                self._module.new_name("x"),
                f"options({value(t.domain, scope)}, {self._module.constant(t)})",
            )
            legal = f"[{x} for {x} in {options} if {value(t.condition, {**scope, t.binder: x})}]"
            return f"ask_value({given(t.actor, scope)}, {legal}, {place})"
        domain, low, high = (value(e, scope) for e in (t.domain, t.low, t.high))
        actor, to = given(t.actor, scope), "None" if t.to is None else given(t.to, scope)
        whose = actor if t.whose is None else given(t.whose, scope)
        holder = "None" if whose == actor else f"lambda: {whose}"
        return f"ask_cards({domain}, {low}, {high}, {actor}, {to}, {holder}, {place})"


def _note(event: str) -> str:
    """Append an event."""
    return f"s.events.append({event})"
