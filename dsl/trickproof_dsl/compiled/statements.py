"""The meaning of core statements in which nobody chooses and nothing ends: Python text, one step below the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

from trickproof_dsl import core as c
from trickproof_dsl.compiled import runtime_actions as actions
from trickproof_dsl.compiled.decision import Question
from trickproof_dsl.compiled.event_log import Event, announced, moved
from trickproof_dsl.compiled.expressions import Scope, Text
from trickproof_dsl.compiled.fast_paths import lying, short_ask, short_move, short_only, short_order
from trickproof_dsl.compiled.runtime import MOST_ROUNDS
from trickproof_dsl.compiled.slots import EVENTS, ROUNDS
from trickproof_dsl.core.traversal import walk

DEEPEST_BLOCK = 8
"""Blocks inside blocks in one function: Python's own limit is 20 loops."""

_ACTIONS = {name: value for name, value in vars(actions).items() if not name.startswith("_")}


def at_once(t: c.Stmt) -> bool:
    """Whether a step asks nobody and does not end the match."""
    return not any(isinstance(x, c.ChooseCards | c.ChooseValue | c.EndMatch) for x in walk(t))


def flat(body: tuple[c.Stmt, ...]) -> tuple[c.Stmt, ...]:
    """The same steps without rules around those that are not carried out at once."""
    if not any(isinstance(t, c.InRule) and not at_once(t) for t in body):
        return body
    steps = (flat(t.body) if isinstance(t, c.InRule) and not at_once(t) else (t,) for t in body)
    return tuple(t for part in steps for t in part)


