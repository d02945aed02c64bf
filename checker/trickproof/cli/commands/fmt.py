"""`trickproof fmt FILE…`: ruleset and document files in canonical form."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trickproof.check_runner.known_issues import with_current_names
from trickproof.cli.printing import warn
from trickproof.support.atomic_files import write_atomically
from trickproof.support.exit_codes import Exit
from trickproof_dsl.diagnostics.diagnostic import Diagnostic, render
from trickproof_dsl.files.yaml_tree import read_source
from trickproof_dsl.formatting.files import format_source


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Change nothing; exit 1 when a file is not in canonical form.")
def command(files: tuple[Path, ...], check: bool) -> None:
    """Put ruleset and document FILES into canonical form, comments kept.

    A file with errors is left as it is; the others are still done.  Checks under `known:` get the names they have now.
    """
    changed = broken = False
    for file in files:
        source = read_source(file, str(file))
        if isinstance(source, Diagnostic):
            text, wrong = None, [source]
        else:
            text, wrong = format_source(with_current_names(source))
        if text is None or isinstance(source, Diagnostic):
            broken = True
            warn(render(wrong))
        elif text.encode() != file.read_bytes():
            changed = True
            click.echo(f"{file}: {'not in canonical form' if check else 'formatted'}", err=check)
            if not check:
                write_atomically(file, text.encode())
    sys.exit(Exit.BAD_INPUT if broken else Exit.NEGATIVE if check and changed else Exit.GOOD)
