"""The law on random rulesets: verdicts are true, or a disagreement has a known cause (cases/causes.yaml).

All rulesets of the run are drawn; some of them are explored, and some of those judged by the checks
(tests/budget.toml). `python -m adversarial.report` reports on any seeds, with the full table.
"""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from adversarial import law, truths
from adversarial.draft import FULL, SMALL
from adversarial.features import FEATURES
from adversarial.generator import FEWEST, Drawn, drawn
from adversarial.graph import Budget
from adversarial.known_causes import unexplained
from adversarial.law import gone_through, judged, judged_at_full_size, judged_pair
from adversarial.tally import Tally
from budget import blocks, count, seeds
from trickproof.checking.property import never
from trickproof.checks import all_checks
from trickproof_dsl import render
from trickproof_dsl.library import Library, Ruleset

NAME = "adversarial.rulesets"
BLOCK = 50

STATES, STEPS = 20_000, 400_000
"""Exploration budget per ruleset: sufficient for nine in ten, and a few seconds."""

ENOUGH = 40
"""Number of rulesets after which at most one in ten may exceed the budget."""

FULL_SIZE = 10
"""One in this many judged rulesets is also played with the usual deck."""


def _chosen(block: range, name: str) -> list[int]:
    """The seeds of a block selected by the budget, evenly spaced."""
    step = max(1, count(NAME) // count(name))
    return [seed for seed in block if seed % step == min(1, step - 1)]


def _loaded(text: str) -> Ruleset:
    ruleset, wrong = Library().load_text(text, "random.yaml")
    assert ruleset is not None, f"{render(wrong)}\n{text}"
    return ruleset


@pytest.mark.grows("adversarial.drawn")
def test_every_feature_is_in_one_ruleset_of_ten() -> None:
    rulesets = [drawn(seed) for seed in seeds("adversarial.drawn")]
    seen = Counter(feature for one in rulesets for feature in one.features)
    assert {name for name in FEATURES if seen[name] < len(rulesets) / 10} == set()
    assert all(len(one.features) >= FEWEST for one in rulesets)


def test_a_ruleset_is_the_same_in_every_process() -> None:
    """Whatever the hash seed, which affects the order of sets."""
    program = "from adversarial.generator import drawn; print([(x.features, x.small, x.full, x.mutated) for x in map(drawn, range(9))])"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**environment, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


def test_the_truth_about_every_check_is_stated() -> None:
    """A claim whose violations are never noted would be taken to hold."""
    nodes = [node for module in (law, truths) for node in ast.walk(ast.parse(inspect.getsource(module)))]
    stated = {node.value for node in nodes if isinstance(node, ast.Constant)}
    silent = [check.name for check in all_checks() if check.breaks is never and check.name not in stated]
    assert silent == [], "say in tests/adversarial/truths.py in which states the claims of these checks fail"


def test_every_feature_is_possible_on_some_size() -> None:
    for one in FEATURES.values():
        assert any(one.needs(size) for size in SMALL)
    assert {size.players for size in SMALL} == set(FULL)


@pytest.mark.grows("adversarial.rulesets", "adversarial.gone_through", "adversarial.judged")
@pytest.mark.parametrize("block", blocks(NAME, BLOCK), ids=lambda block: f"{block[0]}-{block[-1]}")
def test_what_is_proved_is_true_and_what_is_refuted_is_not(block: range, shared_folder: Path) -> None:
    tally, to_judge = Tally(), set(_chosen(block, "adversarial.judged"))
    for seed in _chosen(block, "adversarial.gone_through"):
        one = drawn(seed)
        ruleset, tally.rulesets = _loaded(one.small), tally.rulesets + 1
        truth = gone_through(ruleset, STATES, STEPS)
        if truth is None:
            tally.dropped += 1
        elif seed in to_judge:
            compared = judged(ruleset, truth)
            tally.add(one.features, compared)
            assert unexplained(compared, one.features) == [], _told(one, one.small)
    print("\n".join(tally.lines()))
    assert _dropped(shared_folder / "law", block, tally) <= 0.1


def _dropped(folder: Path, block: range, tally: Tally) -> float:
    """The share of this run's rulesets that exceeded the budget so far; 0 while there are few."""
    folder.mkdir(parents=True, exist_ok=True)
    (
        folder / f"{block[0]}-{tally.rulesets}-{tally.dropped}"
    ).touch()  # only names matter: workers read while others write
    counts = [tuple(map(int, path.name.split("-"))) for path in folder.iterdir()]
    number = sum(rulesets for _, rulesets, _ in counts)
    return sum(dropped for *_, dropped in counts) / number if number >= ENOUGH else 0.0


@pytest.mark.slow
@pytest.mark.grows("adversarial.judged")
@pytest.mark.parametrize("seed", list(seeds("adversarial.judged"))[::FULL_SIZE])
def test_nothing_proved_on_the_usual_deck_fails_in_play(seed: int) -> None:
    one = drawn(seed)
    assert unexplained(judged_at_full_size(_loaded(one.full)), one.features) == [], _told(one, one.full)


@pytest.mark.grows("adversarial.pairs")
@pytest.mark.parametrize("seed", seeds("adversarial.pairs"))
def test_two_rulesets_are_the_same_if_nothing_differs(seed: int) -> None:
    one = drawn(seed)
    compared = judged_pair(_loaded(one.small), _loaded(one.mutated), Budget(STATES, STEPS))
    assert unexplained(compared, one.features) == [], _told(
        one, f"{one.small}\n{one.mutation}:\n{one.mutated}"
    )


def _told(one: Drawn, text: str) -> str:
    return f"ruleset {one.seed}, {', '.join(one.features)}:\n{text}"
