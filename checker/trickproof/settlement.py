"""The part of a hand after the play, for all divisions of the tricks at once: scoring, end of the match, next dealer.

What the play can do to this part is only: how many tricks each player takes (any numbers that sum to the tricks of a
hand, which rests on `trick-total` and `hand-size`), and the values of variables that are set before or during the play
(unknown, but for targets).  `Settlement.match` unrolls hands from the start of a match; `Settlement.anywhere` is one
hand with unknown carried values.  Both raise `NotEncodedError` and `GapError` (`encode.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count

import z3

from trickproof import symbols as y
from trickproof.encode import NotEncodedError
from trickproof.encode_steps import Stepper
from trickproof.hand_facts import HandFacts, Varies, hands_of
from trickproof.subject import Subject, seat
from trickproof.symbols import Bool, Int, Members, Symbol
from trickproof.usage import usage_of
from trickproof.witness import first_hand
from trickproof_dsl import core as c
from trickproof_dsl.core.walk import walk
from trickproof_dsl.evaluate import Key, Value
from trickproof_dsl.state import Chance, initial, owner_keys, size_of

SUMS = ("over", "score", "payout")
"""Variables that are meant to sum to zero where a game counts deviations."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand settled: `facts` hold of its unknowns; `broken` says when the rules break down in it.

    `interrupted` says when they break down before it, between two hands.
    """

    begin: Mapping[Key, Symbol]
    tricks: tuple[Int, ...]
    after: Mapping[Key, Symbol]
    ended: Bool
    winners: Members
    broken: Bool
    facts: tuple[Bool, ...]
    interrupted: Bool = False

    def total(self, name: str) -> Int:
        """The sum of a variable over its owners, after the hand."""
        return y.total(value for key, value in self.after.items() if key[0] == name)


class Settlement:
    """The settlement of a ruleset under given parameters and readings."""

    def __init__(self, subject: Subject, parameters: Mapping[str, int], readings: Mapping[str, int]) -> None:
        self.subject, self.program = subject, subject.program
        self.parameters, self.readings = dict(parameters), dict(readings)
        self.before, self.after = split(self.program)
        self.hands = _facts(subject, self.parameters, self.readings)

    def match(self) -> Iterator[Hand]:
        """The hands of a match, one after another, each going on from the last."""
        begun = first_hand(self.program, Chance(), self.parameters, self.readings, {}).begin
        if begun.fault is not None:
            raise NotEncodedError(f"the match cannot start: {begun.fault.message}", begun.fault.span)
        variables = {key: _symbol(value) for key, value in begun.variables.items()}
        interrupted: Bool = False
        for number in count(1):
            hand = replace(self.hand(variables, f"hand{number}"), interrupted=interrupted)
            yield hand
            variables, interrupted = self.between(hand.after)

    def anywhere(self, dealer: int | None) -> Hand:
        """One hand with unknown carried values, dealt by `dealer`."""
        facts: list[Bool] = []
        variables = {key: _symbol(value) for key, value in initial(self.program).variables.items()}
        for info in self.program.variables.values():
            if info.carried:
                variables |= self._unknown(info, "carried", facts)
        if dealer is not None:
            variables[("dealer",)] = dealer
        return self.hand(variables, "hand", facts)

    @property
    def dealers(self) -> Sequence[int | None]:
        """Who can deal."""
        return range(self.program.players) if seat(self.program) else [None]

    def hand(self, begin: Mapping[Key, Symbol], tag: str, facts: Sequence[Bool] = ()) -> Hand:
        """One hand from the values it begins with."""
        known = list(facts)
        variables = dict(begin)
        for name in sorted(usage_of(self.before).assigns):
            variables |= self._unknown(self.program.variables[name], tag, known)
        size, targets = self._sizes(begin)
        tricks = tuple(z3.Int(f"{tag}.tricks.{p}") for p in range(self.program.players))
        known += [trick >= 0 for trick in tricks]
        known.append(z3.Sum(*tricks) == size)
        for p, trick in enumerate(tricks):
            variables[("tricks", p)] = trick
            if "target" in self.subject.usage.assigns:
                variables[("target", p)] = targets[p]
        variables[("hand-size",)] = size
        steps = Stepper(self.program, variables, self.parameters, self.readings)
        steps.run(self.after)
        broken = y.disj(*(when for when, _ in steps.faults))
        return Hand(begin, tricks, steps.variables, steps.ended, steps.winners, broken, tuple(known))

    def between(self, after: Mapping[Key, Symbol]) -> tuple[dict[Key, Symbol], Bool]:
        """What the next hand begins with, and when the rules break down before it."""
        fresh = {
            key: _symbol(value)
            for key, value in initial(self.program).variables.items()
            if not self.program.variables[key[0]].carried
        }
        steps = Stepper(self.program, {**after, **fresh}, self.parameters, self.readings)
        steps.run(self.program.between)
        return steps.variables, y.disj(*(when for when, _ in steps.faults))

    def _sizes(self, begin: Mapping[Key, Symbol]) -> tuple[Int, list[Int]]:
        """Tricks of the hand and targets, by who deals."""
        dealer = begin.get(("dealer",)) if seat(self.program) else None
        size: Int = None
        targets: list[Int] = []
        for who, when in y.cases(dealer).of:
            if who not in self.hands:
                continue
            facts = self.hands[who]
            size = facts.size if size is None else y.choose(when, facts.size, size)
            fresh = facts.targets
            targets = [y.choose(when, new, old) for new, old in zip(fresh, targets or fresh, strict=True)]
        return size, targets

    def _unknown(self, info: c.VariableInfo, tag: str, facts: list[Bool]) -> dict[Key, Symbol]:
        made: dict[Key, Symbol] = {}
        for owners in owner_keys(self.program, info.of):
            name = ".".join((tag, info.name, *map(str, owners)))
            made[(info.name, *owners)] = _any(self.program, info.type, name, facts)
        return made


def split(program: c.Program) -> tuple[tuple[c.Stmt, ...], tuple[c.Stmt, ...]]:
    """A hand's steps up to and including the play, and those after it."""
    body = program.hand
    while len(body) == 1 and isinstance(body[0], c.InRule) and body[0].rule != "play":
        body = body[0].body
    places = [i for i, step in enumerate(body) if isinstance(step, c.InRule) and step.rule == "play"]
    if not places:
        span = body[0].span if body else program.rules["hand"].span
        raise NotEncodedError("the hand has no step `do play`", span)
    before, after = body[: places[-1] + 1], body[places[-1] + 1 :]
    for node in walk(before):
        if isinstance(node, c.EndMatch):
            raise NotEncodedError("the match can end before the play is over", node.span)
    tricks = program.variables.get("tricks")
    if tricks is None or tricks.of != (c.PLAYER,) or tricks.type != c.INTEGER:
        raise NotEncodedError("`tricks` is not one number for each player", body[places[-1]].span)
    return before, after


