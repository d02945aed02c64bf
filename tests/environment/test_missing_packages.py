"""Missing packages: a command that needs one says so, and how to install it; the others work."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import budget
from checker.cli.console import run as in_this_process
from environment.faults import Ended, run
from trickproof.check_runner import runner

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


def test_who_writes_a_certificate_need_not_be_able_to_verify_it(tmp_path: Path) -> None:
    written = tmp_path / "certificate"
    rules = ("check", "six-over", "--only", "zero-sum", "--no-cache", "--certificate", str(written))
    _without(("cvc5", "bitwuzla"), *rules).says(0)
    assert '"zero-sum"' in written.read_text(encoding="utf-8")


Z3Exception = type("Z3Exception", (Exception,), {})
"""With the name of z3's own exception."""


@pytest.mark.parametrize(
    "problem",
    [
        MemoryError(),
        SystemError("error return without exception set"),
        Z3Exception(b"out of memory"),
        RuntimeError("can't start new thread"),
        RuntimeError("cannot join thread before it is started"),
    ],
    ids=str,
)
def test_too_little_memory_is_no_bug(problem: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise problem

    monkeypatch.setattr(runner, "_finding", fail)
    ended = in_this_process("check", "six-over", "--only", "target-total", "--no-cache", "--workers", "1")
    assert (ended.code, ended.err) == (2, "trickproof: there is not enough memory\n")


BROKEN = {
    "no name": "raise ImportError('libz3.so not found')",
    "symbols": "raise AttributeError('undefined symbol')",
    "library": "raise OSError('file too short')",
    "empty": "",
}


@pytest.mark.parametrize("how", budget.slow_but(["symbols"], list(BROKEN)))
def test_a_package_that_cannot_be_loaded(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "z3").mkdir()
    (tmp_path / "z3" / "__init__.py").write_text(BROKEN[how])
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from trickproof.__main__ import main; main()"
    ended = run(*CHECK[:3], "zero-sum", "--no-cache", program=(sys.executable, "-c", code))
    ended.says(2, "`check` needs `z3`, which cannot be loaded: pip install --force-reinstall z3-solver")
