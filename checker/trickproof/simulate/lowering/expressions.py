"""Lowering of core expressions, arm for arm like `trickproof_dsl.semantics.expressions`.

Every value is computed where it is used; faults become guards, in the order in which the interpreter would
raise them.
"""

from __future__ import annotations

from typing import assert_never

from trickproof.analysis.nullability import Nullability
from trickproof.simulate.ir.builder import Builder, Words
from trickproof.simulate.ir.calling_convention import (
    AGAIN,
    ALL,
    LARGEST,
    LIMIT,
    MOST_NUMBERS,
    MOST_STATEMENTS,
    TOO_WIDE,
    BeyondError,
)
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering import aggregates, card_masks, trick_winner
from trickproof.simulate.lowering.data_layout import WORD, DataLayout
from trickproof.simulate.lowering.fault_codes import FaultCodes
from trickproof.simulate.lowering.overflow import OverflowAnalysis
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import FaultKind
from trickproof_dsl.core.traversal import stripped
from trickproof_dsl.diagnostics.source import Span

_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "div": "div", "mod": "mod"}
_FLIPPED = {"<": ("lt", False), "<=": ("le", False), ">": ("lt", True), ">=": ("le", True)}


class ExpressionLowering:
    """Writes values into a builder; implements the `Expressions` protocol."""

    def __init__(
        self, program: c.Program, layout: DataLayout, builder: Builder, fault_codes: FaultCodes
    ) -> None:
        self.program, self.layout, self.b, self.fault_codes = program, layout, builder, fault_codes
        self.nullable, self.overflow = Nullability(program), OverflowAnalysis(program)
        self.names: dict[str, Words] = {}
        self.singles: set[str] = set()
        """Bound sets that have exactly one card."""
        self.parameters: dict[str, Expr] = {}
        self.readings: dict[str, Expr] = {}

    def declare(self) -> None:
        """Bind the routine's inputs to names, and create an array for every variable and zone.

        Raises BeyondError for sets of integers.
        """
        names = [
            (self.parameters, sorted(self.program.parameters)),
            (self.readings, sorted(self.program.readings)),
        ]
        for i, (group, name) in enumerate((group, name) for group, words in names for name in words):
            group[name] = self.b.let(load("params", i))
        for info in self.program.variables.values():
            if info.type == c.INTEGERS:
                raise BeyondError(f"`{info.name}` holds a set of numbers")
            self.b.array(f"v.{info.name}", self.layout.words(info.of))
        for zone in self.program.zones.values():
            self.b.array(f"z.{zone.name}", self.layout.words(zone.of))
        self.b.array("winners", 1)
        self.b.array(AGAIN, 1)

    def fault(self, condition: Expr, kind: FaultKind, span: Span, label: str = "") -> None:
        """Write a guard: the rules fail at run time if the condition holds."""
        if condition != 0:
            self.b.guard(condition, self.fault_codes.code(kind, span, label))

    def limit(self, condition: Expr, span: Span) -> None:
        """Write a guard: the simulator gives up if the condition holds."""
        if condition != 0:
            self.b.guard(condition, self.fault_codes.code(LIMIT, span))

    def word(self, e: c.Expr) -> Expr:
        """A value in one word.  Raises BeyondError for sets of integers."""
        words = self.words(e)
        if len(words) != 1:
            raise BeyondError("a set of numbers is used in a way that is not simulated", e.span)
        return words[0]

    def given(self, e: c.Expr) -> Expr:
        """A value of an index type that must not be `none`."""
        return self.present(e, "nobody", e.span)

    def present(self, e: c.Expr, kind: FaultKind, span: Span) -> Expr:
        """A value that must not be `none`."""
        return self.not_none(e, self.word(e), kind, span)

    def not_none(self, e: c.Expr, value: Expr, kind: FaultKind, span: Span) -> Expr:
        """The value of an expression, which must not be `none`."""
        if not self.nullable.may_be_none(e):
            return value
        value = self.b.let(value)
        none = op("lt", value, 0)
        self.fault(none, kind, span)
        if self.b.depth:
            return self.b.let(op("select", none, 0, value))
        self.nullable.learn_present(e, self.b.level)
        return value

    def bit(self, e: c.Expr) -> Expr:
        """A singleton; empty for `none`."""
        value = self.word(e)
        if not self.nullable.may_be_none(e):
            return op("bit", value)
        value = self.b.let(value)
        return op("select", op("lt", value, 0), 0, op("bit", value))

    def refuse_too_long(self, span: Span) -> None:
        """Raise BeyondError at this place if the program has become too long to compile."""
        if self.b.written > MOST_STATEMENTS:
            rule = self.fault_codes.rules[-1]
            raise BeyondError(
                f"rule `{rule}` has more than {MOST_STATEMENTS} steps once it is expanded", span
            )

    def words(self, e: c.Expr) -> Words:
        """The value, in one word or two."""
        self.refuse_too_long(e.span)
        match e:
            case c.Literal():
                return self.literal(e)
            case c.Parameter():
                return (self.parameters[e.name],)
            case c.Reading():
                return (self.readings[e.rule],)
            case c.Local():
                return self.names[e.name]
            case c.Variable():
                info = self.program.variables[e.name]
                return (self.b.read(f"v.{e.name}", self.entry(info.of, e.arguments, e.span)),)
            case c.ZoneCards():
                zone = self.program.zones[e.zone]
                return (self.b.read(f"z.{e.zone}", self.entry(zone.of, e.arguments, e.span)),)
            case c.Arithmetic():
                return (self.arithmetic(e),)
            case c.Compare():
                return (self.compared(e),)
            case c.Logic():
                return (self.logic(e),)
            case c.Not():
                return (op("not", self.word(e.operand)),)
            case c.Conditional():
                return self.conditional(e)
            case c.Seat():
                return (self.seat(self.given(e.player), e.offset),)
            case c.Table():
                return (self.table(self.given(e.index), e.entries),)
            case c.CardAttribute():
                return (self.attribute(e),)
            case c.Universe():
                return (self.everything(e.type.kind),)
            case c.Range():
                return self.range(e)
            case c.SetOperation():
                return self.combined(e)
            case c.Single():
                return self.single(e)
            case c.Filter():
                return aggregates.filtered(self, e)
            case c.Member():
                return (self.member(e),)
            case c.Size():
                return (op("count", self.words(e.set)[-1]),)
            case c.Exists():
                return (aggregates.exists(self, e),)
            case c.Sum():
                return (aggregates.total(self, e),)
            case c.UnionOf():
                return (aggregates.union(self, e),)
            case c.Extreme():
                return (aggregates.extreme(self, e),)
            case c.Best():
                return aggregates.best(self, e)
            case c.Matching():
                return (card_masks.matching(self, e),)
            case c.Top():
                return (aggregates.top(self, e),)
            case c.Only():
                return (self.only(e),)
            case c.RuleValue():
                with self.fault_codes.within(e.rule):
                    return self.words(e.value)
            case c.UnspecifiedValue():
                if e.otherwise is not None:
                    return (int(e.otherwise),)
                self.fault(1, "unspecified", e.span)
                return (0, 0) if e.type == c.INTEGERS else (0,)
            case _:
                assert_never(e)

    def conditional(self, e: c.Conditional) -> Words:
        contest = trick_winner.contest(self, e)
        winners = None if contest is None else trick_winner.winners(self, contest, e)
        return self.by_steps(e) if winners is None else (winners,)

    def by_steps(self, e: c.Conditional) -> Words:
        """Evaluate the condition, then the selected branch."""
        condition = self.word(e.condition)
        return self.b.choose(condition, lambda: self.words(e.then), lambda: self.words(e.otherwise))

    def entry(self, of: tuple[c.Type, ...], owners: tuple[c.Expr, ...], span: Span) -> Expr:
        """The offset of an entry of a variable or zone; all owners are evaluated before any is checked for `none`."""
        index: Expr = 0
        values = [self.word(x) if len(owners) == 1 else self.b.let(self.word(x)) for x in owners]
        for kind, owner, value in zip(of, owners, values, strict=True):
            at = self.not_none(owner, value, "nobody", span)
            index = op("add", op("mul", index, self.layout.size(kind)), at)
        return index

    def literal(self, e: c.Literal) -> Words:
        if e.type == c.INTEGERS:
            assert isinstance(e.value, tuple)
            base = min(e.value, default=0)
            if max(e.value, default=0) - base >= WORD:
                raise BeyondError(f"numbers in one set are {WORD} or more apart", e.span)
            return base, sum(1 << x - base for x in e.value)
        return (self.layout.encoded(e.type, e.value),)

    def everything(self, kind: str) -> int:
        deck = self.program.deck
        if kind == "cards":
            return self.layout.all_cards
        sizes = {"suits": len(deck.suits), "ranks": len(deck.ranks)}
        return (1 << sizes.get(kind, self.program.players)) - 1

    def attribute(self, e: c.CardAttribute) -> Expr:
        card = self.present(e.card, "no-card", e.span)
        stride = self.layout.stride
        if e.attribute == "suit":
            return op("shr", card, stride.bit_length() - 1) if _is_power(stride) else op("div", card, stride)
        return op("and", card, stride - 1) if _is_power(stride) else op("mod", card, stride)

    def compared(self, e: c.Compare) -> Expr:
        if e.operator in ("=", "!="):
            return op("eq" if e.operator == "=" else "ne", self.word(e.left), self.word(e.right))
        left, right = self.b.let(self.word(e.left)), self.b.let(self.word(e.right))
        for side, value in ((e.left, left), (e.right, right)):
            if self.nullable.may_be_none(side):
                self.fault(op("lt", value, 0), "nobody", e.span)
        name, turned = _FLIPPED[e.operator]
        return op(name, right, left) if turned else op(name, left, right)

    def logic(self, e: c.Logic) -> Expr:
        left = self.b.let(self.word(e.left))
        if e.operator == "and":
            (right,) = self.b.under(left, lambda: self.words(e.right))
            return op("select", left, right, 0)
        (right,) = self.b.under(op("not", left), lambda: self.words(e.right))
        return op("select", left, 1, right)

    def arithmetic(self, e: c.Arithmetic) -> Expr:
        left, right = self.b.let(self.word(e.left)), self.b.let(self.word(e.right))
        name = _ARITHMETIC[e.operator]
        if name in ("div", "mod"):
            self.fault(op("eq", right, 0), "bad-number", e.span)
            right = op("select", op("eq", right, 0), 1, right)
        if not self.overflow.may_overflow(e):
            return op(name, left, right)
        if name == "mul":
            self.limit(op("too-large", left, right), e.span)
            return self.b.let(op("mul", left, right))
        result = self.b.let(op(name, left, right))
        if name in ("add", "sub"):
            self.limit(op("not", _between(result)), e.span)
        return result

    def seat(self, player: Expr, offset: int) -> Expr:
        number = self.program.players
        if offset % number == 0:
            return player
        moved = self.b.let(op("add", player, offset % number))
        return self.b.let(op("select", op("le", number, moved), op("sub", moved, number), moved))

    def table(self, index: Expr, entries: tuple[int, ...]) -> Expr:
        index, last = self.b.let(index), entries[-1]
        entry_there: Expr = last
        for i, entry in reversed(list(enumerate(entries[:-1]))):
            entry_there = op("select", op("eq", index, i), entry, entry_there)
        return entry_there

    def ends(self, e: c.Range) -> tuple[Expr, Expr]:
        """The lowest and highest number of a range."""
        low, high = self.b.let(self.word(e.low)), self.b.let(self.word(e.high))
        self.limit(op("le", MOST_NUMBERS, op("sub", high, low)), e.span)
        return low, high

    def range(self, e: c.Range) -> Words:
        low, high = self.ends(e)
        number = self.b.let(op("add", op("sub", high, low), 1))
        self.b.guard(op("lt", WORD, number), TOO_WIDE)
        ones = op("shr", ALL, op("and", op("sub", WORD, number), WORD - 1))
        return low, self.b.let(op("select", op("le", number, 0), 0, ones))

    def member(self, e: c.Member) -> Expr:
        if e.set.type == c.INTEGERS:
            return self.member_of_numbers(e)
        element = self.b.let(self.word(e.element))
        mask = self.word(e.set)
        none = op("lt", element, 0) if self.nullable.may_be_none(e.element) else 0
        there = op("ne", op("and", op("shr", mask, op("select", none, 0, element)), 1), 0)
        return op("select", none, 0, there)

    def member_of_numbers(self, e: c.Member) -> Expr:
        element, numbers = self.b.let(self.word(e.element)), stripped(e.set)
        if isinstance(numbers, c.Range):
            low, high = self.ends(numbers)
            return op("and", op("le", low, element), op("le", element, high))
        if isinstance(numbers, c.Literal) and isinstance(numbers.value, tuple):
            among: Expr = 0
            for x in numbers.value:
                among = op("or", among, op("eq", element, x))
            return among
        base, mask = self.words(e.set)
        at = self.b.let(op("sub", element, base))
        fits = op("and", op("le", 0, at), op("lt", at, WORD))
        return op("select", fits, op("ne", op("and", op("shr", mask, op("and", at, WORD - 1)), 1), 0), 0)

    def single(self, e: c.Single) -> Words:
        if e.type == c.INTEGERS:
            return self.b.let(self.word(e.element)), 1
        return (self.bit(e.element),)

    def combined(self, e: c.SetOperation) -> Words:
        name = "or" if e.operator == "+" else "without"
        if e.type != c.INTEGERS:
            left = self.word(e.left)
            return (op(name, self.b.let(left), self.word(e.right)),)
        (low, first), (other, second) = self.words(e.left), self.words(e.right)
        base = self.b.let(op("select", op("lt", low, other), low, other))
        masks = [
            self.shifted(mask, op("sub", start, base)) for start, mask in ((low, first), (other, second))
        ]
        return base, self.b.let(op(name, *masks))

    def shifted(self, mask: Expr, by: Expr) -> Expr:
        """The mask of a set of numbers, re-based to a lower base."""
        by, mask = self.b.let(by), self.b.let(mask)
        near = op("lt", by, WORD)
        moved = self.b.let(op("shl", mask, op("and", by, WORD - 1)))
        lost = op("ne", op("shr", moved, op("and", by, WORD - 1)), mask)
        self.b.guard(op("select", op("eq", mask, 0), 0, op("select", near, lost, 1)), TOO_WIDE)
        return op("select", near, moved, 0)

    def only(self, e: c.Only) -> Expr:
        inner = stripped(e.operand)
        contest = trick_winner.contest(self, inner) if isinstance(inner, c.Conditional) else None
        winner = None if contest is None else trick_winner.winner(self, contest, e)
        return self.only_by_steps(e) if winner is None else winner

    def only_by_steps(self, e: c.Only) -> Expr:
        base: Expr = 0
        if e.operand.type == c.INTEGERS:
            base, mask = self.words(e.operand)
        else:
            mask = self.word(e.operand)
        mask = self.b.let(mask)
        inner = stripped(e.operand)
        if not (isinstance(inner, c.Local) and inner.name in self.singles):
            self.fault(op("ne", op("count", mask), 1), "not-single", e.span)
            if self.b.depth:
                mask = op("or", mask, op("select", op("eq", mask, 0), 1, 0))
        return op("add", base, self.b.let(op("first", mask)))


def _between(x: Expr) -> Expr:
    """Whether a number is within the simulator's bounds."""
    return op("and", op("le", -LARGEST, x), op("le", x, LARGEST))


def _is_power(number: int) -> bool:
    return number & number - 1 == 0
