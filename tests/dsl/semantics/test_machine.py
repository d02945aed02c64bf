"""Both interpreters: states are values, and every statement does what docs/language.md says."""

from __future__ import annotations

import copy
import hashlib
from typing import Any

import pytest

from budget import RUN
from dsl.machines import MACHINES, Machine, fault
from dsl.small_games import bundled, game
from trickproof_dsl import Chance, State, event_json, play_match, random_player
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import FAULTS
from trickproof_dsl.semantics.state_view import StateView

DEAL = "shuffle\nfor p in players:\n    deal 4 cards to hand of p\n"
IN_ORDER = Chance(given={("hand", p): tuple(range(4 * p, 4 * p + 4)) for p in range(3)})
"""Player 0 holds all clubs, 1 all diamonds, 2 all hearts; card numbers 0 to 11."""


def decision(state: StateView) -> Decision:
    assert state.decision is not None, state.fault
    return state.decision


@pytest.fixture(params=MACHINES.values(), ids=MACHINES)
def machine(request: pytest.FixtureRequest) -> Machine:
    """Each interpreter."""
    param: Machine = request.param
    return param


def events_json(state: StateView) -> list[dict[str, Any]]:
    return [event_json(state.program, event) for event in state.events]


# ------------------------------------------------------------------------------------ states are values


def test_one_state_two_moves(machine: Machine) -> None:
    state = machine.begun("dealer chooses n from 1 to 3\nn becomes n * 10")
    assert [machine.apply(state, choice).variable("n") for choice in (1, 3, 2)] == [10, 30, 20]
    assert state.variable("n") == 0
    assert machine.apply(state, 2) == machine.apply(state, 2) != machine.apply(state, 3)


@RUN
def test_states_do_not_change_when_others_are_made_from_them(machine: Machine) -> None:
    program = bundled("pagat").program
    state = machine.start(
        program, Chance(5), variables={("over", 0): 1, ("over", 1): -1, ("first-hand",): False}
    )
    copies: list[tuple[State, State]] = []
    player = random_player(3)
    while state.decision is not None:
        copies.append((state, copy.deepcopy(state)))
        other = player(state, state.decision)
        machine.apply(state, other)
        state = machine.apply(state, player(state, state.decision))
    assert len(copies) > 48
    assert all(now == before for now, before in copies)


def test_going_on_from_an_old_state_gives_the_same_again(machine: Machine) -> None:
    program = bundled("weaver-four").program
    choices: list[Any] = []
    states = [machine.start(program, Chance(11))]
    player = random_player(0)
    while (waiting := states[-1].decision) is not None:
        choices.append(player(states[-1], waiting))
        states.append(machine.apply(states[-1], choices[-1]))
    for begin in range(0, len(choices), 7):
        state = states[begin]
        for choice in choices[begin:]:
            state = machine.apply(state, choice)
        assert state == states[-1]


def test_the_short_form_of_a_state_is_short(machine: Machine) -> None:
    state = machine.begun("dealer chooses n from 1 to 3")
    assert repr(state) == "<State: 0 events, player 0 has to n>"
    assert repr(machine.apply(state, 2)) == "<State: 1 events, hand over>"
    assert (
        repr(machine.begun("one becomes only card in hand of dealer"))
        == "<State: 0 events, fault not-single>"
    )
    assert len(repr(decision(state))) < 250


def test_choices_are_checked(machine: Machine) -> None:
    state = machine.begun(DEAL + "dealer lays 2 cards of hand", chance=IN_ORDER)
    for wrong in ({0}, {0, 1, 2}, {0, 4}, set()):
        with pytest.raises(ValueError, match="not a legal choice"):
            machine.apply(state, frozenset(wrong))
    done = machine.apply(state, [1, 0])
    assert done.cards("table") == (0, 1)
    with pytest.raises(ValueError, match="no decision is waiting"):
        machine.apply(done, 1)


# -------------------------------------------------------------------------------------------- a match


def test_next_hand_keeps_what_is_carried_and_clears_the_rest(machine: Machine) -> None:
    first = machine.begun(
        "n becomes n + 1\nkinds becomes kinds + 1", "next-dealer: {rule: left of dealer, assumes: x}\n"
    )
    second = machine.next_hand(first)
    assert (first.variable("n"), first.variable("kinds"), first.variable("dealer")) == (1, 1, 0)
    assert (second.variable("n"), second.variable("kinds"), second.variable("dealer")) == (1, 2, 1)
    assert (first.variable("first-hand"), second.variable("first-hand")) == (True, False)


