"""The smallest set of questions that identifies which of some rulesets a group plays.

A question is a situation taken from a difference between two of them; the answer is what happens next. The
search covers all decision trees and minimises the number of rulesets left indistinguishable, then the
worst-case number of questions, then the average.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from trickproof.diff.kept_quiz import keep_tree
from trickproof.diff.question_words import OR_AFTER, question_words
from trickproof.diff.questions import NO_MORE, Lines, Question, Tree, outcomes, said_of
from trickproof.diff.results import Compared, Way
from trickproof.diff.ruleset_diff import FACTS, Diff
from trickproof.diff.witnesses.parting import Parting
from trickproof.english.aspects import describe
from trickproof.english.playout import situation
from trickproof_dsl.library import Ruleset

MOST = 40
"""Maximum number of questions considered: those that distinguish the most rulesets."""


FACT_QUESTIONS = {"players": "How many players are there?", "deck": "Which cards are used?"}
"""Questions about a game's equipment, which need no deal."""


def worked_out(rulesets: Sequence[Ruleset], diffs: Mapping[tuple[str, str], Diff]) -> Tree:
    """The tree from the comparisons of all pairs, cached for later runs."""
    tree = quiz(rulesets, diffs)
    keep_tree(rulesets, tree)
    return tree


def quiz(rulesets: Sequence[Ruleset], diffs: Mapping[tuple[str, str], Diff]) -> Tree:
    """The tree that distinguishes the most rulesets with the fewest questions."""
    questions = _distinct(_questions(rulesets, diffs))
    ids = tuple(ruleset.named for ruleset in rulesets)

    @lru_cache(None)
    def best(candidates: tuple[str, ...]) -> tuple[tuple[int, int, int], Tree]:
        """The tree and its cost: rulesets left indistinguishable, worst-case questions, total questions."""
        same = all(_all_same(diffs, x, z) for x, z in combinations(candidates, 2))
        cheapest = (len(candidates) - 1, 0, 0), Tree(candidates, same=same)
        for question in questions if len(candidates) > 1 else ():
            parts = question.parts(candidates)
            if len(parts) > 1:
                after = [(answer, *best(some)) for answer, some in parts]
                together = sum(cost[0] for _, cost, _ in after)
                worst, total = 1 + max(cost[1] for _, cost, _ in after), sum(cost[2] for _, cost, _ in after)
                cost = together, worst, len(candidates) + total
                if cost < cheapest[0]:
                    cheapest = (
                        cost,
                        Tree(candidates, question, tuple((answer, tree) for answer, _, tree in after)),
                    )
        return cheapest

    return best(ids)[1]


def _all_same(diffs: Mapping[tuple[str, str], Diff], one: str, other: str) -> bool:
    diff = diffs.get((one, other)) or diffs[(other, one)]
    return all(x.status == "same" for x in diff.every)


def _questions(rulesets: Sequence[Ruleset], diffs: Mapping[tuple[str, str], Diff]) -> Iterator[Question]:
    for fact in FACTS:
        facts: dict[str, Lines] = {x.named: (describe(x, fact).text,) for x in rulesets}
        words = FACT_QUESTIONS.get(fact, f"what about {fact}?")
        yield Question(fact, (words,), facts, None, words=words)
    for diff in diffs.values():
        for one in diff.aspects:
            if one.aspect in FACTS:
                continue
            for way in one.ways:
                if way.parting is None or way.parting.masked:
                    continue
                if "readings" not in way.parting.answers.scenario:  # players are not asked about readings
                    yield _question(rulesets, diff, one, way, way.parting)


def _question(rulesets: Sequence[Ruleset], diff: Diff, one: Compared, way: Way, parting: Parting) -> Question:
    """The deal that shows a difference, under every ruleset that can play it."""
    scenario = parting.answers.scenario
    words = question_words(diff, one.aspect, way, parting)
    question = Question(
        one.aspect,
        tuple(situation(scenario)),
        outcomes(rulesets, scenario),
        scenario,
        f"({way.when})" if way.when else "",
        words,
        rules=said_of(one.aspect, rulesets),
    )
    sides = [one.named for one in (diff.a, diff.b)]
    if not words.endswith(OR_AFTER) or len(question.parts(sides)) < 2:
        return question
    number = len(question.before(sides))
    return replace(
        question,
        order=tuple("".join(question.outcomes[name][number : number + 1]) or NO_MORE for name in sides),
    )


def _distinct(questions: Iterator[Question]) -> list[Question]:
    """One question for each partition of the rulesets: the one with the shortest situation."""
    by_answers: dict[str, Question] = {}
    for question in questions:
        groups: dict[Lines, list[str]] = {}
        for name, lines in sorted(question.outcomes.items()):
            groups.setdefault(lines, []).append(name)
        if len(groups) > 1:
            key = json.dumps(sorted(groups.values()))
            if key not in by_answers or _length(question) < _length(by_answers[key]):
                by_answers[key] = question
    return sorted(by_answers.values(), key=lambda x: (-len(x.parts(sorted(x.outcomes))), _length(x)))[:MOST]


def _length(question: Question) -> tuple[int, int, str]:
    lines = max(len(x) for x in question.outcomes.values())
    return lines, sum(map(len, (question.condition, *question.start))), question.aspect
