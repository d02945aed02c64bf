"""Backward program slices: the statements that can matter for some variables, and whatever those depend on.

Slices over-approximate. Locals count as variables of their own: a choice or a loop defines the name that it
binds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trickproof.analysis.dependencies import DEALT, Body, Exprs, names_read, steps
from trickproof_dsl import core as c

__all__ = ["DEALT", "Slice", "sliced"]


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice: `names` are what matters, `nodes` the expressions it comes from, `steps` the identities of statements."""

    names: frozenset[str]
    nodes: Exprs
    steps: frozenset[int]
    choices: tuple[c.Choice, ...]


def sliced(body: Body, criterion: Iterable[str]) -> Slice:
    """The slice of some statements, without the play, for the names in a criterion."""
    definitions = [step for step in steps(body, skipped_rules=("play",)) if step.defines is not None]
    names: set[str] = set()
    unvisited = set(criterion)
    while unvisited:
        names |= unvisited
        uses = [e for d in definitions if d.defines in unvisited for e in (*d.tests, *d.operands)]
        unvisited = set(names_read(*uses)) - names
    relevant = [d for d in definitions if d.defines in names]
    return Slice(
        frozenset(names),
        tuple(e for d in relevant for e in (*d.tests, *d.operands)),
        frozenset(id(t) for d in relevant for t in (*d.enclosing, d.statement)),
        tuple(d.statement for d in relevant if isinstance(d.statement, c.Choice)),
    )
