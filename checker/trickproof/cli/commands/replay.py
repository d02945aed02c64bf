"""`trickproof replay [FILE|-]`: JSON Lines in, one answer a line out, in order."""

from __future__ import annotations

import sys

import click

from trickproof.cli.input_file import InputFile, InputFileType
from trickproof.cli.printing import print_json_line
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit
from trickproof_dsl.scenarios.json_lines import MAX_LINE, replay_lines


@click.command()
@click.argument("file", type=InputFileType(), default="-")
@click.option(
    "--ids-only",
    is_flag=True,
    help="Accept ids of rulesets only, never paths (for public services).",
)
@click.option("--json", "as_json_", is_flag=True, help="No effect; output is always JSON Lines.")
def command(file: InputFile, ids_only: bool, as_json_: bool) -> None:
    """Replay scenarios with the reference interpreter.

    FILE holds one JSON scenario per line (`-` or no FILE: standard input). Every scenario is answered by one line, in
    order: events, state and next decision, or the error. Exit code 1 if a scenario was illegal.
    """
    good = True
    for answer in replay_lines(bundled_library(), file.lines(4 * MAX_LINE), ids_only):
        good = good and bool(answer["ok"])
        print_json_line(answer)
    sys.exit(Exit.GOOD if good else Exit.NEGATIVE)
