"""Whether what the exchange rules leave open makes a difference: who gives how many cards to whom, and in what order.

Left open are the readings of its rules, and orders with `ties open`. The same deal (same cards, same
preferences of every player) is exchanged in each way, from everything that the deal before can have led to,
fewest cards first; the first deal in which two ways diverge is the witness.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any, Literal

from trickproof.analysis.dependencies import (
    Step,
    first_part,
    is_play,
    last_part,
    names_read,
    steps as every_step,
)
from trickproof.analysis.usage import usage_of
from trickproof.checking.engines import REFERENCE, State
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.proofs.hands.initial_states import begins, owed
from trickproof.proofs.hands.verdicts import beginnings, hand_proof
from trickproof.proofs.smt.solver import recorded_once
from trickproof.testing.deal_search import construct
from trickproof.testing.match_search import dealt, leading_to, played_again, settled
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import Node, mapped, walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import Key, Value

LABELS = {"give", "return"}

MOST_BEGINS = 200
"""Maximum number of carried states from which the ways are compared."""

CARDS = 48
"""From each carried state, deals are tried until about this many cards have been given away, and at least `DEALS` of them.

One is enough once the order is known to matter: how many cards are given seldom depends on which cards they
are.
"""
DEALS = 3

MOST_SEARCHED = 3
"""Maximum number of diverging deals for which a match is searched; `SEEDS` deals are tried from each."""
SEEDS = 12

Matter = Literal["amounts", "order"]


@dataclass(frozen=True, slots=True)
class Way:
    """One resolution of what is left open: some readings, or a tie broken the other way."""

    says: str
    program: c.Program
    readings: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Parting:
    """A deal that two ways exchange differently: as played in the first way, and in the second."""

    matter: Matter
    hand: HandPlayed
    other: HandPlayed
    ways: tuple[Way, Way]


@dataclass(frozen=True, slots=True)
class Compared:
    """`opened` lists what is left open, with places; `hands` counts the deals compared.

    `solver_asked` says whether the solver was needed to show that some ties cannot occur.
    """

    opened: tuple[tuple[str, Span], ...]
    partings: Mapping[Matter, Parting]
    hands: int
    unreached: Mapping[Matter, int] = field(default_factory=dict)
    """How often the ways diverge in deals to which no match was found to lead."""
    solver_asked: bool = False
    limits: Mapping[str, Span] = field(default_factory=dict)
    """What the engine gave up on; such deals are not counted."""
    first_only: bool = False
    """Whether only deals after the first one of a match were compared, rather than deals after everything that can precede them."""


def compared(subject: Subject) -> Compared:
    """What a ruleset's exchange leaves open, and where it matters."""
    return recorded_once(subject, _compared, subject)


