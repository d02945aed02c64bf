"""Law: whatever happens at the table before the play, the symbolic reader allows it; what it allows is not too much."""

from __future__ import annotations

from random import Random

import pytest

from budget import RUN, slow_but
from checker.rulesets_for_tests import documented, found, house, subject_of
from trickproof.analysis.slicing import sliced
from trickproof.checking.played_hand import HandPlayed, first_hand, following_hand
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof.proofs.symbolic.hand_summary import Hand, PlayOutcome, Settlement, settlements
from trickproof.testing.hand_constants import Varies, hands_of, sizes_of
from trickproof.testing.random_play import pick
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance

CONTRACTS = """\
    options:
      declaration: suit-trumps | no-trumps | misere
    state:
      contract: {type: declaration}
      barred: {type: boolean, of: player, carried: true}
    rules:
      trump:
        rule: |
          dealer chooses contract with (contract != no-trumps or not barred of dealer)
          barred of dealer becomes contract = no-trumps
          if contract = suit-trumps:
              dealer chooses trump
        assumes: a test
      scoring:
        rule: |
          for p in players:
              over of p becomes if contract = misere then target of p - tricks of p
                  else tricks of p - target of p
              score of p becomes score of p + over of p
        assumes: a test
      end: {rule: some player has score >= 10, assumes: a test}
      winner: {rule: "%s", assumes: a test}
    """

BIDS = """\
    state:
      bid: {type: integer, of: player}
      strong: {type: boolean}
    rules:
      exchange-timing: {rule: do trump, assumes: a test}
      targets:
        rule: |
          for q in players, clockwise from dealer:
              q chooses bid of q from 0 to 8 with (q != left of dealer or bid of q != bid of dealer)
              strong becomes some card in hand of q has rank = ace
              target of q becomes bid of q + (if strong then 1 else 0)
        assumes: a test
      scoring:
        rule: |
          for p in players:
              over of p becomes tricks of p - target of p
              score of p becomes if tricks of p = bid of p then score of p + 1 else score of p
        assumes: a test
      end: {rule: some player has score >= 3, assumes: a test}
      winner: {rule: players with the highest score, assumes: a test}
    """

TRUMP_IN_THE_DEAL = """\
    rules:
      deal:
        rule: |
          for p in players, clockwise from left of dealer:
              deal 5 cards to hand of p
          dealer chooses trump
          for p in players, clockwise from left of dealer:
              deal 11 cards to hand of p
          deal the rest to kitty
        assumes: a test
      trump: {rule: nothing happens, assumes: a test}
    """

RULESETS = {
    "contracts": CONTRACTS % "players with the highest score",
    "bids": BIDS,
    "trump in the deal": TRUMP_IN_THE_DEAL,
}


def settled(ruleset: Ruleset) -> Settlement:
    return settlements(subject_of(ruleset), PlayOutcome.KNOWN_SIZE)[0]


@pytest.mark.parametrize("name", slow_but(("contracts",), (*RULESETS, "weaver-four")))
def test_allows_what_happens(name: str) -> None:
    ruleset = house(RULESETS[name]) if name in RULESETS else documented(name)
    settlement, rng = settled(ruleset), Random(2)
    hand: HandPlayed | State = first_hand(ruleset.program, Chance(5), {}, {}, {})
    for _ in range(6):
        assert isinstance(hand, HandPlayed)
        while hand.state.decision is not None:
            hand = hand.choose(pick(hand.state.decision, rng))
        assert hand.state.fault is None
        if hand.state.match_over:
            break
        symbolic = settlement.anywhere(int(hand.begin.variable("dealer")))
        assert _possible(symbolic, hand) is Answer.YES
        hand = following_hand(hand.state)


def _possible(symbolic: Hand, hand: HandPlayed) -> Answer:
    asked = SolverSession(ProofSession())
    asked.add(*symbolic.facts)
    for values, state in ((symbolic.begin, hand.begin), (symbolic.after, hand.state)):
        for key, value in values.items():
            if value is not y.OPAQUE and key[0] in (
                "over",
                "score",
                "tricks",
                "target",
                "barred",
                "contract",
            ):
                plain = state.variables[key]
                asked.add(y.same(value, plain) if isinstance(value, y.Cases) else value == plain)
    return asked.possible(y.neg(symbolic.ended))


