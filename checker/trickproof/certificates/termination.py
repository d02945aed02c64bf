"""Claims that every match ends: deals that follow one another are composed here from the steps of single deals.

A certificate names a number that grows and its bound, or how many deals a match has at most, or the few states
in which deals can begin. What has to be shown of these is built here, for every dealer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from trickproof.certificates.certificate import MalformedError, Node
from trickproof.certificates.matches import Step, at_start, equals, followed, name_of, over_at_start
from trickproof.certificates.questions import Questions, any_of, both, negation
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Value, initial_values

LONGEST = 12
"""Maximum number of deals that are composed."""

LARGEST = 10**30
"""Largest absolute value of a number that is named."""

MOST_STATES = 100
"""Maximum number of states that are listed."""

RULES = ("rank", "unroll", "states")
"""The rules of the nodes that show that matches end, under one choice of parameters and readings."""

Leaf = Callable[[Node, bool | None, str], None]
"""Records what a query about a node has shown, with what is wrong if it has not."""


@dataclass(frozen=True, slots=True)
class Course:
    """Consecutive deals: facts about them, the carried values before each and after the last, and that each does not end the match."""

    facts: Sequence[str]
    states: Sequence[Mapping[str, str]]
    goes_on: Sequence[str]


@dataclass(frozen=True, slots=True)
class Termination:
    """Verifies that matches end under one choice of parameters and readings, of which `steps` has one step for every dealer."""

    program: c.Program
    questions: Questions
    steps: Sequence[Step]
    leaf: Leaf

    def verify(self, node: Node) -> None:
        """Verify one node. Raises MalformedError."""
        {"rank": self._rank, "unroll": self._unroll, "states": self._states}[node.rule](node)

    @property
    def _keys(self) -> list[str]:
        """The carried values that every step names."""
        named = [set(step.begin) & set(step.following) for step in self.steps]
        named.append({name_of(key) for key in initial_values(self.program)})
        keys = sorted(key for key in set.intersection(*named) if self._info(key).carried)
        if "dealer" not in keys and any(step.dealer is not None for step in self.steps):
            raise MalformedError(self.steps[0].node.line, "a step does not say who deals")
        return keys

    def _info(self, key: str) -> c.VariableInfo:
        return self.program.variables[key.partition(".")[0]]

    def course(self, deals: int, dealer: int | None = None) -> Course:
        """Deals from arbitrary carried values; the first by one dealer, if there are dealers."""
        states = [self._constants(f"before deal {number}") for number in range(deals + 1)]
        facts, goes_on = list[str](), list[str]()
        if dealer is not None:
            facts.append(f"(= {states[0]['dealer']} {dealer})")
        possible: Sequence[Step] = [step for step in self.steps if step.dealer == dealer]
        for number in range(deals):
            stops = []
            for step in possible:
                tag = f"in deal {number} by {step.dealer}"
                here = f"(= {states[number]['dealer']} {step.dealer})" if len(possible) > 1 else "true"
                known = [self.questions.copied(fact, tag) for fact in step.facts]
                for values, state in ((step.begin, states[number]), (step.following, states[number + 1])):
                    known += [f"(= {state[key]} {self.questions.copied(values[key], tag)})" for key in state]
                facts += [any_of([negation(here), fact]) for fact in known]
                over = any_of([step.ended, step.broken, step.interrupted])
                stops.append(both(here, self.questions.copied(over, tag)))
            goes_on.append(negation(any_of(stops)))
            possible = self._next(possible)
        return Course(facts, states, goes_on)

    def _next(self, steps: Sequence[Step]) -> Sequence[Step]:
        """The steps that can follow some steps: if each says who deals next, those by these dealers."""
        dealers = {step.following.get("dealer", "") for step in steps}
        if not all(dealer.isdecimal() for dealer in dealers):
            return self.steps
        return [step for step in self.steps if str(step.dealer) in dealers] or self.steps

    def _constants(self, when: str) -> dict[str, str]:
        sorts = {key: "Bool" if self._info(key).type == c.BOOLEAN else "Int" for key in self._keys}
        return {key: self.questions.constant(f"{key} {when}", sort) for key, sort in sorts.items()}

    def _start(self, node: Node) -> Mapping[str, Value]:
        """The carried values with which the first deal of a match begins, according to the reference."""
        state = at_start(self.program, self.steps[0])
        if state is None:
            raise MalformedError(node.line, "the reference does not begin every match with the same values")
        return {name_of(key): value for key, value in state.variables.items()}

    # ------------------------------------------------------------------------------------------------------ rank

    def _rank(self, node: Node) -> None:
        """A number grows in every round of deals, and is bounded until the match is over."""
        of, keys = node.parts, node.parts.get("sum")
        numbers = [of.get(name) for name in ("grows", "rounds", "bound")]
        integers = [key for key in self._keys if self._info(key).type == c.INTEGER]
        if not isinstance(keys, list) or not keys or len(set(map(str, keys))) < len(keys):
            raise MalformedError(node.line, "the number is not a sum of carried values")
        if not {str(key) for key in keys} <= set(integers):
            raise MalformedError(node.line, "the number is not a sum of carried values")
        grows, rounds, bound = (number if type(number) is int else 0 for number in numbers)
        named = all(type(number) is int and abs(number) <= LARGEST for number in numbers)
        if not named or grows < 1 or not 0 < rounds <= LONGEST:
            raise MalformedError(
                node.line, "it is not said by how much the number grows, and up to what bound"
            )
        falls, kept = of.get("falls") is True, of.get("kept") is True

        def number(state: Mapping[str, str]) -> str:
            total = f"(+ 0 0 {' '.join(state[key] for key in keys)})"
            return f"(- {total})" if falls else total

        def most(state: Mapping[str, str]) -> str:
            return f"(<= {number(state)} {_number(bound)})"

        for step in self.steps:
            course = self.course(rounds, step.dealer)
            facts = [*course.facts, *course.goes_on]
            first, *middle = course.states
            self.leaf(node, self.questions.possible(facts), "deals that do not end the match are impossible")
            slower = f"(< (- {number(middle[-1])} {number(first)}) {grows})"
            self.leaf(node, self.questions.impossible(facts, [slower]), "the number need not grow")
            beyond = any_of([negation(most(state)) for state in middle])
            passing = both(most(first), beyond) if kept else beyond
            self.leaf(node, self.questions.impossible(facts, [passing]), "the number can pass its bound")
        if kept:
            start = self._start(node)
            begun = sum(_integer(start[key]) for key in keys)
            self.leaf(node, (-begun if falls else begun) <= bound, "the number begins beyond its bound")

    # ---------------------------------------------------------------------------------------------------- unroll

    def _unroll(self, node: Node) -> None:
        """No match from the start goes on after some number of deals."""
        deals = node.parts.get("deals")
        if type(deals) is not int or not 0 <= deals <= LONGEST:
            raise MalformedError(node.line, f"a match has from 0 to {LONGEST} deals")
        if deals == 0:
            self.leaf(node, over_at_start(self.program, self.steps[0]), "a match can begin with a deal")
            return
        start = self._start(node)
        dealer = start["dealer"] if self.steps[0].dealer is not None else None
        if not any(step.dealer == dealer for step in self.steps):
            raise MalformedError(node.line, "nobody deals first")
        course = self.course(deals, dealer if isinstance(dealer, int) else None)
        begun = [equals(term, start[key]) for key, term in course.states[0].items()]
        facts = [*course.facts, *begun, *course.goes_on[:-1]]
        self.leaf(node, self.questions.possible(facts), "no match has so many deals")
        longer = self.questions.impossible([*facts, course.goes_on[-1]])
        self.leaf(node, longer, "a match can go on after its last deal")

    # ---------------------------------------------------------------------------------------------------- states

    def _states(self, node: Node) -> None:
        """All states in which a deal can begin are listed, each before those in which the next can."""
        keys, states, following = (node.parts.get(name) for name in ("keys", "states", "following"))
        if (
            not isinstance(keys, list)
            or not isinstance(states, list)
            or not isinstance(following, list)
            or not 0 < len(states) == len(following) <= MOST_STATES
            or not all(isinstance(state, list) and len(state) == len(keys) for state in states)
            or not all(
                x is None or (isinstance(x, int) and abs(x) <= LARGEST) for state in states for x in state
            )
            or not all(isinstance(numbers, list) for numbers in following)
        ):
            raise MalformedError(node.line, "there is no list of states and of those that follow")
        dealers = {"dealer"} if self.steps[0].dealer is not None else set()
        if not dealers <= {str(key) for key in keys} <= set(self._keys):
            raise MalformedError(node.line, "a state consists of carried values, with the dealer")
        start = self._start(node)
        if states[0] != [start[key] for key in keys]:
            raise MalformedError(node.line, "the first state is not that in which a match starts")
        for number, state in enumerate(states):
            later = following[number]
            if not all(type(other) is int and number < other < len(states) for other in later):
                raise MalformedError(node.line, "a state is followed by one that is not listed after it")
            self._state(node, [str(key) for key in keys], state, [states[other] for other in later])

    def _state(
        self, node: Node, keys: Sequence[str], state: Sequence[Value], later: Sequence[Sequence[Value]]
    ) -> None:
        """Verify that a deal in a state ends the match or leads to one of the later states."""
        for step in self.steps:
            if step.dealer is not None and state[keys.index("dealer")] != step.dealer:
                continue
            begun = [_are(step.begin, keys, state)]
            self.leaf(node, self.questions.possible([*step.facts, *begun]), "a deal in a state is impossible")
            others = [negation(_are(step.following, keys, other)) for other in later]
            facts = [*step.facts, *begun, followed(step), *others]
            self.leaf(node, self.questions.impossible(facts), "a state that is not listed can follow")
            return
        raise MalformedError(node.line, "a state has no dealer")


def _are(values: Mapping[str, str], keys: Sequence[str], state: Sequence[Value]) -> str:
    """That values are those of a state."""
    return both(*(equals(values[key], x) for key, x in zip(keys, state, strict=True)))


def _number(number: int) -> str:
    return str(number) if number >= 0 else f"(- {-number})"


def _integer(value: Value) -> int:
    return value if isinstance(value, int) else 0
