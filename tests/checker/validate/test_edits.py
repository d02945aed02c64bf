"""Changes keep the layout of a file, and know which of them goes further."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import LIBRARY, rule
from checker.validate.candidates_made import made
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Method, Verdict
from trickproof.validate.fix_candidates import candidates


def test_a_number_goes_beyond_a_nearer_one_in_the_same_place() -> None:
    changes = {
        x.new: x for x in made(rule("end", "some player has tricks >= 9"), "unique-winner") if x.old == "9"
    }
    assert changes["11"].goes_beyond(changes["10"])
    assert not changes["10"].goes_beyond(changes["11"])
    assert not changes["8"].goes_beyond(changes["10"])
    assert changes["10"].repaired.count("tricks >= 10") == 1


def test_what_a_variable_changes_by_stays_more_than_nothing() -> None:
    """A fix that adds 0 was offered, and after it the rule was still there and did nothing."""
    again = "if hand of leader is empty:\n    tricks of leader becomes tricks of leader + 1\n"
    new = {x.new for x in made(rule("after-trick", again), "trick-total") if x.old == "1"}
    assert "2" in new
    assert "0" not in new


LAID_OUT = """\
ruleset: house   # ours
extends: pagat

rules:
    # a long match
    end:
        rule: some player has tricks >= 11   # eleven
        assumes: so
    next-dealer: {rule: right of dealer, assumes: so}
"""


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_a_change_keeps_the_layout(line_break: str) -> None:
    """Rules are added with the file's own indentation and line breaks, and nothing else changes."""
    text = LAID_OUT.replace("\n", line_break)
    ruleset, wrong = LIBRARY.load_text(text, "house.yaml")
    assert ruleset is not None, wrong
    flaw = Finding("unique-winner", Verdict.REFUTED, Method.STATIC, "")
    by_name = {x.what: x.repaired for x in candidates(ruleset, [flaw])}
    added = by_name["let whoever ends the match win it: `players with tricks >= 11`"]
    new = "    winner:\n        rule: players with tricks >= 11\n        assumes: whoever ends the match wins it\n"
    start = text.index("    next-dealer")
    (change,) = (x for x in candidates(ruleset, [flaw]) if x.repaired == added)
    assert [edited for _, edited in change.in_file] == [new.replace("\n", line_break)]
    assert added == text[:start] + new.replace("\n", line_break) + text[start:]
    assert by_name["leave out your rule `next-dealer`"] == text[:start]
    loaded, wrong = LIBRARY.load_text(added, "house.yaml")
    assert loaded is not None, wrong


def test_what_a_comment_says_is_not_changed() -> None:
    text = "some player has over >= 7   # 7 or more, the highest\nor some player has tricks >= 7"
    changes = made(rule("end", text), "zero-sum")
    everywhere = next(x for x in changes if x.what.startswith("replace `7` with `6` in"))
    assert everywhere.what.endswith("in 2 places")
    assert all(
        "# 7 or more, the highest" in x.repaired for x in changes if x.edits[0][0].text in ("7", "highest")
    )


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        (
            "rules: {end: {rule: no player has over > 0, assumes: a}, lead: {rule: dealer, assumes: b}}  # c",
            "lead",
        ),
        (
            "rules: {lead: {rule: dealer, assumes: b}, end: {rule: no player has over > 0, assumes: a}}  # c",
            "lead",
        ),
        (
            "rules:\n  end: {rule: no player has over > 0, assumes: a}\n  lead: {rule: dealer, assumes: b}  # c",
            "lead",
        ),
    ],
)
def test_a_rule_is_left_out_alone(rules: str, left: str) -> None:
    (change,) = (x for x in made(rules + "\n", "zero-sum") if x.what == "leave out your rule `end`")
    changed, wrong = LIBRARY.load_text(change.repaired, "house.yaml")
    assert changed is not None, wrong
    assert list(changed.own.rules) == [left]
    assert "# c" in change.repaired
