"""Proofs against enumeration: the documented rulesets with few cards, for all choices of all players.

Law: what is proved never fails in any enumerated deal; what fails there is refuted; what is refuted fails
there. It holds for the documented rulesets and for faults seeded into one of them.

The first deal and the deal after every trick distribution are enumerated, for all readings and parameters:
`SEVEN` cards and similar sizes (two each), played to the end, with a seeded sample of deals; all deals of two
rulesets and every ninth or ninetieth of the others are `slow`. `THIRTEEN` and similar sizes (four each) go up
to the first card played, with one seeded deal; 25 of them are `slow`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import islice

import pytest

from agreement.shadow import same_value
from agreement.shrunken import (
    NAMES,
    SEVEN,
    Begin,
    Enumeration,
    begins,
    every_deal,
    shrunk,
    size_for,
    some_deals,
)
from budget import RUN, slow_but
from checker.rulesets_for_tests import LIBRARY, found, house
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Verdict
from trickproof.checks import all_checks
from trickproof.proofs.hands.initial_states import starts
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.testing.subject import Subject
from trickproof_dsl.library import Ruleset

DOCUMENTED = LIBRARY.documented()

SOME = ("nine-five-two",)
"""Rulesets of the default run; the others are slow, or add nothing new."""

TRICK = """\
leader plays 1 card of may-lead of leader as played of leader
led becomes followed-suit of played of leader
tricks of leader becomes tricks of leader + 1
for p in players other than leader, clockwise from leader:
    p plays 1 card of follow of p as played of p
leader becomes only player in trick-winner
tricks of leader becomes tricks of leader + 1
put trick into tricks-taken of leader
for p in players:
    played of p becomes none
"""

FAULTS: dict[str, tuple[str, dict[str, str]]] = {
    "deals too many": (
        "cards-conserved",
        {"deal": "for p in players, clockwise from left of dealer:\n    deal 18 cards to hand of p"},
    ),
    "forgets the discard": ("hand-size", {"kitty": "dealer picks-up kitty as picked-up"}),
    "discards one too many": (
        "hand-size",
        {"kitty": "dealer picks-up kitty as picked-up\ndealer discards 3 cards of hand"},
    ),
    "returns the lowest": (
        "exchange-returns-highest",
        {
            "exchange-returns": (
                "taker returns lowest of hand matching gift(giver, taker) to giver as returned(taker, giver)"
            )
        },
    ),
    "gives one card fewer": (
        "exchange-balanced",
        {
            "exchange-amounts": (
                "for taker in players with over < 0, clockwise from giver:\n"
                "    if number of (players with over > 0) = 1:\n"
                "        giver gives (under of taker - 1) cards of hand to taker as gift(giver, taker)\n"
                "    else:\n"
                "        giver gives over of giver cards of hand to taker as gift(giver, taker)"
            )
        },
    ),
    "returns what is not there": (
        "exchange-feasible",
        {
            "exchange-returns": (
                "taker returns highest of hand of giver matching gift(giver, taker) from hand to giver "
                "as returned(taker, giver)"
            )
        },
    ),
    "demands a suit": (
        "exchange-feasible",
        {
            "exchange-returns": "taker returns 1 card of hand with suit = clubs to giver as returned(taker, giver)"
        },
    ),
    "follows suit even when it cannot": (
        "legal-play-exists",
        {"follow": "cards in hand with followed-suit = led"},
    ),
    "the highest rank of any suit wins": (
        "one-trick-winner",
        {"trick-winner": "players with the highest rank of played"},
    ),
    "a trick counts for its leader too": ("trick-total", {"trick": TRICK}),
    "an order with ties": (
        "exchange-feasible",
        {
            "exchange-order": (
                "for giver in players with over > 0, highest over first, ties impossible:\n"
                "    do exchange-amounts of giver\n"
                "    for taker in players with over < 0, clockwise from giver:\n"
                "        do exchange-returns(giver, taker)"
            )
        },
    ),
}


@cache
def faulty(fault: str, few: bool) -> Ruleset:
    return shrunk("pagat", size_for("pagat", few), FAULTS[fault][1])


def enumerated(
    ruleset: Ruleset, deals: Iterable[tuple[int, ...]], plays: bool, begun: Iterable[Begin] | None = None
) -> dict[str, str]:
    """What goes wrong in any of these deals, by check."""
    everything, started = Enumeration(ruleset, plays), list(begins(ruleset) if begun is None else begun)
    for deal in deals:
        for begin in started:
            everything.run(begin, deal)
    assert everything.hands >= len(started)
    return everything.wrong


def agree(ruleset: Ruleset, wrong: dict[str, str]) -> dict[str, Verdict]:
    """Assert that proofs and enumeration agree; return the verdicts."""
    verdicts = {finding.check: finding.verdict for finding in found(ruleset, list(NAMES))}
    for check, verdict in verdicts.items():
        if check in wrong:
            assert verdict is Verdict.REFUTED, f"{check} is {verdict.value}: {wrong[check]}"
        else:
            assert verdict is not Verdict.REFUTED, f"{check} is refuted; every hand enumerated keeps it"
    return verdicts


@pytest.mark.parametrize("name", slow_but(SOME, DOCUMENTED))
@RUN
def test_documented(name: str) -> None:
    """Four cards each: one seeded deal, at most 20 evenly spaced initial states, up to the first card played."""
    ruleset = shrunk(name, size_for(name, few=False))
    begun = list(begins(ruleset))
    begun = begun[:: -(-len(begun) // 20)]
    verdicts = agree(ruleset, enumerated(ruleset, some_deals(ruleset, 1, seed=1), plays=False, begun=begun))
    strong = (Verdict.PROVED, Verdict.REFUTED, Verdict.NOT_APPLICABLE)
    assert all(verdict in strong for verdict in verdicts.values()), verdicts


READINGS = """
rules:
  targets:
    assumes: a test
    readings:
      - {name: common, rule: target of dealer becomes 16}
      - {name: rare, rule: target of left of dealer becomes 16}
