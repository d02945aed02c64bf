"""`trickproof man [COMMAND]`: manual pages in roff, made from the same texts as `--help`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from trickproof.cli.command_list import COMMANDS, EXAMPLES, GROUPS, example_lines
from trickproof.cli.console.output_file import written_file
from trickproof.cli.console.printing import output as terminal_output, print_file, warn
from trickproof.cli.loading import no_such
from trickproof.cli.shell_completion import complete_commands
from trickproof.support.atomic_files import write_atomically
from trickproof.support.serialise import package_version


@click.command()
@click.argument("name", required=False, metavar="[COMMAND]", shell_complete=complete_commands)
@click.option("-o", "--output", metavar="DIR", help="Write the pages of all commands to a folder instead.")
@click.pass_context
def command(context: click.Context, name: str | None, output: str | None) -> None:
    """Print the manual page (roff) of the program or of a command, or write all pages to a folder."""
    if name is not None and name not in COMMANDS:
        no_such("command", name, COMMANDS)
    root = context.find_root()
    if output is None:
        print_file(manual_page(root, name))
        if terminal_output().interactive:
            warn(f"to read it: trickproof man{f' {name}' if name else ''} | man -l -")
        return
    folder = Path(output).expanduser()
    for one in (None, *COMMANDS):
        path = folder / ("trickproof.1" if one is None else f"trickproof-{one}.1")
        with written_file(path, "--output"):
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, manual_page(root, one).encode())
    warn(f"{len(COMMANDS) + 1} pages written to {folder}")


def manual_page(root: click.Context, name: str | None) -> str:
    """The page of a command, or of the program."""
    group = root.command
    assert isinstance(group, click.Group)
    command = group if name is None else group.get_command(root, name)
    assert command is not None
    title = "trickproof" if name is None else f"trickproof-{name}"
    context = click.Context(command, info_name=title.replace("-", " ", 1), parent=None)
    return "\n".join([*_head(title, command), *_synopsis(context), *_body(context, name)]) + "\n"


def _head(title: str, command: click.Command) -> Iterator[str]:
    yield f'.TH "{title.upper()}" "1" "" "trickproof {package_version("trickproof")}" "trickproof"'
    yield ".SH NAME"
    yield f"{_roff(title)} \\- {_roff(_paragraphs(command)[0].rstrip('.'))}"


def _synopsis(context: click.Context) -> Iterator[str]:
    yield ".SH SYNOPSIS"
    yield f".B {_roff(context.command_path)}"
    yield _roff(" ".join(context.command.collect_usage_pieces(context)))


def _body(context: click.Context, name: str | None) -> Iterator[str]:
    yield ".SH DESCRIPTION"
    for paragraph in _paragraphs(context.command):
        yield from (".PP", _roff(paragraph))
    if name is None:
        for heading, commands in GROUPS.items():
            yield f".SH {heading.upper()}"
            for one, line in commands.items():
                yield from (".TP", f".B trickproof {_roff(one)}", _roff(line))
    yield ".SH OPTIONS"
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and isinstance(parameter, click.Option):
            yield from (".TP", f".B {_roff(record[0])}", _roff(record[1]))
    if name in EXAMPLES:
        yield ".SH EXAMPLES"
        yield from (".nf", *map(_roff, example_lines(str(name))), ".fi")


def _paragraphs(command: click.Command) -> list[str]:
    text = inspect.cleandoc(command.help or "")
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text)]


def _roff(text: str) -> str:
    """A line of text escaped for roff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped
