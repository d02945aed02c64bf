"""Load rulesets by name for commands: all of them, or the program exits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

import click

from trickproof.cli.printing import refuse

if TYPE_CHECKING:
    from trickproof_dsl.library import Library, Ruleset


def load_all(library: Library, names: Iterable[str], json_wanted: bool = False) -> list[Ruleset]:
    """The named rulesets, or all documented ones; exits with 2 if one cannot be loaded."""
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
"""Maximum number of names that are listed."""


def no_such(kind: str, name: str, known: Iterable[str], listed: Iterable[str] = ()) -> NoReturn:
    """Raise a usage error for an unknown name, with the closest known name, or a list of all (or of `listed`)."""
    from trickproof_dsl.diagnostics.catalogue import did_you_mean

    names = list(known)
    within = (one for one in names if len(name) > 2 and name.lower() in one)
    close = did_you_mean(name, names) or next(within, None)
    some = list(listed) or (names if len(names) <= MOST_LISTED else [])
    hint = f"; did you mean `{close}`?" if close else f"; expected one of {', '.join(some)}" if some else ""
    raise click.UsageError(f"no {kind} `{name}`{hint}")
