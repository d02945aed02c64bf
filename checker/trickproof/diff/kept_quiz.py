"""Question trees cached between runs, keyed by the rulesets and the trickproof build.

A cache entry is not trusted: it must have the shape of a tree, and every deal in it is replayed under the
rulesets that it distinguishes and must yield the recorded outcome.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from trickproof.check_runner.findings_cache import digest, meaning, tool
from trickproof.diff.questions import Lines, Question, Tree, outcomes, said_of
from trickproof.support.blob_cache import BlobCache
from trickproof.support.serialise import serialised
from trickproof.support.typed_json import dataclass_of
from trickproof_dsl.library import Ruleset

QUIZZES = BlobCache("quizzes", form=2, most=100)
"""One entry per list of rulesets: the tree of questions."""


@dataclass(frozen=True, slots=True)
class _Question:
    aspect: str
    start: Lines
    outcomes: Mapping[str, Lines]
    scenario: Mapping[str, object] | None
    condition: str
    words: str
    order: Lines
    apart: int


@dataclass(frozen=True, slots=True)
class _Branch:
    answer: str
    tree: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Node:
    candidates: tuple[str, ...]
    question: _Question | None
    after: tuple[_Branch, ...]
    same: bool


def kept_tree(rulesets: Sequence[Ruleset]) -> Tree | None:
    """The tree from an earlier run; None if there is no valid one."""
    named = {ruleset.named: ruleset for ruleset in rulesets}

    def about_all(stored: Mapping[str, object]) -> Tree:
        tree = _tree(named, stored)
        if tree.candidates != tuple(named):
            raise ValueError("it is about others")
        return tree

    return QUIZZES.parsed(_key(rulesets), about_all) if tool() else None


def keep_tree(rulesets: Sequence[Ruleset], tree: Tree) -> None:
    """Cache a tree for later runs."""
    if tool():
        QUIZZES.write(_key(rulesets), json.dumps(serialised(_node(tree))).encode())


def _key(rulesets: Sequence[Ruleset]) -> str:
    return digest(tool(), [meaning(ruleset) for ruleset in rulesets])


def _node(tree: Tree) -> _Node:
    question = tree.question
    return _Node(
        tree.candidates,
        None
        if question is None
        else _Question(
            question.aspect,
            question.start,
            {name: question.outcomes[name] for name in tree.candidates},
            question.scenario,
            question.condition,
            question.words,
            question.order,
            question.apart,
        ),
        tuple(_Branch(answer, serialised(_node(after))) for answer, after in tree.after),
        tree.same,
    )


def _tree(by_name: Mapping[str, Ruleset], stored: Mapping[str, object]) -> Tree:
    """Decode a tree. Raises ValueError if a deal no longer yields the recorded outcome."""
    node = cast(_Node, dataclass_of(_Node, stored))
    question = None if node.question is None else _question(by_name, node.candidates, node.question)
    after = tuple((branch.answer, _tree(by_name, branch.tree)) for branch in node.after)
    tree = Tree(node.candidates, question, after, node.same)
    told = [] if question is None else question.parts(node.candidates)
    if told != [(answer, then.candidates) for answer, then in after]:
        raise ValueError("the answers are others")
    return tree


def _question(by_name: Mapping[str, Ruleset], names: Sequence[str], stored: _Question) -> Question:
    scenario = None if stored.scenario is None else dict(stored.scenario)
    own = [by_name[name] for name in names]
    question = Question(
        stored.aspect,
        stored.start,
        stored.outcomes,
        scenario,
        stored.condition,
        stored.words,
        stored.order,
        {} if scenario is None else said_of(stored.aspect, own),
        stored.apart,
    )
    if scenario is not None and outcomes(own, scenario) != stored.outcomes:
        raise ValueError("it leads elsewhere")
    return question
