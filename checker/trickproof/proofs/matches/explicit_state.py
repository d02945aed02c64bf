"""Every match of a game with few cards, played with all orders of the deck and all choices.

A match is a walk through the states in which its deals begin. Each such state is played once, and states within a
deal on which the rest of it depends alike are too. If the seats are alike, so are states that differ by a turn of the table.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations, product

from trickproof.analysis.card_locations import shuffles_first
from trickproof.checking.engines import COMPILED, State, run
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.checking.property import Moment
from trickproof.proofs import kernel
from trickproof.proofs.hands.initial_states import seen_from
from trickproof.testing.random_play import FALLBACK, Terms, moments_at_end
from trickproof.testing.subject import MOST_COMBINATIONS, Subject, seat
from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State as Compiled
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import SCORED
from trickproof_dsl.semantics.faults import EngineLimitError, Fault
from trickproof_dsl.semantics.values import DECK, Key, Value, uncarried

MOST_CARDS = 6
"""Maximum number of cards, since all their orders are dealt."""

STEPS = 100_000
"""Maximum number of choices and deals that are played."""

SEEDS = 40_000
"""Number of seeds among which one is looked for that shuffles as a deal was shuffled."""

Order = tuple[int, ...]


class _BeyondError(Exception):
    """There are too many matches, or something is left unspecified."""


class _ShuffledError(Exception):
    """A shuffle to which no order was given."""


class _Orders(dict[Key, Order]):
    """The orders of the deck after the next shuffles, as cards that are given; none is given for a place."""

    def __init__(self, orders: Sequence[Order]) -> None:
        super().__init__()
        self.orders = iter(orders)

    def get(self, key: Key, default: Order = ()) -> Order:  # type: ignore[override]
        """The next order, which a shuffle asks for."""
        if key != (DECK,):
            return default
        for order in self.orders:
            return order
        raise _ShuffledError


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal: the cards on top of the deck after each shuffle, and the choices made."""

    orders: tuple[Order, ...]
    choices: tuple[Value, ...] = ()


Course = tuple[Dealt, ...]
"""The deals of a match so far."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong first, and where; `course` leads there."""

    message: str
    course: Course
    span: Span | None = None


Begun = frozenset[Hashable]
"""The states in which a deal can begin after the same deals and choices: chance decides before it begins which it is."""


@dataclass(slots=True)
class Node:
    """A state in which a deal can begin, the deals before it, what the next can begin with, and whether it can end the match.

    The last deal of the `course` is the one that begins; it has the shuffles before it only.
    """

    begin: State
    course: Course
    nexts: frozenset[Begun] = frozenset()
    ends: bool = False


@dataclass
class Matches:
    """All matches under one choice of parameters and readings.

    `failed` says how checks fail first, `ending` has a match that ends; `labels` and `moments` occurred in some deal.
    """

    terms: Terms
    nodes: dict[Hashable, Node] = field(default_factory=dict)
    groups: dict[Begun, list[Node]] = field(default_factory=dict)
    """What deals can begin with; of each group the nodes as they were found first, with their own courses."""
    begun: set[Begun] = field(default_factory=set)
    over_at_start: bool = False
    ending: Course | None = None
    failed: dict[str, Failure] = field(default_factory=dict)
    labels: set[str] = field(default_factory=set)
    moments: set[Moment] = field(default_factory=set)
    faulty: bool = False
    cut_short: bool = False
    """Whether a deal that is not complete can be followed by another."""
    turned: bool = False
    """Whether a state stands for those that differ by a turn of the table."""

    @property
    def following(self) -> dict[Begun, frozenset[Begun]]:
        """What deals can begin with, each with what the next can."""
        none = frozenset[Begun]()
        return {group: none.union(*(self.nodes[key].nexts for key in group)) for group in self.groups}

    @property
    def ends(self) -> set[Begun]:
        """What deals begin with that can end the match."""
        return {group for group in self.groups if any(self.nodes[key].ends for key in group)}

    @property
    def longest(self) -> int | None:
        """The number of deals of the longest match; None if there is none."""
        following, level, deals = self.following, frozenset(self.begun), 0
        while level and deals <= len(following):
            level, deals = frozenset[Begun]().union(*(following[group] for group in level)), deals + 1
        return None if level else deals


@dataclass(frozen=True, slots=True)
class _Outcomes:
    """What a state within a deal leads to: states in which the next deal begins, an end of the match."""

    nexts: frozenset[Begun] = frozenset()
    ends: bool = False


def every_match(subject: Subject) -> list[Matches] | None:
    """All matches, under every choice of parameters and readings; None if they are too many."""
    return subject.once(every_match, lambda: _every_match(subject))


