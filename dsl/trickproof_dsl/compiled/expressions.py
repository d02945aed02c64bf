"""The meaning of every core expression: Python text, in which the expression stands almost as it is.

Sets are frozensets, names bound around an expression are Python's own variables, variables and zones are looked up in
the list of values `v` by their places.  The careful text calls `primitives` for whatever can break down, in the order in
which the rule is read.  The bare text leaves out what only tells how the rules break down, and takes the shorter of
several ways to the same value (`python_short`): it raises something wherever the careful text raises a `FaultError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, assert_never

from trickproof_dsl import core as c
from trickproof_dsl.compiled import runtime as primitives
from trickproof_dsl.compiled.fast_paths import shorter
from trickproof_dsl.compiled.slots import Row, places_of
from trickproof_dsl.diagnostics.source import Span

DEEPEST = 20
"""Expressions inside expressions in one line of text: Python's own limit is some 200 brackets."""

UNCOUNTED = 9_000
"""Elements that expressions and loops inside each other may go through without being counted."""

Scope = Mapping[str, str]
"""The Python variables of names bound around."""

_INFIX = {x: x for x in ("+", "-", "*", "<", "<=", ">", ">=", "and", "or")} | {"=": "==", "!=": "!="}
"""Python's operators; nothing else of a program gets into the text but by `repr`."""

_PRIMITIVES = {name: value for name, value in vars(primitives).items() if not name.startswith("_")}


