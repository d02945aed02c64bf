"""`trickproof sources [RULESET…]`: how each source statement is covered."""

from __future__ import annotations

import click

from trickproof.cli.console.printing import page, print_json, say
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all
from trickproof.cli.shared_options import json_option
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.reports.rulesets.source_coverage import trace, trace_document, trace_text
from trickproof.support.bundled import bundled_library


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...", shell_complete=complete_rulesets)
@json_option
def command(rulesets: tuple[str, ...], as_json_: bool) -> None:
    """Trace every statement of the documents and every assumption.

    A statement is encoded (by which rule), tested (by which example), contradicted, uncovered, or not a rule.
    """
    from trickproof.testing.worked_examples import run_examples

    library = bundled_library()
    loaded = load_all(library, rulesets, as_json_)
    with progress(len(loaded), "running the examples") as tell:
        outcomes = []
        for done, ruleset in enumerate(loaded):
            tell(done, ruleset.id)
            outcomes += [(ruleset.id, outcome) for outcome in run_examples(ruleset)]
    contradicted = {(name, outcome.name) for name, outcome in outcomes if outcome.wrong}
    traced = trace(loaded, None if rulesets else library, contradicted)
    if as_json_:
        print_json(trace_document(traced))
        return
    if rulesets and any(t.status == "uncovered" for _, statements in traced.documents for t in statements):
        others = load_all(library, ())
        traced = trace(loaded, None, contradicted, others)
    say(trace_text(traced, page()))
