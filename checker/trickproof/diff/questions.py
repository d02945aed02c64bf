"""Questions to ask at a table, with the deal and the outcome under each ruleset, and their tree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trickproof.checking.played_hand import HandPlayed, following_hand
from trickproof.diff.question_words import ASPECT_QUESTIONS, NEXT_QUESTION
from trickproof.english.aspects import describe
from trickproof.english.inflection import counted
from trickproof.english.playout import event_text, pending, verbs_of
from trickproof.english.seats import NUMBERED, Names
from trickproof.testing.subject import seat
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import event_json
from trickproof_dsl.scenarios.replay import course as replayed, replay_scenario
from trickproof_dsl.semantics.values import as_number

Scenario = dict[str, Any]

CARDS = re.compile(r"(?:(?:10|[2-9JQKA])[♣♦♥♠]\s?)+(?<! )")
"""Matches cards as they are displayed."""

OPTIONS = re.compile(r"(?<= must )(choose [^:;]+|bid): [^:;]+|\bexactly (?=\d)")
"""Matches the options of a choice after what is chosen, and the word that says that a number is exact."""

CHOSEN_SUIT = re.compile(r"(?<= chooses )([^:;]+) [♣♦♥♠]")
"""Matches a choice and the suit that is chosen."""

ENDING = re.compile(r"end: [^;]*(?:; the match is over)?|another deal follows")
"""Matches an answer that says only whether the match ends, and who has won."""

NEXT = 3
"""Maximum number of lines in an answer."""

NO_MORE = "nothing more"
"""The answer of a ruleset under which nothing else happens."""

Lines = tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """`outcomes` maps each ruleset's name to its events; rulesets that cannot play the deal are absent."""

    aspect: str
    start: Lines
    outcomes: Mapping[str, Lines]
    scenario: Scenario | None
    condition: str = ""
    """The condition under which the two rulesets differ; "" if there is none."""
    words: str = ""
    """The question as a sentence."""
    order: Lines = ()
    """What happens next if the answer to `before …, or after?` is before, and if it is after."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """What each ruleset says about the aspect."""
    apart: int = 0
    """Number of events before the two rulesets diverge that the question was found for: it is worded for what comes then."""
    between: bool = False
    """Whether what happens between this deal and the next is among the events."""

    def worded_for(self, candidates: Sequence[str]) -> bool:
        """Whether some rulesets diverge where the question says."""
        return len(self.before(candidates)) == self.apart

    def before(self, candidates: Sequence[str]) -> Lines:
        """The events common to some rulesets, before any two diverge."""
        lines = [self.outcomes[name] for name in candidates]
        number = 0
        while all(len(x) > number for x in lines) and len({x[number] for x in lines}) == 1:
            number += 1
        return lines[0][:number]

    def asked(self, candidates: Sequence[str]) -> slice:
        """The events that make an answer: from where some rulesets diverge, as few as make the same groups as `NEXT`."""
        begin = len(self.before(candidates))
        nexts = [self.outcomes[name][begin : begin + NEXT] for name in candidates]
        several = len({*nexts})
        few = next(n for n in range(1, NEXT + 1) if len({x[:n] for x in nexts}) == several)
        return slice(begin, begin + few)

    def parts(self, candidates: Sequence[str]) -> list[tuple[str, Lines]]:
        """Group the rulesets by the next events; [] if one of them cannot play the deal."""
        if any(name not in self.outcomes for name in candidates):
            return []
        asked = self.asked(candidates)
        groups: dict[str, list[str]] = {}
        for name in candidates:
            groups.setdefault("; ".join(self.outcomes[name][asked]) or NO_MORE, []).append(name)
        return [(answer, tuple(names)) for answer, names in sorted(groups.items())]


@dataclass(frozen=True)
class Tree:
    """A question with the subtree for each answer, or the remaining rulesets."""

    candidates: tuple[str, ...]
    question: Question | None = None
    after: tuple[tuple[str, Tree], ...] = ()
    same: bool = False
    """Whether the remaining rulesets are proved equivalent."""

    @property
    def words(self) -> str:
        """The question; where all that the answers say is whether the match ends, it is about that."""
        assert self.question is not None
        usual, answers = ASPECT_QUESTIONS.get(self.question.aspect), [answer for answer, _ in self.after]
        if usual is not None and all(map(ENDING.fullmatch, answers)):
            about = "winner" if all(answer.startswith("end: ") for answer in answers) else "end"
            return self.question.words.replace(usual, ASPECT_QUESTIONS[about])
        words = self.question.words if self.question.worded_for(self.candidates) else NEXT_QUESTION
        if all(answer.startswith("score: ") for answer in answers):
            scoring = ASPECT_QUESTIONS["scoring"]
            words = words.replace(NEXT_QUESTION, scoring)
            if any(map(ENDING.search, answers)):
                words = words.replace(scoring, f"{scoring[:-1]}, and does the match end?")
        return words

    @property
    def situation(self) -> Lines:
        """What is said before the question, with the last events that all remaining rulesets share."""
        if self.question is None:
            return ()
        condition = (self.question.condition,) if self.question.condition else ()
        return (*condition, *self.question.start, *self.question.before(self.candidates)[-6:])

    @property
    def depth(self) -> int:
        """The number of questions in the worst case."""
        return 0 if self.question is None else 1 + max(tree.depth for _, tree in self.after)


def before_or_after(question: Question, answer: str) -> str:
    """`before` or `after` with a colon if a question asks for it and an answer settles it; otherwise nothing."""
    return next(
        (
            f"{word}: "
            for word, line in zip(("before", "after"), question.order, strict=False)
            if answer.startswith(line)
        ),
        "",
    )


def outcomes(rulesets: Sequence[Ruleset], scenario: Scenario, between: bool = False) -> dict[str, Lines]:
    """The events of a deal, and those `between` it and the next, line by line, under every ruleset that can play it."""
    told = {ruleset.named: told_under(ruleset, scenario, between) for ruleset in rulesets}
    return {name: lines for name, lines in told.items() if lines is not None}


def told_under(ruleset: Ruleset, scenario: Scenario, between: bool, names: Names = NUMBERED) -> Lines | None:
    """The events of a deal under a ruleset, and what comes next; None if it cannot play the deal."""
    own = {**scenario, "ruleset": ruleset.named, "any_order": True}
    answer, verbs = replay_scenario(ruleset, own), verbs_of(ruleset)
    if not answer["ok"] or answer["unused"]:
        return None
    lines = [event_text(event, verbs, names) for event in answer["events"]]
    if (decision := answer["next"]) is not None:
        return (*lines, pending(ruleset, decision, names))
    if answer["state"]["match_over"]:
        return (*lines, "the match is over")
    after = following_hand(replayed(ruleset, own)[-1]) if between else None
    if isinstance(after, HandPlayed):
        lines += [event_text(event_json(ruleset.program, x), verbs, names) for x in after.begin.events]
        if seat(ruleset.program):
            return (*lines, f"{names.player(as_number(after.begin.variable('dealer')))} deals next")
    return (*lines, "another deal follows")


def said_of(aspect: str, rulesets: Sequence[Ruleset]) -> dict[str, str]:
    """What each ruleset says about an aspect, in plain English; nothing about other rules."""
    if aspect not in ASPECT_QUESTIONS:
        return {}
    return {ruleset.named: describe(ruleset, aspect).text for ruleset in rulesets}


def in_words(answers: Sequence[str]) -> list[str]:
    """The answers with counts in place of cards, and choices without options and suits.

    Whatever would make two answers equal is left as it is.
    """
    plain = answers
    for words, shorter in ((CARDS, _how_many), (OPTIONS, _first), (CHOSEN_SUIT, _first)):
        plain = if_distinct([words.sub(shorter, answer) for answer in plain], plain)
    return list(plain)


def if_distinct(shorter: Sequence[str], answers: Sequence[str]) -> list[str]:
    """The shorter wording, unless it makes two answers equal."""
    return list(shorter if len(set(shorter)) == len(shorter) else answers)


def _first(found: re.Match[str]) -> str:
    return found[1] or ""


def _how_many(cards: re.Match[str]) -> str:
    return counted(len(cards[0].split()), "card")
