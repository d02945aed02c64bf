"""The oracle against the documents: the examples they work out, their orders and their ends."""

from __future__ import annotations

from typing import Any

import pytest

from . import exchange
from .oracle import play
from .test_oracle import kinds, of_kind
from .variants import VARIANTS, deviations, pack, winners

Json = dict[str, Any]


def test_impossible_scenarios_are_refused() -> None:
    good = before_any_move("pagat", {})
    assert play(good)["ok"]
    hands = [list(hand) for hand in good["hands"]]
    hands[0][0] = hands[1][0]
    for change in (
        {"hands": hands},
        {"ruleset": "whist"},
        {"dealer": 3},
        {"over": [1, 0, 0]},
        {"over": [-5, 6, -1], "dealer": 2},  # the previous dealer is 1, so player 0's target was 3
        {"over": [1, -1, 0], "first_hand": True},
        {"kitty": good["kitty"][:3]},
    ):
        assert play(good | change) == {"ok": False}


def before_any_move(ruleset: str, held: dict[int, str], kitty: str = "", **fields: Any) -> Json:
    """A scenario whose players hold these cards and no others of the same suits; the rest is filled up."""
    variant = VARIANTS[ruleset]
    hands = [held.get(player, "").split() for player in range(len(variant.targets))]
    table = kitty.split()
    free = [card for card in pack(ruleset) if card not in {*table, *(c for hand in hands for c in hand)}]
    closed = [{card[1] for card in hand} for hand in hands]
    for player in sorted(range(len(hands)), key=lambda player: -len(closed[player])):
        fitting = [card for card in free if card[1] not in closed[player]]
        hands[player] += fitting[: variant.hand - len(hands[player])]
        free = [card for card in free if card not in hands[player]]
    for hand in hands:
        while len(hand) < variant.hand:
            hand.append(free.pop())
    return {"ruleset": ruleset, "dealer": 0, "hands": hands, "kitty": table + free, "moves": []} | fields


def give(player: int, to: int, cards: str) -> Json:
    return {"player": player, "move": "give", "to": to, "cards": cards.split()}


def trump(player: int, suit: str) -> Json:
    return {"player": player, "move": "trump", "suit": suit}


def test_six_over_example_does_not_add_up() -> None:
    """Dealer 10, "5-position" 2, "3-position" 4: the document says 2 up, 2 down, 1 up; it is 3 down."""
    assert deviations("six-over", 0, [10, 2, 4]) == [2, -3, 1]
    assert sum([2, -2, 1]) != 0


@pytest.mark.parametrize("ruleset", ["gamerules", "gamerules-mirror"])
def test_gamerules_example_dealer_shows_ten_and_ace(ruleset: str) -> None:
    scenario = before_any_move(ruleset, {0: "6C 2C 4D", 1: "3C 4C"}, kitty="TC AC KS 5H", over=[-1, 1, 0])
    moves = [give(1, 0, "3C"), trump(0, "S")]
    assert play(scenario | {"moves": moves})["next"]["move"] == "discard"
    discard = {"player": 0, "move": "discard", "cards": ["2C", "TC", "4D", "5H"]}
    answer = play(scenario | {"moves": [*moves, discard]})
    assert answer["events"] == [
        {"event": "give", "player": 1, "to": 0, "cards": ["3C"]},
        {"event": "return", "player": 0, "to": 1, "cards": ["6C"]},
        {"event": "trump", "player": 0, "suit": "S"},
        {"event": "take-kitty", "player": 0, "cards": ["TC", "AC", "5H", "KS"]},
        {"event": "discard", "player": 0, "cards": ["2C", "TC", "4D", "5H"]},
        {"event": "show", "player": 0, "to": 1, "cards": ["TC", "AC"]},
    ]
    assert answer["next"]["move"] == "play"


@pytest.mark.parametrize("ruleset", ["gamerules", "gamerules-mirror"])
def test_gamerules_giver_splits_one_card_for_each_trick_up(ruleset: str) -> None:
    """Player 1 is three up: up to three cards go to players 2 and 0 in any way, though 0 was only one down."""
    scenario = before_any_move(ruleset, {1: "2C 2D 2H"}, over=[-1, 3, -2])
    assert play(scenario | {"moves": [give(1, 2, "2C"), give(1, 0, "2D 2H 3C")]}) == {"ok": False}
    answer = play(scenario | {"moves": [give(1, 2, ""), give(1, 0, "2C 2D 2H")]})
    assert kinds(answer) == ["give", "return"]


