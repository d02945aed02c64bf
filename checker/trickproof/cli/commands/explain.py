"""`trickproof explain [CHECK|WORD|CODE]`: what a check claims, or what a word or an error means."""

from __future__ import annotations

import click

from trickproof.cli.loading import no_such
from trickproof.cli.printing import page, print_json, say
from trickproof.cli.shared_options import json_option
from trickproof.cli.shell_completion import complete_explained


@click.command()
@click.argument("name", metavar="[CHECK|WORD|CODE]", required=False, shell_complete=complete_explained)
@json_option
def command(name: str | None, as_json_: bool) -> None:
    """Explain a check, such as `zero-sum`, a word of results, such as `refuted`, or an error code, such as E301.

    Without a name, list what can be explained.
    """
    from trickproof.checks import NAMES, current_name
    from trickproof.reports.explanation import (
        check_explained,
        error_explained,
        everything_explained,
        word_explained,
    )
    from trickproof.reports.result_words import WORDS
    from trickproof_dsl.diagnostics.catalogue import CATALOGUE

    if name is None:
        if as_json_:
            raise click.UsageError("--json needs the name of a check, a word or a code")
        say("\n".join(everything_explained(page())))
        return
    check, code = current_name(name.lower()), name.upper()
    if check in NAMES:
        explanation = check_explained(check)
    elif name.lower() in WORDS:
        explanation = word_explained(name.lower())
    elif code in CATALOGUE:
        explanation = error_explained(CATALOGUE[code])
    else:
        no_such("check, word or code", name, (*NAMES, *WORDS, *CATALOGUE), "trickproof explain")
    if as_json_:
        print_json(explanation)
    else:
        say("\n".join(explanation.lines(page())))
