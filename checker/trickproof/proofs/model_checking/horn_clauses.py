"""Whether an event, such as the end of the match, can happen after any number of deals: constrained Horn clauses for z3's Spacer.

The relation `reached` holds for the carried values that a deal can begin with. If the event cannot be
derived, an inductive invariant separates it from the start, so no play leads to it; Spacer finds the
invariant and plain queries confirm it. If the event can be derived it need not be playable, since the
symbolic settlement over-approximates play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import z3

from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.model_checking.bounded_model_checking import Event, match_ends
from trickproof.proofs.model_checking.transition_system import as_term, cone
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer
from trickproof.proofs.smt.symbolic_values import Bool, Symbol, constants
from trickproof.proofs.smt.terms import isolated
from trickproof.proofs.symbolic.hand_summary import Settlement, Transition, transitions, unknown_name
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key

RESOURCES = 3_000_000
"""z3's resource limit for one query, about two seconds."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Whether an event can be derived; if not, the theorem that no play leads to it."""

    answer: Answer
    never: Theorem | None = None


def can_end(settlement: Settlement, begin: Mapping[Key, Symbol] | None = None) -> Reached:
    """Whether a deal can end a match that continues from some carried values, or from the start of a match."""
    return can_happen(settlement, match_ends, begin)


def can_happen(settlement: Settlement, event: Event, begin: Mapping[Key, Symbol] | None = None) -> Reached:
    """Whether the event can happen in a deal of a match that continues from some carried values, or from the start of a match."""
    steps = transitions(settlement)
    events = {step.dealer: event(step.hand) for step in steps}
    keys = cone(settlement, steps, events.values())
    start = settlement.start() if begin is None else begin
    for rewritten in (True, False):
        answer, invariant, unknowns = _ask_spacer(settlement, steps, events, keys, start, rewritten)
        if answer is Answer.YES:
            return Reached(Answer.YES)
        if answer is Answer.NO:
            started = z3.And(*(x == as_term(start[key]) for x, key in zip(unknowns, keys, strict=True)))
            never = _separated(settlement, invariant, unknowns, started, steps, events, keys)
            if never is not None:
                return Reached(Answer.NO, never)
    return Reached(Answer.GAVE_UP)


def _ask_spacer(
    settlement: Settlement,
    steps: list[Transition],
    events: Mapping[int | None, Bool],
    keys: list[Key],
    start: Mapping[Key, Symbol],
    rewritten: bool,
) -> tuple[Answer, z3.ExprRef, list[z3.ExprRef]]:
    """Spacer's answer, and its over-approximation of the reachable carried values, as a term over the numbered unknowns.

    Letting Spacer rewrite the clauses (`rewritten`) makes them easier to solve, but its invariant may then be
    about internal relations.
    """
    sorts = [_sort(settlement.program.variables[key[0]].type) for key in keys]
    reached = z3.Function("reached", *sorts, z3.BoolSort())
    happens = z3.Function("happens", z3.BoolSort())
    apart = isolated()
    engine = z3.Fixedpoint(ctx=apart)
    engine.set(engine="spacer")
    engine.set("rlimit", RESOURCES)
    engine.set("spacer.random_seed", 0)
    engine.set("ctrl_c", False)  # see solver.py
    for rewriting in ("xform.inline_eager", "xform.inline_linear", "xform.slice"):
        engine.set(rewriting, rewritten)
    for relation in (reached, happens):
        engine.register_relation(relation.translate(apart))
    unknowns = [z3.Const(unknown_name(key), sort) for key, sort in zip(keys, sorts, strict=True)]
    declared = {str(x): x for x in unknowns}
    clauses = [
        clause
        for step in steps
        for clause in _clauses(step, events[step.dealer], keys, unknowns, reached, happens)
    ]
    for head, body in clauses:
        declared |= constants(head, *body)
    named = [x for name, x in declared.items() if name not in ("reached", "happens")]
    engine.declare_var(*(x.translate(apart) for x in named))
    engine.rule(reached(*(as_term(start[key]) for key in keys)).translate(apart))
    for head, body in clauses:
        engine.rule(head.translate(apart), [fact.translate(apart) for fact in body])
    try:
        answer = engine.query(happens().translate(apart))
    except z3.Z3Exception:
        return Answer.GAVE_UP, z3.BoolVal(True), unknowns
    if answer == z3.unsat:
        return (
            Answer.NO,
            engine.get_cover_delta(-1, reached.translate(apart)).translate(z3.main_ctx()),
            unknowns,
        )
    return Answer.YES if answer == z3.sat else Answer.GAVE_UP, z3.BoolVal(True), unknowns


def _separated(
    settlement: Settlement,
    invariant: z3.ExprRef,
    unknowns: list[z3.ExprRef],
    started: z3.BoolRef,
    steps: list[Transition],
    events: Mapping[int | None, Bool],
    keys: list[Key],
) -> Theorem | None:
    """That the invariant holds at the start, is preserved by every deal, and excludes the event, if plain queries confirm it."""

    def holds(values: list[z3.ExprRef]) -> z3.BoolRef:
        return z3.substitute_vars(invariant, *values)

    begins = settlement.solver().excluding(started, z3.Not(holds(unknowns)))
    if begins is None:
        return None
    preserved: list[Theorem] = []
    for step in steps:
        dealt = True if step.dealer is None else unknowns[keys.index(("dealer",))] == step.dealer
        here = [holds(unknowns), *step.hand.facts, dealt]
        following = [as_term(step.following[key]) for key in keys]
        wrong = y.disj(events[step.dealer], y.conj(step.goes_on, z3.Not(holds(following))))
        excluded = settlement.solver().excluding(*here, wrong)
        if excluded is None:
            return None
        preserved.append(excluded)
    return kernel.invariant("no play leads to it", len(settlement.dealers), begins, preserved)


def _clauses(
    step: Transition,
    event: Bool,
    keys: list[Key],
    unknowns: list[z3.ExprRef],
    reached: z3.FuncDeclRef,
    happens: z3.FuncDeclRef,
) -> list[tuple[z3.BoolRef, tuple[z3.BoolRef, ...]]]:
    here = [reached(*unknowns), *(as_term(fact) for fact in step.hand.facts)]
    if step.dealer is not None:
        here.append(unknowns[keys.index(("dealer",))] == step.dealer)
    on = reached(*(as_term(step.following[key]) for key in keys))
    return [(on, (*here, as_term(step.goes_on))), (happens(), (*here, as_term(event)))]


def _sort(kind: c.Type) -> z3.SortRef:
    return z3.BoolSort() if kind.kind == "boolean" else z3.IntSort()
