"""Compiles core expressions to Python source that follows their structure closely.

Sets are frozensets, names bound within an expression are Python locals; variables, zones and names bound by
statements are looked up by slot in the lists `v`, `z` and `b`.  The source calls `runtime` for whatever can
fault, in evaluation order, omitting checks that are provably redundant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import assert_never

from trickproof_dsl import core as c
from trickproof_dsl.compiled.module import Module
from trickproof_dsl.compiled.runtime import MOST_ROUNDS
from trickproof_dsl.compiled.slots import Row, slots_of
from trickproof_dsl.core.faults import fault_sites, may_be_none
from trickproof_dsl.core.traversal import stripped
from trickproof_dsl.diagnostics.source import Span

DEEPEST = 20
"""Maximum nesting of expressions in a line of source; Python allows some 200 brackets."""

UNCOUNTED = 9_000
"""Iterations of nested expressions and loops that need not be counted."""

Scope = Mapping[str, str]
"""The Python locals of names bound within an expression or by loops around it: elements of sets, so never `none`."""

_INFIX = {x: x for x in ("+", "-", "*", "<", "<=", ">", ">=", "and", "or")} | {"=": "==", "!=": "!="}
"""Python's operators; any other text from a program enters the source only through `repr`."""

Quantified = c.Filter | c.Exists | c.Sum | c.UnionOf | c.Extreme | c.Best


