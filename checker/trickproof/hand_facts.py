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
    """Why size or targets are not the same in every hand with one dealer, and where that stands."""

    reason: str
    span: Span


@lru_cache(maxsize=2)
def sizes_of(subject: Subject) -> list[HandFacts] | Varies:
    """The facts for every dealer, allowed parameter and reading, if at least the size of a hand is fixed by them."""
    program, matters = subject.program, size_slice(subject)
    varies = _varies(subject, matters, "how many cards are dealt")
    if varies is not None:
        return varies
    dealers = range(program.players) if seat(program) else [None]
    found: list[HandFacts] = []
    for parameters in subject.parameters():
        for readings in subject.readings(usage_of(*matters.nodes).readings):
            for dealer in dealers:
                facts = _facts(program, dealer, parameters, readings)
                if isinstance(facts, Varies):
                    return facts
                found.append(facts)
    return found


def hands_of(subject: Subject) -> list[HandFacts] | Varies:
    """As `sizes_of`, if the targets are fixed by the same."""
    matters = sliced(subject.program.hand, ["target", DEALT])
    looks = next((n for n in walk(*matters.nodes) if isinstance(n, CARDS)), None)
    if looks is not None:
        return Varies("the targets depend on cards", looks.span)
    used = usage_of(*matters.nodes).readings - usage_of(*size_slice(subject).nodes).readings
    if used:
        return Varies("the targets depend on readings", subject.program.rules["hand"].span)
    return _varies(subject, matters, "the targets") or sizes_of(subject)


def size_slice(subject: Subject) -> Slice:
    """What the number of cards dealt depends on."""
    return sliced(subject.program.hand, [DEALT])


def _varies(subject: Subject, matters: Slice, what: str) -> Varies | None:
    """Whether something depends on choices, or on what is carried (but for the dealer)."""
    if matters.choices:
        choice = matters.choices[0]
        return Varies(f"{what} depend{'' if what.endswith('s') else 's'} on what players choose", choice.span)
    variables = subject.program.variables
    for node in walk(*matters.nodes):
        if isinstance(node, c.Variable) and node.name != "dealer" and variables[node.name].carried:
            depend = "depend" if what.endswith("targets") else "depends"
            return Varies(f"{what} {depend} on `{node.name}`", node.span)
    return None


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
