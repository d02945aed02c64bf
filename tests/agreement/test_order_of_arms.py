"""Modules that match on core nodes list them in the core's order, so that they can be compared side by side."""

from __future__ import annotations

import ast
import re
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
    "checker/trickproof/proofs/symbolic/expressions.py": c.Expr,
    "checker/trickproof/proofs/symbolic/executor.py": c.Stmt,
}
"""Files with one `match` over all nodes of a union; new ones must be added here."""

PARTIAL = {
    "checker/trickproof/proofs/symbolic/card_expressions.py": c.Expr,
    "checker/trickproof/diff/symbolic/value_rules.py": c.Expr,
}
"""Files that another file completes: every `match` covers some nodes of a union."""

METHODS = {"checker/trickproof/proofs/symbolic/actions.py": c.Stmt}
"""Files whose classes have a method for each of some nodes, named after it."""


def arms(text: str) -> list[str]:
    """The core nodes in the longest `match` of a module, in order."""
    return [node for arm in max(outlines(text), key=len) for node in arm]


def outlines(text: str) -> list[list[list[str]]]:
    """For each `match` of a module, its core nodes, arm by arm."""
    matches = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Match)]
    return [[nodes for case in match.cases if (nodes := _nodes(case.pattern))] for match in matches]


def _nodes(pattern: ast.pattern) -> list[str]:
    classes = [part.cls for part in ast.walk(pattern) if isinstance(part, ast.MatchClass)]
    return [cls.attr for cls in classes if isinstance(cls, ast.Attribute)]


@pytest.mark.parametrize("path", READERS)
def test_arms_come_in_the_order_of_the_core(path: str) -> None:
    union = [node.__name__ for node in get_args(READERS[path])]
    assert arms((ROOT / path).read_text(encoding="utf-8")) == union


@pytest.mark.parametrize("path", PARTIAL)
def test_partial_readers_keep_the_order_of_the_core(path: str) -> None:
    union = [node.__name__ for node in get_args(PARTIAL[path])]
    long = [outline for outline in outlines((ROOT / path).read_text(encoding="utf-8")) if len(outline) > 4]
    assert long
    for outline in long:
        first = [arm[0] for arm in outline]
        assert first == sorted(first, key=union.index)


@pytest.mark.parametrize("path", METHODS)
def test_methods_come_in_the_order_of_the_core(path: str) -> None:
    union = [re.sub(r"(?<=[a-z])(?=[A-Z])", "_", node.__name__).lower() for node in get_args(METHODS[path])]
    module = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    classes = [node for node in ast.walk(module) if isinstance(node, ast.ClassDef)]
    methods = [[node.name for node in ast.walk(x) if isinstance(node, ast.FunctionDef)] for x in classes]
    named_like_nodes = [[name for name in names if name in union] for names in methods]
    assert max(map(len, named_like_nodes)) > 4
    for names in named_like_nodes:
        assert names == sorted(names, key=union.index)


def test_proofs_read_statements_in_one_place() -> None:
    statements = {node.__name__ for node in get_args(c.Stmt)}
    folder = ROOT / "checker/trickproof/proofs"
    readers = [
        path.name
        for path in folder.rglob("*.py")
        for outline in outlines(path.read_text(encoding="utf-8"))
        if statements & {node for arm in outline for node in arm}
    ]
    assert readers == ["executor.py"]


def test_another_order_is_seen() -> None:
    text = "match x:\n    case c.Branch():\n        pass\n    case c.Assign() | c.Loop():\n        pass\n"
    assert arms(text) == ["Branch", "Assign", "Loop"]
