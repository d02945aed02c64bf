"""A small set of questions that identifies which ruleset a group plays, as text and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from trickproof.diff.question_words import ASPECT_QUESTIONS, NEXT_QUESTION
from trickproof.diff.questions import Tree, before_or_after, in_words
from trickproof.english.inflection import counted, listed
from trickproof.english.playout import UP_OR_DOWN, by_player, course_of_play, opening
from trickproof.english.seats import NUMBERED, Names, names_at_table, with_names
from trickproof.reports.played_hand import beginning
from trickproof.reports.text import PLAIN, Page, suit_sign
from trickproof.support.serialise import Content
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_scenario

LISTS = re.compile(r"\b(over|scores|payouts) (-?\d+(?: -?\d+)+)")
WINNERS = re.compile(r"(?<=end: )winners (\d+(?: \d+)*|(?=;|$))")
"""Matches the part of an event that lists a number per player, or the winners."""

CHOSEN_SUIT = re.compile(r"( chooses [\w ]+ )([CDHS])\b")
"""Matches the letter of a suit that a player chooses."""

MOST_LINES = 6
"""Maximum number of lines that lead up to a question."""

LONGEST_RULE = 200
"""Maximum number of characters of a rule that is shown as an answer."""

PLAYERS = 3
"""Number of players assumed for a question without a deal."""


def quiz_document(tree: Tree) -> Content:
    """The number of questions in the worst case, and the decision tree."""
    return {"questions": tree.depth, "tree": _tree(tree)}


def _tree(tree: Tree) -> Content:
    """A question with the subtree for each answer, or the rulesets that no further question distinguishes."""
    if tree.question is None:
        return {"rulesets": tree.candidates}
    return {
        "aspect": tree.question.aspect,
        "question": tree.words,
        "situation": tree.situation,
        "scenario": tree.question.scenario,
        "answers": [{"answer": answer, "then": _tree(after)} for answer, after in tree.after],
    }


def quiz_text(tree: Tree, rulesets: Sequence[Ruleset], page: Page = PLAIN, deals: bool = False) -> str:
    """The questions, each indented under the answer that leads to it; `deals` adds the deal of each."""
    by_name = {ruleset.named: ruleset for ruleset in rulesets}
    lines = (line.rstrip() for line in _lines(tree, by_name, page, 0, deals))
    few = f"At most {counted(tree.depth, 'question')}."
    if deals:
        few += " Players are named by their seats in the deal shown."
    return "\n".join([*page.wrapped(few), "", *lines])


def afterwards(page: Page, tree: Tree) -> list[str]:
    """What to do once a quiz has named the rulesets of `tree`: read the rules of the first."""
    return page.command("Next, read the rules:", ["trickproof", "rulesheet", tree.candidates[0]])


def _lines(tree: Tree, by_name: Mapping[str, Ruleset], page: Page, indent: int, deals: bool) -> Iterator[str]:
    blank = " " * indent
    if tree.question is None:
        yield from conclusion(tree, page, indent)
        return
    yield from page.wrapped(_asked(tree), blank, indent + 2)
    if deals:
        yield from deal_lines(tree, by_name, page, indent + 2)
    for answer, (_, after) in zip(_answers(tree, deals), tree.after, strict=True):
        yield from map(page.suits_coloured, page.wrapped(answer, f"{blank}- "))
        yield from _lines(after, by_name, page, indent + 4, deals)


def conclusion(tree: Tree, page: Page, indent: int = 0) -> Iterator[str]:
    """The remaining rulesets."""
    why = "which play the same" if tree.same else "no question was found that tells them apart"
    several = f" ({why})" if len(tree.candidates) > 1 else ""
    yield from page.wrapped(f"→ {listed(list(tree.candidates))}{several}", " " * indent, indent + 2)


def question_lines(tree: Tree, page: Page) -> Iterator[str]:
    """A question with its numbered answers."""
    assert tree.question is not None
    yield from page.wrapped(_asked(tree))
    for number, answer in enumerate(_answers(tree, cards=False), 1):
        yield from page.wrapped(answer, f"  {number}  ")


def _asked(tree: Tree) -> str:
    """The question, with the results of the previous deal that its answers are about."""
    assert tree.question is not None
    scenario = tree.question.scenario or {}
    names = names_at_table(scenario, len(scenario.get("hands", "")) or PLAYERS)
    results = opening({"over": scenario.get("over")}, names)
    if tree.words == NEXT_QUESTION:
        after = in_words([with_names(_by_name(line, names), names) for line in tree.before[-1:]])
        results = "; ".join(filter(None, [f"after {after[0] if after else 'the cards are dealt'}", results]))
    if results:
        return f"{tree.words} ({results[0].upper()}{results[1:]}.)"
    scored = next((line for line in tree.before if line.startswith("score: ")), None)
    if scored is None or tree.words not in (ASPECT_QUESTIONS["end"], ASPECT_QUESTIONS["winner"]):
        return tree.words
    return f"{tree.words} (After a deal with {with_names(_by_name(scored.removeprefix('score: '), names), names)}.)"


def _fitting(asked: str, answer: str) -> str:
    """An answer about scores or the end of the match, worded to fit the question."""
    if asked.endswith(ASPECT_QUESTIONS["end"]):
        return f"yes: {answer.removeprefix('end: ')}" if answer.startswith("end: ") else f"no: {answer}"
    if asked.endswith(ASPECT_QUESTIONS["winner"]):
        return answer.removeprefix("end: won by ")
    return answer.removeprefix("score: ").replace("end: won by ", "the match is won by ")


def deal_lines(tree: Tree, by_name: Mapping[str, Ruleset], page: Page, indent: int = 2) -> Iterator[str]:
    """The deal of a question, and what happens in it up to the first difference."""
    question = tree.question
    assert question is not None
    ruleset = next((one for name, one in by_name.items() if name in tree.candidates), None)
    if question.scenario is None or ruleset is None:
        return
    yield from beginning(page, ruleset, question.scenario, indent)
    names = names_at_table(question.scenario, ruleset.program.players)
    answer = replay_scenario(ruleset, {**question.scenario, "ruleset": ruleset.named, "any_order": True})
    common = answer["events"][: len(question.before(tree.candidates))]
    for line in [*course_of_play(ruleset, {**answer, "events": common}, names)][-MOST_LINES:]:
        yield from map(page.suits_coloured, page.wrapped(line, " " * indent, indent + 2))


def answers_in_words(tree: Tree) -> list[str]:
    """The answers to a tree's question, worded to be read without the deal."""
    return _answers(tree, cards=False)


