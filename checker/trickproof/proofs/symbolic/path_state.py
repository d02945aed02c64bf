"""One symbolic path through a hand as data: what holds on it, what is still to do, and what was noted on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.path_enumeration import PathOracle
from trickproof.proofs.smt.symbolic_values import Bool, Int, Symbol
from trickproof.proofs.symbolic.card_set import CardSet
from trickproof.proofs.symbolic.card_theory import CardWorld
from trickproof.proofs.symbolic.expressions import Environment
from trickproof.proofs.symbolic.unknowns import LazyVariables, PickedOnce, any_value
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import Key


@dataclass(frozen=True, slots=True)
class Frame:
    """A list of statements and the next one; of a loop over known elements also those `left`.

    `moment` is what it is called when all of them are done, for claims about it.
    """

    body: tuple[c.Stmt, ...]
    index: int = 0
    loop: c.Loop | None = None
    left: tuple[int, ...] = ()
    moment: str = ""


@dataclass(frozen=True, slots=True)
class LoopHead:
    """The head of a loop treated by induction (one of Floyd's cut points), and what is to be done after the loop."""

    loop: c.Loop | c.Until
    after: tuple[Frame | LoopHead, ...]

    def __hash__(self) -> int:
        """Of little: there are few heads, and all that comes after one is most of the program."""
        return hash((type(self.loop), len(self.after)))


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a run ended: `at` a head, coming `around` or for the first time; or the hand or match is over, or a gap."""

    why: str
    at: LoopHead | None = None
    around: bool = False
    gap: tuple[str, Span] | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A move that was made: by whom, to whom, which cards, and what the mover's place holds afterwards."""

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
    """A statement that was not encoded, and why."""

    step: c.Stmt
    what: str
    span: Span


@dataclass(frozen=True, slots=True)
class Obligation:
    """A proof obligation: a way in which the rules may break down, or a claim may fail, in counts and in bits.

    Each half is exact, or True where it cannot tell; it cannot happen if either excludes it.  `check` is the check whose
    claim it is, "" for a breakdown of the given kind during the labelled move.  Where it cannot come true, a variable has
    the value that `establishes` says.
    """

    counts: Bool
    bits: Bool
    span: Span
    kind: str = ""
    label: str = ""
    check: str = ""
    establishes: tuple[Key, Symbol] | None = None


class BrokenError(Exception):
    """The rules break down for certain; the obligation about it has been noted."""


@dataclass(eq=False, kw_only=True)
class PathState(Environment):
    """The environment of one path.  `oracle` has its path condition, `world` what is known of the sets of cards on it.

    `picks` are choices of cards, `events` moves, `skipped` statements, in order; `decided` is what chance and the
    players decide: cards dealt, cards and values chosen.  `stack` is what is still to do, the next last.
    """

    variables: LazyVariables
    oracle: PathOracle
    world: CardWorld
    zones: dict[Key, CardSet]
    playing: bool = False
    around: frozenset[str] = frozenset()
    """Names that the loops bind around the one at whose head the path begins."""
    milestone: int = 0
    """Obligations before the first card is played; what comes later may take them for cleared."""
    stack: list[Frame | LoopHead] = field(default_factory=list)
    obligations: list[Obligation] = field(default_factory=list)
    picks: list[Picked] = field(default_factory=list)
    decided: list[Symbol] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    open_ties: list[Span] = field(default_factory=list)

    def oblige(self, counts: Bool, bits: Bool, span: Span, kind: str, label: str = "") -> None:
        """Notes a way in which the rules may break down here."""
        counts, bits = y.conj(self.guard, counts), y.conj(self.guard, bits)
        if counts is not False and bits is not False:
            self.obligations.append(Obligation(counts, bits, span, kind, label))

    def unknown(self, kind: c.Type) -> Symbol:
        """A value of a type that nothing is known about."""
        return any_value(self.program, kind, self.world, self.oracle.facts)


def begin_path(
    program: c.Program,
    world: CardWorld,
    oracle: PathOracle,
    variables: Mapping[Key, Symbol],
    zones: Mapping[Key, CardSet],
    playing: bool = False,
) -> PathState:
    """A path of which nothing has been followed yet; parameters and readings are decided when they are first asked for."""

    def unknown(name: str) -> Symbol:
        return any_value(program, program.variables[name].type, world, oracle.facts)

    return PathState(
        program=program,
        variables=LazyVariables(variables, unknown),
        parameters=PickedOnce(oracle, lambda name: program.parameters[name]),
        readings=PickedOnce(oracle, lambda rule: range(len(program.readings[rule]))),
        oracle=oracle,
        world=world,
        zones=dict(zones),
        playing=playing,
    )
