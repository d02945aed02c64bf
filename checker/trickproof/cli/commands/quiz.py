"""`trickproof quiz A B …`: a few questions that tell which of some variants a group plays."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from trickproof.cli.cache_options import cache_warnings, no_cache_option
from trickproof.cli.console.printing import page, print_json, say
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all
from trickproof.cli.shared_options import json_option, processes, workers_option
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.support.bundled import bundled_library

if TYPE_CHECKING:
    from trickproof.diff.questions import Tree
    from trickproof.diff.ruleset_diff import Diff
    from trickproof_dsl.library import Ruleset

LONGEST_TYPED = 100
"""Characters of an answer that are read."""


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...", shell_complete=complete_rulesets)
@click.option("--deals", is_flag=True, help="Show the deal of every question.")
@click.option(
    "--all", "whole", is_flag=True, help="Print all questions instead of asking them on a terminal."
)
@workers_option
@no_cache_option
@json_option
def command(rulesets: tuple[str, ...], deals: bool, whole: bool, workers: int | None, as_json_: bool) -> None:
    """Find a small set of questions that identifies which of the rulesets a group plays; by default, of all
    documented ones.

    On a terminal the questions are asked one after another; `d` shows the deal of a question, `q` leaves.
    Answer with its number or letter, or with its first words.
    """
    from trickproof.reports.comparison.quiz import quiz_document, quiz_text

    if len(rulesets) == 1:
        raise click.UsageError("two rulesets are needed, as in `trickproof quiz A B`")
    loaded = load_all(bundled_library(), rulesets, as_json_)
    with cache_warnings():
        tree = _tree(loaded, workers)
    if as_json_:
        print_json(quiz_document(tree))
    elif sys.stdin.isatty() and sys.stdout.isatty() and not (whole or deals):
        _asked(tree, {ruleset.named: ruleset for ruleset in loaded})
    else:
        again = ["trickproof", "quiz", *rulesets, "--deals"]
        ending = (
            [] if deals or not tree.depth else page().command("Next, see a deal for each question:", again)
        )
        say("\n".join([quiz_text(tree, loaded, page(), deals), *ending]))


def _tree(loaded: Sequence[Ruleset], workers: int | None) -> Tree:
    """The questions, from the cache if an earlier run computed them."""
    from trickproof.diff.kept_quiz import kept_tree

    tree = kept_tree(loaded)
    if tree is None:
        from trickproof.diff.decision_tree import worked_out
        from trickproof.diff.kept_pairs import compare_kept
        from trickproof.diff.ruleset_diff import some_pairs

        def compare(pairs: Sequence[tuple[Ruleset, Ruleset]]) -> Mapping[tuple[str, str], Diff]:
            with progress(len(pairs), "comparing") as tell:
                return some_pairs(pairs, processes(workers), tell, compare_kept)

        tree = worked_out(loaded, compare)
    return tree


def _asked(tree: Tree, by_name: Mapping[str, Ruleset]) -> None:
    """The questions one after another, as they are answered on the terminal."""
    from trickproof.reports.comparison.quiz import (
        HELP,
        answered,
        answers_in_words,
        deal_lines,
        labels,
        question_lines,
        result,
    )

    waiting, left = [tree], []
    while waiting:
        tree = waiting.pop(0)
        if tree.question is None:
            left.append(tree)
            continue
        each = labels(answers_in_words(tree, by_name))
        several = f"{each[0]}–{each[-1]}"
        say("\n".join(question_lines(tree, by_name, page())))
        shows = "`d` shows the deal, " if tree.question.scenario is not None else ""
        say(f"Answer {several}, or in words ({shows}`q` leaves):")
        line = sys.stdin.readline(LONGEST_TYPED)
        typed = line.strip().lower()
        if not line or typed in ("q", "quit"):
            return
        chosen = answered(tree, by_name, typed) if typed else []
        after = [then for _, then in tree.after]
        if typed in ("help", "?"):
            say("\n".join(page().wrapped(HELP)))
        elif not typed:
            say(f"enter one of {several}, or `help`")
        elif typed == "d":
            say("\n".join(deal_lines(tree, by_name, page())) or "this question has no deal")
        elif len(chosen) == 1:
            waiting[:0] = after[chosen[0] :][:1] if chosen[0] != len(after) + 1 else after
            continue
        else:
            why = "begins several" if chosen else "is not one"
            say(f"`{typed}` {why} of the answers ({several})")
        waiting.insert(0, tree)
    say("\n".join(result(left, page())))
