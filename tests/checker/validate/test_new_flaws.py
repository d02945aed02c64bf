"""A violation at a rule or an invariant of the base is reported with the changed rules that bring it about."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from checker.rulesets_for_tests import house, rule
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.validate.new_flaws import as_new, changed_rules
from trickproof_dsl.library import Ruleset

WORTH = "  worth:\n    of: card c\n    rule: if c = QS then 12 else 1\n    assumes: a test\n"
DEALER = "  next-dealer:\n    rule: right of dealer\n    assumes: a test\n"
FOLLOW = "  follow:\n    rule: hand\n    assumes: a test\n"
SCORING = rule("scoring", "for p in players:\n    score of p becomes score of p + 1")


@pytest.mark.parametrize(
    ("body", "check", "rules"),
    [
        ("rules:\n" + DEALER + WORTH, "all-points-are-taken", ["`worth`"]),  # in the value that it compares
        ("rules:\n" + DEALER + WORTH, "hands-are-26-or-78", ["`worth`"]),  # in what the scores are set to
        (SCORING + DEALER, "hands-are-26-or-78", ["`scoring`"]),  # sets them itself
        (SCORING + WORTH, "hands-are-26-or-78", ["`scoring`"]),  # points are not scored any more
        (SCORING + WORTH, "all-points-are-taken", ["`worth`"]),
        (SCORING + WORTH, "thirteen-cards-after-passing", []),
        (SCORING + WORTH, "unique-winner", []),  # no invariant
    ],
)
def test_the_rules_are_those_that_set_what_it_reads(body: str, check: str, rules: list[str]) -> None:
    assert changed_rules(house(body, "hearts"), check) == rules


def test_an_invariant_of_the_file_itself_is_not_its_base_s() -> None:
    own = "invariants:\n  hands-are-26-or-78:\n    rule: (sum of score for players) mod 26 = 0\n    assumes: a test\n"
    assert changed_rules(house(SCORING + own, "hearts"), "hands-are-26-or-78") == []


def test_the_message_names_them() -> None:
    refuted = Finding("all-points-are-taken", Verdict.REFUTED, Method.SMT, "fails")
    ruleset = house("rules:\n" + WORTH, "hearts")
    assert as_new(refuted, None, ruleset).message == "fails; it depends on `worth`, changed in this file"
    assert as_new(refuted, None, house(DEALER.join(["rules:\n", ""]), "hearts")).message == "fails"


DEAL: dict[str, object] = {"ruleset": "house", "dealer": 0, "first_hand": True, "seed": 1, "moves": []}
"""Played until the dealer chooses trump."""


def test_a_flaw_at_a_rule_of_the_base_names_the_rules_of_the_file_that_its_deals_run() -> None:
    """The dealer is a card short, which shows at the base's `kitty`; who deals next has no part in it."""
    trump = rule("trump", "dealer chooses trump\nput top 1 of kitty by rank into discards")
    ruleset = house(trump + DEALER + FOLLOW)
    assert _message(ruleset, DEAL, "kitty") == "fails, with `trump` as stated in this file"
    assert _message(ruleset, DEAL, "trump") == "fails"  # the rule itself is shown


def test_a_value_is_run_where_it_is_read() -> None:
    ruleset = house(
        rule("kitty", "nothing happens") + DEALER + "  lead:\n    rule: dealer\n    assumes: a test\n"
    )
    chosen = {**DEAL, "moves": [{"player": 0, "move": "trump", "suit": "S"}]}
    assert _message(ruleset, chosen, "play") == "fails, with `kitty` and `lead` as stated in this file"


def test_all_rules_are_named_where_the_deals_run_none() -> None:
    ruleset = house(rule("kitty", "nothing happens") + DEALER)
    assert _message(ruleset, DEAL, "trump") == "fails, with `kitty` and `next-dealer` as stated in this file"


def _message(ruleset: Ruleset, deal: Mapping[str, object], at: str) -> str:
    where = ruleset.whole.rules[at].name.span
    refuted = Finding("hand-size", Verdict.REFUTED, Method.SMT, "fails", where, match=(deal,))
    return as_new(refuted, None, ruleset).message
