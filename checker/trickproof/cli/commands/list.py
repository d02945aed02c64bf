"""`trickproof list`: the rulesets and documents."""

from __future__ import annotations

import click

from trickproof.cli.console.printing import page, print_json, refuse, say
from trickproof.cli.console.progress import progress
from trickproof.cli.shared_options import json_option
from trickproof.reports.rulesets.listing import listing_text, make_listing
from trickproof.support.bundled import bundled_folders


@click.command()
@json_option
def command(as_json_: bool) -> None:
    """List the rulesets and the registered documents."""
    with progress(None, "reading the rulesets", at_once=False):
        listing = make_listing(bundled_folders())
    if listing.wrong:
        refuse(list(listing.wrong), as_json_)
    if as_json_:
        print_json(listing)
    else:
        say(listing_text(listing, page()))
