"""What the verifier states of an invariant is what the reference evaluates."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from checker.rulesets_for_tests import house
from trickproof.certificates.certificate import Certificate
from trickproof.certificates.conditions import Conditions, NotStatedError
from trickproof.certificates.questions import Questions, negation
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.expressions import value_in
from trickproof_dsl.semantics.faults import FaultError
from trickproof_dsl.semantics.machine import begin
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.values import Value

STATED = """\
    parameters:
      goal: 1 | 2
    invariants:
      sums: {rule: sum of over for players = 10 - 2 * (number of players with tricks = 0), assumes: a test}
      every: {rule: every player has (over < 2 or score > over), assumes: a test}
      exists: {rule: some player has (over > goal and not player = dealer), assumes: a test}
      seats: {rule: tricks of left of dealer >= tricks of right of dealer, assumes: a test}
      remainders: {rule: (sum of score for players) mod 3 = (over of dealer) mod 2 + over of dealer div 2, assumes: a test}
      chosen: {rule: (if first-hand then over of dealer else 0 - over of leader) <= 1, assumes: a test}
      suits: {rule: trump = none or trump = spades, assumes: a test}
      leads: {rule: leader = dealer or leader = none, assumes: a test}
      alike: {rule: (players with over > 0) = (players with score > 0), assumes: a test}
      only: {rule: over of (only player in players with over > 1) >= 2, assumes: a test}
      differs: {rule: sum of (if player = dealer then over else 2 * score) for players != 3, assumes: a test}
    """

STATES = 6


@cache
def ruleset() -> Ruleset:
    return house(STATED, "pagat")


@pytest.mark.parametrize("seed", range(STATES))
def test_conditions_hold_where_the_reference_says_so(seed: int) -> None:
    program = ruleset().program
    state = _state(begin(program, parameters={"goal": 1 + seed % 2}), Random(seed))
    values = {".".join(map(str, key)): f"|{'.'.join(map(str, key))}|" for key in state.variables}
    of = Certificate(1, "", "", (), {}, 0)
    of.declared = {
        f"|{'.'.join(map(str, key))}|": "Bool" if isinstance(value, bool) else "Int"
        for key, value in state.variables.items()
    }
    facts = [
        _is(values[".".join(map(str, key))], value)
        for key, value in state.variables.items()
        if not isinstance(value, frozenset)
    ]
    for name, invariant in program.invariants.items():
        term = Conditions(program, {"goal": state.parameters["goal"]}, values).holds(invariant.condition)
        try:
            holds = value_in(state, invariant.condition) is True
        except FaultError:
            holds = False
        assert Questions(of).possible([*facts, term]) is holds, name


def _state(begun: State, random: Random) -> State:
    """A state with other values."""
    values: dict[tuple[str, *tuple[int, ...]], Value] = {}
    for key, value in begun.variables.items():
        kind = begun.program.variables[key[0]].type.kind
        of = {"integer": range(-3, 4), "boolean": (False, True), "player": range(3), "suit": range(4)}
        if kind in of and not isinstance(value, frozenset):
            some: list[Value] = [*of[kind], *([None] if kind in ("player", "suit") and value is None else [])]
            values[key] = random.choice(some)
    return begun.but(variables=values)


def _is(term: str, value: Value) -> str:
    if isinstance(value, bool):
        return term if value else negation(term)
    number = -1 if value is None else value
    return f"(= {term} {number if isinstance(number, int) and number >= 0 else f'(- {-int(str(number))})'})"


@pytest.mark.parametrize(
    "rule",
    [
        "number of hand of dealer = 3",  # looks at cards
        "over of dealer * score of dealer = 0",  # is not linear
        "tricks of dealer mod (over of dealer) = 0",
        "over of dealer = goal",  # depends on a parameter whose value is not given
    ],
)
def test_what_is_not_linear_arithmetic_is_not_stated(rule: str) -> None:
    text = f"""\
    parameters:
      goal: 1 | 2
    invariants:
      stated: {{rule: {rule}, assumes: a test}}
    """
    program = house(text, "pagat").program
    values = {".".join(map(str, key)): f"|{key}|" for key in begin(program).variables}
    with pytest.raises(NotStatedError):
        Conditions(program, {}, values).holds(program.invariants["stated"].condition)
