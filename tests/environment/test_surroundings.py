"""The folders, variables and limits with which a process starts."""

from __future__ import annotations

from pathlib import Path

import pytest

import budget
from environment.faults import run

CHECK = ("check", "pagat", "--only", "target-total")

SURROUNDINGS = [
    "HOME=/no/such/home",
    "HOME=",
    "TERM=dumb",
    "TERM=no-such-terminal COLUMNS=none",
    "TMPDIR=/no/such/folder",
    "LC_ALL=xx_YY.none LANG=none",
    "XDG_CACHE_HOME=/dev/null",
]


@pytest.mark.slow
@pytest.mark.parametrize("variables", SURROUNDINGS)
def test_variables_that_lead_nowhere(variables: str) -> None:
    """The answer is the same; without a home folder, nothing is cached."""
    ended = run(*CHECK, unset=["TRICKPROOF_CACHE"], prefix=["env", *variables.split()])
    ended.says(0)
    assert ended.out == run(*CHECK).out


@pytest.mark.slow
def test_no_home_at_all() -> None:
    run(*CHECK, unset=["TRICKPROOF_CACHE", "HOME", "PATH", "LANG", "TERM"]).says(0)


GONE = [
    (("list",), 0),
    (("check", "mine.yaml"), 2),
    (("new", "mine.yaml", "--base", "pagat"), 2),
    (("fmt", "mine.yaml"), 2),
    (("replay", "mine.jsonl"), 2),
    ((*CHECK, "--no-cache", "--sarif", "mine.sarif"), 2),
    (("check", "pagat", "--only", "no-fault", "--no-cache"), 2),
    (("play", "pagat", "--state", "mine.json"), 2),
    (("simulate", "pagat", "--hands", "50"), 0),
]


@pytest.mark.parametrize("case", budget.slow_but(GONE[:1], GONE), ids=lambda case: " ".join(case[0]))
def test_the_working_folder_is_gone(case: tuple[tuple[str, ...], int], tmp_path: Path) -> None:
    arguments, code = case
    folder = tmp_path / "gone"
    folder.mkdir()
    run(*arguments, cwd=folder, shell='rmdir "$PWD"').says(code)
    assert not folder.exists()


def test_the_working_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    ended = run("new", "mine.yaml", "--base", "pagat", cwd=tmp_path, shell='mkdir x; cd x; rmdir "$PWD"')
    ended.says(2, "the current folder is gone")


@pytest.mark.slow
@pytest.mark.parametrize("files", [5, 6, 8, 11, 14, 20, 40])
def test_few_open_files(files: int) -> None:
    """What cannot be done is reported; what can be done is correct."""
    for arguments in (
        ["check", "pagat", "six-over", "--only", "target-total", "--no-cache"],
        ["simulate", "pagat", "--hands", "40000", "--workers", "2"],
    ):
        ended = run(*arguments, shell=f"ulimit -n {files}")
        ended.says(ended.code)
        assert ended.code in (0, 2)
        assert ended.code == 0 or "too many open files" in ended.err
        assert files < 40 or ended.code == 0
