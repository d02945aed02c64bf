"""The peers' own suites on our rulesets: a few by default, all of them in the slow part."""

from __future__ import annotations

from pathlib import Path

import pytest

from budget import RUN

pytest.importorskip("pyspiel")
pytest.importorskip("pettingzoo")

from checker.adapters.peer_rulesets import PATHS, QUICK
from checker.adapters.suites import MATCH, SUITES

ID = "{0.stem}".format


@RUN
@pytest.mark.parametrize(
    ("suite", "path"),
    [
        ("random_sim_test", QUICK[0]),
        ("random_sim_test", QUICK[2]),
        ("games_sim_test", QUICK[3]),
        ("api_test", QUICK[1]),
        ("seed_test", QUICK[2]),
    ],
)
def test_a_hand(suite: str, path: Path) -> None:
    SUITES[suite](path)


@pytest.mark.slow
@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("path", PATHS, ids=ID)
def test_every_ruleset(path: Path, suite: str) -> None:
    SUITES[suite](path)
    SUITES[suite](path, **MATCH)


@pytest.mark.slow
@pytest.mark.parametrize("returns", ["winners", "points", "difference"])
@pytest.mark.parametrize("path", PATHS, ids=ID)
def test_every_way_to_count(path: Path, returns: str) -> None:
    SUITES["random_sim_test"](path, plays=3, returns=returns)
    SUITES["random_sim_test"](path, plays=1, returns=returns, match=True, most_hands=4)
    SUITES["games_sim_test"](path, returns=returns, seed=5)
