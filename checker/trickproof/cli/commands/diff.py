"""`trickproof diff A B …`: what two rulesets do differently, or which of several do the same."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from trickproof.cli.cache_options import cache_warnings, no_cache_option
from trickproof.cli.console.printing import page, print_json, say
from trickproof.cli.console.progress import progress
from trickproof.cli.console.saved_witnesses import save_witness_option, saved_witnesses
from trickproof.cli.loading import load_all, told_apart
from trickproof.cli.shared_options import json_option, processes, scheduler_option, workers_option
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit

if TYPE_CHECKING:
    from trickproof.diff.ruleset_diff import Diff


@click.command()
@click.argument("rulesets", nargs=-1, required=True, metavar="A B [C]...", shell_complete=complete_rulesets)
@click.option("--text", is_flag=True, help="Also show how the rule texts differ.")
@save_witness_option
@workers_option
@scheduler_option
@no_cache_option
@json_option
def command(
    rulesets: tuple[str, ...],
    text: bool,
    save_witness: str | None,
    workers: int | None,
    scheduler: str | None,
    as_json_: bool,
) -> None:
    """Compare what rulesets do, named by id or by path: aspect by aspect, whatever the wording.

    *same* is proved for all deals, choices and states; *different* comes with a deal that shows it, played under both.
    More than two rulesets are grouped into classes that behave the same.

    Exit code 0 if everything is the same, 1 if something differs or cannot be compared, 3 if something is undecided
    and nothing differs.
    """
    from trickproof.diff.kept_pairs import compare_kept
    from trickproof.diff.ruleset_diff import all_pairs, compare, grouped
    from trickproof.reports.comparison.diff import (
        diff_document,
        diff_text,
        groups_document,
        groups_text,
        witness_lines,
    )

    if len(rulesets) < 2:
        raise click.UsageError("two rulesets are needed, as in `trickproof diff A B`")
    loaded = [one for name in rulesets for one in load_all(bundled_library(), [name], as_json_)]
    pair = "-".join(one.id for one in loaded[:2])
    loaded = told_apart(loaded)
    several = processes(workers, scheduler)
    if len(loaded) == 2:
        with cache_warnings(), progress(None, "comparing") as tell:
            diff = compare_kept(loaded[0], loaded[1], workers=several, watch=tell)
        named = {f"{pair}-{aspect}": (aspect, line) for aspect, line in witness_lines(diff)}
        saved = {} if save_witness is None else saved_witnesses(save_witness, named)
        if as_json_:
            print_json(diff_document(diff, text))
        else:
            say(diff_text(diff, text, page(), saved))
        sys.exit(exit_code([diff]))
    with cache_warnings(), progress(len(loaded) * (len(loaded) - 1) // 2, "comparing") as tell:
        compared = compare if scheduler else compare_kept  # a cluster has folders of its own
        diffs = all_pairs(loaded, several, tell, compared)
    groups = grouped(loaded, diffs)
    if as_json_:
        print_json(groups_document(groups, loaded))
    else:
        say(groups_text(groups, loaded, page()))
    sys.exit(exit_code(list(diffs.values())))


def exit_code(diffs: list[Diff]) -> int:
    """1 for a difference, 3 where something is undecided and nothing differs, else 0."""
    statuses = {one.status for diff in diffs for one in diff.every}
    if statuses & {"different", "incomparable"}:
        return Exit.NEGATIVE
    return Exit.UNDECIDED if "undecided" in statuses else Exit.GOOD
