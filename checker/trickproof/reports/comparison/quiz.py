"""A small set of questions that identifies which ruleset a group plays, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trickproof.diff.question_words import ASPECT_QUESTIONS, NEXT_QUESTION
from trickproof.diff.questions import (
    ENDING,
    NO_MORE,
    Tree,
    before_or_after,
    if_distinct,
    in_words,
    told_under,
)
from trickproof.diff.rule_dependencies import Texts
from trickproof.english.inflection import counted, listed
from trickproof.english.playout import by_player, course_of_play, event_text, opening
from trickproof.english.seats import Names, names_at_table
from trickproof.reports.played_hand import beginning, first_trick, with_trump
from trickproof.reports.text import PLAIN, Page
from trickproof.support.serialise import Content
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_scenario

MOST_LINES = 6
"""Maximum number of lines before play, and of tricks, that lead up to a question."""

LONGEST_RULE = 400
"""Maximum number of characters of a rule that is shown as an answer."""

OF_ONE_DEAL = ("exchange-order", "exchange-timing", "lead", "end", "winner", "next-dealer")
"""Aspects whose questions are about what happens in the deal; other questions are answered by a rule, if it is short."""

OTHERS = ("none of these", "I don't know")
"""Answers that fit every question."""

HELP = (
    "Enter the number or letter of an answer, or its first words. “None of these” leaves out the games that the question "
    "is about; “I don't know” asks about each of them. `d` shows the deal of the question; `q` leaves."
)


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


def result(left: Sequence[Tree], page: Page) -> Iterator[str]:
    """The rulesets that fit the answers of a table, and what to do then."""
    names = [name for tree in left for name in tree.candidates]
    told = "none of these rulesets fits your answers"
    if names:
        fit = (
            f"{_why(left[0])} fit{'' if names[1:] else 's'} your answers"
            if len(left) == 1
            else " remain possible"
        )
        told = f"{listed(names)}{fit}; your game may still differ elsewhere"
    yield from page.wrapped(f"→ {told}.", "", 2)
    if len(left) == 1:
        yield from page.command("Next, read the rules:", ["trickproof", "rulesheet", names[0]])
    begin = "If your game differs, write" if names else "`trickproof new FILE` begins a file; write"
    yield from page.command(f"{begin} its rules to FILE; then:", ["trickproof", "nearest", "FILE"])


def _lines(tree: Tree, by_name: Mapping[str, Ruleset], page: Page, indent: int, deals: bool) -> Iterator[str]:
    blank = " " * indent
    if tree.question is None:
        yield from page.wrapped(f"→ {listed(list(tree.candidates))}{_why(tree)}", blank, indent + 2)
        return
    yield from page.wrapped(_asked(tree, by_name), blank, indent + 2)
    if deals:
        yield from deal_lines(tree, by_name, page, indent + 2)
    for answer, (_, after) in zip(answers_in_words(tree, by_name, deals), tree.after, strict=True):
        yield from map(page.suits_coloured, page.wrapped(answer, f"{blank}- "))
        yield from _lines(after, by_name, page, indent + 4, deals)


def _why(tree: Tree) -> str:
    """Why several rulesets remain."""
    why = "which play the same" if tree.same else "no question was found that tells them apart"
    return f" ({why})" if len(tree.candidates) > 1 else ""


def question_lines(tree: Tree, by_name: Mapping[str, Ruleset], page: Page) -> Iterator[str]:
    """A question with its answers and what to type for each."""
    yield from page.wrapped(_asked(tree, by_name))
    answers = answers_in_words(tree, by_name)
    for label, answer in zip(labels(answers), (*answers, *OTHERS), strict=True):
        yield from page.wrapped(answer, f"  {label}  ")


def labels(answers: Sequence[str]) -> Sequence[str]:
    """What to type for each answer and for `OTHERS`: numbers, but letters where an answer begins with a number of its own."""
    several = len(answers) + len(OTHERS)
    if any(answer[:1].isdecimal() for answer in answers):
        return "abcefghijklmnoprstuvwxyz"[:several]  # `d` shows the deal, and `q` leaves
    return [str(number) for number in range(1, several + 1)]


def _asked(tree: Tree, by_name: Mapping[str, Ruleset]) -> str:
    """The question, with what its answers depend on."""
    stated = "" if _rules(tree) else "; ".join(_stated(tree, by_name))
    return f"{tree.words} ({stated[0].upper()}{stated[1:]}.)" if stated else tree.words


def _stated(tree: Tree, by_name: Mapping[str, Ruleset]) -> Iterator[str]:
    """What happened before the question, as far as its answers depend on it."""
    assert tree.question is not None
    scenario, number = tree.question.scenario, len(tree.question.before(tree.candidates))
    if scenario is None:
        return
    ruleset, answer, names = _played(tree, by_name, tree.candidates[0])
    common, later = answer["events"][:number], answer["events"][number:]
    taken = _tricks(common, ruleset)
    if any(taken) and answer["next"] is None and not any(event["event"] == "play" for event in later):
        yield f"tricks in the deal: {by_player(taken, names)}"
        about_end = all(ENDING.fullmatch(x) for x, _ in tree.after)
        rules = ("end", "winner") if about_end else (tree.question.aspect,)
        every = [Texts(by_name[name]) for name in tree.candidates]
        read = {word for x in every for rule in rules for one in x.reaches(rule) for word in x.named(one)}
        for event in common:
            if event["event"] == "score":
                known = {key: x for key, x in event.items() if key.removesuffix("s") in read}
                if any(map(any, known.values())):
                    yield event_text({"event": "score", **known}, {}, names)
        return
    last = ["", *course_of_play(ruleset, {"events": common}, names)][-1]
    if last.startswith("trick "):
        yield last
    elif tree.words == NEXT_QUESTION:
        yield f"after {in_words([last])[0] or 'the cards are dealt'}"
    if results := opening({"over": scenario.get("over")}, names):
        yield results


def _tricks(events: Sequence[Mapping[str, Any]], ruleset: Ruleset) -> list[int]:
    won = [event["winner"] for event in events if event["event"] == "trick"]
    return [won.count(player) for player in range(ruleset.program.players)]


def _played(
    tree: Tree, by_name: Mapping[str, Ruleset], name: str
) -> tuple[Ruleset, Mapping[str, Any], Names]:
    """The deal of a question under a ruleset."""
    assert tree.question is not None
    scenario, ruleset = tree.question.scenario or {}, by_name[name]
    answer = replay_scenario(ruleset, {**scenario, "ruleset": ruleset.named, "any_order": True})
    return ruleset, answer, names_at_table(scenario, ruleset.program.players)


def _fitting(asked: str, answer: str) -> str:
    """An answer about the end of the match, worded to fit the question."""
    if asked.endswith(ASPECT_QUESTIONS["end"]):
        return f"yes: {answer.removeprefix('end: ')}" if answer.startswith("end: ") else f"no: {answer}"
    if asked.endswith(ASPECT_QUESTIONS["winner"]):
        return answer.removeprefix("end: won by ")
    return answer.replace("end: won by ", "the match is won by ")


def deal_lines(tree: Tree, by_name: Mapping[str, Ruleset], page: Page, indent: int = 2) -> Iterator[str]:
    """The deal of a question, and what happens in it up to the first difference."""
    assert tree.question is not None
    if tree.question.scenario is None:
        return
    ruleset, answer, names = _played(tree, by_name, tree.candidates[0])
    yield from beginning(page, ruleset, tree.question.scenario, indent)
    common = answer["events"][: len(tree.question.before(tree.candidates))]
    lines = with_trump([*course_of_play(ruleset, {"events": common}, names)], answer)
    play = first_trick(lines)
    before, tricks = lines[:play], lines[play:]
    for some in (before, tricks):
        if len(some) > MOST_LINES:
            yield f"{' ' * indent}…"
        for line in some[-MOST_LINES:]:
            yield from map(page.suits_coloured, page.wrapped(line, " " * indent, indent + 2))
    if any(taken := _tricks(common, ruleset)):
        yield from page.wrapped(f"tricks: {by_player(taken, names)}", " " * indent, indent + 2)


def answered(tree: Tree, by_name: Mapping[str, Ruleset], typed: str) -> list[int]:
    """The places of the answers that may be meant, `OTHERS` last: the one with that label, or those that begin so."""
    answers = answers_in_words(tree, by_name)
    if typed in (known := [*labels(answers)]):
        return [known.index(typed)]
    begin = [n for n, answer in enumerate((*answers, *OTHERS)) if answer.lower().startswith(typed)]
    return [n for n in begin if n < len(answers)] or begin


def answers_in_words(tree: Tree, by_name: Mapping[str, Ruleset], cards: bool = False) -> list[str]:
    """The answers to a tree's question, with players' names; `cards` says whether they may mention the cards of the deal."""
    question, answers = tree.question, [answer for answer, _ in tree.after]
    assert question is not None
    if question.scenario is None:
        return answers
    if rules := _rules(tree):
        return rules
    asked = question.asked(tree.candidates)
    told: list[list[str | dict[str, str]]] = []
    for _, after in tree.after:
        name = after.candidates[0]
        names = names_at_table(question.scenario, by_name[name].program.players)
        lines = told_under(by_name[name], question.scenario, question.between, names) or ()
        both = zip(question.outcomes[name][asked], lines[asked], strict=True)
        told.append([_scores(line) if raw.startswith("score: ") else line for raw, line in both])
    shown = _with_scores_that_differ(told)
    shown = if_distinct(shown if cards else in_words(shown), answers)
    return [
        before_or_after(question, x) + _fitting(tree.words, words)
        for x, words in zip(answers, shown, strict=True)
    ]


def _scores(line: str) -> dict[str, str]:
    """The numbers of a line such as `up or down: …; payouts: …` by their names."""
    return {part.split(":")[0]: part for part in line.split("; ") if not part.endswith(": ")}


def _with_scores_that_differ(told: Sequence[Sequence[str | dict[str, str]]]) -> list[str]:
    """The events of each answer; of everybody's numbers, those that differ between the answers."""
    scores = [next((x for x in some if isinstance(x, dict)), None) for some in told]
    names = dict.fromkeys(name for some in scores if some for name in some)
    differ = [x for x in names if len({None if some is None else some.get(x, "") for some in scores}) > 1]
    return [
        "; ".join(
            text
            for x in some
            for text in ([x] if isinstance(x, str) else [x.get(name, f"{name}: none") for name in differ])
        )
        or NO_MORE
        for some in told
    ]


def _rules(tree: Tree) -> list[str]:
    """The rule behind each answer, where the question is about a rule, and the rules tell the answers apart; else []."""
    assert tree.question is not None
    aspect = tree.question.aspect
    if aspect in OF_ONE_DEAL or not tree.words.endswith(ASPECT_QUESTIONS.get(aspect, "-")):
        return []
    rules = [{tree.question.rules.get(name, "") for name in after.candidates} for _, after in tree.after]
    said = [text for texts in rules for text in texts if 1 < len(text) <= LONGEST_RULE]
    return said if len(said) == len({*said}) == len(rules) and all(len(x) == 1 for x in rules) else []