LEFT_BEHIND = """\
next-dealer:
  rule: if n > 1 then dealer else left of dealer
  assumes: x
between-hands:
  rule: |
    kinds becomes kinds + m of right of dealer + number of kept of left of dealer
    dealer becomes next-dealer
    n becomes n + 5
  assumes: x
"""


def test_what_a_hand_leaves_is_there_between_hands(machine: Machine) -> None:
    """And gone when the next hand begins, whatever the steps between hands did to it."""
    left = "n becomes {}\nm of right of dealer becomes 7\nkept of left of dealer becomes 2C + 3C\nkinds becomes kinds + 1"
    stays, goes = (machine.next_hand(machine.begun(left.format(n), LEFT_BEHIND)) for n in (2, 1))
    assert (stays.variable("dealer"), goes.variable("dealer")) == (0, 1)
    assert stays.variable("kinds") == 1 + 7 + 2 + 1
    before_hand = machine.between_hands(machine.begun(left.format(2), LEFT_BEHIND))
    assert (before_hand.variable("n"), before_hand.variable("m", 2)) == (0, 0)
    assert before_hand.variable("kept", 1) == frozenset()


ENDS_BETWEEN = """\
between-hands:
  rule: |
    if n = 2:
        the match ends, won by players with m = 7
    kinds becomes 0
  assumes: x
"""


def test_a_match_that_ends_between_hands_has_no_further_hand(machine: Machine) -> None:
    state = machine.next_hand(machine.begun("n becomes 2\nm of left of dealer becomes 7", ENDS_BETWEEN))
    assert (state.match_over, state.winners, state.variable("n")) == (True, {1}, 2)
    assert events_json(state) == [{"event": "end", "winners": [1]}]
    goes_on = machine.next_hand(machine.begun("n becomes n + 1\nannounce hand: number n", ENDS_BETWEEN))
    assert (goes_on.match_over, goes_on.variable("n"), events_json(goes_on)[0]["event"]) == (False, 1, "hand")


def test_a_match_that_ends_at_its_start_has_no_hand(machine: Machine) -> None:
    rules = "match-start: {rule: 'the match ends, won by players', assumes: x}\n"
    state = machine.begun("n becomes 1\ndealer chooses trump", rules)
    assert (state.match_over, state.winners, state.variable("n"), state.decision) == (
        True,
        {0, 1, 2},
        0,
        None,
    )
    hands = play_match(game("n becomes 1", rules), [random_player(p) for p in range(3)])
    assert [(hand.match_over, hand.variable("n")) for hand in hands] == [(True, 0)]


THROWN_IN = """\
between-hands:
  rule: |
    kinds becomes kinds + 10
    dealer becomes left of dealer
    first-hand becomes false
  assumes: x
"""


@pytest.mark.parametrize(
    ("ending", "event", "kinds", "dealer"),
    [("the hand ends", "hand-ends", 11, 1), ("deal again", "deal-again", 1, 0)],
)
def test_a_hand_can_end_before_its_last_step(
    machine: Machine, ending: str, event: str, kinds: int, dealer: int
) -> None:
    """In any block; what is carried stays, and a hand that is dealt again goes without the steps between hands."""
    text = f"n becomes n + 1\nkinds becomes kinds + 1\nif first-hand and kinds < 2:\n    repeat 3 times:\n        {ending}\nkinds becomes kinds + 100"
    first = machine.begun(text, THROWN_IN)
    assert (first.hand_over, first.match_over, first.variable("n"), first.variable("kinds")) == (
        True,
        False,
        1,
        1,
    )
    assert events_json(first) == [{"event": event}]
    begins = machine.between_hands(first)
    assert (begins.variable("n"), begins.variable("kinds"), begins.variable("dealer")) == (0, kinds, dealer)
    second = machine.next_hand(first)
    assert (second.variable("n"), second.variable("kinds"), events_json(second)) == (1, kinds + 101, [])
    assert machine.next_hand(second).variable("kinds") == kinds + 101 + 10 + 101


