"""`trickproof report [RULESET…] -o DIR`: rulesets, their verdicts and their comparison as pages for a browser."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trickproof.cli.cache_options import no_cache_option
from trickproof.cli.console.output_file import prepare_folders, written_file
from trickproof.cli.console.printing import say
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all
from trickproof.cli.shared_options import deals_option, output_folder_option, processes, workers_option
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.english.inflection import counted
from trickproof.support.atomic_files import write_atomically
from trickproof.support.bundled import bundled_library

if TYPE_CHECKING:
    from trickproof.diff.ruleset_diff import Diff
    from trickproof_dsl.library import Ruleset


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...", shell_complete=complete_rulesets)
@output_folder_option
@deals_option(
    "Number of deals to simulate per ruleset and policy; with a `search` policy, a fortieth of them.", 20_000
)
@click.option(
    "--quiz/--no-quiz",
    default=True,
    show_default=True,
    help="Write the quiz; this compares more pairs of rulesets.",
)
@click.option("--open", "open_", is_flag=True, help="Open the first page in a browser.")
@workers_option
@no_cache_option
def command(
    rulesets: tuple[str, ...], output: Path, hands: int, quiz: bool, open_: bool, workers: int | None
) -> None:
    """Write rulesets as pages for a browser; by default, all documented ones.

    A page for each ruleset shows what its documents say, its rules in words and every verdict, with its deal step by step.
    Several rulesets are compared aspect by aspect, and a quiz identifies which one a group plays. Simulation statistics and
    test vectors are included. The pages need no server and load nothing external, and the same rulesets give the same bytes.
    Files of the same names are replaced; other files in the folder stay.
    """
    from trickproof.check_runner.findings_cache import user_cache
    from trickproof.check_runner.runner import check_all
    from trickproof.diff.decision_tree import worked_out
    from trickproof.diff.kept_pairs import compare_kept
    from trickproof.diff.kept_quiz import kept_tree
    from trickproof.diff.ruleset_diff import some_pairs
    from trickproof.reports.rulesets.table import make_table
    from trickproof.reports.site.differences import differences, shown_pairs
    from trickproof.reports.site.effects import POLICIES, Effects, effects
    from trickproof.reports.site.site import site
    from trickproof.schemas.json_lines import line_schemas, schema_files
    from trickproof.testing.random_play import ENOUGH

    loaded = load_all(bundled_library(), rulesets)
    _distinct([ruleset.id for ruleset in loaded])
    prepare_folders(output, "rulesets", "vectors", "schemas")
    several = processes(workers)
    with progress(len(loaded), "checking") as tell:
        checked = check_all(loaded, workers=several, cache=user_cache(ENOUGH, None), watch=tell)
    table = make_table(loaded)

    def compare(pairs: Sequence[tuple[Ruleset, Ruleset]]) -> Mapping[tuple[str, str], Diff]:
        with progress(len(pairs), "comparing") as tell:
            return some_pairs(pairs, several, tell, compare_kept)

    diffs = compare(shown_pairs(table, loaded))
    asked = quiz and len(loaded) > 1
    tree = (kept_tree(loaded) or worked_out(loaded, compare)) if asked else None
    rows = differences(table, diffs)
    played: list[Effects] = []
    with progress(len(loaded) * len(POLICIES), "simulating") as tell:
        for ruleset in loaded:

            def watch(done: int, policy: str, id: str = ruleset.id) -> None:
                tell(len(played) * len(POLICIES) + done, f"{id}, {policy}")

            played.append(effects(ruleset, hands, several, watch=watch))
    schemas = schema_files(line_schemas())
    with progress(len(loaded), "writing") as tell:
        pages = site(checked.findings, rows, table, played, tree, schemas, tell)
    for name, text in pages.items():
        with written_file(output / name, "-o"):
            write_atomically(output / name, f"{text}\n".encode())
    first = output / "index.html"
    say(f"{counted(len(pages), 'file')} written; begin with {first}")
    if open_:
        webbrowser.open(first.resolve().as_uri())


def _distinct(ids: list[str]) -> None:
    """Two files may have one id, two pages may not."""
    for id in ids:
        if ids.count(id) > 1:
            raise click.UsageError(f"two rulesets are called `{id}`: their pages would be one file")
