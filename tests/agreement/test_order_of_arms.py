"""Readers of the core take its nodes in the order in which the core lists them, so that they can be laid side by side."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

import pytest

from trickproof_dsl import core as c

ROOT = Path(__file__).parents[2]

READERS = {
    "dsl/trickproof_dsl/semantics/expressions.py": c.Expr,
    "dsl/trickproof_dsl/semantics/statements.py": c.Stmt,
    "checker/trickproof/simulate/lowering/expressions.py": c.Expr,
    "checker/trickproof/simulate/lowering/statements.py": c.Stmt,
    "checker/trickproof/proofs/symbolic/executor.py": c.Stmt,
}
"""Files with one `match` over all nodes of a union; a new one is added here."""


def arms(text: str) -> list[str]:
    """The core's nodes in the longest `match` of a module, in order."""
    matches = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Match)]
    return max((_nodes(match) for match in matches), key=len)


def _nodes(match: ast.Match) -> list[str]:
    patterns = [pattern for case in match.cases for pattern in ast.walk(case.pattern)]
    classes = [pattern.cls for pattern in patterns if isinstance(pattern, ast.MatchClass)]
    return [cls.attr for cls in classes if isinstance(cls, ast.Attribute)]


@pytest.mark.parametrize("path", READERS)
def test_arms_come_in_the_order_of_the_core(path: str) -> None:
    union = [node.__name__ for node in get_args(READERS[path])]
    assert arms((ROOT / path).read_text(encoding="utf-8")) == union


def test_another_order_is_seen() -> None:
    text = "match x:\n    case c.Branch():\n        pass\n    case c.Assign() | c.Loop():\n        pass\n"
    assert arms(text) == ["Branch", "Assign", "Loop"]
