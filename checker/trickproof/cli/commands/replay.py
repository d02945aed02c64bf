"""`trickproof replay [FILE|-]`: JSON Lines in, one answer a line out, in order."""

from __future__ import annotations

import json
import sys
from typing import TextIO

import click

from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit
from trickproof_dsl.scenarios.json_lines import replay_lines


@click.command()
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"), default="-")
@click.option(
    "--json", "as_json_", is_flag=True, help="Accepted for uniformity: answers are always JSON Lines."
)
def command(file: TextIO, as_json_: bool) -> None:
    """Replay scenarios with the reference interpreter.

    FILE holds one JSON scenario a line (`-` or nothing: standard input).  Every scenario is answered by one line, in
    order: events, state and what is asked next, or the error.  Exit code 1 when a scenario was illegal.
    """
    good = True
    for answer in replay_lines(bundled_library(), file):
        good = good and bool(answer["ok"])
        click.echo(json.dumps(answer, sort_keys=True, ensure_ascii=False))
    sys.exit(Exit.GOOD if good else Exit.NEGATIVE)
