"""What superlatives ask of noun phrases: the phrases inside their own."""

from __future__ import annotations

from typing import Protocol

from trickproof.english.referents import Context, Ref, Scope
from trickproof_dsl.syntax import ast as s


class NounPhrases(Protocol):
    """Puts expressions into noun phrases."""

    context: Context

    def noun(self, e: s.Expr, scope: Scope) -> str:
        """Any value as a noun phrase."""

    def attribute(self, e: s.Expr) -> str:
        """What each of many has, without saying whose."""

    def group(self, e: s.Expr, scope: Scope, head: str, plural: bool) -> str:
        """A set behind a head such as "each player" or "the cards"."""

    def members(self, e: s.Expr, scope: Scope) -> str:
        """A set for counting: "players who …", "cards in hand"."""

    def several(self, e: s.Expr, scope: Scope) -> str:
        """A set in the plural, however many there are of it."""

    def refs(self, e: s.Expr, scope: Scope) -> list[Ref]:
        """What a name is applied to, said or left out."""

    def is_named(self, e: s.Expr, name: str) -> bool:
        """Whether an expression is that name, applied or bare."""
