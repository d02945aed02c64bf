"""docs/comparing.md shows what the program prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli.console import as_printed

pytestmark = pytest.mark.usefixtures("shared_cache")

PAGE = Path(__file__).parents[2] / "docs/comparing.md"


@pytest.mark.slow
def test_output_is_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    as_printed(PAGE, tmp_path, request.config.getoption("--update"))
