"""Where rules fail in play: data, with a place; never a mistake of the program that plays."""

from __future__ import annotations

from dataclasses import dataclass, field

from trickproof_dsl.core.faults import FAULTS, FaultKind
from trickproof_dsl.diagnostics.source import Span

__all__ = ["FAULTS", "EngineLimitError", "Fault", "FaultError", "FaultKind"]


@dataclass(frozen=True, slots=True)
class Fault:
    """The rules fail at run time: `kind` is a fixed word (see `core.faults.FAULTS`), `label` the move during which."""

    kind: str
    message: str
    span: Span = field(compare=False, repr=False)
    label: str = ""


class FaultError(Exception):
    """Carries a fault to the machine, which stops the hand with it."""

    def __init__(self, kind: FaultKind, message: str, span: Span, label: str = "") -> None:
        super().__init__(message)
        self.fault = Fault(kind, message, span, label=label)


class EngineLimitError(Exception):
    """Something that plays gives up at `span`: a number, a loop or a set is beyond what it handles.

    That is a limit of the engine and says nothing about the rules: there is no state to go on with and no fault.
    """

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message, self.span = message, span
