"""The documented rulesets compared, against what the documents say, worked out by hand aspect by aspect."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache, partial
from itertools import combinations
from typing import Any

import pytest

from budget import RUN
from checker.rulesets_for_tests import ROOT, SESSION, documented, house, rule
from trickproof.diff.results import Compared
from trickproof.diff.ruleset_diff import FACTS, Diff, compare as compare_rulesets, one_aspect, play_the_same
from trickproof.diff.side import Side
from trickproof.diff.symbolic.value_rules import compare_values
from trickproof.english.vocabulary import ASPECTS
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.support.process_pool import beside

compare = partial(compare_rulesets, session=SESSION)

IDS = (
    "gamerules",
    "gamerules-mirror",
    "nine-five-two",
    "pagat",
    "pagat-all-sixteen",
    "pagat-kitty-first",
    "shawn-51",
    "six-over",
    "tallyn",
    "trumpet-major",
    "weaver-four",
)

USUAL: dict[str, str] = {
    "players": "three",
    "deck": "52 cards",
    "deal": "16 each, 4 to the kitty",
    "targets": "8-5-3",
    "exchange-amounts": "as many as up, a lone giver as many as each is down",
    "exchange-order": "by target",
    "exchange-returns": "highest of each suit",
    "exchange-timing": "exchange, trump, kitty",
    "trump": "dealer",
    "kitty": "taken, then four discarded",
    "reveal": "none",
    "lead": "left of dealer",
    "follow": "suit led if possible",
    "trick-winner": "highest trump, else highest of the suit led",
    "scoring": "tricks less target",
    "payout": "none",
    "end": "",
    "winner": "",
    "next-dealer": "left",
}
"""What most of the pages say."""

PAGAT = {
    "kitty": "four discarded blind, then taken",
    "reveal": "higher than a card returned",
    "payout": "deviation",
    "end": "12 tricks",
    "winner": "12 tricks",
}
GAMERULES = {
    "exchange-amounts": "up to as many, or any split",
    "exchange-order": "most up first, ties open in three ways",
    "kitty": "taken, four discarded, the rest shown",
    "reveal": "higher than a card returned, or than a card received",
    "payout": "deviation",
    "end": "12 tricks",
    "winner": "12 tricks",
}
SHOWN = "taken, shown, then four discarded"
POINTS = {"scoring": "tricks less target, added up", "payout": "none"}

SAYS: dict[str, dict[str, str]] = {
    "gamerules": GAMERULES,
    "gamerules-mirror": GAMERULES,
    "pagat": PAGAT,
    "pagat-kitty-first": {**PAGAT, "kitty": SHOWN, "exchange-timing": "kitty before or after trump"},
    "pagat-all-sixteen": {**PAGAT, "end": "16 tricks", "winner": "16 tricks"},
    "six-over": {"exchange-order": "by target, of either hand", "end": "six over", "winner": "six over"},
    "trumpet-major": {
        "exchange-order": "most up first, then by target, of either hand",
        "end": "13",
        "winner": "13",
    },
    "nine-five-two": {
        **PAGAT,
        **POINTS,
        "targets": "9-5-2",
        "kitty": SHOWN,
        "end": "10 or 20 points",
        "winner": "10 or 20 points",
    },
    "tallyn": {
        **POINTS,
        "targets": "9-2-5",
        "exchange-order": "only the returns, in two ways",
        "exchange-timing": "kitty, gifts, trump, returns",
        "end": "15 points up or down",
        "winner": "most points",
    },
    "shawn-51": {
        **POINTS,
        "deck": "51 cards",
        "deal": "17 each",
        "targets": "8-6-3",
        "kitty": "none",
        "end": "10 points",
        "winner": "10 points",
    },
    "weaver-four": {
        **PAGAT,
        "players": "four",
        "deal": "13 each",
        "targets": "5-4-2-2",
        "exchange-amounts": "as allotted",
        "exchange-order": "all gifts, then all answers",
        "exchange-returns": "by the rank of the cards given",
        "kitty": "none",
        "reveal": "none",
    },
}
"""What each page says otherwise."""


def says(name: str, aspect: str) -> str:
    return SAYS[name].get(aspect, USUAL[aspect])


def agree(a: str, b: str, aspect: str) -> bool:
    """Whether two pages say the same; a reveal that only one of them has is told as a difference of the reveal."""
    one, other = says(a, aspect), says(b, aspect)
    if aspect == "kitty" and "none" in (says(a, "reveal"), says(b, "reveal")):
        one, other = (x if not x.startswith("taken") else USUAL["kitty"] for x in (one, other))
    return one == other


@cache
def diff(a: str, b: str) -> Diff:
    return compare(documented(a), documented(b))


def as_the_documents_say(a: str, b: str) -> None:
    found = diff(a, b)
    three = "players" if says(a, "players") != says(b, "players") else ""
    for aspect, one in zip(ASPECTS, found.aspects, strict=True):
        assert one.aspect == aspect
        same = agree(a, b, aspect)
        expected = "same" if same else "incomparable" if three and aspect not in FACTS else "different"
        assert one.status == expected, (a, b, aspect, one.status, one.why)
        assert (one.parting is not None) == (expected == "different")
    assert found.others == ()


QUICK = [
    ("gamerules", "gamerules-mirror"),
    ("pagat", "weaver-four"),
    ("pagat", "shawn-51"),
]


@RUN
@pytest.mark.parametrize(("a", "b"), QUICK)
def test_some_pairs(a: str, b: str) -> None:
    as_the_documents_say(a, b)


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), [pair for pair in combinations(IDS, 2) if pair not in QUICK])
def test_every_pair(a: str, b: str) -> None:
    as_the_documents_say(a, b)


def aspect(found: Diff, name: str) -> Compared:
    return next(one for one in found.every if one.aspect == name)


def conditions(found: Diff, name: str) -> list[tuple[str, str | None]]:
    return [(way.how, way.when) for way in aspect(found, name).ways]


@RUN
def test_the_order_differs_where_the_one_up_more_has_the_lower_target() -> None:
    found = diff("pagat", "trumpet-major")
    assert conditions(found, "exchange-order") == [
        ("who is asked", "the player with more overtricks has the lower target")
    ]
    one = aspect(found, "exchange-order")
    assert one.complete
    assert one.parting is not None
    assert sum(x for x in one.parting.answers.scenario["over"] if x > 0) == 3
    givers = [
        [event["player"] for event in answer["events"] if event["event"] == "give"]
        for answer in (one.parting.answers.a, one.parting.answers.b)
    ]
    assert givers[0] == givers[1][::-1]


@RUN
def test_two_ends_differ_in_two_ways_and_the_conditions_are_exact() -> None:
    found = compare(documented("six-over"), documented("trumpet-major"))
    assert set(conditions(found, "end")) == {
        (
            "the match ends in a only",
            "some player has at least 6 overtricks and no player takes 13 or more tricks",
        ),
        ("the match ends in b only", "the dealer takes exactly 13 tricks"),
    }
    assert aspect(found, "end").complete
    assert aspect(found, "end").direction == "neither"


@pytest.mark.slow
def test_readings_differ_under_some() -> None:
    one = aspect(compare(documented("trumpet-major"), documented("gamerules")), "exchange-order")
    assert [x.status for x in one.readings] == ["same", "same", "different"] + 3 * ["different"]
    assert one.status == "different"


@RUN
def test_more_to_choose_is_wider() -> None:
    base = documented("pagat")
    free = house(rule("follow", "hand"))
    assert aspect(compare(base, free), "follow").direction == "wider"
    assert aspect(compare(free, base), "follow").direction == "narrower"
    must = house(
        rule(
            "follow", "if some card in hand has suit = trump\nthen cards in hand with suit = trump\nelse hand"
        )
    )
    assert aspect(compare(base, must), "follow").direction == "neither"
    fewer = house(rule("trump", "dealer chooses trump with trump != hearts"))
    assert aspect(compare(base, fewer), "trump").direction == "narrower"


def test_a_rule_beside_the_aspects_is_told_too() -> None:
    plain = house(
        rule(
            "may-lead",
            "if some card in hand has suit != trump\nthen cards in hand with suit != trump\nelse hand",
        )
    )
    found = compare(documented("pagat"), plain)
    assert [one.aspect for one in found.others] == ["may-lead"]


@RUN
def test_partners_whose_scores_are_always_alike() -> None:
    """In whist only one side scores in a deal: whoever reaches the goal has more than the others."""
    highest = house(rule("winner", "players with the highest score"), "whist")
    assert one_aspect(documented("whist"), highest, "winner", SESSION).status == "same"


def test_what_such_a_rule_alone_uses_is_told_with_it() -> None:
    """It was called incomparable where only one of the two has it, since nothing stood in its place."""
    both = rule("may-lead", "if bold then hand else cards in hand with suit != trump")
    both += "  bold: {rule: some player has tricks >= 3, assumes: a test}\n"
    for one, other in (("pagat", house(both)), (house(both), "pagat")):
        a, b = (documented(x) if isinstance(x, str) else x for x in (one, other))
        assert [(x.aspect, x.status) for x in compare(a, b).others] == [("may-lead", "different")]


@RUN
def test_what_a_muted_aspect_calls_is_compared() -> None:
    """Only one of these comes to the kitty, and with it to the reveal: both differ."""
    found = diff("pagat", "shawn-51")
    assert aspect(found, "kitty").status == "different"
    assert aspect(found, "reveal").status == "different"
    assert aspect(found, "exchange-timing").status == "same"


def test_play_the_same() -> None:
    assert play_the_same(documented("gamerules"), documented("gamerules-mirror"), SESSION)
    assert not play_the_same(documented("pagat"), documented("pagat-kitty-first"), SESSION)


def test_whether_they_play_the_same_takes_no_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("trickproof.diff.rule_diff.inclusion", unwanted)
    monkeypatch.setattr("trickproof.diff.rule_diff.condition", unwanted)
    first = documented(str(ROOT / "rulesets/house/kitty-before-discard.yaml"))
    assert not play_the_same(first, documented("pagat-kitty-first"), SESSION)


@RUN
def test_the_smallest_hand_is_shown() -> None:
    """Nothing is exchanged where that shows the difference, and no card is played where the state tells it before."""
    found = diff("pagat", "trumpet-major")
    kitty = aspect(found, "kitty").parting
    assert kitty is not None
    assert kitty.answers.scenario["over"] == [0, 0, 0]
    assert [move["move"] for move in kitty.answers.scenario["moves"]] == ["trump"]


@pytest.mark.slow
def test_same_bytes_again() -> None:
    from trickproof.reports.comparison.diff import diff_document, diff_text

    again = compare(documented("six-over"), documented("trumpet-major"), workers=2)
    first = compare(documented("six-over"), documented("trumpet-major"))
    assert diff_document(again, text=True) == diff_document(first, text=True)
    assert diff_text(again) == diff_text(first)


def test_unknown_ranks_are_looked_for_in_sets_of_ranks() -> None:
    text = "if rank of played of leader in %s then hand of p else cards in hand of p with suit = led"
    one, other = (house(rule("follow", text % rank)).program for rank in ("ranks", "(ranks - ranks)"))
    assert compare_values(one, other, "follow", ({}, {})).same is False
    assert compare_values(one, one, "follow", ({}, {})).same is True


CALLED = """
state:
  declarer: {type: player}
  best: {type: rank, of: player}
