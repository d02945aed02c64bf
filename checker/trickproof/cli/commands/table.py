"""`trickproof table [RULESET…]`: rulesets compared aspect by aspect."""

from __future__ import annotations

import click

from trickproof.cli.console.output_file import file_to_write, format_of, written_option
from trickproof.cli.console.printing import output, say
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all, no_such
from trickproof.cli.shell_completion import complete_aspects, complete_rulesets
from trickproof.english.aspects import ASPECTS
from trickproof.reports.rulesets.table import FORMATS, make_table, render_table
from trickproof.support.bundled import bundled_library
from trickproof.support.terminal import PIPED

SUFFIXES = {
    ".txt": "grid",
    ".md": "github",
    ".html": "html",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
}


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...", shell_complete=complete_rulesets)
@click.option("--format", "format_", type=click.Choice(FORMATS), help="[default: grid]")
@written_option(SUFFIXES)
@click.option(
    "--aspects",
    "--only",
    "aspects",
    metavar="A,B,…",
    shell_complete=complete_aspects,
    help="Only these aspects, separated by commas.",
)
@click.option("--json", "as_json_", is_flag=True, help="The same as --format json.")
def command(
    rulesets: tuple[str, ...],
    format_: str | None,
    written: str | None,
    aspects: str | None,
    as_json_: bool,
) -> None:
    """Compare rulesets aspect by aspect in plain words; by default, all documented ones.

    First come the aspects in which they disagree, as far as quick proofs tell, then those in which they agree, then
    the customs of the table. Rulesets that are proved to behave the same share a cell, with a letter and the citations
    of all. Gaps, assumptions and readings are marked, and so are rulesets that leave open what others state.
    """
    chosen = [a.strip() for a in aspects.split(",")] if aspects else None
    for name in chosen or ():
        if name not in ASPECTS:
            no_such("aspect", name, ASPECTS)
    for name in rulesets:
        if name in ASPECTS:
            raise click.UsageError(f"`{name}` is an aspect, not a ruleset: write `--aspects {name}`")
    if as_json_ and format_ not in (None, "json"):
        raise click.UsageError("give --json or --format, not both")
    form = "json" if as_json_ else format_
    if form is None:
        form = "grid" if written is None else format_of(written, SUFFIXES)
    put = file_to_write("-o", written)
    loaded = load_all(bundled_library(), rulesets, form == "json")
    width = output().width if put is None else PIPED
    with progress(None, "comparing", at_once=False):
        table = make_table(loaded, chosen)
    text = render_table(table, form, width)
    if put is None:
        say(text)
    else:
        put(f"{text}\n")
