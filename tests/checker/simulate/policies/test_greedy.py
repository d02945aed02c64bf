"""Greedy players decide as a sensible person would: in situations made up, and in whole hands looked at from outside.

What must come of the hands is worked out again here in plain Python, from the cards alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from unittest.mock import patch

import pytest

from agreement.simulated import noted, replayed, state_of
from budget import RUN
from checker.rulesets_for_tests import documented, house, rule
from dsl.small_games import game
from trickproof.analysis.target_met import stops_at_target
from trickproof.simulate.backends.python import python_function, python_source
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import PYTHON
from trickproof.simulate.ir.instructions import load, op
from trickproof.simulate.lowering import trace as n
from trickproof.simulate.lowering.choices import CardChoice, ValueOptions
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.lowering.expressions import ExpressionLowering
from trickproof.simulate.lowering.fault_codes import FaultCodes
from trickproof.simulate.lowering.random_numbers import CHOICES
from trickproof.simulate.policies.greedy import GreedyPolicy
from trickproof.simulate.runtime.kernel import Kernel
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.statistics.estimates import Counts
from trickproof.testing.greedy_player import greedy_player
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, start
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.chance import Chance

PAGAT = documented("pagat").program
DECK = PAGAT.deck
LAYOUT = DataLayout(PAGAT)

# ------------------------------------------------------------------------------------------ situations made up


def mask(cards: str) -> int:
    """Cards like `AS KS` as the simulator has them."""
    return LAYOUT.mask(DECK.cards.index(card) for card in cards.split())


def told(word: int) -> str:
    return " ".join(sorted(DECK.cards[card] for card in LAYOUT.cards(word)))


@contextmanager
def told_to_stop(stops: bool) -> Iterator[None]:
    """Within, the policy takes rules as such in which tricks over the target gain nothing, or something."""
    with patch("trickproof.simulate.policies.greedy.stops_at_target", return_value=stops):
        yield


@cache
def decider(label: str, stops: bool = True) -> Callable[..., int]:
    """What the policy writes for the first decision of that label, as a function of the player's situation."""
    choices = (x for x in walk(PAGAT.hand) if isinstance(x, c.Choice))
    t = next(x for x in choices if x.label == label)
    arrays = [f"v.{name}" for name in ("played", "led", "trump", "tricks", "target")] + ["z.hand"]
    b = Builder((*arrays, "asked", "out"))
    v = ExpressionLowering(PAGAT, LAYOUT, b, FaultCodes())
    domain, number = (b.let(load("asked", i)) for i in range(2))
    if isinstance(t, c.ChooseValue):
        chosen = GreedyPolicy().value(v, t, 0, ValueOptions(0, domain, True, b.let(op("count", domain))))
    else:
        low = 1 if t.single else number
        with told_to_stop(stops):
            chosen = GreedyPolicy().cards(v, t, CardChoice(0, domain, low, 13, t.single, None))
    b.store("out", 0, chosen)
    run = python_function(b.routine)

    def decide(domain: int, number: int, **given: Sequence[int]) -> int:
        words = {
            "v.played": [-1] * 3,
            "v.led": [-1],
            "v.trump": [-1],
            "v.tricks": [0] * 3,
            "v.target": [1] * 3,
        }
        words |= {"z.hand": [domain] * 3} | {f"{k[0]}.{k[2:]}": list(x) for k, x in given.items()}
        out = [0]
        run(*(words[name] for name in arrays), [domain, number], out)
        return out[0]

    return decide


