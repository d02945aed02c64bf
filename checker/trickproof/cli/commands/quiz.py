"""`trickproof quiz A B …`: the fewest questions that tell which of some variants a group plays."""

from __future__ import annotations

import click

from trickproof.cli.loading import load_all
from trickproof.cli.printing import page, print_json, say
from trickproof.cli.progress import progress
from trickproof.cli.shared_options import json_option, processes, workers_option
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.support.bundled import bundled_library


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...", shell_complete=complete_rulesets)
@workers_option
@json_option
def command(rulesets: tuple[str, ...], workers: int | None, as_json_: bool) -> None:
    """Find the smallest set of questions that identifies which of the rulesets a group plays; without names
    all documented ones."""
    from trickproof.diff.decision_tree import quiz
    from trickproof.diff.ruleset_diff import all_pairs
    from trickproof.reports.quiz import quiz_document, quiz_text

    if len(rulesets) == 1:
        raise click.UsageError("two rulesets are needed, as in `trickproof quiz A B`")
    loaded = load_all(bundled_library(), rulesets, as_json_)
    with progress(len(loaded) * (len(loaded) - 1) // 2, "comparing") as tell:
        diffs = all_pairs(loaded, processes(workers), tell)
    tree = quiz(loaded, diffs)
    if as_json_:
        print_json(quiz_document(tree), solver=True)
    else:
        say(quiz_text(tree, loaded, page()))
