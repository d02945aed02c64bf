"""What the solver was asked, as SMT-LIB that other solvers read."""

from __future__ import annotations

import re

import z3

_COUNTING = re.compile(r"\(_ (?:pble|pbge|pbeq|at-most|at-least) ")
"""z3's own words for how many of some hold."""


_EMPTY = re.compile(r"\|[^|]*\||(?<=\s)(?:and|or)(?=[\s)])")
"""A name between bars, which may hold anything; or a conjunction or disjunction of nothing, as z3 writes it."""


def smtlib(solver: z3.Solver) -> str:
    """What holds in a solver now, and the question whether it can; in standard words only."""
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