def test_a_deal_that_is_thrown_in_is_shuffled_anew(machine: Machine) -> None:
    text = f"{DEAL}dealer chooses trump\nif trump = clubs:\n    deal again\nn becomes 1"
    first = machine.begun(text, THROWN_IN)
    again = machine.next_hand(machine.apply(first, 0))
    assert again.cards("hand", 0) != first.cards("hand", 0)
    assert (again.decision is not None, again.variable("trump"), again.variable("dealer")) == (True, None, 0)


def test_a_match_that_is_over_has_no_next_hand(machine: Machine) -> None:
    state = machine.begun("n becomes 1\nthe match ends, won by players with m = 0\nn becomes 2")
    assert state.match_over
    assert state.hand_over
    assert state.variable("n") == 1
    assert state.winners == {0, 1, 2}
    assert events_json(state)[-1] == {"event": "end", "winners": [0, 1, 2]}
    with pytest.raises(ValueError, match="over"):
        machine.next_hand(state)


def test_a_hand_that_is_not_complete_has_no_next_hand(machine: Machine) -> None:
    with pytest.raises(ValueError, match="not complete"):
        machine.next_hand(machine.begun("dealer chooses trump"))


def test_nobody_need_win(machine: Machine) -> None:
    assert machine.begun("the match ends").winners == frozenset()


def test_the_seed_is_all_the_chance_there_is(machine: Machine) -> None:
    program = bundled("gamerules").program
    hands = [machine.start(program, Chance(seed)).zones for seed in (1, 1, 2)]
    assert hands[0] == hands[1] != hands[2]
    matches = [
        play_match(bundled("pagat"), [random_player(p) for p in range(3)], seed=4, most_hands=3) for _ in "ab"
    ]
    assert matches[0] == matches[1]
    assert len({str(state.chance.dealt) for state in matches[0]}) == 3


def test_a_given_deal_is_for_one_hand(machine: Machine) -> None:
    rules = "next-dealer: {rule: left of dealer, assumes: x}\n"
    first = machine.begun(DEAL, rules, chance=IN_ORDER)
    second = machine.next_hand(first)
    assert first.cards("hand", 0) == (0, 1, 2, 3)
    assert set(second.cards("hand", 0)) != {0, 1, 2, 3}


def test_the_order_of_the_deck_can_be_given(machine: Machine) -> None:
    given = {("hand", 0): (0, 4), ("deck",): (8, 7, 6)}
    state = machine.begun(
        "shuffle\ndeal 2 cards to hand of dealer\ndeal 2 cards to table\ndeal 1 card to hand of dealer",
        chance=Chance(given=given),
    )
    assert state.cards("table") == (8, 7)
    assert state.cards("hand", 0) == (0, 4, 6)
    assert state.cards("deck")[:3] == (1, 2, 3)
    assert state.chance.dealt == {("hand", 0): (0, 4, 6), ("table",): (7, 8)}


def test_carried_variables_can_be_given(machine: Machine) -> None:
    assert machine.begun("n becomes kinds + 1", variables={("kinds",): 4}).variable("n") == 5


# ------------------------------------------------------------------------------------ loops and orders


@pytest.mark.parametrize(
    ("order", "seats"),
    [
        ("", "120"),
        (", clockwise from dealer", "012"),
        (", anticlockwise from dealer", "021"),
        (", clockwise from right of dealer", "201"),
        (", highest m first, then clockwise from dealer", "201"),
        (", lowest m first, then anticlockwise from dealer", "102"),
        (", highest m first, ties impossible", "201"),
        (", highest number of hand first, ties open", "120"),
        (", highest number of hand first, lowest m first, ties impossible", "102"),
    ],
)
def test_orders(machine: Machine, order: str, seats: str) -> None:
    hand = f"for p in players{order}:\n    n becomes n * 10 + p-number of p + 1"
    rules = """
    p-number:
      of: player p
      rule: if p = dealer then 0 else if p = left of dealer then 1 else 2
      assumes: x
    """
    values = {("m", 0): 5, ("m", 1): 2, ("m", 2): 9}
    assert str(machine.begun(hand, rules, values).variable("n")) == "".join(str(int(p) + 1) for p in seats)


def test_equal_keys_go_round_from_the_seat(machine: Machine) -> None:
    hand = "for p in players, highest m first, then anticlockwise from right of dealer:\n    who becomes p\n    do note"
    rules = "note: {rule: n becomes n * 10 + (if who = dealer then 1 else if who = left of dealer then 2 else 3), assumes: x}\n"
    assert machine.begun(hand, rules, {("m", 1): 7}).variable("n") == 231


