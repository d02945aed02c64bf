"""The reference and the compiled form mean the same.

Law: with the same chance and choices, both come to equal states at every decision, fault and end: variables, zones, what
is bound, events, what is asked, how the rules break down, who has won.  Every fault is one that the core lists for some
node of the program.  Where an engine gives up, there is nothing to compare from there on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.random_rulesets import CALM, longer_rulesets, rulesets
from checker.rulesets_for_tests import FOREIGN, LIBRARY, documented, foreign
from dsl.small_games import game
from trickproof.support.bundled import ruleset_folder
from trickproof.testing.random_play import pick
from trickproof_dsl import Library, render
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as compiled
from trickproof_dsl.core.faults import fault_sites
from trickproof_dsl.semantics import expressions
from trickproof_dsl.semantics import machine as reference
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError

NAMES = (*LIBRARY.documented(), *FOREIGN.documented())
GAMES = sorted(path.stem for path in (ruleset_folder() / "games").glob("*.yaml"))
HANDS = 2
"""Hands of a match that are followed, at most."""

MOST = 400
"""Decisions of a hand that are followed, at most."""

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
"""What a decision says; a span is no part of what makes questions equal."""

Engine = Any
"""One of the two modules."""


def contents(state: Any) -> dict[str, object]:
    """What a state says, whichever engine made it."""
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
    """Raises AssertionError where a state of the reference and one of the compiled form differ."""
    assert contents(one) == contents(other)
    shared = one.bound.keys() & other.bound.keys()
    assert {name: one.bound[name] for name in shared} == {name: other.bound[name] for name in shared}


def both(step: Callable[[Engine, Any], Any], states: Sequence[Any] = (None, None)) -> list[Any]:
    """The same step under both, each from its own state.  Raises EngineLimitError where one gives up."""
    return [step(engine, state) for engine, state in zip((reference, compiled), states, strict=True)]


def compare(program: c.Program, seed: int, seen: Counter[str]) -> None:
    """Plays a match at random under both, comparing state by state."""
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
    """The states at the end of the hand, or after many decisions."""
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


@pytest.mark.parametrize("name", [*NAMES, *GAMES])
def test_rulesets(name: str) -> None:
    program = (foreign(name) if name in FOREIGN.documented() else documented(name)).program
    seen: Counter[str] = Counter()
    for seed in range(2):
        compare(program, seed, seen)
    assert seen["decisions"] > 20


def random_rulesets(examples: int) -> Counter[str]:
    seen: Counter[str] = Counter()

    @settings(CALM, max_examples=examples)
    @given(st.one_of(rulesets(), longer_rulesets()), st.integers(0, 10**6))
    def law(text: str, seed: int) -> None:
        ruleset, problems = Library().load_text(text, "random.yaml")
        if ruleset is None and [x.code for x in problems] == ["E308"]:
            seen["gives to the giver"] += 1
            return
        assert ruleset is not None, render(problems)
        compare(ruleset.program, seed, seen)

    law()
    return seen


def test_random_rulesets() -> None:
    seen = random_rulesets(200)
    assert seen["complete"] > 20
    assert seen["decisions"] > 100
    assert len(seen) > 6, seen


@pytest.mark.slow
def test_many_random_rulesets() -> None:
    seen = random_rulesets(2000)
    assert set(seen) >= {
        "complete",
        "nobody",
        "no-card",
        "not-single",
        "cards-not-there",
        "tie",
        "bad-number",
    }


DEAL = "shuffle\nfor p in players:\n    deal 4 cards to hand of p\n"
ODD = {
    "a target by what is in the source": DEAL
    + "dealer lays 2 cards of hand\n"
    + "put table into tricks-taken of (if some card in table has suit = clubs then dealer else left of dealer)",
    "a target by how many are in the source": DEAL
    + "dealer gives 1 card of hand to (if number of hand of dealer = 4 then left of dealer else right of dealer)",
    "a source by how many are in it": DEAL
    + "dealer lays 1 card of hand\n"
    + "left of dealer gives hand of (if table is empty then dealer else right of dealer) to dealer",
    "both a value and its owner missing": "m of who becomes m of left of who",
    "the first of two faults": "n becomes (3 div n) + height of one",
    "a fault for every element": DEAL + "yes becomes some card in hand of dealer has height div n = 1",
    "the match ends inside loops": "for p in players:\n    repeat 3 times:\n        the match ends, won by players",
    "nothing to choose": DEAL + "for p in players:\n    p lays up to m of p cards of hand",
    "none, or a player": "dealer chooses who from players or none\nleader becomes left of who",
}


@pytest.mark.parametrize("hand", ODD.values(), ids=ODD)
def test_odd_hands(hand: str) -> None:
    for seed in range(6):
        compare(game(hand).program, seed, Counter())


def test_a_wrong_reading_is_found() -> None:
    """As the law would be worth nothing if it could not fail."""
    program = documented("pagat").program

    def lowest(e: c.Compare, left: Any, right: Any) -> bool:
        return bool(left != right)

    with patch.object(expressions, "compare", lowest), pytest.raises(AssertionError):
        compare(program, 1, Counter())
    compare(program, 1, Counter())
