"""The state of symbolic execution as data: values under a condition and, for one path, its remaining work and events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from types import MappingProxyType
from typing import NamedTuple

import z3

from trickproof.analysis.parameter_classes import telling_values
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.path_enumeration import PathOracle
from trickproof.proofs.smt.symbolic_values import Bool, Int, Members, Symbol
from trickproof.proofs.symbolic.cards.card_places import Places
from trickproof.proofs.symbolic.cards.card_set import CardSet
from trickproof.proofs.symbolic.cards.card_theory import CardWorld
from trickproof.proofs.symbolic.cards.unknowns import LazyVariables, PickedOnce, any_value, anything
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import Key, owner_keys


@dataclass(frozen=True, slots=True)
class Frame:
    """A list of statements and the index of the next one; for a loop over known elements, also the elements `left`.

    `moment` is the moment reached when all of them are done, for claims about it.
    """

    body: tuple[c.Stmt, ...]
    index: int = 0
    loop: c.Loop | None = None
    left: tuple[int, ...] = ()
    moment: str = ""


@dataclass(frozen=True, slots=True)
class LoopHead:
    """The head of a loop handled by induction (one of Floyd's cut points), and what remains to be done after the loop.

    Entries with different values for the `parameters` requested so far are distinct heads.
    """

    loop: c.Loop | c.Until
    after: tuple[Frame | LoopHead, ...]
    parameters: tuple[tuple[str, int], ...] = ()

    def __hash__(self) -> int:
        """Hash only a little of it: heads are few, and what follows one is most of the program."""
        return hash((type(self.loop), len(self.after)))


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a run ended: at a loop head, at the end of the deal or match, or at a gap.

    `at` is the loop head, reached on a later round if `around`.
    """

    why: str
    at: LoopHead | None = None
    around: bool = False
    gap: tuple[str, Span] | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A move that was made: who moved which cards to whom, and what the mover's zone holds afterwards."""

    label: str
    actor: int
    to: int | None
    cards: CardSet
    after: CardSet


@dataclass(frozen=True, slots=True)
class Picked:
    """A choice of `number` cards, between `low` and `high`."""

    label: str
    actor: int
    to: int | None
    number: Int
    low: Int
    high: Int


class Known(NamedTuple):
    """How many decisions a path had taken at some moment, and how many facts of each kind it had collected."""

    decisions: int = 0
    facts: int = 0
    counts: int = 0
    bits: int = 0


NOTHING = Known()


@dataclass(frozen=True, slots=True)
class Obligation:
    """A proof obligation: a way in which the rules or a claim may fail, in counts and in bits.

    Each abstraction is exact, or True if it cannot tell; the failure is impossible if either excludes it,
    given what was `known` when it arose.
    `check` is the check that makes the claim, or "" for a runtime fault of the given kind during the
    labelled move. If the obligation is discharged, a variable has the value given by `establishes`.
    A fault may be `doubtful`: where it can arise, perhaps nobody asks.
    """

    counts: Bool
    bits: Bool
    span: Span
    kind: str = ""
    label: str = ""
    check: str = ""
    establishes: tuple[Key, Symbol] | None = None
    known: Known = NOTHING
    doubtful: bool = False

    @property
    def halts(self) -> bool:
        """Whether a deal surely stops where this happens."""
        return not self.check and not self.doubtful


class BrokenError(Exception):
    """The rules certainly fail at run time; the obligation has been noted."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A statement or condition that was not encoded, and the reason."""

    step: c.Stmt | c.Expr
    what: str
    span: Span


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Something announced or shown under a condition, with the values at that time."""

    live: Bool
    step: c.Announce | c.Show
    variables: Mapping[Key, Symbol]
    bound: Mapping[str, Symbol]


@dataclass(eq=False)
class Environment:
    """The state in which statements are executed, under the condition `guard`.

    `facts` hold of the unknowns, which are named after `tag`, and restrict nothing earlier. `choices` are
    0-based indices of decisions. `ended` says when the match is over, and `winners` who has then won; `gone`
    when the deal is over before its last step, and `thrown_in` when it is dealt again, with the values of the
    variables at that point.
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
    places: Places | None = None
    """Where cards lie, if they are followed."""
    _numbers: Iterator[int] = field(default_factory=partial(count, 1))

    @property
    def faults(self) -> list[tuple[Bool, Span]]:
        """The possible runtime faults, with their places."""
        return [(obligation.counts, obligation.span) for obligation in self.obligations]

    @property
    def known(self) -> Known:
        """What is known now, which limits what obligations may rest on."""
        return NOTHING

    @property
    def broken(self) -> Bool:
        """When any of them happens."""
        return y.disj(*(when for when, _ in self.faults))

    def oblige(self, counts: Bool, bits: Bool, span: Span, kind: str, label: str = "") -> None:
        """Note that the rules may fail at run time here."""
        counts, bits = y.conj(self.guard, counts), y.conj(self.guard, bits)
        if counts is not False and bits is not False:
            self.obligations.append(Obligation(counts, bits, span, kind, label, known=self.known))

    @contextmanager
    def under(self, condition: Bool) -> Iterator[None]:
        """Assume a further condition within the context."""
        before, self.guard = self.guard, y.conj(self.guard, condition)
        try:
            yield
        finally:
            self.guard = before

    def name(self) -> str:
        """A fresh name for an unknown."""
        return f"{self.tag}.{next(self._numbers)}"

    def unknown(self, kind: c.Type) -> Symbol:
        """A completely unknown value of a type."""
        return anything(self.program, kind, self.name(), self.facts)

    def forget(self, names: Sequence[str]) -> None:
        """From here on these variables may have any value."""
        for name in names:
            info = self.program.variables[name]
            for owners in owner_keys(self.program, info.of):
                self.variables[(name, *owners)] = self.unknown(info.type)

    def scatter(self) -> None:
        """From here on any card may be in any zone."""


@dataclass(eq=False, kw_only=True)
class PathState(Environment):
    """The environment of a single path; `oracle` holds its path condition, `world` the facts about its sets of cards.

    `picks` lists choices of cards, and `events` moves, in order; `decided` lists everything decided by chance
    or the players: cards dealt, cards and values chosen. `stack` holds the remaining work, next item last.
    """

    variables: LazyVariables
    oracle: PathOracle
    world: CardWorld
    zones: dict[Key, CardSet]
    playing: bool = False
    around: frozenset[str] = frozenset()
    """Names bound by the loops that enclose the one at whose head the path begins."""
    milestone: int = 0
    """Number of obligations before the first card is played; later ones may assume those discharged."""
    stack: list[Frame | LoopHead] = field(default_factory=list)
    picks: list[Picked] = field(default_factory=list)
    decided: list[Symbol] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    unlisted: frozenset[str] = frozenset()
    """Labels of moves in this deal that may be missing from `picks` and `events`, because of earlier rounds or skipped steps."""
    open_ties: list[Span] = field(default_factory=list)
    sorts: dict[Span, bool] = field(default_factory=dict)
    """Where a loop sorts what it goes through, and whether there was more than one element."""
    ending: c.EndMatch | None = None
    """The end of the match that the path has reached."""

    @property
    def known(self) -> Known:
        world = self.world
        return Known(len(self.oracle.trace), len(self.facts), len(world.count_facts), len(world.bit_facts))

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
    """A path with nothing executed yet; other parameters and readings are decided when first requested."""

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