def test_a_tie_where_ties_are_impossible_is_a_fault(machine: Machine) -> None:
    hand = "n becomes 1\nfor p in players, highest m first, ties impossible:\n    n becomes 2"
    assert fault(machine.begun(hand)) == ("tie", 1, 1)
    assert machine.begun(hand, variables={("m", 0): 1, ("m", 1): 2}).fault is None


def test_numbers_cards_and_rounds_are_gone_through_in_their_order(machine: Machine) -> None:
    assert machine.n_after("for q in 3 to 6:\n    n becomes n * 10 + q") == 3456
    assert machine.n_after("for q in 3 to 2:\n    n becomes 1") == 0
    assert machine.n_after("repeat 3 times:\n    n becomes n * 2 + 1") == 7
    hand = "for c in cards in deck with suit = hearts:\n    n becomes n * 10 + height of c"
    assert machine.n_after(hand) == 123
    highest = hand.replace("hearts:", "hearts, highest height first, ties impossible:")
    assert machine.n_after(highest) == 3210


def test_what_is_gone_through_is_settled_before_the_first_round(machine: Machine) -> None:
    assert machine.n_after("n becomes 2\nfor q in 1 to n:\n    n becomes n * 10 + q") == 212
    assert (
        machine.n_after("for p in players with m = 0:\n    m of left of p becomes 1\n    n becomes n + 1")
        == 3
    )


def test_until_looks_before_each_round(machine: Machine) -> None:
    assert machine.n_after("repeat until n >= 5:\n    n becomes n + 2") == 6
    assert machine.n_after("n becomes 9\nrepeat until n >= 5:\n    n becomes 0") == 9
    assert machine.n_after("repeat until n = 4, at most 4 times:\n    n becomes n + 1") == 4


def test_the_bound_of_a_loop_is_a_fault_at_the_loop(machine: Machine) -> None:
    assert fault(machine.begun("n becomes 1\nrepeat until yes, at most 4 times:\n    n becomes n + 1")) == (
        "loop-bound",
        1,
        1,
    )
    assert fault(machine.begun("repeat until yes:\n    nothing happens")) == ("loop-bound", 0, 1)
    assert fault(machine.begun("repeat until yes, at most 0 - 1 times:\n    nothing happens")) == (
        "loop-bound",
        0,
        1,
    )


def test_a_bound_that_grows_is_no_way_out(machine: Machine) -> None:
    assert fault(machine.begun("n becomes 1\nrepeat until yes, at most n times:\n    n becomes n + 1")) == (
        "loop-bound",
        1,
        1,
    )


# ---------------------------------------------------------------------------------------------- choices


def test_simultaneous_choices_are_all_made_before_any_card_moves(machine: Machine) -> None:
    hand = DEAL + "for p in players, simultaneously:\n    p passes 1 card of hand to left of p as one"
    state = machine.begun(hand, chance=IN_ORDER)
    decisions = []
    for card in (4, 8, 0):
        decisions.append((decision(state).player, decision(state).legal))
        assert not state.events
        state = machine.apply(state, frozenset({card}))
    assert decisions == [(1, (4, 5, 6, 7)), (2, (8, 9, 10, 11)), (0, (0, 1, 2, 3))]
    assert [set(state.cards("hand", p)) for p in range(3)] == [
        {1, 2, 3, 8},
        {5, 6, 7, 0},
        {9, 10, 11, 4},
    ]
    assert [(e["player"], e["to"], e["card"]) for e in events_json(state)] == [
        (1, 2, "2D"),
        (2, 0, "2H"),
        (0, 1, "2C"),
    ]


def test_or_none(machine: Machine) -> None:
    state = machine.begun("dealer chooses trump from suits or none with trump != hearts")
    assert decision(state).legal == (0, 1, None)
    assert events_json(machine.apply(state, None)) == [{"event": "trump", "player": 0, "suit": None}]
    assert machine.apply(state, None).variable("trump") is None
    alone = machine.begun("dealer chooses trump from suits or none with trump = none")
    assert decision(alone).legal == (None,)


