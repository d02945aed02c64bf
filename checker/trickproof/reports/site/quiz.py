"""The questions that distinguish rulesets, as screens: a question with its answers, or the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trickproof.diff.questions import Tree
from trickproof.reports.comparison.quiz import answers_in_words
from trickproof.reports.site.deal_steps import Deal, side_by_side
from trickproof_dsl.library import Ruleset

MOST_LANES = 3
"""Maximum number of answers whose deals are shown side by side."""


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen; `answers` lead to other screens, `left` are the remaining rulesets if there is no question."""

    id: str
    before: str | None
    words: str
    answers: tuple[tuple[str, str], ...] = ()
    deal: Deal | None = None
    left: tuple[Ruleset, ...] = ()
    same: bool = False


def screens(tree: Tree, rulesets: Sequence[Ruleset]) -> list[Screen]:
    """The screens in preorder, starting with the first question."""
    return list(_screens(tree, {ruleset.named: ruleset for ruleset in rulesets}, "question", None))


def _screens(tree: Tree, by_name: Mapping[str, Ruleset], id: str, before: str | None) -> Iterator[Screen]:
    if tree.question is None:
        left = tuple(by_name[name] for name in tree.candidates)
        yield Screen(id, before, "You play", left=left, same=tree.same)
        return
    ids = [f"{id}-{number}" for number in range(1, len(tree.after) + 1)]
    answers = tuple(zip(answers_in_words(tree, by_name), ids, strict=True))
    yield Screen(id, before, tree.words, answers, _deal(tree, by_name, id))
    for inner, (_, after) in zip(ids, tree.after, strict=True):
        yield from _screens(after, by_name, inner, id)


def _deal(tree: Tree, by_name: Mapping[str, Ruleset], id: str) -> Deal | None:
    """The question's deal under one ruleset for each answer."""
    assert tree.question is not None
    if tree.question.scenario is None:
        return None
    firsts = [by_name[after.candidates[0]] for _, after in tree.after[:MOST_LANES]]
    return side_by_side(f"deal-{id}", tree.words, firsts, tree.question.scenario)
