"""The interface through which superlatives word the noun phrases nested in their own."""

from __future__ import annotations

from typing import Protocol

from trickproof.english.referents import Context, Ref, Scope
from trickproof_dsl.syntax import ast as s


class NounPhrases(Protocol):
    """Words expressions as noun phrases."""

    context: Context

    def noun(self, e: s.Expr, scope: Scope) -> str:
        """Any value as a noun phrase."""

    def attribute(self, e: s.Expr) -> str:
        """An attribute of each of several things, without the owner."""

    def group(self, e: s.Expr, scope: Scope, head: str, plural: bool) -> str:
        """A set after a head such as "each player" or "the cards"."""

    def members(self, e: s.Expr, scope: Scope) -> str:
        """A set to be counted: "players who …", "cards in hand"."""

    def several(self, e: s.Expr, scope: Scope) -> str:
        """A set in the plural, whatever its size."""

    def refs(self, e: s.Expr, scope: Scope) -> list[Ref]:
        """The explicit or implicit arguments of a name."""

    def is_named(self, e: s.Expr, name: str) -> bool:
        """Whether an expression is that name, applied or bare."""