def test_a_condition_speaks_of_the_candidate(machine: Machine) -> None:
    """The dealer's hook: bids may not add up to the tricks of the hand."""
    hand = (
        "for p in players:\n    p chooses m of p from 0 to 3 with (p != dealer or sum of m for players != 3)"
    )
    state = machine.begun(hand)
    state = machine.apply(machine.apply(state, 1), 0)
    assert decision(state).player == 0
    assert decision(state).legal == (0, 1, 3)
    with pytest.raises(ValueError, match="legal"):
        machine.apply(state, 2)
    assert [machine.apply(state, 3).variable("m", p) for p in range(3)] == [3, 1, 0]


def test_options_and_truth_values_are_chosen(machine: Machine) -> None:
    state = machine.begun(
        "dealer chooses said of dealer\ndealer chooses yes with (said of dealer = double or not yes)"
    )
    assert decision(state).legal == (0, 1, 2)
    assert decision(machine.apply(state, 0)).legal == (False,)
    done = machine.apply(machine.apply(state, 2), True)
    assert events_json(done) == [
        {"event": "said", "player": 0, "option": "double"},
        {"event": "yes", "player": 0, "answer": True},
    ]


@pytest.mark.parametrize(
    ("selection", "low", "high"),
    [
        ("1 card of hand", 1, 1),
        ("3 cards of hand", 3, 3),
        ("up to 9 cards of hand", 0, 4),
        ("between 1 and 2 cards of hand", 1, 2),
        ("any number of cards of hand", 0, 4),
        ("any number of cards of hand with rank > three", 0, 2),
    ],
)
def test_how_many_cards_are_asked_for(machine: Machine, selection: str, low: int, high: int) -> None:
    waiting = decision(machine.begun(DEAL + f"dealer lays {selection}", chance=IN_ORDER))
    assert (waiting.low, waiting.high) == (low, high)
    assert waiting.single == (selection == "1 card of hand")


def test_nothing_is_asked_where_nothing_can_be_chosen(machine: Machine) -> None:
    state = machine.begun(
        DEAL + "dealer lays 0 cards of hand as kept of dealer\nn becomes 1", chance=IN_ORDER
    )
    assert state.variable("n") == 1
    assert state.events == ()


def test_a_choice_that_nobody_can_make_is_a_fault(machine: Machine) -> None:
    state = machine.begun(DEAL + "dealer lays 1 card of hand with suit = hearts", chance=IN_ORDER)
    assert fault(state) == ("no-legal-choice", 3, 1)
    assert state.fault is not None
    assert state.fault.label == "lay"
    assert fault(machine.begun("dealer chooses n from 1 to 3 with n > 3"))[0] == "no-legal-choice"
    assert fault(machine.begun("dealer lays between 2 and 1 cards of hand"))[0] == "bad-number"
    assert fault(machine.begun("dealer lays up to 0 - 1 cards of hand"))[0] == "bad-number"


def test_the_rule_that_limits_a_choice_is_named(machine: Machine) -> None:
    rules = "may: {of: player p, rule: cards in hand with rank > two, assumes: x}\n"
    waiting = decision(machine.begun(DEAL + "dealer lays 1 card of may of dealer", rules, chance=IN_ORDER))
    assert (waiting.rule, waiting.legal) == ("may", (1, 2, 3))


# ----------------------------------------------------------------------------------- moves and events


def test_moves_are_told_and_puts_are_not(machine: Machine) -> None:
    hand = DEAL + (
        "dealer gives cards in hand of dealer with rank > three to left of dealer as gift(dealer, left of dealer)\n"
        "dealer shows gift(dealer, left of dealer) to right of dealer\n"
        "put hand of right of dealer into table\n"
        "dealer lays cards in hand with rank > ace-like\n"
        "announce seen: cards table, player dealer, scores score, number n"
    )
    rules = "ace-like: {rule: five, assumes: x}\n"
    state = machine.begun(hand, rules, chance=IN_ORDER)
    assert events_json(state) == [
        {"event": "give", "player": 0, "to": 1, "cards": ["4C", "5C"]},
        {"event": "show", "player": 0, "to": 2, "cards": ["4C", "5C"]},
        {
            "event": "seen",
            "cards": ["2H", "3H", "4H", "5H"],
            "player": 0,
            "scores": [0, 0, 0],
            "number": 0,
        },
    ]
    assert state.cards("hand", 1) == (4, 5, 6, 7, 2, 3)


