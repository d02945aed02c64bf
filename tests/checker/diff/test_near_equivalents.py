"""Pairs that a careless comparison calls the same: each differs in a hand, or fails at run time in one.

What each pair does otherwise was worked out by playing both with the same deal and choices.
"""

from __future__ import annotations

from functools import cache, partial

import pytest

from budget import RUN
from checker.rulesets_for_tests import LIBRARY, ROOT, SESSION, documented, house, rule
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import Diff, compare as compare_rulesets, play_the_same
from trickproof.diff.symbolic.post_play import settle
from trickproof.diff.witnesses.paired_replay import BETWEEN
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.reports.comparison.diff import diff_text
from trickproof_dsl.library import Ruleset

compare = partial(compare_rulesets, session=SESSION)

CASES = ROOT / "tests/cases/compare"

TRAPS = {
    "what comes between hands": ("pagat", "betw1", "between-hands"),
    "a known number of a player who is not": ("known1", "known2", "trump"),
    "unknowns that only share a name": ("hnd1", "hnd2", "scoring"),
    "a second reading of another rule": ("read1", "read2", "end"),
    "tricks that count double": ("two1", "two2", "scoring"),
    "an announcement": ("pagat", "ann1", "scoring"),
    "something shown after the play": ("pagat", "show1", "scoring"),
    "options nobody names": ("opt1", "opt2", "trump"),
    "two moves with one verb": ("mv5", "mv6", "kitty"),
    "a runtime fault in a branch without steps": ("pagat", "fault1", "scoring"),
    "a runtime fault after a trick": ("pagat", "plf", "after-trick"),
    "a tie in a loop without steps": ("pagat", "plf2", "after-trick"),
    "deals that count the deck": ("deal1", "deal2", "deal"),
    "seats a full circle apart": ("seat3", "seat4", "targets"),
    "a zone that is counted before it is emptied": ("count1", "count2", "kitty"),
    "silence": ("sil1", "sil2", "payout"),
    "three that only matter together": ("maj3", "maj4", "trump"),
    "a parameter of very many values": ("par0", "par1", "scoring"),
    "very many combinations before the play": ("par6", "par7", "kitty"),
}


LONG = (
    "silence",
    "tricks that count double",
    "a tie in a loop without steps",
    "a runtime fault after a trick",
    "very many combinations before the play",
    "a parameter of very many values",
    "seats a full circle apart",
)
"""Those that take more than three seconds."""

LONGER = (
    "a zone that is counted before it is emptied",
    "a runtime fault in a branch without steps",
    "a known number of a player who is not",
    "a second reading of another rule",
    "an announcement",
    "deals that count the deck",
    "something shown after the play",
    "three that only matter together",
    "unknowns that only share a name",
    "what comes between hands",
)
"""Those of the others that take two."""


@cache
def loaded(name: str) -> Ruleset:
    if not (CASES / f"{name}.yaml").exists():
        return documented(name)
    ruleset, wrong = LIBRARY.load(str(CASES / f"{name}.yaml"))
    assert ruleset is not None, wrong
    return ruleset


@cache
def diff(a: str, b: str) -> Diff:
    return compare(loaded(a), loaded(b))


def aspect(found: Diff, name: str) -> Compared:
    return next(one for one in found.every if one.aspect == name)


@RUN
@pytest.mark.parametrize(
    "trap",
    [
        pytest.param(name, marks=pytest.mark.slow if name in LONG else RUN if name in LONGER else ())
        for name in TRAPS
    ],
)
def test_not_the_same(trap: str) -> None:
    a, b, rule = TRAPS[trap]
    assert diff(a, b).status(rule) != "same"
    assert not play_the_same(loaded(a), loaded(b), SESSION)


COUNTED = """
rules:
  trump:
    rule: |
      if {}:
          trump becomes hearts
      dealer chooses trump
    assumes: a test
"""


@RUN
def test_counting_asks_all_where_some_stops_at_the_first() -> None:
    """Nobody has played a card: whoever is up need not be asked for it, but all are asked when they are counted."""
    asked = "(over > 0 or suit of played = clubs)"
    counted = house(COUNTED.format(f"number of (players with {asked}) > 0"))
    some = house(COUNTED.format(f"some player has {asked}"))
    assert compare(counted, some).status("trump") != "same"
    plain = [
        house(COUNTED.format(x))
        for x in ("number of (players with over > 0) > 0", "some player has over > 0")
    ]
    assert compare(*plain).status("trump") == "same"


TOLD = """
rules:
  scoring:
    rule: |
      for p in players:
          over of p becomes tricks of p - target of p
      {}
    assumes: a test
"""

SHOWN = "for p in players, clockwise from {}:\n          p shows AS to everyone"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SHOWN.format("dealer"), SHOWN.format("left of dealer")),
        (
            "announce bonus: c kitty\n      put kitty into deck",
            "put kitty into deck\n      announce bonus: c kitty",
        ),
    ],
)
def test_what_is_told_after_the_play(one: str, other: str) -> None:
    """Who shows a card first differs, and whether cards are announced before they are gathered."""
    assert compare(*(house(TOLD.format(x)) for x in (one, other))).status("scoring") != "same"


