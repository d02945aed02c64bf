"""Values of core expressions in a state."""

from __future__ import annotations

from trickproof_dsl import core as c
from trickproof_dsl.environment import Environment, Key, Value
from trickproof_dsl.faults import FAULTS, Fault, FaultError
from trickproof_dsl.meaning import meaning
from trickproof_dsl.primitives import given, owned
from trickproof_dsl.source import Span

__all__ = ["FAULTS", "Evaluator", "Fault", "FaultError", "Key", "Value"]


class Evaluator(Environment):
    """Evaluates expressions over the given variables, zones and bound names (of which it changes only the last).

    Every method raises `FaultError` where the rules give no value: that is a fault of the rules, found by playing,
    never a bug of the caller.
    """

    __slots__ = ()

    def value(self, e: c.Expr) -> Value:
        """The value of an expression."""
        return meaning(e)(self)

    def key(self, name: str, owners: tuple[c.Expr, ...], span: Span) -> Key:
        """The entry of a variable or zone; faults where the owner is `none`."""
        return owned((name, *[meaning(owner)(self) for owner in owners]), span)

    def given(self, e: c.Expr) -> int:
        """A player, rank or the like that must not be `none`."""
        return int(given(meaning(e)(self), e))