rules:
  loyal: {of: player p, rule: %s, gives: boolean, assumes: a test}
  between-hands:
    rule: |
      dealer becomes next-dealer
      if loyal of declarer:
          first-hand becomes false
    assumes: a test
"""


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("over of p >= 0 or over of p < 0", "1 = 1", False),  # nobody has overtricks
        ("p != none", "1 = 1", False),
        ("p = p", "1 = 1", False),  # which fails if the argument does
        ("number of (players with the highest best) >= 0", "1 = 1", False),  # nor is there a rank to compare
        ("(highest height of AS among players) = 12", "1 = 1", True),
        ("over of p > 0", "0 < over of p", True),
        ("p = dealer", "dealer = p", True),
    ],
)
def test_arguments_may_be_nobody_or_fail(one: str, other: str, same: bool) -> None:
    """Calls are inlined: what a rule does not ask for is not evaluated."""
    programs = [house(CALLED % text).program for text in (one, other)]
    assert compare_values(*programs, "loyal", ({}, {})).same is same


def test_each_aspect_is_compared_by_the_next_free_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """While this one proves what the others suppose, which have all else in common with it."""
    given: list[int] = []

    @contextmanager
    def alone(groups: list[Any], workers: int, share: Any) -> Any:
        given[:] = [len(group) for group in groups]
        assert workers == 1
        assert share().a.session is SESSION
        with beside(groups, 0, share) as both:
            yield both

    monkeypatch.setattr("trickproof.diff.ruleset_diff.beside", alone)
    found = compare_rulesets(documented("six-over"), documented("trumpet-major"), workers=2, session=SESSION)
    assert given == [1] * len(given) != []
    assert [x.aspect for x in found.different] == ["exchange-order", "end", "winner"]


def test_what_is_found_by_supposition_does_not_count_without_the_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pair = documented("six-over"), documented("trumpet-major")

    def unproved(side: Side) -> None:
        if not side._counted:
            raise NotEncodedError("it is not proved", side.texts.ruleset.program.rules["hand"].span)

    monkeypatch.setattr(Side, "counted", unproved)
    alone, others = (compare_rulesets(*pair, workers=workers) for workers in (1, 2))
    assert {x.aspect: (x.status, x.complete) for x in alone.every} == {
        x.aspect: (x.status, x.complete) for x in others.every
    }
    assert not any(x.complete for x in others.different if x.aspect in ("end", "winner"))
