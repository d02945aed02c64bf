"""Solver queries as SMT-LIB that other solvers can read."""

from __future__ import annotations

import re

import z3

_COUNTING = re.compile(r"\(_ (?:pble|pbge|pbeq|at-most|at-least) ")
"""z3's own operators for cardinality constraints."""


_EMPTY = re.compile(r"\|[^|]*\||(?<=\s)(?:and|or)(?=[\s)])")
"""A quoted symbol, which may contain anything, or a conjunction or disjunction of nothing, as z3 writes it."""


def smtlib(solver: z3.Solver) -> str:
    """The assertions of a solver and a `check-sat`, in standard SMT-LIB only."""
    written: str = solver.to_smt2()
    if not _COUNTING.search(written):
        return _EMPTY.sub(_truth, written)
    goal, plain = z3.Goal(), z3.Solver()
    goal.add(*solver.assertions())
    for part in z3.Then("simplify", "card2bv")(goal):
        plain.add(part.as_expr())
    standard: str = plain.to_smt2()
    return _EMPTY.sub(_truth, standard)


def _truth(word: re.Match[str]) -> str:
    return {"and": "true", "or": "false"}.get(word[0], word[0])
