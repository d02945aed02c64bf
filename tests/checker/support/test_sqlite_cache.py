"""What is kept is found again; whatever is wrong with the database, nobody notices."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from trickproof.support import sqlite_cache as store
from trickproof.support.atomic_files import cache_folder
from trickproof.support.sqlite_cache import Store


def test_keeps_by_key_across_instances(tmp_path: Path) -> None:
    assert Store(tmp_path / "new" / "folder").write({"a": "1", "b": "2"})
    assert Store(tmp_path / "new" / "folder").write({"b": "3"})
    again = Store(tmp_path / "new" / "folder")
    assert again.read(["b", "c", "a"]) == {"a": "1", "b": "3"}
    again.drop(["a"])
    assert again.read(["a", "b"]) == {"b": "3"}


def test_reading_makes_no_folder(tmp_path: Path) -> None:
    assert Store(tmp_path / "none").read(["a"]) == {}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"no database" * 100])
def test_a_damaged_database_is_begun_anew(tmp_path: Path, damage: bytes) -> None:
    kept = Store(tmp_path)
    kept.path.write_bytes(damage)
    assert kept.read(["a"]) == {}
    assert kept.write({"a": "1"})
    assert kept.read(["a"]) == {"a": "1"}


def test_a_database_cut_short_is_a_miss_and_begun_anew(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    kept.write({f"key {i}": "x" * 1000 for i in range(100)})
    kept.path.write_bytes(kept.path.read_bytes()[:20_000])
    assert "key 99" not in kept.read(["key 99"])
    kept.write({"a": "1"})
    kept.write({"a": "1"})
    assert kept.read(["a"]) == {"a": "1"}


def test_an_altered_row_is_not_believed(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    kept.write({"a": "1"})
    with sqlite3.connect(kept.path) as base:
        base.execute("UPDATE kept SET body = '2'")
    assert kept.read(["a"]) == {}


def test_a_table_of_another_form_is_a_miss(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    with sqlite3.connect(kept.path) as base:
        base.execute("CREATE TABLE kept (key TEXT)")
    assert kept.read(["a"]) == {}
    assert not kept.write({"a": "1"})
    kept.drop(["a"])


def test_where_no_folder_can_be_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "deeper", Path("/dev/null/x"), Path("nul\0")):
        kept = Store(folder)
        assert not kept.write({"a": "1"})
        assert kept.read(["a"]) == {}
        kept.drop(["a"])


def test_another_process_that_writes_is_not_waited_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "PATIENCE", 0.0)
    kept = Store(tmp_path)
    kept.write({"a": "1"})
    other = sqlite3.connect(kept.path)
    other.execute("BEGIN EXCLUSIVE")
    assert not kept.write({"a": "2"})
    assert kept.read(["a"]) == {}
    other.close()
    assert kept.read(["a"]) == {"a": "1"}


def test_old_rows_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST", 3)
    kept = Store(tmp_path)
    for i in range(5):
        kept.write({str(i): "x"})
    assert sorted(kept.read([str(i) for i in range(5)])) == ["2", "3", "4"]


def test_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRICKPROOF_CACHE", "mine")
    assert cache_folder() == Path("mine")
    monkeypatch.delenv("TRICKPROOF_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "trickproof"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "trickproof"
