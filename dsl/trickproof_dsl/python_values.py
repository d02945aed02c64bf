"""The meaning of every core expression: Python text, in which the expression stands almost as it is.

Sets are frozensets, names bound around an expression are Python's own variables, and whatever can break down is a
call of `primitives`, in the order in which the rule is read.  `meaning` makes functions of the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from trickproof_dsl import core as c
from trickproof_dsl import primitives
from trickproof_dsl.source import Span

DEEPEST = 20
"""Expressions inside expressions in one line of text: Python's own limit is some 200 brackets."""

Scope = Mapping[str, str]
"""The Python variables of names bound around; other names are in `env.bound`."""

_UNIVERSES = {
    "players": "env.players",
    "cards": "len(env.suit)",
    "suits": "len(env.program.deck.suits)",
    "ranks": "len(env.program.deck.ranks)",
}
"""How many there are."""

_INFIX = {x: x for x in ("+", "-", "*", "<", "<=", ">", ">=", "and", "or")} | {"=": "==", "!=": "!="}
"""Python's operators; nothing else of a program gets into the text but by `repr`."""

_PRIMITIVES = {name: value for name, value in vars(primitives).items() if not name.startswith("_")}


@dataclass
class Text:
    """Python text in the making: functions of `env` (and of the names in scope), and what they refer to."""

    names: dict[str, Any] = field(default_factory=lambda: dict(_PRIMITIVES))
    lines: list[str] = field(default_factory=list)
    made: int = 0
    deep: int = 0

    def new(self, letter: str) -> str:
        """A name that is not taken."""
        self.made += 1
        return f"{letter}{self.made}"

    def constant(self, value: object) -> str:
        """A name for a value that has no text."""
        name = self.new("k")
        self.names[name] = value
        return name

    def function(self, lines: Sequence[str], scope: Scope) -> str:
        """Such a function; answers the text of its call."""
        name, arguments = self.new("f"), ", ".join(["env", *dict.fromkeys(scope.values())])
        self.lines += [f"def {name}({arguments}):", *[f"    {line}" for line in lines]]
        return f"{name}({arguments})"

    def compiled(self) -> dict[str, Any]:
        """The functions by name."""
        exec(compile("\n".join(self.lines), "<rules>", "exec"), self.names)
        return self.names

    # ------------------------------------------------------------------------------------------ values

    def value(self, e: c.Expr, scope: Scope) -> str:
        """The text of an expression; what is too deep becomes a function."""
        if self.deep < DEEPEST:
            self.deep += 1
            text = self._value(e, scope)
            self.deep -= 1
            return text
        deep, self.deep = self.deep, 0
        call = self.function([f"return {self.value(e, scope)}"], scope)
        self.deep = deep
        return call

    def _value(self, e: c.Expr, scope: Scope) -> str:
        match e:
            case c.Local():
                return scope.get(e.name) or f"env.bound[{e.name!r}]"
            case c.Variable():
                return f"env.variables[{self.key(e.name, e.arguments, e.span, scope)}]"
            case c.ZoneCards():
                return f"frozenset(env.zones[{self.key(e.zone, e.arguments, e.span, scope)}])"
            case c.RuleValue():
                return self.value(e.value, scope)
            case c.Literal():
                if isinstance(e.value, tuple):
                    return self.constant(frozenset(e.value))
                return f"({e.value!r})"
            case c.Universe():
                return f"everything({_UNIVERSES[e.type.kind]})"
            case c.Parameter():
                return f"env.parameters[{e.name!r}]"
            case c.Reading():
                return f"env.readings.get({e.rule!r}, 0)"
            case c.UnspecifiedValue():
                return f"unspecified({self.constant(e)})"
            case c.CardAttribute():
                x = self.value(e.card, scope)
                x = x if _sure(e.card, scope) else f"card({x}, {self.constant(e)})"
                return f"env.suit[{x}]" if e.attribute == "suit" else f"env.rank[{x}]"
            case c.Compare():
                return self._compare(e, scope)
            case c.Logic():
                return f"({self.value(e.left, scope)} {_INFIX[e.operator]} {self.value(e.right, scope)})"
            case c.Not():
                return f"(not {self.value(e.operand, scope)})"
            case c.Conditional():
                then, otherwise = self.value(e.then, scope), self.value(e.otherwise, scope)
                return f"({then} if {self.value(e.condition, scope)} else {otherwise})"
            case c.Arithmetic():
                left, right = self.value(e.left, scope), self.value(e.right, scope)
                if e.operator in ("div", "mod"):
                    return f"divided({left}, {right}, {self.constant(e)})"
                return f"reckoned({left} {_INFIX[e.operator]} {right}, {self.constant(e)})"
            case c.Seat():
                return f"(({self.given(e.player, scope)} + {e.offset!r}) % env.players)"
            case c.Table():
                return f"{self.constant(e.entries)}[{self.given(e.index, scope)}]"
            case c.Range():
                low, high = self.value(e.low, scope), self.value(e.high, scope)
                return f"numbers({low}, {high}, {self.constant(e)})"
            case c.Size():
                return f"len({self._elements(e.set, scope)})"
            case c.Member():
                return f"({self.value(e.element, scope)} in {self.value(e.set, scope)})"
            case c.Single():
                x = self.value(e.element, scope)
                return f"frozenset(({x},))" if _sure(e.element, scope) else f"single({x})"
            case c.SetOperation():
                joined = "|" if e.operator == "+" else "-"
                return f"({self.value(e.left, scope)} {joined} {self.value(e.right, scope)})"
            case c.Only():
                return f"only({self.value(e.operand, scope)}, {self.constant(e)})"
            case c.Matching():
                answering = "None" if e.answering is None else self.value(e.answering, scope)
                cards, pattern = self.value(e.operand, scope), self.value(e.pattern, scope)
                return f"matching(env, {cards}, {pattern}, {answering}, {e.highest!r})"
            case c.Top():
                count, cards = self.value(e.count, scope), self.value(e.operand, scope)
                x = self.new("x")
                key = self.given(e.key, {**scope, e.binder: x})
                return f"top(env, {count}, {cards}, lambda {x}: {key}, {self.constant(e)})"
            case c.Filter() | c.Exists() | c.Sum() | c.UnionOf() | c.Extreme() | c.Best():
                return self._going_through(e, scope)
            case _:
                assert_never(e)

    def _going_through(
        self, e: c.Filter | c.Exists | c.Sum | c.UnionOf | c.Extreme | c.Best, scope: Scope
    ) -> str:
        x = self.new("x")
        inner = {**scope, e.binder: x}
        over = f"for {x} in through(env, {self._elements(e.domain, scope)}, {self.constant(e.span)})"
        match e:
            case c.Filter():
                return f"frozenset([{x} {over} if {self.value(e.condition, inner)}])"
            case c.Exists():
                return f"any({self.value(e.condition, inner)} {over})"
            case c.Sum():
                return f"sum([{self.value(e.value, inner)} {over}])"
            case c.UnionOf():
                return f"frozenset().union(*[{self.value(e.value, inner)} {over}])"
            case c.Extreme():
                return f"extreme([{self.given(e.value, inner)} {over}], {self.constant(e)})"
            case c.Best():
                return f"best([({x}, {self.given(e.key, inner)}) {over}], {e.highest!r})"

    def _elements(self, e: c.Expr, scope: Scope) -> str:
        """The elements of a set in any order, each once."""
        if isinstance(e, c.RuleValue):
            return self._elements(e.value, scope)
        if isinstance(e, c.ZoneCards):
            return f"env.zones[{self.key(e.zone, e.arguments, e.span, scope)}]"
        return self.value(e, scope)

    def _compare(self, e: c.Compare, scope: Scope) -> str:
        left, right = self.value(e.left, scope), self.value(e.right, scope)
        if e.operator in ("=", "!=") or (_sure(e.left, scope) and _sure(e.right, scope)):
            return f"({left} {_INFIX[e.operator]} {right})"
        return f"compared({left}, {right}, {self.constant(e)})"

    def given(self, e: c.Expr, scope: Scope) -> str:
        """A player, rank or the like that must not be `none`."""
        text = self.value(e, scope)
        return text if _sure(e, scope) else f"given({text}, {self.constant(e)})"

    def key(self, name: str, owners: tuple[c.Expr, ...], span: Span, scope: Scope) -> str:
        """The entry of a variable or zone; faults where the owner is `none`."""
        texts = [repr(name), *[self.value(owner, scope) for owner in owners]]
        if not owners:
            return self.constant((name,))
        key = f"({', '.join(texts)})"
        return key if all(_sure(x, scope) for x in owners) else f"owned({key}, {self.constant(span)})"


def _sure(e: c.Expr, scope: Scope) -> bool:
    """Whether the value is never `none`, as far as can be seen at once."""
    match e:
        case c.Literal():
            return e.value is not None
        case c.Local() if e.name in scope:
            return True
        case c.RuleValue():
            return _sure(e.value, scope)
        case c.Seat() | c.Table() | c.Only() | c.CardAttribute() | c.Extreme():
            return True
    return e.type.kind in ("integer", "boolean") or e.type.kind in c.SETS