class ExpressionCompiler:
    """Writes expressions as Python source.

    `bound` has the source text of names that statements bind, `present` those of them that are never `none`.
    """

    def __init__(
        self, module: Module, program: c.Program, bound: Mapping[str, str], present: Collection[str]
    ) -> None:
        self.module, self.program, self.slots = module, program, slots_of(program)
        self._bound, self._present = bound, present
        deck = program.deck
        sizes = {"players": program.players, "cards": len(deck.cards)}
        self._sizes = sizes | {"suits": len(deck.suits), "ranks": len(deck.ranks)}
        self._depth, self._repetitions = 0, 1

    def value(self, e: c.Expr, scope: Scope) -> str:
        """The source of an expression; if too deeply nested, it becomes a function."""
        if self._depth < DEEPEST:
            self._depth += 1
            text = self._value(e, scope)
            self._depth -= 1
            return text
        self._depth = 0
        lines = [f"return {self.value(e, scope)}"]
        self._depth = DEEPEST
        return self.function(lines, scope)

    def function(self, lines: list[str], scope: Scope) -> str:
        """Define a function with names in scope; return the source of its call."""
        return self.module.define(self.module.new_name("f"), lines, list(dict.fromkeys(scope.values())))

    def _value(self, e: c.Expr, scope: Scope) -> str:
        constant = self.module.constant
        match e:
            case c.Literal():
                return (
                    self.module.shared(frozenset(e.value)) if isinstance(e.value, tuple) else f"({e.value!r})"
                )
            case c.Parameter():
                return f"m.parameters[{e.name!r}]"
            case c.Reading():
                return f"m.readings.get({e.rule!r}, 0)"
            case c.Local():
                return scope.get(e.name) or self._bound[e.name]
            case c.Variable():
                return f"v[{self._entry(self.slots.variable_rows[e.name], e.arguments, e.span, scope)}]"
            case c.ZoneCards():
                return f"frozenset({self.pile(e, scope)})"
            case c.Arithmetic():
                left, right = self.value(e.left, scope), self.value(e.right, scope)
                if e.operator in ("div", "mod"):
                    return f"divided({left}, {right}, {constant(e)})"
                return f"bounded({left} {_INFIX[e.operator]} {right}, {constant(e)})"
            case c.Compare():
                left, right = self.value(e.left, scope), self.value(e.right, scope)
                if e.operator in ("=", "!=") or (self._given(e.left, scope) and self._given(e.right, scope)):
                    return f"({left} {_INFIX[e.operator]} {right})"
                return f"compared({left}, {right}, {constant(e)})"
            case c.Logic():
                return f"({self.value(e.left, scope)} {_INFIX[e.operator]} {self.value(e.right, scope)})"
            case c.Not():
                return f"(not {self.value(e.operand, scope)})"
            case c.Conditional():
                then, otherwise = self.value(e.then, scope), self.value(e.otherwise, scope)
                return f"({then} if {self.value(e.condition, scope)} else {otherwise})"
            case c.Seat():
                return f"(({self.given(e.player, scope)} + {e.offset!r}) % {self.program.players})"
            case c.Table():
                return f"{constant(e.entries)}[{self.given(e.index, scope)}]"
            case c.CardAttribute():
                card = self.value(e.card, scope)
                card = card if self._given(e.card, scope) else f"card({card}, {constant(e)})"
                return f"suit[{card}]" if e.attribute == "suit" else f"rank[{card}]"
            case c.Universe():
                return self.module.shared(frozenset(range(self._sizes[e.type.kind])))
            case c.Range():
                return f"numbers({self.value(e.low, scope)}, {self.value(e.high, scope)}, {constant(e)})"
            case c.SetOperation():
                infix = "|" if e.operator == "+" else "-"
                return f"({self.value(e.left, scope)} {infix} {self.value(e.right, scope)})"
            case c.Single():
                x = self.value(e.element, scope)
                return f"frozenset(({x},))" if self._given(e.element, scope) else f"single({x})"
            case c.Member():
                return f"({self.value(e.element, scope)} in {self.value(e.set, scope)})"
            case c.Size():
                return f"len({self._elements(e.set, scope)})"
            case c.Filter() | c.Exists() | c.Sum() | c.UnionOf() | c.Extreme() | c.Best():
                return self._quantified(e, scope)
            case c.Matching():
                cards, pattern = self.value(e.operand, scope), self.value(e.pattern, scope)
                answering = "None" if e.answering is None else self.value(e.answering, scope)
                return f"matching(m.program.deck, {cards}, {pattern}, {answering}, {e.highest!r})"
            case c.Top():
                count, cards = self.value(e.count, scope), self.value(e.operand, scope)
                x = self.module.new_name("x")
                key = self.given(e.key, {**scope, e.binder: x})
                return f"top(s, {count}, {cards}, lambda {x}: {key}, {constant(e)})"
            case c.Only():
                return f"only({self.value(e.operand, scope)}, {constant(e)})"
            case c.RuleValue():
                return self.value(e.value, scope)
            case c.UnspecifiedValue():
                if e.otherwise is not None:
                    return str(e.otherwise)
                return f"unspecified({constant(e)})"
            case _:
                assert_never(e)

    # ------------------------------------------------------------------------------------------- sets

    def _quantified(self, e: Quantified, scope: Scope) -> str:
        few, domain = self.is_few(e.domain), self._elements(e.domain, scope)
        if few and isinstance(e, c.Filter | c.Exists) and (alike := self._alike(e, scope)):
            is_filter = isinstance(e, c.Filter)
            return f"{alike}.intersection({domain})" if is_filter else f"(not {alike}.isdisjoint({domain}))"
        if not few:
            domain = f"counted(s, {domain}, {self.module.constant(e.span)})"
        if any(fault_sites(_repeated(e))) and not isinstance(stripped(e.domain), c.Universe):
            domain = f"sorted({domain})"
        x = self.module.new_name("x")
        with self.repeated(self.most(e.domain)):
            return self._for_each(e, x, f"for {x} in {domain}", {**scope, e.binder: x})

    def _for_each(self, e: Quantified, x: str, each: str, inner: Scope) -> str:
        match e:
            case c.Filter():
                return f"frozenset([{x} {each} if {self.value(e.condition, inner)}])"
            case c.Exists():
                return f"any({self.value(e.condition, inner)} {each})"
            case c.Sum():
                return f"sum([{self.value(e.value, inner)} {each}])"
            case c.UnionOf():
                return f"frozenset().union(*[{self.value(e.value, inner)} {each}])"
            case c.Extreme():
                return f"extreme([{self.given(e.value, inner)} {each}], {self.module.constant(e)})"
            case c.Best():
                return f"best([({self.given(e.key, inner)}, {x}) {each}], {e.highest!r})"

    def _alike(self, e: c.Filter | c.Exists, scope: Scope) -> str | None:
        """All cards of the suit or rank that a condition requires, if evaluating that cannot fault; otherwise None."""
        condition = stripped(e.condition)
        if e.domain.type != c.CARDS or not isinstance(condition, c.Compare) or condition.operator != "=":
            return None
        for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
            side = stripped(side)
            if isinstance(side, c.CardAttribute) and side.attribute != "height":
                card = stripped(side.card)
                if isinstance(card, c.Local) and card.name == e.binder and _is_plain(other, e.binder):
                    return f"all_of_{side.attribute}.get({self.value(other, scope)}, nothing)"
        return None

    @contextmanager
    def repeated(self, times: int) -> Iterator[None]:
        """What is compiled inside the block runs that many times, as for every element of a set."""
        outside, self._repetitions = self._repetitions, self._repetitions * times
        yield
        self._repetitions = outside

    def is_few(self, domain: c.Expr) -> bool:
        """Whether the iterations, including those of the enclosing loops, are few enough not to be counted."""
        return self._repetitions * self.most(domain) <= UNCOUNTED

    def most(self, domain: c.Expr) -> int:
        """Upper bound on the size of a set."""
        return self._sizes.get(domain.type.kind, MOST_ROUNDS)

    def _elements(self, e: c.Expr, scope: Scope) -> str:
        """The distinct elements of a set in any order; for a universe, in order of index."""
        e = stripped(e)
        if isinstance(e, c.Universe):
            return self.module.shared(tuple(range(self._sizes[e.type.kind])))
        return self.pile(e, scope) if isinstance(e, c.ZoneCards) else self.value(e, scope)

    # ------------------------------------------------------------------------------- entries and `none`

    def given(self, e: c.Expr, scope: Scope) -> str:
        """A value of an index type that must not be `none`."""
        text = self.value(e, scope)
        return text if self._given(e, scope) else f"given({text}, {self.module.constant(e)})"

    def _given(self, e: c.Expr, scope: Scope) -> bool:
        """Whether the value is provably never `none`."""
        e = stripped(e)
        if isinstance(e, c.Local) and (e.name in scope or e.name in self._present):
            return True
        return not may_be_none(e)

    def variable(self, t: c.Assign, scope: Scope) -> str:
        """The target of an assignment."""
        return f"v[{self._entry(self.slots.variable_rows[t.variable], t.arguments, t.span, scope)}]"

    def pile(self, place: c.Place | c.ZoneCards, scope: Scope) -> str:
        """The cards of a zone, in order."""
        return f"z[{self.slot(place, scope)}]"

    def slot(self, place: c.Place | c.ZoneCards, scope: Scope) -> str:
        """The slot of a zone."""
        return self._entry(self.slots.zone_rows[place.zone], place.arguments, place.span, scope)

    def _entry(self, row: Row, owners: tuple[c.Expr, ...], span: Span, scope: Scope) -> str:
        texts = [self.value(owner, scope) for owner in owners]
        if not all(self._given(owner, scope) for owner in owners):
            what = f"{self.module.shared(row)}, {self.module.constant(span)}"
            if len(texts) > 1:
                return f"entry(({', '.join(texts)}), {what})"
            texts = [f"owner({texts[0]}, {what})"]
        terms = [f"{stride} * {text}" for text, stride in zip(texts, row.strides, strict=True)]
        return " + ".join([str(row.first), *[term.removeprefix("1 * ") for term in terms]])


def constants(deck: c.Deck) -> dict[str, object]:
    """The tables of cards that compiled expressions refer to."""

    def alike(kinds: tuple[int, ...]) -> dict[int, frozenset[int]]:
        return {kind: frozenset(x for x, other in enumerate(kinds) if other == kind) for kind in kinds}

    attributes = {"suit": deck.card_suit, "rank": deck.card_rank, "nothing": frozenset[int]()}
    return {**attributes, "all_of_suit": alike(deck.card_suit), "all_of_rank": alike(deck.card_rank)}


def _repeated(e: Quantified) -> c.Expr:
    """The part evaluated for each element; if it can fault, the order matters, since the first fault wins."""
    match e:
        case c.Filter() | c.Exists():
            return e.condition
        case c.Best():
            return e.key
        case _:
            return e.value


def _is_plain(e: c.Expr, binder: str) -> bool:
    """Whether an expression is a mere lookup that does not depend on the bound name."""
    e = stripped(e)
    if isinstance(e, c.Variable):
        return not e.arguments
    return isinstance(e, c.Literal) or (isinstance(e, c.Local) and e.name != binder)
