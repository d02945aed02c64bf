"""`trickproof completion SHELL`: the script that completes commands, options and their values."""

from __future__ import annotations

import click

from trickproof.cli.console.printing import print_file
from trickproof.cli.shell_completion import PROGRAM, SHELLS, VARIABLE


@click.command()
@click.argument("shell", type=click.Choice(list(SHELLS)), metavar="SHELL")
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the completion script for a shell: bash, zsh or fish.

    It completes commands, options, rulesets, checks, error codes, policies, aspects, parameters and readings.
    Evaluate it when the shell starts, as in the examples.
    """
    script = SHELLS[shell](context.find_root().command, {}, PROGRAM, VARIABLE).source()
    print_file(script.strip() + "\n")
