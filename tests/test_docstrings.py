"""Every module that a docstring names exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = {"trickproof_dsl": ROOT / "dsl", "trickproof": ROOT / "checker"}
FILES = sorted(path for name, home in SOURCES.items() for path in (home / name).rglob("*.py"))

_FILE = re.compile(r"[\w/]*\w\.py\b")
_DOTTED = re.compile(r"\btrickproof(?:_dsl)?(?:\.\w+)+")
_BACKTICKED = re.compile(r"`([a-z_]\w*(?:[./]\w+)+)/?`")
_CLASS = re.compile(r"`(?!pyspiel)([a-z_]\w*)\.([A-Z]\w*)")


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Every docstring of a file with its line, including those of constants."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


@cache
def modules() -> dict[str, Path]:
    """Every module of both packages by its dotted name; a package is represented by its `__init__`."""
    return {
        ".".join(path.relative_to(home).with_suffix("").parts).removesuffix(".__init__"): path
        for package, home in SOURCES.items()
        for path in (home / package).rglob("*.py")
    }


@cache
def python_files() -> list[str]:
    """Every file of the packages and of the tests."""
    homes = (*SOURCES.values(), ROOT / "tests")
    return [path.as_posix() for home in homes for path in home.rglob("*.py")]


@cache
def folders() -> set[str]:
    """The folders directly inside a package."""
    return {
        name.split(".")[1] for name, path in modules().items() if path.name == "__init__.py" and "." in name
    }


@cache
def defined(path: Path) -> frozenset[str]:
    """The names that a module defines or imports, including those inside its classes."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ClassDef() | ast.FunctionDef():
                names.add(node.name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.alias(name=name):
                names |= {name, getattr(node, "asname", None) or name}
    return frozenset(names)


def exists(dotted: str) -> bool:
    """Whether this is a module or folder, or a name in one."""
    if dotted in modules():
        return True
    home, _, name = dotted.rpartition(".")
    while home and home not in modules():
        home, _, name = home.rpartition(".")
    return bool(home) and name in defined(modules()[home])


def missing(text: str) -> Iterator[str]:
    """Names in a text that look like one of the project's modules but are not."""
    for name in _FILE.findall(text):
        if not any(path.endswith(f"/{name}") for path in python_files()):
            yield name
    for dotted in _DOTTED.findall(text):
        if not exists(dotted):
            yield dotted
    for name in _BACKTICKED.findall(text):
        dotted = name.replace("/", ".")
        ours = dotted.split(".")[0] in folders() and not dotted.endswith(".py")
        if ours and not any(exists(f"{package}.{dotted}") for package in SOURCES):
            yield name
    for module, name in _CLASS.findall(text):
        homes = [path for dotted, path in modules().items() if dotted.split(".")[-1] == module]
        if not any(name in defined(home) for home in homes):
            yield f"{module}.{name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings_name_modules_that_exist(path: Path) -> None:
    wrong = [f"line {line}: {name}" for line, text in docstrings(path) for name in missing(text)]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("As in `parser.py` and `syntax/parser.py`, not `parse.py`.", ["parse.py"]),
        ("See trickproof_dsl.syntax.parser.parse_rule and trickproof_dsl.parse.", ["trickproof_dsl.parse"]),
        ("Used by `syntax.parser`, `syntax/ast/`, `syntax.build` and `other.thing`.", ["syntax.build"]),
        ("Ends with `exit_codes.Exit`, not `exits.Exit`.", ["exits.Exit"]),
    ],
)
def test_what_is_missing_is_seen(text: str, names: list[str]) -> None:
    assert [*missing(text)] == names
