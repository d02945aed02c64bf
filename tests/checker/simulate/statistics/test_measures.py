"""What is measured is what the rules score: score and payout of a deal, and targets met as the rules mean it."""

from __future__ import annotations

import pytest

from checker.adapters.peer_rulesets import ROOT, from_text, loaded, replaced
from trickproof.simulate.api import simulate
from trickproof.simulate.ir.calling_convention import LLVM, PYTHON
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.statistics.estimates import Counts
from trickproof_dsl.library import Ruleset

BACK_ENDS = [LLVM, PYTHON] if best_backend() == LLVM else [PYTHON]

EXACT = from_text("""
ruleset: exactly
title: Sergeant Major, scored for exact targets
extends: pagat
rules:
  scoring:
    rule: |
      for p in players with tricks = target:
          score of p becomes score of p + 10
    assumes: a test
  payout: {rule: nothing happens, assumes: a test}
  end: {rule: some player has score >= 30, assumes: a test}
  winner: {rule: players with the highest score, assumes: a test}
""")

THREE_LESS = replaced(ROOT / "rulesets/house/double-stakes.yaml", ("2 * over of p", "over of p - 3"))


def counted(ruleset: Ruleset, backend: str, matches: int = 4) -> Counts:
    return simulate(ruleset, matches=matches, backend=backend).counts


def total(counts: Counts, name: str) -> list[int]:
    """A measure summed over all deals, by seat."""
    return [counts.totals[counts.plan.offsets[f"{name}.{seat}"]] for seat in range(counts.plan.players)]


@pytest.mark.parametrize("backend", BACK_ENDS)
@pytest.mark.parametrize("name", ["nine-five-two", "games/euchre", "games/oh-hell"])
def test_scores_of_deals_add_up_to_those_of_matches(name: str, backend: str) -> None:
    """Scores are carried, so a deal's is the change; all begin with 0."""
    counts = counted(loaded(ROOT / f"rulesets/{name}.yaml"), backend)
    at_the_end = sum(counts.totals[counts.plan.offsets[f"score.{p}"]] for p in range(counts.plan.players))
    assert sum(total(counts, "scored")) == at_the_end
    assert any(total(counts, "scored"))


@pytest.mark.parametrize("backend", BACK_ENDS)
def test_payouts_are_what_the_rules_pay(backend: str) -> None:
    counts = counted(loaded(ROOT / "rulesets/house/double-stakes.yaml"), backend)
    assert total(counts, "paid") == [2 * x for x in total(counts, "over")]
    less = counted(THREE_LESS, backend)
    assert total(less, "paid") == [x - 3 * less.hands for x in total(less, "over")]


@pytest.mark.parametrize("backend", BACK_ENDS)
def test_an_exact_aim_is_met_exactly(backend: str) -> None:
    """Whoever takes neither more nor fewer tricks scores ten."""
    counts = counted(EXACT, backend)
    assert total(counts, "scored") == [10 * x for x in total(counts, "met")]


def test_rules_without_targets_score_or_payout_are_not_measured_by_them() -> None:
    plan = counted(loaded(ROOT / "rulesets/games/hearts.yaml"), BACK_ENDS[0]).plan
    assert {x.partition(".")[0] for x in plan.measures} == {"tricks", "scored"}
    plan = counted(loaded(ROOT / "rulesets/pagat.yaml"), BACK_ENDS[0]).plan
    assert {x.partition(".")[0] for x in plan.measures} == {"tricks", "over", "met", "paid", "given"}
