"""Imports go one way, in the order of the pipeline; heavy imports and printing are confined to their places."""

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

LAYERS: dict[str, tuple[str, ...]] = {
    "trickproof_dsl": (
        "plain_mode",
        "diagnostics",
        "syntax.ast",
        "syntax",
        "files",
        "formatting",
        "core",
        "elaboration",
        "library",
        "semantics",
        "compiled",
        "playing",
        "scenarios",
        "language_reference",
    ),
    "trickproof": (
        "support",
        "analysis",
        "english",
        "certificates",
        "checking",
        "proofs.kernel",
        "testing",
        "proofs.smt",
        "proofs.symbolic.cards",
        "proofs.symbolic",
        "proofs.hands",
        "proofs.model_checking",
        "proofs.matches",
        "equivalence",
        "checks",
        "check_runner",
        "diff.witnesses",
        "diff.symbolic",
        "diff",
        "information",
        "simulate.ir",
        "simulate.lowering",
        "simulate.policies",
        "simulate.program",
        "simulate.backends",
        "simulate.script",
        "search",
        "simulate.statistics",
        "simulate.runtime",
        "simulate",
        "vectors",
        "validate",
        "adapters",
        "reports.templates",
        "reports",
        "reports.comparison",
        "reports.rulesets",
        "reports.svg",
        "reports.site",
        "schemas",
        "play",
        "lsp",
        "cli.console",
        "cli",
        "playground",
        "cli.commands",
        "__main__",
    ),
}
"""The folders and root files of each package, in pipeline order.

Each imports only from itself and those before it, including for types. A new folder must be added here.
"""

MOST_FILES = 15
"""In a folder, besides its `__init__.py`: more are not read at a glance."""

OF_ONE_KIND = ("checks", "cli.commands", "english")
"""Folders that may have more: one check a file, one command a file, one part of an English sentence a file."""

SOLVER = ("proofs", "equivalence", "diff.symbolic")
"""Where z3 may be imported."""


