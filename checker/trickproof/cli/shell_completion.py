"""Shell completion of arguments and options: rulesets, checks, error codes, policies, aspects, parameters, readings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ShellComplete, ZshComplete

from trickproof.cli.console.printing import print_file
from trickproof.support.exit_codes import Exit

PROGRAM = "trickproof"
VARIABLE = "_TRICKPROOF_COMPLETE"
"""The environment variable that completion scripts set."""


class _Bash(BashComplete):
    """Bash completion without the version check: the script may be for another machine."""

    typed = ""

    @staticmethod
    def _check_version() -> None:
        pass

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words; bash breaks them at `=` and `:`, so that `dealer=search:50` is five."""
        args, last = super().get_completion_args()
        words: list[str] = []
        for word in (*args, last):
            breaks = bool(word) and set(word) <= {"=", ":"}
            if words and (breaks or words[-1].endswith(("=", ":"))):
                words[-1] += word
            else:
                words.append(word)
        self.typed = words.pop()
        return words, self.typed

    def format_completion(self, item: CompletionItem) -> str:
        """A completion from the last `=` or `:` on, where bash continues."""
        typed = self.typed[: max(map(self.typed.rfind, "=:")) + 1]
        return f"{item.type},{item.value.removeprefix(typed)}"


SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": ZshComplete, "fish": FishComplete}


def answer_shell(program: click.Command, instruction: str) -> Exit:
    """Answer a completion script, such as `bash_complete`; other instructions are refused."""
    shell, _, action = instruction.partition("_")
    if shell not in SHELLS or action not in ("source", "complete"):
        return Exit.BAD_INPUT
    script = SHELLS[shell](program, {}, PROGRAM, VARIABLE)
    print_file((script.source() if action == "source" else script.complete()).strip() + "\n")
    return Exit.GOOD


def complete_rulesets(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Ruleset ids, and files; first that there are files, as bash then forgets what it was offered."""
    names = (*_ruleset_ids(), *sorted(path.name for path in Path().glob("*.yaml")))
    return [CompletionItem(typed, type="file"), *_starting(typed, names)]


def _ruleset_ids() -> list[str]:
    from trickproof.support.bundled import bundled_library

    return sorted(bundled_library().ruleset_paths())


def complete_commands(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Commands."""
    from trickproof.cli.command_list import COMMANDS

    return _starting(typed, COMMANDS)


def complete_settings(context: click.Context, option: click.Parameter, typed: str) -> list[CompletionItem]:
    """Values of `--param`, `--reading` and `--vary` for the ruleset that is typed before."""
    from trickproof.simulate.sweep import varied
    from trickproof.support.bundled import bundled_library

    ruleset = None
    for name in (context.params.get("ruleset"), *context.args):  # an option without its value leaves it there
        ruleset = ruleset or (bundled_library().load(name)[0] if name else None)
    if ruleset is None:
        return []
    if option.name == "vary":
        return _starting(typed, [f"{x}=" for x in varied(ruleset)])
    offered = ruleset.program.parameters if option.name == "param" else ruleset.program.readings
    return _starting(typed, [f"{x}={value}" for x, values in offered.items() for value in values])


def complete_checks(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Checks, as a comma-separated list."""
    from trickproof.checks import NAMES

    return _listed(typed, NAMES)


def complete_explained(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Checks, words of results, names in rulesets, policies, rulesets and error codes."""
    from trickproof.checks import NAMES
    from trickproof.reports.explanation import vocabulary
    from trickproof.reports.result_words import POLICIES, WORDS
    from trickproof_dsl.diagnostics.catalogue import CATALOGUE

    return [
        *_starting(typed, dict.fromkeys((*NAMES, *WORDS, *vocabulary(), *POLICIES, *_ruleset_ids()))),
        *_starting(typed.upper(), CATALOGUE),
    ]


def complete_policies(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Policies, for all seats or for one."""
    from trickproof.english.seats import seat_names
    from trickproof.simulate.ir.calling_convention import POLICIES, SEARCH

    names = [*POLICIES, f"{SEARCH}:50", f"{SEARCH}:200"]
    before, _sign, _rest = typed.rpartition("=")
    if before:
        return _starting(typed, [f"{before}={policy}" for policy in names])
    return _listed(typed, [*names, *(f"{seat}=" for seat in (*seat_names(3), "opposite"))])


def complete_aspects(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Aspects, as a comma-separated list."""
    from trickproof.english.aspects import ASPECTS

    return _listed(typed, ASPECTS)


def _listed(typed: str, values: Iterable[str]) -> list[CompletionItem]:
    """Completions of the last of several comma-separated values."""
    before, comma, last = typed.rpartition(",")
    return [CompletionItem(f"{before}{comma}{value}") for value in values if value.startswith(last)]


def _starting(typed: str, values: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(value) for value in values if value.startswith(typed)]
