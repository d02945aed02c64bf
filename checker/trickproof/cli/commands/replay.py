"""`trickproof replay [FILE|-]…`: JSON Lines in, one answer a line out, in order; on a terminal, deals in words."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import chain

import click

from trickproof.cli.console.input_file import InputFile, InputFileType
from trickproof.cli.console.printing import output, page, print_json_line, say
from trickproof.cli.console.progress import progress
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit
from trickproof_dsl.library import Library
from trickproof_dsl.scenarios.json_lines import MAX_LINE, replay_lines


@click.command()
@click.argument("files", nargs=-1, type=InputFileType(), default=["-"], metavar="[FILE]...")
@click.option(
    "--ids-only",
    is_flag=True,
    help="Accept ids of rulesets only, never paths (for public services).",
)
@click.option("--json", "as_json_", is_flag=True, help="Print JSON Lines, also on a terminal.")
def command(files: tuple[InputFile, ...], ids_only: bool, as_json_: bool) -> None:
    """Replay scenarios with the reference interpreter.

    Every FILE holds one JSON scenario per line (`-` or no FILE: standard input). On a terminal, every deal is shown in words
    with its outcome. With --json, and if the output is not a terminal, every scenario is answered by one line of JSON, in
    order: events, state and next decision, or the error. JSON numbers the players clockwise from 0, as scenarios do.
    Exit code 1 if a scenario was illegal.
    """
    for file in files:
        if file.name.endswith((".yaml", ".yml")):
            raise click.UsageError(f"`{file.name}` is YAML; `replay` reads scenarios, a line of JSON each")
    lines = chain.from_iterable(file.lines(4 * MAX_LINE) for file in files)
    library = bundled_library()
    if output().interactive and not as_json_:
        sys.exit(_shown(library, lines, ids_only))
    good = True
    for answer in replay_lines(library, lines, ids_only):
        good = good and bool(answer["ok"])
        print_json_line(answer)
    sys.exit(Exit.GOOD if good else Exit.NEGATIVE)


def _shown(library: Library, lines: Iterable[str], ids_only: bool) -> Exit:
    """Prints the deals for people."""
    from trickproof.reports.replayed import replayed

    with progress(None, "replaying", at_once=False):
        given = [line for line in lines if line.strip()]
        several, every = len(given) > 1, []
        for number, line in enumerate(given, 1):
            head = f"{number}. " if several else ""
            good, text = replayed(page().narrower(len(head)), library, line, ids_only)
            every.append((good, head + "\n".join(text)))
    if every:
        say("\n\n".join(text for _, text in every))
    return Exit.GOOD if all(good for good, _ in every) else Exit.NEGATIVE
