"""What cannot be proved is tested by playing, whole matches where a claim is about their end; and says so."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from budget import RUN
from checker.rulesets_for_tests import SESSION, documented, foreign, found, house
from trickproof.check_runner.runner import check_ruleset
from trickproof.checking.verdict import DisagreementError, Verdict
from trickproof.checks import end_reachable, trick_total
from trickproof.cli.main import group
from trickproof.reports.findings import Detail, report

EARLY_END = """\
    rules:
      after-trick:
        rule: |
          if tricks of leader = 9:
              the match ends, won by leader
        assumes: a test
    """


LATE = """\
    rules:
      payout: {rule: put trick into deck, assumes: a test}
      end: {rule: some player has number of tricks-taken >= 27, assumes: a test}
      winner: {rule: players p with p = dealer, assumes: a test}
    """


@RUN
def test_match_ends_are_counted() -> None:
    (one,) = found(house(LATE), ["unique-winner"])
    assert one.verdict is Verdict.TESTED
    assert one.cases is not None
    assert one.cases >= 30
    assert f"no failure in {one.cases} finished matches (failure probability below 1 in " in one.message
    assert any(line.startswith("no proof: rule `end` looks at cards") for line in one.details)


@RUN
def test_a_stake_that_depends_on_cards_leaves_one_winner() -> None:
    (one,) = found(foreign("draw-two"), ["unique-winner"])
    assert one.verdict is Verdict.PROVED


@RUN
def test_a_match_that_ends_before_the_play_is_over() -> None:
    zero, unique = found(house(EARLY_END), ["zero-sum", "unique-winner"])
    assert (zero.verdict, unique.verdict) == (Verdict.PROVED, Verdict.PROVED)


@RUN
def test_somebody_may_win_before_the_play_is_over() -> None:
    shared = EARLY_END.replace("won by leader", "won by players with tricks > 5")
    (unique,) = found(house(shared), ["unique-winner"])
    assert unique.verdict is Verdict.REFUTED
    assert unique.match


@pytest.mark.slow
def test_no_end_seen() -> None:
    reachable, unique = found(house(LATE.replace("27", "49")), ["end-reachable", "unique-winner"])
    for one in (reachable, unique):
        assert one.verdict is Verdict.UNDECIDED
        assert one.message.startswith("rule `end` looks at cards; ")
        assert re.search("no match ended in the (2[4-9]|30)[0-9] deals played", one.message)


@pytest.mark.slow
def test_a_shared_end_is_found() -> None:
    (one,) = found(foreign("lowest-takes"), ["unique-winner"], hands=3000)
    assert one.verdict is Verdict.REFUTED
    assert one.known
    assert "win together" in one.message
    assert one.witness is not None


@pytest.mark.slow
def test_readings_that_matter_to_a_failure_in_play() -> None:
    body = """\
        rules:
          kitty:
            assumes: a test
            readings:
              - name: whole
                rule: |
                  dealer picks-up kitty as picked-up
                  dealer discards 4 cards of hand
              - {name: forgotten, rule: dealer picks-up kitty as picked-up}
          lead:
            assumes: a test
            readings:
              - {name: left, rule: left of dealer}
              - {name: dealer, rule: dealer}
        """
    (one,) = found(house(body), ["hand-size"])
    assert one.verdict is Verdict.REFUTED
    assert one.readings == ("kitty: forgotten",)
    assert one.message.endswith("(under `kitty: forgotten`)")


@RUN
def test_more_hands() -> None:
    """An invariant that is looked at all the time is not proved; as many hands are played as are asked for."""
    ruleset = house(
        """\
        invariants:
          nobody-holds-everything:
            rule: no player has number of hand > 40
            when: always
            assumes: there are others
        """
    )
    (one,) = found(ruleset, ["nobody-holds-everything"], hands=150)
    assert one.cases is not None
    assert 150 <= one.cases < 160
    assert (
        one.message
        == f"no failure in {one.cases} deals (failure probability below 1 in {one.cases // 3} with 95% confidence)"
    )


# ------------------------------------------------------------------------------ when the tool contradicts itself


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def contradict(*_: object) -> None:
        raise DisagreementError("pagat: two answers")

    def stumble(*_: object) -> None:
        raise KeyError("nowhere")

    monkeypatch.setattr(end_reachable, "decide", contradict)
    monkeypatch.setattr("trickproof.checks.zero_sum.decide", stumble)


@RUN
def test_other_checks_keep_their_verdicts(broken: None) -> None:
    only = ["rules-complete", "trick-total", "zero-sum", "end-reachable", "unique-winner"]
    findings, disagreements = check_ruleset(documented("pagat"), only, session=SESSION)
    assert trick_total.CHECK.name in [f.check for f in findings]
    assert [(d.check, d.message) for d in disagreements] == [
        ("zero-sum", "bug: KeyError: 'nowhere'"),
        ("end-reachable", "two answers"),
    ]
    assert "DisagreementError" in disagreements[1].trace
    assert "unique-winner" in report([(documented("pagat"), findings)], Detail(1))


@RUN
def test_disagreements_on_the_command_line(broken: None) -> None:
    asked = ["check", "pagat", "--only", "end-reachable", "--only", "trick-total", "--hands", "5"]
    plain = CliRunner().invoke(group, asked)
    assert plain.exit_code == 70
    assert "1 proved, 1 undecided" in plain.stdout
    assert "pagat: internal error in check `end-reachable`: two answers" in plain.stderr
    told = CliRunner().invoke(group, [*asked, "--json"])
    assert told.exit_code == 70
    answer = json.loads(told.stdout)
    assert answer["disagreements"] == [
        {"ruleset": "pagat", "check": "end-reachable", "message": "two answers"}
    ]
    answered, failed = answer["rulesets"][0]["findings"]
    assert (answered["check"], failed["check"]) == ("trick-total", "end-reachable")
    assert failed["verdict"] == "undecided"
    assert failed["internal_error"] == {"kind": "DisagreementError", "message": "two answers"}
