"""Each file of tests/cases/commands holds rulesets, commands and their full output; `--update` rewrites it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.console import play_case

CASES = sorted((Path(__file__).parents[1] / "cases" / "commands").glob("*.md"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = case.read_text(encoding="utf-8")
    played = play_case(expected, tmp_path)
    if request.config.getoption("--update"):
        case.write_text(played, encoding="utf-8")
        return
    assert played == expected
