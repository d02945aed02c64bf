"""docs/comparing.md shows what the program prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.console import play_case

PAGE = Path(__file__).parents[2] / "docs/comparing.md"


def test_output_is_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    played = play_case(text, tmp_path)
    if request.config.getoption("--update"):
        PAGE.write_text(played, encoding="utf-8")
        return
    assert played == text
