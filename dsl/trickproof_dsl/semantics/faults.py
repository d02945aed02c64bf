"""Where rules break down in play: data, with a place; never a mistake of the program that plays."""

from __future__ import annotations

from dataclasses import dataclass, field

from trickproof_dsl.diagnostics.source import Span


@dataclass(frozen=True, slots=True)
class Fault:
    """The rules break down: `kind` is a fixed word (see `FAULTS`), `label` the move during which."""

    kind: str
    message: str
    span: Span = field(compare=False, repr=False)
    label: str = ""


FAULTS = {
    "no-legal-choice": "a player must choose and has no legal option",
    "cards-not-there": "cards are moved from a place where they are not",
    "deck-empty": "more cards are dealt than the deck holds",
    "not-single": "a set that must have one element has none or several",
    "empty-extreme": "the highest or lowest of nothing is asked for",
    "no-card": "the suit or rank of no card is asked for",
    "nobody": "a player, suit or the like is needed where there is `none`",
    "tie": "a tie that the rules call impossible",
    "loop-bound": "a loop goes on longer than its bound",
    "unspecified": "a rule that is needed is missing",
    "bad-number": "a number of cards that makes no sense, a division by zero, or a number beyond all bounds",
}


class FaultError(Exception):
    """Carries a fault to the machine, which stops the hand with it."""

    def __init__(self, kind: str, message: str, span: Span, label: str = "") -> None:
        super().__init__(message)
        self.fault = Fault(kind, message, span, label=label)


class EngineLimitError(Exception):
    """Something that plays gives up at `span`: a number, a loop or a set is beyond what it handles.

    That is a limit of the engine and says nothing about the rules: there is no state to go on with and no fault.
    """

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message, self.span = message, span
