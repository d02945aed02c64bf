"""A small set of questions that identifies which of some rulesets a group plays.

A question is a situation taken from a difference between two of them; the answer is what happens next. The
search covers all decision trees and minimises the number of rulesets left indistinguishable, then the
worst-case number of questions, then the average. As a deal that distinguishes two rulesets distinguishes many
others, a few pairs are compared; comparing all of them seldom gives a smaller tree.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from trickproof.diff.kept_quiz import keep_tree
from trickproof.diff.question_words import OR_AFTER, question_words
from trickproof.diff.questions import NO_MORE, Lines, Question, Scenario, Tree, outcomes, said_of
from trickproof.diff.results import Compared, Way
from trickproof.diff.ruleset_diff import FACTS, Diff
from trickproof.diff.witnesses.parting import Parting
from trickproof.english.aspects import describe
from trickproof.english.differences import condition_words
from trickproof.english.playout import situation
from trickproof_dsl.library import Ruleset

MOST = 40
"""Maximum number of questions considered: those that distinguish the most rulesets."""

Compare = Callable[[Sequence[tuple[Ruleset, Ruleset]]], Mapping[tuple[str, str], Diff]]
"""Compares some pairs of rulesets; keyed by the `named` of both."""

FACT_QUESTIONS = {"players": "How many players are there?", "deck": "Which cards are used?"}
"""Questions about a game's equipment, which need no deal."""


class _Cost(NamedTuple):
    """What is minimised, the most important first."""

    together: int
    """Rulesets left indistinguishable."""
    worst: int = 0
    """Questions in the worst case."""
    total: int = 0
    """Questions for all rulesets together."""
    unfit: int = 0
    """Questions that are not worded for their answers."""
    length: int = 0
    """Characters of all answers."""


def worked_out(rulesets: Sequence[Ruleset], compare: Compare) -> Tree:
    """The tree that distinguishes some rulesets, cached for later runs."""
    tree = quiz(rulesets, compare)
    keep_tree(rulesets, tree)
    return tree


def quiz(rulesets: Sequence[Ruleset], compare: Compare) -> Tree:
    """The tree that distinguishes the most rulesets, with the fewest of the questions found.

    Only pairs that no question distinguishes yet are compared, several of them at a time.
    """
    by_name = {ruleset.named: ruleset for ruleset in rulesets}
    diffs: dict[tuple[str, str], Diff] = {}
    questions = list(_of_equipment(rulesets))
    while True:
        tree = _best(tuple(by_name), _distinct(questions), diffs)
        pairs = list(_not_compared(tree, diffs))
        if not pairs:
            return tree
        for names, diff in compare([(by_name[x], by_name[z]) for x, z in pairs]).items():
            diffs[names] = diff
            questions += _of_differences(rulesets, diff)


def _not_compared(tree: Tree, diffs: Mapping[tuple[str, str], Diff]) -> Iterator[tuple[str, str]]:
    """Pairs of rulesets that the tree does not distinguish and that were not compared, without common members."""
    for _, after in tree.after:
        yield from _not_compared(after, diffs)
    if tree.question is None:
        paired: set[str] = set()
        for pair in combinations(tree.candidates, 2):
            if pair not in diffs and paired.isdisjoint(pair):
                paired.update(pair)
                yield pair


def _best(
    rulesets: tuple[str, ...], questions: Sequence[Question], diffs: Mapping[tuple[str, str], Diff]
) -> Tree:
    """The tree that distinguishes the most rulesets with the fewest of these questions."""

    @lru_cache(None)
    def best(candidates: tuple[str, ...]) -> tuple[_Cost, Tree]:
        same = all(pair in diffs and _same(diffs[pair]) for pair in combinations(candidates, 2))
        cheapest = _Cost(len(candidates) - 1), Tree(candidates, same=same)
        for question in questions if len(candidates) > 1 else ():
            parts = question.parts(candidates)
            if len(parts) > 1:
                costs, trees = zip(*(best(some) for _, some in parts), strict=True)
                answers = [answer for answer, _ in parts]
                cost = _Cost(
                    sum(x.together for x in costs),
                    1 + max(x.worst for x in costs),
                    len(candidates) + sum(x.total for x in costs),
                    (not question.worded_for(candidates)) + sum(x.unfit for x in costs),
                    sum(map(len, answers)) + sum(x.length for x in costs),
                )
                if cost < cheapest[0]:
                    cheapest = cost, Tree(candidates, question, tuple(zip(answers, trees, strict=True)))
        return cheapest

    return best(rulesets)[1]


def _same(diff: Diff) -> bool:
    return all(x.status == "same" for x in diff.every)


def _of_equipment(rulesets: Sequence[Ruleset]) -> Iterator[Question]:
    for fact in FACTS:
        facts: dict[str, Lines] = {x.named: (describe(x, fact).text,) for x in rulesets}
        words = FACT_QUESTIONS.get(fact, f"what about {fact}?")
        yield Question(fact, (words,), facts, None, words=words)


def _of_differences(rulesets: Sequence[Ruleset], diff: Diff) -> Iterator[Question]:
    for one in diff.every:
        if one.aspect in FACTS:
            continue
        unknown = {"readings", "variables"} if one in diff.others else {"readings"}  # to those who are asked
        for way in one.ways:
            if way.parting is None or way.parting.masked:
                continue
            if not unknown & way.parting.answers.scenario.keys():
                yield _question(rulesets, diff, one, way, way.parting)


def _question(rulesets: Sequence[Ruleset], diff: Diff, one: Compared, way: Way, parting: Parting) -> Question:
    """The deal that shows a difference, under every ruleset that can play it."""
    scenario = _for_both(diff, parting.answers.scenario)
    words, between = question_words(diff, one.aspect, way, parting), parting.answers.later is not None
    sides = [one.named for one in (diff.a, diff.b)]
    question = Question(
        one.aspect,
        tuple(situation(scenario)),
        outcomes(rulesets, scenario, between),
        scenario,
        f"({condition_words(way.when, *sides)})" if way.when else "",
        words,
        rules=said_of(one.aspect, rulesets),
        between=between,
    )
    if len(question.parts(sides)) < 2:
        return question
    number = len(question.before(sides))
    order = [
        "".join(question.outcomes[name][number : number + 1]) or NO_MORE
        for name in sides
        if words.endswith(OR_AFTER)
    ]
    return replace(question, apart=number, order=tuple(order))


def _for_both(diff: Diff, scenario: Scenario) -> Scenario:
    """A deal up to where two rulesets diverge, if one of them does not come to all of its moves."""
    moves = scenario["moves"]
    told = outcomes((diff.a, diff.b), scenario)
    for number in range(len(moves) if len(told) < 2 else 0):
        shorter = {**scenario, "moves": moves[:number]}
        told = outcomes((diff.a, diff.b), shorter)
        if len(told) == 2 and len({*told.values()}) == 2:
            return shorter
    return scenario


def _distinct(questions: Sequence[Question]) -> list[Question]:
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
