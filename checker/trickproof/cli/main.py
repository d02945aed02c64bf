"""The command line: one lazy group, and one module per command under `commands/`.

Only this package prints. Exit codes are defined in `trickproof.support.exit_codes`. Nothing heavy is imported
before a command needs it.
"""

from __future__ import annotations

import gc
import os
import re
import shlex
import sys
from importlib import import_module
from io import StringIO
from typing import Any

import click

from trickproof.cli.cache_options import cache_warnings
from trickproof.cli.command_list import COMMANDS, EXAMPLES, GROUPS, example_lines
from trickproof.cli.console.colour import colour_option
from trickproof.cli.console.printing import BUG_HINT, help_width, print_json, shortened, warn
from trickproof.cli.console.streams import drop_output
from trickproof.cli.environment_faults import environment_fault
from trickproof.cli.shell_completion import PROGRAM, VARIABLE
from trickproof.support.exception_causes import interrupted
from trickproof.support.exit_codes import Exit

GARBAGE = (50_000, 20, 20)
"""How many objects are made between collections: most go without one, and there are always many others to look through."""


class LazyGroup(click.Group):
    """A group that imports a command's module on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = import_module(f"trickproof.cli.commands.{name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        if not any(option.name == "color" for option in command.params):
            command.params.append(colour_option())
        if command.epilog is None:
            examples = (f"  {line}" for line in example_lines(name))
            command.epilog = "\n".join(["\b", "Examples:", *examples])
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`help COMMAND` is another way to say `COMMAND --help`."""
        while args[:1] == ["help"]:
            args = [arg for arg in args[1:] if arg != "--help"] + ["--help"]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from trickproof.cli.loading import no_such
            from trickproof.support.bundled import bundled_folders

            first, *others = args
            if others and others[0] in COMMANDS:
                meant = [others[0], first, *others[1:]]
            elif first.endswith((".yaml", ".yml")) or first in bundled_folders().ruleset_paths():
                meant = ["check", *args]
            else:
                no_such("command", first, COMMANDS)
            raise click.ClickException(
                f"no command `{first}`; did you mean `trickproof {shlex.join(meant)}`?"
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; write a bug report if one is requested."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except (Exception, SystemExit) as problem:
            if ctx.params["bug_report"] is not None and _is_bug(problem):
                from trickproof.cli.bug_report import write_report

                write_report(ctx.params["bug_report"], sys.argv[1:], problem, ctx.params["with_input"])
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        longest = max(map(len, COMMANDS))
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(longest), line) for name, line in commands.items()])


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from trickproof.cli.bug_report import version_line

        click.echo(version_line())
        context.exit()


@click.group(
    cls=LazyGroup,
    help="Turn the written rules of trick-taking card games into executable rulesets and prove things about them.",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExamples:\n  # check the documented rulesets\n  trickproof check\n"
    "  # what a house rule changes\n  trickproof validate my.yaml",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Print the versions of trickproof, the solver and Python.",
)
@click.option(
    "--bug-report",
    metavar="FILE",
    help="Write a bug report to a file if the command fails with an internal error.",
)
@click.option("--with-input", is_flag=True, help="Include the files that the command names in that report.")
def group(bug_report: str | None, with_input: bool) -> None:
    """The program; its help is stated above, since wheels have the docstrings of commands only."""


group.params.append(colour_option())


def main() -> None:
    """Run a command without ever showing a traceback, and exit with its code."""
    try:
        if VARIABLE in os.environ:
            from trickproof.cli.shell_completion import answer_shell

            sys.exit(answer_shell(group, os.environ[VARIABLE]))
        gc.set_threshold(*GARBAGE)
        with cache_warnings():
            code = _answered()
        sys.exit(code if isinstance(code, int) else Exit.GOOD)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(_stopped())
    except BrokenPipeError:
        drop_output()
        sys.exit(Exit.NEGATIVE)
    except Exception as problem:
        if interrupted(problem):
            sys.exit(_stopped())
        if os.environ.get("TRICKPROOF_DEBUG"):
            raise
        sys.exit(_failed(problem))
    finally:
        gc.freeze()  # the process is ending: skip the final collection


