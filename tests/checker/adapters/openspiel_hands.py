"""Shared by the comparisons with OpenSpiel's card games: its numbers for our cards, dealing, and following a play.

OpenSpiel deals its 52 cards one by one to players 0, 1, 2, 3, 0 …; it writes a card as `AH` or `HA`.
"""

from __future__ import annotations

from typing import Any

from trickproof.support.bundled import ruleset_folder
from trickproof_dsl import Ruleset, render
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Library
from trickproof_dsl.semantics.decisions import Decision


class Cards:
    """OpenSpiel's numbers for the cards of a program, by ours, and the inverse."""

    def __init__(self, ruleset: Ruleset, state: Any) -> None:
        named = {frozenset(state.action_to_string(action)): action for action in state.legal_actions()}
        self.action = {i: named[frozenset(code)] for i, code in enumerate(ruleset.program.deck.cards)}
        assert len(set(self.action.values())) == len(named) == 52

    def actions(self, cards: Any) -> list[int]:
        """OpenSpiel's numbers for some of our cards, sorted."""
        return sorted(self.action[card] for card in cards)


def deal(theirs: Any, cards: Cards, ours: State) -> None:
    """Deal every player the same cards as in our deal."""
    hands = [cards.actions(ours.chance.dealt["hand", p]) for p in range(4)]
    for round_ in zip(*hands, strict=True):
        for card in round_:
            assert theirs.is_chance_node()
            theirs.apply_action(card)


def asked(theirs: Any, decision: Decision, legal: list[int]) -> None:
    """The same player is asked, with the same options."""
    assert not theirs.is_terminal(), "the hand is over there"
    assert theirs.current_player() == decision.player, "another player is asked"
    assert sorted(theirs.legal_actions()) == legal, "other options are legal"


def ended(theirs: Any, before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """The deal is over there too, and each score has changed by what is returned."""
    assert theirs.is_terminal(), "the hand goes on there"
    gained = [new - old for old, new in zip(before, after, strict=True)]
    assert gained == theirs.returns(), f"the score differs: {gained} here, {theirs.returns()} there"


def scores(ours: State) -> tuple[int, ...]:
    """The score of each player."""
    return tuple(ours.variable("score", p) for p in range(ours.program.players))


def loaded(name: str, text: str, *replaced: tuple[str, str]) -> Ruleset:
    """A ruleset from its text with replacements, each of which must apply."""
    for old, new in replaced:
        assert old in text, old
        text = text.replace(old, new)
    folders = [ruleset_folder(), ruleset_folder() / "games"]
    ruleset, wrong = Library(folders).load_text(text, name)
    assert ruleset is not None, render(wrong)
    return ruleset
