"""Values of core expressions in a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled.expressions import Text
from trickproof_dsl.compiled.identity_memo import kept
from trickproof_dsl.compiled.runtime import given
from trickproof_dsl.compiled.slots import WORKED, Key, Value, places_of
from trickproof_dsl.semantics.faults import FAULTS, Fault, FaultError

__all__ = ["FAULTS", "Evaluator", "Fault", "FaultError", "Key", "Value"]


MISSING = object()
"""Stands where no value has been given."""


class Evaluator:
    """Evaluates expressions over the given variables, zones and bound names, of which it changes only the last.

    Every method raises `FaultError` where the rules give no value: that is a fault of the rules, found by playing,
    never a bug of the caller.  It raises `KeyError` where a value is asked for that has not been given.
    """

    def __init__(
        self,
        program: c.Program,
        variables: Mapping[Key, Value],
        zones: Mapping[Key, tuple[int, ...]],
        bound: Mapping[str, Value],
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
    ) -> None:
        self.program, self.parameters, self.readings = program, parameters, readings
        self.bound = dict(bound)
        self.values = places_of(program).listed(variables, zones, MISSING)

    def value(self, e: c.Expr) -> Value:
        """The value of an expression."""
        self.values[WORKED] = 0
        return _meaning(self.program, e)(self, self.values)

    def given(self, e: c.Expr) -> int:
        """A player, rank or the like that must not be `none`."""
        return int(given(self.value(e), e))


class _Text(Text):
    """Text about values of which some may not have been given."""

    def __init__(self, program: c.Program, bare: bool) -> None:
        super().__init__(program, bare)
        self.names["known"] = _known

    def held(self, place: str) -> str:
        return f"known(v[{place}])"


def _known(value: Value) -> Value:
    """A value that must have been given."""
    if value is MISSING:
        raise KeyError("nobody has said what is here")
    return value


@kept(20_000)
def _meaning(program: c.Program, e: c.Expr) -> Callable[[Any, list[Value]], Value]:
    """The function that gives the value of an expression."""
    text = _Text(program, bare=False)
    call = text.function([f"return {text.value(e, {})}"], {})
    function: Callable[[Any, list[Value]], Value] = text.compiled()[call.partition("(")[0]]
    return function
