"""Card play judged by third-party software: the simulator's deals, played again by OpenSpiel's oh hell.

Law: dealt the same cards, with the same dealer and the same plays, OpenSpiel asks the same players in the same order,
allows them the same cards, and counts the same tricks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from traced_hands import TracedHand, read
from trickproof.simulate.backends import python as python_backend
from trickproof.simulate.ir.calling_convention import LLVM, PYTHON
from trickproof.simulate.lowering import trace as n
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.runtime.kernel import Kernel
from trickproof_dsl import Library, Ruleset, render

pyspiel = pytest.importorskip("pyspiel")

TEXT = (Path(__file__).parents[2] / "cases/rulesets/oh-hell-plays.yaml").read_text("utf-8")

MOST = {3: 17, 4: 12}
"""Numbers of cards that each player can be dealt, by number of players, if one card is turned up."""

WORTH = 20
"""Points per trick in OpenSpiel: more than the ten for a bid that is met, so that the points determine the tricks."""


@dataclass(frozen=True)
class Hand:
    """A deal recorded by the simulator; sets of cards are masks, a single card is a mask with one bit."""

    dealer: int
    hands: tuple[int, ...]
    turned: int
    plays: tuple[tuple[int, int, int], ...]
    """The player, the legal cards, and the card played."""
    tricks: tuple[int, ...]


class Reader:
    """Find these in the record of a deal."""

    def __init__(self, layout: DataLayout) -> None:
        self.players, zones = layout.program.players, list(layout.program.zones)
        self.hand, self.turned = zones.index("hand"), zones.index("turned")
        keys = [key for _, key in layout.entries]
        self.dealer, self.tricks = 1 + keys.index(("dealer",)), 1 + keys.index(("tricks", 0))

    def hand_of(self, noted: TracedHand) -> Hand:
        dealt = {note[1:3]: note[3] for note in noted.notes if note[0] == n.DEALT}
        states = [note for note in noted.notes if note[0] == n.STATE]
        return Hand(
            states[0][self.dealer],
            tuple(dealt[self.hand, player] for player in range(self.players)),
            dealt[self.turned, 0],
            tuple((note[1], note[2], note[5]) for note in noted.notes if note[0] == n.CARDS),
            states[-1][self.tricks : self.tricks + self.players],
        )


class Referee:
    """OpenSpiel's game, with its numbers for our cards; they are found by name, ours reversed (`HA`)."""

    def __init__(self, layout: DataLayout) -> None:
        players, deck = layout.program.players, layout.program.deck
        self.game: Any = pyspiel.load_game("oh_hell", {"players": players, "points_per_trick": WORTH})
        state = self._begun(1, 0)
        named = {state.action_to_string(action): action for action in state.legal_actions()}
        self.action = {1 << layout.positions[i]: named[code[::-1]] for i, code in enumerate(deck.cards)}
        self.bit = {action: bit for bit, action in self.action.items()}
        assert len(self.bit) == len(named) == 52

    def _begun(self, cards_each: int, dealer: int) -> Any:
        state = self.game.new_initial_state()
        state.apply_action(cards_each)
        state.apply_action(dealer)
        return state

    def watch(self, hand: Hand, chance: Random) -> int:
        """Return the number of tricks.  Raises AssertionError for anything that differs."""
        dealt = [[self.action[bit] for bit in bits(cards)] for cards in hand.hands]
        state = self._begun(len(dealt[0]), hand.dealer)
        for card in [x for cards in zip(*dealt, strict=True) for x in cards] + [self.action[hand.turned]]:
            assert state.is_chance_node()
            state.apply_action(card)
        for _ in dealt:  # they bid, and we do not
            state.apply_action(chance.choice(state.legal_actions()))
        for player, legal, card in hand.plays:
            assert state.current_player() == player
            assert sum(map(self.bit.__getitem__, state.legal_actions())) == legal
            state.apply_action(self.action[card])
        assert state.is_terminal()
        assert tuple(int(points) // WORTH for points in state.returns()) == hand.tricks
        return len(dealt[0])


def bits(mask: int) -> list[int]:
    """Each bit of a mask by itself."""
    return [1 << i for i in range(mask.bit_length()) if mask >> i & 1]


@cache
def loaded(players: int, replaced: tuple[str, str] = ("", "")) -> Ruleset:
    text = TEXT.replace("number: 3", f"number: {players}").replace(*replaced)
    assert replaced[0] in TEXT
    ruleset, wrong = Library().load_text(text, "oh-hell-plays.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


def agree(kernel: Kernel, seeds: Sequence[int], hands: int) -> int:
    """The law, for deals with each number of cards; returns the number of tricks compared."""
    players, layout = kernel.program.players, kernel.compiled.layout
    referee, reader, tricks = Referee(layout), Reader(layout), 0
    for seed in seeds:
        chance = Random(seed)
        for cards in range(1, MOST[players] + 1):
            played = kernel.play(seed, 0, 10**9, hands, {"cards-each": cards})
            assert played.hands == hands
            for noted in read(layout, played.notes):
                tricks += referee.watch(reader.hand_of(noted), chance)
    return tricks


@pytest.mark.parametrize("players", MOST)
def test_openspiel_agrees(players: int) -> None:
    kernel = Kernel(loaded(players).program, backend=LLVM, traced=True)
    assert agree(kernel, [1, 2], 15) >= 2000


@pytest.mark.slow
def test_openspiel_agrees_on_a_million_tricks() -> None:
    tricks = 0
    for players, hands in ((3, 820), (4, 1610)):
        kernel = Kernel(loaded(players).program, backend=LLVM, traced=True)
        tricks += agree(kernel, range(4), hands)
    assert tricks >= 1_000_000


FAULTS = {
    "low card wins": ("the highest rank", "the lowest rank"),
    "low trump wins": (
        "the highest rank of played among players with suit of played = trump",
        "the lowest rank of played among players with suit of played = trump",
    ),
    "trump ignored": ("if some player has suit of played = trump", "if trump = none"),
    "trump not the card turned up": ("suit of only card in turned", "hearts"),
    "no need to follow": ("then cards in hand with suit = led else hand", "then hand else hand"),
    "no discard": ("with suit = led else hand", "with suit = led else cards in hand with suit = trump"),
    "dealer leads": ("lead:\n    rule: left of dealer", "lead:\n    rule: dealer"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("players", MOST)
def test_faults_in_the_rules_are_found(players: int, fault: str) -> None:
    kernel = Kernel(loaded(players, FAULTS[fault]).program, backend=PYTHON, traced=True)
    with pytest.raises(AssertionError):
        agree(kernel, [1], 3)


@pytest.mark.parametrize(("name", "other"), [("without", "and"), ("shl", "shr"), ("ne", "lt"), ("eq", "ne")])
def test_faults_of_the_simulator_are_found(name: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One operation replaced by another, in the Python back end."""
    monkeypatch.setitem(python_backend._FORMS, name, python_backend._FORMS[other])
    with pytest.raises(AssertionError):
        agree(Kernel(loaded(3).program, backend=PYTHON, traced=True), [1], 3)
