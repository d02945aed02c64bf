"""Deals with given numbers of tricks, found from many states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from checker.rulesets_for_tests import documented, house
from trickproof.checking.engines import State
from trickproof.checking.played_hand import first_hand
from trickproof.testing.deal_search import Aim, construct, constructed_from_all, taken_over, variables_played
from trickproof.testing.random_play import pick
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.values import Key, Value

GOALS = ((16, 0, 0), (10, 3, 3))


def dealt_by(dealer: int, *over: int) -> Mapping[Key, Value]:
    return {("dealer",): dealer, **{("over", p): number for p, number in enumerate(over)}}


@pytest.mark.parametrize("name", ["pagat", "six-over"])
@pytest.mark.parametrize("goal", GOALS)
def test_what_is_found_from_each_state_is_found_from_all(name: str, goal: tuple[int, ...]) -> None:
    begins = [dealt_by(dealer, up, -up, 0) for dealer in (0, 1) for up in (0, 1, -2)]
    ruleset = documented(name)
    each = [construct(ruleset, {}, {}, begin, goal) is not None for begin in begins]
    assert constructed_from_all(ruleset, {}, [{}], begins, [goal], Aim()) == all(each)


def test_a_deal_found_for_one_state_says_nothing_about_another() -> None:
    fits = Aim(fits=lambda state: state.variable("dealer") == 0)
    ruleset = documented("pagat")
    assert constructed_from_all(ruleset, {}, [{}], [dealt_by(0), dealt_by(0, 1, -1, 0)], GOALS, fits)
    assert not constructed_from_all(ruleset, {}, [{}], [dealt_by(0), dealt_by(1)], [(16, 0, 0)], fits)


def test_one_of_several_goals_is_enough_and_none_is_not() -> None:
    assert constructed_from_all(
        documented("pagat"), {}, [{}], [dealt_by(0)], [(16, 16, 16), (16, 0, 0)], Aim()
    )
    assert not constructed_from_all(documented("pagat"), {}, [{}], [dealt_by(0)], [(16, 16, 16)], Aim())


def test_what_one_reading_allows_says_nothing_about_another() -> None:
    ruleset = house(
        """\
        rules:
          trick-winner:
            assumes: a test
            readings:
              - name: anybody
                rule: players with the highest rank of played among players with suit of played = led
              - name: no-dealer
                rule: players with the highest rank of played among players other than dealer with suit of played = led
        """
    )
    begins = [dealt_by(0), dealt_by(0, 1, -1, 0)]

    def found(goal: tuple[int, ...], *readings: int) -> bool:
        ways = [{"trick-winner": reading} for reading in readings]
        return constructed_from_all(ruleset, {}, ways, begins, [goal], Aim())

    assert found((16, 0, 0), 0, 0)
    assert not found((16, 0, 0), 0, 1)


def test_a_play_is_taken_over_with_the_values_that_it_does_not_read() -> None:
    """In the second deal the dealer already has 7 points, which only the scoring reads."""
    ruleset, points, seen = documented("shawn-51"), ("score", 0), list[int]()

    def fits(state: State) -> bool:
        seen.append(state.variable(*points))
        return True

    begins = [dealt_by(0), {**dealt_by(0), points: 7}]
    assert constructed_from_all(ruleset, {}, [{}], begins, [(17, 0, 0)], Aim(fits=fits))
    assert seen == [9, 16]


@pytest.mark.parametrize("name", ["pagat", "tallyn", "weaver-four", "hearts", "spades", "euchre"])
def test_a_play_that_is_taken_over_ends_as_if_its_choices_were_made(name: str) -> None:
    """Everything carried is another number; where the play reads that, nothing is taken over."""
    program, rng = documented(name).program, Random(1)
    hand = first_hand(
        program, Chance(1), {name: values[0] for name, values in program.parameters.items()}, {}
    )
    while (asked := hand.state.decision) is not None and asked.label != "play":
        hand = hand.choose(pick(asked, rng))
    begun, chosen = hand, list[Value]()
    while (asked := hand.state.decision) is not None:
        last, choice = hand.state, pick(asked, rng)
        hand, chosen = hand.choose(choice), [*chosen, choice]
    numbers = [key for key in begun.state.variables if program.variables[key[0]].type.kind == "integer"]
    other = begun.state.but(variables={key: begun.state.variables[key] + 3 for key in numbers})
    read = variables_played(other.to_come)
    equal = other.but(variables={key: begun.state.variables[key] for key in numbers if key[0] in read})
    again = replace(begun, state=equal)
    for made in chosen:
        again = again.choose(made)
    over = taken_over(equal, last, choice)
    assert over.variables == again.state.variables != hand.state.variables
    assert (over.zones, over.match_over) == (again.state.zones, again.state.match_over)


def test_several_cards_may_be_discarded_between_tricks() -> None:
    ruleset = house(
        """\
        rules:
          after-trick:
            assumes: a test
            rule: |
              if tricks of leader = 3 and number of hand of leader > 4:
                  for p in players:
                      p discards 2 cards of hand
        """
    )
    assert construct(ruleset, {}, {}, dealt_by(0), (14, 0, 0)) is not None
