"""`trickproof rulesheet RULESET`: the rules as a page a player can read."""

from __future__ import annotations

import click

from trickproof.cli.loading import load_all
from trickproof.cli.printing import output, page, say
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.reports.markdown import rendered
from trickproof.reports.rulesets.rulesheet import FORMATS, rulesheet
from trickproof.support.bundled import bundled_library


@click.command()
@click.argument("ruleset", shell_complete=complete_rulesets)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", *FORMATS]),
    help="Default: text on a terminal, else md (Markdown).",
)
def command(ruleset: str, format_: str | None) -> None:
    """Print the rules as a page for players, generated from the ruleset."""
    (loaded,) = load_all(bundled_library(), [ruleset])
    chosen = format_ or ("text" if output().interactive else "md")
    say(rendered(rulesheet(loaded, "md"), page()) if chosen == "text" else rulesheet(loaded, chosen))
