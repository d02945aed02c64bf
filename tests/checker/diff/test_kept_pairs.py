"""Comparisons and quizzes that were kept: the same as worked out anew, and never believed where a deal leads elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented
from trickproof.diff import kept_pairs, kept_quiz
from trickproof.diff.decision_tree import quiz
from trickproof.diff.kept_pairs import PAIRS, compare_kept, keep_diff, kept_diff
from trickproof.diff.kept_quiz import QUIZZES, keep_tree, kept_tree
from trickproof.diff.ruleset_diff import Diff, compare
from trickproof.proofs import kernel
from trickproof.reports.comparison.diff import diff_document, diff_text
from trickproof.reports.comparison.quiz import quiz_document
from trickproof.support.serialise import serialised


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRICKPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TRICKPROOF_NO_CACHE", raising=False)


def pair() -> Diff:
    return compare_kept(documented("pagat"), documented("pagat-all-sixteen"))


@RUN
def test_what_was_kept_is_what_was_found() -> None:
    found, kept = pair(), kept_diff(documented("pagat"), documented("pagat-all-sixteen"))
    assert kept is not None
    assert serialised(diff_document(kept)) == serialised(diff_document(found))
    assert diff_text(kept) == diff_text(found)
    assert kept_diff(documented("pagat-all-sixteen"), documented("pagat")) is None


@RUN
@pytest.mark.parametrize("change", ["replayed", "status", "shape"])
def test_what_cannot_be_believed_is_worked_out_anew(change: str) -> None:
    found = pair()
    key = kept_pairs._key(found.a, found.b)
    stored = json.loads(PAIRS.read(key) or b"")
    row = next(x for x in stored["aspects"] if x["status"] == "different")
    if change == "replayed":
        row["ways"][0]["deal"]["replayed"] = "0" * 64
    elif change == "status":
        row["status"] = "same"
    else:
        row["ways"] = 3
    PAIRS.write(key, json.dumps(stored).encode())
    assert kept_diff(found.a, found.b) is None
    assert PAIRS.read(key) is None


def test_no_difference_is_recalled_without_a_deal() -> None:
    for word, shown in (("different", False), ("same", True), ("undecided", True), ("equal", False)):
        with pytest.raises(ValueError, match="no aspect is"):
            kernel.recall_status(word, shown)


@RUN
def test_a_quiz_that_was_kept_is_the_same_and_its_deals_are_played() -> None:
    rulesets = [documented(name) for name in ("pagat", "pagat-all-sixteen")]
    diff = compare(*rulesets)
    keep_diff(diff)
    tree = quiz(rulesets, lambda pairs: {("pagat", "pagat-all-sixteen"): diff})
    keep_tree(rulesets, tree)
    kept = kept_tree(rulesets)
    assert kept is not None
    assert serialised(quiz_document(kept)) == serialised(quiz_document(tree))
    key = kept_quiz._key(rulesets)
    stored = json.loads(QUIZZES.read(key) or b"")
    stored["question"]["outcomes"]["pagat"][-1] += " at once"
    QUIZZES.write(key, json.dumps(stored).encode())
    assert kept_tree(rulesets) is None
