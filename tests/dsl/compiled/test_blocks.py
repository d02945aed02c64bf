"""Blocks of Python between decisions: nested as deeply as rules are, and gone on with from states that were pickled."""

from __future__ import annotations

import pickle

import pytest

from checker.rulesets_for_tests import documented
from dsl.small_games import game
from trickproof_dsl import play_hand, random_player
from trickproof_dsl.compiled.machine import apply, start
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError

DEAL = "shuffle\nfor p in players:\n    deal 4 cards to hand of p\n"
DEEP = "\n".join("    " * i + f"for a{i} in players:" for i in range(10)) + "\n" + "    " * 10
INNERMOST = "    " * 11


def test_nested_filters_are_no_deeper_than_python_allows() -> None:
    cards = "(top 1 of hand of who by height)"
    for _ in range(97):
        cards = f"(cards in {cards} with suit != trump)"
    hand = f"who becomes dealer\ndealer lays between n and n + 1 cards of {cards} from hand of dealer"
    state = start(game(DEAL + hand).program, Chance(1))
    assert state.decision is not None
    assert len(state.decision.legal) == 1


@pytest.mark.parametrize("levels", [1, 9, 25])
def test_loops_are_no_deeper_than_python_allows(levels: int) -> None:
    loops = "\n".join(f"{'    ' * i}repeat 1 times:" for i in range(levels))
    ruleset = game(f"{loops}\n{'    ' * levels}dealer chooses n from 1 to 3")
    assert play_hand(ruleset, [random_player(p) for p in range(3)]).variable("n") in (1, 2, 3)
    ruleset = game(f"{loops}\n{'    ' * levels}n becomes n + 1")
    assert play_hand(ruleset, [random_player(p) for p in range(3)]).variable("n") == 1


def test_branches_are_no_deeper_than_python_allows() -> None:
    branches = "\n".join(f"{'    ' * i}if n = {i}:\n{'    ' * (i + 1)}n becomes n + 1" for i in range(40))
    state = start(game(f"{branches}\n{'    ' * 40}dealer chooses yes\nn becomes n * 2").program)
    assert state.decision is not None
    assert apply(state, True).variable("n") == 80


@pytest.mark.parametrize("rare", ["dealer chooses n from 1 to 2", "the match ends"])
def test_rounds_are_counted_where_nobody_chooses_in_the_end(rare: str) -> None:
    with pytest.raises(EngineLimitError):
        start(game(f"{DEEP}if n < 0:\n{INNERMOST}{rare}\nn becomes 5").program, Chance(1))


def test_choices_in_loops_in_loops() -> None:
    loops = "\n".join("    " * i + f"for a{i} in players:" for i in range(3))
    state = start(game(f"{loops}\n            a2 chooses yes").program)
    asked: list[int] = []
    while state.decision is not None:
        asked.append(state.decision.player)
        state = apply(state, True)
    assert state.hand_over
    assert asked == 9 * [1, 2, 0]


def test_names_bound_by_loops_and_choices_are_told() -> None:
    state = start(game("for p in players:\n    p chooses who from players or none").program)
    assert set(state.bound.values()) == {1}
    assert set(apply(state, None).bound.values()) == {2, None}


def test_states_can_be_pickled() -> None:
    state = start(documented("pagat").program, Chance(4))
    player = random_player(1)
    for _ in range(20):
        assert state.decision is not None
        state = apply(state, player(state, state.decision))
    again: State = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.to_come == state.to_come
    assert state.decision is not None
    choice = frozenset(state.decision.legal[:1])
    assert apply(again, choice) == apply(state, choice)