def card_played(
    hand: str, table: str, trump: str, tricks: int, free: bool = False, stops: bool = True
) -> str:
    """The card that a player with a target of 1 plays to the cards on the table, the first of them led.

    He must follow suit unless he is free to play what he likes.
    """
    played = [LAYOUT.positions[DECK.cards.index(card)] for card in table.split()]
    led = played[0] // LAYOUT.stride if played else 2
    suited = [card for card in hand.split() if played and not free and card[1] == DECK.suit_letters[led]]
    return told(
        decider("play", stops)(
            mask(" ".join(suited) or hand),
            1,
            v_played=[-1, *played, *[-1] * (2 - len(played))],
            v_led=[led],
            v_trump=[DECK.suit_letters.index(trump) if trump else -1],
            v_tricks=[tricks, 5, 5],
        )
    )


WANTING = [
    ("KC QC AD 2H", "", "S", "AD"),  # the surest card
    ("AC AD KD 2H", "", "S", "AD"),  # of the longer suit
    ("AC AD", "", "S", "AC"),  # of the first suit
    ("AC QC 3C", "JC", "S", "QC"),  # as cheaply as possible
    ("AC QC 3C", "JC KC", "S", "AC"),
    ("9C 3C", "JC", "S", "3C"),
    ("AC 3C", "JC 2S", "S", "3C"),  # trumped already
    ("AD 5S 3S", "JC", "S", "3S"),
    ("AD 5S 3S", "JC 4S", "S", "5S"),
    ("AD 9D 3S", "JC 4S", "S", "9D"),  # trumps are kept
    ("AS 5S 3S", "KS", "S", "AS"),
    ("5S 3S", "KS", "S", "3S"),
    ("AD KH", "JC", "S", "KH"),
    ("AS KH 2D", "JC", "", "2D"),  # no trumps
]

HAVING = [
    ("AC 3D 2S", "", "S", "3D"),
    ("5S 3S", "", "S", "3S"),
    ("AC QC 3C", "KC", "S", "QC"),
    ("AC QC", "JC", "S", "QC"),  # there is no help
    ("AD 2H 5S", "JC", "S", "AD"),
    ("5S 3S", "JC", "S", "3S"),
    ("4D 3S 9S", "JC 5S", "S", "4D"),
    ("AC QC 3C", "JC 2S", "S", "AC"),
]


@pytest.mark.parametrize(("hand", "table", "trump", "card"), WANTING)
def test_a_player_below_his_target(hand: str, table: str, trump: str, card: str) -> None:
    assert card_played(hand, table, trump, tricks=0) == card


@pytest.mark.parametrize(("hand", "table", "trump", "card"), WANTING)
def test_a_player_who_has_his_target_wants_more_if_more_count(
    hand: str, table: str, trump: str, card: str
) -> None:
    assert card_played(hand, table, trump, tricks=1, stops=False) == card


@pytest.mark.parametrize(("hand", "table", "trump", "card"), HAVING)
def test_a_player_who_has_his_target(hand: str, table: str, trump: str, card: str) -> None:
    assert card_played(hand, table, trump, tricks=1) == card


@pytest.mark.parametrize(
    ("hand", "tricks", "card"),
    [("AS 9S 2C 3C", 0, "AS"), ("9S 2C 3C 4D", 0, "2C"), ("2C 9S KD", 1, "KD"), ("2C AS", 1, "AS")],
)
def test_a_player_who_need_not_follow_suit(hand: str, tricks: int, card: str) -> None:
    assert card_played(hand, "JS", "C", tricks, free=True) == card


@pytest.mark.parametrize(
    ("hand", "trump", "number", "cards"),
    [
        ("AC 2D 3D 5H 6H 7H KS QS", 3, 2, "2D 3D"),
        ("AC 2D 3D 5H 6H 7H KS QS", 3, 4, "2D 3D 5H 6H"),
        ("KC 4D 3D 5H 6H 7H KS QS", -1, 2, "3D KC"),
        ("AC AD KS 2S 3S", 3, 3, "2S AC AD"),  # nothing else is left
        ("AC KC 2S", 3, 1, "KC"),
        ("2C 3C", 0, 2, "2C 3C"),
        ("2C 3C", 0, 0, ""),
    ],
)
@pytest.mark.parametrize("label", ["discard", "give"])
def test_cards_that_are_not_wanted(label: str, hand: str, trump: int, number: int, cards: str) -> None:
    assert told(decider(label)(mask(hand), number, v_trump=[trump])) == cards


