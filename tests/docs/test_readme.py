"""The README shows what the program prints, and its two commands stand near the top."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from budget import RUN
from checker.cli.console import as_printed

pytestmark = pytest.mark.usefixtures("shared_cache")

README = Path(__file__).parents[2] / "README.md"


@RUN
def test_output_is_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    as_printed(README, tmp_path, request.config.getoption("--update"))


def test_two_commands_near_the_top() -> None:
    text = README.read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.S)
    assert len(blocks) == 2
    assert "trickproof check" in blocks[0]
    assert "pytest" in blocks[1]
    assert text.index(blocks[1]) < 2000
