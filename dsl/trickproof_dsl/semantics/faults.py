"""Faults of the rules at run time: data with a place, as opposed to bugs of the engine."""

from __future__ import annotations

from dataclasses import dataclass, field

from trickproof_dsl.core.faults import FAULTS, FaultKind
from trickproof_dsl.diagnostics.source import Span

__all__ = ["FAULTS", "EngineLimitError", "Fault", "FaultError", "FaultKind"]


@dataclass(frozen=True, slots=True)
class Fault:
    """The rules fail at run time: `kind` is one of `core.faults.FAULTS`, `label` that of the current move."""

    kind: str
    message: str
    span: Span = field(compare=False, repr=False)
    label: str = ""


class FaultError(Exception):
    """Carries a fault to the machine, which then ends the hand with it."""

    def __init__(self, kind: FaultKind, message: str, span: Span, label: str = "") -> None:
        super().__init__(message)
        self.fault = Fault(kind, message, span, label=label)


class EngineLimitError(Exception):
    """An engine gives up at `span`: a number, a loop or a set is beyond what it handles.

    This is a limit of the engine and says nothing about the rules: there is no state from which to continue
    and no fault.
    """

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message, self.span = message, span
