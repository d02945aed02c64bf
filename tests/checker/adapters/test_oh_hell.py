"""Oh hell judged by third-party software: every bid and every card of random matches is played again in OpenSpiel.

Law: dealt the same cards, with the same dealer and the same choices, OpenSpiel asks the same players in the same order
and allows them the same bids and cards, and each player's score grows by what OpenSpiel awards.

OpenSpiel plays one deal, so that the sizes of hands and the end of the match are ours alone.  It keeps score in one of
two ways, neither of which is the one that our ruleset transcribes (`oh-hell.s17`, `oh-hell.s18`): there the tricks of
a player who misses his bid count too, or what he misses it by is taken away.  `SCORING` says so as house rules.
"""

from __future__ import annotations

from typing import Any

import pytest

from checker.adapters.openspiel_hands import asked, ended, scores
from checker.adapters.referee import watch
from checker.adapters.texts import game
from trickproof_dsl import Ruleset
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value

pyspiel = pytest.importorskip("pyspiel")

TRICKS_COUNT = """
rules:
  scoring:
    rule: |
      for p in players:
          score of p becomes score of p + tricks of p + (if tricks of p = target of p then 10 else 0)
    assumes: as OpenSpiel has it
"""

MISSES_COST = """
rules:
  scoring:
    rule: |
      for p in players:
          if tricks of p = target of p:
              score of p becomes score of p + 10 + tricks of p
          else:
              score of p becomes score of p - larger(tricks of p - target of p, target of p - tricks of p)
    assumes: as OpenSpiel has it with `off_bid_penalty`
"""

SCORING = {False: TRICKS_COUNT, True: MISSES_COST}
"""By OpenSpiel's parameter `off_bid_penalty`."""


def seats(players: int) -> str:
    """A house rule for another number of players."""
    return f"players: {{number: {players}, assumes: a comparison with OpenSpiel}}\n"


class OhHell:
    """OpenSpiel's game with its numbers for our bids and cards; cards are found by name, ours reversed."""

    def __init__(self, ruleset: Ruleset, penalty: bool) -> None:
        program = ruleset.program
        self.players = program.players
        self.game: Any = pyspiel.load_game("oh_hell", {"players": self.players, "off_bid_penalty": penalty})
        state = self._begun(1, 0)
        named = {state.action_to_string(action): action for action in state.legal_actions()}
        self.cards = [named[code[::-1]] for code in program.deck.cards]
        assert sorted(self.cards) == list(range(52))
        self.state: Any = None
        self.before: tuple[int, ...] = ()

    def _begun(self, cards_each: int, dealer: int) -> Any:
        state = self.game.new_initial_state()
        state.apply_action(cards_each)
        state.apply_action(dealer)
        return state

    def begin(self, state: State) -> None:
        dealt = state.chance.dealt
        hands = [dealt["hand", p] for p in range(self.players)]
        self.before = scores(state)
        self.state = self._begun(state.variable("cards-each"), state.variable("dealer"))
        for card in [x for cards in zip(*hands, strict=True) for x in cards] + [*dealt["turned",]]:
            assert self.state.is_chance_node()
            self.state.apply_action(self.cards[card])

    def action(self, decision: Decision, value: Value) -> int:
        """Bids are numbered after the cards."""
        number: int = self.cards[value] if decision.label == "play" else 52 + value
        return number

    def asked(self, state: State, decision: Decision) -> None:
        asked(self.state, decision, sorted(self.action(decision, value) for value in decision.legal))

    def chosen(self, decision: Decision, choice: Value) -> None:
        (value,) = choice if decision.label == "play" else (choice,)
        self.state.apply_action(self.action(decision, value))

    def ended(self, state: State) -> None:
        ended(self.state, self.before, scores(state))


def agree(players: int, penalty: bool, seed: int, hands: int, replaced: tuple[str, str] = ("", "")) -> int:
    """The law, for random deals; returns the number of decisions compared."""
    ruleset = game("oh-hell", seats(players) + SCORING[penalty], replaced)
    return watch(ruleset, OhHell(ruleset, penalty), seed, hands)


@pytest.mark.parametrize(("players", "penalty"), [(3, False), (4, True), (5, False)])
def test_openspiel_agrees(players: int, penalty: bool) -> None:
    assert agree(players, penalty, seed=1, hands=20) >= 300


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("penalty", [False, True])
def test_openspiel_agrees_on_thousands_of_hands(players: int, penalty: bool) -> None:
    assert agree(players, penalty, seed=2, hands=1700) >= 20_000


FAULTS = {
    "no need to follow": ("then cards in hand with suit = led else hand", "then hand else hand"),
    "low trump wins": (
        "the highest rank of played among players with suit of played = trump",
        "the lowest rank of played among players with suit of played = trump",
    ),
    "high trump needs to be led": ("if some player has suit of played = trump", "if led = trump"),
    "dealer leads": ("lead:\n    rule: left of dealer", "lead:\n    rule: dealer"),
    "no hook": ("with (not barred-from(p, bid of p))", "with bid of p >= 0"),
    "the hook is for all": ("rule: p = dealer and n +", "rule: n +"),
    "the hook is one off": ("other than p) = cards-each", "other than p) = cards-each - 1"),
    "dealer bids first": (
        "for p in players, clockwise from left of dealer:\n          p chooses",
        "for p in players, clockwise from dealer:\n          p chooses",
    ),
    "nobody may bid nothing": ("from 0 to cards-each", "from 1 to cards-each"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_in_the_rules_are_found(fault: str) -> None:
    with pytest.raises(AssertionError) as found:
        agree(4, False, seed=1, hands=20, replaced=FAULTS[fault])
    assert "Fault(" not in str(found.value), "the rules failed by themselves"


def test_the_scoring_of_our_ruleset_is_another() -> None:
    """So the house rules above are needed; for a missed bid OpenSpiel scores differently, with either option."""
    ruleset = game("oh-hell")
    for penalty in SCORING:
        with pytest.raises(AssertionError, match=r"\[\d+, \d+, \d+, \d+\]"):
            watch(ruleset, OhHell(ruleset, penalty), 1, 20)