"""


def covered(ruleset: Ruleset, begun: Iterable[Begin]) -> list[Begin]:
    """The initial states after another deal that no starting state of a proof covers."""
    left = [begin for begin in begun if len(begin.variables) > 1]
    for start in starts(Subject(ruleset, all_checks()), PlayOutcome.KNOWN_SIZE):
        questions = SolverSession(ProofSession())
        questions.add(*start.facts)
        left = [
            begin
            for begin in left
            if questions.possible(*(same_value(start.variables[k], v) for k, v in begin.variables.items()))
            is Answer.NO
        ]
    return left


@pytest.mark.parametrize("name", slow_but(("gamerules",), DOCUMENTED))
def test_begins_are_covered(name: str) -> None:
    """Whatever is carried into a deal, for any tricks before, is covered by the proofs' starting states."""
    ruleset = shrunk(name, size_for(name, few=False))
    assert covered(ruleset, begins(ruleset)) == []


def test_begins_are_covered_under_every_reading_of_what_is_reckoned() -> None:
    ruleset = house(READINGS)
    assert covered(ruleset, [begin for begin in begins(ruleset) if begin.readings["targets"] == 1]) == []


SOME_FAULTS = ("deals too many",)
"""Faults of the default run."""


@pytest.mark.parametrize("fault", slow_but(SOME_FAULTS, FAULTS))
@RUN
def test_faults(fault: str) -> None:
    """Two cards each, six seeded deals, played to the end."""
    ruleset = faulty(fault, few=True)
    wrong = enumerated(ruleset, some_deals(ruleset, 6), plays=True)
    verdicts = agree(ruleset, wrong)
    assert verdicts[FAULTS[fault][0]] is Verdict.REFUTED


def test_every_deal_is_enumerated() -> None:
    """7! / (2! 2! 2! 1!) deals of seven cards."""
    ruleset = shrunk("pagat", SEVEN)
    deals = list(every_deal(ruleset, 2))
    assert len(deals) == len({tuple(map(frozenset, (d[:2], d[2:4], d[4:6]))) for d in deals}) == 630


@pytest.mark.slow
@pytest.mark.parametrize("name", DOCUMENTED)
def test_documented_every_deal(name: str) -> None:
    """Two cards each, played to the end: every deal of `pagat` and `shawn-51`.

    Every ninth for the others, and every ninetieth for those with many readings or four players.
    """
    ruleset = shrunk(name, size := size_for(name, few=True))
    many = len(list(begins(ruleset))) > 20 or ruleset.program.players == 4
    step = 1 if name in ("pagat", "shawn-51") else 90 if many else 9
    deals = islice(every_deal(ruleset, size.hand), 0, None, step)
    agree(ruleset, enumerated(ruleset, deals, plays=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", DOCUMENTED)
def test_documented_more_deals(name: str) -> None:
    """Four cards each: 25 seeded deals, up to the first card played."""
    ruleset = shrunk(name, size_for(name, few=False))
    agree(ruleset, enumerated(ruleset, some_deals(ruleset, 25), plays=False))


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_more_deals(fault: str) -> None:
    """Two cards each: every ninth deal in order, played to the end."""
    ruleset = faulty(fault, few=True)
    agree(ruleset, enumerated(ruleset, islice(every_deal(ruleset, 2), 0, None, 9), plays=True))


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_on_thirteen_cards(fault: str) -> None:
    """Four cards each: two seeded deals, up to the first card; faults that need play are not considered."""
    ruleset = faulty(fault, few=False)
    wrong = enumerated(ruleset, some_deals(ruleset, 2), plays=False)
    in_play = {"legal-play-exists", "one-trick-winner", "trick-total"}
    verdicts = {finding.check: finding.verdict for finding in found(ruleset, list(NAMES))}
    for check in verdicts.keys() - in_play:
        assert (verdicts[check] is Verdict.REFUTED) == (check in wrong), check
