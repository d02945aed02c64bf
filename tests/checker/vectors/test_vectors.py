"""Vectors hold for the rules they are made of, reach all of them, and fail for rules that say something else."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from budget import RUN
from checker.mutants import mutants
from checker.rulesets_for_tests import LIBRARY, documented, foreign, house, rule
from trickproof.reports.text import Page
from trickproof.reports.vectors import Disagreeing, Verification, coverage_text, verification_text
from trickproof.support.terminal import Terminal
from trickproof.vectors.generate import Cover, by_chance, covering
from trickproof.vectors.instrumentation import NOTED, watched
from trickproof.vectors.serialisation import differences
from trickproof_dsl.compiled.machine import apply, start
from trickproof_dsl.core.well_formed import violations
from trickproof_dsl.library import Library, Ruleset
from trickproof_dsl.playing import random_player
from trickproof_dsl.scenarios.json_lines import replay_line
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import FAULTS

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "rulesets").glob("**/*.yaml")) + sorted((ROOT / "tests/cases/rulesets").glob("*.yaml"))
RULESETS = [path for path in FILES if path.parent.name not in ("documents", "schema")]
LITTLE_EXCHANGED = {"two-winners"}
"""Rulesets whose matches end with the first deal after which a card could be given, so that no exchange moves one."""

ALL = Library([ROOT / "rulesets", ROOT / "tests/cases/rulesets"])


def ids(path: Path) -> str:
    return path.stem


def loaded(path: Path) -> Ruleset:
    ruleset, _ = ALL.load(path.stem)
    assert ruleset is not None
    return ruleset


@cache
def cover(name: str) -> Cover:
    return covering(documented(name), 100)


def holds(library: Library, ruleset: Ruleset, made: Cover) -> None:
    """`replay` answers every line with what it expects, and what is counted is what the vectors say."""
    for vector in made.vectors:
        assert replay_line(library, json.dumps(vector)) == vector["expected"]
        assert replay_line(library, json.dumps(vector["scenario"])) == vector["expected"]
        assert differences(ruleset, json.loads(json.dumps(vector))) == []
        assert vector["covers"]
    assert len({vector["id"] for vector in made.vectors}) == len(made.vectors)
    assert not made.missed
    assert made.covered == made.goals - len(made.unreached)


# ---------------------------------------------------------------------------------------------- laws


@RUN
def test_vectors_are_what_replay_answers() -> None:
    holds(LIBRARY, documented("pagat"), cover("pagat"))


@pytest.mark.slow
@pytest.mark.parametrize("path", RULESETS, ids=ids)
def test_vectors_of_every_ruleset_are_what_replay_answers(path: Path) -> None:
    ruleset = loaded(path)
    made = covering(ruleset, 400)
    holds(ALL, ruleset, made)
    broken = any(
        v["expected"]["ok"] is False and v["expected"]["error"]["kind"] in FAULTS for v in made.vectors
    )
    assert broken or made.covered >= (0.65 if path.stem in LITTLE_EXCHANGED else 0.75) * made.goals
    for vector in by_chance(ruleset, 20, 1):
        assert replay_line(ALL, json.dumps(vector)) == vector["expected"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pagat", "weaver-four"])
def test_the_same_again(name: str) -> None:
    again = covering(documented(name), 100)
    assert json.dumps(again.vectors) == json.dumps(covering(documented(name), 100).vectors)
    assert json.dumps(again.vectors) != json.dumps(covering(documented(name), 100, 1).vectors)


def test_by_chance_is_the_same_again_and_stops_anywhere() -> None:
    ruleset = foreign("lowest-takes")
    made = list(by_chance(ruleset, 12, 3))
    assert made == list(by_chance(ruleset, 12, 3)) != list(by_chance(ruleset, 12, 4))
    stops = {vector["expected"].get("next") is None for vector in made}
    refused = [vector for vector in made if not vector["expected"]["ok"]]
    assert stops == {True, False}
    assert refused
    assert all(vector["covers"] for vector in made)


@pytest.mark.parametrize("name", ["pagat", "weaver-four", "draw-two", "lowest-takes"])
@RUN
def test_notes_change_nothing(name: str) -> None:
    """Events, decisions, zones and variables are those of the program, but for the notes."""
    ruleset, _ = ALL.load(name)
    assert ruleset is not None
    program, noting = ruleset.program, watched(ruleset.program).program
    assert violations(noting) == []
    for seed in range(3):
        plain, noted = start(program, Chance(seed)), start(noting, Chance(seed))
        player = random_player(seed)
        while plain.decision is not None:
            assert noted.decision == plain.decision
            choice = player(plain, plain.decision)
            plain, noted = apply(plain, choice), apply(noted, choice)
        own = {key: x for key, x in noted.variables.items() if not str(key[0]).startswith(NOTED)}
        assert (own, noted.zones, noted.events) == (plain.variables, plain.zones, plain.events)
        assert (noted.fault, noted.match_over) == (plain.fault, plain.match_over)


# ------------------------------------------------------------------------------------------- holes are told


SMALL = """
ruleset: two-suits
title: Two suits for two
players: {number: 2, assumes: an example}
deck: {ranks: 7 8 9, suits: C=clubs H=hearts, assumes: an example}
parameters:
  goal: 4 | 6
rules:
  deal:
    rule: |
      for p in players, clockwise from left of dealer:
          deal 3 cards to hand of p
    assumes: an example
  lead: {rule: left of dealer, assumes: an example}
  follow: {rule: if some card in hand has suit = led then cards in hand with suit = led else hand, assumes: an example}
  trick-winner:
    rule: players with the highest rank of played among players with suit of played = led
    assumes: an example
  scoring:
    rule: |
      for p in players:
          score of p becomes score of p + tricks of p
          if tricks of p >= 4:
              score of p becomes 0
    assumes: an example
  end: {rule: some player has score >= goal, assumes: an example}
  winner: {rule: players with the highest score, assumes: an example}
  next-dealer: {rule: left of dealer, assumes: an example}
