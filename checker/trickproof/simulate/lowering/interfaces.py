"""Interfaces between the parts of the lowering: expressions and blocks of statements."""

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
    """Lowers expressions into a builder; a fault becomes a guard at that point."""

    program: c.Program
    layout: DataLayout
    b: Builder
    nullable: Nullability
    overflow: OverflowAnalysis
    names: dict[str, Words]
    """The values of bound names."""

    def words(self, e: c.Expr) -> Words:
        """The value, in one word or two."""

    def word(self, e: c.Expr) -> Expr:
        """A value in one word.  Raises BeyondError for sets of integers."""

    def given(self, e: c.Expr) -> Expr:
        """A value of an index type that must not be `none`."""

    def present(self, e: c.Expr, kind: FaultKind, span: Span) -> Expr:
        """A value that must not be `none`; writes a guard for a fault of that kind."""

    def fault(self, condition: Expr, kind: FaultKind, span: Span, label: str = "") -> None:
        """Write a guard: the rules fail at run time if the condition holds."""

    def everything(self, kind: str) -> int:
        """The mask of all elements of a kind."""

    def ends(self, e: c.Range) -> tuple[Expr, Expr]:
        """The lowest and highest number of a range."""

    def by_steps(self, e: c.Conditional) -> Words:
        """Evaluate the condition, then the selected branch."""

    def only_by_steps(self, e: c.Only) -> Expr:
        """The only element, after a guard on the size of the set."""


class Statements(Protocol):
    """Lowers statements into the builder of its expressions."""

    @property
    def v(self) -> Expressions:
        """The lowering of expressions."""

    @property
    def b(self) -> Builder:
        """The builder that is written to."""

    def block(self, body: Sequence[c.Stmt]) -> None:
        """Lower statements in sequence."""