def test_gamerules_giving_may_be_declined_and_nothing_comes_back() -> None:
    scenario = before_any_move("gamerules", {}, over=[-2, 2, 0])
    answer = play(scenario | {"moves": [give(1, 0, "")]})
    assert kinds(answer) == []
    assert answer["next"]["move"] == "trump"
    assert play(scenario | {"ruleset": "pagat", "moves": [give(1, 0, "")]}) == {"ok": False}


def test_pagat_discards_blindly_then_shows_each_giver_what_beats_his_lowest() -> None:
    """Dealer 0 (3 down) returned queen and 4 of clubs to player 1 and his king of hearts to player 2."""
    over = [-3, 2, 1]  # present targets: 8, 5, 3, so player 1 exchanges first
    scenario = before_any_move(
        "pagat", {0: "QC 4C KH 5H", 1: "2C 3C", 2: "2H"}, kitty="AH 5C AC AS", over=over
    )
    moves = [give(1, 0, "2C 3C"), give(2, 0, "2H"), trump(0, "D")]
    answer = play(scenario | {"moves": moves})
    assert [(e["event"], e["cards"]) for e in of_kind(answer, "give", "return")] == [
        ("give", ["2C", "3C"]),
        ("return", ["4C", "QC"]),
        ("give", ["2H"]),
        ("return", ["KH"]),
    ]
    assert (answer["next"]["move"], len(answer["next"]["legal"])) == ("discard", 16)
    discard = {"player": 0, "move": "discard", "cards": answer["next"]["legal"][:4]}
    answer = play(scenario | {"moves": [*moves, discard]})
    assert kinds(answer)[-4:] == ["discard", "take-kitty", "show", "show"]
    assert [(e["to"], e["cards"]) for e in of_kind(answer, "show")] == [(1, ["5C", "AC"]), (2, ["AH"])]


def test_pagat_without_a_card_of_the_suit_the_same_card_comes_back() -> None:
    scenario = before_any_move("pagat", {0: "", 1: "2C 3C 4C 5C 6C 7C 8C 9C", 2: "TC JC QC KC AC"})
    scenario = scenario | {"over": [-1, 1, 0]}
    assert all(card[1] != "C" for card in scenario["hands"][0])
    answer = play(scenario | {"moves": [give(1, 0, "9C")]})
    assert [event["cards"] for event in answer["events"]] == [["9C"], ["9C"]]


@pytest.mark.parametrize(
    ("ruleset", "first"),
    [("trumpet-major", 2), ("gamerules", 2), ("pagat", 1), ("six-over", 1), ("nine-five-two", 1)],
)
def test_two_players_up_exchange_most_up_first_or_higher_target_first(ruleset: str, first: int) -> None:
    """Dealer 0; player 1 (target 5) is one up, player 2 (target 3 or 2) is two up."""
    answer = play(before_any_move(ruleset, {}, over=[-3, 1, 2]))
    assert answer["next"]["player"] == first


@pytest.mark.parametrize("ruleset", ["trumpet-major", "gamerules"])
def test_equally_up_the_higher_target_goes_first(ruleset: str) -> None:
    assert play(before_any_move(ruleset, {}, over=[2, -3, 1]))["next"]["player"] == 0
    assert play(before_any_move(ruleset, {}, over=[-4, 2, 2]))["next"]["player"] == 1
    assert play(before_any_move(ruleset, {}, over=[2, -4, 2], dealer=2))["next"]["player"] == 2


def test_one_player_up_gives_to_both_before_either_returns() -> None:
    for ruleset in ("trumpet-major", "six-over", "gamerules", "pagat"):
        scenario = before_any_move(ruleset, {1: "2C 2D 2H"}, over=[-1, 3, -2])
        answer = play(scenario | {"moves": [give(1, 2, "2C 2D"), give(1, 0, "2H")]})
        assert kinds(answer) == ["give", "give", "return", "return"]
        assert [event["player"] for event in of_kind(answer, "return")] == [2, 0]


