"""`trickproof nearest RULESET`: which documented variant it is, or is nearest to."""

from __future__ import annotations

import click

from trickproof.cli.cache_options import cache_warnings, no_cache_option
from trickproof.cli.console.printing import page, print_json, say
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all
from trickproof.cli.shared_options import json_option, processes, workers_option
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.support.bundled import bundled_library


@click.command()
@click.argument("ruleset", shell_complete=complete_rulesets)
@workers_option
@no_cache_option
@json_option
def command(ruleset: str, workers: int | None, as_json_: bool) -> None:
    """Find the closest documented ruleset to a ruleset (by id or path), with the differing aspects."""
    from trickproof.diff.nearest import neighbours
    from trickproof.reports.comparison.nearest import nearest_document, nearest_text

    library = bundled_library()
    mine = load_all(library, [ruleset], as_json_)[0]
    others = [one for one in load_all(library, [], as_json_) if one.path != mine.path]
    with cache_warnings(), progress(len(others), "comparing") as tell:
        ranked = neighbours(mine, others, processes(workers), tell)
    if as_json_:
        print_json(nearest_document(mine, ranked))
    else:
        say(nearest_text(mine, ranked, page()))
