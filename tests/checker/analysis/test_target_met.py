"""What it means to meet the target: said by the rules that score it, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.adapters.peer_rulesets import ROOT, from_text, loaded, replaced
from trickproof.analysis.target_met import target_met
from trickproof_dsl.library import Ruleset


@pytest.mark.parametrize(
    ("path", "met"),
    [
        ("rulesets/pagat.yaml", ">="),
        ("rulesets/nine-five-two.yaml", ">="),
        ("rulesets/games/oh-hell.yaml", "="),
        ("rulesets/games/spades.yaml", ""),
        ("rulesets/games/hearts.yaml", ""),
        ("rulesets/house/fewest-tricks-win.yaml", ""),
    ],
    ids=lambda x: Path(x).stem,
)
def test_bundled_rulesets(path: str, met: str) -> None:
    assert target_met(loaded(ROOT / path).program) == met


SCORED = [
    ("for p in players with tricks >= target: score of p becomes score of p + 10", ">=", ""),
    ("for p in players with target <= tricks: score of p becomes score of p + tricks of p", ">=", ""),
    ("for p in players with tricks != target: score of p becomes score of p - 5", "=", ""),
    ("for p in players with tricks > target: score of p becomes score of p - 5", "<=", ""),
    ("for p in players with tricks > target: score of p becomes score of p + 5", "", "<="),
    ("for p in players with tricks < target: score of p becomes score of p + target of p", "", ">="),
    (
        "for p in players: score of p becomes score of p + (if tricks of p = target of p then 9 else 0)",
        "=",
        "",
    ),
    (
        "for p in players: score of p becomes score of p - (if tricks of p = target of p then 0 else 1)",
        "=",
        "",
    ),
    (
        "for p in players: score of p becomes score of p - (if not (tricks of p <= target of p) then 1 else 0)",
        "<=",
        "",
    ),
    (
        "for p in players: if tricks of p = target of p: score of p becomes score of p + 10 + tricks of p",
        "=",
        "",
    ),
    # the better side is not known
    ("for p in players with tricks = target: score of p becomes score of p + tricks of p - 3", "", ""),
    ("for p in players with tricks = target: score of p becomes 10", "", ""),
    # other things count as well
    ("for p in players with tricks = target: score of left of p becomes score of left of p + 10", "", ""),
    ("for p in players with (tricks = target and target > 0): score of p becomes score of p + 10", "", ""),
    (
        "for p in players: if tricks of left of p = target of left of p: score of p becomes score of p + 1",
        "",
        "",
    ),
    ("for p in players: score of p becomes score of p + tricks of p", "", ""),
]
"""Rules of scoring, and what they make of the target where the most points win, and where the fewest do."""


@pytest.mark.parametrize(("rule", "most", "fewest"), SCORED)
def test_conditions_on_which_the_score_depends(rule: str, most: str, fewest: str) -> None:
    assert [target_met(scored(rule, best).program) for best in ("highest", "lowest")] == [most, fewest]


def test_conditions_that_contradict_each_other() -> None:
    rules = [
        "for p in players with tricks >= target: score of p becomes score of p + 10",
        "for p in players with tricks > target: score of p becomes score of p - 5",
    ]
    assert target_met(scored(*rules, "highest").program) == ""


def scored(*rules: str) -> Ruleset:
    """Sergeant Major with another scoring, each rule in a line; the last word says whose score wins."""
    lines = []
    for rule in rules[:-1]:
        parts = rule.split(": ")
        lines += [" " * (6 + 4 * i) + part + ":" * (i < len(parts) - 1) for i, part in enumerate(parts)]
    text = "\n".join(lines)
    return from_text(f"""
ruleset: scored
title: Scored otherwise
extends: pagat
rules:
  scoring:
    rule: |
{text}
    assumes: a test
  payout: {{rule: nothing happens, assumes: a test}}
  winner: {{rule: players with the {rules[-1]} score, assumes: a test}}
""")


DEVIATIONS = {
    "tricks of p - target of p": ">=",
    "target of p - tricks of p": ">=",
    "if p = dealer then target of p - tricks of p else tricks of p - target of p": ">=",
    "if tricks of p > target of p then target of p - tricks of p else tricks of p - target of p": ">=",
    "tricks of p - target of p + 1": "",
    "tricks of p - target of dealer": "",
    "tricks of p": "",
}
"""What becomes of `over`; that it is 0 at least is said by the rules themselves, in a reversed deal too."""


@pytest.mark.parametrize(("value", "met"), DEVIATIONS.items())
def test_values_of_over(value: str, met: str) -> None:
    ruleset = replaced(
        ROOT / "rulesets/pagat.yaml",
        ("over of p becomes tricks of p - target of p", f"over of p becomes {value}"),
    )
    assert target_met(ruleset.program) == met


def test_who_has_the_least_over_wins() -> None:
    """Then it is good to be below the target."""
    ruleset = replaced(
        ROOT / "rulesets/house/fewest-tricks-win.yaml",
        ("players with the lowest tricks", "players with the lowest over"),
    )
    assert target_met(ruleset.program) == "<="
