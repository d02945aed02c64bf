"""Certificates of a few rulesets, as rows that tests corrupt."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

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


@cache
def ruleset(name: str) -> Ruleset:
    return house(READINGS, "six-over") if name == "readings" else documented(name)


@cache
def _written(name: str) -> tuple[str, ...]:
    findings, failed = check_ruleset(ruleset(name), None, HANDS)
    assert failed == []
    return tuple(
        certificate(ruleset(name), [finding for finding in findings if finding.verdict.proved], HANDS)
    )


def written(name: str = "six-over") -> Rows:
    return copy.deepcopy([json.loads(line) for line in _written(name)])


def verified(rows: Rows, name: str = "six-over") -> Verified:
    lines = (json.dumps(row) for row in rows)
    (one,) = verify(lines, lambda line, named: ruleset(name).program, ask=answered)
    return one


def nodes(rows: Rows, rule: str) -> Rows:
    return [row for row in rows if row.get("rule") == rule]


def shortened(rows: Rows) -> Rows:
    """The header says again how many lines there are."""
    rows[0]["lines"] = len(rows) - 1
    return rows
