"""Claims about whole matches: whether they can always end, whether they must, and the hands that show it."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import z3

from budget import RUN, slow_but
from checker.rulesets_for_tests import documented, found, house, subject_of
from trickproof.analysis.live_variables import lasting
from trickproof.checking.finding import Finding
from trickproof.checking.played_hand import HandPlayed, following_hand
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs.kernel import Rule
from trickproof.proofs.matches import always_reachable
from trickproof.proofs.matches.lasso import AllEnd, lasso
from trickproof.proofs.matches.verdicts import settled as settlements
from trickproof.proofs.model_checking.horn_clauses import can_end
from trickproof.proofs.model_checking.ranking_function import ranking
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof.proofs.symbolic.hand_summary import Settlement
from trickproof.reports.findings import Detail, report
from trickproof.support.serialise import serialised
from trickproof.testing.witness import replayed_match
from trickproof_dsl.library import Ruleset

FEW = 20
"""Hands that are played at random: what is claimed of matches rests on proofs."""

ADDING = """\
    state:
      hands-played: {{type: integer, carried: true}}
    rules:
      scoring:
        rule: |
          hands-played becomes hands-played + 1
          for p in players:
              over of p becomes tricks of p - target of p
              score of p becomes score of p + {points}
        assumes: a test
      end: {{rule: {end}, assumes: a test}}
      winner: {{rule: players with the highest score, assumes: a test}}
      payout: {{rule: nothing happens, assumes: a test}}
    """


def game(end: str, points: str = "tricks of p", base: str = "pagat") -> Ruleset:
    """A game of points that counts its hands."""
    return house(ADDING.format(end=end, points=points), base)


def settled(ruleset: Ruleset) -> Settlement:
    return settlements(subject_of(ruleset, FEW))[0]


def findings_of(ruleset: Ruleset, only: list[str]) -> list[Finding]:
    return found(ruleset, only, FEW)


def one(ruleset: Ruleset, check: str) -> Finding:
    (finding,) = findings_of(ruleset, [check])
    return finding


NO_END: dict[str, tuple[str, str]] = {
    "only the first hand can end it": ("first-hand and some player has tricks >= 12", "tricks of p"),
    "only the first two hands can end it": (
        "hands-played < 3 and some player has tricks >= 12",
        "tricks of p",
    ),
    "an exact score that can be passed": ("some player has score = 20", "tricks of p"),
    "a limit that everybody can pass": (
        "some player has score >= 20 and every player has score <= 30",
        "tricks of p",
    ),
    "points are never lost": ("some player has score < 0", "tricks of p"),
    "more tricks than there are": ("some player has tricks >= 17", "tricks of p"),
}
"""Matches that can come to a score from which no play ends them: end and points."""

SOUND: dict[str, tuple[str, str, int]] = {
    "points add up": ("some player has score >= 100", "tricks of p", 7),
    "any one division": ("some player has tricks = 5 and some player has tricks = 4", "tricks of p", 1),
    "two hands": ("not first-hand", "tricks of p", 2),
    "it gets easier": ("some player has tricks >= 17 - hands-played", "tricks of p", 1),
}
"""Matches that some play can always end, and within how many hands."""


@cache
def no_end(fault: str) -> tuple[Ruleset, Finding]:
    ruleset = game(*NO_END[fault])
    return ruleset, one(ruleset, "end-always-reachable")


@pytest.mark.parametrize("fault", slow_but(("an exact score that can be passed",), NO_END))
@RUN
def test_a_score_without_an_end_is_found(fault: str) -> None:
    ruleset, finding = no_end(fault)
    assert finding.verdict is Verdict.REFUTED, finding.message
    check_hands(ruleset, finding)


@pytest.mark.parametrize("name", slow_but(("two hands",), SOUND))
@RUN
def test_an_end_within_reach(name: str) -> None:
    end, points, hands = SOUND[name]
    finding = one(game(end, points), "end-always-reachable")
    assert finding.verdict is Verdict.PROVED, finding.message
    within = "the next deal" if hands == 1 else f"{hands} deals"
    assert finding.message == f"whatever the score, some play ends the match within {within}"


@RUN
def test_who_can_take_every_trick_is_not_called_by_a_number() -> None:
    """No deal is shown, so nobody has a seat."""
    finding = one(game("some player has score >= 200", "over of p"), "end-always-reachable")
    assert finding.message.startswith(
        "whatever the score, one player can end the match by taking every trick: `score` of that player grows"
    )


def check_hands(ruleset: Ruleset, finding: Finding) -> None:
    """Every hand of a witness replays, none ends the match, and each begins with what the last leads to."""
    assert finding.match is not None
    assert finding.match[-1] == finding.witness
    match = replayed_match(ruleset, finding.match).match
    assert all(hand.state.hand_over and not hand.state.match_over for hand in match[:-1])
    if finding.loop_from is not None:
        last = following_hand(match[-1].state)
        assert isinstance(last, HandPlayed)
        names = lasting(ruleset.program) - ({"score"} if "but for `score`" in finding.message else set())
        kept = {key: value for key, value in carried(last).items() if key[0] in names}
        assert kept.items() <= match[finding.loop_from].begin.variables.items()


def carried(hand: HandPlayed) -> dict[Any, Any]:
    variables = hand.begin.program.variables
    return {key: value for key, value in hand.begin.variables.items() if variables[key[0]].carried}


# ------------------------------------------------------------------------------------------- matches without end

ENDLESS: dict[str, tuple[str, str, str, bool]] = {
    "nobody need take twelve": ("some player has tricks >= 12", "tricks of p", "pagat", True),
    "points for deviations": ("some player has score >= 10", "over of p", "pagat", True),
    "four players": ("some player has tricks >= 9", "over of p", "weaver-four", True),
    "a running total is no progress": ("some player has over >= 6", "1", "pagat", True),
    "an end that cannot come": ("every player has over > 0", "tricks of p", "pagat", False),
    "an exact score": ("some player has score = 20", "tricks of p", "pagat", False),
}
"""Matches that can go on for ever: end, points and base, and whether they end almost surely all the same."""


@cache
def endless(fault: str) -> tuple[Ruleset, Finding]:
    end, points, base, _ = ENDLESS[fault]
    ruleset = game(end, points, base)
    return ruleset, one(ruleset, "terminates")


@pytest.mark.parametrize("fault", slow_but(("nobody need take twelve", "an end that cannot come"), ENDLESS))
@RUN
def test_a_match_that_can_go_on_for_ever(fault: str) -> None:
    ruleset, finding = endless(fault)
    ends = ENDLESS[fault][-1]
    assert finding.verdict is (Verdict.PROVED if ends else Verdict.REFUTED), finding.message
    assert finding.termination == ("almost-surely" if ends else None)
    check_hands(ruleset, finding)


@RUN
@pytest.mark.parametrize(
    ("fault", "players"),
    [
        ("nobody need take twelve", 3),
        pytest.param("points for deviations", 3, marks=RUN),
        pytest.param("four players", 4, marks=RUN),
    ],
)
def test_a_loop_has_the_period_of_the_deal(fault: str, players: int) -> None:
    _, finding = endless(fault)
    assert (len(finding.match), finding.loop_from) == (players + 1, 1)


def test_the_loop_is_told() -> None:
    ruleset, finding = endless("nobody need take twelve")
    text = report([(ruleset, [finding])], Detail(2))
    assert "note players who cooperate can repeat deals 2 to 4 forever" in text
    assert "Example (deal 4 of a match):" in text
    assert all(
        f"deal {number}: {seat} deals" in text for number, seat in enumerate(("Dealer", "Left", "Right"), 1)
    )
    told_ = serialised(finding)
    assert (told_["loop_from"], told_["termination"]) == (1, "almost-surely")
    assert told_["within_deals"] is None
    assert [hand["dealer"] for hand in finding.match] == [0, 1, 2, 0]


def test_one_hand_has_no_match() -> None:
    finding = one(documented("pagat"), "end-reachable")
    assert finding.match == (finding.witness,)
    assert serialised(finding)["loop_from"] is None


@RUN
@pytest.mark.parametrize("name", slow_but(("tallyn",), ("shawn-51", "tallyn")))
def test_several_hands_are_all_shown(name: str) -> None:
    ruleset = documented(name)
    finding = one(ruleset, "unique-winner")
    assert finding.match is not None
    assert len(finding.match) > 1
    check_hands(ruleset, finding)
    assert len(replayed_match(ruleset, finding.match).state.winners) == 2


# ---------------------------------------------------------------------------------------- matches that surely end

ENDING: dict[str, tuple[str, str, int]] = {
    "points add up": ("some player has score >= 30", "tricks of p", 6),
    "a number of hands": ("hands-played >= 12", "over of p", 12),
    "points run out": ("some player has score <= -40", "0 - tricks of p", 8),
    "two hands": ("not first-hand", "over of p", 2),
    "a count in steps": ("3 * hands-played >= 25", "over of p", 9),
}
"""Matches that surely end, and after how many hands at the latest."""


@RUN
@pytest.mark.parametrize("name", slow_but(("points add up", "two hands"), ENDING))
def test_a_match_that_surely_ends(name: str) -> None:
    end, points, hands = ENDING[name]
    ruleset = game(end, points)
    finding = one(ruleset, "terminates")
    assert finding.verdict is Verdict.PROVED, finding.message
    assert finding.message.startswith(f"every match ends within {hands} deals")
    assert (finding.termination, finding.within_deals) == ("surely", hands)


@RUN
def test_no_dead_end_is_searched_for_where_every_match_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = list[object]()
    monkeypatch.setattr(always_reachable, "_dead", lambda *of: searched.append(of))
    finding = one(game("hands-played = 3"), "end-always-reachable")
    assert (finding.verdict, searched) == (Verdict.PROVED, [])
    assert finding.message.startswith("every match ends within 3 deals")


@pytest.mark.parametrize("end", ["some player has score = 20", "some player has tricks >= 12"])
@RUN
def test_no_ranking_where_a_match_can_go_on(end: str) -> None:
    assert ranking(settled(game(end))) is None


@RUN
def test_progress_in_a_round_of_dealers() -> None:
    """A number that grows only when player 0 deals."""
    ruleset = house(
        """\
        state:
          rounds: {type: integer, carried: true}
          seat: {type: integer, carried: true}
        rules:
          payout:
            rule: |
              seat becomes (seat + 1) mod 3
              if seat = 0:
                  rounds becomes rounds + 1
            assumes: a test
          end: {rule: rounds >= 7, assumes: a test}
          winner: {rule: players p with p = dealer, assumes: a test}
        """
    )
    why = ranking(settled(ruleset))
    assert why is not None
    assert (why.what, why.rounds, why.step) == ("`rounds`", 3, 1)
    assert 21 <= why.hands <= 24


def test_all_end_within_few_hands() -> None:
    outcome = next(lasso(settled(game("not first-hand"))))
    assert isinstance(outcome, AllEnd)
    assert (outcome.hands, outcome.theorem.rule) == (2, Rule.UNROLL)


# ------------------------------------------------------------------------------------------------- clauses of Horn


@pytest.mark.parametrize(
    ("end", "answer"),
    [
        ("some player has score >= 100", Answer.YES),
        ("hands-played >= 30", Answer.YES),
        ("some player has score < 0", Answer.NO),
        ("hands-played >= 10 and hands-played < 10", Answer.NO),
        ("some player has score >= 6 and every player has score <= 1", Answer.NO),
    ],
)
@RUN
def test_whether_an_end_can_ever_come(end: str, answer: Answer) -> None:
    reached = can_end(settled(game(end)))
    assert reached.answer is answer
    assert (reached.never is not None) == (answer is Answer.NO)


@RUN
def test_ends_far_away_are_found_and_impossible_ones_refuted() -> None:
    late = one(game("hands-played >= 11"), "end-reachable")
    assert late.verdict is Verdict.PROVED
    assert late.message == "the match can be over after 11 deals"
    assert len(late.match) == 11
    never = one(game("some player has score < 0"), "end-reachable")
    assert never.verdict is Verdict.REFUTED
    assert never.message == "no play ends the match, however many deals are played"


@pytest.mark.slow
def test_who_wins_is_looked_at_where_the_match_ends() -> None:
    late = one(game("hands-played = 13"), "unique-winner")
    assert late.verdict is Verdict.REFUTED
    assert len(late.match) == 13
    never_looked_at = one(game("hands-played = 60"), "unique-winner")
    assert never_looked_at.verdict is Verdict.UNDECIDED
    assert never_looked_at.message == "no match is known to end within 40 deals; who wins later is not known"


@RUN
def test_what_holds_where_hands_can_begin() -> None:
    """With fewer than no deals behind them, the claim could fail; a step from anywhere proves nothing."""
    claim = "some-deal-counts: {rule: hands-played + tricks of dealer >= 1, when: hand-ends, assumes: a test}"
    ruleset = house(
        ADDING.format(end="hands-played >= 30", points="tricks of p").rstrip()
        + f"\n    invariants:\n      {claim}\n",
        "pagat",
    )
    finding = one(ruleset, "some-deal-counts")
    assert (finding.verdict, finding.method) == (Verdict.PROVED, Method.INDUCTION)


# ------------------------------------------------------------------------------------------------------- other games


@pytest.mark.slow
def test_a_game_without_cards_for_a_plan_is_not_taken_at_its_word() -> None:
    """Where the leader wins every trick nobody else can sweep, so a plan must do with what can be played."""
    body = """\
        rules:
          trick-winner: {rule: players p with p = leader, assumes: a test}
          end: {rule: tricks of dealer >= 12, assumes: a test}
          winner: {rule: players p with p = dealer, assumes: a test}
        """
    finding = one(house(body), "end-always-reachable")
    assert finding.verdict is not Verdict.PROVED, finding.message


@RUN
def test_decisions_are_part_of_a_plan() -> None:
    """The match ends only where the dealer calls high: that he can from every score is not shown."""
    body = """\
        options: {bid: low | high}
        state:
          call: {type: bid}
        rules:
          trump:
            rule: |
              dealer chooses trump
              dealer chooses call
            assumes: a test
          end: {rule: call = high and some player has tricks >= 12, assumes: a test}
        """
    for finding in findings_of(house(body), ["end-always-reachable", "terminates"]):
        assert finding.verdict is Verdict.UNDECIDED, finding.message


def test_running_totals_do_not_matter() -> None:
    names = lasting(game("some player has over >= 6", "1").program)
    assert not {"score", "hands-played"} & names
    assert {"dealer", "over", "first-hand"} <= names


@RUN
@pytest.mark.parametrize("name", slow_but(("pagat",), ("pagat", "tallyn", "weaver-four"), RUN))
def test_documented_games(name: str) -> None:
    always, terminates = findings_of(documented(name), ["end-always-reachable", "terminates"])
    assert always.verdict is Verdict.PROVED
    assert terminates.verdict is Verdict.PROVED
    assert terminates.termination == "almost-surely"
    assert {premise.kind for premise in terminates.rests_on} == {"theorem"}
    check_hands(documented(name), terminates)


LAST_TRICK = """\
    state:
      last: {type: player}
    rules:
      after-trick:
        rule: |
          if tricks of leader > 0:
              last becomes leader
        assumes: a test
      next-dealer: {rule: last, assumes: a test}
    """
"""Who takes the last trick deals; that somebody does is not obvious from the text."""


@pytest.mark.slow
def test_a_match_that_leads_elsewhere_does_not_show_a_dead_end() -> None:
    """Nobody could deal and end the match, but no match leads there: a match shows only what it leads to."""
    finding = one(house(LAST_TRICK), "end-always-reachable")
    assert not finding.verdict.refuted, finding.message


@pytest.mark.slow
def test_a_dealer_who_stays() -> None:
    """Who deals next is not known: every division is turned to whoever it is."""
    body = """\
        rules:
          next-dealer: {rule: if over of dealer >= 0 then dealer else left of dealer, assumes: a test}
        """
    finding = one(house(body), "terminates")
    assert finding.verdict is Verdict.PROVED, finding.message
    assert finding.termination == "almost-surely"


@pytest.mark.parametrize("name", ["end-always-reachable", "terminates"])
def test_without_a_model_nothing_is_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver may give up when it is asked for the state that it has just said exists."""

    def given_up(session: SolverSession) -> bool:
        session.solver, session._patience = z3.Solver(), 0  # without a model, and with no more to come
        session.solver.push()
        return False

    monkeypatch.setattr(SolverSession, "model", given_up)
    base = "tests/adversarial/cases/plain-two.yaml"
    text = "rules:\n  end: {rule: some player has score >= 4, assumes: a test}\n  scoring:\n    rule: |\n      for p in players:\n          score of p becomes score of p + 2 * tricks of p - 3\n    assumes: a test\n"
    (one,) = found(house(text, base), [name], hands=10)
    assert one.verdict in (Verdict.UNDECIDED, Verdict.PROVED)
