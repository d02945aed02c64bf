"""A state is carried on by the engine that made it, and what a sample finds must be what the reference plays."""

from __future__ import annotations

from random import Random

import pytest

from checker.rulesets_for_tests import documented, house
from trickproof.checking.engines import COMPILED, REFERENCE, Engine
from trickproof.checking.played_hand import HandPlayed, first_hand, following_hand
from trickproof.checking.verdict import DisagreementError
from trickproof.checks.zero_sum import CHECK as ZERO_SUM
from trickproof.testing.confirmation import confirmed
from trickproof.testing.random_play import pick, play
from trickproof_dsl.semantics.chance import Chance

UNEVEN = """\
    rules:
      payout:
        rule: |
          for p in players:
              payout of p becomes over of p + 1
        assumes: a test
    """


def played(engine: Engine, hands: int = 3) -> list[HandPlayed]:
    """The hands of a match, the same choices whoever plays."""
    rng, program = Random(5), documented("pagat").program
    parameters = {name: values[0] for name, values in program.parameters.items()}
    hand: object = first_hand(program, Chance(7), parameters, {}, {("dealer",): 1}, engine)
    match: list[HandPlayed] = []
    while isinstance(hand, HandPlayed) and len(match) < hands:
        while hand.state.decision is not None:
            hand = hand.choose(pick(hand.state.decision, rng))
        match.append(hand)
        hand = following_hand(hand.state) if not hand.state.match_over else None
    return match


def test_either_engine_carries_on_its_own_states_to_the_same() -> None:
    compiled, reference = played(COMPILED), played(REFERENCE)
    assert len(compiled) == len(reference) == 3
    for mine, theirs in zip(compiled, reference, strict=True):
        assert mine.choices == theirs.choices
        assert mine.state.events == theirs.state.events
        assert dict(mine.state.variables) == dict(theirs.state.variables)
    assert len({type(hand.state) for hand in compiled}) == 1
    assert {type(hand.state) for hand in compiled} != {type(hand.state) for hand in reference}


def test_a_sample_is_played_by_the_compiled_form() -> None:
    ruleset = documented("pagat")
    sample = play(ruleset, (), 4)
    assert sample.hands == 4
    violation = play(house(UNEVEN), (ZERO_SUM,), 4).violations["zero-sum"]
    assert isinstance(violation.state, type(played(COMPILED, 1)[0].state))


def test_a_violation_that_the_reference_does_not_see_is_a_bug_of_the_tool() -> None:
    uneven, level = house(UNEVEN), documented("pagat")
    violation = play(uneven, (ZERO_SUM,), 4).violations["zero-sum"]
    assert confirmed(uneven, violation, (ZERO_SUM,))[-1]["moves"]
    with pytest.raises(DisagreementError, match="does not replay to the same violation"):
        confirmed(level, violation, (ZERO_SUM,))
