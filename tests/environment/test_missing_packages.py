"""A package that is not installed: the command that needs it says so, and what installs it; the others work."""

from __future__ import annotations

import sys

import pytest

import budget
from environment.faults import Ended, run

CHECK = ("check", "six-over", "--only", "target-total", "--no-cache")

NEEDED = [
    (("z3",), ("check", "pagat", "--only", "zero-sum", "--no-cache"), "z3-solver"),
    (("z3",), ("diff", "pagat", "gamerules"), "z3-solver"),
    (("hypothesis",), ("check", "pagat", "--only", "no-fault", "--no-cache"), "hypothesis"),
    (("lark",), ("rulesheet", "pagat"), "lark"),
    (("yaml",), ("list",), "pyyaml"),
    (("cvc5", "bitwuzla"), ("verify-certificate", "-"), "'trickproof[recheck]'"),
    (("cvc5", "bitwuzla"), (*CHECK, "--recheck"), "'trickproof[recheck]'"),
    (
        ("distributed",),
        ("simulate", "pagat", "--hands", "10", "--scheduler", "tcp://127.0.0.1:1"),
        "'trickproof[cluster]'",
    ),
    (("llvmlite",), ("simulate", "pagat", "--hands", "10", "--backend", "llvm"), "llvmlite"),
]

NOT_NEEDED = [
    (("z3", "hypothesis", "jinja2", "tabulate", "llvmlite"), ("replay",)),
    (("z3", "hypothesis", "llvmlite", "cvc5", "bitwuzla"), ("list",)),
    (("z3", "hypothesis", "llvmlite"), ("rulesheet", "pagat")),
    (("z3", "hypothesis", "llvmlite"), ("play", "pagat")),
    (("llvmlite", "cvc5", "bitwuzla", "distributed"), CHECK),
    (("llvmlite",), ("simulate", "pagat", "--hands", "10")),
]


def _without(modules: tuple[str, ...], *arguments: str) -> Ended:
    absent = f"sys.modules.update(dict.fromkeys({modules!r}))"
    code = f"import sys; {absent}; from trickproof.__main__ import main; main()"
    return run(*arguments, program=(sys.executable, "-c", code))


@pytest.mark.parametrize("case", budget.slow_but(NEEDED[:1], NEEDED), ids=lambda case: case[2])
def test_what_is_needed_is_named(case: tuple[tuple[str, ...], tuple[str, ...], str]) -> None:
    modules, arguments, package = case
    _without(modules, *arguments).says(2, modules[0], f"pip install {package}")


@pytest.mark.slow
@pytest.mark.parametrize("case", NOT_NEEDED, ids=lambda case: case[1][0])
def test_what_is_not_needed_is_not_missed(case: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    modules, arguments = case
    _without(modules, *arguments).says(0)
