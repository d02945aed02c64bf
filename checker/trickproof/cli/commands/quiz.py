"""`trickproof quiz A B …`: the fewest questions that tell which of some variants a group plays."""

from __future__ import annotations

import os

import click

from trickproof.cli.progress import progress
from trickproof.cli.shared_options import json_option, load_all, print_json
from trickproof.support.bundled import bundled_library


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=None, help="Processes to use; default: the cores."
)
@json_option
def command(rulesets: tuple[str, ...], workers: int | None, as_json_: bool) -> None:
    """Ask the fewest questions at the table that tell which of the rulesets a group plays; without names all documented ones."""
    from trickproof.diff.decision_tree import quiz, quiz_json, quiz_text
    from trickproof.diff.ruleset_diff import all_pairs

    if len(rulesets) == 1:
        raise click.UsageError("two rulesets are needed, as in `trickproof quiz A B`")
    loaded = load_all(bundled_library(), rulesets, as_json_)
    with progress(len(loaded) * (len(loaded) - 1) // 2, "comparing") as tell:
        diffs = all_pairs(loaded, workers or min(os.cpu_count() or 1, 8), tell)
    tree = quiz(loaded, diffs)
    if as_json_:
        print_json({"questions": tree.depth, "tree": quiz_json(tree)})
    else:
        click.echo(quiz_text(tree))