def answered(tree: Tree, typed: str) -> list[int]:
    """The places of the answers that may be meant: the one with that number, or those that begin so."""
    if typed.isdecimal() and 1 <= int(typed) <= len(tree.after):
        return [int(typed) - 1]
    return [n for n, answer in enumerate(answers_in_words(tree)) if answer.lower().startswith(typed)]


def _answers(tree: Tree, cards: bool) -> list[str]:
    """The answers with players' names; `cards` says whether they may mention the cards of the deal."""
    assert tree.question is not None
    if rules := _rules(tree):
        return rules
    scenario, answers = tree.question.scenario, [answer for answer, _ in tree.after]
    names = (
        NUMBERED if scenario is None else names_at_table(scenario, len(scenario.get("hands", "")) or PLAYERS)
    )
    named = [with_names(_by_name(answer, names), names) for answer in answers]
    shown = named if cards else in_words(named)
    question = tree.question
    return [
        before_or_after(question, x) + _fitting(tree.words, words)
        for x, words in zip(answers, shown, strict=True)
    ]


def _rules(tree: Tree) -> list[str]:
    """The rule behind each answer, where the answers are only what everybody scores, and the rules tell them apart; else []."""
    assert tree.question is not None
    rules = [{tree.question.rules.get(name, "") for name in after.candidates} for _, after in tree.after]
    said = [text for texts in rules for text in texts if 0 < len(text) <= LONGEST_RULE]
    one_each = len(said) == len(set(said)) == len(rules) and all(len(texts) == 1 for texts in rules)
    return said if one_each and all(answer.startswith("score: ") for answer, _ in tree.after) else []


def _numbers(key: str, values: Sequence[int], names: Names) -> str:
    return f"{UP_OR_DOWN if key == 'over' else key} {by_player(values, names, signed=True)}"


def _by_name(answer: str, names: Names) -> str:
    """An answer with every number of a list beside its player, the winners by name, and chosen suits by their signs."""
    told = CHOSEN_SUIT.sub(lambda x: x[1] + suit_sign(x[2]), answer)
    told = LISTS.sub(lambda x: _numbers(x[1], [int(n) for n in x[2].split()], names), told)
    return WINNERS.sub(lambda x: f"won by {names.listed(map(int, x[1].split()))}", told)
