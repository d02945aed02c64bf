"""What symbolic execution knows, as data: values under a condition, and along one path what is to do and was noted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from types import MappingProxyType

import z3

from trickproof.analysis.parameter_classes import telling_values
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.path_enumeration import PathOracle
from trickproof.proofs.smt.symbolic_values import Bool, Int, Members, Symbol
from trickproof.proofs.symbolic.card_set import CardSet
from trickproof.proofs.symbolic.card_theory import CardWorld
from trickproof.proofs.symbolic.unknowns import LazyVariables, PickedOnce, any_value, anything
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import Key, owner_keys


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
    """The head of a loop treated by induction (one of Floyd's cut points), and what is to be done after the loop.

    Loops that are entered with other `parameters`, of those asked for so far, are told apart.
    """

    loop: c.Loop | c.Until
    after: tuple[Frame | LoopHead, ...]
    parameters: tuple[tuple[str, int], ...] = ()

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
class Obligation:
    """A proof obligation: a way in which the rules may fail at run time, or a claim may fail, in counts and in bits.

    Each half is exact, or True where it cannot tell; it cannot happen if either excludes it.  `check` is the check whose
    claim it is, "" for a runtime fault of the given kind during the labelled move.  Where it cannot come true, a variable has
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
    """The rules fail at run time for certain; the obligation about it has been noted."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A statement that was not encoded, and why."""

    step: c.Stmt
    what: str
    span: Span


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Something announced or shown under a condition, with the values that hold then."""

    live: Bool
    step: c.Announce | c.Show
    variables: Mapping[Key, Symbol]
    bound: Mapping[str, Symbol]


@dataclass(eq=False)
class Environment:
    """What is known where statements are carried out; `guard` is the condition under which that happens.

    `facts` hold of the unknowns, which are named after `tag`; they restrict nothing that came before.  `choices` are numbers
    from 0 that tell the decisions.  `ended` says when the match is over, and `winners` who has won then; `gone` when the hand is
    over before its last step, and `thrown_in` when it is dealt again, with the values that the variables have then.
    """

    program: c.Program
    variables: dict[Key, Symbol]
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    bound: dict[str, Symbol] = field(default_factory=dict)
    guard: Bool = True
    obligations: list[Obligation] = field(default_factory=list)
    facts: list[Bool] = field(default_factory=list)
    choices: list[z3.ArithRef] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    disclosures: tuple[Disclosure, ...] = ()
    ended: Bool = False
    winners: Members = field(default_factory=partial(Members, ()))
    gone: Bool = False
    thrown_in: list[tuple[Bool, Mapping[Key, Symbol]]] = field(default_factory=list)
    tag: str = ""
    _numbers: Iterator[int] = field(default_factory=partial(count, 1))

    @property
    def faults(self) -> list[tuple[Bool, Span]]:
        """The ways in which the rules may fail at run time, with their places."""
        return [(obligation.counts, obligation.span) for obligation in self.obligations]

    @property
    def broken(self) -> Bool:
        """When they do."""
        return y.disj(*(when for when, _ in self.faults))

    def oblige(self, counts: Bool, bits: Bool, span: Span, kind: str, label: str = "") -> None:
        """Notes a way in which the rules may fail at run time here."""
        counts, bits = y.conj(self.guard, counts), y.conj(self.guard, bits)
        if counts is not False and bits is not False:
            self.obligations.append(Obligation(counts, bits, span, kind, label))

    @contextmanager
    def under(self, condition: Bool) -> Iterator[None]:
        """Within, the condition holds as well."""
        before, self.guard = self.guard, y.conj(self.guard, condition)
        try:
            yield
        finally:
            self.guard = before

    def name(self) -> str:
        """A name that no unknown has yet."""
        return f"{self.tag}.{next(self._numbers)}"

    def unknown(self, kind: c.Type) -> Symbol:
        """A value of a type that nothing is known about."""
        return anything(self.program, kind, self.name(), self.facts)

    def forget(self, names: Sequence[str]) -> None:
        """From here on these variables may have any value."""
        for name in names:
            info = self.program.variables[name]
            for owners in owner_keys(self.program, info.of):
                self.variables[(name, *owners)] = self.unknown(info.type)

    def scatter(self) -> None:
        """From here on any card may lie in any place."""


@dataclass(eq=False, kw_only=True)
class PathState(Environment):
    """The environment of one path.  `oracle` has its path condition, `world` what is known of the sets of cards on it.

    `picks` are choices of cards, `events` moves, in order; `decided` is what chance and the
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
    picks: list[Picked] = field(default_factory=list)
    decided: list[Symbol] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    unlisted: frozenset[str] = frozenset()
    """Labels of moves of this deal that may be missing among `picks` and `events`: of rounds gone by, of steps left out."""
    open_ties: list[Span] = field(default_factory=list)
    ending: c.EndMatch | None = None
    """The end of the match that the path has come to."""

    def name(self) -> str:
        return self.world.name()

    def unknown(self, kind: c.Type) -> Symbol:
        return any_value(self.program, kind, self.world, self.facts)

    def forget(self, names: Sequence[str]) -> None:
        self.variables = self.variables.forgetting(names)

    def scatter(self) -> None:
        keys = sorted(self.zones)
        self.zones = dict(zip(keys, self.world.parts([str(key) for key in keys]), strict=True))


def begin_path(
    program: c.Program,
    world: CardWorld,
    oracle: PathOracle,
    variables: Mapping[Key, Symbol],
    zones: Mapping[Key, CardSet],
    playing: bool = False,
    parameters: Mapping[str, int] = MappingProxyType({}),
) -> PathState:
    """A path of which nothing has been followed yet; other parameters and readings are decided when they are first asked for."""

    def unknown(name: str) -> Symbol:
        return any_value(program, program.variables[name].type, world, oracle.facts)

    return PathState(
        program=program,
        variables=LazyVariables(variables, unknown),
        parameters=PickedOnce(oracle, lambda name: telling_values(program)[name], parameters),
        readings=PickedOnce(oracle, lambda rule: range(len(program.readings[rule]))),
        facts=oracle.facts,
        oracle=oracle,
        world=world,
        zones=dict(zones),
        playing=playing,
    )
