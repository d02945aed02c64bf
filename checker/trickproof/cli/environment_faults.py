"""What the machine refused, in one line: no bug, and nothing that is wrong with a ruleset."""

from __future__ import annotations

import os

from trickproof.cli.streams import INPUT, OUTPUT

PACKAGES = {
    "bitwuzla": "'trickproof[recheck]'",
    "cvc5": "'trickproof[recheck]'",
    "distributed": "'trickproof[cluster]'",
    "gymnasium": "pettingzoo",
    "hypothesis": "hypothesis",
    "jinja2": "jinja2",
    "lark": "lark",
    "llvmlite": "llvmlite",
    "pettingzoo": "pettingzoo",
    "platformdirs": "platformdirs",
    "pyspiel": "open_spiel",
    "tabulate": "tabulate",
    "yaml": "pyyaml",
    "z3": "z3-solver",
}
"""Modules of other projects, and what pip installs them by."""


def environment_fault(problem: BaseException, command: str) -> str | None:
    """What is to be said of an exception that the environment is to blame for; None for any other, which is a bug."""
    match problem:
        case ImportError():
            return _missing(problem, command)
        case MemoryError():
            return "there is not enough memory"
        case OSError():
            return _refused(problem)
    return None


def _missing(problem: ImportError, command: str) -> str | None:
    module = (problem.name or "").partition(".")[0]
    if module not in PACKAGES:
        return None
    fault = "is not installed" if isinstance(problem, ModuleNotFoundError) else "cannot be loaded"
    return f"`{command}` needs `{module}`, which {fault}: pip install {PACKAGES[module]}"


def _refused(problem: OSError) -> str:
    reason = (problem.strerror or str(problem)).lower()
    if problem.filename in (INPUT, OUTPUT):
        return f"{problem.filename}: {reason}"
    try:
        os.getcwd()
    except OSError:
        return "the current folder is gone: change to one that exists"
    if problem.filename is None:
        return reason
    name = problem.filename
    return f"`{os.fsdecode(name) if isinstance(name, bytes) else name}`: {reason}"
