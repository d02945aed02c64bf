"""Each file of tests/cases/commands holds rulesets, commands and their full output; `--update` rewrites it."""

from __future__ import annotations

from pathlib import Path

import pytest

from budget import RUN, slow_but
from checker.cli.console import as_printed

CASES = sorted((Path(__file__).parents[2] / "cases" / "commands").glob("*.md"))

LONG = ("check-options", "old-names")
"""In every share of .ci/run."""


@pytest.mark.parametrize(
    "case",
    slow_but([path for path in CASES if path.stem not in LONG], CASES, RUN),
    ids=lambda path: path.stem,
)
def test_case(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    as_printed(case, tmp_path, request.config.getoption("--update"))
