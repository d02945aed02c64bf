"""Hands and matches played by functions: what players answer, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from checker.rulesets_for_tests import documented
from dsl.small_games import game
from trickproof_dsl import DecisionPlayer, play_hand, play_match, random_player
from trickproof_dsl.compiled import machine
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value

DEAL = "shuffle\nfor p in players:\n    deal 4 cards to hand of p\n"


def players(choose: Any) -> list[Any]:
    return [DecisionPlayer(choose)] * 3


def test_random_players_play_whole_matches() -> None:
    ruleset = documented("pagat")
    ends = [play_match(ruleset, [random_player(p) for p in range(3)], seed=3, most_hands=3) for _ in "ab"]
    assert ends[0] == ends[1]
    assert len(ends[0]) == 3
    assert all(end.hand_over for end in ends[0])


def test_players_are_asked_with_the_state_and_the_decision() -> None:
    asked: list[State] = []

    def first(state: State, decision: Decision) -> Value:
        assert state.decision is decision
        asked.append(state)
        return frozenset(decision.legal[: decision.low]) if decision.of_cards else decision.legal[0]

    end = play_hand(documented("pagat"), [first] * 3)
    assert end.hand_over
    assert len(asked) > 48


def test_cards_may_be_chosen_in_any_collection() -> None:
    ends = [
        play_hand(
            documented("pagat"),
            players(lambda d, kind=kind: kind(d.legal[: d.low]) if d.of_cards else d.legal[0]),
        )
        for kind in (frozenset, list, tuple, set)
    ]
    assert all(end == ends[0] for end in ends)
    assert ends[0].hand_over


@pytest.mark.parametrize("wrong", [frozenset(), frozenset({0, 1}), frozenset({99})])
def test_what_is_not_legal_is_refused(wrong: frozenset[int]) -> None:
    with pytest.raises(ValueError, match="not a legal choice"):
        play_hand(game(DEAL + "dealer lays 1 card of hand"), players(lambda _: wrong))
    with pytest.raises(ValueError, match="not a legal choice"):
        play_hand(game("dealer chooses n from 1 to 3"), players(lambda _: 7))
    with pytest.raises(ValueError, match="not a legal choice"):
        play_hand(game(DEAL + "dealer lays between 3 and 4 cards of hand"), players(lambda _: wrong))


@pytest.mark.parametrize("wrong", [3, None])
def test_what_is_no_cards_is_refused(wrong: Any) -> None:
    ruleset = game(DEAL + "dealer lays 1 card of hand")
    with pytest.raises(ValueError, match="cards are asked for"):
        machine.apply(machine.start(ruleset.program), wrong)
    with pytest.raises(ValueError, match="cards are asked for"):
        play_hand(ruleset, players(lambda _: wrong))


@pytest.mark.parametrize("raised", [StopIteration, KeyError, ValueError("mine"), KeyboardInterrupt])
def test_what_a_player_raises_is_raised(raised: Any) -> None:
    def choose(_: Decision) -> Value:
        raise raised

    with pytest.raises(type(raised) if isinstance(raised, Exception) else raised):
        play_hand(documented("pagat"), players(choose))


def test_choices_are_looked_at_once() -> None:
    """A collection that the player goes on using, or that can be gone through once."""
    hand = (
        DEAL
        + "dealer lays 1 card of hand\ndealer lays 1 card of hand\none becomes only card in hand of dealer"
    )
    mine: set[int] = set()

    def refilled(decision: Decision) -> Any:
        mine.clear()
        mine.add(decision.legal[0])
        return mine

    def once(decision: Decision) -> Any:
        return iter(decision.legal[:1])

    for choose in (refilled, once):
        end = play_hand(game(hand), players(choose))
        assert end.fault is not None
        assert end.fault.kind == "not-single"
        state = machine.start(game(hand).program, Chance(0))
        for _ in range(2):
            assert state.decision is not None
            state = machine.apply(state, choose(state.decision))
        assert state == end


def test_rules_that_break_down_in_the_middle() -> None:
    hand = (
        DEAL
        + "dealer chooses n from 1 to 3\ndealer lays 1 card of hand\none becomes only card in hand of dealer"
    )
    end = play_hand(game(hand), [random_player(p) for p in range(3)], seed=1)
    assert end.fault is not None
    assert end.fault.kind == "not-single"
    assert [event.name for event in end.events] == ["n", "lay"]
