"""`trickproof cache`: where the folder is, and that only what is ours is removed from it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from budget import slow_but
from checker.cli.console import run
from trickproof.support.blob_cache import BlobCache
from trickproof.support.cache_contents import OWN
from trickproof.support.cache_folder import FOLDER_VARIABLE

COMMANDS = [("check", "pagat", "--only", "rules-complete"), ("simulate", "pagat", "--hands", "9")]


@pytest.fixture
def folder(own_cache: Path) -> Path:
    """A cache with two entries, two files of older versions, and something else."""
    BlobCache("findings", 2, 9).write("a", b"1")
    BlobCache("code", 2, 9).write("b", b"2")
    (own_cache / "findings-1.sqlite").write_text("older")
    (own_cache / "grammar-3.11").write_text("older")
    (own_cache / "letters").mkdir()
    (own_cache / "letters" / "findings-1").write_text("mine")
    return own_cache


def test_path(own_cache: Path) -> None:
    assert run("cache", "path").out == f"{own_cache}\n"
    assert not own_cache.exists()
    shown = json.loads(run("cache", "path", "--json").out)
    assert (shown["path"], shown["entries"], shown["bytes"]) == (str(own_cache), 0, 0)


def test_only_our_own_is_removed(folder: Path) -> None:
    assert json.loads(run("cache", "path", "--json").out)["entries"] == 4
    assert run("cache", "clear").out.startswith("removed 4 entries, 0.0 MB, from ")
    assert os.listdir(folder) == ["letters"]
    assert (folder / "letters" / "findings-1").read_text() == "mine"
    assert run("cache", "clear").out == f"the cache is empty: {folder}\n"


def test_every_kind_of_entry_is_ours() -> None:
    sources = (Path(__file__).parents[3] / "checker/trickproof").rglob("*.py")
    kinds = {x for path in sources for x in re.findall(r'BlobCache\("(\w+)"', path.read_text("utf-8"))}
    assert len(kinds) >= 12
    assert all(OWN.fullmatch(f"{kind}-1") for kind in kinds)


def test_an_empty_folder_goes(folder: Path) -> None:
    (folder / "letters" / "findings-1").unlink()
    (folder / "letters").rmdir()
    cleared = json.loads(run("cache", "clear", "--json").out)
    assert cleared["removed"]["entries"] == 4
    assert not folder.exists()


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    (folder / "games-1").symlink_to(tmp_path)
    assert run("cache", "clear").code == 0
    assert (tmp_path / "precious").read_text() == "mine"
    assert os.listdir(folder) == ["letters"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives folders away")
def test_another_users_folder_is_left_alone(folder: Path) -> None:
    os.chown(folder, 12345, -1)
    done = run("cache", "clear")
    assert (done.code, done.out) == (2, "")
    assert "belongs to another user: nothing was removed" in done.err
    assert len(os.listdir(folder)) == 5


def test_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    for command in ("path", "clear"):
        done = run("cache", command)
        assert (done.code, done.out) == (2, "")
        assert "home folder is unknown" in done.err


@pytest.mark.parametrize("command", slow_but(COMMANDS[:1], COMMANDS), ids=lambda command: command[0])
def test_a_refused_cache_is_said_in_one_line(own_cache: Path, command: tuple[str, ...]) -> None:
    first = run(*command)
    own_cache.chmod(0o777)
    again = run(*command)
    assert (again.code, again.out) == (first.code, first.out)
    assert again.err.count("\n") == 1
    assert again.err.startswith(
        f"trickproof: the cache `{own_cache}` is not used: other users can write to it; "
    )
    quiet = run(*command, "--no-cache")
    assert (quiet.code, quiet.out, quiet.err) == (first.code, first.out, "")


@pytest.mark.parametrize("command", slow_but(COMMANDS[:1], COMMANDS), ids=lambda command: command[0])
def test_without_the_cache_nothing_is_written(own_cache: Path, command: tuple[str, ...]) -> None:
    run(*command, "--no-cache")
    assert not own_cache.exists()
    run(*command)
    assert own_cache.exists()
