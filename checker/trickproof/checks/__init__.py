"""The registry of the checks, one per file, in the order in which they are run and reported.

Everything that lists checks reads it: `check` and its `--only`, the names that `known:` accepts, SARIF,
docs/checks.md and the fault bank. Names and manuals are available without importing a check, since checks
import the solver.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trickproof.proofs.hands.check import Check

FILES = (
    "cards_conserved",
    "hand_size",
    "target_total",
    "legal_play_exists",
    "one_trick_winner",
    "trick_total",
    "zero_sum",
    "exchange_feasible",
    "exchange_balanced",
    "exchange_returns_highest",
    "exchange_order_determined",
    "allocation_determined",
    "end_reachable",
    "end_always_reachable",
    "terminates",
    "no_fault",
    "unique_winner",
    "examples_agree",
    "rules_complete",
)
"""A check's file is named after the check and defines it as `CHECK`; its docstring is the check's user manual."""

NAMES: tuple[str, ...] = tuple(file.replace("_", "-") for file in FILES)

RENAMED: Mapping[str, str] = MappingProxyType({"terminates-surely": "terminates"})
"""Names of checks in earlier versions, mapped to their current names."""


def current_name(name: str) -> str:
    """The current name of a check; any other name is returned unchanged."""
    return RENAMED.get(name, name)


@cache
def all_checks() -> tuple[Check, ...]:
    """The checks themselves."""
    return tuple(import_module(f"{__name__}.{file}").CHECK for file in FILES)


@cache
def manuals() -> dict[str, str]:
    """The manual of each check, by name."""
    return {name: _docstring(f"{__name__}.{file}") for name, file in zip(NAMES, FILES, strict=True)}


def _docstring(module: str) -> str:
    """A module's docstring, read from its source if available."""
    spec = find_spec(module)
    source = getattr(spec.loader, "get_source", lambda _: None)(module) if spec is not None else None
    if source is not None:
        return ast.get_docstring(ast.parse(source), clean=False) or ""
    return import_module(module).__doc__ or ""
