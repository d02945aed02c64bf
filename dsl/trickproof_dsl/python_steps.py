"""The meaning of every core statement: Python text, in which steps stand one below the other.

Steps in which nobody chooses and nothing ends are carried out at once.  The others are what the machine stops at or
begins: they answer nothing and leave a frame or a decision behind (`interpret`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from trickproof_dsl import core as c
from trickproof_dsl.core.walk import walk
from trickproof_dsl.python_values import Scope, Text

DEEPEST_BLOCK = 8
"""Blocks inside blocks in one function: Python's own limit is 20 loops."""


def at_once(t: c.Stmt) -> bool:
    """Whether a step asks nobody and does not end the match."""
    return not any(isinstance(x, c.ChooseCards | c.ChooseValue | c.EndMatch) for x in walk(t))


def flat(body: tuple[c.Stmt, ...]) -> tuple[c.Stmt, ...]:
    """The same steps without rules around those that are not carried out at once."""
    if not any(isinstance(t, c.InRule) and not at_once(t) for t in body):
        return body
    steps = (flat(t.body) if isinstance(t, c.InRule) and not at_once(t) else (t,) for t in body)
    return tuple(t for part in steps for t in part)


def limiting_rule(domain: c.Expr) -> str | None:
    """The rule whose value a choice is made from, if it is one."""
    while isinstance(domain, c.Filter):
        domain = domain.domain
    return domain.rule if isinstance(domain, c.RuleValue) else None


