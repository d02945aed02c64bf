"""Our spades judged by OpenSpiel's: the same deal, the same bids and plays, decision by decision.

Law: OpenSpiel asks the same players in the same order, allows them the same bids and cards, and gives the same scores.
Its other conventions form a house rule over our game (`OPENSPIEL`), which replaces just these rules; where it
contradicts its own description, a separate test says so.

OpenSpiel plays one deal, in which player 0 bids first: it is told who does.  The bags of each side, which it reads off
the last digit of the score, are counted here from what it has returned before.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from budget import RUN
from checker.adapters.openspiel_hands import Cards, asked, deal, loaded
from checker.adapters.referee import watch
from trickproof_dsl import Ruleset
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value

pyspiel = pytest.importorskip("pyspiel")

FILE = Path(__file__).parents[3] / "rulesets/games/spades.yaml"
HOUSE = Path(__file__).parent / "spades-openspiel.yaml"

OPTIONS = {"use_mercy_rule": False, "win_threshold": 1_000_000, "win_or_loss_bonus": 0}
"""Only the score of the deal is returned."""

Lead = tuple[bool, int, int, int]
"""Whether a spade was played before; the spades that the leader holds, the cards held, and the spades that may be led."""

FIRST_BID = 52
"""OpenSpiel's number for a nil bid; the other bids follow."""


class OpenSpielSpades:
    """OpenSpiel's game as a referee for ours."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.game: Any = pyspiel.load_game("spades", OPTIONS)
        self.cards = Cards(ruleset, self.game.new_initial_state())
        self.bags = [0, 0]

    def begin(self, state: State) -> None:
        self.before = [state.variable("score", p) for p in range(4)]
        self.state: Any = self.game.new_initial_state()
        deal(self.state, self.cards, state)
        self.state.set_current_player((state.variable("dealer") + 1) % 4)
        if state.variable("first-hand"):
            self.bags = [0, 0]
        self.state.set_current_scores(self.bags)

    def asked(self, state: State, decision: Decision) -> None:
        asked(self.state, decision, sorted(self._actions(decision, decision.legal)))

    def chosen(self, decision: Decision, choice: Value) -> None:
        picked = choice if decision.label == "play" else [choice]
        self.state.apply_action(*self._actions(decision, picked))

    def _actions(self, decision: Decision, options: Any) -> list[int]:
        if decision.label == "play":
            return self.cards.actions(options)
        assert decision.label == "bid"
        return [FIRST_BID + bid for bid in options]

    def ended(self, state: State) -> None:
        assert self.state.is_terminal(), "the hand goes on there"
        ours = [state.variable("score", p) - self.before[p] for p in range(4)]
        theirs = [int(points) for points in self.state.returns()]
        assert ours == theirs, "the score differs"
        self.bags = [(bags + points) % 10 for bags, points in zip(self.bags, theirs[:2], strict=True)]


def spades(*replaced: tuple[str, str]) -> Ruleset:
    """Our game as published, optionally with replacements."""
    return loaded(str(FILE), FILE.read_text("utf-8"), *replaced)


def openspiel(*left_out: str) -> Ruleset:
    """Our game with OpenSpiel's conventions, except for some of them."""
    text = HOUSE.read_text("utf-8")
    head, *rules = text.split("\n  # ")
    kept = [rule for rule in rules if rule.split("\n")[0] not in left_out]
    assert len(kept) == len(rules) - len(left_out)
    return loaded(str(HOUSE), "\n  # ".join([head, *kept]))


def faulty(folder: Path, old: str, new: str) -> Ruleset:
    """OpenSpiel's conventions over our game with replacements."""
    text = FILE.read_text("utf-8")
    assert old in text, old
    (folder / "spades.yaml").write_text(text.replace(old, new), "utf-8")
    return loaded(str(folder / HOUSE.name), HOUSE.read_text("utf-8"))


def agree(ruleset: Ruleset, seed: int, hands: int) -> int:
    """The law, for random deals; returns the number of decisions compared."""
    return watch(ruleset, OpenSpielSpades(ruleset), seed, hands)


def test_openspiel_agrees() -> None:
    assert agree(openspiel(), 1, 60) == 60 * 56


@pytest.mark.slow
def test_openspiel_agrees_in_ten_thousand_hands() -> None:
    assert agree(openspiel(), 2, 10_000) == 10_000 * 56


DIFFERENCES = {
    "partners bid thirteen at most": "other options are legal",
    "spades are never broken": "other options are legal",
    "tricks of a nil count for the partner's bid": "the score differs",
}