@lru_cache(maxsize=2)
def settlements(subject: Subject) -> tuple[Settlement, ...]:
    """One for every choice of parameters and of the readings that matter."""
    return tuple(
        Settlement(subject, parameters, readings)
        for parameters in subject.parameters()
        for readings in subject.readings(settled_readings(subject))
    )


def settled_readings(subject: Subject) -> frozenset[str]:
    """Rules whose readings can matter after the play, or for the targets."""
    program = subject.program
    _, after = split(program)
    early = [n for n in walk(program.hand) if isinstance(n, c.InRule) and n.rule in ("targets", "deal")]
    return usage_of(after, program.between, program.setup, *early).readings


def _facts(
    subject: Subject, parameters: Mapping[str, int], readings: Mapping[str, int]
) -> dict[int | None, HandFacts]:
    hands = hands_of(subject)
    if isinstance(hands, Varies):
        raise NotEncodedError(hands.reason, subject.program.rules["hand"].span)
    return {
        facts.dealer: facts
        for facts in hands
        if facts.parameters == parameters and all(readings.get(k, 0) == v for k, v in facts.readings.items())
    }


def _symbol(value: Value) -> Symbol:
    return Members(tuple((x, True) for x in sorted(value))) if isinstance(value, frozenset) else value


def _any(program: c.Program, kind: c.Type, name: str, facts: list[Bool]) -> Symbol:
    """A value of a type that nothing is known about."""
    if kind.kind == "integer":
        return z3.Int(name)
    if kind.kind == "boolean":
        return z3.Bool(name)
    if kind.kind == "card" or kind.kind in c.SETS:
        return y.OPAQUE
    index, size = z3.Int(name), size_of(program, kind)
    facts += [index >= -1, index < size]
    return y.Cases((*((i, index == i) for i in range(size)), (None, index == -1)))