def _every_match(subject: Subject) -> list[Matches] | None:
    program = subject.program
    every = subject.parameters(), subject.readings(frozenset(program.readings))
    if len(program.deck.cards) > MOST_CARDS or MOST_COMBINATIONS in map(len, every):
        return None
    budget, found = [STEPS], list[Matches]()
    try:
        for parameters, readings in product(*every):
            player = _Player(subject, ({**parameters}, {**readings}), budget)
            player.play()
            found.append(player.found)
    except (_BeyondError, _ShuffledError, EngineLimitError):
        return None
    return found


class _Player:
    """Plays all matches under one choice of parameters and readings."""

    def __init__(self, subject: Subject, terms: Terms, budget: list[int]) -> None:
        self.subject, self.program, self.budget = subject, subject.program, budget
        self.found = Matches(terms)
        self.orders = list(permutations(range(len(self.program.deck.cards))))
        self.anew = shuffles_first(self.program.hand)
        self.ordered = any(isinstance(node, c.Deal) for node in walk(self.program.between))
        turns = self.anew and seat(self.program) and kernel.symmetry(self.program) is not None
        self.found.turned = bool(turns)
        self.known: dict[Hashable, _Outcomes] = {}
        self.waiting = deque[Hashable]()
        self.course: Course = ()

    def play(self) -> None:
        program, begins = self.program, list[Node]()
        for state, orders in self._shuffled(
            lambda chance: run(COMPILED(program, chance, *self.found.terms), program.setup)
        ):
            self.course, begun = (), HandPlayed(state, state)
            if state.fault is not None:
                self._broken(begun, state.fault, orders)
            elif state.match_over:
                self.found.over_at_start = True
                self._look(begun, moments_at_end(state), orders)
            else:
                begins.append(Node(state, (Dealt(orders),)))
        self.found.begun |= self._grouped(begins)
        while self.waiting:
            self._deal(self.found.nodes[self.waiting.popleft()])

    def _deal(self, node: Node) -> None:
        """Play all deals that begin in a state."""
        self.course, before = node.course[:-1], node.course[-1].orders
        for state, orders in self._shuffled(
            lambda chance: run(node.begin.but(chance=chance), self.program.hand), whole=True
        ):
            after = self._visit(HandPlayed(node.begin, state), (*before, *orders), False)
            node.nexts |= after.nexts
            node.ends = node.ends or after.ends

    def _step(self) -> None:
        self.budget[0] -= 1
        if self.budget[0] < 0:
            raise _BeyondError

    def _shuffled(
        self, go: Callable[[Chance], State], whole: bool = False
    ) -> Iterator[tuple[State, tuple[Order, ...]]]:
        """What steps lead to, for all orders that shuffles can give the deck, with these orders.

        Unless `whole`, only the cards that are then dealt from its top are given, if the next deal gathers all.
        """
        waiting: list[tuple[Order, ...]] = [()]
        while waiting:
            orders = waiting.pop()
            self._step()
            try:
                state = go(Chance(given=_Orders(orders)))
            except _ShuffledError:
                waiting += ((*orders, order) for order in self.orders)
                continue
            if len(orders) == 1 and self.anew and not whole:
                orders = (orders[0][: len(orders[0]) - len(state.cards(DECK))],)
            yield state, orders

    def _grouped(self, nodes: list[Node]) -> frozenset[Begun]:
        """The group of the states in which a deal can begin; no group if there are none."""
        group = frozenset([self._node(node.begin, node.course) for node in nodes])
        if nodes:
            self.found.groups.setdefault(group, nodes)
        return frozenset([group] if nodes else [])

    def _node(self, begun: State, course: Course) -> Hashable:
        if begun.decision is not None:
            raise _BeyondError
        variables = begun.variables
        if self.found.turned:
            dealer = variables["dealer",]
            variables = seen_from(self.program, variables, -dealer if isinstance(dealer, int) else 0)
        zones = () if self.anew else _places(begun.zones)
        key = tuple(sorted(variables.items())), zones
        if key not in self.found.nodes:
            self.found.nodes[key] = Node(begun, course)
            self.waiting.append(key)
        return key

    def _visit(self, hand: HandPlayed, orders: tuple[Order, ...], playing: bool) -> _Outcomes:
        """Everything that a state within a deal leads to."""
        state, decision = hand.state, hand.state.decision
        self._step()
        if state.fault is not None:
            self._broken(hand, state.fault, orders)
            return _Outcomes()
        if decision is None:
            return self._complete(hand, orders)
        starts = decision.label == "play" and not playing
        playing = playing or starts
        if starts:
            self._look(hand, ["play-starts"], orders)
        key = self._key(hand, decision, playing)
        if key in self.known:
            return self.known[key]
        self.found.labels.add(decision.label)
        self._look(hand, ["always"], orders)
        nexts, ends = set[Begun](), False
        for choice in _choices(decision):
            outcomes = self._visit(hand.choose(choice), orders, playing)
            nexts |= outcomes.nexts
            ends = ends or outcomes.ends
        known = self.known[key] = _Outcomes(frozenset(nexts), ends)
        return known

    def _key(self, hand: HandPlayed, decision: Decision, playing: bool) -> Hashable:
        """What the rest of a deal depends on, and what is said of it; before the play this includes what happened so far."""
        state = hand.state
        assert isinstance(state, Compiled)
        memory = state.memory()
        scored = tuple(event for event in memory.events if event.name == SCORED)
        past = scored if playing else (tuple(x for _, x in hand.choices), tuple(memory.events))
        prospect = state.prospect() if self.anew and not self.ordered else None
        if prospect is not None:
            return prospect, playing, past
        places = _places(state.zones), tuple(memory.variables), tuple(memory.bound), tuple(memory.loops)
        return decision, places, playing, past

    def _complete(self, hand: HandPlayed, orders: tuple[Order, ...]) -> _Outcomes:
        """What a complete deal leads to."""
        state = hand.state
        self.found.labels |= {event.name for event in state.events}
        moments = moments_at_end(state)
        self._look(hand, moments, orders)
        if state.match_over:
            return self._over(hand, orders)
        self.found.cut_short = self.found.cut_short or "hand-ends" not in moments
        begins, ends = list[Node](), False
        for after, more in self._shuffled(lambda chance: _between(state, chance)):
            dealt = replace(hand, state=after)
            if after.fault is not None:
                self._broken(dealt, after.fault, (*orders, *more))
            elif after.match_over:
                self._look(dealt, ["match-ends"], (*orders, *more))
                ends = self._over(dealt, (*orders, *more)).ends
            else:
                begins.append(Node(after, (*self._course(hand, (*orders, *more)), Dealt(()))))
        return _Outcomes(self._grouped(begins), ends)

    def _over(self, hand: HandPlayed, orders: tuple[Order, ...]) -> _Outcomes:
        self.found.ending = self.found.ending or self._course(hand, orders)
        return _Outcomes(ends=True)

    def _course(self, hand: HandPlayed, orders: tuple[Order, ...]) -> Course:
        return (*self.course, Dealt(orders, tuple(choice for _, choice in hand.choices)))

    def _look(self, hand: HandPlayed, moments: Sequence[Moment], orders: tuple[Order, ...]) -> None:
        self.found.moments.update(moments)
        for prop in self.subject.properties:
            for probe in prop.probes:
                if probe.moment in moments and prop.name not in self.found.failed:
                    message = probe.looks(hand)
                    if message:
                        self.found.failed[prop.name] = Failure(message, self._course(hand, orders))

    def _broken(self, hand: HandPlayed, fault: Fault, orders: tuple[Order, ...]) -> None:
        if fault.kind == "unspecified":
            raise _BeyondError
        self.found.faulty = True
        rules = self.subject.rules_at(fault.span)
        message = f"in `{rules[-1]}`: {fault.message}" if rules else fault.message
        failure = Failure(message, self._course(hand, orders), fault.span)
        names = (prop.name for prop in self.subject.properties if prop.breaks(fault, rules))
        self.found.failed.setdefault(next(names, FALLBACK), failure)


