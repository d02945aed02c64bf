"""Differences worded as questions: `Does the dealer discard before taking the kitty, or after?`"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from trickproof.analysis.usage import program_usage
from trickproof.diff.results import Way
from trickproof.diff.ruleset_diff import Diff
from trickproof.diff.witnesses.parting import Parting
from trickproof.english.differences import NOTHING
from trickproof.english.vocabulary import STEPS, plain

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
    "may-lead": "Which cards may a player lead?",
    "follow": "Which cards may a player play to the trick?",
    "trick-winner": "Who wins the trick?",
    "scoring": "What does each player score?",
    "payout": "How much is paid, and to whom?",
    "end": "Does the match end?",
    "winner": "Who wins the match?",
    "next-dealer": "Who deals next?",
}
"""The default question for an aspect."""


def question_words(diff: Diff, aspect: str, way: Way, parting: Parting) -> str:
    """The question for a difference, prefixed with its condition."""
    steps = re.fullmatch(r"what (?:may come|comes) next \((.+) against (.+)\)", way.how)
    asked = _of_steps(diff, steps[1], steps[2], parting) if steps else None
    asked = asked or ASPECT_QUESTIONS.get(aspect, NEXT_QUESTION)
    if way.when is None or way.when.startswith("in ") or "{" in way.when:
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