@pytest.mark.parametrize("convention", DIFFERENCES)
def test_every_difference_is_needed(convention: str) -> None:
    """Without one of the house rules OpenSpiel disagrees."""
    ruleset = openspiel(convention)
    with pytest.raises(AssertionError, match=DIFFERENCES[convention]):
        agree(ruleset, 3, 60)


FAULTS = {
    "no need to follow": ("then cards in hand with suit = led else hand", "then hand else hand"),
    "the lowest spade wins": ("then players with the highest rank of played", "then players with the lowest rank of played"),
    "the lowest card wins": ("else players with the highest rank of played", "else players with the lowest rank of played"),
    "hearts are trumps": ("trump becomes spades", "trump becomes hearts"),
    "the dealer leads": ("lead:\n    rule: left of dealer", "lead:\n    rule: dealer"),
    "spades are led at will": ("= spades) or spades-broken", "= spades) or true"),
    "spades are forced": ("else cards in hand with suit != spades", "else cards in hand with suit = spades"),
    "nil is worth fifty": ("then 100 else -100", "then 50 else -50"),
    "nil that fails costs nothing": ("then 100 else -100", "then 100 else 0"),
    "a bid that fails costs nothing": ("else -10 * contract of p", "else 0 * contract of p"),
    "bags score nothing": ("+ new-bags of p - bag-penalty of p", "- bag-penalty of p"),
    "two bags are forgotten": ("mod 10\n", "mod 2\n"),
    "eleven bags cost a hundred": ("div 10)", "div 11)"),
}  # fmt: skip


@RUN
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_in_the_rules_are_found(fault: str, tmp_path: Path) -> None:
    ruleset = faulty(tmp_path, *FAULTS[fault])
    with pytest.raises(AssertionError):
        agree(ruleset, 4, 60)


def test_a_game_that_is_only_worded_otherwise_is_sound(tmp_path: Path) -> None:
    agree(faulty(tmp_path, "then 100 else -100", "then 100 else 0 - 100"), 4, 60)


# ------------------------------------------------------------------------------------ faults of OpenSpiel's


def finished(chance: Random, scores: int, bid: int) -> tuple[Any, list[Lead]]:
    """A random deal there with the given points per side and bids; and who led with what."""
    theirs = pyspiel.load_game("spades", OPTIONS).new_initial_state()
    hands: list[list[int]] = [[], [], [], []]
    for number, card in enumerate(chance.sample(range(52), 52)):
        theirs.apply_action(card)
        hands[number % 4].append(card)
    theirs.set_current_scores([scores, scores])
    for _ in range(4):
        theirs.apply_action(FIRST_BID + bid)
    leads: list[Lead] = []
    broken = False
    for number in range(52):
        player, legal = theirs.current_player(), theirs.legal_actions()
        if number % 4 == 0:
            leads.append((broken, spades_of(hands[player]), len(hands[player]), spades_of(legal)))
        card = chance.choice(legal)
        hands[player].remove(card)
        theirs.apply_action(card)
        broken = broken or spades_of([card]) > 0
    return theirs, leads


def spades_of(cards: list[int]) -> int:
    """How many of OpenSpiel's cards are spades."""
    return sum(card >= 39 for card in cards)


def test_openspiel_never_breaks_spades() -> None:
    """Its own description says that spades must be broken; the flag exists, but nothing sets it."""
    chance = Random(5)
    leads = [lead for _ in range(20) for lead in finished(chance, 0, 3)[1]]
    refused = [lead for lead in leads if lead[0] and 0 < lead[1] < lead[2]]
    assert len(refused) > 50
    assert all(legal == 0 for _, _, _, legal in refused)


def test_openspiel_loses_count_of_bags_below_zero() -> None:
    """It reads the bags off the last digit of the score, which for -47 (three bags, fifty points lost) gives minus seven."""
    differ = 0
    for seed in range(40):
        plus, minus = (finished(Random(seed), scores, 1)[0].returns() for scores in (3, -47))
        above = [3 + most_bags >= 10 for most_bags in (tricks_over(plus[side]) for side in range(2))]
        differ += plus != minus
        assert [plus[side] != minus[side] for side in range(2)] == above
    assert differ > 3


def tricks_over(points: float) -> int:
    """Bags in a deal in which each partner bid one: twenty points, one point each, minus a hundred for ten."""
    return int(points + 100 if points < -20 else points) - 20
