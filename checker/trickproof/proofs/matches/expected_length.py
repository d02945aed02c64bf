"""How many hands a match takes on average if all divisions of the tricks were equally likely, where that is exact.

The settlement of a hand is turned into Python once for every dealer, and the states that a match goes through are
explored by it (`markov_chain.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import z3

from trickproof.proofs.matches.markov_chain import END, MOST_STATES, State, divisions, expected_steps, explore
from trickproof.proofs.matches.transition_system import Transition, as_term, cone, transitions, unknown_name
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import constants
from trickproof.proofs.symbolic.hand_summary import Settlement
from trickproof_dsl.semantics.values import Key

MOST_DIVISIONS = 3000
"""Divisions of the tricks of a hand that are gone through, at most."""

Compiled = Callable[[tuple[int, ...], tuple[int | bool, ...]], tuple[int | bool, ...]]
"""From tricks and carried values: whether the rules break down, whether the match ends, the next carried values."""


@dataclass(frozen=True, slots=True)
class Length:
    """The expected number of hands, over so many divisions of the tricks of a hand."""

    hands: Fraction
    divisions: tuple[int, ...]


def expected_hands(settlement: Settlement, most: int = MOST_STATES) -> Length | None:
    """The exact expectation; None where it depends on more than the tricks, has very many states, or is infinite."""
    if not settlement.sizes:
        return None
    numbers = sorted({comb(n + settlement.program.players - 1, n) for n in settlement.sizes.values()})
    if numbers[-1] > MOST_DIVISIONS:
        return None
    start_and_step = step_of(settlement)
    if start_and_step is None:
        return None
    start, step = start_and_step
    chain = explore(start, step, most)
    hands = None if chain is None else expected_steps(start, chain)
    return None if hands is None else Length(hands, tuple(numbers))


def step_of(
    settlement: Settlement,
) -> tuple[State, Callable[[State], Mapping[State, int] | None]] | None:
    """The start of a match, and how many divisions lead to each next state; None if more than tricks decides."""
    steps = transitions(settlement)
    keys = cone(settlement, steps)
    compiled = {step.dealer: _compiled(step, keys) for step in steps}
    if None in compiled.values():
        return None
    dealer = keys.index(("dealer",)) if ("dealer",) in keys and None not in compiled else None
    players = settlement.program.players
    shares = {who: divisions(size, players) for who, size in settlement.sizes.items()}
    values = settlement.start()

    def step(state: State) -> Mapping[State, int] | None:
        assert isinstance(state, tuple)
        who = None if dealer is None else state[dealer]
        settle = compiled.get(who)
        if settle is None:
            return None
        counts: Counter[State] = Counter()
        for tricks in shares[who]:
            broken, ended, *after = settle(tricks, state)
            if broken:
                return None
            counts[END if ended else tuple(after)] += 1
        return counts

    return tuple(_number(as_term(values[key])) for key in keys), step


def _number(term: z3.ExprRef) -> int | bool:
    return bool(z3.is_true(term)) if z3.is_bool(term) else int(z3.simplify(term).as_long())


def _compiled(step: Transition, keys: list[Key]) -> Compiled | None:
    """The hand as a Python function; None if it depends on more than tricks and carried values."""
    ends = (y.disj(step.hand.unplayed, step.hand.broken, step.interrupted), step.hand.ended)
    terms = [as_term(symbol) for symbol in (*ends, *(step.following[key] for key in keys))]
    names = {str(trick): f"tricks[{p}]" for p, trick in enumerate(step.hand.tricks)}
    names |= {unknown_name(key): f"carried[{i}]" for i, key in enumerate(keys)}
    if not constants(*terms).keys() <= names.keys():
        return None
    lines: list[str] = []
    places: dict[int, str] = {}
    results = [_written(term, names, lines, places) for term in terms]
    if None in results:
        return None
    body = "\n".join(f"    {line}" for line in lines)
    source = f"def settle(tricks, carried):\n{body}\n    return ({', '.join(map(str, results))},)\n"
    space: dict[str, Compiled] = {}
    exec(compile(source, "<settlement>", "exec"), space)
    return space["settle"]


JOINED = {
    z3.Z3_OP_AND: " and ",
    z3.Z3_OP_OR: " or ",
    z3.Z3_OP_ADD: " + ",
    z3.Z3_OP_SUB: " - ",
    z3.Z3_OP_MUL: " * ",
    z3.Z3_OP_EQ: " == ",
    z3.Z3_OP_DISTINCT: " != ",
    z3.Z3_OP_LE: " <= ",
    z3.Z3_OP_LT: " < ",
    z3.Z3_OP_GE: " >= ",
    z3.Z3_OP_GT: " > ",
    z3.Z3_OP_IDIV: " // ",
    z3.Z3_OP_MOD: " % ",
}


def _written(
    term: z3.ExprRef, names: Mapping[str, str], lines: list[str], places: dict[int, str]
) -> str | None:
    """The name of a term's value; its lines are added.  None for what has no counterpart."""
    if term.get_id() in places:
        return places[term.get_id()]
    parts = [_written(part, names, lines, places) for part in term.children()]
    kind = term.decl().kind()
    if None in parts:
        return None
    if z3.is_int_value(term):
        text = f"({term.as_long()})"
    elif z3.is_true(term) or z3.is_false(term):
        text = str(z3.is_true(term))
    elif kind == z3.Z3_OP_UNINTERPRETED and not parts:
        text = names[term.decl().name()]
    elif kind == z3.Z3_OP_ITE:
        text = f"{parts[1]} if {parts[0]} else {parts[2]}"
    elif kind in (z3.Z3_OP_NOT, z3.Z3_OP_UMINUS):
        text = f"{'not' if kind == z3.Z3_OP_NOT else '-'} {parts[0]}"
    elif kind in JOINED and (kind != z3.Z3_OP_DISTINCT or len(parts) == 2):
        text = JOINED[kind].join(map(str, parts))
    else:
        return None
    lines.append(f"t{len(places)} = {text}")
    places[term.get_id()] = f"t{len(places)}"
    return places[term.get_id()]
