"""The fewest questions that tell which of some rulesets a group plays: as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trickproof.diff.questions import Tree
from trickproof.english.inflection import counted, listed
from trickproof.english.seats import NUMBERED, names_at_table, with_names
from trickproof.reports.played_hand import beginning
from trickproof.reports.text import PLAIN, Page
from trickproof.support.serialise import Content
from trickproof_dsl.library import Ruleset


def quiz_document(tree: Tree) -> Content:
    """The questions in the worst case, and the tree of them."""
    return {"questions": tree.depth, "tree": _tree(tree)}


def _tree(tree: Tree) -> Content:
    """A question with what follows each answer, or the rulesets that no further question tells apart."""
    if tree.question is None:
        return {"rulesets": tree.candidates}
    return {
        "aspect": tree.question.aspect,
        "situation": tree.situation,
        "scenario": tree.question.scenario,
        "answers": [{"answer": answer, "then": _tree(after)} for answer, after in tree.after],
    }


def quiz_text(tree: Tree, rulesets: Sequence[Ruleset], page: Page = PLAIN) -> str:
    """The questions, indented under the answers that lead to them."""
    by_name = {ruleset.named: ruleset for ruleset in rulesets}
    lines = (line.rstrip() for line in _lines(tree, by_name, page, 0))
    few = f"At most {counted(tree.depth, 'question')}. Players are named by their seats in the deal shown."
    return "\n".join([*page.wrapped(few), "", *lines])


def _lines(tree: Tree, by_name: Mapping[str, Ruleset], page: Page, indent: int) -> Iterator[str]:
    blank, question = " " * indent, tree.question
    if question is None:
        why = "which play the same" if tree.same else "no deal was found that tells them apart"
        several = f" ({why})" if len(tree.candidates) > 1 else ""
        yield from page.wrapped(f"→ {listed(list(tree.candidates))}{several}", blank, indent + 2)
        return
    yield f"{blank}{question.aspect}:"
    ruleset = next((one for name, one in by_name.items() if name in question.outcomes), None)
    names = NUMBERED
    if question.scenario is None or ruleset is None:
        lines = list(tree.situation)
    else:
        names = names_at_table(question.scenario, ruleset.program.players)
        yield from page.wrapped(question.condition, f"{blank}  ") if question.condition else ()
        yield from beginning(page, ruleset, question.scenario, indent + 2)
        lines = [*tree.before, "What happens now?"]
    for line in lines:
        yield from map(page.suits_coloured, page.wrapped(with_names(line, names), f"{blank}  ", indent + 4))
    for answer, after in tree.after:
        yield from map(page.suits_coloured, page.wrapped(with_names(answer, names), f"{blank}- "))
        yield from _lines(after, by_name, page, indent + 4)
