"""The reachable state space of a program with few cards, as a graph whose nodes are states before a deal.

Chance and players choose (`nature`). States that agree in everything live (`live_names`) are merged, within a
deal and between deals. Violations are recorded with the choices that lead to them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping
from functools import cached_property

from adversarial import live_names
from adversarial.graph import (
    BeyondError,
    Budget,
    Claims,
    Course,
    Graph,
    Looks,
    Node,
    Outcomes,
    Violation,
    cut_short,
)
from adversarial.nature import DEALT, RANDOM, as_fault_of_deal, choices, reset, with_nature
from adversarial.rotation import dealt_by_first, seats_alike
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine
from trickproof_dsl.compiled.blocks import Block
from trickproof_dsl.compiled.memory import Memory
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.values import DECK, Value

LEAST_DEPTH = 3
"""Minimum number of deals explored."""

MOST_DEPTH = 40
"""Maximum number of deals explored."""

EXCHANGE = ("give", "return")

AT_END = ("tricks", "hand-size", "over", "score", "payout", "target")
"""Variables that claims about a complete deal read."""

AT_PLAY = ("hand-size", "target")
"""Variables that claims about the start of play read."""


class Explorer:
    """Explores one program under one choice of parameters and readings."""

    def __init__(
        self,
        program: c.Program,
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
        claims: Claims,
        budget: Budget,
        merging: bool = True,
        rotating: bool = True,
    ) -> None:
        self.original, self.program = program, with_nature(program)
        self.parameters, self.readings, self.claims, self.budget = parameters, readings, claims, budget
        self.graph = Graph()
        self._merging, self._rotates = merging, rotating and merging and seats_alike(program)
        self._memo: dict[Hashable, Outcomes] = {}
        self._keys: dict[tuple[str, bool], tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {}
        self._trail: list[Value] = []
        self._node: Hashable = None
        self._new: list[Hashable] = []
        self._alike: dict[Hashable, Hashable] = {}
        used = {x.label for x in walk(program.hand) if isinstance(x, c.ChooseCards | c.Move)}
        self._exchanges = bool(used & set(EXCHANGE))

    # ------------------------------------------------------------------------------------- matches

    def explore(self, depth: int = MOST_DEPTH) -> Graph:
        """Explore all matches, at least `depth` deals deep if there is no end to them.

        Raises BeyondError if the budget does not suffice for that.
        """
        graph, steps = self.graph, self.budget.steps
        self._begin(machine.begin(self.program, None, self.parameters, self.readings))
        waiting = deque(graph.nodes)
        while waiting:
            node = graph.nodes[waiting[0]]
            if node.deals >= depth:
                break
            try:
                self._expand(waiting[0], node, waiting)
            except BeyondError:
                graph.depth = node.deals
                if graph.depth < LEAST_DEPTH:
                    raise
                break
            waiting.popleft()
        graph.whole = not waiting
        if waiting:
            graph.depth = graph.nodes[waiting[0]].deals
        graph.steps = steps - self.budget.steps
        return graph

    def _begin(self, state: State) -> None:
        """All states before the first deal, whatever cards are drawn before it."""
        if state.decision is not None:
            for choice in choices(state, state.decision):
                self.budget.step()
                self._trail.append(choice)
                self._begin(machine.apply(state, choice))
                self._trail.pop()
        elif state.fault is not None:
            self._broken(state, 0)
            self.graph.broken_at_start = True
        elif state.match_over:
            self._looks(self.claims.match_ends, state, Course(), 0)
            self.graph.ended_at_start = True
        else:
            self.graph.nodes.setdefault(self.key_before(state), Node(state, 0, None, tuple(self._trail)))

    def _expand(self, key: Hashable, node: Node, waiting: deque[Hashable]) -> None:
        self.budget.state()
        self._node, self._trail = key, []
        state = machine.run(node.state, self.program.hand)
        self._new = []
        outcomes = self._after(state, Course(), node.deals + 1)
        node.nexts, node.ends, node.breaks, node.expanded = (
            outcomes.nexts,
            outcomes.ends,
            outcomes.breaks,
            True,
        )
        waiting.extend(self._new)

    # ---------------------------------------------------------------------------------------- deals

    def _after(self, state: State, course: Course, deals: int) -> Outcomes:
        """All successors of a state within a deal."""
        decision = state.decision
        if decision is None:
            return self._complete(state, course, deals)
        if decision.label == "play" and not course.playing:
            self.graph.labels.add("play")
            self._looks(self.claims.play_starts, state, course, deals)
            course = Course(True, True)
        memory = state.memory()
        key = self.key(state, memory, decision, course)
        known = self._memo.get(key)
        if known is not None:
            return known
        if decision.label != DEALT:
            self._looks(self.claims.always, state, course, deals)
        nexts, ends, breaks = set[Hashable](), False, False
        for choice in choices(state, decision):
            self.budget.step()
            self._trail.append(choice)
            following = self.answered(state, decision, choice, course)
            after = self._after(following, onward(course, decision, choice), deals)
            self._trail.pop()
            nexts |= after.nexts
            ends, breaks = ends or after.ends, breaks or after.breaks
        outcomes = self._memo[key] = Outcomes(frozenset(nexts), ends, breaks)
        return outcomes

    def _complete(self, state: State, course: Course, deals: int) -> Outcomes:
        """The successors of a complete deal."""
        if state.fault is not None:
            self._broken(state, deals)
            return Outcomes(breaks=True)
        self._looks(self.claims.always, state, course, deals)
        if not cut_short(state):
            self._looks(self.claims.hand_ends, state, course, deals)
        if state.match_over:
            self._looks(self.claims.match_ends, state, course, deals)
            return Outcomes(ends=True)
        return self._between(machine.between_hands(state), course, deals)

    def _between(self, later: State, course: Course, deals: int) -> Outcomes:
        """The successors of a complete deal, whatever cards are drawn between deals."""
        if later.decision is not None:
            nexts, ends, breaks = set[Hashable](), False, False
            for choice in choices(later, later.decision):
                self.budget.step()
                self._trail.append(choice)
                after = self._between(machine.apply(later, choice), course, deals)
                self._trail.pop()
                nexts |= after.nexts
                ends, breaks = ends or after.ends, breaks or after.breaks
            return Outcomes(frozenset(nexts), ends, breaks)
        later = reset(self.original, later)
        if later.fault is not None:
            self._broken(later, deals)
            return Outcomes(breaks=True)
        self._looks(self.claims.carried_on, later, course, deals)
        if later.match_over:
            self._looks(self.claims.match_ends, later, course, deals)
            return Outcomes(ends=True)
        key = self.key_before(later)
        if self._rotates:
            if key not in self._alike:
                later = dealt_by_first(later)
                self._alike[key] = self.key_before(later)
            key = self._alike[key]
        if key not in self.graph.nodes:
            self.graph.nodes[key] = Node(later, deals, self._node, tuple(self._trail))
            self._new.append(key)
        return Outcomes(nexts=frozenset([key]))

    # ------------------------------------------------------------------------------------- violations

    def _looks(self, looks: Looks, state: State, course: Course, deals: int) -> None:
        for claim, wrong in looks(state, course):
            self._note(claim, wrong, deals)

    def _broken(self, state: State, deals: int) -> None:
        assert state.fault is not None
        fault = as_fault_of_deal(state.fault)
        self._note(self.claims.answers(fault), f"{fault.kind}: {fault.message}", deals)

    def _note(self, claim: str, wrong: str, deals: int) -> None:
        if claim not in self.graph.violations:
            self.graph.violations[claim] = Violation(wrong, deals, self._path())

    def _path(self) -> tuple[tuple[Value, ...], ...]:
        """The choices before the first deal, and of every deal."""
        path, key = [tuple(self._trail)], self._node
        while key is not None:
            node = self.graph.nodes[key]
            path.append(node.choices)
            key = node.before
        return tuple(reversed(path))

    # ------------------------------------------------------------------------------ merging of states

    @cached_property
    def _at_end(self) -> frozenset[str]:
        """What is live once a deal is complete."""
        own = frozenset(f"v:{name}" for name in AT_END) | self.claims.reads_at_end | self.claims.reads_always
        live = own | {"z:hand"}
        program = self.program
        while True:
            before = live_names.before((*program.between, *program.hand), live, live)
            before |= live_names.before(program.hand, live, live)
            if before <= live:
                return live
            live |= before

    @cached_property
    def _before_hand(self) -> frozenset[str]:
        carried = {f"v:{name}" for name, info in self.original.variables.items() if info.carried}
        live = live_names.before(self.program.hand, self._at_end, self._at_end)
        live |= self.claims.reads_at_play | {f"v:{name}" for name in AT_PLAY}
        return frozenset(name for name in live if name in carried or name.startswith("z:"))

    def key_before(self, state: State) -> Hashable:
        return self._values(state, state.memory(), self._slots(state, self._before_hand, False))

    def answered(self, state: State, decision: Decision, choice: Value, course: Course) -> State:
        """The state after a legal choice; events are kept while they are needed."""
        code = state.code
        assert code is not None
        memory, following = state.memory(), code.continuations[decision.binder]
        if course.playing or not self._exchanges:
            memory.events = []
        memory.bound[following.slot] = choice
        block: Block | Decision | None = following.block
        try:
            while callable(block):
                block = block(state.match, memory)
        except FaultError as broken:
            return State(state.match, memory, None, broken.fault)
        return State(state.match, memory, block, None, code if block else None)

    def key(self, state: State, memory: Memory, decision: Decision, course: Course) -> Hashable:
        binder = decision.binder
        slots = self._keys.get((binder, course.playing))
        if slots is None:
            live = live_names.before(state.to_come, self._at_end, self._at_end, binder)
            live |= self.claims.reads_always
            live -= {f"l:{binder}"}
            live |= {"z:hand", f"z:{DECK}"}
            if not course.playing:
                live |= self.claims.reads_at_play | {f"v:{name}" for name in AT_PLAY}
            slots = self._keys[binder, course.playing] = self._slots(state, live, True)
        events = () if course.playing or not self._exchanges else tuple(memory.events)
        asked = decision.player, decision.legal, decision.low, decision.high
        return binder, asked, course, self._values(state, memory, slots), tuple(memory.loops), events

    def _slots(
        self, state: State, live: frozenset[str], in_hand: bool
    ) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        slots = state.match.slots
        every = not self._merging
        variables = tuple(i for key, i in slots.variables.items() if every or f"v:{key[0]}" in live)
        zones = tuple(i for key, i in slots.zones.items() if every or f"z:{key[0]}" in live)
        names = state.code.names if in_hand and state.code is not None else {}
        bound = tuple(i for name, i in names.items() if every or f"l:{name}" in live)
        return variables, zones, bound

    def _values(
        self, state: State, memory: Memory, slots: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    ) -> Hashable:
        """The contents of some slots; zones are unordered, except for the unshuffled part of the deck."""
        own = state.match.slots
        deck, random = own.deck, own.variables[RANDOM,]
        open_order = memory.variables[random]
        assert isinstance(open_order, frozenset)
        zones = tuple(
            [
                tuple(sorted(memory.zones[i]))
                if i != deck
                else (
                    open_order & frozenset(memory.zones[i]),
                    tuple([x for x in memory.zones[i] if x not in open_order]),
                )
                for i in slots[1]
            ]
        )
        values = tuple([memory.variables[i] for i in slots[0] if i != random])
        return values, zones, tuple([memory.bound[i] for i in slots[2]])


def onward(course: Course, decision: Decision, choice: Value) -> Course:
    """The progress of a deal after a choice."""
    if course.playing or decision.label != "give" or not isinstance(choice, frozenset):
        return course
    return course if len(choice) == decision.high else Course(course.playing, False)


def explored(
    program: c.Program,
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
    claims: Claims,
    budget: Budget,
) -> Graph:
    """Explore all matches under one choice of parameters and readings."""
    try:
        return Explorer(program, parameters, readings, claims, budget).explore()
    except EngineLimitError as gave_up:
        raise BeyondError from gave_up
