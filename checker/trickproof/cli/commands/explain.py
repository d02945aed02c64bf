"""`trickproof explain [NAME]`: what a check claims, or what a word, a name, a policy, a ruleset or an error means."""

from __future__ import annotations

import re
from pathlib import Path

import click

from trickproof.cli.console.printing import page, print_json, say
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all, no_such
from trickproof.cli.shared_options import json_option
from trickproof.cli.shell_completion import complete_explained

MOST = 3
"""Of more rulesets that declare a name, only the first are read."""


@click.command()
@click.argument("name", metavar="[NAME]", required=False, shell_complete=complete_explained)
@json_option
def command(name: str | None, as_json_: bool) -> None:
    """Explain a check, such as `zero-sum`, a word of results, such as `refuted`, a name in rulesets, such as `follow`, a policy,
    such as `greedy`, a ruleset, such as `pagat`, or an error code, such as E301. Files in the current folder are searched, too.

    Without a name, list what can be explained.
    """
    from trickproof.checks import NAMES, current_name
    from trickproof.reports.explanation import (
        all_explained,
        also_named,
        check_explained,
        error_explained,
        everything_explained,
        name_explained,
        own_name_explained,
        policy_explained,
        rule_word_explained,
        rule_words,
        ruleset_explained,
        vocabulary,
        word_explained,
    )
    from trickproof.reports.result_words import POLICIES, WORDS
    from trickproof.support.bundled import bundled_library
    from trickproof_dsl.diagnostics.catalogue import CATALOGUE
    from trickproof_dsl.files.ruleset_folders import is_file

    if name is None:
        if as_json_:
            print_json({"explanations": all_explained()})
        else:
            say("\n".join(everything_explained(page())))
        return
    check, code = current_name(name.lower()), name.upper()
    if check in NAMES:
        explanation = also_named(check_explained(check))
    elif name.lower() in WORDS:
        explanation = also_named(word_explained(name.lower()))
    elif code in CATALOGUE:
        explanation = error_explained(CATALOGUE[code])
    elif name.lower().split(":")[0] in POLICIES:
        explanation = policy_explained(name.lower())
    elif name.lower() in vocabulary():
        explanation = name_explained(name.lower())
    elif (library := bundled_library()).is_path(name):
        explanation = ruleset_explained(load_all(library, [name], as_json_)[0])
    elif name.lower() in rule_words():
        rulesets = (library.load(x)[0] for x in library.ruleset_paths())
        explanation = rule_word_explained(name.lower(), filter(None, rulesets))
    else:
        rule = re.compile(rf"^  {re.escape(name)}:", re.MULTILINE)
        with progress(None, "reading", at_once=False):
            own = {path.name: path for path in sorted(Path().glob("*.yaml")) if is_file(path)}
            paths = {**own, **library.ruleset_paths()}
            of = (
                []
                if name in paths
                else [x for x, path in paths.items() if rule.search(path.read_text("utf-8", "replace"))]
            )
            read = [
                x for x in (library.load(y)[0] for y in of[:MOST] or [name][: name in paths]) if x is not None
            ]
        if not read:
            known = (
                *NAMES,
                *WORDS,
                *POLICIES,
                *vocabulary(),
                *rule_words(),
                *library.ruleset_paths(),
                *CATALOGUE,
            )
            known = (f"{name}.yaml",) if f"{name}.yaml" in own else known
            no_such("check, word, name, policy, ruleset or code", name, known, "trickproof explain")
        with progress(None, "explaining", at_once=False):
            explanation = own_name_explained(name, read) if of else ruleset_explained(read[0])
    if as_json_:
        print_json(explanation)
    else:
        say("\n".join(explanation.lines(page())))
