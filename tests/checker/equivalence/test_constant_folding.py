"""Expressions with everything worked out that is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random

import pytest

from checker.rulesets_for_tests import documented
from trickproof.equivalence.constant_folding import cannot_fault, entry, read_first
from trickproof.testing.random_play import pick
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import FAULTS, fault_sites
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.expressions import Store, evaluate
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.machine import apply, next_hand, start
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.values import Key, Value

ABOUT_NONE = {"nobody", "no-card"}
"""Kinds of fault that do not happen where it is known that something is there."""


@pytest.mark.parametrize("name", ["pagat", "weaver-four"])
def test_whatever_the_core_says_can_fault_is_not_taken_for_total(name: str) -> None:
    program = documented(name).program
    nodes = [node for node in walk(program.setup, program.hand, program.between) if hasattr(node, "span")]
    kinds = {site.kind for node in nodes for site in fault_sites(node)}
    assert kinds <= FAULTS.keys()
    risky = [node for node in nodes if {site.kind for site in fault_sites(node)} - ABOUT_NONE]
    assert len(risky) > 20
    assert not any(map(cannot_fault, risky))


def _states(program: c.Program) -> Iterator[State]:
    """The states of a match played at random."""
    rng, state = Random(0), start(program, readings=dict.fromkeys(program.readings, 0))
    while not (state.match_over or state.fault):
        yield state
        state = next_hand(state) if state.decision is None else apply(state, pick(state.decision, rng))


def _value(e: c.Expr, program: c.Program, variables: Mapping[Key, Value]) -> Value:
    """The value of an expression in the reference, by variables alone; None if it has none or is nothing."""
    readings = dict.fromkeys(program.readings, 0)
    parameters = {name: values[0] for name, values in program.parameters.items()}
    try:
        return evaluate(e, Store(program, parameters, readings, variables, {}), {})
    except (FaultError, EngineLimitError, KeyError):
        return None


@pytest.mark.parametrize("name", ["pagat", "weaver-four", "spades", "oh-hell"])
def test_what_is_read_first_is_needed(name: str) -> None:
    """An expression that has a value in the reference has none there once a leaf of `read_first` is unknown."""
    program = documented(name).program
    states = list(islice(_states(program), 0, 400, 20))
    missed = 0
    for e in {e for e in walk(program.hand, program.between) if isinstance(e, c.Expr)}:
        leaves = [x for x in read_first(e) if isinstance(x, c.Variable)]
        for state in states:
            variables = {key: value for key, value in state.variables.items() if value is not None}
            if _value(e, program, variables) is None:
                continue
            for leaf in leaves:
                key = entry(leaf.name, leaf.arguments)
                assert key is not None
                assert _value(e, program, {k: x for k, x in variables.items() if k != key}) is None, (
                    e.span.text
                )
                missed += 1
    assert missed > 20


def test_what_may_not_be_read_is_not_needed() -> None:
    """A branch that is not taken, and what follows an answer that decides, are not read in the reference."""
    program = documented("pagat").program
    span = program.rules["end"].span
    read = c.Variable("first-hand", (), c.BOOLEAN, span)
    no, yes = (c.Literal(c.BOOLEAN, answer, span) for answer in (False, True))
    for e in (
        c.Conditional(no, read, yes, c.BOOLEAN, span),
        c.Conditional(yes, yes, read, c.BOOLEAN, span),
        c.Logic("and", no, read, c.BOOLEAN, span),
        c.Logic("or", yes, read, c.BOOLEAN, span),
    ):
        assert _value(e, program, {}) is not None
        assert read_first(e) == ()
