"""What several commands need: loading rulesets by name, printing JSON, telling what is wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from trickproof.support.exit_codes import Exit

if TYPE_CHECKING:
    from trickproof_dsl.diagnostics.diagnostic import Diagnostic
    from trickproof_dsl.library import Library, Ruleset

json_option = click.option("--json", "as_json_", is_flag=True, help="Print one JSON document.")


def print_json(document: Any) -> None:
    """One JSON document on stdout: sorted keys, two spaces."""
    click.echo(json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False))


def load_all(library: Library, names: Iterable[str], json_wanted: bool = False) -> list[Ruleset]:
    """The named rulesets, or all documented ones; ends the program with 2 when one cannot be loaded."""
    wanted = list(dict.fromkeys(names)) or library.documented()
    loaded, wrong = [], []
    for name in wanted:
        ruleset, problems = library.load(name)
        wrong += problems
        if ruleset is not None:
            loaded.append(ruleset)
    if wrong:
        refuse(wrong, json_wanted)
    return loaded


def refuse(wrong: list[Diagnostic], json_wanted: bool = False) -> NoReturn:
    """Tells what is wrong with the user's input and ends with 2."""
    from trickproof_dsl.diagnostics.diagnostic import as_json, render

    if json_wanted:
        print_json({"errors": [as_json(d) for d in wrong]})
    click.echo(render(wrong), err=True)
    sys.exit(Exit.BAD_INPUT)
