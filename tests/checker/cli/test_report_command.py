"""`report` and `playground` on the command line: which files they write, and what `report` refuses."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from budget import RUN
from checker.cli.console import run

pytestmark = pytest.mark.usefixtures("shared_cache")


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@RUN
def test_what_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages, vectors and nothing else; other files in the folder stay, and a second run writes the same bytes and opens them."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    (tmp_path / "site").mkdir()
    (tmp_path / "site/mine.txt").write_text("mine")
    done = run("report", "six-over", "-o", str(tmp_path / "site"), "--hands", "500")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"8 files written; begin with {tmp_path / 'site/index.html'}\n"
    written = files(tmp_path / "site")
    pages = {"index.html", "effects.html", "implementers.html", "rulesets/six-over.html"}
    schemas = {f"schemas/{name}.schema.json" for name in ("answer", "scenario", "vector")}
    assert written.keys() == {*pages, *schemas, "vectors/six-over.jsonl", "mine.txt"}
    assert opened == []
    again = run("report", "six-over", "-o", str(tmp_path / "again"), "--hands", "500", "--open")
    assert again.code == 0
    assert opened == [(tmp_path / "again/index.html").as_uri()]
    assert files(tmp_path / "again") == {name: text for name, text in written.items() if name != "mine.txt"}


@RUN
def test_a_house_rule_by_its_path_is_compared(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(
        "ruleset: mine\nextends: pagat\nrules:\n  lead: {rule: dealer, assumes: our table}\n",
        encoding="utf-8",
    )
    done = run("report", "pagat", str(mine), "-o", str(tmp_path / "site"), "--hands", "500", "--no-quiz")
    assert (done.code, done.err) == (0, "")
    assert {"rulesets/pagat.html", "rulesets/mine.html", "compare.html"} <= files(tmp_path / "site").keys()


def test_what_is_refused(tmp_path: Path) -> None:
    """One clear line, and nothing is written."""
    (tmp_path / "file").write_text("a file")
    (tmp_path / "my.yaml").write_text("ruleset: pagat\nextends: six-over\n")
    for arguments, words in (
        (["pagat"], "-o"),
        (["pagat", "-o", str(tmp_path / "file")], "is a file"),
        (["pagat", "-o", str(tmp_path / "file/under")], "cannot write"),
        (["pagatt", "-o", str(tmp_path / "site")], "did you mean `pagat`"),
        (
            ["pagat", str(tmp_path / "my.yaml"), "-o", str(tmp_path / "site")],
            "two rulesets are called `pagat`",
        ),
    ):
        done = run("report", *arguments)
        assert done.code == 2, done
        assert words in done.err, done
        assert not (tmp_path / "site").exists()


def test_a_playground_says_where_to_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a report does."""
    monkeypatch.setattr("trickproof.playground.packages.packages", nullcontext)
    made = {"index.html": b"page", "a/b.js": b"script"}
    monkeypatch.setattr("trickproof.playground.build.files", lambda *given: made)
    done = run("playground", "-o", str(tmp_path))
    assert done.out == f"2 files written; begin with {tmp_path / 'index.html'}\n"
    assert files(tmp_path) == made