class Steps(Text):
    """Text of steps as well."""

    block: int = 0

    def steps(self, body: Sequence[c.Stmt], scope: Scope) -> list[str]:
        """Steps that are carried out at once."""
        return [line for t in body for line in self._step(t, scope)]

    def _inner(self, body: Sequence[c.Stmt], scope: Scope) -> list[str]:
        """A block, indented."""
        self.block += 1
        if self.block % DEEPEST_BLOCK:
            lines = self.steps(body, scope)
        else:
            lines = [self.function(self.steps(body, scope) or ["pass"], scope)]
        self.block -= 1
        return [f"    {line}" for line in lines or ["pass"]]

    def _step(self, t: c.Stmt, scope: Scope) -> list[str]:
        match t:
            case c.Assign():
                entry = self.key(t.variable, t.arguments, t.span, scope)
                return [f"env.variables[{entry}] = {self.value(t.value, scope)}"]
            case c.Branch():
                lines = [f"if {self.value(t.condition, scope)}:", *self._inner(t.then, scope)]
                return [*lines, "else:", *self._inner(t.otherwise, scope)] if t.otherwise else lines
            case c.Loop():
                x = self.new("x")
                head = [f"for {x} in {self.ordered(t, scope)}:", f"    env.round({self.constant(t)})"]
                return [*head, *self._inner(t.body, {**scope, t.binder: x})]
            case c.Until():
                n, k = self.new("n"), self.constant(t)
                begin = [
                    f"{n} = {self.value(t.bound, scope)}",
                    f"while not {self.value(t.condition, scope)}:",
                ]
                rounds = [f"    {n} = env.another({n}, {k})", f"    env.round({k})"]
                return [*begin, *rounds, *self._inner(t.body, scope)]
            case c.InRule():
                return self.steps(t.body, scope)
            case c.Move():
                return self._move(t, scope)
            case c.Show():
                cards, to = self.new("c"), self.new("x")
                tell = (
                    f"        env.tell({self.constant(t)}, {cards}, {to}, {self.given(t.actor, scope)}, None)"
                )
                through = f"    for {to} in sorted({self.value(t.to, scope)}):"
                return [f"{cards} = {self.value(t.cards, scope)}", f"if {cards}:", through, tell]
            case c.Shuffle():
                return ["env.shuffle()"]
            case c.Deal():
                count = "None" if t.count is None else self.value(t.count, scope)
                return [f"env.deal({self.place(t.to, scope)}, {count}, {self.constant(t)})"]
            case c.Announce():
                told = "".join([f"({key!r}, {self._told(value, scope)}), " for key, value in t.fields])
                return [f"env.announce({t.event!r}, ({told}))"]
            case c.Unspecified():
                return [f"env.unspecified({self.constant(t)})"]
            case c.ChooseCards() | c.ChooseValue() | c.EndMatch():
                raise AssertionError("the machine stops here")
            case _:
                assert_never(t)

    def place(self, place: c.Place, scope: Scope) -> str:
        return self.key(place.zone, place.arguments, place.span, scope)

    def ordered(self, t: c.Loop, scope: Scope) -> str:
        """The elements of a loop in the order of the keys, ties as the order says."""
        x, keys = self.new("x"), []
        for highest, binder, e in t.order.keys:
            key = self.given(e, {**scope, binder: x})
            keys.append(f"-{key}" if highest else key)
        start = "None" if t.order.start is None else self.given(t.order.start, scope)
        key = f"lambda {x}: ({', '.join(keys)},)" if keys else "None"
        return f"env.ordered({self.value(t.domain, scope)}, {start}, {key}, {self.constant(t)})"

    def _move(self, t: c.Move, scope: Scope) -> list[str]:
        cards, k = self.new("c"), self.constant(t)
        source, target = self.place(t.source, scope), self.place(t.target, scope)
        get = f"{cards} = {self.value(t.cards, scope)}"
        move = f"env.move({cards}, {source}, {target}, {k})"
        if t.actor is None:
            return [get, move]
        to = "None" if t.to is None else self.given(t.to, scope)
        owner = t.source.arguments[0] if len(t.source.arguments) == 1 else None
        holder = "None" if owner is None or owner.type != c.PLAYER else self.given(owner, scope)
        tell = f"    env.tell({k}, {cards}, {to}, {self.given(t.actor, scope)}, {holder})"
        return [get, f"if {move}:", tell]

    def _told(self, value: c.Expr | str, scope: Scope) -> str:
        """A field of an announcement, with its type; zones keep their order, per-player variables become a tuple."""
        if isinstance(value, str):
            return f"*env.by_seat({value!r})"
        if isinstance(value, c.ZoneCards):
            key = self.key(value.zone, value.arguments, value.span, scope)
            return f"{self.constant(c.CARDS)}, env.zones[{key}]"
        return f"{self.constant(value.type)}, {self.value(value, scope)}"

    # --------------------------------------------------------------- what the machine stops at or begins

    def stop(self, t: c.Stmt) -> list[str]:
        """A step that is not carried out at once."""
        match t:
            case c.Branch():
                then, otherwise = self.constant(flat(t.then)), self.constant(flat(t.otherwise))
                return [f"env.begin({then} if {self.value(t.condition, {})} else {otherwise})"]
            case c.Loop():
                steps = self.constant(flat(t.body))
                return [f"env.begin_loop({self.constant(t)}, {steps}, {self.ordered(t, {})})"]
            case c.Until():
                steps = self.constant(flat(t.body))
                return [f"env.begin_until({self.constant(t)}, {steps}, {self.value(t.bound, {})})"]
            case c.ChooseCards():
                numbers = [self.value(x, {}) for x in (t.domain, t.low, t.high)]
                to = "None" if t.to is None else self.given(t.to, {})
                whose = "None" if t.whose is None else f"lambda: {self.given(t.whose, {})}"
                rule = repr(limiting_rule(t.domain) or t.rule)
                told = [*numbers, self.given(t.actor, {}), to, whose, rule, self.constant(t)]
                return [f"env.ask_cards({', '.join(told)})"]
            case c.ChooseValue():
                x, options = self.new("x"), f"env.options({self.value(t.domain, {})}, {self.constant(t)})"
                condition = self.value(t.condition, {t.binder: x})
                legal = f"[{x} for {x} in {options} if {condition}]"
                return [f"env.ask_value({self.given(t.actor, {})}, {legal}, {self.constant(t)})"]
            case c.EndMatch():
                return [f"env.end_match({self.value(t.winners, {})})"]
            case _:
                raise AssertionError("this is carried out at once")
