"""`trickproof rulesheet RULESET`: the rules as a page a player can read."""

from __future__ import annotations

import click

from trickproof.cli.console.output_file import file_to_write, format_of, written_option
from trickproof.cli.console.printing import output, page, say
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.reports.markdown import rendered
from trickproof.reports.rulesets.rulesheet import FORMATS, rulesheet
from trickproof.reports.text import PLAIN
from trickproof.support.bundled import bundled_library

SUFFIXES = {".md": "md", ".html": "html", ".txt": "text"}


@click.command()
@click.argument("ruleset", shell_complete=complete_rulesets)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", *FORMATS]),
    help="Default: text on a terminal, else md (Markdown).",
)
@written_option(SUFFIXES)
def command(ruleset: str, format_: str | None, written: str | None) -> None:
    """Print the rules as a page for players, generated from the ruleset."""
    chosen = format_ or ("text" if output().interactive else "md")
    if written is not None and format_ is None:
        chosen = format_of(written, SUFFIXES)
    put = file_to_write("-o", written)
    (loaded,) = load_all(bundled_library(), [ruleset])
    shown = page() if put is None else PLAIN
    with progress(None, "putting the rules into words", at_once=False):
        text = rendered(rulesheet(loaded, "md"), shown) if chosen == "text" else rulesheet(loaded, chosen)
    if put is None:
        say(text)
    else:
        put(f"{text}\n")
