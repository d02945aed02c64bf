"""Rulesets for tests: the bundled ones, the foreign ones, and small games made of a few lines of rule text."""

from __future__ import annotations

import textwrap
from functools import cache
from pathlib import Path

from trickproof_dsl import Library, Ruleset, State, render, start
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.values import Key, Value

ROOT = Path(__file__).parents[2]
BUNDLED = Library([ROOT / "rulesets"])
FOREIGN = Library([ROOT / "tests/cases/rulesets"])
NAMES = (*BUNDLED.documented(), *FOREIGN.documented())

SMALL = """\
ruleset: small
title: A small game
players: {players}
deck:
  ranks: 2 3 4 5
  suits: C=clubs D=diamonds H=hearts
parameters:
  goal: 10 | 20
options:
  call: pass | play-on | double
state:
  n: {{type: integer}}
  m: {{type: integer, of: player}}
  due: {{type: integer, of: [player, player]}}
  who: {{type: player}}
  held: {{type: cards}}
  kept: {{type: cards, of: player}}
  one: {{type: card}}
  best: {{type: rank}}
  yes: {{type: boolean}}
  said: {{type: call, of: player}}
  kinds: {{type: integer, carried: true}}
zones:
  table: {{seen-by: everyone}}
moves:
  lay: {{verb: lays, to: table}}
rules:
  hand:
    rule: |
{hand}
    assumes: a test
"""

HAND = SMALL.splitlines().index("{hand}") + 1
"""The line of the file in which the hand's text begins; its first column is 7."""


@cache
def bundled(name: str) -> Ruleset:
    """A bundled or foreign ruleset."""
    library = FOREIGN if name in FOREIGN.documented() else BUNDLED
    ruleset, problems = library.load(name)
    assert ruleset is not None, render(problems)
    return ruleset


def small(hand: str, rules: str = "", players: int | str = 3) -> tuple[Ruleset | None, list[Diagnostic]]:
    """A small game whose hand is the given text; `rules` are further rules as YAML under `rules:`."""
    text = SMALL.format(players=players, hand=textwrap.indent(textwrap.dedent(hand).strip("\n"), " " * 6))
    return Library().load_text(text + textwrap.indent(textwrap.dedent(rules), "  "), "small.yaml")


def game(hand: str, rules: str = "", players: int | str = 3) -> Ruleset:
    ruleset, problems = small(hand, rules, players)
    assert ruleset is not None, render(problems)
    return ruleset


def begun(
    hand: str, rules: str = "", variables: dict[Key, Value] | None = None, chance: Chance | None = None
) -> State:
    """The hand of a small game at its first decision, or wherever it stops."""
    return start(game(hand, rules).program, chance or Chance(1), variables=variables)
