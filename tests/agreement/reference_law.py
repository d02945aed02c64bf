"""The law that the reference interpreter and the compiled form agree.

With the same chance and choices, both reach equal states at every decision, fault and end: variables, zones,
bound names, events, the pending decision, runtime faults, winners. Every fault is one that the core lists for
some node of the program. Once an engine reaches a limit, there is nothing more to compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from trickproof.testing.random_play import pick
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as compiled
from trickproof_dsl.core.faults import fault_sites
from trickproof_dsl.semantics import machine as reference
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError

HANDS = 2
"""Maximum number of deals per match that are compared."""

MOST = 400
"""Maximum number of decisions per deal that are compared."""

ASKED = (
    "label",
    "type",
    "single",
    "blind",
    "rule",
    "binder",
    "span",
    "player",
    "legal",
    "low",
    "high",
    "to",
    "whose",
)
"""The fields of a decision; spans are not part of equality."""

Engine = Any
"""One of the two modules."""


def contents(state: Any) -> dict[str, object]:
    """The contents of a state, whichever engine produced it."""
    asked, fault, chance = state.decision, state.fault, state.chance
    return {
        "variables": dict(state.variables),
        "zones": dict(state.zones),
        "events": [(event.name, event.fields) for event in state.events],
        "chance": (chance.seed, chance.given, chance.shuffles, dict(chance.dealt)),
        "decision": None if asked is None else [getattr(asked, name) for name in ASKED],
        "fault": None if fault is None else (fault, fault.span),
        "winners": (state.match_over, state.winners, state.hand_over),
    }


def assert_same(one: Any, other: Any) -> None:
    """Raise AssertionError if a state of the reference and one of the compiled form differ."""
    assert contents(one) == contents(other)
    shared = one.bound.keys() & other.bound.keys()
    assert {name: one.bound[name] for name in shared} == {name: other.bound[name] for name in shared}


def both(step: Callable[[Engine, Any], Any], states: Sequence[Any] = (None, None)) -> list[Any]:
    """Take the same step in both, each from its own state. Raises EngineLimitError if one reaches a limit."""
    return [step(engine, state) for engine, state in zip((reference, compiled), states, strict=True)]


def compare(program: c.Program, seed: int, seen: Counter[str]) -> None:
    """Play a match at random in both, comparing state by state."""
    rng = Random(seed)
    parameters = {name: rng.choice(values) for name, values in program.parameters.items()}
    readings = {name: rng.randrange(len(of)) for name, of in program.readings.items()}
    try:
        states = both(lambda engine, _: engine.start(program, Chance(seed), parameters, readings))
        assert_same(*states)
        for _ in range(HANDS):
            states = played(states, rng, seen)
            seen["complete"] += states[0].hand_over
            if not states[0].hand_over or states[0].match_over:
                break
            states = both(lambda engine, state: engine.next_hand(state), states)
            assert_same(*states)
    except EngineLimitError:
        seen["limit"] += 1
        return
    fault = states[0].fault
    if fault is not None:
        assert (fault.kind, fault.span, fault.label) in sites_of(program)
        seen[fault.kind] += 1


def played(states: list[Any], rng: Random, seen: Counter[str]) -> list[Any]:
    """The states at the end of the deal, or after `MOST` decisions."""
    for _ in range(MOST):
        if (decision := states[0].decision) is None:
            break
        seen["decisions"] += 1
        choice = pick(decision, rng)
        states = both(lambda engine, state, choice=choice: engine.apply(state, choice), states)  # type: ignore[misc]
        assert_same(*states)
    return states


def sites_of(program: c.Program) -> set[tuple[str, object, str]]:
    """Every fault that the core lists for some node of a program."""
    return set(fault_sites(program.setup, program.hand, program.between))
