"""Files that cannot be written: no partial files, no success messages, and existing content is preserved."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import budget
from environment.faults import Ended, contents, fill, full_disk, open_folder, ordinary_user, run

UNTIDY = "id:   mine\nextends:   pagat\n"

WRITING: dict[str, tuple[str, ...]] = {
    "fmt": ("fmt", "FILE"),
    "new": ("new", "FILE", "--base", "pagat"),
    "check --sarif": ("check", "pagat", "--only", "target-total", "--sarif", "FILE"),
    "check --certificate": ("check", "pagat", "--only", "target-total", "--certificate", "FILE"),
    "simulate --svg": ("simulate", "pagat", "--hands", "50", "--backend", "python", "--svg", "FILE"),
    "simulate --state": ("simulate", "pagat", "--hands", "50", "--backend", "python", "--state", "FILE"),
    "sweep --svg": (
        *("sweep", "nine-five-two", "--vary", "goal=10..11", "--hands", "50"),
        *("--backend", "python", "--no-check", "--svg", "FILE"),
    ),
    "play --state": ("play", "pagat", "--hands", "1", "--state", "FILE"),
}
"""Every way to write a file."""

READ_FIRST = {"fmt", "simulate --state", "play --state"}
"""Commands that read the file before replacing it."""

FEW = ("fmt", "new")

every_way = pytest.mark.parametrize("way", budget.slow_but(FEW, WRITING))


def _writing(way: str, file: Path, go: Callable[..., Ended] = run) -> Ended:
    return go(*(str(file) if word == "FILE" else word for word in WRITING[way]))


def _old(way: str, folder: Path) -> Path:
    """An older file of the kind that a command writes."""
    file = folder / "mine.yaml"
    if way == "fmt":
        file.write_text(UNTIDY, encoding="utf-8")
    elif way in READ_FIRST:
        assert _writing(way, file).code == 0
    elif way != "new":
        file.write_text("older\n", encoding="utf-8")
    return file


@every_way
def test_a_disk_that_is_full(way: str) -> None:
    with full_disk() as folder:
        file = _old(way, folder)
        fill(folder)
        before = contents(folder)
        ended = _writing(way, file)
        ended.says(2, "no space left" if "--state" not in way else "", str(file))
        assert "formatted" not in ended.out
        assert "kept" not in ended.out
        assert contents(folder) == before


@every_way
def test_a_disk_that_fills_while_a_file_is_written(way: str, tmp_path: Path) -> None:
    """No file may be longer than a block: the first few bytes are written, the rest is not."""
    file = _old(way, tmp_path)
    if way == "fmt":
        file.write_text(UNTIDY + "# a comment\n" * 1000, encoding="utf-8")
    before = contents(tmp_path)
    limit = "trap '' XFSZ; ulimit -f 1"
    _writing(way, file, lambda *words: run(*words, shell=limit, TRICKPROOF_CACHE=os.devnull))
    assert contents(tmp_path) == before or way in ("check --certificate", "play --state")
    assert not [name for name in contents(tmp_path) if name.endswith(".part")]


@every_way
@budget.RUN
def test_folders_that_are_none(way: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in (tmp_path / "missing" / "mine.yaml", tmp_path / "file" / "mine.yaml", tmp_path):
        _writing(way, place).says(2)
    assert contents(tmp_path) == {"file": b""}


@every_way
def test_a_folder_that_may_not_be_written(way: str) -> None:
    person = ordinary_user()
    with open_folder() as folder:
        file = _old(way, folder)
        before = contents(folder)
        file.touch() if way == "new" else file.chmod(0o644)
        folder.chmod(0o555)
        file.unlink() if way == "new" else None
        _writing(way, file, person.run).says(2)
        assert contents(folder) == before
        folder.chmod(0o777)


FOLDERS = {
    "report": ("report", "six-over", "--no-quiz", "--deals", "1000000000", "-o"),
    "playground": ("playground", "-o"),
}
"""Commands that write many files; one of them would work for days."""


@pytest.mark.slow
@pytest.mark.parametrize("way", FOLDERS)
def test_folders_are_looked_at_before_the_work(way: str) -> None:
    person = ordinary_user()
    with open_folder() as folder:
        (folder / "file").touch()
        locked = folder / "locked"
        locked.mkdir(mode=0o555)
        for place in (folder / "file" / "site", Path(os.devnull), locked, locked / "site"):
            person.run(*FOLDERS[way], place).says(2, f"-o: cannot write `{place}`")
        assert contents(folder) == {"file": b""}


@pytest.mark.slow
def test_a_file_that_may_not_be_written_stays() -> None:
    person = ordinary_user()
    with open_folder() as folder:
        file = _old("fmt", folder)
        file.chmod(0o444)
        _writing("fmt", file, person.run).says(2, "ermission denied")
        assert file.read_text(encoding="utf-8") == UNTIDY


@pytest.mark.slow
def test_files_that_may_not_be_read() -> None:
    person = ordinary_user()
    with open_folder() as folder:
        file = _old("fmt", folder)
        file.chmod(0)
        os.chown(file, 0, 0) if os.geteuid() == 0 else None
        for words in (["check"], ["fmt"], ["replay"], ["rulesheet"], ["vectors", "--verify"], ["play"]):
            person.run(*words, file).says(2)
        person.run("play", "pagat", "--state", file).says(2, "cannot be read")
        words = ("simulate", "pagat", "--hands", "50", "--state", file)
        simulated = person.run(*words, cache=folder / "cache")
        simulated.says(2, "cannot be read")


def test_a_new_file_replaces_none(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("older\n", encoding="utf-8")
    run("new", file, "--base", "pagat").says(2, "not overwritten")
    assert contents(tmp_path) == {"mine.yaml": b"older\n"}
