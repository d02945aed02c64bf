"""`trickproof man [COMMAND]`: manual pages, made from the same texts as `--help`."""

from __future__ import annotations

from pathlib import Path

import click

from trickproof.cli.command_list import COMMANDS
from trickproof.cli.console.output_file import written_file
from trickproof.cli.console.printing import print_file, warn
from trickproof.cli.loading import no_such
from trickproof.cli.manual_pages import manual_page
from trickproof.support.atomic_files import write_atomically


@click.command()
@click.argument("name", required=False, metavar="[COMMAND]")
@click.option("--output", metavar="DIR", help="Write the pages of all commands to a folder instead.")
@click.pass_context
def command(context: click.Context, name: str | None, output: str | None) -> None:
    """Print the manual page (roff) of the program or of a command, or write all pages to a folder."""
    if name is not None and name not in COMMANDS:
        no_such("command", name, COMMANDS)
    root = context.find_root()
    if output is None:
        print_file(manual_page(root, name))
        return
    folder = Path(output).expanduser()
    for one in (None, *COMMANDS):
        path = folder / ("trickproof.1" if one is None else f"trickproof-{one}.1")
        with written_file(path, "--output"):
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, manual_page(root, one).encode())
    warn(f"{len(COMMANDS) + 1} pages written to {folder}")
