"""Exit codes of hands in which the rules fail at run time or the simulator gives up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from trickproof.simulate.ir.calling_convention import FIRST, EngineLimit, FaultOrigin
from trickproof_dsl.core.faults import FaultKind
from trickproof_dsl.diagnostics.source import Span


@dataclass
class FaultCode:
    """A kind of fault of `trickproof_dsl.core.faults`, or a limit of the simulator, with its rule."""

    kind: FaultKind | EngineLimit
    rule: str
    spans: list[Span] = field(default_factory=list)
    """Where it may happen; empty for programs read from JSON without spans."""


class FaultCodes:
    """Runtime faults by code.  Codes do not depend on spans, so a program keeps its meaning when sent as JSON."""

    def __init__(self) -> None:
        self.known: list[FaultCode] = []
        self.codes: dict[tuple[FaultKind | EngineLimit, str, str], int] = {}
        self.rules: list[str] = [""]

    @contextmanager
    def within(self, rule: str) -> Iterator[None]:
        """Attribute the code written inside the block to a rule."""
        self.rules.append(rule)
        try:
            yield
        finally:
            self.rules.pop()

    def code(self, kind: FaultKind | EngineLimit, span: Span, label: str = "") -> int:
        key = (kind, self.rules[-1], label)
        if key not in self.codes:
            self.codes[key] = FIRST + len(self.known)
            self.known.append(FaultCode(kind, self.rules[-1]))
        spans = self.of(self.codes[key]).spans
        if span not in spans:
            spans.append(span)
        return self.codes[key]

    def of(self, code: int) -> FaultCode:
        return self.known[code - FIRST]

    def fault_origins(self) -> tuple[FaultOrigin, ...]:
        """Each fault with the first place where it may happen."""
        firsts = [(x, x.spans[0]) for x in self.known]
        return tuple(FaultOrigin(x.kind, x.rule, span.source.position(span.start)[0]) for x, span in firsts)
