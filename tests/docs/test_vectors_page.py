"""docs/vectors.md: its game loads, its implementation runs on real vectors and prints what the page says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from checker.cli.console import run
from trickproof.vectors.serialisation import PARTS

PAGE = Path(__file__).parents[2] / "docs/vectors.md"


def block(kind: str) -> re.Match[str]:
    found = re.search(rf"^```{kind}\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None, kind
    return found


def test_the_implementation_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two-suits.yaml").write_text(block("yaml two-suits.yaml")[1], "utf-8")
    command, _, target = block("console")[1].strip().removeprefix("$ trickproof ").partition(" > ")
    vectors = run(*command.split())
    assert vectors.code == 0
    Path(target).write_text(vectors.out, "utf-8")
    assert run("vectors", "--verify", target).code == 0
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block("python")[1], str(PAGE), "exec"), {})
    told = block("text")
    if request.config.getoption("--update"):
        text = PAGE.read_text("utf-8")
        PAGE.write_text(text[: told.start(1)] + printed.getvalue() + text[told.end(1) :], "utf-8")
    else:
        assert printed.getvalue() == told[1]


def test_every_field_is_told() -> None:
    text = PAGE.read_text("utf-8")
    assert [f"| `{part}` |" for part in PARTS if f"| `{part}` |" not in text] == []
