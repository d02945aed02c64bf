"""How many cards players hold after a loop before the play, such as an auction or gifts that are answered one by one."""

from __future__ import annotations

import pytest

from budget import RUN, slow_but
from checker.rulesets_for_tests import found, house
from trickproof.checking.verdict import Verdict

AUCTION = """\
    state:
      bid: {type: integer, of: player}
      passed: {type: boolean, of: player}
    rules:
      exchange-timing:
        rule: |
          repeat until some player has passed, at most 60 times:
              for q in players with (not passed):
                  q chooses bid of q from 0 to 10
                  passed of q becomes bid of q = 0
        assumes: a test
    """

DRAWN = """\
    state: {drawn: {type: card, of: player}}
    rules:
      exchange-timing:
        rule: |
          repeat 5 times:
              dealer draws 1 card of hand of left of dealer blindly as drawn
              dealer gives 1 card of hand with card != drawn of dealer to left of dealer
        assumes: a test
    """

ONE_WAY = DRAWN.replace(
    "              dealer gives 1 card of hand with card != drawn of dealer to left of dealer\n", ""
)

ONLY_THAT = DRAWN.replace("card != drawn", "card = drawn")


@RUN
@pytest.mark.parametrize("rules", slow_but([AUCTION], [AUCTION, DRAWN, ONLY_THAT], RUN))
def test_hands_that_a_loop_leaves_alone_or_evens_out_keep_their_size(rules: str) -> None:
    names = ["hand-size", "legal-play-exists", "trick-total"]
    assert {x.check: x.verdict for x in found(house(rules), names, 20)} == dict.fromkeys(
        names, Verdict.PROVED
    )


@RUN
def test_hands_from_which_a_loop_only_takes_do_not() -> None:
    (finding,) = found(house(ONE_WAY), ["hand-size"], 20)
    assert finding.verdict is Verdict.REFUTED


LOW_CARDS = """\
    invariants:
      some-low-card:
        rule: some card in hand of dealer has rank {} ace
        when: play-starts
        assumes: a test
    """


@RUN
@pytest.mark.parametrize(("sign", "verdict"), [("<", Verdict.PROVED), ("=", Verdict.REFUTED)])
def test_a_hand_larger_than_a_rank_has_other_cards(sign: str, verdict: Verdict) -> None:
    (finding,) = found(house(LOW_CARDS.format(sign)), ["some-low-card"], 20)
    assert finding.verdict is verdict


ONE_BY_ONE = """\
    rules:
      exchange-timing:
        rule: |
          if not first-hand:
              repeat larger(over of dealer, 0) times:
                  dealer gives 1 card of hand to left of dealer as gift(dealer, left of dealer)
              {back}
        assumes: a test
    """

ALL_BACK = "left of dealer gives number of gift(dealer, left of dealer) cards of hand to dealer"

ONE_LESS = "left of dealer gives larger(over of dealer - 1, 0) cards of hand to dealer"


@RUN
@pytest.mark.parametrize(
    ("back", "verdict"),
    [(ALL_BACK, Verdict.PROVED), pytest.param(ONE_LESS, Verdict.REFUTED, marks=RUN)],
)
def test_cards_that_are_given_one_by_one_are_as_many_as_there_are_rounds(back: str, verdict: Verdict) -> None:
    (finding,) = found(house(ONE_BY_ONE.format(back=back)), ["hand-size"], 20)
    assert finding.verdict is verdict


@RUN
def test_giving_one_by_one_fails_when_no_card_is_left() -> None:
    rules = ONE_BY_ONE.format(back=ALL_BACK).replace(
        "larger(over of dealer, 0)", "4 * larger(over of dealer, 0)"
    )
    (finding,) = found(house(rules), ["exchange-feasible"], 20)
    assert finding.verdict is Verdict.REFUTED
    (finding,) = found(house(ONE_BY_ONE.format(back=ALL_BACK)), ["exchange-feasible"], 20)
    assert finding.verdict is Verdict.PROVED
