"""Names of the standard vocabulary that a ruleset declares otherwise: no check takes them for what they are not."""

from __future__ import annotations

from textwrap import dedent

import pytest

from adversarial.known_causes import CASES, LIBRARY
from checker.rulesets_for_tests import found
from trickproof.checking.verdict import Verdict
from trickproof.play.display import View
from trickproof.reports.text import Page
from trickproof.support.terminal import Terminal
from trickproof_dsl import render
from trickproof_dsl.compiled import machine
from trickproof_dsl.library import Ruleset
from trickproof_dsl.playing import random_player
from trickproof_dsl.scenarios.replay import replay_scenario
from trickproof_dsl.semantics.chance import Chance

TEAMS = "players: {number: 2, teams: [[0], [1]], assumes: a test}\n"

DECLARED: dict[str, tuple[str, str]] = {
    "payments that are no numbers": (
        "zero-sum",
        """\
        state:
          over: {type: suit, of: player, carried: true}
          payout: {type: boolean, of: player}
        rules:
          payout: {rule: payout of leader becomes true, assumes: a test}
          scoring: {rule: over of leader becomes hearts, assumes: a test}
          under: {of: player p, rule: 0, assumes: a test}
          to-give: {of: player p, rule: 0, assumes: a test}
        """,
    ),
    "targets that are no numbers": (
        "target-total",
        """\
        state:
          target: {type: boolean, of: player}
        rules:
          targets: {rule: target of dealer becomes true, assumes: a test}
          scoring: {rule: nothing happens, assumes: a test}
        """,
    ),
    "a size for each player": (
        "hand-size",
        """\
        state:
          hand-size: {type: integer, of: player}
        rules:
          play:
            rule: |
              leader becomes lead
              hand-size of leader becomes 2
              repeat 2 times:
                  do trick
            assumes: a test
        """,
    ),
}
"""What is declared, and the check that then does not apply."""


def over_plain(text: str) -> Ruleset:
    """A ruleset over plain-two of tests/adversarial."""
    text = "ruleset: otherwise\nextends: plain-two.yaml\n" + text
    ruleset, wrong = LIBRARY.load_text(text, str(CASES / "otherwise.yaml"))
    assert ruleset is not None, render(wrong)
    return ruleset


@pytest.mark.parametrize("what", DECLARED)
def test_what_is_declared_otherwise_is_not_judged(what: str) -> None:
    check, text = DECLARED[what]
    findings = found(over_plain(dedent(text)), [check, "trick-total", "no-fault"])
    assert next(x for x in findings if x.check == check).verdict is Verdict.NOT_APPLICABLE
    assert not [x for x in findings if x.internal_error]


def test_sums_of_teams_are_judged() -> None:
    text = """\
        state:
          payout: {type: integer, of: team}
        rules:
          payout: {rule: payout of team of leader becomes 2, assumes: a test}
          hand:
            rule: |
              shuffle
              do deal
              do play
              do payout
            assumes: a test
        """
    (finding,) = found(over_plain(TEAMS + dedent(text)), ["zero-sum"])
    assert finding.verdict is Verdict.REFUTED


def test_deviations_that_nothing_sets_are_not_kept() -> None:
    text = """\
        state:
          over: {type: integer, of: player, carried: true, initial: 5}
        rules:
          scoring: {rule: nothing happens, assumes: a test}
          payout:
            rule: |
              payout of leader becomes 1
              payout of left of leader becomes -1
            assumes: a test
        """
    (finding,) = found(over_plain(dedent(text)), ["zero-sum"])
    assert finding.verdict is Verdict.PROVED


def test_a_kitty_for_each_player_is_replayed() -> None:
    text = """\
        zones:
          kitty: {of: player, seen-by: owner}
        rules:
          deal:
            rule: |
              for p in players:
                  deal 1 card to hand of p
                  deal 1 card to kitty of p
            assumes: a test
          exchange-timing:
            rule: |
              for p in players:
                  p picks-up kitty of p
            assumes: a test
        """
    ruleset = over_plain(dedent(text))
    (finding,) = found(ruleset, ["end-reachable"])
    assert finding.verdict is Verdict.PROVED
    assert finding.witness is not None
    assert replay_scenario(ruleset, finding.witness)["ok"]


@pytest.mark.parametrize(
    "state",
    [
        "score: {type: integer, of: team, carried: true}",
        "tricks-of-side: {type: integer, of: team}",
        "leader: {type: players}",
        "played: {type: cards, of: player}",
        "trump: {type: integer, initial: 1}",
    ],
)
def test_the_table_is_shown_whatever_is_declared(state: str) -> None:
    text = f"""\
        state:
          {state}
        rules:
          hand:
            rule: |
              shuffle
              do deal
              for p in players:
                  p plays 1 card of hand
            assumes: a test
          play: {{rule: nothing happens, assumes: a test}}
          trick: {{rule: nothing happens, assumes: a test}}
          others-play: {{rule: nothing happens, assumes: a test}}
          trick-winner: {{rule: players, assumes: a test}}
          scoring: {{rule: nothing happens, assumes: a test}}
          follow: {{rule: hand, assumes: a test}}
        """
    ruleset = over_plain(TEAMS + dedent(text))
    now, choose = machine.begin(ruleset.program, Chance(1)), random_player(1)
    view, shown = View(ruleset, 0, Page(Terminal(columns=lambda: 80))), list[str]()
    now = machine.run(now, ruleset.program.hand)
    while now.decision is not None:
        shown += [view.heading(now, 1), *view.standing(now), *view.more(now), view.trick(now) or ""]
        now = machine.apply(now, choose(now, now.decision))
    assert any("deal 1" in line for line in shown)
    assert replay_scenario(ruleset, {"ruleset": "otherwise", "seed": 1, "moves": []})["ok"]
