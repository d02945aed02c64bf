"""Our hearts judged by OpenSpiel's: the same deal, the same passes and plays, decision by decision.

Law: with the same cards passed the same way OpenSpiel asks the same players in the same order, allows them the same
cards, and counts the same points against each at the end of the deal.  Its options are set to what our pages say:
hearts are broken by hearts, not by the queen of spades.

Players pass at once; OpenSpiel asks player 0 first, card by card, so that it hears of passes when all are made.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from checker.adapters.openspiel_hands import Cards, asked, deal, loaded
from checker.adapters.referee import chosen_at_random, watch
from trickproof_dsl import Ruleset
from trickproof_dsl.compiled.machine import apply, start
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value

pyspiel = pytest.importorskip("pyspiel")

FILE = Path(__file__).parents[3] / "rulesets/games/hearts.yaml"

OPTIONS = {
    "pass_cards": True,
    "no_pts_on_first_trick": True,
    "can_lead_any_club": False,
    "jd_bonus": False,
    "avoid_all_tricks_bonus": False,
    "must_break_hearts": True,
    "qs_breaks_hearts": False,
    "can_lead_hearts_instead_of_qs": False,
}

BY_SEATS = {"to-the-left": 1, "across": 2, "to-the-right": 3, "nowhere": 0}
"""How many seats clockwise cards are passed: OpenSpiel's number for the direction."""

CYCLE = ("to-the-left", "to-the-right", "across", "nowhere")
"""The directions deal by deal, computed here and not by our rules."""


class OpenSpielHearts:
    """OpenSpiel's game as a referee for ours."""

    def __init__(self, ruleset: Ruleset, **options: bool) -> None:
        self.game: Any = pyspiel.load_game("hearts", OPTIONS | options)
        self.hand, self.moons = 0, 0
        state = self.game.new_initial_state()
        state.apply_action(0)
        self.cards = Cards(ruleset, state)

    def begin(self, state: State) -> None:
        first = state.variable("first-hand")
        self.hand = 0 if first else self.hand + 1
        self.before = [state.variable("score", p) for p in range(4)]
        self.state: Any = self.game.new_initial_state()
        self.state.apply_action(BY_SEATS[CYCLE[self.hand % 4]])
        deal(self.state, self.cards, state)
        self.passed: dict[int, list[int]] = {}

    def asked(self, state: State, decision: Decision) -> None:
        if decision.label == "play":
            asked(self.state, decision, self.cards.actions(decision.legal))
        else:
            direction = BY_SEATS[CYCLE[self.hand % 4]]
            assert decision.label == "pass"
            assert direction, "nobody passes in this hand"
            assert decision.to == (decision.player + direction) % 4
            assert (decision.low, decision.high) == (3, 3)
            assert self.cards.actions(decision.legal) == self._hand_there(decision.player)

    def _hand_there(self, player: int) -> list[int]:
        """What a player can pass there, even before that player's turn: the others first pass anything."""
        copy = self.state.clone()
        while copy.current_player() != player:
            copy.apply_action(copy.legal_actions()[0])
        return sorted(copy.legal_actions())

    def chosen(self, decision: Decision, choice: Value) -> None:
        if decision.label == "play":
            self.state.apply_action(*self.cards.actions(choice))
            return
        self.passed[decision.player] = self.cards.actions(choice)
        if len(self.passed) == 4:
            for player in range(4):
                for card in self.passed[player]:
                    assert self.state.current_player() == player
                    self.state.apply_action(card)

    def ended(self, state: State) -> None:
        assert self.state.is_terminal(), "the hand goes on there"
        against = [26 - int(points) for points in self.state.returns()]
        assert [state.variable("score", p) - self.before[p] for p in range(4)] == against
        self.moons += sum(against) == 78


def hearts(*replaced: tuple[str, str]) -> Ruleset:
    return loaded(str(FILE), FILE.read_text("utf-8"), *replaced)


def agree(ruleset: Ruleset, seed: int, hands: int, **options: bool) -> tuple[int, int]:
    """The law, for random deals; returns the number of decisions compared and the number of moons shot."""
    referee = OpenSpielHearts(ruleset, **options)
    decisions = watch(ruleset, referee, seed, hands)
    return decisions, referee.moons


