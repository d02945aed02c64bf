"""`trickproof check [RULESET…]`: what is proved, tested, refuted, unspecified."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from trickproof.bundled import bundled_library
from trickproof.commands import EXIT_BUG
from trickproof.commands.shared_options import json_option, load_all, print_json, refuse


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET]...")
@click.option(
    "--only", multiple=True, metavar="CHECK", help="Run this check only; may be given several times."
)
@click.option("-v", "--verbose", is_flag=True, help="Rule texts, citations, assumptions and witnesses.")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=None, help="Processes to use; default: the cores."
)
@click.option(
    "--hands", type=click.IntRange(1), default=60, show_default=True, help="Hands to play of each ruleset."
)
@json_option
def command(
    rulesets: tuple[str, ...],
    only: tuple[str, ...],
    verbose: bool,
    workers: int | None,
    hands: int,
    as_json_: bool,
) -> None:
    """Check rulesets, named by id or by path; without a name all documented ones.

    Exit code 0 when everything refuted or unspecified is a known flaw of the document, 1 when something new is, 3 when a
    check gave up and nothing else is wrong, 70 when a check contradicts itself.
    """
    from trickproof.check import check_all, check_names, exit_code, stale_known
    from trickproof.known import unknown_known
    from trickproof.report_check import report
    from trickproof_dsl.errors import did_you_mean

    loaded = load_all(bundled_library(), rulesets, as_json_)
    if wrong := unknown_known(loaded):
        refuse(wrong, as_json_)
    known = check_names(loaded)
    for name in only:
        if name not in known:
            close = did_you_mean(name, known)
            raise click.UsageError(f"no check `{name}`" + (f"; did you mean `{close}`?" if close else ""))
    checked = check_all(loaded, only or None, workers or min(os.cpu_count() or 1, 8), hands)
    if as_json_:
        told: list[dict[str, Any]] = [
            {
                "id": ruleset.id,
                "findings": [finding.as_json() for finding in findings],
                "stale_known": stale_known(ruleset, findings),
            }
            for ruleset, findings in checked.findings
        ]
        print_json({"rulesets": told, "disagreements": [d.as_json() for d in checked.disagreements]})
    else:
        click.echo(report(checked.findings, verbose))
    for failed in checked.disagreements:
        click.echo(
            f"trickproof: {failed.ruleset}: `{failed.check}` has no answer: {failed.message}", err=True
        )
        if os.environ.get("TRICKPROOF_DEBUG"):
            click.echo(failed.trace, err=True)
    if checked.disagreements:
        click.echo("please report it; TRICKPROOF_DEBUG=1 shows where it happened", err=True)
        sys.exit(EXIT_BUG)
    sys.exit(exit_code(finding for _, findings in checked.findings for finding in findings))
