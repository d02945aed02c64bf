"""Imports go one way, in the order of the pipeline; what is heavy or prints stays where it belongs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = {"trickproof_dsl": ROOT / "dsl", "trickproof": ROOT / "checker"}

LAYERS: tuple[tuple[str, ...], ...] = (
    ("source",),
    ("diagnostic",),
    ("errors_rules", "errors"),
    ("yamltree",),
    ("syntax", "mistakes", "syntax_errors", "layout", "build", "parse"),
    ("document", "fields", "scalars", "wordlists", "ruleset_fields", "decode", "decode_document", "schema"),
    ("pretty", "margin", "format_scalar", "format_expression", "format_rule", "format"),
    ("compose",),
    ("core",),
    ("functions", "advice", "declare", "scope"),
    ("elaborate_names", "elaborate_values", "elaborate_moves", "elaborate_steps", "elaborate"),
    ("load",),
    ("faults", "identity"),
    ("places", "happened", "decision", "state"),
    ("primitives", "actions"),
    ("python_short", "python_values", "python_lines", "python_steps", "python_blocks", "python_course"),
    ("evaluate", "interpret"),
    ("players",),
    ("jsonform", "scenario_start", "scenario_write", "scenario_moves", "scenario", "replay"),
    ("reference",),
)
"""The language, stage by stage: a module imports from its own stage and those before.  A new one gets its place here."""

SYMBOLIC = (
    "cardset",
    "cardsets",
    "encode_cards",
    "hand_cuts",
    "cone",
    "hand_path",
    "repeated",
    "hand_proof",
    "hand_acts",
    "hand_reader",
    "sketch",
    "symbols",
    "encode",
    "encode_before",
    "smtlib",
    "solve",
    "settlement",
    "proving",
)
SYMBOLIC += ("transition", "horn", "match_length", "sameness", "compare")
"""Modules of the checker that speak to the solver."""

COMMAND_LINE = ("cli", "commands")
"""Modules of the checker that print."""


def modules(package: str) -> dict[str, ast.Module]:
    """Syntax trees by name without the package: `core.types`; the package itself is the empty name."""
    root = SOURCES[package] / package
    found = {}
    for path in sorted(root.rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        found[name.removesuffix("__init__").removesuffix(".")] = ast.parse(path.read_text("utf-8"))
    return found


@cache
def trees(package: str) -> dict[str, ast.Module]:
    return modules(package)


def imported(tree: ast.Module) -> Iterator[str]:
    """Everything that is imported when the code runs, also within functions; not what only types need."""
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import of {node.module}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def graph(package: str) -> dict[str, set[str]]:
    """Which modules of the package each module imports."""
    known = trees(package)
    found: dict[str, set[str]] = {}
    for name, tree in known.items():
        inner = {what.partition(".")[2] for what in imported(tree) if what.startswith(f"{package}.")}
        inner = {what if what in known else what.rpartition(".")[0] for what in inner}
        found[name] = inner - {name, ""}
    return found


def top(name: str) -> str:
    return name.partition(".")[0]


def uses(package: str, *libraries: str) -> set[str]:
    """The modules that import one of some libraries."""
    return {
        name
        for name, tree in trees(package).items()
        if any(top(what) in libraries for what in imported(tree))
    }


def test_every_module_of_the_language_has_a_place() -> None:
    placed = [name for layer in LAYERS for name in layer]
    assert len(placed) == len(set(placed))
    assert set(placed) == {top(name) for name in trees("trickproof_dsl")} - {""}


def test_the_language_imports_only_what_comes_before() -> None:
    level = {name: i for i, layer in enumerate(LAYERS) for name in layer}
    backwards = [
        f"{name} imports {other}"
        for name, others in graph("trickproof_dsl").items()
        for other in others
        if name and level[top(other)] > level[top(name)]
    ]
    assert backwards == []


@pytest.mark.parametrize("package", SOURCES)
def test_no_circles(package: str) -> None:
    assert list(TopologicalSorter(graph(package)).static_order())


def test_the_language_knows_nothing_of_the_checker() -> None:
    assert uses("trickproof_dsl", "trickproof") == set()


def test_the_language_needs_only_lark_and_yaml() -> None:
    foreign = {top(what) for tree in trees("trickproof_dsl").values() for what in imported(tree)}
    assert foreign - sys.stdlib_module_names - {"trickproof_dsl"} == {"lark", "yaml"}


def test_the_solver_is_only_spoken_to_in_the_symbolic_modules() -> None:
    assert {top(name) for name in uses("trickproof", "z3")} <= set(SYMBOLIC)


def test_second_solvers_are_only_spoken_to_where_proofs_are_rechecked() -> None:
    assert uses("trickproof", "cvc5", "bitwuzla") == {"recheck"}


def test_the_simulator_and_the_symbolic_reader_do_not_know_each_other() -> None:
    """Two readers of one core program: `validate` and the command line bring their answers together."""
    simulating = {
        other for name, others in graph("trickproof").items() if top(name) == "simulate" for other in others
    }
    assert not {top(name) for name in simulating} & set(SYMBOLIC)
    proving = {
        other for name, others in graph("trickproof").items() if top(name) in SYMBOLIC for other in others
    }
    assert "simulate" not in {top(name) for name in proving}


def test_machine_code_and_clusters_are_spoken_to_in_one_place() -> None:
    assert uses("trickproof", "llvmlite") == {"simulate.jit"}
    assert uses("trickproof", "distributed") == {"simulate.cluster"}


def test_other_peoples_games_are_spoken_to_by_their_adapters_only() -> None:
    assert uses("trickproof", "pyspiel", "open_spiel") == {"peers.openspiel"}
    assert uses("trickproof", "pettingzoo", "gymnasium") == {"peers.pettingzoo"}
    assert uses("trickproof", "numpy") == {"peers.openspiel", "peers.pettingzoo"}


def test_nothing_else_needs_the_adapters() -> None:
    """And they need nothing of the checker but the bundled rulesets and what is public."""
    needed = {(top(name), top(other)) for name, found in graph("trickproof").items() for other in found}
    assert {name for name, other in needed if other == "peers"} == {"peers"}
    assert {other for name, other in needed if name == "peers"} == {"peers", "bundled", "public"}


def test_only_the_command_line_prints() -> None:
    assert {top(name) for name in uses("trickproof", "click")} <= set(COMMAND_LINE)
    for package in SOURCES:
        for name, tree in trees(package).items():
            calls = [
                node.func.id
                for node in ast.walk(tree)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            ]
            if top(name) not in COMMAND_LINE:
                assert not {"print", "input", "breakpoint"} & set(calls), name


def test_no_module_reads_a_rulesets_name() -> None:
    """No reader, check or report may know one of the games."""
    ids = {path.stem for path in (ROOT / "rulesets").glob("*.yaml")}
    for package in SOURCES:
        for name, tree in trees(package).items():
            texts = {
                node.value
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
            assert not texts & ids, name
