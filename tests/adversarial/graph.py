"""The result of an exploration: states before a deal, successors, violations; and the claims examined."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.events import HAND_ENDED, SCORED
from trickproof_dsl.semantics.faults import Fault
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import Value


class BeyondError(Exception):
    """The exploration exceeds its budget."""


@dataclass(slots=True)
class Budget:
    """The remaining budget: states before a deal, and choices."""

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
    """The progress of a deal: whether play has started, whether all gave the maximum, what was exchanged.

    Only what claims at the start of play need is recorded.
    """

    playing: bool = False
    full: bool = True


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation after a number of deals; `path` has the choices that lead there: those before the first deal, and of each deal."""

    what: str
    deals: int
    path: tuple[tuple[Value, ...], ...]


Looks = Callable[[StateView, Course], Iterator[tuple[str, str]]]
"""Yields the claims that fail in a state, each with the reason."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims to examine, by moment; `answers` maps a fault to its claim, `reads` are names they read."""

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
    """A state before a deal: the number of deals before it, its predecessor, the choices since then, and its successors."""

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
    """The explored part of the state space; complete if `whole`, else complete to `depth` deals."""

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
    """The outcomes of a state within a deal: states before the next deal, an end, a runtime fault."""

    nexts: frozenset[Hashable] = frozenset()
    ends: bool = False
    breaks: bool = False


def cut_short(state: StateView) -> bool:
    """Whether a deal was cut short: the match or a rule ended it while cards were left, before it was scored."""
    unplayed = any(state.cards("hand", p) for p in range(state.program.players))
    scored = any(event.name == SCORED for event in state.events)
    ended = state.match_over or state.events[-1:] in [(ending,) for ending in HAND_ENDED]
    return unplayed and ended and not scored
