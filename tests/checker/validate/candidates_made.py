"""Candidates for fixes of house rules in tests."""

from __future__ import annotations

from checker.rulesets_for_tests import house
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.validate.edits import Repair
from trickproof.validate.fix_candidates import candidates

CAPPED = """\
for taker in players with over < 0, clockwise from giver:
    giver gives up to 2 cards of hand to taker as gift(giver, taker)"""


def made(body: str, check: str, base: str = "pagat") -> list[Repair]:
    finding = Finding(check, Verdict.REFUTED, Method.STATIC, "")
    return list(candidates(house(body, base), [finding]))
