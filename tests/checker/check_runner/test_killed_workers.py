"""A process that is killed while it checks: its rulesets are checked again, and the rest is not touched."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from checker.cli.console import run
from checker.rulesets_for_tests import documented
from trickproof.check_runner import runner
from trickproof.check_runner.findings_cache import Cache
from trickproof.check_runner.runner import check_all
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Verdict
from trickproof.support.process_pool import LostError
from trickproof_dsl.library import Ruleset

MARK = "TRICKPROOF_TEST_MARK"
NAMES = ("pagat", "six-over")
ONLY = ["rules-complete"]
check_ruleset = runner.check_ruleset


def killed(ruleset: Ruleset, *more: Any, **settings: Any) -> Any:
    """As `check_ruleset`, but one ruleset kills the process: the first time, or each time where the mark is no file."""
    mark = Path(os.environ[MARK])
    if ruleset.id == NAMES[1] and not mark.is_file():
        if mark.parent.is_dir():
            mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return check_ruleset(ruleset, *more, **settings)


def checked(cache: Cache | None = None) -> dict[str, Finding]:
    told = check_all([documented(name) for name in NAMES], ONLY, 2, 1, cache=cache)
    assert told.disagreements == []
    return {ruleset.id: finding for ruleset, (finding,) in told.findings}


def test_its_rulesets_are_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = checked()
    monkeypatch.setenv(MARK, str(tmp_path / "mark"))
    monkeypatch.setattr(runner, "check_ruleset", killed)
    after = checked()
    assert (tmp_path / "mark").exists()
    assert [(x.verdict, x.message) for x in after.values()] == [
        (x.verdict, x.message) for x in before.values()
    ]


@pytest.mark.slow
def test_what_is_killed_each_time_is_undecided_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MARK, str(tmp_path / "nowhere" / "mark"))
    with monkeypatch.context() as patch:
        patch.setattr(runner, "check_ruleset", killed)
        found = checked(Cache(1))
    lost = found[NAMES[1]]
    assert found[NAMES[0]].verdict is Verdict.UNSPECIFIED
    assert lost.verdict is Verdict.UNDECIDED
    assert "was ended 2 times" in lost.message
    assert Cache(1).findings(documented(NAMES[1]), ONLY) == {}
    assert checked(Cache(1))[NAMES[1]].verdict is Verdict.UNSPECIFIED


@pytest.mark.slow
def test_the_command_says_so_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is undecided, and no bug of ours."""
    monkeypatch.setenv(MARK, "/nowhere/mark")
    monkeypatch.setattr(runner, "check_ruleset", killed)
    done = run("check", *NAMES, "--only", ONLY[0], "--hands", "1", "--workers", "2", "--no-cache")
    assert (done.code, done.err) == (3, "")
    assert "the process that worked on it was ended 2 times" in " ".join(done.out.split())


def test_other_commands_say_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> None:
        raise LostError("the process was ended")

    monkeypatch.setattr("trickproof.cli.commands.list.make_listing", lost)
    done = run("list")
    assert (done.code, done.out, done.err) == (3, "", "trickproof: not decided: the process was ended\n")
