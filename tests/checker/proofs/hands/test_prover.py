"""What a proof knows of cards without asking: that all are dealt, what they are worth, the same cards asked for twice."""

from __future__ import annotations

from itertools import pairwise

import pytest

from budget import RUN
from checker.rulesets_for_tests import LIBRARY, found, house, rule
from dsl.small_games import game
from trickproof.checking.verdict import Verdict
from trickproof.proofs.hands.path_queries import Both, Path
from trickproof.proofs.hands.prover import prove_hand
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.path_state import Known, Obligation
from trickproof.testing.subject import Subject
from trickproof_dsl.diagnostics.diagnostic import render

WORTH = """
worth:
  of: card c
  rule: if c = 4D then 13 else if suit of c = hearts then 1 else 0
  assumes: a test
"""

PLAYED = """
shuffle
for p in players:
    deal {each} cards to hand of p
who becomes {who}
hand-size becomes number of hand of who
repeat hand-size times:
    who lays 1 card of ({cards}) from hand
"""


def left(each: int = 4, who: str = "dealer", cards: str = "hand of who") -> set[str]:
    """The kinds of breakdown that are not excluded."""
    text = PLAYED.format(each=each, who=who, cards=cards)
    return {o.obligation.kind for o in prove_hand(Subject(game(text, WORTH), ()), lambda *_: ()).open}


@pytest.mark.parametrize(("each", "single"), [(4, True), (3, False)])
def test_every_card_is_in_a_hand_when_all_are_dealt(each: int, single: bool) -> None:
    assert ("not-single" not in left(each, "only player in players with 2C in hand")) == single


@pytest.mark.parametrize(
    ("cards", "sure"),
    [
        ("if 2C in hand of who then cards in hand of who with card = 2C else hand of who", True),
        ("if 2C in hand of who then cards in hand of who with card = 3C else hand of who", False),
        (
            "if some card in hand of who has worth = 0 then cards in hand of who with worth = 0 else hand of who",
            True,
        ),
        (
            "if some card in hand of who has worth = 0 then cards in hand of who with worth = 1 else hand of who",
            False,
        ),
        ("if some card in hand of who has worth > 1 then 4D else hand of who", True),
    ],
)
def test_cards_told_by_what_they_are_worth(cards: str, sure: bool) -> None:
    assert left(cards=cards).isdisjoint({"no-legal-choice", "cards-not-there"}) == sure


LIMIT = """
limit:
  gives: integer
  readings:
    - name: none-at-all
      rule: 0 + 0
    - name: beyond-all
      rule: 20 + 0
  assumes: a test
"""


def test_what_cards_are_worth_can_be_a_matter_of_reading() -> None:
    """Under the first reading every card may be laid, under the second none: that is no proof for both."""
    text = """
    shuffle
    for p in players:
        deal 4 cards to hand of p
    dealer lays 1 card of (cards c in hand of dealer with worth of c >= limit) from hand
    """
    proof = prove_hand(Subject(game(text, WORTH + LIMIT), ()), lambda *_: ())
    assert 1 in {o.readings.get("limit") for o in proof.open if o.obligation.kind == "no-legal-choice"}


@pytest.mark.parametrize(
    "loop", ["repeat until table is not empty, at most 3 times", "for c in hand of dealer"]
)
def test_the_play_starts_in_loops_that_are_not_encoded_too(loop: str) -> None:
    text = (
        f"shuffle\nfor p in players:\n    deal 4 cards to hand of p\n{loop}:\n    dealer plays 1 card of hand"
    )
    moments: list[str] = []

    def claims(_: SymbolicHand, moment: str) -> list[Obligation]:
        moments.append(moment)
        return []

    prove_hand(Subject(game(text), ()), claims)
    assert "play-starts" in moments


@pytest.mark.parametrize(
    ("before", "even"),
    [
        ("announce told: player leader", True),
        pytest.param("leader discards 1 card of hand", False, marks=RUN),
    ],
)
@RUN
def test_what_a_round_does_before_the_first_card_counts(before: str, even: bool) -> None:
    text = f"""
        leader becomes lead
        hand-size becomes number of hand of leader
        repeat hand-size times:
            if number of (cards in hand of leader with suit = spades) = 13 and sum of tricks for players = 0:
                {before}
            do trick"""
    (finding,) = found(house(rule("play", text)), ["hand-size"])
    assert (finding.verdict is Verdict.PROVED) == even


def test_what_is_decided_later_does_not_excuse_a_fault() -> None:
    """Moving a club that is not there leaves no club by number, and one by name: each view contradicts one branch."""
    text = """
shuffle
deal 1 card to hand of dealer
if some card in hand of dealer has suit = clubs:
    put 2C from hand of dealer into table
    if some card in hand of dealer has suit = clubs:
        put hand of dealer into table
"""
    kinds = {o.obligation.kind for o in prove_hand(Subject(game(text), ()), lambda *_: ()).open}
    assert "cards-not-there" in kinds


