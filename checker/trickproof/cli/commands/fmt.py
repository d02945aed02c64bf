"""`trickproof fmt FILE…`: ruleset and document files in canonical form."""

from __future__ import annotations

import sys
from difflib import unified_diff
from pathlib import Path

import click

from trickproof.check_runner.known_issues import with_current_names
from trickproof.cli.console.output_file import written_file
from trickproof.cli.console.printing import diagnostics_shown, messages, print_file, say, warn
from trickproof.cli.console.progress import progress
from trickproof.support.atomic_files import write_atomically
from trickproof.support.exit_codes import Exit
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.yaml_tree import read_source, source_of
from trickproof_dsl.formatting.files import format_source


@click.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True), metavar="FILE..."
)
@click.option("--check", is_flag=True, help="Change nothing; exit 1 if a file is not formatted.")
@click.option(
    "--diff", is_flag=True, help="Change nothing, but show what would change; exit 1 if anything would."
)
def command(files: tuple[Path, ...], check: bool, diff: bool) -> None:
    """Format ruleset and document files (comments are preserved); `-` formats standard input to standard output.

    A file with errors is left unchanged; the others are still formatted. Old names of checks under `known:` are
    replaced.
    """
    changed = broken = False
    for file in files:
        piped = str(file) == "-"
        source = _standard_input() if piped else read_source(file, str(file))
        if isinstance(source, Diagnostic):
            text, wrong = None, [source]
        else:
            with progress(None, "formatting", at_once=False):
                text, wrong = format_source(with_current_names(source))
        if text is None or isinstance(source, Diagnostic):
            broken = True
            warn(diagnostics_shown(wrong, messages()))
            continue
        if piped and not (check or diff):
            print_file(text)
            continue
        if text.encode() == _bytes(file, source):
            continue
        changed = True
        if diff:
            say(_changes(source, text))
        elif check:
            warn(f"{source.name}: not formatted")
        if not (check or diff):
            with written_file(file):
                write_atomically(file, text.encode())
            say(f"{file}: formatted")
    sys.exit(Exit.BAD_INPUT if broken else Exit.NEGATIVE if (check or diff) and changed else Exit.GOOD)


def _standard_input() -> Source | Diagnostic:
    return source_of(sys.stdin.buffer, "standard input")


def _bytes(file: Path, source: Source) -> bytes:
    """The text of the file. A byte order mark and foreign line breaks would be lost."""
    return source.text.encode() if str(file) == "-" else file.read_bytes()


def _changes(source: Source, text: str) -> str:
    """The changes of a file as `diff -u` shows them."""
    lines = unified_diff(
        source.text.splitlines(), text.splitlines(), source.name, f"{source.name} (formatted)", lineterm=""
    )
    return "\n".join(lines)
