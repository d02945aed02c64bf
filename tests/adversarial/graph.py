"""What is found when everything is gone through: states before a deal, where they lead, what goes wrong on the way; and what is looked at."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.events import HAND_ENDED
from trickproof_dsl.semantics.faults import Fault
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import Value


class BeyondError(Exception):
    """There is more than is gone through."""


@dataclass(slots=True)
class Budget:
    """What may still be gone through: states before a deal, and choices made."""

    states: int = 20_000
    steps: int = 2_000_000

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise BeyondError

    def state(self) -> None:
        self.states -= 1
        if self.states < 0:
            raise BeyondError


@dataclass(frozen=True, slots=True)
class Course:
    """How far a deal has come: whether cards are played, whether everybody gave all that was allowed, what was exchanged.

    Only what is looked at when the play starts is kept.
    """

    playing: bool = False
    full: bool = True


@dataclass(frozen=True, slots=True)
class Violation:
    """Something that goes wrong after so many deals; the choices of each deal lead there."""

    what: str
    deals: int
    path: tuple[tuple[Value, ...], ...]


Looks = Callable[[StateView, Course], Iterator[tuple[str, str]]]
"""Answers claims that fail in a state, each with what is wrong."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What is looked at, by moment; `answers` tells which claim a fault belongs to, `reads` what conditions read."""

    always: Looks
    play_starts: Looks
    hand_ends: Looks
    carried_on: Looks
    match_ends: Looks
    answers: Callable[[Fault], str]
    reads_always: frozenset[str] = frozenset()
    reads_at_play: frozenset[str] = frozenset()
    reads_at_end: frozenset[str] = frozenset()


@dataclass(slots=True)
class Node:
    """A state before a deal: the deals before it, how it was come to, and where it leads."""

    state: State
    deals: int
    before: Hashable = None
    choices: tuple[Value, ...] = ()
    nexts: frozenset[Hashable] = frozenset()
    ends: bool = False
    breaks: bool = False
    expanded: bool = False


@dataclass
class Graph:
    """What was gone through; `whole` if it is everything, else everything within `depth` deals."""

    nodes: dict[Hashable, Node] = field(default_factory=dict)
    violations: dict[str, Violation] = field(default_factory=dict)
    labels: set[str] = field(default_factory=set)
    ended_at_start: bool = False
    broken_at_start: bool = False
    whole: bool = False
    depth: int = 0
    steps: int = 0

    @property
    def broken(self) -> bool:
        """Whether some match fails at run time."""
        return self.broken_at_start or any(node.breaks for node in self.nodes.values())

    @property
    def ends(self) -> bool:
        """Whether some match ends."""
        return self.ended_at_start or any(node.ends for node in self.nodes.values())


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Where a state in a deal can lead: to states before the next deal, to an end, to a runtime fault."""

    nexts: frozenset[Hashable] = frozenset()
    ends: bool = False
    breaks: bool = False


def cut_short(state: StateView) -> bool:
    """Whether a hand that is over is not complete, as the match or a rule has ended it while cards were left."""
    unplayed = any(state.cards("hand", p) for p in range(state.program.players))
    return unplayed and (state.match_over or state.events[-1:] in [(ending,) for ending in HAND_ENDED])