@pytest.mark.parametrize(
    ("hand", "offered", "suit"),
    [
        ("2C 3C 4C 5D 6D 2H 3S", 0b1111, 0),
        ("2C 3C 4C AD KD 2H 3S", 0b1111, 1),
        ("2C 3C 4C 5C 6C AD KD QD JD", 0b1101, 0),
        ("2C 3C 4D 5D", 0b1111, 0),
        ("2C", 0b1100, 2),
        ("2C", 0, -1),
    ],
)
def test_the_suit_that_is_chosen(hand: str, offered: int, suit: int) -> None:
    assert decider("trump")(offered, 1, z_hand=[mask(hand)]) == suit


# ----------------------------------------------------------------------------------------------- in whole hands


@dataclass(frozen=True)
class Play:
    """A card played: what the player knows, and the card."""

    legal: frozenset[int]
    table: tuple[int, ...]
    trump: int
    sated: bool
    card: int

    def takes(self, card: int) -> bool:
        """Whether a card beats all those on the table."""
        return all(self.height(card) > self.height(x) for x in self.table)

    def height(self, card: int) -> tuple[bool, bool, int]:
        return suit(card) == self.trump, suit(card) == suit(self.table[0]), rank(card)

    def price(self, card: int) -> tuple[bool, int]:
        """What it costs to part with a card."""
        return suit(card) == self.trump, rank(card)


@dataclass(frozen=True)
class Hand:
    """What greedy players did in a hand."""

    seen: frozenset[int]
    """The dealer's cards when he chooses trump."""
    trump: int
    held: frozenset[int]
    """His cards when he discards."""
    thrown: frozenset[int]
    plays: tuple[Play, ...]


def suit(card: int) -> int:
    return DECK.card_suit[card]


def rank(card: int) -> int:
    return DECK.card_rank[card]


@cache
def hands(stops: bool = True) -> list[Hand]:
    with told_to_stop(stops):
        kernel = Kernel(PAGAT, ("greedy",), PYTHON, traced=True)
    return [in_hand(hand.notes) for hand in noted(kernel, 11, 120)]


def in_hand(notes: Sequence[tuple[int, ...]]) -> Hand:
    """From the choice of trump on: a state, the choice, a state, the discard, a state, the cards played."""
    at = next(i for i, note in enumerate(notes) if note[0] == n.VALUE)
    before, then, last = (state_of(LAYOUT, notes[i]) for i in (at - 1, at + 1, at + 3))
    dealer, trump = notes[at][1], notes[at][-1]
    seen, held = before["hand", dealer], then["hand", dealer]
    assert isinstance(seen, frozenset)
    assert isinstance(held, frozenset)
    target = [int(last["target", p] or 0) for p in range(3)]
    thrown = LAYOUT.cards(notes[at + 2][-1])
    played = tuple(plays(notes[at + 4 : at + 52], (dealer + 1) % 3, trump, target))
    return Hand(seen, trump, held, thrown, played)


def plays(notes: Sequence[tuple[int, ...]], leader: int, trump: int, target: Sequence[int]) -> Iterator[Play]:
    """The cards of a hand, its tricks counted again."""
    tricks = [0, 0, 0]
    for first in range(0, len(notes), 3):
        table: list[int] = []
        for i, (_, player, legal, _, _, chosen) in enumerate(notes[first : first + 3]):
            assert player == (leader + i) % 3
            (card,) = LAYOUT.cards(chosen)
            sated = tricks[player] >= target[player]
            yield Play(LAYOUT.cards(legal), tuple(table), trump, sated, card)
            table.append(card)
        winner = max(table, key=Play(frozenset(), tuple(table), trump, False, 0).height)
        leader = (leader + table.index(winner)) % 3
        tricks[leader] += 1


