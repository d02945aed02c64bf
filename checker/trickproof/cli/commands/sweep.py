"""`trickproof sweep RULESET --vary …`: a family of house rules, simulated one by one."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from trickproof.cli.cache_options import no_cache_option
from trickproof.cli.commands.simulate import Stop, refuse_without, usual_hands
from trickproof.cli.console.output_file import file_to_write
from trickproof.cli.console.printing import page, print_json, say, warn
from trickproof.cli.console.progress import progress
from trickproof.cli.loading import load_all
from trickproof.cli.shared_options import (
    backend_option,
    deals_option,
    json_option,
    policy_option,
    simulating_workers_option,
)
from trickproof.cli.shell_completion import complete_rulesets, complete_settings
from trickproof.support.bundled import bundled_library
from trickproof.support.exit_codes import Exit

if TYPE_CHECKING:
    from trickproof.reports.sweep import Row
    from trickproof.simulate.runtime.executor import Executor
    from trickproof.simulate.runtime.scheduler import Request
    from trickproof.simulate.sweep import Family

HANDS, SEARCHED = 100_000, 200
"""Hands played of each member unless told otherwise; where somebody searches."""


@click.command()
@click.argument("ruleset", metavar="RULESET", shell_complete=complete_rulesets)
@click.option(
    "--vary",
    shell_complete=complete_settings,
    multiple=True,
    required=True,
    metavar="NAME=VALUES",
    help="A parameter or the numbers of a rule: goal=10..16, targets=8-5-3,9-5-2, end+winner=10..16; may be repeated.",
)
@deals_option(f"Deals per variant.  [default: {HANDS}; {SEARCHED} with `search`]")
@policy_option("How players decide, as in `simulate`.")
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Seed of deals and choices, the same for all variants.",
)
@simulating_workers_option
@backend_option
@no_cache_option
@click.option("--no-check", is_flag=True, help="Do not check which variants are sound.")
@click.option(
    "--svg", metavar="FILE", help="Also draw tricks by seat, match length and wins for each variant."
)
@json_option
def command(
    ruleset: str,
    vary: tuple[str, ...],
    hands: int | None,
    policy: str,
    seed: int,
    workers: int | None,
    backend: str | None,
    no_check: bool,
    svg: str | None,
    as_json_: bool,
) -> None:
    """Sweep parameter values and compare simulation results, with 95% confidence intervals.

    NAME is a parameter, or a rule whose numbers are to be varied. All variants are dealt the same cards. Variants that
    the checks reject (for flaws that the ruleset itself does not have) are marked; their statistics describe an unsound game.

    Exit code 0 if all variants are sound, 1 if some are not; 70 if some deals could not be played; 130 after Ctrl-C.
    """
    from trickproof.reports.svg.sweep import sweep_chart
    from trickproof.reports.sweep import sweep_document, sweep_text
    from trickproof.simulate.ir.calling_convention import BeyondError
    from trickproof.simulate.options import ChoiceError, policies
    from trickproof.simulate.runtime.scheduler import Request
    from trickproof.simulate.simulation import MOST_PROCESSES, Simulation, crew_for
    from trickproof.simulate.sweep import family

    if backend is not None:
        refuse_without(backend)
    loaded = load_all(bundled_library(), [ruleset], as_json_)[0]
    try:
        varied = family(loaded, vary)
        number = hands or usual_hands(policy, HANDS, SEARCHED)
        request = Request(policies(policy, loaded.program.players), seed, number)
    except ChoiceError as wrong:
        raise click.UsageError(str(wrong)) from None
    with ExitStack() as stack:
        draw = file_to_write("--svg", svg)
        try:
            Simulation(varied.ruleset, request, backend or "")  # refused before the checks take their time
        except BeyondError as wrong:
            raise click.UsageError(f"{ruleset} cannot be simulated: {wrong.message}") from None
        checking = workers or min(os.cpu_count() or 1, MOST_PROCESSES)
        own, flaws = ((), None) if no_check else _flaws(varied, checking)
        executor = crew_for(request, backend or "", workers)
        stack.callback(executor.close)
        rows, stop = _rows(varied, request, executor, backend or "", flaws)
        names = [axis.name for axis in varied.axes]
        if draw and rows:
            draw(sweep_chart(loaded, names, rows))
        if as_json_:
            print_json(sweep_document(loaded, names, rows, stop is not None))
        elif rows:
            say(sweep_text(loaded, names, rows, page(), own))
    if stop:
        members = len(varied.members())
        warn(f"{stop.why} after {len(rows)} of {members} rulesets; what was played of the next is lost")
        sys.exit(stop.code)
    if any(row.outcome.left_out for row in rows):
        sys.exit(Exit.BUG)
    sys.exit(Exit.NEGATIVE if any(row.flaws for row in rows) else Exit.GOOD)


def _rows(
    varied: Family, request: Request, executor: Executor, backend: str, flaws: list[tuple[str, ...]] | None
) -> tuple[list[Row], Stop | None]:
    """One row per member, and the reason if there is none for the rest."""
    from trickproof.reports.sweep import Row
    from trickproof.simulate.runtime.executor import StoppedError
    from trickproof.simulate.sweep import sweep

    rows: list[Row] = []
    with progress(len(varied.members()), "simulating") as tell:
        try:
            for number, (member, outcome) in enumerate(sweep(varied, request, executor, backend)):
                rows.append(Row(varied.label(member), outcome, None if flaws is None else flaws[number]))
                tell(number, " ".join(rows[-1].labels))
        except KeyboardInterrupt:
            return rows, Stop(Exit.INTERRUPTED, "interrupted")
        except StoppedError as wrong:
            return rows, Stop(Exit.BUG, str(wrong))
    return rows, None


def _flaws(varied: Family, workers: int) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The checks that reject the ruleset itself, and of every member those that do not."""
    from trickproof.check_runner.findings_cache import user_cache
    from trickproof.check_runner.runner import check_all
    from trickproof.testing.random_play import ENOUGH
    from trickproof.validate.new_flaws import is_new

    start = {name: int(span.text) for name, span in varied.written.items()}
    own = varied.ruleset.program.defaults | start
    rulesets = [varied.fixed(own), *[varied.fixed({**own, **member}) for member in varied.members()]]
    with progress(len(rulesets), "checking") as tell:
        checked = check_all(rulesets, None, workers, cache=user_cache(ENOUGH), watch=tell)
    before = {finding.check: finding for finding in checked.findings[0][1]}
    rejecting = tuple(name for name, finding in before.items() if is_new(finding, None))
    return rejecting, [
        tuple(finding.check for finding in findings if is_new(finding, before.get(finding.check)))
        for _, findings in checked.findings[1:]
    ]
