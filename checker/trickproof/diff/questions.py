"""Questions to ask at a table: the wording, the deal, the outcome under each ruleset; and their tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trickproof.analysis.usage import program_usage
from trickproof.diff.results import Way
from trickproof.diff.ruleset_diff import Diff
from trickproof.diff.witnesses.parting import Parting
from trickproof.english.aspects import describe
from trickproof.english.differences import NOTHING
from trickproof.english.inflection import counted
from trickproof.english.playout import event_text, pending, verbs_of
from trickproof.english.seats import NUMBERED, Names
from trickproof.english.vocabulary import STEPS, plain
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_scenario

Scenario = dict[str, Any]

NEXT_QUESTION = "What happens next?"
"""The question where a difference belongs to no aspect, or where some rulesets diverge earlier or later than the two it was found for."""

OR_AFTER = ", or after?"
"""The end of a question about the order of two steps."""

ASPECT_QUESTIONS = {
    "deal": "How many cards does each player receive, and how many go to the kitty?",
    "targets": "How many tricks must each player take?",
    "exchange-amounts": "How many cards does each player give, and to whom?",
    "exchange-order": "Who gives cards first?",
    "exchange-returns": "Which cards are returned?",
    "exchange-timing": "What comes first: the exchange, choosing trumps, or the kitty?",
    "trump": "How is the trump suit chosen?",
    "kitty": "What does the dealer do with the kitty?",
    "reveal": "Which kitty cards does the dealer show, and to whom?",
    "lead": "Who leads to the first trick?",
    "follow": "Which cards may a player play to the trick?",
    "trick-winner": "Who wins the trick?",
    "scoring": "What does each player score?",
    "payout": "How much is paid, and to whom?",
    "end": "Does the match end?",
    "winner": "Who wins the match?",
    "next-dealer": "Who deals next?",
}
"""The default question for an aspect."""

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


def outcomes(rulesets: Sequence[Ruleset], scenario: Scenario) -> dict[str, Lines]:
    """The events of a deal, line by line, under every ruleset that can play it."""
    lines_by_ruleset: dict[str, Lines] = {}
    for ruleset in rulesets:
        answer = replay_scenario(ruleset, {**scenario, "ruleset": ruleset.named, "any_order": True})
        if answer["ok"] and not answer["unused"]:
            lines_by_ruleset[ruleset.named] = tuple(course(ruleset, answer))
    return lines_by_ruleset


def course(ruleset: Ruleset, answer: Mapping[str, Any], names: Names = NUMBERED) -> Iterator[str]:
    """The events of an answer of `replay_scenario`, and what comes next."""
    verbs = verbs_of(ruleset)
    for event in answer["events"]:
        yield event_text(event, verbs, names)
    decision = answer["next"]
    if decision is None:
        yield "the match is over" if answer["state"]["match_over"] else "another deal follows"
    else:
        yield pending(ruleset, decision, names)


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


def question_words(diff: Diff, aspect: str, way: Way, parting: Parting) -> str:
    """The question for a difference, prefixed with its condition."""
    steps = re.fullmatch(r"what (?:may come|comes) next \((.+) against (.+)\)", way.how)
    asked = _of_steps(diff, steps[1], steps[2], parting) if steps else None
    asked = asked or ASPECT_QUESTIONS.get(aspect, NEXT_QUESTION)
    if way.when is None or way.when.startswith("in ") or " of the two" in way.when:
        return asked
    return f"Suppose that {way.when.replace(', or when ', ', or that ')}. {asked}"


def _of_steps(diff: Diff, mine: str, theirs: str, parting: Parting) -> str | None:
    """Ask whether one step comes before another, or happens at all."""
    labels = [{plain(x) for x in program_usage(one.program).labels} for one in (diff.a, diff.b)]
    who = _actor(parting)
    known = [step for step in (mine, theirs) if step in STEPS]
    if len(known) == 2 and all(step in names for step in known for names in labels):
        return f"{_does(who)} {STEPS[mine][0]} before {STEPS[theirs][1]}{OR_AFTER}"
    if len(known) == 2:
        return f"What {_does(who).lower()} do next: {STEPS[mine][0]}, or {STEPS[theirs][0]}?"
    if len(known) == 1 and NOTHING in (mine, theirs):
        return f"{_does(who)} {STEPS[known[0]][0]}?"
    return None


def _does(who: str) -> str:
    return f"{'Do' if who == 'the players' else 'Does'} {who}"


def _actor(parting: Parting) -> str:
    """Who acts at the point of divergence, if that is a single known player."""
    answered, dealer = parting.answers, parting.answers.scenario.get("dealer", 0)
    number = answered.event if answered.event is not None else len(answered.a["events"])
    players = {player for side in (answered.a, answered.b) if (player := _acts(side, number)) is not None}
    return "the dealer" if players == {dealer} else "the players"


def _acts(answer: Mapping[str, Any], number: int) -> int | None:
    """The player of an event, or of the pending decision after the last event."""
    events = answer["events"]
    step = events[number] if number < len(events) else answer["next"]
    return None if step is None else step.get("player")
