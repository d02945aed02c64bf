"""The fewest questions at the table that tell which of some rulesets a group plays.

A question is a situation from a difference of two of them; the answer is what happens next.  All trees of questions are
searched for one that tells most apart, with the fewest in the worst case, then on average.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from trickproof.diff.ruleset_diff import FACTS, Diff
from trickproof.diff.witnesses.paired_replay import Scenario
from trickproof.english.aspects import describe
from trickproof.english.playout import event_text, pending, situation, verbs_of
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json
from trickproof_dsl.scenarios.replay import replay_scenario

MOST = 40
"""Questions that are considered: those that tell most apart."""


NEXT = 3
"""Lines that an answer is told by."""

FACT_QUESTIONS = {"players": "How many players are there?", "deck": "Which cards are used?"}
"""Questions about what a game is played with, which need no deal."""

Lines = tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """`outcomes` say what happens under each ruleset (by what it is named), line by line; it is not asked where one cannot play it."""

    aspect: str
    start: Lines
    outcomes: Mapping[str, Lines]
    scenario: Scenario | None
    condition: str = ""
    """Under which condition the two of the difference do different things; "" where there is none."""

    def before(self, candidates: Sequence[str]) -> Lines:
        """What happens under all of some rulesets, before any two part."""
        lines = [self.outcomes[name] for name in candidates]
        number = 0
        while all(len(x) > number for x in lines) and len({x[number] for x in lines}) == 1:
            number += 1
        return lines[0][:number]

    def parts(self, candidates: Sequence[str]) -> list[tuple[str, Lines]]:
        """The rulesets by what happens next: so many lines as one can be asked for at a table."""
        if any(name not in self.outcomes for name in candidates):
            return []
        begin = len(self.before(candidates))
        groups: dict[str, list[str]] = {}
        for name in candidates:
            answer = "; ".join(self.outcomes[name][begin : begin + NEXT]) or "nothing more"
            groups.setdefault(answer, []).append(name)
        return [(answer, tuple(names)) for answer, names in sorted(groups.items())]


@dataclass(frozen=True)
class Tree:
    """A question with what follows each answer, or the rulesets that are left."""

    candidates: tuple[str, ...]
    question: Question | None = None
    after: tuple[tuple[str, Tree], ...] = ()
    same: bool = False
    """Whether those that are left are proved to play the same."""

    @property
    def situation(self) -> Lines:
        """What is told before the question."""
        if self.question is None:
            return ()
        condition = (self.question.condition,) if self.question.condition else ()
        return (*condition, *self.question.start, *self.before)

    @property
    def before(self) -> Lines:
        """What happens last before the question, alike under all rulesets that are left."""
        return () if self.question is None else self.question.before(self.candidates)[-6:]

    @property
    def depth(self) -> int:
        """Questions in the worst case."""
        return 0 if self.question is None else 1 + max(tree.depth for _, tree in self.after)


def quiz(rulesets: Sequence[Ruleset], diffs: Mapping[tuple[str, str], Diff]) -> Tree:
    """The tree that tells most apart with the fewest questions."""
    questions = _distinct(_questions(rulesets, diffs))
    ids = tuple(ruleset.named for ruleset in rulesets)

    @lru_cache(None)
    def best(candidates: tuple[str, ...]) -> tuple[tuple[int, int, int], Tree]:
        """How many stay together, questions in the worst case and over all rulesets; and the tree."""
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
        yield Question(fact, (FACT_QUESTIONS.get(fact, f"what about {fact}?"),), facts, None)
    for diff in diffs.values():
        for one in diff.aspects:
            if one.aspect in FACTS:
                continue
            for way in one.ways:
                if way.parting is None or way.parting.masked:
                    continue
                if "readings" not in way.parting.answers.scenario:  # which nobody at a table is asked for
                    yield _question(rulesets, one.aspect, way.when, way.parting.answers.scenario)


def _question(rulesets: Sequence[Ruleset], aspect: str, when: str | None, scenario: Scenario) -> Question:
    """The scenario under every ruleset that can play it."""
    lines_by_ruleset: dict[str, Lines] = {}
    for ruleset in rulesets:
        answer = replay_scenario(ruleset, {**scenario, "ruleset": ruleset.named, "any_order": True})
        if answer["ok"] and not answer["unused"]:
            lines_by_ruleset[ruleset.named] = tuple(_events(ruleset, answer))
    return Question(
        aspect, tuple(situation(scenario)), lines_by_ruleset, scenario, f"({when})" if when else ""
    )


def _events(ruleset: Ruleset, answer: Mapping[str, Json]) -> Iterator[str]:
    verbs = verbs_of(ruleset)
    for event in answer["events"]:
        yield event_text(event, verbs)
    decision = answer["next"]
    if decision is None:
        yield "the match is over" if answer["state"]["match_over"] else "another deal follows"
    else:
        yield pending(ruleset, decision)


def _distinct(questions: Iterator[Question]) -> list[Question]:
    """Questions that tell different rulesets apart: of those that tell the same, the one with the shortest situation."""
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
