"""Certificates of a few rulesets, as rows that tests corrupt."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from adversarial.known_causes import loaded
from checker.rulesets_for_tests import documented, house
from trickproof.certificates.second_solver import decided
from trickproof.certificates.verifier import Verified, verify
from trickproof.check_runner.certificates import certificate
from trickproof.check_runner.runner import check_ruleset
from trickproof_dsl.library import Ruleset

Rows = list[dict[str, Any]]

HANDS = 20

READINGS = """\
    rules:
      lead:
        assumes: a test
        readings:
          - {name: left, rule: left of dealer}
          - {name: dealer, rule: dealer}
    """

answered = cache(decided)
"""What the solvers say; corrupted certificates have most of their questions in common."""


NOBODY_WINS = """\
    rules:
      winner:
        rule: players with tricks >= 100
        assumes: a test
    invariants:
      somebody-takes-five: {rule: some player has tricks >= 5, assumes: a test}
      nobody-takes-six: {rule: no player has tricks >= 6, assumes: a test}
    """

STATED = """\
    invariants:
      level: {rule: sum of over for players = 0, assumes: a test}
      level-always: {rule: sum of over for players = 0, when: always, assumes: a test}
      deviations: {rule: every player has over = tricks - target, assumes: a test}
      aims: {rule: sum of target for players = hand-size, when: play-starts, assumes: a test}
    """

HOUSE = {"readings": READINGS, "nobody-wins": NOBODY_WINS, "stated": STATED}

SMALL = ("counted-by-twos", "counted-to-two", "eightieth-value", "height-wins")
"""Rulesets among the cases of the adversarial law."""


@cache
def ruleset(name: str) -> Ruleset:
    if name in SMALL:
        return loaded(name)
    return house(HOUSE[name], "six-over") if name in HOUSE else documented(name)


@cache
def _written(name: str, only: tuple[str, ...] | None = None) -> tuple[str, ...]:
    findings, failed = check_ruleset(ruleset(name), only, HANDS)
    assert failed == []
    return tuple(
        certificate(
            ruleset(name),
            [finding for finding in findings if finding.verdict.proved or finding.verdict.refuted],
            HANDS,
        )
    )


def written(name: str = "six-over", *only: str) -> Rows:
    """The rows of a certificate, if `only` some checks are run of these."""
    return copy.deepcopy([json.loads(line) for line in _written(name, only or None)])


def verified(rows: Rows, name: str = "six-over", checks: Sequence[str] = ()) -> Verified:
    lines = (json.dumps(row) for row in rows)
    (one,) = verify(lines, lambda line, named: ruleset(name), checks, ask=answered)
    return one


def nodes(rows: Rows, rule: str) -> Rows:
    return [row for row in rows if row.get("rule") == rule]


def shortened(rows: Rows) -> Rows:
    """The header says again how many lines there are."""
    rows[0]["lines"] = len(rows) - 1
    return rows
