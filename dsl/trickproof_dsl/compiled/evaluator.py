"""Values of core expressions over given values, of which some may be missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled.expressions import ExpressionCompiler, Scope, constants
from trickproof_dsl.compiled.identity_cache import cached_by_identity
from trickproof_dsl.compiled.memory import Match, Memory
from trickproof_dsl.compiled.module import Module
from trickproof_dsl.compiled.runtime import given
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.values import Key, Value


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
        self._match = Match(program, parameters, readings)
        self.bound = dict(bound)
        slots = self._match.slots
        contents = _Given([variables.get(key, ...) for key in slots.variables])
        self._memory = Memory(
            contents, _Given([zones.get(key, ...) for key in slots.zones]), [], [], [], Chance()
        )

    def value(self, e: c.Expr) -> Value:
        """The value of an expression."""
        function, names = _function_of(self._match.program, e)
        self._memory.bound, self._memory.elements = _Given([self.bound.get(name, ...) for name in names]), 0
        return function(self._match, self._memory)

    def given(self, e: c.Expr) -> int:
        """A player, rank or the like that must not be `none`."""
        value = self.value(e)
        assert not isinstance(value, frozenset)
        return given(value, e)


class _Given(list[Any]):
    """Values, of which a missing one (`...`) must not be read."""

    def __getitem__(self, slot: Any) -> Any:
        value = super().__getitem__(slot)
        if value is ...:
            raise KeyError("nobody has said what is here")
        return value


class _Expression(ExpressionCompiler):
    """Reads nothing that the rule does not read."""

    def _alike(self, e: c.Filter | c.Exists, scope: Scope) -> None:
        return None


@cached_by_identity(20_000)
def _function_of(program: c.Program, e: c.Expr) -> tuple[Callable[[Match, Memory], Value], tuple[str, ...]]:
    """The function that gives the value of an expression, and the names that must be bound."""
    names = tuple(sorted({x.name for x in walk(e) if isinstance(x, c.Local)}))
    module = Module(constants(program.deck))
    compiler = _Expression(module, program, {name: f"b[{slot}]" for slot, name in enumerate(names)}, ())
    module.define("value", [f"return {compiler.value(e, {})}"])
    return module.functions()["value"], names
