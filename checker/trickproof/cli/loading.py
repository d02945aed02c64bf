"""Rulesets by name, as commands need them: all load, or the program ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

import click

from trickproof.cli.printing import refuse

if TYPE_CHECKING:
    from trickproof_dsl.library import Library, Ruleset


def load_all(library: Library, names: Iterable[str], json_wanted: bool = False) -> list[Ruleset]:
    """The named rulesets, or all documented ones; ends the program with 2 when one cannot be loaded."""
    rulesets, wrong = [], []
    for name in list(dict.fromkeys(names)) or library.documented():
        ruleset, problems = library.load(name)
        wrong += problems
        if ruleset is not None:
            rulesets.append(ruleset)
    if wrong:
        refuse(wrong, json_wanted)
    return rulesets


MOST_LISTED = 40
"""More names than this are not listed."""


def no_such(kind: str, name: str, known: Iterable[str]) -> NoReturn:
    """A usage error for a name that is none of those known, with the nearest of them, or with all."""
    from trickproof_dsl.diagnostics.catalogue import did_you_mean

    names = list(known)
    within = (one for one in names if len(name) > 2 and name.lower() in one)
    close = did_you_mean(name, names) or next(within, None)
    listed = f"; there are {', '.join(names)}" if len(names) <= MOST_LISTED else ""
    raise click.UsageError(f"no {kind} `{name}`" + (f"; did you mean `{close}`?" if close else listed))
