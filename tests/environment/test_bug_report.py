"""The bug report: what it contains, and what it must not contain."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli.console import run
from trickproof.check_runner import runner


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading any ruleset raises an internal error."""

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError(f"at {Path.home()}/notes and /home/somebody/notes")

    monkeypatch.setattr("trickproof_dsl.library.Library.load", fail)


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    file = tmp_path / "mine.yaml"
    file.write_text("ruleset: mine\nextends: pagat\n", encoding="utf-8")
    return file


def test_a_command_that_breaks_down(broken: None, ruleset: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    ended = run("--bug-report", str(report), "rulesheet", str(ruleset))
    assert ended.code == 70
    assert "Traceback" not in ended.err
    assert "please report it" in ended.err
    text = report.read_text(encoding="utf-8")
    assert text.startswith("trickproof 0.")
    assert "ZeroDivisionError" in text
    assert "Traceback" in text
    assert "somebody" not in text
    assert str(Path.home()) not in text
    assert "extends: pagat" not in text


def test_the_input_is_in_it_if_the_user_says_so(broken: None, ruleset: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    assert run("--bug-report", str(report), "--with-input", "rulesheet", str(ruleset)).code == 70
    assert "ruleset: mine\nextends: pagat\n" in report.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [["--state", "{}"], ["--state={}"]])
def test_files_that_options_name_are_in_it(broken: None, words: list[str], tmp_path: Path) -> None:
    report, state = tmp_path / "report.txt", tmp_path / "state"
    state.write_text("what the state holds", encoding="utf-8")
    named = [word.format(state) for word in words]
    assert run("--bug-report", str(report), "--with-input", "simulate", "pagat", *named).code == 70
    assert f"--- {state}\nwhat the state holds" in report.read_text(encoding="utf-8")


def test_a_check_that_breaks_down(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("in a check")

    monkeypatch.setattr(runner, "_finding", fail)
    report = tmp_path / "report.txt"
    words = ("check", "pagat", "--only", "target-total", "--no-cache", "--workers", "1")
    ended = run("--bug-report", str(report), *words)
    assert ended.code == 70
    assert "in fail" in report.read_text(encoding="utf-8")


def test_no_report_where_nothing_breaks_down(tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    assert run("--bug-report", str(report), "check", "no-such-ruleset").code == 2
    assert run("--bug-report", str(report), "list").code == 0
    assert not report.exists()


def test_a_report_that_cannot_be_written(broken: None, tmp_path: Path) -> None:
    ended = run("--bug-report", str(tmp_path / "missing" / "report.txt"), "rulesheet", "pagat")
    assert ended.code == 2
    assert "--bug-report: cannot write" in ended.err
