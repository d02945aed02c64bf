"""docs/simulating.md shows what the program prints, and its Python example runs."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from budget import RUN
from checker.cli.console import as_printed

pytestmark = pytest.mark.usefixtures("shared_cache")

PAGE = Path(__file__).parents[2] / "docs/simulating.md"


@RUN
def test_output_is_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    as_printed(PAGE, tmp_path, request.config.getoption("--update"))


@RUN
def test_the_example_prints_what_the_page_says(request: pytest.FixtureRequest) -> None:
    text = PAGE.read_text("utf-8")
    example = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.S)
    assert example is not None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example[1], str(PAGE), "exec"), {})
    if request.config.getoption("--update"):
        PAGE.write_text(text[: example.start(2)] + printed.getvalue() + text[example.end(2) :], "utf-8")
    else:
        assert printed.getvalue() == example[2]
