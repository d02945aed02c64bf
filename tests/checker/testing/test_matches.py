"""Every witness is a match from its start that the reference replays: what a single deal cannot say is carried on by it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import pytest

from budget import RUN
from checker.adapters.peer_rulesets import ROOT, loaded
from checker.rulesets_for_tests import found, house, rule
from trickproof.checking.finding import Finding
from trickproof.checking.played_hand import first_hand
from trickproof.checking.verdict import DisagreementError, Verdict
from trickproof.checks.zero_sum import CHECK as ZERO_SUM
from trickproof.testing.confirmation import confirmed
from trickproof.testing.match_search import ending_under, played_to_its_end
from trickproof.testing.named_cards import Named, named_cards
from trickproof.testing.random_play import pick, play
from trickproof.testing.witness import MOST_DEALS, replayed_match, replayed_on, written
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance

DEALT_ANEW = """\
    for p in players, clockwise from left of dealer:
        deal 16 cards to hand of p
    deal the rest to kitty
    if no card in hand of left of dealer has rank >= ten:
        shuffle
        for p in players, clockwise from left of dealer:
            deal 15 cards to hand of p
        deal 1 card to hand of dealer
    """

LAST_TIME = """\
    state: {marked: {type: boolean}}
    rules:
      hand:
        rule: |
          if number of (cards in discards with rank = king) = 4:
              marked becomes true
          shuffle
          do deal
          do targets
          do before-play
          do play
          do scoring
          do payout
          announce score: over over, scores score, payouts payout
          if end:
              the match ends, won by winner
        assumes: a test
      targets:
        rule: |
          target of dealer becomes 8
          target of left of dealer becomes (if marked then 6 else 5)
          target of right of dealer becomes 3
        assumes: a test
    """

TURNS = """\
    state:
      turn: {type: integer, of: player, carried: true}
      turns: {type: integer, carried: true}
    rules:
      between-hands:
        rule: |
          dealer becomes next-dealer
          first-hand becomes false
          turns becomes 0
          for p in players, lowest over first, ties open:
              turns becomes turns + 1
              turn of p becomes turns
        assumes: a test
      exchange-order:
        rule: |
          for giver in players with over > 0, highest turn first, ties impossible:
              do exchange-amounts of giver
              for taker in players with over < 0, clockwise from giver:
                  do exchange-returns(giver, taker)
        assumes: a test
    """

UNEVEN = """\
    rules:
      scoring:
        rule: |
          for p in players:
              over of p becomes tricks of p - target of p + 1
        assumes: a test
      next-dealer: {rule: only player in players with tricks >= 17, assumes: a test}
    """

SECOND_HAND = """\
    rules:
      exchange-returns:
        rule: |
          taker returns lowest of hand matching gift(giver, taker) to giver as returned(taker, giver)
        assumes: a test
    """


def refuted(ruleset: Ruleset, check: str) -> Finding:
    (finding,) = found(ruleset, [check])
    assert finding.verdict is Verdict.REFUTED, finding.message
    assert finding.match is not None
    assert finding.match[-1] == finding.witness
    assert len(finding.match) <= MOST_DEALS
    return finding


@RUN
def test_a_deal_that_is_dealt_once_more_is_replayed() -> None:
    ruleset = house(rule("deal", DEALT_ANEW))
    finding = refuted(ruleset, "hand-size")
    hand = replayed_match(ruleset, finding.match or ())
    assert hand.state.chance.shuffles == 2


@RUN
def test_what_lay_on_the_table_before_the_shuffle_is_carried_on() -> None:
    ruleset = house(LAST_TIME)
    finding = refuted(ruleset, "target-total")
    assert finding.match is not None
    assert len(finding.match) > 1
    hand = replayed_match(ruleset, finding.match)
    assert hand.state.variable("marked") is True
    alone = replayed_match(ruleset, [{**finding.match[-1], **_as_a_match_starts(finding.match[0])}])
    assert alone.state.variable("marked") is False


def _as_a_match_starts(first: Mapping[str, Any]) -> dict[str, Any]:
    return {key: first[key] for key in ("dealer", "first_hand", "over", "scores")} | {"moves": []}


@RUN
def test_a_tie_between_hands_that_decides_the_exchange_is_shown_after_a_whole_deal() -> None:
    ruleset = house(TURNS)
    finding = refuted(ruleset, "exchange-order-determined")
    assert finding.match is not None
    assert len(finding.match) == 2
    events = replayed_match(ruleset, finding.match).state.events
    assert any(event.name == "give" for event in events)


def test_what_is_wrong_with_a_deal_is_seen_though_rules_fail_after_it() -> None:
    ruleset = house(UNEVEN)
    violation = play(ruleset, (ZERO_SUM,), 4).violations["zero-sum"]
    match = confirmed(ruleset, violation, (ZERO_SUM,))
    assert replayed_on(ruleset, match).state.fault is not None


def test_a_hand_after_which_rules_fail_keeps_its_cards() -> None:
    hand = first_hand(house(UNEVEN).program, Chance(5), {}, {})
    while (decision := hand.state.decision) is not None:
        hand = hand.choose(pick(decision, None))
    after = hand.then(Chance(99))
    assert after.state.fault is not None
    assert after.state.chance.dealt == hand.state.chance.dealt


@RUN
def test_a_fault_in_a_later_deal_comes_with_the_deals_before() -> None:
    ruleset = house(SECOND_HAND)
    finding = refuted(ruleset, "exchange-returns-highest")
    assert finding.match is not None
    first, second = finding.match
    assert first["first_hand"]
    assert not second["first_hand"]
    assert replayed_match(ruleset, [first]).state.variable("over", 0) == second["over"][0]


@RUN
def test_a_deal_that_the_match_does_not_come_to_is_refused() -> None:
    ruleset = house(SECOND_HAND)
    match = [copy.deepcopy(dict(deal)) for deal in refuted(ruleset, "exchange-returns-highest").match or ()]
    match[1]["over"] = [9, 9, -18]
    with pytest.raises(DisagreementError, match="does not replay"):
        replayed_match(ruleset, match)
    with pytest.raises(DisagreementError, match="does not replay"):
        replayed_match(ruleset, match[1:])


def test_cards_that_conditions_pick_out_are_found() -> None:
    kings = frozenset(i for i, card in enumerate(house(LAST_TIME).program.deck.cards) if card[0] == "K")
    assert named_cards(house(LAST_TIME).program) == (Named(kings),)
    assert named_cards(house(SECOND_HAND).program) == ()


LOW_PLAIN_CARDS = """\
dealer picks-up kitty as picked-up
do reveal
dealer discards 4 cards of hand with (suit != trump and rank < king)
"""


def test_a_suit_that_is_chosen_picks_out_cards_too() -> None:
    deck = house(SECOND_HAND).program.deck
    named = named_cards(house(rule("kitty", LOW_PLAIN_CARDS)).program)
    low = [i for i, card in enumerate(deck.cards) if card[0] not in "AK"]
    suits = range(len(deck.suits))
    assert named == tuple(Named(frozenset(i for i in low if deck.card_suit[i] != x), x) for x in suits)


@RUN
def test_a_discard_fails_with_all_trumps_in_hand() -> None:
    """It fails only with seventeen of the nineteen cards that are trumps, aces or kings, and that suit chosen."""
    finding = refuted(house(rule("kitty", LOW_PLAIN_CARDS)), "no-fault")
    assert "Dealer must choose 4 of" in finding.message.replace("player 0", "Dealer")


def test_a_match_that_ends_is_found_under_each_reading() -> None:
    program = house("state: {}", "six-over").program
    played = first_hand(program, Chance(0), {}, {"exchange-order": 0})
    while (decision := played.state.decision) is not None:
        played = played.choose(pick(decision, None))
    for ended in (played, ending_under(program, ({}, {"exchange-order": 0}), played)):
        assert ended is not None
        again = ending_under(program, ({}, {"exchange-order": 1}), ended)
        assert again is not None
        assert again.state.match_over
        assert again.state.readings == {"exchange-order": 1}


def test_a_match_that_ends_where_random_play_only_loses_points() -> None:
    """Bids that are met gain what bids that are missed lose: in spades nobody gets to 500 points at random."""
    spades = loaded(ROOT / "rulesets/games/spades.yaml")
    ended = played_to_its_end(spades.program, ({}, dict.fromkeys(spades.program.readings, 0)))
    assert ended is not None
    assert ended.state.match_over
    assert len(ended.match) <= MOST_DEALS
    shown = written(spades, ended)
    assert replayed_on(spades, shown).state.match_over


@RUN
def test_an_end_that_only_good_bids_reach_is_proved() -> None:
    (finding,) = found(loaded(ROOT / "rulesets/games/spades.yaml"), ["end-reachable"])
    assert finding.verdict is Verdict.PROVED


@RUN
def test_a_tie_for_which_no_cards_are_found_comes_up_at_random() -> None:
    """In oh hell, after thirteen deals or more, each with another number of cards."""
    (finding,) = found(loaded(ROOT / "rulesets/games/oh-hell.yaml"), ["unique-winner"])
    assert finding.verdict is Verdict.REFUTED
    assert finding.known
    assert len(finding.match or ()) in (13, 15, 19)


def test_cards_that_only_a_claim_singles_out_are_named() -> None:
    claim = (
        "invariants:\n  somebody-has-an-ace:\n    rule: some player has some card in hand has rank = ace\n"
    )
    stated = house(f"{claim}    when: play-starts\n    assumes: a test\n").program
    aces = frozenset(
        card for card, rank in enumerate(stated.deck.card_rank) if rank == max(stated.deck.card_rank)
    )
    assert aces in {named.cards for named in named_cards(stated)}
    assert aces not in {named.cards for named in named_cards(house("").program)}
