"""The fewest questions at the table that tell which of some rulesets a group plays.

A question is a situation from a difference of two of them; the answer is what happens next.  All trees of questions are
searched for one that needs the fewest in the worst case, then on average.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from trickproof.aspects import describe
from trickproof.compare.compared import FACTS, Diff
from trickproof.compare.script import Scenario
from trickproof.playout import event_text, situation
from trickproof.words_grammar import listed
from trickproof_dsl.load import Ruleset
from trickproof_dsl.scenario import replay_scenario

MOST = 40
"""Questions that are considered: those that tell most apart."""


@dataclass(frozen=True)
class Question:
    """`answers` says what happens under each ruleset (by id); it is not asked where one has none."""

    aspect: str
    situation: tuple[str, ...]
    answers: Mapping[str, str]
    scenario: Scenario | None


@dataclass(frozen=True)
class Tree:
    """A question with what follows each answer, or the rulesets that are left."""

    left: tuple[str, ...]
    question: Question | None = None
    after: tuple[tuple[str, Tree], ...] = ()

    @property
    def depth(self) -> int:
        """Questions in the worst case."""
        return 0 if self.question is None else 1 + max(tree.depth for _, tree in self.after)


def quiz(rulesets: Sequence[Ruleset], diffs: Mapping[tuple[str, str], Diff]) -> Tree:
    """The tree that needs the fewest questions."""
    questions = _distinct(_questions(rulesets, diffs))
    ids = tuple(ruleset.id for ruleset in rulesets)

    @lru_cache(None)
    def best(left: tuple[str, ...]) -> tuple[int, int, Tree]:
        """Worst case, sum over the rulesets, and the tree."""
        chosen = (0, 0, Tree(left))
        if len(left) == 1:
            return chosen
        found: tuple[int, int, Tree] | None = None
        for question in questions:
            parts = _parts(question, left)
            if len(parts) < 2:
                continue
            after = [(answer, best(some)) for answer, some in parts]
            worst = 1 + max(x[0] for _, x in after)
            total = len(left) + sum(x[1] for _, x in after)
            if found is None or (worst, total) < found[:2]:
                tree = Tree(left, question, tuple((answer, x[2]) for answer, x in after))
                found = (worst, total, tree)
        return found or chosen

    return best(ids)[2]


def _parts(question: Question, left: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """The rulesets by what they answer; nothing where one of them has no answer."""
    if any(name not in question.answers for name in left):
        return []
    groups: dict[str, list[str]] = {}
    for name in left:
        groups.setdefault(question.answers[name], []).append(name)
    return [(answer, tuple(names)) for answer, names in sorted(groups.items())]


def _questions(rulesets: Sequence[Ruleset], diffs: Mapping[tuple[str, str], Diff]) -> Iterator[Question]:
    for fact in FACTS:
        yield Question(
            fact, (f"what are the {fact}?",), {x.id: describe(x, fact).text for x in rulesets}, None
        )
    for diff in diffs.values():
        for one in diff.aspects:
            if one.aspect in FACTS:
                continue
            for way in one.ways:
                if way.parting is not None and not way.parting.masked:
                    yield _asked(rulesets, one.aspect, way.when, way.parting.answers.scenario)


def _asked(rulesets: Sequence[Ruleset], aspect: str, when: str | None, scenario: Scenario) -> Question:
    """The scenario under every ruleset that can play it, told from the first event at which any two part."""
    told: dict[str, list[str]] = {}
    for ruleset in rulesets:
        answer = replay_scenario(ruleset, {**scenario, "ruleset": ruleset.named})
        if answer["ok"]:
            told[ruleset.id] = list(_events(ruleset, answer))
    same = 0
    while told and len({tuple(lines[: same + 1]) for lines in told.values()}) == 1:
        same += 1
        if all(len(lines) <= same for lines in told.values()):
            break
    before = next(iter(told.values()), [])[:same]
    answers = {name: "; ".join(lines[same:][:3]) or "nothing more" for name, lines in told.items()}
    start = [f"({when})"] if when else []
    return Question(aspect, (*start, *situation(scenario), *before[-6:]), answers, scenario)


def _events(ruleset: Ruleset, answer: Mapping[str, Any]) -> Iterator[str]:
    verbs = {name: move.verb.value.replace("-", " ") for name, move in ruleset.whole.moves.items()}
    for event in answer["events"]:
        yield event_text(event, verbs)
    asked = answer["next"]
    if asked is None:
        yield "the match is over" if answer["state"]["match_over"] else "another hand is dealt"
    else:
        number = f" {asked['min']} to {asked['max']} of" if "max" in asked else ""
        to = f" to player {asked['to']}" if "to" in asked else ""
        yield f"player {asked['player']} has to {asked['move']}{number} {len(asked['legal'])}{to}"


def _distinct(questions: Iterator[Question]) -> list[Question]:
    """Questions that tell different rulesets apart: of those that tell the same, the one with the shortest situation."""
    found: dict[str, Question] = {}
    for question in questions:
        groups: dict[str, list[str]] = {}
        for name, answer in question.answers.items():
            groups.setdefault(answer, []).append(name)
        if len(groups) > 1:
            key = json.dumps(sorted(groups.values()))
            if key not in found or _length(question) < _length(found[key]):
                found[key] = question
    return sorted(found.values(), key=lambda x: (-len(set(x.answers.values())), _length(x)))[:MOST]


def _length(question: Question) -> tuple[int, int, str]:
    return len(question.situation), sum(map(len, question.situation)), question.aspect


# ------------------------------------------------------------------------------------------------ output


def quiz_json(tree: Tree) -> dict[str, Any]:
    """The tree: what is left, or the question with what follows each answer."""
    if tree.question is None:
        return {"rulesets": list(tree.left)}
    return {
        "aspect": tree.question.aspect,
        "situation": list(tree.question.situation),
        "scenario": tree.question.scenario,
        "answers": [{"answer": answer, "then": quiz_json(after)} for answer, after in tree.after],
    }


def quiz_text(tree: Tree) -> str:
    """The questions, indented under the answers that lead to them."""
    most = tree.depth
    head = f"at most {most} question{'s' * (most != 1)}"
    return "\n".join([head, "", *_lines(tree, "")])


def _lines(tree: Tree, indent: str) -> Iterator[str]:
    if tree.question is None:
        alone = len(tree.left) == 1
        yield f"{indent}→ {listed(list(tree.left))}" + (
            "" if alone else " (no hand was found that tells them apart)"
        )
        return
    yield f"{indent}{tree.question.aspect}:"
    for line in tree.question.situation:
        yield f"{indent}  {line}"
    yield f"{indent}what happens now?"
    for answer, after in tree.after:
        yield f"{indent}- {answer}"
        yield from _lines(after, f"{indent}    ")