def _answered() -> object:
    """The exit code of a command. Its wrong use is reported, with --json as a document too, like what is wrong in files."""
    try:
        return group.main(prog_name=PROGRAM, standalone_mode=False, terminal_width=help_width())
    except click.ClickException as wrong:
        text = StringIO()
        wrong = _in_our_words(wrong)
        wrong.show(text)
        if "--json" in sys.argv:
            nowhere = dict.fromkeys(("code", "file", "line", "column", "help"))
            print_json(
                {"errors": [{**nowhere, "message": shortened(wrong.format_message())}]}, in_a_line=True
            )
        warn(shortened(text.getvalue()).rstrip("\n"))
        return Exit.BAD_INPUT


def _in_our_words(wrong: click.ClickException) -> click.ClickException:
    """An unknown option with the one nearest to it, as an unknown command gets; what is missing, with what to write.

    Other mistakes are worded by click.
    """
    if isinstance(wrong, click.MissingParameter) and wrong.ctx is not None:
        return _missing(wrong, wrong.ctx)
    if isinstance(wrong, click.BadParameter):
        message = re.sub("is not a valid (?:integer|float) range", "is not a number", wrong.format_message())
        return click.UsageError(_as_ours(message), wrong.ctx)
    context = wrong.ctx if isinstance(wrong, click.UsageError) else None
    if context and (match := re.fullmatch(r"Got unexpected extra arguments? \((.+)\)", wrong.message)):
        options = {name for option in context.command.params for name in option.opts}
        hint = ""
        if match[1][0].isdigit():
            hint = f"; values follow a `=`: `--vary NAME={match[1]}`" if "--vary" in options else ""
        elif "--compare" in options:
            hint = f"; to compare, write `--compare {match[1]}`"
        return click.UsageError(f"unexpected argument `{match[1]}`{hint}", context)
    if isinstance(wrong, click.BadOptionUsage) or wrong.message.startswith(
        ("No such command", "Missing command")
    ):
        return click.UsageError(_as_ours(wrong.message), context)
    if not isinstance(wrong, click.NoSuchOption):
        return wrong
    from trickproof_dsl.diagnostics.catalogue import did_you_mean, or_meant

    hint = or_meant(did_you_mean(wrong.option_name, wrong.possibilities or ()))
    return click.UsageError(f"no option `{wrong.option_name}`{hint}", wrong.ctx)


def _as_ours(message: str) -> str:
    """A message of click as a diagnostic: in lower case, with backticks, without a final period."""
    return re.sub(r"'([^'\s]*)'", r"`\1`", message[:1].lower() + message[1:]).rstrip(".")


def _missing(wrong: click.MissingParameter, context: click.Context) -> click.ClickException:
    """A missing argument or option, with the first example of the command."""
    examples = EXAMPLES.get(context.info_name or "")
    if not examples:
        return wrong
    shown = next((typed for typed, _ in examples if not typed.startswith("eval ")), examples[0][0])
    message = re.sub(r"\. Choose from:\s*", ": one of ", _as_ours(wrong.format_message())).replace("'", "`")
    return click.UsageError(f"{' '.join(message.split())}, as in `trickproof {shown}`", context)


def _stopped() -> Exit:
    click.echo("interrupted", err=True)
    return Exit.INTERRUPTED


def _is_bug(problem: BaseException) -> bool:
    """Whether an exception that ended a command is a bug."""
    if isinstance(problem, SystemExit):
        return problem.code == Exit.BUG
    if interrupted(problem) or environment_fault(problem, "") is not None:
        return False
    from trickproof.support.process_pool import LostError  # now that nothing keeps files from being opened

    return not isinstance(problem, LostError)


def _failed(problem: Exception) -> Exit:
    """Report what the environment refused, or that there is a bug."""
    used = next((word for word in sys.argv[1:] if word in COMMANDS), "trickproof")
    if (fault := environment_fault(problem, used)) is not None:
        click.echo(f"trickproof: {fault}", err=True)
        drop_output()
        return Exit.BAD_INPUT
    from trickproof.support.process_pool import LostError  # now that nothing keeps files from being opened

    if isinstance(problem, LostError):
        click.echo(f"trickproof: not decided: {problem}", err=True)
        return Exit.UNDECIDED
    click.echo(f"trickproof: bug: {type(problem).__name__}: {problem}", err=True)
    click.echo(BUG_HINT, err=True)
    return Exit.BUG
