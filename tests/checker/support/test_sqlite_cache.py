"""What is kept is found again; whatever is wrong with the database, nobody notices."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from trickproof.support import sqlite_cache
from trickproof.support.atomic_files import cache_folder
from trickproof.support.sqlite_cache import SqliteCache


def test_keeps_by_key_across_instances(tmp_path: Path) -> None:
    assert SqliteCache(tmp_path / "new" / "folder").write({"a": "1", "b": "2"})
    assert SqliteCache(tmp_path / "new" / "folder").write({"b": "3"})
    again = SqliteCache(tmp_path / "new" / "folder")
    assert again.read(["b", "c", "a"]) == {"a": "1", "b": "3"}
    again.drop(["a"])
    assert again.read(["a", "b"]) == {"b": "3"}


def test_reading_makes_no_folder(tmp_path: Path) -> None:
    assert SqliteCache(tmp_path / "none").read(["a"]) == {}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"no database" * 100])
def test_a_damaged_database_is_begun_anew(tmp_path: Path, damage: bytes) -> None:
    cache = SqliteCache(tmp_path)
    cache.path.write_bytes(damage)
    assert cache.read(["a"]) == {}
    assert cache.write({"a": "1"})
    assert cache.read(["a"]) == {"a": "1"}


def test_a_database_cut_short_is_a_miss_and_begun_anew(tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path)
    cache.write({f"key {i}": "x" * 1000 for i in range(100)})
    cache.path.write_bytes(cache.path.read_bytes()[:20_000])
    assert "key 99" not in cache.read(["key 99"])
    cache.write({"a": "1"})
    cache.write({"a": "1"})
    assert cache.read(["a"]) == {"a": "1"}


def test_an_altered_row_is_not_believed(tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path)
    cache.write({"a": "1"})
    with sqlite3.connect(cache.path) as base:
        base.execute("UPDATE kept SET body = '2'")
    assert cache.read(["a"]) == {}


def test_a_table_of_another_form_is_a_miss(tmp_path: Path) -> None:
    cache = SqliteCache(tmp_path)
    with sqlite3.connect(cache.path) as base:
        base.execute("CREATE TABLE kept (key TEXT)")
    assert cache.read(["a"]) == {}
    assert not cache.write({"a": "1"})
    cache.drop(["a"])


def test_where_no_folder_can_be_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "deeper", Path("/dev/null/x"), Path("nul\0")):
        cache = SqliteCache(folder)
        assert not cache.write({"a": "1"})
        assert cache.read(["a"]) == {}
        cache.drop(["a"])


def test_another_process_that_writes_is_not_waited_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_cache, "TIMEOUT", 0.0)
    cache = SqliteCache(tmp_path)
    cache.write({"a": "1"})
    other = sqlite3.connect(cache.path)
    other.execute("BEGIN EXCLUSIVE")
    assert not cache.write({"a": "2"})
    assert cache.read(["a"]) == {}
    other.close()
    assert cache.read(["a"]) == {"a": "1"}


def test_old_rows_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_cache, "MAX_ROWS", 3)
    cache = SqliteCache(tmp_path)
    for i in range(5):
        cache.write({str(i): "x"})
    assert sorted(cache.read([str(i) for i in range(5)])) == ["2", "3", "4"]


def test_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRICKPROOF_CACHE", "mine")
    assert cache_folder() == Path("mine")
    monkeypatch.delenv("TRICKPROOF_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "trickproof"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "trickproof"