class Steps(Text):
    """Text of steps as well."""

    def __init__(self, program: c.Program, bare: bool) -> None:
        super().__init__(program, bare)
        self.names |= _ACTIONS
        self.block = 0

    def steps(self, body: Sequence[c.Stmt], scope: Scope) -> list[str]:
        """Steps one after another."""
        return [line for t in body for line in self.step(t, scope)]

    def _inner(self, body: Sequence[c.Stmt], scope: Scope) -> list[str]:
        """A block, indented."""
        self.block += 1
        if self.block % DEEPEST_BLOCK or not all(map(at_once, body)):
            lines = self.steps(body, scope)
        else:
            lines = [self.function(self.steps(body, scope) or ["pass"], scope)]
        self.block -= 1
        return [f"    {line}" for line in lines or ["pass"]]

    def step(self, t: c.Stmt, scope: Scope) -> list[str]:
        """One step."""
        match t:
            case c.Assign():
                entry = self.variable(t.variable, t.arguments, t.span, scope)
                only = short_only(self, t.value, scope) if self.bare else None
                return [f"v[{entry}], = {only}" if only else f"v[{entry}] = {self.value(t.value, scope)}"]
            case c.Branch():
                lines = [f"if {self.value(t.condition, scope)}:", *self._inner(t.then, scope)]
                return [*lines, "else:", *self._inner(t.otherwise, scope)] if t.otherwise else lines
            case c.Loop():
                return self._loop(t, scope)
            case c.Until():
                return self._until(t, scope)
            case c.InRule():
                return self.steps(t.body, scope)
            case c.Move():
                return self._move(t, scope)
            case c.Show():
                cards, to = self.new("c"), self.new("x")
                note = f"        {self.note(t, cards, to, self.given(t.actor, scope), 'None')}"
                through = f"    for {to} in sorted({self.value(t.to, scope)}):"
                return [f"{cards} = {self.value(t.cards, scope)}", f"if {cards}:", through, note]
            case c.Shuffle():
                return ["shuffle(m, v)"]
            case c.Deal():
                count = "None" if t.count is None else self.value(t.count, scope)
                return [f"deal(m, v, {self.place(t.to, scope)}, {count}, {self.constant(t)})"]
            case c.Announce():
                kinds = tuple([(key, self._kind(value)) for key, value in t.fields])
                told = [self._told(value, scope) for _, value in t.fields]
                return [self.told(partial(announced, t.event, kinds), *told)]
            case c.Unspecified():
                return [f"not_said({self.constant(t)})"]
            case c.ChooseCards() | c.ChooseValue() | c.EndMatch():
                raise AssertionError("this is not carried out at once")
            case _:
                assert_never(t)

    def _until(self, t: c.Until, scope: Scope) -> list[str]:
        n, k = self.new("n"), self.constant(t)
        begin = f"{n} = {self.value(t.bound, scope)}"
        counted = [f"    {line}" for line in self.counted(t)]
        with self.repeated(MOST_ROUNDS if at_once(t) else 1):
            head = [f"while not {self.value(t.condition, scope)}:", f"    {n} = rounds_left({n}, {k})"]
            return [begin, *head, *counted, *self._inner(t.body, scope)]

    def _loop(self, t: c.Loop, scope: Scope) -> list[str]:
        x = self.new("x")
        head = [f"for {x} in {self.ordered(t, scope)}:"]
        if not self.few(t.domain) or not at_once(t):
            head += [f"    {line}" for line in self.counted(t)]
        with self.repeated(self.size(t.domain) if at_once(t) else 1):
            return [*head, *self._inner(t.body, {**scope, t.binder: x})]

    def counted(self, t: c.Loop | c.Until) -> list[str]:
        """Counts a round of a loop."""
        if self.bare:
            return [f"v[{ROUNDS}] += 1", f"if v[{ROUNDS}] > MOST_ROUNDS_AT_ONCE:", "    raise OverflowError"]
        return [f"another_round(v, {self.constant(t)})"]

    def ask(self, t: c.ChooseCards | c.ChooseValue, asked: Question, scope: Scope) -> tuple[list[str], str]:
        """Steps, and the text of a decision; or of the block that comes next, when nothing is asked."""
        told = f"{self.once(asked)}, {self.constant(t)}"
        if isinstance(t, c.ChooseValue):
            x, options = self.new("x"), f"options({self.value(t.domain, scope)}, {self.constant(t)})"
            legal = f"[{x} for {x} in {options} if {self.value(t.condition, {**scope, t.binder: x})}]"
            return [], f"ask_value({self.given(t.actor, scope)}, {legal}, {told})"
        if self.bare and (short := short_ask(self, t, asked, scope)) is not None:
            return short
        domain = lying(self, t.domain, scope) if self.bare else self.value(t.domain, scope)
        low, high, actor = self.value(t.low, scope), self.value(t.high, scope), self.given(t.actor, scope)
        to = "None" if t.to is None else self.given(t.to, scope)
        whose = actor if t.whose is None else self.given(t.whose, scope)
        holder = "None" if whose == actor else f"lambda: {whose}"
        return [], f"ask_cards(v, {domain}, {low}, {high}, {actor}, {to}, {holder}, {told})"

    def place(self, place: c.Place, scope: Scope) -> str:
        """Where somebody's cards are kept."""
        return self.zone(place.zone, place.arguments, place.span, scope)

    def ordered(self, t: c.Loop, scope: Scope) -> str:
        """The elements of a loop in the order of the keys, ties as the order says."""
        if self.bare and (short := short_order(self, t, scope)) is not None:
            return short
        x, keys = self.new("x"), []
        for highest, binder, e in t.order.keys:
            key = self.given(e, {**scope, binder: x})
            keys.append(f"-{key}" if highest else key)
        start = "None" if t.order.start is None else self.given(t.order.start, scope)
        key = f"lambda {x}: ({', '.join(keys)},)" if keys else "None"
        return f"ordered(m, {self.value(t.domain, scope)}, {start}, {key}, {self.constant(t)})"

    def _move(self, t: c.Move, scope: Scope) -> list[str]:
        if self.bare and (short := short_move(self, t, scope)) is not None:
            return short
        cards = self.new("c")
        source, target = self.place(t.source, scope), self.place(t.target, scope)
        get = f"{cards} = {self.value(t.cards, scope)}"
        move = f"move(v, {cards}, {source}, {target}, {self.constant(t)})"
        if t.actor is None:
            return [get, move]
        return [get, f"if {move}:", f"    {self.note_of_move(t, cards, scope)}"]

    def note_of_move(self, t: c.Move, cards: str, scope: Scope) -> str:
        """Notes who has moved cards, to whom, and whose they were."""
        assert t.actor is not None
        to = "None" if t.to is None else self.given(t.to, scope)
        actor, owners = self.given(t.actor, scope), t.source.arguments
        holder = self.given(owners[0], scope) if [owner.type for owner in owners] == [c.PLAYER] else "None"
        return self.note(t, cards, to, actor, "None" if holder == actor else holder)

    def note(self, t: c.Move | c.Show, cards: str, to: str, actor: str, holder: str) -> str:
        """Notes that cards have been moved or shown."""
        others = [] if to == holder == "None" else [to, holder]
        return self.told(partial(moved, t), cards, actor, *others)

    def told(self, make: Callable[..., Event], *values: str) -> str:
        """Notes what an event is made of."""
        return f"v[{EVENTS}] = [v[{EVENTS}], {', '.join([self.constant(make), *values])}]"

    def _kind(self, value: c.Expr | str) -> c.Type:
        """The type of a field of an announcement."""
        return self.program.variables[value].type if isinstance(value, str) else value.type

    def _told(self, value: c.Expr | str, scope: Scope) -> str:
        """A field of an announcement: zones keep their order, per-player variables become a tuple."""
        if isinstance(value, str):
            first = self.places.variable_rows[value].first
            return f"tuple(v[{first}:{first + self.program.players}])"
        if isinstance(value, c.ZoneCards):
            return f"v[{self.zone(value.zone, value.arguments, value.span, scope)}]"
        return self.value(value, scope)
