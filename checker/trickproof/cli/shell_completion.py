"""Shell completion of arguments and options: rulesets, checks, error codes, policies, aspects."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ShellComplete, ZshComplete

from trickproof.cli.console.printing import print_file
from trickproof.support.exit_codes import Exit

PROGRAM = "trickproof"
VARIABLE = "_TRICKPROOF_COMPLETE"
"""The environment variable that completion scripts set."""


class _Bash(BashComplete):
    """Bash completion without the version check: the script may be for another machine."""

    @staticmethod
    def _check_version() -> None:
        pass


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
    """Ruleset ids, and files."""
    from trickproof.support.bundled import bundled_library

    ids = _starting(typed, sorted(bundled_library().ruleset_paths()))
    return [*ids, CompletionItem(typed, type="file")]


def complete_checks(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Checks, as a comma-separated list."""
    from trickproof.checks import NAMES

    return _listed(typed, NAMES)


def complete_explained(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Checks, words of results, names in rulesets, policies and error codes."""
    from trickproof.checks import NAMES
    from trickproof.reports.explanation import vocabulary
    from trickproof.reports.result_words import POLICIES, WORDS
    from trickproof_dsl.diagnostics.catalogue import CATALOGUE

    return [
        *_starting(typed, dict.fromkeys((*NAMES, *WORDS, *vocabulary(), *POLICIES))),
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
