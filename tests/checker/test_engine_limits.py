"""Rules whose numbers outgrow every engine: each part of the checker says that it gave up, and none blames the rules."""

from __future__ import annotations

from functools import cache
from itertools import repeat

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented, found, house, rule
from trickproof.adapters import game_state
from trickproof.adapters.settings import RulesetError
from trickproof.checking.played_hand import first_hand
from trickproof.checking.verdict import Verdict
from trickproof.checks import all_checks
from trickproof.checks.zero_sum import CHECK as ZERO_SUM
from trickproof.diff.witnesses import distinguishing_hands
from trickproof.diff.witnesses.distinguishing_hands import in_play
from trickproof.diff.witnesses.parting import Pair
from trickproof.play.saved_match import Match, Setting
from trickproof.play.session import Outcome, Session
from trickproof.proofs.hands.initial_states import starts
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.hand_summary import PlayOutcome, settlements
from trickproof.reports.simulation import outcome_text, simulation_document
from trickproof.reports.text import PLAIN
from trickproof.simulate.ir.calling_convention import BACKENDS, LIMIT
from trickproof.simulate.runtime.executor import SerialExecutor
from trickproof.simulate.runtime.game import game_of
from trickproof.simulate.runtime.scheduler import Request
from trickproof.simulate.simulation import Simulation
from trickproof.support.serialise import serialised
from trickproof.testing.confirmation import telling_readings
from trickproof.testing.deal_search import construct
from trickproof.testing.edge_cases import Corners
from trickproof.testing.random_play import Violation, pick, play
from trickproof.testing.subject import Subject, tested as sampled
from trickproof.vectors import generate
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance

PAYOUT = """
for p in players:
    payout of p becomes 3
    repeat 8 times:
        payout of p becomes payout of p * payout of p
"""


@cache
def growing() -> Ruleset:
    """Pagat's rules, but that what is paid is squared again and again, past what any engine handles."""
    return house(rule("payout", PAYOUT))


def test_a_sample_says_nothing_and_tells_so() -> None:
    played = play(growing(), (ZERO_SUM,), 12)
    assert played.hands >= 12
    assert played.violations == {}
    assert played.cases.get("zero-sum", 0) == 0
    (message,) = played.limits
    assert message == "a number goes beyond 1000000000000000000"
    corners = Corners(growing(), (ZERO_SUM,))
    assert corners.violating("zero-sum") is None
    assert (corners.played.violations, list(corners.played.limits)) == ({}, [message])


def test_findings_tell_that_a_sample_met_a_limit() -> None:
    finding = sampled(ZERO_SUM, Subject(growing(), (ZERO_SUM,), 12))
    assert finding.verdict is Verdict.UNDECIDED
    (detail,) = finding.details
    assert detail.startswith("a sample met a limit of the engine and says nothing: a number goes beyond")


@RUN
def test_check_blames_no_rule_for_a_limit() -> None:
    (zero,) = found(growing(), ["zero-sum"])
    assert zero.verdict is Verdict.UNDECIDED


def test_a_limit_holds_no_reading_responsible() -> None:
    """Under the other reading the engine gives up, so that it is not known to do no harm."""
    two_ways = house(
        """\
        rules:
          payout:
            readings:
              - name: plain
                rule: |
                  for p in players:
                      payout of p becomes over of p + 1
              - name: growing
                rule: |
                  for p in players:
                      payout of p becomes 3
                      repeat 8 times:
                          payout of p becomes payout of p * payout of p
            assumes: a test
        """
    )
    hand = first_hand(two_ways.program, Chance(1), {}, {"payout": 0}, {})
    while hand.state.decision is not None:
        hand = hand.choose(pick(hand.state.decision, None))
    message = ZERO_SUM.probes[0].wrong(hand.state)
    assert message is not None
    violation = Violation("zero-sum", message, hand, None)
    assert telling_readings((ZERO_SUM,), violation) == {}


def test_no_deal_is_found_where_the_engine_gives_up() -> None:
    program = growing().program
    assert construct(growing(), {}, {}, {("dealer",): 0}, (6, 5, 5)) is None
    assert construct(documented("pagat"), {}, {}, {("dealer",): 0}, (6, 5, 5)) is not None
    assert program.players == 3


def test_no_difference_is_seen_where_the_engine_gives_up() -> None:
    one, other = documented("pagat"), growing()
    pair = Pair(one, other, one, other, one, ({}, {}))
    assert in_play(pair, [({("dealer",): 0}, {}, {})], 3) is None
    assert distinguishing_hands._alongside(pair, {("dealer",): 0}, {}, {}, 1, 1, True) is None


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_simulator_reports_its_limit_as_its_own(backend: str) -> None:
    simulation = Simulation(game_of(growing()), Request(hands=60), backend)
    outcome = simulation.play(SerialExecutor())
    assert {x.kind for x in outcome.breakdowns} == {LIMIT}
    assert all(x.is_limit and x.rule == "payout" for x in outcome.breakdowns)
    assert outcome.broken == 0
    text = " ".join(outcome_text(outcome, PLAIN).split())
    assert "the simulator's numbers end at 1,000,000,000,000,000,000" in text
    assert "that says nothing about the rules" in text
    assert "the rules failed" not in text
    document = serialised(simulation_document(outcome))
    assert document["broken"] == 0
    assert {x["kind"] for x in document["breakdowns"]} == {"engine-limit"}


def test_play_says_it_in_one_sentence() -> None:
    lines: list[str] = []
    match = Match(growing(), Setting(0, "greedy", 3, {}, {}))
    options = repeat("1")
    asked: list[str] = []

    def typed() -> str | None:
        decision = match.now.decision
        assert decision is not None
        asked.append(next(options))
        return " ".join(map(str, range(1, decision.low + 1))) if decision.of_cards else "1"

    assert Session(match, PLAIN, lines.append, typed).play() is Outcome.LIMIT
    assert asked
    assert " ".join(" ".join(lines).split()).endswith(
        "the match cannot continue, because of a limit of the program, not of the rules: "
        "a number goes beyond 1000000000000000000"
    )


def test_a_game_of_the_adapters_ends_with_the_limit() -> None:
    now = game_state.begin(game_state.terms(growing()), seed=4)
    while not now.over:
        now = now.after(now.legal()[0])
    assert now.over == "engine-limit"
    assert now.returns() == (0.0,) * 3


def test_no_vectors_come_of_hands_in_which_the_engine_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "MOST_LIMITS", 3)
    assert list(generate.by_chance(growing(), 1)) == []


def test_nothing_is_proved_of_matches_that_no_engine_can_begin() -> None:
    """Where a match cannot be begun, what it begins with is unknown."""
    unbegun = house(rule("match-start", PAYOUT))
    subject = Subject(unbegun, all_checks())
    with pytest.raises(NotEncodedError, match="a number goes beyond"):
        settlements(subject, PlayOutcome.KNOWN_SIZE)[0].start()
    assert not any(start.exact for start in starts(subject, PlayOutcome.KNOWN_SIZE))
    (reachable,) = found(unbegun, ["end-reachable"])
    assert reachable.verdict is Verdict.UNDECIDED
    with pytest.raises(RulesetError, match="cannot be played here: a number goes beyond"):
        game_state.begin(game_state.terms(unbegun), seed=4)
