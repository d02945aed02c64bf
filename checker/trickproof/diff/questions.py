"""Questions at a table: what is asked, in which deal, and what happens under each ruleset; and the tree of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trickproof.english.inflection import counted
from trickproof.english.playout import event_text, pending, verbs_of
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json
from trickproof_dsl.scenarios.replay import replay_scenario

Scenario = dict[str, Any]

CARDS = re.compile(r"(?:(?:10|[2-9JQKA])[♣♦♥♠]\s?)+(?<! )")
"""Cards as they are shown."""

NEXT = 3
"""Lines that an answer is told by."""

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
    words: str = ""
    """What is asked, in a sentence."""

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


def outcomes(rulesets: Sequence[Ruleset], scenario: Scenario) -> dict[str, Lines]:
    """What happens in a deal under every ruleset that can play it, line by line."""
    lines_by_ruleset: dict[str, Lines] = {}
    for ruleset in rulesets:
        answer = replay_scenario(ruleset, {**scenario, "ruleset": ruleset.named, "any_order": True})
        if answer["ok"] and not answer["unused"]:
            lines_by_ruleset[ruleset.named] = tuple(_events(ruleset, answer))
    return lines_by_ruleset


def _events(ruleset: Ruleset, answer: Mapping[str, Json]) -> Iterator[str]:
    verbs = verbs_of(ruleset)
    for event in answer["events"]:
        yield event_text(event, verbs)
    decision = answer["next"]
    if decision is None:
        yield "the match is over" if answer["state"]["match_over"] else "another deal follows"
    else:
        yield pending(ruleset, decision)


def in_words(answers: Sequence[str]) -> list[str]:
    """Answers without the cards of the deal, where that leaves them different from one another."""
    plain = [CARDS.sub(_how_many, answer) for answer in answers]
    return plain if len(set(plain)) == len(plain) else list(answers)


def _how_many(cards: re.Match[str]) -> str:
    return counted(len(cards[0].split()), "card")