def test_sets_held_by_each_player_are_told_as_lists(machine: Machine) -> None:
    hand = DEAL + "kept of dealer becomes hand of dealer\nannounce seen: kept kept"
    assert events_json(machine.begun(hand, chance=IN_ORDER)) == [
        {"event": "seen", "kept": [["2C", "3C", "4C", "5C"], [], []]}
    ]


def test_a_card_cannot_be_moved_from_where_it_is_not(machine: Machine) -> None:
    hand = DEAL + "dealer lays cards in hand of left of dealer from hand of dealer"
    assert fault(machine.begun(hand, chance=IN_ORDER)) == ("cards-not-there", 3, 1)


def test_shuffling_gathers_all_cards(machine: Machine) -> None:
    state = machine.begun(DEAL + "put hand of dealer into table\nshuffle")
    assert sorted(state.cards("deck")) == list(range(12))
    assert state.cards("table") == ()


def test_dealing_more_than_there_is_is_a_fault(machine: Machine) -> None:
    assert fault(machine.begun("shuffle\ndeal 13 cards to hand of dealer")) == ("deck-empty", 1, 1)
    assert fault(machine.begun("shuffle\ndeal 0 - 1 cards to hand of dealer")) == ("deck-empty", 1, 1)
    assert machine.begun("shuffle\ndeal the rest to hand of dealer\ndeal the rest to table").fault is None


# ------------------------------------------------------------------------------------ calls and values


def test_a_procedure_works_with_what_it_was_given(machine: Machine) -> None:
    """Not with what the same words would mean after it has changed something."""
    rules = """
    promote:
      of: player p
      rule: |
        m of p becomes m of p + 10
        n becomes m of p
      assumes: x
    """
    values = {("m", 0): 1, ("m", 1): 2}
    state = machine.begun("do promote of only player in players with m = 2", rules, values)
    assert state.fault is None
    assert state.variable("n") == 12
    state = machine.begun("who becomes dealer\ndo pass-on of who", PASS_ON)
    assert [state.variable("m", p) for p in range(3)] == [1, 0, 0]


PASS_ON = """
pass-on:
  of: player p
  rule: |
    who becomes left of p
    m of p becomes 1
  assumes: x
"""


def test_sets_given_to_a_procedure_are_kept_too(machine: Machine) -> None:
    rules = """
    drop:
      of: cards these
      rule: |
        dealer lays 1 card of these from hand of dealer
        n becomes number of these
      assumes: x
    """
    hand = DEAL + "do drop of (cards in hand of dealer with rank > three)"
    state = machine.begun(hand, rules, chance=IN_ORDER)
    assert decision(state).legal == (2, 3)
    assert machine.apply(state, [2]).variable("n") == 2


def test_readings_are_fixed_for_a_match(machine: Machine) -> None:
    rules = """
    share:
      readings:
        - {name: small, says: small, rule: 1}
        - {name: large, says: large, rule: 100}
      assumes: x
    """
    program = game("n becomes share", rules).program
    assert [machine.start(program, readings=taken).variable("n") for taken in ({}, {"share": 1})] == [1, 100]


def test_parameters_are_the_first_value_unless_given(machine: Machine) -> None:
    program = game("n becomes goal").program
    assert [machine.start(program, parameters=given).variable("n") for given in ({}, {"goal": 20})] == [
        10,
        20,
    ]


def test_what_a_rule_leaves_open_is_a_fault_when_it_is_needed(machine: Machine) -> None:
    rules = "lead: {silent: nobody says}\n"
    assert fault(machine.begun("n becomes 1\nleader becomes lead", rules)) == ("unspecified", 1, 16)
    assert fault(machine.begun("do trump"))[0] == "unspecified"
    assert machine.begun("if yes:\n    do trump").fault is None
    silent = machine.begun("if end:\n    n becomes 7", "end: {silent: nobody says}\n")
    assert (silent.fault, silent.variable("n")) == (None, 0)