@RUN
@pytest.mark.parametrize(("rank", "proved"), [("king", True), ("queen", True), ("jack", False)])
def test_a_hand_holds_what_is_not_among_a_few_high_cards(rank: str, proved: bool) -> None:
    """Of sixteen cards at least four rank below a queen; but sixteen cards rank as high as a jack."""
    steps = (
        f"dealer discards 4 cards of hand with rank < {rank}\ndealer picks-up kitty as picked-up\ndo reveal"
    )
    (finding,) = found(house(rule("kitty", steps)), ["no-fault"])
    assert finding.verdict.proved == proved, finding.message


@RUN
def test_a_play_that_nothing_comes_to_contradicts_nothing() -> None:
    """Cards are moved out of a zone that they have left: what is believed about the play is that the zone has -4 cards."""
    buried = house(
        rule("kitty", "dealer picks-up kitty as picked-up\nput picked-up from kitty into discards")
    )
    findings = found(buried, ["cards-conserved", "hand-size"])
    assert [finding.internal_error for finding in findings] == [None, None]
    assert findings[0].verdict is Verdict.REFUTED
    assert not findings[1].verdict.proved


@RUN
def test_what_was_known_later_does_not_clear_an_earlier_obligation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of cards to be chosen are fixed before what may be chosen is evaluated, which takes a decision."""
    asked: list[tuple[Known, set[int], set[int]]] = []
    original = Path._at

    def at(self: Path, known: Known) -> Both:
        both, given = original(self, known), self._given(known)
        for way in self._cannot:
            given.exclude(way)
        asked.append(
            (known, {x.get_id() for x in both.counts.facts}, {x.get_id() for x in given.counts.facts})
        )
        return both

    monkeypatch.setattr(Path, "_at", at)
    amounts = """
for taker in players with over < 0, clockwise from giver:
    giver draws 1 card of hand of taker blindly as drawn
    giver gives 1 card of hand with card != drawn of giver to taker
"""
    blind = "state:\n  drawn: {type: card, of: player}\n" + rule("exchange-amounts", amounts)
    prove_hand(Subject(house(blind), ()), lambda *_: ())
    assert any(not all(x <= y for x, y in zip(a[0], b[0], strict=True)) for a, b in pairwise(asked))
    assert all(facts <= known for _, facts, known in asked)


SEVEN = """
ruleset: seven
title: Seven players, one card each
players: {number: 7, assumes: a test}
deck: {ranks: 6 7 8 9 T J Q K A, suits: H, assumes: a test}
rules:
  deal:
    rule: |
      for p in players:
          deal 1 card to hand of p
    assumes: a test
  lead: {rule: left of dealer, assumes: a test}
  follow: {rule: hand, assumes: a test}
  trick-winner:
    rule: players with the highest rank of played among players with suit of played = led
    assumes: a test
  scoring: {rule: nothing happens, assumes: a test}
  end: {rule: some player has tricks = 1, assumes: a test}
  winner: {rule: players with tricks = 1, assumes: a test}
  next-dealer: {rule: left of dealer, assumes: a test}
"""


def test_a_trick_of_seven_has_one_winner() -> None:
    """That somebody's card is highest takes a proof of 7! orders, unless it is known."""
    ruleset, wrong = LIBRARY.load_text(SEVEN, "seven.yaml")
    assert ruleset is not None, render(wrong)
    (finding,) = found(ruleset, ["one-trick-winner"], hands=10)
    assert finding.verdict is Verdict.PROVED, finding.message


LAST = """\
deck: {ranks: T J Q K A, suits: H S, assumes: a test}
state:
  last: {type: player, carried: true}
rules:
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal 5 cards to hand of p
    assumes: a test
  scoring:
    rule: |
      if %s:
          for p in players, clockwise from last:
              score of p becomes score of p + tricks of p
      last becomes leader
    assumes: a test
  end: {rule: some player has score >= 12, assumes: a test}
  winner: {rule: players with the highest score, assumes: a test}
  next-dealer: {rule: last, assumes: a test}
"""
"""Whoever won the last trick of a deal is counted first after the next, and deals it."""

PLAIN_TWO = "tests/adversarial/cases/plain-two.yaml"


def test_what_every_deal_but_the_first_begins_with() -> None:
    """`last` is somebody then, which holds on all through the play; and no match has a seventh deal."""
    ruleset = house(LAST % "not first-hand", PLAIN_TWO)
    findings = found(ruleset, ["no-fault", "terminates", "unique-winner"], hands=10)
    assert {x.verdict for x in findings} == {Verdict.PROVED}, [x.message for x in findings]


def test_what_the_first_deal_begins_with() -> None:
    (finding,) = found(house(LAST % "first-hand", PLAIN_TWO), ["no-fault"], hands=10)
    assert finding.verdict is Verdict.REFUTED, finding.message
