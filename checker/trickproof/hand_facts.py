"""Size and targets of a hand where they depend on nothing but who deals: found by running the rules for each seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from trickproof.playing import pick
from trickproof.subject import Subject, seat
from trickproof.usage import usage_of
from trickproof.witness import first_hand
from trickproof_dsl import core as c
from trickproof_dsl.core.walk import walk
from trickproof_dsl.interpret import Chance


@dataclass(frozen=True, slots=True)
class HandFacts:
    """For one dealer (None where there is none), parameters and readings."""

    dealer: int | None
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    size: int
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Varies:
    """Why size or targets are not the same in every hand with one dealer."""

    reason: str


@lru_cache(maxsize=2)
def hands_of(subject: Subject) -> list[HandFacts] | Varies:
    """The facts for every dealer, allowed parameter and reading."""
    program = subject.program
    within = [node for node in walk(program.hand) if _called(node, "targets") or _called(node, "deal")]
    used = usage_of(*within)
    foreign = sorted(used.reads - used.assigns - {"dealer"})
    if foreign or any(isinstance(n, c.ChooseCards | c.ChooseValue | c.ZoneCards) for n in walk(*within)):
        return Varies(
            f"the deal or the targets depend on `{foreign[0]}`" if foreign else "players choose them"
        )
    elsewhere = _assigned_outside(program, "targets")
    if "target" in elsewhere:
        return Varies("targets are set outside of the rule `targets`")
    dealers = range(program.players) if seat(program) else [None]
    found: list[HandFacts] = []
    for parameters in subject.parameters():
        for readings in subject.readings(used.readings):
            for dealer in dealers:
                facts = _facts(program, dealer, parameters, readings)
                if isinstance(facts, Varies):
                    return facts
                found.append(facts)
    return found


def _called(node: object, rule: str) -> bool:
    return isinstance(node, c.InRule) and node.rule == rule


def _assigned_outside(program: c.Program, rule: str) -> frozenset[str]:
    """Variables assigned in a hand, but not by this rule."""
    inside = [node for node in walk(program.hand) if _called(node, rule)]
    ours = [n for n in walk(*inside) if isinstance(n, c.Assign)]
    every = [n for n in walk(program.hand) if isinstance(n, c.Assign)]
    return frozenset(n.variable for n in every if not any(n is mine for mine in ours))


def _facts(
    program: c.Program, dealer: int | None, parameters: Mapping[str, int], readings: Mapping[str, int]
) -> HandFacts | Varies:
    variables = {} if dealer is None else {("dealer",): dealer}
    hand = first_hand(program, Chance(), parameters, readings, variables)
    while hand.state.decision is not None and hand.state.decision.label != "play":
        hand = hand.choose(pick(hand.state.decision, None))
    state = hand.state
    if state.fault is not None:
        return Varies(state.fault.message)
    if ("hand-size",) not in state.variables:
        return Varies("`hand-size` is not one number")
    targets = tuple(state.variables.get(("target", p), 0) for p in range(program.players))
    return HandFacts(dealer, parameters, readings, int(state.variable("hand-size")), targets)
