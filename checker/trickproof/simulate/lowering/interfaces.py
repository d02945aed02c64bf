"""What the parts of the lowering ask of the whole: values of expressions, and blocks of statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from trickproof.analysis.nullability import Nullability
from trickproof.simulate.ir.builder import Builder, Words
from trickproof.simulate.ir.instructions import Expr
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.lowering.overflow import OverflowAnalysis
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import FaultKind
from trickproof_dsl.diagnostics.source import Span


class Expressions(Protocol):
    """Lowers expressions into a builder; what breaks the rules becomes a guard at that place."""

    program: c.Program
    layout: DataLayout
    b: Builder
    nullable: Nullability
    overflow: OverflowAnalysis
    names: dict[str, Words]
    """The values of bound names."""

    def words(self, e: c.Expr) -> Words:
        """The value, in one word or in two."""

    def word(self, e: c.Expr) -> Expr:
        """A value of one word.  Raises BeyondError for sets of integers."""

    def given(self, e: c.Expr) -> Expr:
        """A player, rank or the like that must not be `none`."""

    def present(self, e: c.Expr, kind: FaultKind, span: Span) -> Expr:
        """A value that must not be `none`, or else the fault of that kind."""

    def fault(self, condition: Expr, kind: FaultKind, span: Span, label: str = "") -> None:
        """The rules fail at run time if the condition holds."""

    def everything(self, kind: str) -> int:
        """The mask of all elements of a kind."""

    def ends(self, e: c.Range) -> tuple[Expr, Expr]:
        """The lowest and highest number of a range."""

    def by_steps(self, e: c.Conditional) -> Words:
        """The condition, then the one value or the other."""

    def only_by_steps(self, e: c.Only) -> Expr:
        """The only element, counted."""


class Statements(Protocol):
    """Lowers statements into the builder of its expressions."""

    @property
    def v(self) -> Expressions:
        """The lowering of its expressions."""

    @property
    def b(self) -> Builder:
        """What is written to."""

    def block(self, body: Sequence[c.Stmt]) -> None:
        """Statements one after another."""
