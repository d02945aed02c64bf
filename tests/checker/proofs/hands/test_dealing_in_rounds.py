"""Cards dealt one at a time: every claim about blocks of cards is proved of rounds too, and refuted of too many."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.rulesets_for_tests import found, house
from trickproof.checking.verdict import Verdict
from trickproof_dsl.library import Ruleset

DEAL = """\
    rules:
      deal:
        rule: |
          repeat {rounds} times:
              for p in players, clockwise from left of dealer:
                  deal 1 card to hand of p
          deal the rest to kitty
        assumes: a test
    """


def dealt_in(rounds: int) -> Ruleset:
    return house(DEAL.format(rounds=rounds))


@RUN
def test_every_hand_is_known_to_be_full() -> None:
    findings = found(dealt_in(16), ["hand-size", "no-fault"], 0)
    assert {one.check: one.verdict for one in findings} == dict.fromkeys(
        ("hand-size", "no-fault"), Verdict.PROVED
    )


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "check"), [(15, "hand-size"), (18, "cards-conserved")])
def test_another_number_of_rounds_is_refuted(rounds: int, check: str) -> None:
    (finding,) = found(dealt_in(rounds), [check], 0)
    assert finding.verdict is Verdict.REFUTED
    assert finding.witness is not None


SOME_PLAYERS = DEAL.replace("players,", "players with (no card in hand has rank = ace),").format(rounds=16)


@pytest.mark.slow
def test_rounds_for_players_who_depend_on_their_cards_are_not_gone_through_one_by_one() -> None:
    """Which of them are dealt to would be decided in each round: 2^48 paths."""
    (finding,) = found(house(SOME_PLAYERS), ["hand-size"], 20)
    assert finding.verdict is Verdict.REFUTED
