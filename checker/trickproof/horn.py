"""Whether the match can end at all, after any number of hands: constrained Horn clauses, solved by z3's Spacer.

A relation holds of the carried values that a hand can begin with.  Where no end can be derived, an inductive invariant
separates the start from every end, so that no play ends the match.  Where one can, it need not be playable, as the
symbolic settlement allows at least what can happen at the table.
"""

from __future__ import annotations

from collections.abc import Mapping

import z3

from trickproof import symbols as y
from trickproof.settlement import Settlement
from trickproof.solve import Answer
from trickproof.symbols import Symbol
from trickproof.transition import Transition, as_term, cone, constants, transitions, unknown_name
from trickproof_dsl import core as c
from trickproof_dsl.evaluate import Key

RESOURCES = 3_000_000
"""z3's resources for one question; about two seconds."""


def can_end(settlement: Settlement, begin: Mapping[Key, Symbol] | None = None) -> Answer:
    """Whether a hand can end the match that goes on from some carried values, or from the start of a match."""
    steps = transitions(settlement)
    keys = cone(settlement, steps)
    sorts = [_sort(settlement.program.variables[key[0]].type) for key in keys]
    reached = z3.Function("reached", *sorts, z3.BoolSort())
    ends = z3.Function("ends", z3.BoolSort())
    engine = z3.Fixedpoint()
    engine.set(engine="spacer")
    engine.set("rlimit", RESOURCES)
    engine.set("spacer.random_seed", 0)
    engine.set("ctrl_c", False)  # see solve.py
    for relation in (reached, ends):
        engine.register_relation(relation)
    unknowns = [z3.Const(unknown_name(key), sort) for key, sort in zip(keys, sorts, strict=True)]
    declared = {str(x): x for x in unknowns}
    clauses = [clause for step in steps for clause in _clauses(step, keys, unknowns, reached, ends)]
    for head, body in clauses:
        declared |= constants(head, *body)
    engine.declare_var(*(x for name, x in declared.items() if name not in ("reached", "ends")))
    start = settlement.start() if begin is None else begin
    engine.rule(reached(*(as_term(start[key]) for key in keys)))
    for head, body in clauses:
        engine.rule(head, list(body))
    try:
        answer = engine.query(ends())
    except z3.Z3Exception:
        return Answer.GAVE_UP
    if answer == z3.sat:
        return Answer.YES
    return Answer.NO if answer == z3.unsat else Answer.GAVE_UP


def _clauses(
    step: Transition,
    keys: list[Key],
    unknowns: list[z3.ExprRef],
    reached: z3.FuncDeclRef,
    ends: z3.FuncDeclRef,
) -> list[tuple[z3.BoolRef, tuple[z3.BoolRef, ...]]]:
    here = [reached(*unknowns), *(as_term(fact) for fact in step.hand.facts)]
    if step.dealer is not None:
        here.append(unknowns[keys.index(("dealer",))] == step.dealer)
    on = reached(*(as_term(step.following[key]) for key in keys))
    over = y.conj(step.hand.ended, y.neg(step.hand.broken))
    return [(on, (*here, as_term(step.goes_on))), (ends(), (*here, as_term(over)))]


def _sort(kind: c.Type) -> z3.SortRef:
    return z3.BoolSort() if kind.kind == "boolean" else z3.IntSort()
