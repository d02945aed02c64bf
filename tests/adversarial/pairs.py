"""Two rulesets explored side by side: whether anything visible differs, for all deals and choices.

Both are played simultaneously with the same deals and choices, as long as both ask for the same; pairs of
states that agree in everything live are merged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from adversarial.exploration import MOST_DEPTH, Explorer
from adversarial.graph import BeyondError, Budget, Course
from adversarial.nature import DEALT, RANDOM, as_fault_of_deal, choices, reset
from adversarial.truths import claims_of, parameter_classes, reading_choices
from trickproof_dsl.compiled import machine
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.decisions import Decision

SEEN = ("hand", "kitty", "discards", "trick")
"""Zones that players can see, at least in part."""

TOLD = ("tricks", "over", "score", "payout", "dealer")
"""Variables that are announced at the end of a deal."""


@dataclass(frozen=True, slots=True)
class Sided:
    """Whether two rulesets differ visibly, or at all; `whole` if the exploration is complete."""

    seen: str = ""
    anything: str = ""
    whole: bool = True


class _DiffersError(Exception):
    """A visible difference was found."""


class Pair:
    """Explores both simultaneously, under the same parameters and readings."""

    def __init__(
        self,
        one: Ruleset,
        other: Ruleset,
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
        budget: Budget,
    ) -> None:
        self.sides = tuple(
            Explorer(ruleset.program, parameters, readings, claims_of(ruleset), budget, rotating=False)
            for ruleset in (one, other)
        )
        self.parameters, self.readings, self.budget = parameters, readings, budget
        self.anything = ""
        self._common = [
            key
            for key in machine.initial(self.sides[0].program).variables
            if key[0] in self.sides[1].program.variables and key[0] != RANDOM
        ]
        self._visited: set[Hashable] = set()
        self._waiting: deque[tuple[State, State, int]] = deque()
        self._known: set[Hashable] = set()

    def differ(self) -> Sided:
        """What differs, in matches of any length that the budget allows."""
        first, second = (
            machine.begin(side.program, None, self.parameters, self.readings) for side in self.sides
        )
        try:
            if first.decision is not None or second.decision is not None:
                raise BeyondError  # something is drawn or chosen before the first deal
            self._between(first, second, 0)
            while self._waiting:
                one, other, deals = self._waiting.popleft()
                if deals >= MOST_DEPTH:
                    return Sided("", self.anything, False)
                self.budget.state()
                mine, theirs = (
                    machine.run(state, side.program.hand)
                    for state, side in zip((one, other), self.sides, strict=True)
                )
                self._after(mine, theirs, Course(), deals + 1)
        except _DiffersError as found:
            return Sided(str(found), str(found), True)
        except BeyondError:
            return Sided("", self.anything, False)
        return Sided("", self.anything, True)

    def _after(self, one: State, other: State, course: Course, deals: int) -> None:
        """All successors of two states within a deal."""
        first, second = one.decision, other.decision
        if DEALT in [x.label for x in (first, second) if x is not None]:
            self._dealt_alike(one, other, course, deals)
            return
        if first is None or second is None:
            self._complete(one, other, deals)
            return
        if _asked(first) != _asked(second):
            raise _DiffersError(
                f"after {deals} deals: {first.label} of {first.legal}, {second.label} of {second.legal}"
            )
        self._look(one, other, SEEN, deals)
        if first.label == "play":
            course = Course(True, True)
        key = tuple(
            side.key(state, state.memory(), decision, course)
            for side, state, decision in zip(self.sides, (one, other), (first, second), strict=True)
        )
        if key in self._visited:
            return
        self._visited.add(key)
        for choice in choices(one, first):
            self.budget.step()
            mine = self.sides[0].answered(one, first, choice, course)
            theirs = self.sides[1].answered(other, second, choice, course)
            self._after(mine, theirs, course, deals)

    def _dealt_alike(self, one: State, other: State, course: Course, deals: int) -> None:
        """Give both the same cards in every zone, in whatever order each deals them."""
        mine, theirs = (
            self._all_dealt(state, side, course) for state, side in zip((one, other), self.sides, strict=True)
        )
        if mine.keys() != theirs.keys():
            raise _DiffersError(f"after {deals} deals other cards are dealt")
        for lying, state in mine.items():
            self._after(state, theirs[lying], course, deals)

    def _all_dealt(self, state: State, side: Explorer, course: Course) -> dict[Hashable, State]:
        """The states after all immediate chance moves, by the location of the cards."""
        waiting, states = [state], dict[Hashable, State]()
        while waiting:
            state = waiting.pop()
            if state.decision is None or state.decision.label != DEALT:
                lying = frozenset((key, frozenset(cards)) for key, cards in state.zones.items() if cards)
                states[lying, state.fault is None] = state
                continue
            for choice in choices(state, state.decision):
                self.budget.step()
                waiting.append(side.answered(state, state.decision, choice, course))
        return states

    def _complete(self, one: State, other: State, deals: int) -> None:
        if (one.decision is None) != (other.decision is None):
            raise _DiffersError(f"after {deals} deals one asks for something, the other does not")
        kinds = [None if x.fault is None else as_fault_of_deal(x.fault).kind for x in (one, other)]
        ends = [(x.match_over, x.winners) for x in (one, other)]
        if (kinds[0] is None) != (kinds[1] is None) or ends[0] != ends[1]:
            raise _DiffersError(f"after {deals} deals: {_told(one)}, {_told(other)}")
        if kinds[0] is not None:
            return
        self._look(one, other, SEEN, deals)
        for name in TOLD:
            mine, theirs = ([v for k, v in x.variables.items() if k[0] == name] for x in (one, other))
            if mine != theirs:
                raise _DiffersError(f"after {deals} deals `{name}` is {mine}, {theirs}")
        self._weakly(one, other, deals)
        if not one.match_over:
            self._between(machine.between_hands(one), machine.between_hands(other), deals)

    def _between(self, one: State, other: State, deals: int) -> None:
        if one.decision is not None or other.decision is not None:
            raise BeyondError  # something is drawn between two deals
        one, other = (
            reset(side.original, state) for side, state in zip(self.sides, (one, other), strict=True)
        )
        if (one.fault is None) != (other.fault is None) or (one.match_over, one.winners) != (
            other.match_over,
            other.winners,
        ):
            raise _DiffersError(f"after {deals} deals, between hands: {_told(one)}, {_told(other)}")
        if one.fault is not None:
            return
        self._weakly(one, other, deals)
        if one.match_over:
            return
        if one.variable("dealer") != other.variable("dealer"):
            raise _DiffersError(f"after {deals} deals another deals")
        key = tuple(side.key_before(state) for side, state in zip(self.sides, (one, other), strict=True))
        if key not in self._known:
            self._known.add(key)
            self._waiting.append((one, other, deals))

    def _look(self, one: State, other: State, zones: tuple[str, ...], deals: int) -> None:
        for name in zones:
            mine, theirs = ([frozenset(v) for k, v in x.zones.items() if k[0] == name] for x in (one, other))
            if mine != theirs:
                raise _DiffersError(f"after {deals} deals other cards are in `{name}`")

    def _weakly(self, one: State, other: State, deals: int) -> None:
        if not self.anything:
            mine, theirs = one.variables, other.variables
            differing = [key[0] for key in self._common if mine[key] != theirs[key]]
            lying = [{key: frozenset(cards) for key, cards in x.zones.items() if cards} for x in (one, other)]
            if differing or lying[0] != lying[1]:
                self.anything = f"after {deals} deals {differing[:1] or 'zones'}"


def _asked(decision: Decision) -> tuple[object, ...]:
    return (
        decision.label.partition(".")[0],
        decision.player,
        decision.legal,
        decision.low,
        decision.high,
        decision.to,
    )


def _told(state: State) -> str:
    if state.fault is not None:
        return state.fault.kind
    return f"won by {sorted(state.winners)}" if state.match_over else "goes on"


def sided(one: Ruleset, other: Ruleset, budget: Budget) -> Sided:
    """Whether two rulesets with the same parameters and readings differ for some of their values."""
    results = []
    for readings in reading_choices(one.program):
        for parameters, _ in parameter_classes(one.program, other.program):
            result = Pair(one, other, parameters, readings, budget).differ()
            if result.seen:
                return result
            results.append(result)
    anything = next((result.anything for result in results if result.anything), "")
    return Sided("", anything, all(result.whole for result in results))
