"""The question tree of some rulesets, reused from an earlier run if possible."""

from __future__ import annotations

from collections.abc import Sequence

from trickproof.diff.decision_tree import quiz
from trickproof.diff.kept_pairs import compare_kept_sharing
from trickproof.diff.kept_quiz import keep_tree
from trickproof.diff.questions import Tree
from trickproof.diff.ruleset_diff import Watch, all_pairs
from trickproof.support.cluster import Cluster
from trickproof_dsl.library import Ruleset


def worked_out(rulesets: Sequence[Ruleset], workers: int | Cluster, watch: Watch) -> Tree:
    """Compute the tree from all pairwise comparisons, and cache it."""
    tree = quiz(rulesets, all_pairs(rulesets, workers, watch, compare_kept_sharing))
    keep_tree(rulesets, tree)
    return tree
