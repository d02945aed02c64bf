"""`trickproof new FILE [--base RULESET]`: a new ruleset over a base, or a game of its own, ready to edit."""

from __future__ import annotations

from pathlib import Path

import click

from trickproof.cli.console.output_file import written_file
from trickproof.cli.console.printing import page, say
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all
from trickproof.cli.new_ruleset_text import ruleset_id, starter, starter_without_base
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.support.atomic_files import write_atomically
from trickproof.support.bundled import bundled_library


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--base",
    metavar="RULESET",
    shell_complete=complete_rulesets,
    help="The ruleset to change: an id or a path.",
)
def command(file: Path, base: str | None) -> None:
    """Write FILE, a new ruleset, with or without a base.

    The file loads and plays like its base: one rule is ready to be changed, the others are comments. Without a
    base, it has the rules that every game needs, as they usually are. An existing file is never overwritten.
    """
    if ruleset_id(file) is None:
        raise click.UsageError(f"`{file.stem}` gives no ruleset id: use letters, digits and hyphens")
    if base is None:
        text, said, then = (
            starter_without_base(file),
            "a game without a base; replace its rules with yours",
            "check",
        )
    else:
        (ruleset,) = load_all(bundled_library(), [base])
        with progress(None, "putting the rules together", at_once=False):
            text = starter(file, ruleset, base)
        said = f"based on {ruleset.id}, with one rule ready to change"
        then = "validate"
    if file.suffix not in (".yaml", ".yml"):
        raise click.UsageError(f"`{file}` must end in .yaml")
    with written_file(file):
        write_atomically(file, text.encode(), replace=False)
    shown = page()
    lines = shown.wrapped(f"{file}: written, {said}", hang=2)
    say("\n".join([*lines, *shown.command("Next, edit it; then:", ["trickproof", then, str(file)])]))