def test_tallyn_takes_the_kitty_first_and_returns_after_trump() -> None:
    scenario = before_any_move("tallyn", {0: "2S"}, kitty="3S 4S 5S 6S", over=[-2, 1, 1])
    discard = {"player": 0, "move": "discard", "cards": ["3S", "4S", "5S", "6S"]}
    moves = [discard]
    for player in (1, 2):  # all gifts clockwise from the dealer's left
        due = play(scenario | {"moves": moves})["next"]
        assert (due["player"], due["move"]) == (player, "give")
        moves = [*moves, give(player, 0, due["legal"][0])]
    answer = play(scenario | {"moves": [*moves, trump(0, "S")]})
    assert kinds(answer) == ["take-kitty", "discard", "give", "give", "trump", "return", "return"]
    # player 2 sits at the dealer's right: 5 tricks, and so he is served before player 1 with 2
    assert [event["to"] for event in of_kind(answer, "return")] == [2, 1]


NORTH, EAST, SOUTH, WEST = range(4)


def test_weaver_example_west_answers_by_rank() -> None:
    scenario = before_any_move(
        "weaver-four", {WEST: "AH 9H 8H 7H 2H", NORTH: "5H", SOUTH: "3H"}, over=[1, 0, 1, -2]
    )
    for dealer in range(4):
        one, other = give(NORTH, WEST, "5H"), give(SOUTH, WEST, "3H")
        moves = [other, one] if dealer in (NORTH, EAST) else [one, other]
        answer = play(scenario | {"dealer": dealer, "moves": moves})
        assert {e["to"]: e["cards"] for e in of_kind(answer, "return")} == {NORTH: ["AH"], SOUTH: ["9H"]}


def test_weaver_example_sharpen_the_contest() -> None:
    assert exchange.due([-2, -1, 2, 1]) == {(SOUTH, NORTH): 1, (SOUTH, EAST): 1, (WEST, NORTH): 1}


def test_weaver_example_avoid_the_left_hand_neighbour() -> None:
    assert exchange.due([1, -1, 1, -1]) == {(SOUTH, EAST): 1, (NORTH, WEST): 1}


@pytest.mark.parametrize(
    ("over", "pairs"), [([2, -2, 2, -2], {(0, 3): 2, (2, 1): 2}), ([2, 2, -2, -2], {(0, 2): 2, (1, 3): 2})]
)
def test_weaver_equally_up_spares_the_left_hand_neighbour(
    over: list[int], pairs: dict[tuple[int, int], int]
) -> None:
    assert exchange.due(over) == pairs


def test_allocation_among_four_is_never_a_tie() -> None:
    """Between two ups and two downs each further card moved changes what goes to the left."""
    for one in range(1, 10):
        for other in range(1, 10):
            for near in range(1, one + other):
                far = one + other - near
                for over in ([one, other, -near, -far], [one, -near, other, -far], [one, -near, -far, other]):
                    due = exchange.due(over)
                    for player, amount in enumerate(over):
                        out = sum(cards for (giver, _), cards in due.items() if giver == player)
                        back = sum(cards for (_, taker), cards in due.items() if taker == player)
                        assert (out, back) == (max(amount, 0), max(-amount, 0))


def test_ends_of_the_matches() -> None:
    """The first numbers that end each match, and the ones just below."""
    even = [0, 0, 0]
    assert winners("trumpet-major", {}, [13, 3, 0], even, even) == [0]
    assert winners("trumpet-major", {}, [12, 4, 0], even, even) == []
    assert winners("six-over", {}, even, [-6, 6, 0], even) == [1]
    assert winners("six-over", {}, even, [-5, 5, 0], even) == []
    assert winners("gamerules", {}, [0, 12, 4], even, even) == [1]
    assert winners("pagat", {}, [0, 11, 5], even, even) == []
    assert winners("pagat-all-sixteen", {}, [15, 1, 0], even, even) == []
    assert winners("pagat-all-sixteen", {}, [16, 0, 0], even, even) == [0]
    assert winners("shawn-51", {}, even, even, [10, 11, -21]) == [0, 1]
    assert winners("nine-five-two", {"goal": 20}, even, even, [19, -19, 0]) == []
    assert winners("nine-five-two", {"goal": 10}, even, even, [19, -19, 0]) == [0]
    assert winners("tallyn", {}, even, even, [14, 1, -15]) == [0]
    assert winners("tallyn", {}, even, even, [8, 8, -16]) == [0, 1]
    assert winners("weaver-four", {}, [12, 1, 0, 0], even, even) == [0]