def test_openspiel_agrees() -> None:
    decisions, _ = agree(hearts(), 1, 60)
    assert decisions >= 60 * 52 + 40 * 4


@pytest.mark.slow
def test_openspiel_agrees_in_ten_thousand_hands() -> None:
    decisions, moons = agree(hearts(), 2, 10_000)
    assert decisions > 10_000 * 54
    assert moons > 0


BROKEN_BY_THE_QUEEN = (
    "some player has (some card in tricks-taken has suit = hearts)",
    "some player has (some card in tricks-taken has (suit = hearts or card = QS))",
)


def test_the_queen_may_break_hearts() -> None:
    """Another convention, which OpenSpiel offers as an option: nothing differs except that rule."""
    agree(hearts(BROKEN_BY_THE_QUEEN), 3, 60, qs_breaks_hearts=True)
    ruleset = hearts()
    with pytest.raises(AssertionError, match="other options are legal"):
        agree(ruleset, 3, 60, qs_breaks_hearts=True)


FAULTS = {
    "no need to follow": ("then cards in hand with suit = led\n      else if", "then hand\n      else if"),
    "the lowest card wins": ("the highest rank of played", "the lowest rank of played"),
    "any suit wins": ("highest rank of played among players with suit of played = led", "highest rank of played"),
    "the dealer's left leads": ("rule: only player in players with 2C in hand", "rule: left of dealer"),
    "the two of clubs is not forced": ("if 2C in hand\n      then cards in hand with card = 2C\n      else if", "if"),
    "hearts are never broken": ("= hearts) or hearts-broken", "= hearts)"),
    "hearts need not be broken": ("else if (every card in hand has suit = hearts) or hearts-broken", "else if true"),
    "points on the first trick": ("else if first-trick and some card", "else if false and some card"),
    "the queen on the first trick": ("with worth = 0\n      else hand", "with suit != hearts\n      else hand"),
    "passed to the wrong side": ("then left of p\n", "then right of p\n"),
    "across before right": ("then to-the-right\n      else if passing = to-the-right\n      then across\n      else if passing = across",
                            "then across\n      else if passing = across\n      then to-the-right\n      else if passing = to-the-right"),
    "the queen is worth twelve": ("then 13 else", "then 12 else"),
    "two cards are passed": ("p passes 3 cards", "p passes 2 cards"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_in_the_rules_are_found(fault: str) -> None:
    ruleset = hearts(FAULTS[fault])
    with pytest.raises(AssertionError):
        agree(ruleset, 4, 60)


MOON = ("AC KC QC JC TC 9C 8C AH KH QH JH TH 9H", "2C 3C", "4C 5C", "6C 7C")
"""Player 0 takes every trick, whatever the others play; the other cards are dealt in turn."""


def shot(ruleset: Ruleset) -> list[int]:
    """The points of a deal without passing in which player 0 takes everything."""
    program, referee = ruleset.program, OpenSpielHearts(ruleset)
    codes = program.deck.cards
    hands = [[codes.index(code) for code in hand.split()] for hand in MOON]
    rest = [card for card in range(52) if not any(card in hand for hand in hands)]
    for hand in hands[1:]:
        while len(hand) < 13:
            hand.append(rest.pop())
    given = {("hand", p): tuple(hand) for p, hand in enumerate(hands)}
    nowhere = program.options["direction"].index("nowhere")
    begun = {("passing",): nowhere, ("first-hand",): False}
    state, referee.hand, chance = start(program, Chance(given=given), {}, {}, begun), 2, Random(1)
    referee.begin(state)
    while (decision := state.decision) is not None:
        referee.asked(state, decision)
        choice = chosen_at_random(decision, chance)
        referee.chosen(decision, choice)
        state = apply(state, choice)
    referee.ended(state)
    return [state.variable("score", p) for p in range(4)]


def test_a_moon_that_is_counted_wrongly_is_found() -> None:
    """Moons are rare, so one is dealt."""
    assert shot(hearts()) == [0, 26, 26, 26]
    for old, new in (
        ("+ 26\n", "+ 25\n"),
        ("if moon:", "if false:"),
        ("with points = 0", "with points = 26"),
    ):
        ruleset = hearts((old, new))
        with pytest.raises(AssertionError):
            shot(ruleset)
