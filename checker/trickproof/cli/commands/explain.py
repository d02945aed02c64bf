"""`trickproof explain [NAME]`: what a check claims, or what a word, a name, a policy, a ruleset or an error means."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trickproof.cli.console.printing import page, print_json, say
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all, no_such
from trickproof.cli.shared_options import json_option
from trickproof.cli.shell_completion import complete_explained

if TYPE_CHECKING:
    from trickproof.reports.explanation import Explanation
    from trickproof_dsl.library import Library

MOST = 3
"""Of more rulesets that declare a name, only the first are read."""


@click.command()
@click.argument("name", metavar="[NAME]", required=False, shell_complete=complete_explained)
@json_option
def command(name: str | None, as_json_: bool) -> None:
    """Explain a check, such as `zero-sum`, a result word, such as `refuted`, a name in rulesets, such as `follow`, a word of the
    rule language, such as `clockwise`, a policy, such as `greedy`, a ruleset, such as `pagat`, or an error code, such as E301. Files in the current folder are searched, too.

    Without a name, list what can be explained.
    """
    from trickproof.reports.explanation import all_explained, everything_explained, explained
    from trickproof.support.bundled import bundled_library

    if name is None:
        if as_json_:
            print_json({"explanations": all_explained()})
        else:
            say("\n".join(everything_explained(page())))
        return
    library = bundled_library()
    rulesets = (library.load(x)[0] for x in library.ruleset_paths())
    explanation = explained(name, filter(None, rulesets)) or _found(library, name, as_json_)
    if as_json_:
        print_json(explanation)
    else:
        say("\n".join(explanation.lines(page())))


def _found(library: Library, name: str, as_json_: bool) -> Explanation:
    """A ruleset, or a name that rulesets declare, here or among the bundled ones."""
    from trickproof.reports.explanation import (
        all_explained,
        own_name_explained,
        rule_words,
        ruleset_explained,
    )
    from trickproof_dsl.files.ruleset_folders import is_file

    if library.is_path(name):
        return ruleset_explained(load_all(library, [name], as_json_)[0])
    declares = re.compile(rf"^  {re.escape(name)}:", re.MULTILINE)
    with progress(None, "reading", at_once=False):
        own = {path.name: path for path in sorted(Path().glob("*.yaml")) if is_file(path)}
        paths = {**own, **library.ruleset_paths()}
        if name in paths:
            of = []
        else:
            of = [x for x, path in paths.items() if declares.search(path.read_text("utf-8", "replace"))]
        loaded = (library.load(x)[0] for x in of[:MOST] or [name][: name in paths])
        read = [x for x in loaded if x is not None]
    if not read:
        known = [*(x.name for x in all_explained()), *rule_words(), *library.ruleset_paths()]
        known = [f"{name}.yaml"] if f"{name}.yaml" in own else known
        no_such("check, word, name, policy, ruleset or code", name, known, "trickproof explain")
    with progress(None, "explaining", at_once=False):
        return own_name_explained(name, read) if of else ruleset_explained(read[0])
