"""Whether the order of an exchange, as far as the rules leave it open (ties, readings), makes a difference.

The order matters if from the same carried values and the same deal, one way of resolving it leads to hands
that the other never leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from adversarial.exploration import Explorer
from adversarial.graph import Budget, Claims, Course
from adversarial.nature import DEALT, choices, reset, with_nature
from adversarial.truths import Answer, Truths, claims_of, reading_choices
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import mapped, walk
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.faults import Fault
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import Key, Value

Hands = tuple[frozenset[int], ...]
ByDeal = Mapping[tuple[Value, ...], frozenset[Hands]]

TIE = "#tie"

MOST_STATES = 40
"""Maximum number of states before a deal from which the two ways are compared."""


def _open(program: c.Program) -> list[c.Loop]:
    return [
        t
        for t in walk(program.setup, program.hand, program.between)
        if isinstance(t, c.Loop) and t.order.ties == "open" and t.domain.type == c.PLAYERS
    ]


def _with_orders(program: c.Program, change: Any) -> c.Program:
    """The program with its open orders transformed."""

    def look(node: Any) -> Any:
        if isinstance(node, c.Order) and node.ties == "open":
            return change(node)
        return None

    parts = {name: mapped(getattr(program, name), look) for name in ("setup", "hand", "between")}
    return replace(program, **parts)


def _impossible(order: c.Order) -> c.Order:
    return replace(order, ties="impossible")


def _reversed(order: c.Order) -> c.Order:
    """The order with ties reversed."""
    if order.start is None:
        return order
    last = c.Seat(order.start, -1 if order.clockwise else 1, c.PLAYER, order.start.span)
    return replace(order, start=last, clockwise=not order.clockwise)


def order_answer(ruleset: Ruleset, truth: Truths, budget: Budget) -> tuple[Answer, str]:
    """Whether the order is determined as far as it matters: `holds`, `fails` or `open`. Raises BeyondError."""
    program = ruleset.program
    ties = bool(_open(program)) and _ties_come_about(ruleset, budget)
    readings = reading_choices(program)
    if not ties and len(readings) == 1:
        return ("holds" if truth.whole else "open"), ""
    other = _with_orders(program, _reversed)
    for way, taken in [(program, r) for r in readings[1:]] + ([(other, readings[0])] if ties else []):
        parting = _parting(ruleset, way, readings[0], taken, truth, budget)
        if parting:
            return "fails", parting
    return ("open" if ties or not truth.whole else "holds"), ""


def _ties_come_about(ruleset: Ruleset, budget: Budget) -> bool:
    program = _with_orders(ruleset.program, _impossible)
    spans = [loop.span for loop in _open(ruleset.program)]
    claims = claims_of(ruleset)

    def answers(fault: Fault) -> str:
        return TIE if fault.kind == "tie" and fault.span in spans else claims.answers(fault)

    def silent(_: StateView, __: Course) -> Iterator[tuple[str, str]]:
        return iter(())

    only_ties = Claims(silent, silent, silent, silent, silent, answers)
    for readings in reading_choices(program):
        parameters = {name: values[0] for name, values in program.parameters.items()}
        graph = Explorer(program, parameters, readings, only_ties, budget).explore()
        if TIE in graph.violations:
            return True
    return False


def _parting(
    ruleset: Ruleset,
    other: c.Program,
    readings: Mapping[str, int],
    taken: Mapping[str, int],
    truth: Truths,
    budget: Budget,
) -> str:
    """Where two ways of resolving the order diverge, "" if nowhere."""
    mine, theirs = with_nature(ruleset.program), with_nature(other)
    one = next(one for one in truth.explored if one.readings == readings)
    for node in list(one.graph.nodes.values())[:MOST_STATES]:
        state = node.state
        across = state.but(program=theirs, readings=taken)
        if _differ(by_deal(state, budget), by_deal(across, budget)):
            return f"from what is carried after {node.deals} deals"
    if any(loop in walk(ruleset.program.between) for loop in _open(ruleset.program)):
        for state in _complete(ruleset, one.parameters, readings, budget):
            first, second = (
                reset(ruleset.program, machine.between_hands(state.but(program=program)))
                for program in (mine, theirs)
            )
            if first.fault is None and second.fault is None and first.variables != second.variables:
                again = second.but(program=mine)
                if _differ(by_deal(first, budget), by_deal(again, budget)):
                    return "from what a tie between hands decides"
    return ""


def _complete(
    ruleset: Ruleset, parameters: Mapping[str, int], readings: Mapping[str, int], budget: Budget
) -> list[State]:
    """Complete deals, one for each combination of carried values."""
    seen: dict[frozenset[tuple[Key, Value]], State] = {}
    carried = {name for name, info in ruleset.program.variables.items() if info.carried}

    def hand_ends(state: StateView, _: Course) -> Iterator[tuple[str, str]]:
        if not state.match_over and isinstance(state, State):
            key = frozenset((k, v) for k, v in state.variables.items() if k[0] in carried)
            seen.setdefault(key, state)
        return iter(())

    claims: Claims = replace(claims_of(ruleset), hand_ends=hand_ends)
    Explorer(ruleset.program, parameters, readings, claims, budget).explore(2)
    return list(seen.values())[:MOST_STATES]


def _differ(one: ByDeal, other: ByDeal) -> bool:
    return any(one[deal] != other[deal] for deal in one.keys() & other.keys())


def by_deal(before: State, budget: Budget) -> ByDeal:
    """The possible hands at the start of play, by deal; those that fail at run time earlier are left out."""
    hands: dict[tuple[Value, ...], set[Hands]] = {}

    def go(state: State, deal: tuple[Value, ...]) -> None:
        decision = state.decision
        if decision is None:
            return
        if decision.label == "play":
            held = tuple(frozenset(state.cards("hand", p)) for p in range(state.program.players))
            hands.setdefault(deal, set()).add(held)
            return
        for choice in choices(state, decision):
            budget.step()
            go(machine.apply(state, choice), (*deal, choice) if decision.label == DEALT else deal)

    go(machine.run(before, before.program.hand), ())
    return {deal: frozenset(held) for deal, held in hands.items()}
