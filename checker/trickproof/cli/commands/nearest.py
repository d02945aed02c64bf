"""`trickproof nearest RULESET`: which documented variant it is, or is nearest to."""

from __future__ import annotations

import os

import click

from trickproof.cli.progress import progress
from trickproof.cli.shared_options import json_option, load_all, print_json
from trickproof.support.bundled import bundled_library


@click.command()
@click.argument("ruleset")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=None, help="Processes to use; default: the cores."
)
@json_option
def command(ruleset: str, workers: int | None, as_json_: bool) -> None:
    """Say which documented ruleset a ruleset (by id or path) plays the same as, or differs from least, and in what."""
    from trickproof.diff.nearest import nearest_json, nearest_text, neighbours

    library = bundled_library()
    mine = load_all(library, [ruleset], as_json_)[0]
    others = [one for one in load_all(library, [], as_json_) if one.path != mine.path]
    with progress(len(others), "comparing") as tell:
        found = neighbours(mine, others, workers or min(os.cpu_count() or 1, 8), tell)
    if as_json_:
        print_json(nearest_json(mine, found))
    else:
        click.echo(nearest_text(mine, found))