def test_trump_is_a_long_or_strong_suit() -> None:
    for hand in hands():
        worth = [sum(4 + max(0, rank(x) - 8) for x in hand.seen if suit(x) == s) for s in range(4)]
        assert hand.trump == worth.index(max(worth))


def test_discards_void_suits_and_keep_trumps_and_aces() -> None:
    for hand in hands():
        assert len(hand.thrown) == 4
        small = {x for x in hand.held if suit(x) != hand.trump and rank(x) < 12}
        assert hand.thrown <= small
        lanes = [[x for x in sorted(small, key=rank) if suit(x) == s] for s in range(4)]
        length = [sum(suit(x) == s for x in hand.held) for s in range(4)]
        taken = [sum(suit(x) == s for x in hand.thrown) for s in range(4)]
        assert hand.thrown == {x for lane, number in zip(lanes, taken, strict=True) for x in lane[:number]}
        assert sum(0 < number < len(lane) for lane, number in zip(lanes, taken, strict=True)) <= 1
        untouched = [length[s] for s in range(4) if lanes[s] and not taken[s]]
        assert all(length[s] <= other for s in range(4) if taken[s] for other in untouched)


def test_leads() -> None:
    for play in (p for hand in hands() for p in hand.plays if not p.table):
        wanted = min(map(play.price, play.legal)) if play.sated else max(map(rank, play.legal))
        assert wanted == (play.price(play.card) if play.sated else rank(play.card))


@pytest.mark.parametrize("stops", [True, False])
def test_whoever_wants_tricks_plays_the_cheapest_winner(stops: bool) -> None:
    seen = [0, 0]
    for play in (p for hand in hands(stops) for p in hand.plays if p.table and not (stops and p.sated)):
        winners = [x for x in play.legal if play.takes(x)]
        seen[bool(winners)] += 1
        assert play.price(play.card) == min(map(play.price, winners or play.legal))
        assert play.takes(play.card) == bool(winners)
    assert min(seen) > 300


def test_who_has_his_target_does_not_take_more_than_he_must() -> None:
    seen = [0, 0]
    for play in (p for hand in hands() for p in hand.plays if p.table and p.sated):
        losers = [x for x in play.legal if not play.takes(x)]
        seen[bool(losers)] += 1
        assert play.takes(play.card) == (not losers)
        if losers:
            assert rank(play.card) == max(map(rank, losers))
        else:
            assert play.price(play.card) == min(map(play.price, play.legal))
    assert min(seen) > 30


@pytest.mark.parametrize(
    ("name", "stops"), [("pagat", False), ("nine-five-two", False), ("oh-hell", True), ("whist", False)]
)
def test_the_rules_say_whether_more_tricks_than_the_target_count(name: str, stops: bool) -> None:
    assert stops_at_target(documented(name).program) == stops


def test_a_trick_that_a_partner_is_winning_is_left_to_them() -> None:
    """In whist, where partners sit opposite each other; the player of `play`, which makes the same choices (test_session.py)."""
    player, program, left_to_them = greedy_player(), documented("whist").program, 0
    for deal in range(20):
        state = start(program, Chance(deal))
        while (decision := state.decision) is not None:
            choice = player(state, decision)
            trump, led = state.variables[("trump",)], state.variables[("led",)]
            heights = {
                p: (suit(card) == trump, suit(card) == led, rank(card))
                for p in range(4)
                if (card := state.variables["played", p]) is not None
            }
            if heights and max(heights, key=heights.__getitem__) == (decision.player + 2) % 4:
                left_to_them += 1
                cheapest = min((suit(x) == trump, rank(x)) for x in decision.legal)
                assert {(suit(x) == trump, rank(x)) for x in choice} == {cheapest}
            state = apply(state, choice)
    assert left_to_them > 100


