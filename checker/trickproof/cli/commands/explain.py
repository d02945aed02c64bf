"""`trickproof explain CHECK|CODE`: what a check claims, or what an error means."""

from __future__ import annotations

import click

from trickproof.cli.loading import no_such
from trickproof.cli.printing import page, print_json, say
from trickproof.cli.shared_options import json_option
from trickproof.cli.shell_completion import complete_explained


@click.command()
@click.argument("name", metavar="CHECK|CODE", shell_complete=complete_explained)
@json_option
def command(name: str, as_json_: bool) -> None:
    """Explain a check, such as `zero-sum`, or an error code, such as E301, with an example."""
    from trickproof.checks import NAMES, current_name
    from trickproof.reports.explanation import check_explained, error_explained
    from trickproof_dsl.diagnostics.catalogue import CATALOGUE

    check, code = current_name(name.lower()), name.upper()
    if check in NAMES:
        explanation = check_explained(check)
    elif code in CATALOGUE:
        explanation = error_explained(CATALOGUE[code])
    else:
        no_such("check or code", name, (*NAMES, *CATALOGUE), NAMES)
    if as_json_:
        print_json(explanation)
    else:
        say("\n".join(explanation.lines(page())))