FAULTY = [
    ("not-single", "one becomes only card in hand of dealer"),
    ("not-single", "who becomes only player in players"),
    ("empty-extreme", "n becomes highest m among players with m > 0"),
    ("empty-extreme", "n becomes lowest m among players with m > 0"),
    ("no-card", "trump becomes suit of one"),
    ("no-card", "n becomes height of one"),
    ("nobody", "n becomes m of who"),
    ("nobody", "m of who becomes 1"),
    ("nobody", "who becomes left of who"),
    ("nobody", "held becomes hand of who"),
    ("nobody", "put deck into hand of who"),
    ("nobody", "put hand of who into deck"),
    ("nobody", "who chooses trump"),
    ("nobody", "who lays 1 card of deck"),
    ("nobody", "dealer gives 1 card of deck to who"),
    ("nobody", "dealer gives deck to who"),
    ("nobody", "who gives deck to dealer"),
    ("nobody", "who shows deck to everyone"),
    ("nobody", "deal 1 card to hand of who"),
    ("nobody", "announce x: cards hand of who"),
    ("nobody", "for p in players, clockwise from who:\n    n becomes 1"),
    ("nobody", "yes becomes best > two"),
    ("nobody", "best becomes highest best among players"),
    ("nobody", "held becomes cards with the highest best among deck"),
    ("nobody", "held becomes top 1 of deck by best"),
    ("nobody", "for p in players, highest best first, ties open:\n    n becomes 1"),
    ("bad-number", "n becomes 3 div n"),
    ("bad-number", "n becomes 3 mod n"),
    ("bad-number", "held becomes top 13 of deck by height"),
    ("bad-number", "held becomes top (0 - 1) of deck by height"),
    ("unspecified", "leader becomes lead"),
    ("loop-bound", "repeat until yes:\n    n becomes 1"),
    ("no-legal-choice", "dealer chooses n from 2 to 1"),
    ("deck-empty", "deal 13 cards to table"),
    ("cards-not-there", "put deck from table into discards"),
    ("tie", "for p in players, highest m first, ties impossible:\n    n becomes 1"),
]


@pytest.mark.parametrize(("kind", "hand"), FAULTY)
def test_faults(machine: Machine, kind: str, hand: str) -> None:
    state = machine.begun(hand)
    assert fault(state)[:2] == (kind, 0)
    assert state.decision is None
    assert not state.hand_over
    assert kind in FAULTS


def test_every_kind_of_fault_is_tried() -> None:
    assert {kind for kind, _ in FAULTY} == set(FAULTS)


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("7 div 2", 3),
        ("(0 - 7) div 2", -4),
        ("(0 - 7) mod 2", 1),
        ("-3 - -4", 1),
        ("2 + 3 * 4", 14),
        ("larger(3, 4) - smaller(3, 4)", 1),
        ("number of players other than dealer", 2),
        ("number of ranks", 4),
        ("sum of height for deck", 18),
        ("highest height among deck", 3),
        ("lowest (0 - height of card) among deck", -3),
        ("number of cards with the highest rank among deck", 3),
        ("number of cards in top 5 of deck by height", 5),
        ("number of (deck + hand of dealer - cards in deck with suit = clubs)", 8),
        ("number of union of hand for players", 0),
        ("number of highest of deck matching cards in deck with rank = two", 3),
        ("sum of height for highest of deck matching cards in deck with rank = two", 9),
        ("sum of height for lowest of deck matching cards in deck with rank = five", 0),
        ("if yes or no player has m > 0 then 1 else 0", 1),
        ("if every card in hand of dealer has rank = two then 1 else 0", 1),
        ("if 2C in deck and 2C not in hand of dealer and who = none then 1 else 0", 1),
        ("if deck is empty or hand of dealer is not empty then 1 else 0", 0),
        ("if opposite of dealer = left of dealer then 1 else 0", 1),
    ],
)
def test_values(machine: Machine, value: str, result: int) -> None:
    assert machine.n_after(f"n becomes {value}") == result


def test_and_or_stop_when_decided(machine: Machine) -> None:
    assert (
        machine.n_after(
            "if yes and m of who = 1:\n    n becomes 1\nelse if not yes or m of who = 1:\n    n becomes 2"
        )
        == 2
    )


def test_a_deal_of_a_seed_can_be_made_elsewhere(machine: Machine) -> None:
    """As docs/vectors.md says; no seed deals otherwise under another Python."""
    program = bundled("pagat").program
    digest = hashlib.shake_128(b"7/0").digest(8 * 52)
    keys = [int.from_bytes(digest[8 * i : 8 * i + 8], "little") for i in range(52)]
    deck = tuple(sorted(range(52), key=keys.__getitem__))
    state = machine.start(program, Chance(7))
    assert state.cards("hand", 1) == deck[:16]
    assert " ".join(program.deck.cards[card] for card in deck[:6]) == "4C KC KH JS 8S 9D"
