"""What a symbolic run through a hand is made of: steps to do, where it stops, and what is noted on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trickproof.proofs.smt.symbolic_values import Int, Symbol
from trickproof.proofs.symbolic.card_set import CardSet
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import Key

if TYPE_CHECKING:
    from trickproof.proofs.symbolic.actions import HandActs


@dataclass(frozen=True, slots=True)
class Frame:
    """A list of steps and the next one; of a loop over known elements also those `left`."""

    body: tuple[c.Stmt, ...]
    index: int = 0
    loop: c.Loop | None = None
    left: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LoopHead:
    """The head of a loop by induction, and what is to be done after it; `going_round` if it came from its own body."""

    loop: c.Loop | c.Until
    after: tuple[Frame | LoopHead, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a run ended: `at` a head, coming `around` or for the first time; or the hand or match is over, or a gap."""

    why: str
    at: LoopHead | None = None
    around: bool = False
    gap: tuple[str, Span] | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A move that was made: by whom, to whom, which cards, what the mover's place holds afterwards, how many at most."""

    label: str
    actor: int
    to: int | None
    cards: CardSet
    after: CardSet
    span: Span


@dataclass(frozen=True, slots=True)
class Picked:
    """A choice of `number` cards between `low` and `high`."""

    label: str
    actor: int
    to: int | None
    number: Int
    low: Int
    high: Int
    span: Span


@dataclass(frozen=True, slots=True)
class Skipped:
    """A step that was not encoded, and why."""

    step: c.Stmt
    what: str
    span: Span


class BrokenError(Exception):
    """The rules break down for certain; the obligation about it has been noted."""


class LazyVariables(dict[Key, Symbol]):
    """Variables of which those that nobody asks for stay unknown."""

    def __init__(self, reader: HandActs, known: Mapping[Key, Symbol]) -> None:
        super().__init__(known)
        self._reader = reader

    def __missing__(self, key: Key) -> Symbol:
        made = self._reader.unknown(self._reader.program.variables[key[0]].type)
        self[key] = made
        return made
