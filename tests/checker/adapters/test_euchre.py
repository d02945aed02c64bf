"""Euchre judged by third-party software: every decision of random matches is made again in OpenSpiel.

Law: dealt the same cards, with the same dealer and the same choices, OpenSpiel asks the same players in the same order
and allows them the same: to accept the turned suit, to name another, to play alone, to lay aside and to play cards; and
the deal earns each player what OpenSpiel awards.

Where OpenSpiel plays by another convention than our ruleset, `THERE` says so as house rules: whether to play alone is
asked when the dealer has laid a card aside (`euchre.s16`: at once); the dealer may not lay aside the card that he has
just taken up (`euchre.s11` forbids no card); and what one side scores the other loses (`euchre.s23` to `euchre.s26`).
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

ALONE_LATER = """
  trump:
    rule: |
      do first-round
      if maker = none:
          do second-round
      else:
          do kitty
          maker chooses alone
    assumes: as OpenSpiel has it
  first-round:
    rule: |
      for p in players, clockwise from left of dealer:
          if maker = none:
              p chooses accepts of p
              if accepts of p:
                  maker becomes p
                  trump becomes turned-suit
    assumes: as OpenSpiel has it
"""

ANOTHER_CARD_ASIDE = """
  kitty:
    rule: |
      dealer picks-up turned as picked-up
      dealer discards 1 card of hand with card not in picked-up
    assumes: as OpenSpiel has it
"""

LOSERS_PAY = """
  scoring:
    rule: |
      if maker != none:
          for p in players:
              score of p becomes score of p + (if p in makers then gain else -gain)
    assumes: as OpenSpiel has it
  gain:
    rule: if maker-tricks < 3 then -2 else maker-points
    assumes: as OpenSpiel has it
"""

THERE = (ALONE_LATER, ANOTHER_CARD_ASIDE, LOSERS_PAY)
SUITS = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}


class Euchre:
    """OpenSpiel's game, with its numbers for our choices; all are found by name, cards' names reversed."""

    def __init__(self, ruleset: Ruleset, stick_the_dealer: bool) -> None:
        self.program = ruleset.program
        self.game: Any = pyspiel.load_game("euchre", {"stick_the_dealer": stick_the_dealer})
        state = self.game.new_initial_state()
        state.apply_action(0)
        named = {state.action_to_string(action): action for action in range(self.game.num_distinct_actions())}
        deck = self.program.deck
        self.cards = [named[code[::-1]] for code in deck.cards]
        self.suits = [named[SUITS[letter]] for letter in deck.suit_letters]
        self.passing, self.alone = named["Pass"], (named["Partner"], named["Alone"])
        assert sorted(self.cards) == list(range(24))
        self.state: Any = None
        self.turned = 0
        self.before: tuple[int, ...] = ()

    def begin(self, state: State) -> None:
        dealt, dealer = state.chance.dealt, state.variable("dealer")
        hands = [dealt["hand", (dealer + p) % 4] for p in range(4)]  # it deals one by one, the dealer first
        (card,) = dealt["turned",]
        self.turned, self.before = self.suits[self.program.deck.card_suit[card]], scores(state)
        self.state = self.game.new_initial_state()
        self.state.apply_action(dealer)
        for x in [x for cards in zip(*hands, strict=True) for x in cards] + [card]:
            assert self.state.is_chance_node()
            self.state.apply_action(self.cards[x])

    def action(self, decision: Decision, value: Value) -> int:
        match decision.label:
            case "accepts":
                return self.turned if value else self.passing
            case "trump":
                return self.passing if value is None else self.suits[value]
            case "alone":
                return self.alone[value]
            case _:
                return self.cards[value]

    def asked(self, state: State, decision: Decision) -> None:
        asked(self.state, decision, sorted(self.action(decision, value) for value in decision.legal))

    def chosen(self, decision: Decision, choice: Value) -> None:
        (value,) = choice if decision.type.kind == "cards" else (choice,)
        self.state.apply_action(self.action(decision, value))

    def ended(self, state: State) -> None:
        ended(self.state, self.before, scores(state))


def agree(
    stick: bool, seed: int, hands: int, replaced: tuple[str, str] = ("", ""), house: tuple[str, ...] = THERE
) -> int:
    """The law, for random deals; returns the number of decisions compared."""
    ruleset = game("euchre", "rules:" + "".join(house) if house else "", replaced)
    return watch(ruleset, Euchre(ruleset, stick), seed, hands, **{"stick-the-dealer": int(stick)})


@pytest.mark.parametrize("stick", [False, True])
def test_openspiel_agrees(stick: bool) -> None:
    assert agree(stick, seed=1, hands=30) >= 500


@pytest.mark.slow
@pytest.mark.parametrize("stick", [False, True])
def test_openspiel_agrees_on_thousands_of_hands(stick: bool) -> None:
    assert agree(stick, seed=2, hands=5000) >= 100_000


FAULTS = {
    "left bower follows its printed suit": ("if c = left-bower then trump else suit of c", "suit of c"),
    "left bower is of the other colour": ("then spades\n", "then hearts\n"),
    "left bower beats the right": (
        "if right-bower in trick",
        "if right-bower in trick and left-bower not in trick",
    ),
    "no need to follow": ("then cards in hand with followed-suit = led", "then hand"),
    "low trump wins": (
        "then players with the highest rank of played\n",
        "then players with the lowest rank of played\n",
    ),
    "dealer leads": ("then opposite of dealer else left of dealer", "then opposite of dealer else dealer"),
    "the partner of the lone player still plays": (" with (not sits-out), clockwise", ", clockwise"),
    "who sits out leads": (
        "if sits-out of left of dealer then opposite of dealer else left of dealer",
        "left of dealer",
    ),
    "the turned suit may be named after all": (
        "from suits or none with trump != turned-suit",
        "from suits or none",
    ),
    "a lone march is a march": ("if alone then 4 else 2", "2"),
    "four tricks are a march": ("if maker-tricks = 5", "if maker-tricks >= 4"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_in_the_rules_are_found(fault: str) -> None:
    with pytest.raises(AssertionError) as found:
        agree(False, seed=1, hands=400, replaced=FAULTS[fault])
    assert "Fault(" not in str(found.value), "the rules failed by themselves"


@pytest.mark.parametrize("left_out", THERE)
def test_every_house_rule_is_needed(left_out: str) -> None:
    """Without one of them our ruleset, as published, and OpenSpiel diverge."""
    with pytest.raises(AssertionError):
        agree(False, seed=1, hands=60, house=tuple(text for text in THERE if text != left_out))
