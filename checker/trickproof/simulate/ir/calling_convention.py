"""How a compiled program is called: the words of `io`, and what its caller has to know.  Nothing here needs a program."""

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
    """A player who is asked with the record of the hand so far (`information.record`)."""

    @property
    def form(self) -> RecordForm:
        """How the record is read."""

    def choose(self, record: Sequence[int], stream: int, hand: int) -> int:
        """The word of what is chosen.  `stream` tells the match, `hand` is the number of the hand in it."""

    def bind(self, parameters: Mapping[str, int], readings: Mapping[str, int]) -> None:
        """What is played with from now on."""


Choice: TypeAlias = "str | Player | RecordedPlayer"
"""The name of a policy, a function that is asked (see `callback`), or a player who is asked with the record of the hand."""

LLVM, PYTHON = "llvm", "python"
BACKENDS = (LLVM, PYTHON)
"""Compiled to machine code by llvmlite; plain Python."""

NAME, OUTER = "run", ("params", "io", "totals", "notes")
"""The function that is called, and the arrays of words that it takes."""

POLICIES = ("random", "greedy")
"""Names of the ready policies; `players` makes them."""

SEARCH, MOST_ROLLOUTS = "search", 100_000
"""The policy `search:N` thinks with N rollouts for a decision, at most so many."""

NEXT, END, HANDS, NUMBER, KEY, MOST, NOTED, ROOM, CLOSE, MATCH, STREAM, STOPPED = range(12)
"""Words of `io`: next match to begin, first match not to be played, hands left to play, number of the next hand in its
match, key of the seed, most hands of a match, notes written, room for notes, whether a batch that is cut off is closed,
the match that is being played and what its streams begin with; whether interleaved matches were stuck (see `interleaved`)."""

SAVED_LOCALS = (
    ("m.next", NEXT),
    ("m.match", MATCH),
    ("m.hands", HANDS),
    ("m.number", NUMBER),
    ("m.stream", STREAM),
)
"""Locals that are kept from call to call."""

STATE = 16
"""Where in `io` what is carried on begins."""

OWN_WORDS = ("m.match", "m.number", "m.stream")
"""Locals of a match that are kept from call to call, where several are interleaved."""

LANES = (".a", ".b", ".c")
"""Matches that are played interleaved, by what is added to the names of what each has of its own.

Two leave the processor waiting, four ask for more than it can hold.
"""

BITS = 64
ALL = (1 << BITS) - 1
"""The length of a word, and a word of ones."""

AGAIN = "v.again."
"""An array of one word: whether the last hand is dealt again, without the steps between hands."""

ENDED = 1
"""The code with which a hand is left that ends the match."""

TOO_WIDE = 2
"""The code of a set of numbers that does not fit a word: nothing the rules can be blamed for."""

FIRST = 3
"""Codes from here on are runtime faults of the rules, and limits of the simulator in a rule."""

LARGEST = 10**18
"""The simulator handles no number beyond this, up or down."""

MOST_STATEMENTS = 20_000
"""Statements that a program may come to; ordinary games have 500 to 2,000."""

MOST_NUMBERS = 10_000
"""The longest range of numbers that it goes through or lets choose from."""

EngineLimit = Literal["engine-limit"]
LIMIT: EngineLimit = "engine-limit"
"""A number or a range is beyond what the simulator handles: nothing is said about the rules."""

TOO_WIDE_SET = "a set of numbers that are 64 or more apart is not simulated"
"""What `TOO_WIDE` means."""

GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB


@dataclass(eq=False)
class BeyondError(Exception):
    """A program that cannot become an integer program: why, and where in the rules (None: the declarations)."""

    why: str
    span: Span | None = None

    @property
    def message(self) -> str:
        """Why, and at which place of which file."""
        if self.span is None or not self.span.source.name:
            return self.why
        return f"{self.why} ({self.span.source.name}:{self.span.line}:{self.span.column})"


@dataclass(frozen=True)
class FaultOrigin:
    """A kind of fault of `trickproof_dsl.core.faults`, or `LIMIT`, in which rule, on which line."""

    kind: str
    rule: str
    line: int


@dataclass(frozen=True)
class Facts:
    """What it takes to call a compiled program, and to read what it counts."""

    counters: CounterLayout
    parameters: Mapping[str, int]
    """First values, in the order in which they are handed over."""
    readings: tuple[str, ...]
    """Rules whose readings are handed over, in their order, after the parameters."""
    carried: int
    """Words that are carried on from one call to the next."""
    fault_origins: tuple[FaultOrigin, ...]
    """Breakdowns by code, less `FIRST`."""
    statements: int
    """How long the program is."""

    @property
    def io_size(self) -> int:
        """Words of `io`, one match at a time."""
        return STATE + self.carried

    @property
    def lane_size(self) -> int:
        """Words of `io` that belong to one of several matches: `OWN_WORDS`, and what is carried."""
        return len(OWN_WORDS) + self.carried


def searches(policies: Sequence[Choice]) -> bool:
    """Whether somebody searches: then a hand takes a thousand times as long."""
    return any(isinstance(x, str) and x.startswith(f"{SEARCH}:") for x in policies)


def mixed(x: int) -> int:
    """A 64-bit number, hashed."""
    x = (x ^ x >> 30) * MIX_1 & ALL
    x = (x ^ x >> 27) * MIX_2 & ALL
    return x ^ x >> 31


def key(seed: int) -> int:
    """What a seed begins all its streams with."""
    return mixed(seed + GOLDEN & ALL)
