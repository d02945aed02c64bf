"""One-line messages for failures of the environment, which are neither bugs nor errors in a ruleset."""

from __future__ import annotations

import os
from traceback import walk_tb
from types import ModuleType

from trickproof.cli.console.streams import INPUT, OUTPUT
from trickproof.support.exception_causes import out_of_memory

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
"""Third-party modules, and the name under which pip installs each."""


def environment_fault(problem: BaseException, command: str) -> str | None:
    """The message for an exception that the environment caused; None for any other, which is a bug."""
    if out_of_memory(problem):
        return "there is not enough memory"
    if (module := _broken_package(problem)) is not None:
        return _unusable(module, problem, command)
    return _refused(problem) if isinstance(problem, OSError) else None


def _broken_package(problem: BaseException) -> str | None:
    """The third-party module that is missing or that fails during import."""
    if isinstance(problem, ImportError) and (name := _outermost(problem.name)) in PACKAGES:
        return name
    owner = problem.obj if isinstance(problem, AttributeError) else None
    if isinstance(owner, ModuleType) and (name := _outermost(owner.__name__)) in PACKAGES:
        return name
    for frame, _ in walk_tb(problem.__traceback__):
        name = _outermost(frame.f_globals.get("__name__"))
        if name in PACKAGES and frame.f_code.co_name == "<module>":
            return name
    return None


def _outermost(module: str | None) -> str:
    return (module or "").partition(".")[0]


def _unusable(module: str, problem: BaseException, command: str) -> str:
    if isinstance(problem, ModuleNotFoundError) and _outermost(problem.name) == module:
        return f"`{command}` needs `{module}`, which is not installed: pip install {PACKAGES[module]}"
    again = f"pip install --force-reinstall {PACKAGES[module]}"
    return f"`{command}` needs `{module}`, which cannot be loaded: {again}"


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