def _compared(subject: Subject) -> Compared:
    candidates = list(_opened(subject.program))
    opened = tuple((rule, span) for rule, span in candidates if rule or _can_tie(subject, span))
    if not opened:
        partings = _after_ties(subject)
        return Compared((), partings, 0, solver_asked=bool(candidates))
    ways = list(_ways(subject.program, opened))
    search = _Search(subject, ways)
    limits: dict[str, Span] = {}
    hands = 0
    known = begins(subject, hand_proof(subject).outcome)[:MOST_BEGINS]
    for begin in known:
        deals = max(DEALS, CARDS // max(2, owed(begin))) if "order" not in search.partings else 1
        for seed in range(deals):
            try:
                search.look(begin, seed)
            except EngineLimitError as limit:
                limits.setdefault(limit.message, limit.span)
            else:
                hands += 1
        if len(search.partings) == 2:
            break
    if not known:
        try:
            hands = search.look_after_first()
        except EngineLimitError as limit:
            limits.setdefault(limit.message, limit.span)
    partings = _after_ties(subject) | search.partings
    return Compared(opened, partings, hands, search.unreached, limits=limits, first_only=not known)


class _Search:
    """Searches for deals in which two ways diverge; only those that a match leads to count."""

    def __init__(self, subject: Subject, ways: Sequence[Way]) -> None:
        self.subject, self.ways = subject, ways
        self.partings: dict[Matter, Parting] = {}
        self.unreached: dict[Matter, int] = {}

    def look(self, begin: Mapping[Key, Value], seed: int) -> None:
        """Note where another way exchanges the deal differently from the first way."""
        first = _exchange(_begun(self.ways[0], begin, seed), seed)
        for way in self.ways[1:]:
            parting = _parting(first, _exchange(_begun(way, begin, seed), seed), (self.ways[0], way))
            if parting is not None and self._is_sought(parting):
                self._note(parting, self._reached(parting, begin, seed))

    def _is_sought(self, parting: Parting) -> bool:
        """Whether a match leading to such a divergence is still being searched for."""
        missed = self.unreached.get(parting.matter, 0)
        return parting.matter not in self.partings and missed < MOST_SEARCHED

    def look_after_first(self) -> int:
        """Note where two ways diverge in the second deal of a match.

        Tries every division of the tricks in the first deal, and returns how many there were.
        """
        divisions = 0
        for way in self.ways[1:]:
            for parting, division in _over_divisions((self.ways[0], way)):
                divisions += 1
                if parting is not None and self._is_sought(parting):
                    self._note(parting, _after_division(self.subject, parting, division))
        return divisions

    def _note(self, parting: Parting, reached: Parting | None) -> None:
        """Record a divergence that a match was found to lead to; count the others."""
        if reached is None:
            self.unreached[parting.matter] = self.unreached.get(parting.matter, 0) + 1
        else:
            self.partings[parting.matter] = reached

    def _reached(self, parting: Parting, begin: Mapping[Key, Value], seed: int) -> Parting | None:
        """The divergence in a deal that a match leads to, as the reference plays it."""
        terms = self.subject.program.defaults, {**parting.ways[0].readings}
        for before in leading_to(self.subject.ruleset, terms, beginnings(self.subject.program, begin)):
            match = () if before is None else before.match
            for number in range(SEEDS):
                parted = _confirmed(parting, match, seed + number)
                if parted is not None:
                    return parted
        return None


def _after_ties(subject: Subject) -> dict[Matter, Parting]:
    """Where ties left open before the deal make the exchange diverge after one deal."""
    program, partings = subject.program, dict[Matter, Parting]()
    for span in ties_before(subject):
        ways = (
            Way("the order as written", program, {}),
            Way("the reverse order of tied players", _reversed(program, span), {}),
        )
        try:
            for parting, division in _over_divisions(ways):
                if parting is not None and parting.matter not in partings:
                    parted = _after_division(subject, parting, division)
                    partings |= {} if parted is None else {parted.matter: parted}
        except EngineLimitError:
            continue
    return partings


def _after_division(subject: Subject, parting: Parting, division: tuple[int, ...]) -> Parting | None:
    """The divergence in the deal after a first one with this division of the tricks, as the reference plays it."""
    hand = construct(subject.ruleset, subject.program.defaults, {}, {}, division)
    return None if hand is None else _confirmed(parting, hand.match, 0)


def _over_divisions(ways: tuple[Way, Way]) -> Iterator[tuple[Parting | None, tuple[int, ...]]]:
    """For every division of the tricks in the first deal, whether two ways exchange the next deal differently."""
    begun = [first_hand(way.program, Chance(), way.program.defaults, way.readings).begin for way in ways]
    for (division, one), (_, other) in zip(*map(settled, begun), strict=False):
        hands = [_exchange(dealt(state, Chance()), 0) for state in (one, other)]
        yield _parting(hands[0], hands[1], ways), division


def ties_before(subject: Subject) -> list[Span]:
    """Open ties outside the steps up to the exchange, whose outcome may be carried into the next one."""
    program = _without_idle_keys(subject)
    compared_anyway = {span for rule, span in _opened(subject.program) if not rule}
    loops = (x for x in walk(*program.phases) if isinstance(x, c.Loop))
    spans = dict.fromkeys(x.span for x in loops if x.order.ties == "open" and x.span not in compared_anyway)
    return [span for span in spans if _reaches_exchange(program, span)]


def _without_idle_keys(subject: Subject) -> c.Program:
    """The program without the sort keys of loops that were proved never to go through more than one element."""
    proof = hand_proof(subject)
    if proof.limits or proof.skipped:
        return subject.program

    def change(node: Node) -> Node | None:
        if isinstance(node, c.Loop) and proof.sorts.get(node.span) is False:
            return replace(node, order=replace(node.order, keys=()), body=mapped(node.body, change))
        return None

    return replace(subject.program, hand=mapped(subject.program.hand, change))


def _reaches_exchange(program: c.Program, span: Span) -> bool:
    """Whether the outcome of an open tie may make any difference before the play of a deal.

    It makes none if its loop only sets variables on which nothing that is done before the play depends,
    directly or by way of other variables and of where cards are.
    """
    everything = list(every_step((*program.setup, *program.hand, *program.between)))
    loops = [x.statement for x in everything if isinstance(x.statement, c.Loop) and x.statement.span == span]
    inner = [node for loop in loops for node in walk(loop.body) if isinstance(node, c.Stmt)]
    plays = filter(is_play, walk(program.hand))
    outside = usage_of(*plays, *last_part(program)).labels
    if outside & LABELS or not all(isinstance(node, c.Assign | c.Deal | _PASSIVE) for node in inner):
        return True
    decided = {node.variable for node in inner if isinstance(node, c.Assign)}
    before = set[str]()
    while decided != before:
        before = set(decided)
        for step in everything:
            if decided & _depends_on(step):
                decided |= set() if step.defines is None else {step.defines}
                decided |= {_CARDS} if isinstance(step.statement, c.Move | c.Deal) else set()
    acting = every_step(first_part(program), skipped_rules=("play",))
    return any(decided & _depends_on(x) for x in acting if not isinstance(x.statement, c.Assign | _PASSIVE))


_PASSIVE = c.Branch | c.Loop | c.Until | c.InRule | c.Show | c.Announce
"""Statements that by themselves change nothing in a deal."""

_CARDS = "(where cards are)"


def _depends_on(step: Step) -> frozenset[str]:
    """What a statement and its enclosing ones read, named as in definitions."""
    own: tuple[Node, ...] = () if isinstance(step.statement, _PASSIVE) else (step.statement,)
    nodes = (*step.operands, *step.tests, *own)
    cards = {_CARDS} if any(isinstance(node, c.ZoneCards) for node in walk(*nodes)) else set()
    return frozenset((*names_read(*nodes), *cards))


def _can_tie(subject: Subject, span: Span) -> bool:
    """Whether two elements can tie in the order at a place, as far as is known."""
    proof = hand_proof(subject)
    left_out = any(node.span == span for s in proof.skipped for node in walk(s.step) if hasattr(node, "span"))
    return span in proof.open_ties or left_out or bool(proof.limits)


ANSWER = "exchange-returns"
"""The rule that says which cards are returned; its readings affect neither order nor number."""


def _opened(program: c.Program) -> Iterator[tuple[str, Span]]:
    """Exchange rules with readings, and orders with open ties, with their places."""
    seen: set[str] = set()
    for node in _nodes(program.hand, _read_by_exchange(program)):
        if isinstance(node, c.Reading) and node.rule not in seen:
            seen.add(node.rule)
            yield node.rule, program.rules[node.rule].span
        if isinstance(node, c.Loop) and node.order.ties == "open":
            yield "", node.span


def _read_by_exchange(program: c.Program) -> frozenset[str]:
    """What the exchange reads, including what earlier steps of the deal read that set it."""
    reads, before = _reads(program.hand, frozenset()), None
    while reads != before:
        reads, before = _reads(program.hand, reads), reads
    return reads


def _reads(steps: tuple[c.Stmt, ...], known: frozenset[str], final: bool = True) -> frozenset[str]:
    """What the exchange reads, including what is read by earlier steps that set it."""
    reads = known
    for step, last in _until_exchanged(steps, final):
        if _exchanges(step):
            reads |= usage_of(_hollow(step)).reads
            for body in _bodies(step):
                reads |= _reads(body, reads, last)
        elif usage_of(step).assigns & reads:
            reads |= usage_of(step).reads
    return reads


def _until_exchanged(steps: tuple[c.Stmt, ...], final: bool) -> Iterator[tuple[c.Stmt, bool]]:
    """Steps, each with whether nothing is exchanged after it; if `final`, steps after the last exchange are omitted."""
    last = max((i for i, step in enumerate(steps) if _exchanges(step)), default=-1)
    for i, step in enumerate(steps):
        if not final or i <= last:
            yield step, final and i == last and not isinstance(step, c.Loop | c.Until)


def _bodies(step: c.Stmt) -> list[tuple[c.Stmt, ...]]:
    return [getattr(step, name) for name in _BODIES if hasattr(step, name)]


def _exchanges(step: c.Stmt) -> bool:
    return bool(usage_of(step).labels & LABELS)


def _nodes(steps: tuple[c.Stmt, ...], reads: frozenset[str], final: bool = True) -> Iterator[Node]:
    """Every node that the exchange depends on: its own steps, and earlier ones that set what it reads."""
    for step, last in _until_exchanged(steps, final):
        if not _exchanges(step):
            if usage_of(step).assigns & reads:
                yield from walk(step)
        elif not (isinstance(step, c.InRule) and step.rule == ANSWER):
            yield from walk(_hollow(step))
            for body in _bodies(step):
                yield from _nodes(body, reads, last)


_BODIES = ("body", "then", "otherwise")


def _hollow(step: c.Stmt) -> Node:
    """A step without its nested steps."""
    empty: dict[str, Any] = {name: () for name in _BODIES if hasattr(step, name)}
    return replace(step, **empty)


def _ways(program: c.Program, opened: tuple[tuple[str, Span], ...]) -> Iterator[Way]:
    """The standard way, then each alternative reading, then each tie broken the other way."""
    yield Way("the order as written", program, {})
    for rule, span in opened:
        if rule:
            for i, name in enumerate(program.readings[rule]):
                if i:
                    yield Way(f"`{rule}: {name}`", program, {rule: i})
        else:
            yield Way("the reverse order of tied players", _reversed(program, span), {})


def _reversed(program: c.Program, span: Span) -> c.Program:
    """The program with the ties at one place broken the other way."""

    def turned(body: tuple[c.Stmt, ...]) -> tuple[c.Stmt, ...]:
        return tuple(_turned(step, span) for step in body)

    return replace(
        program, setup=turned(program.setup), hand=turned(program.hand), between=turned(program.between)
    )


def _turned(node: Node, span: Span) -> Node:
    changed: dict[str, Any] = {
        name: tuple(_turned(part, span) for part in getattr(node, name))
        for name in _BODIES
        if hasattr(node, name)
    }
    if isinstance(node, c.Loop) and node.span == span:
        order = node.order
        if order.start is None:
            changed["order"] = _last_first(node)
        else:
            last = c.Seat(order.start, -1 if order.clockwise else 1, c.PLAYER, node.span)
            changed["order"] = replace(order, start=last, clockwise=not order.clockwise)
    return replace(node, **changed) if changed else node


def _last_first(loop: c.Loop) -> c.Order:
    """The order with elements that tie in every key taken highest first."""
    element = c.Local(loop.order.keys[0][1] if loop.order.keys else loop.binder, c.INTEGER, loop.span)
    key = (True, element.name, element)
    return replace(loop.order, keys=(*loop.order.keys, key))


# ---------------------------------------------------------------------------------------------------- play


def _begun(way: Way, begin: Mapping[Key, Value], seed: int) -> HandPlayed:
    return first_hand(way.program, Chance(seed), way.program.defaults, way.readings, begin)


def _exchange(hand: HandPlayed, seed: int) -> HandPlayed:
    """A deal up to its first card, with every player giving as many cards as allowed, by fixed preferences."""
    liking = list(range(len(hand.begin.program.deck.cards)))
    Random(seed).shuffle(liking)
    while (decision := hand.state.decision) is not None and decision.label != "play":
        hand = hand.choose(_liked(decision, liking))
    return hand


def _liked(decision: Decision, liking: list[int]) -> Value:
    if decision.type != c.CARDS:
        value: Value = decision.legal[0]
        return value
    return frozenset(islice((card for card in liking if card in decision.legal), decision.high))


def _parting(first: HandPlayed, second: HandPlayed, ways: tuple[Way, Way]) -> Parting | None:
    a, b = first.state, second.state
    if a.fault is not None or b.fault is not None:
        return None
    if _amounts(first) != _amounts(second):
        return Parting("amounts", first, second, ways)
    if held(a) != held(b):
        return Parting("order", first, second, ways)
    return None


def _confirmed(parting: Parting, match: Sequence[HandPlayed], seed: int) -> Parting | None:
    """The same divergence in the deal after a match, with the reference playing both ways from the start; None if there is none."""
    hands: list[HandPlayed] = []
    for way in parting.ways:
        terms = way.program.defaults, way.readings
        before = played_again(way.program, terms, match, REFERENCE) if match else None
        if match and before is None:
            return None
        hand = (
            first_hand(way.program, Chance(seed), *terms, engine=REFERENCE)
            if before is None
            else before.then(Chance(seed))
        )
        if len(hand.earlier) < len(match):
            return None
        hands.append(_exchange(hand, seed))
    again = _parting(hands[0], hands[1], parting.ways)
    return again if again is not None and again.matter == parting.matter else None


def _amounts(hand: HandPlayed) -> dict[tuple[int, int | None], tuple[int, int]]:
    """For each giver and receiver, the least and greatest number of cards."""
    return {(d.player, d.to): (d.low, d.high) for d, _ in hand.choices if d.label == "give"}


def held(state: State) -> list[frozenset[int]]:
    """The hand of every player."""
    return [frozenset(state.cards("hand", p)) for p in range(state.program.players)]