def _choices(decision: Decision) -> Iterator[Value]:
    if not decision.of_cards:
        yield from decision.legal
        return
    for number in range(decision.low, decision.high + 1):
        yield from map(frozenset, combinations(decision.legal, number))


def _places(zones: Mapping[Key, tuple[int, ...]]) -> Hashable:
    """Where the cards are; only the order of the deck matters."""
    return tuple(cards if key == (DECK,) else frozenset(cards) for key, cards in zones.items())


def _between(state: State, chance: Chance) -> State:
    """A match before its next deal, as `between_hands` has it, with the order of a shuffle in between."""
    assert isinstance(state, Compiled)
    ended = state.but(bound={}, events=(), chance=chance, again=False)
    after = ended if state.again else run(ended, state.program.between)
    return after if after.fault or after.match_over else after.but(variables=uncarried(state.program))


def replay(ruleset: Ruleset, terms: Terms, course: Course) -> HandPlayed | None:
    """A match dealt from seeds; None if no seeds are found that shuffle like this."""
    hand: HandPlayed | None = None
    for dealt in course:
        seed = _seed(dealt.orders, len(ruleset.program.deck.cards))
        if seed is None:
            return None
        hand = first_hand(ruleset.program, Chance(seed), *terms) if hand is None else hand.then(Chance(seed))
        for choice in dealt.choices:
            if hand.state.decision is None or not hand.state.decision.allows(choice):
                return None
            hand = hand.choose(choice)
    return hand


def _seed(orders: Sequence[Order], cards: int) -> int | None:
    def shuffles(seed: int) -> bool:
        orders_of = (Chance(seed, shuffles=i).shuffled(cards)[: len(order)] for i, order in enumerate(orders))
        return all(order == of for order, of in zip(orders, orders_of, strict=True))

    return next(filter(shuffles, range(SEEDS)), None)