class Text:
    """Python text in the making: functions of `m` and `v` (and of the names in scope), and what they refer to."""

    def __init__(self, program: c.Program, bare: bool) -> None:
        deck = program.deck
        self.program, self.places, self.bare = program, places_of(program), bare
        self.names: dict[str, Any] = {**_PRIMITIVES, "suit": deck.card_suit, "rank": deck.card_rank}
        self.lines: list[str] = []
        self.made = self.deep = 0
        self.around = 1
        self.shared: dict[object, str] = {}
        self.elements_of: dict[str, str] = {}
        sizes = {"players": program.players, "cards": len(deck.cards)}
        self.sizes = sizes | {"suits": len(deck.suits), "ranks": len(deck.ranks)}

    def new(self, letter: str) -> str:
        """A name that is not taken."""
        self.made += 1
        return f"{letter}{self.made}"

    def constant(self, value: object) -> str:
        """A name for a value that has no text."""
        name = self.new("k")
        self.names[name] = value
        return name

    def once(self, value: object) -> str:
        """A name for such a value, the same for equal ones."""
        if value not in self.shared:
            self.shared[value] = self.constant(value)
        return self.shared[value]

    def table(self, name: str, entries: object) -> str:
        """A name for something that is looked up, made once."""
        if name not in self.shared:
            self.shared[name] = self.constant(entries)
        return self.shared[name]

    def function(self, lines: Sequence[str], scope: Scope) -> str:
        """Such a function; answers the text of its call."""
        names = [x for name in scope.values() for x in (name, self.elements_of.get(name, ""))]
        variables = dict.fromkeys(x for x in names if x.isidentifier())
        name, arguments = self.new("f"), ", ".join(["m", "v", *variables])
        self.lines += [f"def {name}({arguments}):", *[f"    {line}" for line in lines]]
        return f"{name}({arguments})"

    def compiled(self) -> dict[str, Any]:
        """The functions by name."""
        exec(compile("\n".join(self.lines), "<rules>", "exec"), self.names)
        return self.names

    def held(self, place: str) -> str:
        """The text of what is in a place."""
        return f"v[{place}]"

    def outside(self, name: str) -> str:
        """The text of a name that is not in scope."""
        return f"m.bound[{name!r}]"

    # ------------------------------------------------------------------------------------------ values

    def value(self, e: c.Expr, scope: Scope) -> str:
        """The text of an expression; what is too deep becomes a function."""
        text = self.inside(lambda: self._value(e, scope))
        if text is not None:
            return text
        deep, self.deep = self.deep, 0
        call = self.function([f"return {self.value(e, scope)}"], scope)
        self.deep = deep
        return call

    def _value(self, e: c.Expr, scope: Scope) -> str:
        if self.bare and (short := shorter(self, e, scope)) is not None:
            return short
        match e:
            case c.Local():
                return scope.get(e.name) or self.outside(e.name)
            case c.Variable():
                return self.held(self.variable(e.name, e.arguments, e.span, scope))
            case c.ZoneCards():
                return f"frozenset({self.held(self.zone(e.zone, e.arguments, e.span, scope))})"
            case c.RuleValue():
                return self.value(e.value, scope)
            case c.Literal():
                if isinstance(e.value, tuple):
                    return self.once(frozenset(e.value))
                return f"({e.value!r})"
            case c.Universe():
                return self.once(frozenset(range(self.sizes[e.type.kind])))
            case c.Parameter():
                return f"m.parameters[{e.name!r}]"
            case c.Reading():
                return f"m.readings.get({e.rule!r}, 0)"
            case c.UnspecifiedValue():
                return f"unspecified({self.constant(e)})"
            case c.CardAttribute():
                x = self.value(e.card, scope)
                x = x if self.bare or sure(e.card, scope) else f"card({x}, {self.constant(e)})"
                return f"suit[{x}]" if e.attribute == "suit" else f"rank[{x}]"
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
                return f"(({self.given(e.player, scope)} + {e.offset!r}) % {self.program.players})"
            case c.Table():
                return f"{self.constant(e.entries)}[{self.given(e.index, scope)}]"
            case c.Range():
                low, high = self.value(e.low, scope), self.value(e.high, scope)
                return f"numbers({low}, {high}, {self.constant(e)})"
            case c.Size():
                return f"len({self.elements(e.set, scope)})"
            case c.Member():
                return f"({self.value(e.element, scope)} in {self.value(e.set, scope)})"
            case c.Single():
                x = self.value(e.element, scope)
                return f"frozenset(({x},))" if sure(e.element, scope) else f"single({x})"
            case c.SetOperation():
                joined = "|" if e.operator == "+" else "-"
                return f"({self.value(e.left, scope)} {joined} {self.value(e.right, scope)})"
            case c.Only():
                return f"only({self.value(e.operand, scope)}, {self.constant(e)})"
            case c.Matching():
                answering = "None" if e.answering is None else self.value(e.answering, scope)
                cards, pattern = self.value(e.operand, scope), self.value(e.pattern, scope)
                return f"matching(m.program.deck, {cards}, {pattern}, {answering}, {e.highest!r})"
            case c.Top():
                count, cards = self.value(e.count, scope), self.value(e.operand, scope)
                x = self.new("x")
                key = self.given(e.key, {**scope, e.binder: x})
                return f"top(v, {count}, {cards}, lambda {x}: {key}, {self.constant(e)})"
            case c.Filter() | c.Exists() | c.Sum() | c.UnionOf() | c.Extreme() | c.Best():
                return self._going_through(e, scope)
            case _:
                assert_never(e)

    def _going_through(
        self, e: c.Filter | c.Exists | c.Sum | c.UnionOf | c.Extreme | c.Best, scope: Scope
    ) -> str:
        x, domain = self.new("x"), self.elements(e.domain, scope)
        if not self.few(e.domain):
            domain = f"through(v, {domain}, {self.constant(e.span)})"
        with self.repeated(self.size(e.domain)):
            return self._gone_through(e, x, f"for {x} in {domain}", {**scope, e.binder: x})

    @contextmanager
    def repeated(self, times: int) -> Iterator[None]:
        """What is written within is carried out so many times, as for every element of a set."""
        around, self.around = self.around, self.around * times
        yield
        self.around = around

    def inside(self, write: Callable[[], str | None]) -> str | None:
        """Text inside other text; None where that is deep already, so that it has to become a function."""
        if self.deep >= DEEPEST:
            return None
        self.deep += 1
        text = write()
        self.deep -= 1
        return text

    def _gone_through(
        self,
        e: c.Filter | c.Exists | c.Sum | c.UnionOf | c.Extreme | c.Best,
        x: str,
        over: str,
        inner: Scope,
    ) -> str:
        match e:
            case c.Filter():
                return f"frozenset([{x} {over} if {self.value(e.condition, inner)}])"
            case c.Exists():
                condition = f"{self.value(e.condition, inner)} {over}"
                return f"any([{condition}])" if self.bare else f"any({condition})"
            case c.Sum():
                return f"sum([{self.value(e.value, inner)} {over}])"
            case c.UnionOf():
                return f"frozenset().union(*[{self.value(e.value, inner)} {over}])"
            case c.Extreme():
                return f"extreme([{self.given(e.value, inner)} {over}], {self.constant(e)})"
            case c.Best():
                return f"best([({self.given(e.key, inner)}, {x}) {over}], {e.highest!r})"

    def few(self, domain: c.Expr) -> bool:
        """Whether so little is gone through, for every element of what is gone through around it, that nobody counts."""
        return self.around * self.size(domain) <= UNCOUNTED

    def size(self, domain: c.Expr) -> int:
        """How many elements a set has at most."""
        return self.sizes.get(domain.type.kind, primitives.MOST_ROUNDS)

    def elements(self, e: c.Expr, scope: Scope) -> str:
        """The elements of a set in any order, each once."""
        if isinstance(e, c.RuleValue):
            return self.elements(e.value, scope)
        if isinstance(e, c.ZoneCards):
            return self.held(self.zone(e.zone, e.arguments, e.span, scope))
        return self.value(e, scope)

    def _compare(self, e: c.Compare, scope: Scope) -> str:
        left, right = self.value(e.left, scope), self.value(e.right, scope)
        plain = self.bare or (sure(e.left, scope) and sure(e.right, scope))
        if e.operator in ("=", "!=") or plain:
            return f"({left} {_INFIX[e.operator]} {right})"
        return f"compared({left}, {right}, {self.constant(e)})"

    def given(self, e: c.Expr, scope: Scope) -> str:
        """A player, rank or the like that must not be `none`; Python's plus refuses that as well."""
        text = self.value(e, scope)
        if sure(e, scope):
            return text
        return f"(+{text})" if self.bare else f"given({text}, {self.constant(e)})"

    def variable(self, name: str, owners: tuple[c.Expr, ...], span: Span, scope: Scope) -> str:
        """The place of an entry of a variable."""
        return self._entry(self.places.variable_rows[name], owners, span, scope)

    def zone(self, name: str, owners: tuple[c.Expr, ...], span: Span, scope: Scope) -> str:
        """The place of somebody's zone."""
        return self._entry(self.places.zone_rows[name], owners, span, scope)

    def _entry(self, row: Row, owners: tuple[c.Expr, ...], span: Span, scope: Scope) -> str:
        texts = [self.value(owner, scope) for owner in owners]
        if not self.bare and not all(sure(x, scope) for x in owners):
            return f"entry(({', '.join(texts)},), {self.once(row)}, {self.constant(span)})"
        first, added = row.first, []
        for text, stride in zip(texts, row.strides, strict=True):
            number = text.strip("()")
            if number.isdecimal():
                first += int(number) * stride
            else:
                added.append(text if stride == 1 else f"{stride} * {text}")
        return " + ".join([str(first), *added])


def sure(e: c.Expr, scope: Scope) -> bool:
    """Whether the value is never `none`, as far as can be seen at once."""
    match e:
        case c.Literal():
            return e.value is not None
        case c.Local() if e.name in scope:
            return not scope[e.name].startswith("chosen_")
        case c.RuleValue():
            return sure(e.value, scope)
        case c.Seat() | c.Table() | c.Only() | c.CardAttribute() | c.Extreme():
            return True
    return e.type.kind in ("integer", "boolean") or e.type.kind in c.SETS