"""


@cache
def small() -> Ruleset:
    ruleset, _ = LIBRARY.load_text(SMALL, "two-suits.yaml")
    assert ruleset is not None
    return ruleset


def test_what_no_hand_reaches_is_told() -> None:
    made = covering(small(), 100)
    told = [goal.described for goal in made.unreached if goal.rule == "scoring"]
    assert told == [
        "scoring: `if tricks of p >= 4: score of p becomes 0` holds and is carried out (two-suits.yaml:23)",
        "scoring: `tricks of p >= 4` is true (two-suits.yaml:23)",
        "scoring: `tricks of p >= 4` is at the boundary (two-suits.yaml:23)",
        "scoring: `score of p becomes 0` is carried out (two-suits.yaml:24)",
        "scoring: `score of p becomes 0` changes something (two-suits.yaml:24)",
    ]
    named = coverage_text(small(), made)
    assert "prelude" not in named
    assert len(named.splitlines()) < len(made.unreached) + 9, "the cases of one clause are on one line"
    covers = [text for vector in made.vectors for text in vector["covers"]]
    assert "scoring: `tricks of p >= 4` is one below the boundary (two-suits.yaml:23)" in covers


def test_every_parameter_value_is_covered_and_too_few_are_told() -> None:
    made, few = covering(small(), 100), covering(small(), 5)
    assert {vector["scenario"]["params"]["goal"] for vector in made.vectors} == {4, 6}
    assert (few.vectors, few.needed) == (made.vectors[:5], made.needed)
    assert few.missed
    assert few.covered == made.covered - len(few.missed)
    assert not made.missed


@pytest.mark.parametrize(
    "said",
    [
        "exchange-order: `players with over > 0` selects nothing",
        "follow: `some card in hand has followed-suit = led` is false",
        "trick-winner: `some player has suit of played = trump` is false",
        "end: `tricks >= 12` is at the boundary",
        "end: `tricks >= 12` is one below the boundary",
        "at the table: the match is over",
        "at the table: a later deal",
        "at the table: a card goes back to its giver",
        "at the table: 2 up and 1 down",
        "at the table: a trump wins when another suit was led",
        "refuses a card that is held but not allowed",
    ],
)
@RUN
def test_boundaries_are_covered(said: str) -> None:
    assert any(said in text for vector in cover("pagat").vectors for text in vector["covers"])


# ------------------------------------------------------------------------------------------------- mutants

WRONG = {
    "lowest card wins": rule(
        "trick-winner",
        """
        if some player has suit of played = trump
        then players with the lowest rank of played among players with suit of played = trump
        else players with the lowest rank of played among players with suit of played = led
        """,
    ),
    "following is ignored": rule("follow", "hand"),
    "trumps are led out of turn": rule(
        "may-lead", "if some card in hand has suit != trump then cards in hand with suit != trump else hand"
    ),
    "trump is ignored": rule(
        "trick-winner", "players with the highest rank of played among players with suit of played = led"
    ),
    "gifts go the other way": rule(
        "exchange-amounts",
        """
        for taker in players with over < 0, clockwise from giver:
            taker gives 1 card of hand to giver as gift(giver, taker)
        """,
    ),
    "the lowest go back": rule(
        "exchange-returns",
        "taker returns lowest of hand matching gift(giver, taker) to giver as returned(taker, giver)",
    ),
    "thirteen tricks end it": rule("end", "some player has tricks >= 13"),
    "the deal does not go round": rule("next-dealer", "dealer"),
    "the dealer leads": rule("lead", "dealer"),
    "level counts as one over": rule(
        "scoring",
        """
        for p in players:
            over of p becomes if tricks of p = target of p then 1 else tricks of p - target of p
        """,
    ),
    "the kitty comes first": rule(
        "kitty",
        """
        dealer picks-up kitty as picked-up
        dealer discards 4 cards of hand
        do reveal
        """,
    ),
    "nothing is shown": rule("reveal", "nothing happens"),
}


@pytest.mark.parametrize("name", WRONG)
@RUN
def test_an_implementation_with_one_clause_changed_fails(name: str) -> None:
    changed = house(WRONG[name])
    assert any(differences(changed, vector, other=True) for vector in cover("pagat").vectors)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "least"), [("pagat", 0.75), ("nine-five-two", 0.75), ("six-over", 0.75), ("weaver-four", 0.65)]
)
def test_most_drawn_mutants_fail(name: str, least: float) -> None:
    """Most of the others mean the same: neighbours that may be swapped, orders in which nothing is asked."""
    drawn = list(mutants(documented(name), 60, seed=2))
    failing = [m for m in drawn if any(differences(m.ruleset, v) for v in cover(name).vectors)]
    assert len(failing) >= least * len(drawn), [m.name for m in drawn if m not in failing]


def test_disagreements_fit_the_terminal() -> None:
    vector = {"scenario": {"ruleset": "pagat", "over": [0, -3, 3]}, "expected": {"ok": True}}
    different = Disagreeing("one", 1, differences(documented("pagat"), vector))
    text = verification_text(Verification(1, 0, [different]), Page(Terminal(columns=lambda: 60)))
    assert max(map(len, text.splitlines())) <= 60
    assert "  the scenario is refused (" in text
    assert "the vector says that it is accepted" in " ".join(text.split())
