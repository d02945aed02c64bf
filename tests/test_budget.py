"""The budget of the tests adds up, and everything it names exists."""

from __future__ import annotations

import re

import pytest

import budget
from budget_plugin import suite_of

ROOT = budget.FILE.parents[1]
BUDGET = budget.budget()
CORES = 2


def test_all_shares_fit_into_the_run() -> None:
    processor_minutes = sum(suite.share for suite in BUDGET.suites)
    minutes = processor_minutes / CORES + BUDGET.rest_minutes
    assert minutes * BUDGET.slower <= BUDGET.run_minutes


@pytest.mark.parametrize("suite", BUDGET.suites, ids=lambda suite: suite.name)
def test_suites_are_in_order(suite: budget.Suite) -> None:
    assert 0 < suite.share <= suite.full
    assert suite.one_in >= 1
    assert suite.shards >= 1
    for path in suite.paths:
        assert (ROOT / path).exists(), path


def test_every_slow_test_is_of_one_suite() -> None:
    """Including those that nothing has collected; the plugin checks the collected ones again."""
    for path in (ROOT / "tests").rglob("test_*.py"):
        if (
            re.search(r"mark\.(slow|grows)", path.read_text(encoding="utf-8"))
            and path.name != "test_budget.py"
        ):
            assert suite_of(path.relative_to(ROOT).as_posix())


def test_a_slow_test_of_no_suite_is_refused() -> None:
    with pytest.raises(pytest.UsageError, match=r"not of none"):
        suite_of("tests/elsewhere/test_new.py")


def test_a_longer_path_goes_before_a_shorter_one() -> None:
    assert suite_of("tests/agreement/test_simulator.py").name == "simulator"
    assert suite_of("tests/agreement/test_seats.py").name == "agreement"


@pytest.mark.parametrize("name", BUDGET.counts)
def test_counts_grow_with_the_size_of_the_run(name: str) -> None:
    counts = [BUDGET.counts[name][size] for size in budget.SIZES]
    assert counts == sorted(counts)
    assert counts[0] > 0
    assert counts[-1] < budget.SEED_STEP


def test_seeds_of_two_runs_do_not_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(BUDGET.counts))
    monkeypatch.setenv(budget.SIZE_VARIABLE, "full")
    monkeypatch.setenv(budget.SEED_VARIABLE, "0")
    first = set(budget.seeds(name))
    monkeypatch.setenv(budget.SEED_VARIABLE, "1")
    assert not first & set(budget.seeds(name))
    assert [seed for block in budget.blocks(name, 7) for seed in block] == list(budget.seeds(name))


def test_tests_that_grow_name_their_counts() -> None:
    """Tests name their counts in the marker, and every count is named by some test."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    markers = [names for text in texts for names in re.findall(r"mark\.grows\(([^)]*)\)", text)]
    assert {name for names in markers for name in re.findall(r'"([a-z._]+)"', names)} == set(BUDGET.counts)


def test_what_the_quick_run_leaves_out_is_there() -> None:
    for path in BUDGET.quick_leaves_out:
        assert (ROOT / path).exists(), path