def modules(package: str) -> dict[str, ast.Module]:
    """Syntax trees by module name without the package: `core.types`; the package itself is the empty name."""
    root = SOURCES[package] / package
    found = {}
    for path in sorted(root.rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        found[name.removesuffix("__init__").removesuffix(".")] = ast.parse(path.read_text("utf-8"))
    return found


@cache
def trees(package: str) -> dict[str, ast.Module]:
    return modules(package)


@cache
def imported(tree: ast.Module) -> tuple[str, ...]:
    """Everything that is imported, including within functions and for types only."""
    return tuple(_imported(tree))


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import of {node.module}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def graph(package: str) -> dict[str, set[str]]:
    """The modules of the package that each module imports."""
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


def layer(package: str, module: str) -> str | None:
    """The entry of `LAYERS` for a module: the longest that is a prefix of its name."""
    fitting = [name for name in LAYERS[package] if f"{module}.".startswith(f"{name}.")]
    return max(fitting, key=len, default=None)


@pytest.mark.parametrize("package", SOURCES)
def test_every_module_has_a_layer(package: str) -> None:
    stages = {name.rpartition(".")[0] for name in LAYERS[package]}  # folders that contain only layers
    assert [name for name in trees(package) if name not in stages and layer(package, name) is None] == []
    assert [
        name for name in LAYERS[package] if not any(layer(package, m) == name for m in trees(package))
    ] == []


def test_folders_are_read_at_a_glance() -> None:
    for package, source in SOURCES.items():
        for folder in sorted(path for path in (source / package).rglob("*") if path.is_dir()):
            name = ".".join(folder.relative_to(source / package).parts)
            files = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
            assert len(files) <= MOST_FILES or name in OF_ONE_KIND, (
                f"{folder}: {len(files)} files, at most {MOST_FILES}: make a folder of those that belong together"
            )


@pytest.mark.parametrize("package", SOURCES)
def test_imports_go_one_way(package: str) -> None:
    level = {name: number for number, name in enumerate(LAYERS[package])}
    backwards = [
        f"{name} imports {other}"
        for name, others in graph(package).items()
        for other in sorted(others)
        if name and level[str(layer(package, other))] > level[str(layer(package, name))]
    ]
    assert backwards == []


@pytest.mark.parametrize("package", SOURCES)
def test_no_cycles_between_files(package: str) -> None:
    assert list(TopologicalSorter(graph(package)).static_order())


@pytest.mark.parametrize("package", SOURCES)
def test_no_cycles_between_folders(package: str) -> None:
    """A folder's own files count as one; files at the root of the package count individually."""
    folder = {name: name.rpartition(".")[0] or name for name in graph(package)}
    folder |= {name: name for name in graph(package) if any(other.startswith(f"{name}.") for other in folder)}
    between: dict[str, set[str]] = {}
    for name, others in graph(package).items():
        between.setdefault(folder[name], set()).update(folder[other] for other in others)
    assert list(TopologicalSorter({name: others - {name} for name, others in between.items()}).static_order())


def test_the_language_knows_nothing_of_the_checker() -> None:
    assert uses("trickproof_dsl", "trickproof") == set()


def test_the_language_needs_only_lark_and_yaml() -> None:
    foreign = {top(what) for tree in trees("trickproof_dsl").values() for what in imported(tree)}
    assert foreign - sys.stdlib_module_names - {"trickproof_dsl"} == {"lark", "yaml"}


def test_the_solver_is_only_spoken_to_in_the_symbolic_modules() -> None:
    assert [name for name in sorted(uses("trickproof", "z3")) if not f"{name}.".startswith(SOLVER)] == []


def test_second_solvers_are_only_spoken_to_where_proofs_are_rechecked() -> None:
    assert uses("trickproof", "cvc5", "bitwuzla") == {"certificates.second_solver"}


def test_certificates_are_verified_without_the_prover() -> None:
    """They import only their own folder and, of the language, the program and its serialisation."""
    names = [
        name for name in trees("trickproof") if name == "certificates" or name.startswith("certificates.")
    ]
    assert {top(other) for name in names for other in graph("trickproof")[name]} == {"certificates"}
    foreign = {top(what) for name in names for what in imported(trees("trickproof")[name])}
    assert foreign - sys.stdlib_module_names == {"trickproof", "trickproof_dsl", "cvc5", "bitwuzla"}


def test_the_simulator_and_the_proofs_do_not_know_each_other() -> None:
    """Two interpretations of the same core program: `validate` and the command line combine their results."""
    proving = ("proofs.", "equivalence.", "diff.", "checks.", "check_runner.")
    needed = {(f"{name}.", f"{other}.") for name, others in graph("trickproof").items() for other in others}
    assert [pair for pair in needed if pair[0].startswith("simulate.") and pair[1].startswith(proving)] == []
    assert [pair for pair in needed if pair[1].startswith("simulate.") and pair[0].startswith(proving)] == []


def test_machine_code_and_clusters_are_spoken_to_in_one_place() -> None:
    assert uses("trickproof", "llvmlite") == {"simulate.backends.jit"}
    assert uses("trickproof", "distributed") == {"simulate.runtime.dask_executor", "support.cluster"}


def test_other_peoples_games_are_spoken_to_by_their_adapters_only() -> None:
    assert uses("trickproof", "pyspiel", "open_spiel") == {"adapters.openspiel"}
    assert uses("trickproof", "pettingzoo", "gymnasium") == {"adapters.pettingzoo"}
    assert uses("trickproof", "numpy") == {"adapters.openspiel", "adapters.pettingzoo"}


def test_nothing_else_needs_the_adapters() -> None:
    """And they need no proofs or reports: only bundled rulesets, public interfaces, and policies."""
    needed = {(top(name), top(other)) for name, found in graph("trickproof").items() for other in found}
    assert {name for name, other in needed if other == "adapters"} == {"adapters"}
    players = {"information", "search", "simulate", "testing"}
    assert {other for name, other in needed if name == "adapters"} == {
        "adapters",
        "analysis",
        "support",
        *players,
    }


def test_nothing_is_unpickled() -> None:
    """Input from files is text or bytes that are validated, never objects."""
    for package in SOURCES:
        assert uses(package, "pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib") == set()


def test_only_the_command_line_prints() -> None:
    assert {top(name) for name in uses("trickproof", "click")} <= {"cli"}
    for package in SOURCES:
        for name, tree in trees(package).items():
            calls = [
                node.func.id
                for node in ast.walk(tree)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            ]
            if top(name) != "cli":
                assert not {"print", "input", "breakpoint"} & set(calls), name


def test_no_module_reads_a_rulesets_name() -> None:
    """No engine, check or report may know any particular game."""
    ids = {path.stem for path in (ROOT / "rulesets").glob("*.yaml")}
    for package in SOURCES:
        for name, tree in trees(package).items():
            texts = {
                node.value
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
            assert not texts & ids, name