@pytest.mark.slow
def test_what_is_told_between_deals() -> None:
    between = "dealer becomes next-dealer\nfirst-hand becomes false\n"
    one, other = (house(rule("between-hands", between + more)) for more in ("", "announce bonus: who dealer"))
    found = compare(one, other)
    assert found.status("between-hands") == "different"
    (compared,) = found.different
    assert compared.parting is not None
    assert compared.parting.answers.later == ({BETWEEN: []}, {BETWEEN: [{"event": "bonus", "who": 1}]})
    text = diff_text(found)
    assert "What is announced or shown differs when no player takes 12 or more tricks." in text
    assert "≠ before the next deal: nothing" in text
    assert "before the next deal: bonus: who 1" in text


def test_cards_dealt_as_they_were_put_back() -> None:
    """No shuffle precedes the deal: cards that were put back lie in another order than shuffled ones."""
    hand = "do deal\ndo before-play\ndo play\ndo scoring\n{}\n"
    put = (
        "put kitty into deck\nput discards into deck\nfor p in players:\n    put tricks-taken of p into deck"
    )
    one, other = (house(rule("hand", hand.format(after))) for after in (put, "shuffle"))
    with pytest.raises(NotEncodedError, match="as they lay"):
        settle(one, other, ({}, {}), SESSION)


def reading_names(number: int, last: str) -> str:
    """The rule `next-dealer` with so many readings, of which the last one may differ."""
    lines = ["rules:", "  next-dealer:", "    assumes: a test", "    readings:"]
    for i in range(number):
        text = last if i == number - 1 else "left of dealer"
        lines += [f"      - name: way-{'abcdefghijklmnopqrstuvwxyz'[i]}", f"        rule: {text}"]
    return "\n".join(lines) + "\n"


def test_more_readings_than_are_compared_are_not_the_same() -> None:
    one, other = (house(reading_names(17, text)) for text in ("left of dealer", "right of right of dealer"))
    assert compare(one, other).status("next-dealer") == "undecided"


@pytest.mark.slow
def test_readings_of_a_helper_that_gets_another_name() -> None:
    """The host needs its own helper elsewhere, so that the donor's is renamed: its second reading counts all the same."""
    body = """
rules:
  enough:
    assumes: a test
    readings:
      - {{name: one, rule: 12}}
      - {{name: two, rule: {}}}
  end:
    rule: some player has tricks >= enough
    assumes: a test
  after-trick:
    rule: "hand-size becomes hand-size + enough - enough"
    assumes: a test
"""
    one, other = house(body.format(12)), house(body.format(11))
    assert compare(one, other).status("end") != "same"


def test_a_condition_counts_only_what_differs() -> None:
    """The rule is worded otherwise for one who is up alone; that it does the same then is not proved, so nothing is said of it."""
    ways = aspect(diff("pagat", "when1"), "exchange-amounts").ways
    assert [(way.how, way.when) for way in ways] == [
        ("what may be chosen", "in some deals in which somebody was up")
    ]


def test_ranks_that_are_held_in_variables() -> None:
    assert diff("rk1", "rk2").status("follow") == "same"
    assert diff("rk2", "rk3").status("follow") != "same"


@RUN
def test_a_game_of_another_family() -> None:
    other, wrong = LIBRARY.load(str(ROOT / "tests/cases/rulesets/draw-two.yaml"))
    assert other is not None, wrong
    found = compare(documented("pagat"), other)
    assert {one.status for one in found.every} <= {"same", "different", "incomparable", "undecided"}
    assert found.status("players") == "different"


STAKE = """
parameters:
  stake: 1 | 2
rules:
  payout:
    rule: |
      for p in players:
          payout of p becomes {}
    assumes: a test
"""


@RUN
@pytest.mark.parametrize(
    ("paid", "status"),
    [("stake * over of p", "different"), ("stake * over of p div stake", "same")],
)
def test_a_parameter_that_only_one_of_the_two_has(paid: str, status: str) -> None:
    found = compare(house(STAKE.format(paid)), documented("pagat"))
    assert found.status("payout") == status


@pytest.mark.parametrize(("leader", "status"), [("left of dealer", "same"), ("dealer", "different")])
def test_a_restated_rule_that_does_not_ask_for_a_value_of_the_base(leader: str, status: str) -> None:
    """What its restatement does is compared, and of the value it is said that nothing asks for it."""
    play = f"leader becomes {leader}\nhand-size becomes number of hand of leader\nrepeat hand-size times:\n    do trick"
    found = compare(documented("pagat"), house(rule("play", play)))
    assert found.status("play") == status
    lead = aspect(found, "lead")
    assert (lead.status, lead.why) == ("incomparable", "house does not ask for it by this name")
