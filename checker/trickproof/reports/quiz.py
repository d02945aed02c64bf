"""The fewest questions that tell which of some rulesets a group plays: as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trickproof.diff.decision_tree import Tree
from trickproof.english.inflection import counted, listed
from trickproof.reports.played_hand import beginning
from trickproof.reports.text import PLAIN, Page
from trickproof_dsl.core.program import Deck
from trickproof_dsl.library import Ruleset


@dataclass(frozen=True, slots=True)
class LeafDocument:
    """The rulesets that no further question tells apart."""

    rulesets: Sequence[str]


@dataclass(frozen=True, slots=True)
class AnswerDocument:
    """What a group may answer, and what follows."""

    answer: str
    then: QuestionDocument | LeafDocument


@dataclass(frozen=True, slots=True)
class QuestionDocument:
    """A situation in which the rulesets do different things."""

    aspect: str
    situation: Sequence[str]
    scenario: Mapping[str, Any] | None
    answers: Sequence[AnswerDocument]


@dataclass(frozen=True, slots=True)
class QuizDocument:
    """The questions in the worst case, and the tree of them."""

    questions: int
    tree: QuestionDocument | LeafDocument


def quiz_document(tree: Tree) -> QuizDocument:
    """The whole tree."""
    return QuizDocument(tree.depth, _tree(tree))


def _tree(tree: Tree) -> QuestionDocument | LeafDocument:
    if tree.question is None:
        return LeafDocument(tree.left)
    answers = [AnswerDocument(answer, _tree(after)) for answer, after in tree.after]
    return QuestionDocument(tree.question.aspect, tree.situation, tree.question.scenario, answers)


def quiz_text(tree: Tree, rulesets: Sequence[Ruleset], page: Page = PLAIN) -> str:
    """The questions, indented under the answers that lead to them."""
    decks = {ruleset.named: ruleset.program.deck for ruleset in rulesets}
    lines = (line.rstrip() for line in _lines(tree, decks, page, 0))
    return "\n".join([f"at most {counted(tree.depth, 'question')}", "", *lines])


def _lines(tree: Tree, decks: Mapping[str, Deck], page: Page, indent: int) -> Iterator[str]:
    blank, question = " " * indent, tree.question
    if question is None:
        why = "which play the same" if tree.same else "no hand was found that tells them apart"
        several = f" ({why})" if len(tree.left) > 1 else ""
        yield from page.wrapped(f"→ {listed(list(tree.left))}{several}", blank, indent + 2)
        return
    yield f"{blank}{question.aspect}:"
    deck = next((deck for name, deck in decks.items() if name in question.told), None)
    if question.scenario is None or deck is None:
        lines = list(tree.situation)
    else:
        yield from page.wrapped(question.condition, f"{blank}  ") if question.condition else ()
        yield from beginning(page, deck, question.scenario, indent + 2)
        lines = list(tree.before)
    for line in lines:
        yield from page.wrapped(line, f"{blank}  ", indent + 4)
    yield f"{blank}what happens now?"
    for answer, after in tree.after:
        yield from page.wrapped(answer, f"{blank}- ")
        yield from _lines(after, decks, page, indent + 4)
