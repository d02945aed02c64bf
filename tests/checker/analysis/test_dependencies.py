"""What statements define and use, and under which tests: read off the rules of small games."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import LIBRARY, documented, house
from trickproof.analysis.dependencies import (
    DEALT,
    is_constant,
    local_name,
    names_read,
    steps,
    variables_assigned,
    variables_read,
)
from trickproof.analysis.slicing import sliced
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset

RULES = """\
    state:
      bid: {type: integer, carried: true}
      high: {type: boolean}
      unused: {type: integer}
    rules:
      trump:
        rule: |
          dealer chooses bid from 3 to 8
          if bid > 5:
              high becomes true
          for p in players, clockwise from dealer:
              target of p becomes if high then bid else 4
          unused becomes 1
        assumes: a test
    """


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return house(RULES)


def test_every_statement_is_a_step_once(rules: Ruleset) -> None:
    for name in ("pagat", "weaver-four"):
        program = documented(name).program
        statements = [x for x in walk(program.hand) if isinstance(x, c.Stmt)]
        assert [id(step.statement) for step in steps(program.hand)] == [id(x) for x in statements]
    outside = [step.statement for step in steps(rules.program.hand, skipped_rules=("play",))]
    assert not any(isinstance(x, c.ChooseCards) and x.label == "play" for x in outside)
    assert any(isinstance(x, c.InRule) and x.rule == "play" for x in outside)


def test_operands_and_tests(rules: Ruleset) -> None:
    by_name = {step.defines: step for step in steps(rules.program.hand) if step.defines is not None}
    high, bid = by_name["high"], by_name["bid"]
    assert variables_read(*high.operands) == set()
    assert "bid" in variables_read(*high.tests)
    assert isinstance(high.enclosing[-1], c.Branch)
    chosen = next(x for x in walk(rules.program.hand) if isinstance(x, c.ChooseValue))
    assert set(names_read(*bid.operands)) == {local_name(chosen.binder)}
    assert chosen.binder in {
        x.statement.binder for x in by_name.values() if isinstance(x.statement, c.ChooseValue)
    }
    assert DEALT in by_name


def test_a_loop_is_followed_by_itself(rules: Ruleset) -> None:
    targets = [step for step in steps(rules.program.hand) if step.defines == "target"]
    inside = [step for step in targets if isinstance(step.enclosing[-1], c.Loop)]
    assert inside
    for step in inside:
        assert (step.enclosing[-1],) in step.continuation


def test_a_slice_holds_what_a_variable_depends_on(rules: Ruleset) -> None:
    part = sliced(rules.program.hand, ["target"])
    assert {"target", "high", "bid", "dealer"} <= part.names
    assert "unused" not in part.names
    assert c.INTEGER in [x.value_type for x in part.choices if isinstance(x, c.ChooseValue)]
    assignments = {
        x.variable for x in walk(rules.program.hand) if isinstance(x, c.Assign) and id(x) in part.steps
    }
    assert assignments <= part.names


@pytest.mark.parametrize("name", LIBRARY.documented())
def test_slices_are_closed(name: str) -> None:
    """Whatever a definition in a slice reads is in the slice too, and a larger criterion has a larger slice."""
    program = documented(name).program
    body = (*program.hand, *program.between)
    whole = sliced(body, variables_assigned(body))
    for variable in sorted(variables_assigned(body)):
        part = sliced(body, [variable])
        assert set(names_read(*part.nodes)) <= part.names
        assert part.names <= whole.names
        assert part.steps <= whole.steps


def test_what_never_varies(rules: Ruleset) -> None:
    assignments = {x.variable: x.value for x in walk(rules.program.hand) if isinstance(x, c.Assign)}
    assert is_constant(assignments["unused"])
    assert not is_constant(assignments["bid"])