def test_a_choice_is_one_of_the_options() -> None:
    settlement = settled(house(RULESETS["contracts"]))
    hand = settlement.anywhere(0)
    asked = SolverSession(ProofSession())
    asked.add(*hand.facts)
    contract = dict(y.cases(hand.after[("contract",)]).of)
    assert [asked.possible(contract[i]) for i in range(3)] == [Answer.YES] * 3
    assert asked.possible(contract.get(None, False)) is Answer.NO
    assert asked.possible(contract[1], hand.begin[("barred", 0)]) is Answer.NO
    bids = settled(house(RULESETS["bids"])).anywhere(0)
    asked = SolverSession(ProofSession())
    asked.add(*bids.facts)
    dealer, left = bids.after[("bid", 0)], bids.after[("bid", 1)]
    assert asked.possible(dealer == 9) is Answer.NO
    assert asked.possible(dealer == left) is Answer.NO
    assert asked.possible(bids.after[("target", 0)] == 9) is Answer.YES


def test_targets_that_depend_on_choices_are_told() -> None:
    subject = subject_of(house(RULESETS["bids"]))
    varies = hands_of(subject)
    assert isinstance(varies, Varies)
    assert "depend on what players choose" in varies.reason
    assert not isinstance(sizes_of(subject), Varies)
    assert not isinstance(hands_of(subject_of(house(RULESETS["trump in the deal"]))), Varies)


def test_only_what_matters_is_followed() -> None:
    program = house(RULESETS["contracts"]).program
    assert not sliced(program.hand, ["target"]).choices
    assert [choice.label for choice in sliced(program.hand, ["trump"]).choices] == ["contract", "trump"]


@pytest.mark.slow
def test_games_with_contracts_are_proved() -> None:
    unfair = house(CONTRACTS % "players with the highest score")
    (one,) = found(unfair, ["unique-winner"])
    assert (one.verdict, one.method) == (Verdict.REFUTED, Method.SMT)
    assert one.witness is not None
    fair = "only player in players with the highest target among players with the highest score"
    (one,) = found(house(CONTRACTS % fair), ["unique-winner"])
    assert (one.verdict, one.method) == (Verdict.PROVED, Method.INDUCTION)
    (one,) = found(unfair, ["zero-sum"])
    assert (one.verdict, one.method) == (Verdict.PROVED, Method.INDUCTION)


@RUN
def test_a_hand_of_the_history_names_dealer_choices_and_scores() -> None:
    (one,) = found(house(CONTRACTS % "players with the highest score"), ["unique-winner"])
    lines = [line for line in one.details if line.startswith("deal ")]
    assert len(lines) > 1
    assert lines[0].startswith("deal 1: dealer 0, tricks ")
    assert "contract " in lines[0]
    assert "; scores after it " in lines[0]


HELPER = """\
    state:
      helper: {type: player}
    rules:
      targets:
        rule: |
          for p in players:
              target of p becomes if p = dealer then 8 else if p = left of dealer then 5 else 3
          %s
        assumes: a test
      scoring:
        rule: |
          for p in players:
              over of p becomes tricks of p - target of p
              score of p becomes score of p + (if p = helper then 2 * over of p else over of p)
        assumes: a test
    """


def test_conditions_are_asked_about_options_only() -> None:
    """Who is as much over as another is no option, and so no condition about him fails at run time."""
    choice = """dealer chooses helper from players p with number of (players q with over of q = over of p) = 1
              or none with (only player in players q with over of q = over of player) != dealer"""
    hand = settled(house(HELPER % choice)).anywhere(0)
    asked = SolverSession(ProofSession())
    asked.add(*hand.facts)
    assert asked.possible(hand.begin[("over", 0)] == hand.begin[("over", 1)]) is Answer.YES


def test_a_choice_of_nothing_is_not_ruled_out_by_its_domain() -> None:
    ruleset = house(HELPER % "dealer chooses helper from players p with over of p > 0")
    hand = settlements(subject_of(ruleset), PlayOutcome.ANY_SIZE)[0].anywhere(0)
    for facts, answer in ((hand.domain, Answer.YES), (hand.facts, Answer.NO)):
        asked = SolverSession(ProofSession())
        asked.add(*facts)
        assert asked.possible(*(hand.begin[("over", p)] <= 0 for p in range(3))) is answer
