"""`trickproof rulesheet RULESET`: the rules as a page a player can read."""

from __future__ import annotations

import click

from trickproof.cli.loading import load_all
from trickproof.cli.printing import say
from trickproof.reports.rulesets.rulesheet import FORMATS, rulesheet
from trickproof.support.bundled import bundled_library


@click.command()
@click.argument("ruleset")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="md", show_default=True)
def command(ruleset: str, format_: str) -> None:
    """Print a ruleset as a page a player can read, generated from its rules."""
    (loaded,) = load_all(bundled_library(), [ruleset])
    say(rulesheet(loaded, format_))
