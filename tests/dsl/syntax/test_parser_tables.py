"""The committed tables of the parser are those of the grammar, and what lark cannot use is computed anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import lark
import pytest
from lark import Lark

from budget import RUN
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.syntax import parser, parser_tables
from trickproof_dsl.syntax.parser import parse_rule
from trickproof_dsl.syntax.parser_table_writer import tables_text

TEXTS = (
    "trump becomes hearts",
    "trump becomes becomes",
    "if x:\n  do a\n do b",
    "a $ b",
    "x = 1\ny = 2",
    "x := 3",
)
COMMITTED = Path(parser_tables.__file__).with_name(parser_tables.FILE)


def committed() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(
        COMMITTED.read_text(encoding="utf-8"), object_hook=parser_tables._listed
    )
    return tables


def test_committed_tables_are_current(generated: Callable[[Path, str], None]) -> None:
    if not lark.__version__.startswith(committed()["lark"] + "."):
        pytest.skip("made with another release of lark, which computes its own")
    generated(COMMITTED, tables_text())


@RUN
def test_tables_do_not_depend_on_the_order_of_sets() -> None:
    code = "import sys; from trickproof_dsl.syntax.parser_table_writer import tables_text; sys.stdout.write(tables_text())"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    texts = {
        subprocess.run(
            [sys.executable, "-c", code], env=env | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert texts == {tables_text().encode()}


@cache
def both_parsers() -> tuple[Lark, Lark]:
    return parser_tables._from_tables(committed()), parser_tables.from_grammar()


def outcome(text: str, lark: Lark, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tree of a text, or what is wrong with it, by a certain parser."""
    monkeypatch.setattr(parser, "rule_parser", lambda: lark)
    parser._parsed.cache_clear()
    tree, wrong = parse_rule(Source("x", text), Span(Source("x", text), 0, len(text)))
    parser._parsed.cache_clear()
    return [repr(tree), *map(str, wrong)]


@pytest.mark.parametrize("text", TEXTS)
def test_tables_and_grammar_give_the_same_parser(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    by_tables, by_grammar = both_parsers()
    assert outcome(text, by_tables, monkeypatch) == outcome(text, by_grammar, monkeypatch)


def altered(*path: str, value: object) -> str:
    """The committed file with another value somewhere."""
    tables = inner = committed()
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return json.dumps(tables)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        altered("lark", value="0.1"),
        altered("grammar", value="another"),
        altered("memo", value=[]),
        altered("memo", value=5),
        altered("data", "parser", value={}),
        altered("data", "options", value={"unknown": 1}),
        altered("states", value=[]),
        altered("states", value=None),
    ],
)
@RUN
def test_what_lark_cannot_read_is_computed_anew(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tables.json").write_text(text, encoding="utf-8")
    monkeypatch.setattr(parser_tables, "_file", lambda: tmp_path / "tables.json")
    lark = parser_tables.rule_parser.__wrapped__()
    assert lark.source_path != "<deserialized>"
    assert lark.parse("x becomes 1\n").data == "procedure"


def test_committed_tables_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    if not lark.__version__.startswith(committed()["lark"] + "."):
        pytest.skip("made with another release of lark, which computes its own")
    assert parser_tables.rule_parser.__wrapped__().source_path == "<deserialized>"
    monkeypatch.setattr(parser_tables, "_file", lambda: COMMITTED.with_name("missing.json"))
    assert parser_tables.rule_parser.__wrapped__().source_path != "<deserialized>"
