"""The parser's tables, kept in a folder: found again, and made anew where what is there is of no use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.syntax import parser as parse
from trickproof_dsl.syntax.parser import keep_tables, parse_rule


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    before = parse._folder
    parse._parser.cache_clear()
    yield
    keep_tables(before)
    parse._parser.cache_clear()


def told(text: str, folder: Path | None) -> list[str]:
    """What is said of a text, with tables from the folder."""
    if parse._folder != folder:
        keep_tables(folder)
        parse._parser.cache_clear()
    parse._parsed.cache_clear()
    tree, wrong = parse_rule(Source("x", text), Span(Source("x", text), 0, len(text)))
    return [repr(tree), *map(str, wrong)]


TEXTS = ("trump becomes hearts", "trump becomes becomes", "if x:\n  do a\n do b", "a $ b")


def test_kept_tables_say_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "new/folder"
    right = [told(text, None) for text in TEXTS]
    assert [told(text, folder) for text in TEXTS] == right
    parse._parser.cache_clear()
    assert [told(text, folder) for text in TEXTS] == right
    assert [path.name.partition("-")[0] for path in folder.iterdir()] == ["grammar"]


@pytest.mark.parametrize("kept", [b"", b"x", None])
def test_what_is_of_no_use_is_made_anew(tmp_path: Path, kept: bytes | None) -> None:
    right = told(TEXTS[0], tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:5000] if kept is None else kept)
    parse._parser.cache_clear()
    assert told(TEXTS[0], tmp_path) == right
    assert path.stat().st_size > 10_000


def test_nothing_is_kept_where_nothing_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert told(TEXTS[0], tmp_path / "file") == told(TEXTS[0], None)
