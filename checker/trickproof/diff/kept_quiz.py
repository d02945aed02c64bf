"""Question trees cached between runs, keyed by the rulesets and the trickproof build.

A cache entry is not trusted: it must have the shape of a tree, and every deal in it is replayed under the
rulesets that it distinguishes and must yield the recorded outcome.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from trickproof.check_runner.findings_cache import digest, meaning, tool
from trickproof.diff.questions import Tree, outcomes, said_of
from trickproof.support.blob_cache import BlobCache
from trickproof.support.serialise import serialised
from trickproof.support.typed_json import dataclass_of
from trickproof_dsl.library import Ruleset

QUIZZES = BlobCache("quizzes", form=3, most=100)
"""One entry per list of rulesets: the tree of questions."""


def kept_tree(rulesets: Sequence[Ruleset]) -> Tree | None:
    """The tree from an earlier run; None if there is no valid one."""
    named = {ruleset.named: ruleset for ruleset in rulesets}

    def about_all(stored: Mapping[str, object]) -> Tree:
        tree = _replayed(named, cast(Tree, dataclass_of(Tree, stored)))
        if tree.candidates != tuple(named):
            raise ValueError("it is about others")
        return tree

    return QUIZZES.parsed(_key(rulesets), about_all) if tool() else None


def keep_tree(rulesets: Sequence[Ruleset], tree: Tree) -> None:
    """Cache a tree for later runs."""
    if tool():
        QUIZZES.write(_key(rulesets), json.dumps(serialised(_own(tree))).encode())


def _key(rulesets: Sequence[Ruleset]) -> str:
    return digest(tool(), [meaning(ruleset) for ruleset in rulesets])


def _own(tree: Tree) -> Tree:
    """The tree with questions that are about its rulesets only, without their rules."""
    question = tree.question
    if question is not None:
        question = replace(question, outcomes={x: question.outcomes[x] for x in tree.candidates}, rules={})
    return replace(tree, question=question, after=tuple((answer, _own(then)) for answer, then in tree.after))


def _replayed(by_name: Mapping[str, Ruleset], tree: Tree) -> Tree:
    """The tree with the rules of its questions. Raises ValueError if a deal no longer yields the recorded outcome."""
    question, own = tree.question, [by_name[name] for name in tree.candidates]
    if question is not None and question.scenario is not None:
        if outcomes(own, question.scenario, question.between) != question.outcomes:
            raise ValueError("it leads elsewhere")
        question = replace(question, rules=said_of(question.aspect, own))
    after = tuple((answer, _replayed(by_name, then)) for answer, then in tree.after)
    told = [] if question is None else question.parts(tree.candidates)
    if told != [(answer, then.candidates) for answer, then in after]:
        raise ValueError("the answers are others")
    return replace(tree, question=question, after=after)