# -------------------------------------------------------------------------------------------------- in the long run


def counted(name: str, *policies: str) -> Counts:
    kernel = Kernel(documented(name).program, policies)
    return Counts(kernel.compiled.counters, kernel.play(7, 0, 10**9, 2000).totals)


@pytest.mark.parametrize("seat", range(3))
def test_greedy_beats_random(seat: int) -> None:
    """In every seat; the greedy dealer by far."""
    policies = ["greedy" if s == seat else "random" for s in range(3)]
    before, after = counted("pagat", "random"), counted("pagat", *policies)
    assert after.met(seat).low > before.met(seat).high
    assert seat or after.tricks(0).low > before.tricks(0).high + 2


def test_three_greedy_players() -> None:
    found = counted("pagat", "greedy")
    assert 7.5 < found.tricks(0).mean < 8.5
    assert 0.02 < 1 / found.match_length().mean.mean < 0.06


def test_who_acts_may_be_said_in_any_words() -> None:
    """A dealer who comes from a rule that looks at all players discards as well as one who is named."""
    taker = "if number of (players with the lowest over) = 1 then dealer else dealer"
    kitty = "taker-of-it discards 4 cards of hand\ntaker-of-it picks-up kitty as picked-up\ndo reveal"
    worded = house(rule("taker-of-it", taker) + rule("kitty", kitty).removeprefix("rules:\n")).program
    totals = {Kernel(x, ("greedy",)).play(7, 0, 10**9, 200).totals for x in (PAGAT, worded)}
    assert len(totals) == 1


def draws(program: c.Program) -> bool:
    """Whether greedy players draw anything."""
    return CHOICES.replace(".", "_") in python_source(Kernel(program, ("greedy",), PYTHON).compiled.routine)


def test_nothing_is_drawn() -> None:
    assert not draws(PAGAT)


# ------------------------------------------------------------------------------------------------- other rulesets


def deck(ranks: str, suits: str) -> c.Program:
    return house(f"deck: {{ranks: {ranks}, suits: {suits}, assumes: a test}}").program


@pytest.mark.parametrize(
    ("ranks", "suits"),
    [
        ("2 3 4 5 6 7 8 9 T J Q K A U=usher V=vicar W=wizard", "C=clubs D=diamonds H=hearts S=spades"),
        ("2 3 4 5 6 7 8 9 T J Q K", "C=clubs D=diamonds H=hearts S=spades E=stars"),
    ],
)
@RUN
def test_large_decks(ranks: str, suits: str) -> None:
    """Words that are full to the last bit, and suits whose length is no power of two."""
    agreed(deck(ranks, suits), 60)


def agreed(program: c.Program, number: int) -> None:
    """The interpreter finds legal what greedy players do, and both forms count the same."""
    noting = Kernel(program, ("greedy",), PYTHON, traced=True)
    assert replayed(noting, noted(noting, 1, number)) >= number
    forms = {PYTHON, best_backend()}
    assert len({Kernel(program, ("greedy",), form).play(1, 0, 10**9, number).totals for form in forms}) == 1


CHOICES_MADE = [
    ("p lays 2 cards of hand", False),
    ("p lays 2 cards of hand of left of p", True),
    ("p discards 2 cards of hand blindly", True),
    ("p plays 1 card of hand as one", True),
    ("p chooses n from 1 to 3", True),
    ("p chooses trump", False),
    ("p chooses trump from suits or none with (some card in hand has suit = trump)", False),
]


@pytest.mark.parametrize(("choice", "drawn"), CHOICES_MADE)
def test_what_is_left_to_chance(choice: str, drawn: bool) -> None:
    program = game(f"""
        shuffle
        for p in players:
            deal 3 cards to hand of p
        for p in players:
            {choice}
        if some player has number of hand = 3:
            tricks of dealer becomes n
    """).program
    agreed(program, 20)
    assert draws(program) == drawn
