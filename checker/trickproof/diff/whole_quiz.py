"""The question tree of some rulesets, kept for later runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trickproof.diff.decision_tree import quiz
from trickproof.diff.kept_quiz import keep_tree
from trickproof.diff.questions import Tree
from trickproof.diff.ruleset_diff import Diff
from trickproof_dsl.library import Ruleset


def worked_out(rulesets: Sequence[Ruleset], diffs: Mapping[tuple[str, str], Diff]) -> Tree:
    """Compute the tree from the comparisons of all pairs, and cache it."""
    tree = quiz(rulesets, diffs)
    keep_tree(rulesets, tree)
    return tree
