"""How to call a compiled program: the layout of `io`, and what the caller needs to know.

Nothing here needs a program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from trickproof.simulate.ir.counter_layout import CounterLayout

if TYPE_CHECKING:
    from trickproof.information.record import RecordForm
    from trickproof_dsl.diagnostics.source import Span
    from trickproof_dsl.playing import Player


class RecordedPlayer(Protocol):
    """A player that chooses given the record of the hand so far (`information.record`)."""

    @property
    def form(self) -> RecordForm:
        """How to read the record."""

    def choose(self, record: Sequence[int], stream: int, hand: int) -> int:
        """The chosen word.  `stream` identifies the match, `hand` is the number of the hand in it."""

    def bind(self, parameters: Mapping[str, int], readings: Mapping[str, int]) -> None:
        """Set the parameters and readings for all later calls."""


Choice: TypeAlias = "str | Player | RecordedPlayer"
"""The name of a policy, a function that is called (see `callback`), or a player that is given the record of
the hand.
"""

LLVM, PYTHON = "llvm", "python"
BACKENDS = (LLVM, PYTHON)
"""Machine code compiled by llvmlite; plain Python."""

NAME, OUTER = "run", ("params", "io", "totals", "notes")
"""The function to call, and the arrays of words that it takes."""

GREEDY = "greedy"
POLICIES = ("random", GREEDY)
"""The names of the built-in policies."""

SEARCH, MOST_ROLLOUTS = "search", 100_000
"""The policy `search:N` uses N rollouts per decision; N is at most `MOST_ROLLOUTS`."""

NEXT, END, HANDS, NUMBER, KEY, MOST, NOTED, ROOM, CLOSE, MATCH, STREAM, STOPPED = range(12)
"""Words of `io`: the next match to begin; the first match not to be played; hands left to play; number of the
next hand in its match; key of the seed; maximum number of hands per match; notes written; room for notes;
whether to close a batch that is cut off; the current match, and the base of its random streams; whether
interleaved matches got stuck (see `interleaved`).
"""

SAVED_LOCALS = (
    ("m.next", NEXT),
    ("m.match", MATCH),
    ("m.hands", HANDS),
    ("m.number", NUMBER),
    ("m.stream", STREAM),
)
"""Locals that are preserved between calls."""

STATE = 16
"""Position in `io` of the state preserved between calls."""

OWN_WORDS = ("m.match", "m.number", "m.stream")
"""Locals of each match that are preserved between calls when several are interleaved."""

LANES = (".a", ".b", ".c")
"""The lanes of interleaved matches, by the suffix of the names that belong to each.

Two lanes leave the processor waiting; four need more registers than it has.
"""

BITS = 64
ALL = (1 << BITS) - 1
"""The mask of a whole word."""

AGAIN = "v.again."
"""A one-word array: whether the last hand is dealt again, without the steps between hands."""

ENDED = 1
"""The exit code of a hand that ends the match."""

TOO_WIDE = 2
"""The exit code for a set of numbers that does not fit a word: a limit of the simulator, not a fault of the rules."""

FIRST = 3
"""First of the exit codes for runtime faults of the rules, and for limits of the simulator in a rule."""

LARGEST = 10**18
"""Largest absolute value of a number in the simulator."""

MOST_STATEMENTS = 20_000
"""Maximum number of statements in a program; ordinary games have 500 to 2,000."""

MOST_NUMBERS = 10_000
"""Longest range of numbers that can be iterated over or chosen from."""

EngineLimit = Literal["engine-limit"]
LIMIT: EngineLimit = "engine-limit"
"""A number or a range exceeds a limit of the simulator; this says nothing about the rules."""

TOO_WIDE_SET = "a set of numbers that are 64 or more apart is not simulated"
"""The message for `TOO_WIDE`."""

GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB


@dataclass(eq=False)
class BeyondError(Exception):
    """A program that has no integer form: the reason, and the place in the rules (None: the declarations)."""

    why: str
    span: Span | None = None

    @property
    def message(self) -> str:
        """The reason, with its file and line."""
        if self.span is None or not self.span.source.name:
            return self.why
        return f"{self.why} ({self.span.source.name}:{self.span.line}:{self.span.column})"


@dataclass(frozen=True)
class FaultOrigin:
    """A kind of fault of `trickproof_dsl.core.faults`, or `LIMIT`, with its rule and line."""

    kind: str
    rule: str
    line: int


@dataclass(frozen=True)
class Facts:
    """What is needed to call a compiled program and to interpret its counts."""

    counters: CounterLayout
    parameters: Mapping[str, int]
    """Default values, in the order in which they are passed."""
    readings: tuple[str, ...]
    """The rules whose readings are passed after the parameters, in order."""
    lines: int
    """The number of words passed after them, by which greedy players choose numbers (`testing.bids`)."""
    carried: int
    """Number of words carried from one call to the next."""
    fault_origins: tuple[FaultOrigin, ...]
    """Runtime faults, indexed by exit code minus `FIRST`."""
    statements: int
    """Number of statements in the program."""

    @property
    def io_size(self) -> int:
        """Length of `io` for one match at a time."""
        return STATE + self.carried

    @property
    def lane_size(self) -> int:
        """Words of `io` that belong to one interleaved match: `OWN_WORDS` and the carried state."""
        return len(OWN_WORDS) + self.carried


def searches(policies: Sequence[Choice]) -> bool:
    """Whether any policy searches, which makes a hand take a thousand times as long."""
    return any(isinstance(x, str) and x.startswith(f"{SEARCH}:") for x in policies)


def mixed(x: int) -> int:
    """Hash a 64-bit number."""
    x = (x ^ x >> 30) * MIX_1 & ALL
    x = (x ^ x >> 27) * MIX_2 & ALL
    return x ^ x >> 31


def key(seed: int) -> int:
    """The base of all random streams of a seed."""
    return mixed(seed + GOLDEN & ALL)
