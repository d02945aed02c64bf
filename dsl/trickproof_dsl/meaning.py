"""Functions of expressions and of steps, made once of their Python text (`python_values`, `python_steps`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from trickproof_dsl import core as c
from trickproof_dsl.environment import Environment, Value
from trickproof_dsl.primitives import LARGEST, MOST_ROUNDS, MOST_VALUES
from trickproof_dsl.python_steps import Steps, at_once, flat
from trickproof_dsl.python_values import Text

__all__ = ["LARGEST", "MOST_ROUNDS", "MOST_VALUES", "Part", "meaning", "parts"]

MOST_MEANINGS = 50_000
"""Expressions and lists of steps whose meanings are kept."""

Body = tuple[c.Stmt, ...]

Part = tuple[Callable[[Any], None], int]
"""Carries out steps, and the number of the step that comes after them."""

Made = TypeVar("Made")
About = TypeVar("About")


def _kept(make: Callable[[About], Made]) -> Callable[[About], Made]:
    """Makes once; what is asked about is known by its identity, and is kept with what was made."""
    known: dict[int, tuple[About, Made]] = {}

    def made(about: About) -> Made:
        found = known.get(id(about))
        if found is None:
            if len(known) >= MOST_MEANINGS:
                known.clear()
            found = known[id(about)] = about, make(about)
        return found[1]

    return made


@_kept
def meaning(e: c.Expr) -> Callable[[Environment], Value]:
    """The function that gives the value of an expression.

    It returns Python values as described in `core` (sets are frozensets) or raises `FaultError` where the rules give none.
    """
    text = Text()
    call = text.function([f"return {text.value(e, {})}"], {})
    return _called(text.compiled(), call)


@_kept
def flattened(body: Body) -> Body:
    """The same steps as the machine goes through them."""
    return flat(body)


@_kept
def parts(body: Body) -> dict[int, Part]:
    """By the number of a step that can come next: a function of the machine that carries out it and what follows at once."""
    text, calls, at = Steps(), {}, 0
    while at < len(body):
        after = at
        while after < len(body) and at_once(body[after]):
            after += 1
        lines = text.steps(body[at:after], {}) if after > at else text.stop(body[at])
        after = max(after, at + 1)
        calls[at] = text.function(lines or ["pass"], {}), after
        at = after
    names = text.compiled()
    return {at: (_called(names, call), after) for at, (call, after) in calls.items()}


def _called(names: dict[str, Any], call: str) -> Callable[[Any], Any]:
    function: Callable[[Any], Any] = names[call.partition("(")[0]]
    return function
