"""`-o FILE` of pages and tables: the format by the suffix, the file whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli.console import run


@pytest.mark.parametrize(
    ("words", "suffix", "format_"),
    [
        (("rulesheet", "pagat"), ".md", "md"),
        (("rulesheet", "pagat"), ".HTML", "html"),
        (("rulesheet", "pagat"), ".txt", "text"),
        (("table", "pagat", "--aspects", "kitty"), ".txt", "grid"),
        (("table", "pagat", "--aspects", "kitty"), ".md", "github"),
        (("table", "pagat", "--aspects", "kitty"), ".tex", "latex"),
        (("table", "pagat", "--aspects", "kitty"), ".csv", "csv"),
    ],
)
def test_the_suffix_says_the_format(
    words: tuple[str, ...], suffix: str, format_: str, tmp_path: Path
) -> None:
    file = tmp_path / f"out{suffix}"
    done = run(*words, "-o", str(file))
    assert (done.code, done.out, done.err) == (0, "", f"{file}: written\n")
    assert file.read_text(encoding="utf-8") == run(*words, "--format", format_).out


def test_a_format_that_is_asked_for_goes_first(tmp_path: Path) -> None:
    file = tmp_path / "out.html"
    assert run("rulesheet", "pagat", "--format", "md", "-o", str(file)).code == 0
    assert file.read_text(encoding="utf-8").startswith("# ")


def test_a_suffix_of_no_format_and_a_ruleset_that_is_none_leave_no_file(tmp_path: Path) -> None:
    file = tmp_path / "out.pdf"
    done = run("table", "pagat", "-o", str(file))
    assert done.code == 2
    assert "expected .txt, .md, .html, .tex, .csv, .json, or --format" in done.err
    assert run("rulesheet", "pagta", "-o", str(tmp_path / "out.md")).code == 2
    assert run("rulesheet", "pagat", "-o", str(tmp_path / "none" / "out.md")).code == 2
    assert list(tmp_path.iterdir()) == []
