"""`trickproof simulate RULESET`: millions of hands, and what can be said of them."""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trickproof.bundled import bundled_library
from trickproof.commands.output_file import whole_file
from trickproof.commands.progress import progress
from trickproof.commands.shared_options import json_option, load_all, print_json
from trickproof.exits import Exit

if TYPE_CHECKING:
    from trickproof.simulate.crews import Crew
    from trickproof.simulate.run import Request, Result
    from trickproof.simulate.simulation import Simulation
    from trickproof_dsl.load import Ruleset

HANDS = 100_000
"""Hands played unless told otherwise."""

SAVED_EVERY = 2.0
"""Seconds between two writings of the state."""


@click.command()
@click.argument("ruleset", metavar="RULESET")
@click.option(
    "--hands", type=click.IntRange(1), help=f"Hands to play, match after match.  [default: {HANDS}]"
)
@click.option("--matches", type=click.IntRange(1), help="Matches to play to their ends, instead of --hands.")
@click.option(
    "--policy",
    default="random",
    show_default=True,
    help="How players decide: `random`, `greedy`, or seat by seat: `dealer=greedy,left=random`.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of deals and choices.")
@click.option("--param", multiple=True, metavar="NAME=VALUE", help="A parameter's value; may be repeated.")
@click.option("--reading", multiple=True, metavar="RULE=NAME", help="How a rule is read; may be repeated.")
@click.option("--compare", metavar="OTHER", help="Another ruleset, dealt the same cards in the same matches.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes to use; default: the cores.")
@click.option("--scheduler", metavar="ADDRESS", help="A dask.distributed scheduler, as tcp://host:8786.")
@click.option(
    "--backend", type=click.Choice(["llvm", "python"]), help="Default: llvm where llvmlite is there."
)
@click.option("--state", metavar="FILE", help="Keep what is counted in a file, and go on from it.")
@click.option("--svg", metavar="FILE", help="Also draw tricks by seat and the length of matches.")
@json_option
def command(
    ruleset: str,
    hands: int | None,
    matches: int | None,
    policy: str,
    seed: int,
    param: tuple[str, ...],
    reading: tuple[str, ...],
    compare: str | None,
    workers: int | None,
    scheduler: str | None,
    backend: str | None,
    state: str | None,
    svg: str | None,
    as_json_: bool,
) -> None:
    """Play many hands of a ruleset and tell what comes of them, with 95 % intervals.

    The same ruleset, policy, seed and number give the same counts, with any number of workers.  Every figure is for the
    policy that is named: how players decide changes everything.

    Exit code 0; 70 when a part of the hands could not be played; 130 after Ctrl-C, when what was counted is told.
    """
    from trickproof.simulate.choices import ChoiceError, parameters, policies, readings
    from trickproof.simulate.layout import BeyondError
    from trickproof.simulate.run import Request
    from trickproof.simulate.simulation import NothingToCompareError, Simulation

    if hands is not None and matches is not None:
        raise click.UsageError("--hands and --matches: one of them")
    if compare is not None and (state or svg):
        raise click.UsageError("--state and --svg are for one ruleset, not for --compare")
    names = [ruleset] if compare is None else [ruleset, compare]
    loaded = [one for name in names for one in load_all(bundled_library(), [name], as_json_)]
    program = loaded[0].program
    try:
        request = Request(
            policies(policy, program.players),
            seed,
            None if matches else hands or HANDS,
            matches,
            parameters(param, program),
            readings(reading, program),
        )
    except ChoiceError as wrong:
        raise click.UsageError(str(wrong)) from None
    with ExitStack() as stack:
        draw = stack.enter_context(whole_file("--svg", svg)) if svg else None
        crew = _crew(request, backend or "", workers, scheduler)
        stack.callback(crew.close)
        try:
            if compare is not None:
                _compared(loaded, request, crew, backend or "", as_json_)
                return
            simulation = Simulation(loaded[0], request, backend or "", _kept(loaded[0], request, state))
            whole = _played(simulation, crew, state)
        except BeyondError as wrong:
            raise click.UsageError(f"{ruleset} cannot be simulated: {wrong.why}") from None
        except NothingToCompareError as wrong:
            raise click.UsageError(f"--compare: {wrong}") from None
        outcome = simulation.outcome()
        if draw:
            from trickproof.simulate.svg import figure

            draw(figure(outcome))
        _tell(simulation, whole, state, as_json_)
    if not whole:
        sys.exit(Exit.INTERRUPTED)
    sys.exit(Exit.BUG if outcome.left_out else Exit.GOOD)


def _crew(request: Request, backend: str, workers: int | None, scheduler: str | None) -> Crew:
    """Who plays: a cluster, this process if there is little to do, or several."""
    from trickproof.simulate.crews import Alone, Cluster, Processes
    from trickproof.simulate.kernel import best_backend
    from trickproof.simulate.run import CHUNK, FEW

    if scheduler:
        try:
            return Cluster(scheduler)
        except ImportError:
            raise click.UsageError(
                "--scheduler needs dask.distributed: pip install 'trickproof[cluster]'"
            ) from None
        except (OSError, ValueError, TimeoutError) as wrong:
            raise click.UsageError(f"--scheduler: no scheduler answers at `{scheduler}`: {wrong}") from None
    several = workers or min(os.cpu_count() or 1, 8)
    little = request.hands is not None and request.hands <= CHUNK.get(backend or best_backend(), FEW)
    if several == 1 or (little and workers is None):
        return Alone()
    return Processes(several)


def _kept(ruleset: Ruleset, request: Request, state: str | None) -> Result | None:
    """What a state file holds of this run."""
    from trickproof.simulate.saved import StateError, run_key, saved
    from trickproof.simulate.tally import placed, plan

    if state is None:
        return None
    try:
        words = placed(plan(ruleset.program)).size
        return saved(Path(state), run_key(ruleset.program, request), words)
    except StateError as wrong:
        raise click.UsageError(f"--state: {wrong}") from None


def _played(simulation: Simulation, crew: Crew, state: str | None) -> bool:
    """Plays, and keeps the state; answers whether it came to the end."""
    from trickproof.simulate.saved import StateError, run_key, save

    request = simulation.request
    key = run_key(simulation.ruleset.program, request) if state else ""
    last = time.monotonic()
    total = request.hands or request.matches or 0

    def keep(result: Result) -> None:
        try:
            save(Path(str(state)), key, result)
        except StateError as wrong:
            raise click.UsageError(f"--state: {wrong}") from None

    with progress(total, "playing hand" if request.hands else "playing match") as show:

        def tell(result: Result) -> None:
            nonlocal last
            show((result.hands if request.hands else result.next) - 1, simulation.ruleset.id)
            if state and time.monotonic() - last > SAVED_EVERY:
                keep(result)
                last = time.monotonic()

        try:
            simulation.play(crew, tell)
            whole = True
        except KeyboardInterrupt:
            whole = False
    if state:
        keep(simulation.run.result)
    return whole


def _tell(simulation: Simulation, whole: bool, state: str | None, as_json_: bool) -> None:
    from trickproof.simulate.report import outcome_json, outcome_text, speed_text

    outcome = simulation.outcome()
    if as_json_:
        print_json(outcome_json(outcome) | ({} if whole else {"interrupted": True}))
    else:
        click.echo(outcome_text(outcome))
    if sys.stderr.isatty():
        click.echo(speed_text(outcome), err=True)
    if not whole:
        on = f"`{state}` keeps them: the same command goes on from there"
        lost = "--state FILE would have kept them to go on from"
        click.echo(f"interrupted after {outcome.hands:,} hands; {on if state else lost}", err=True)


def _compared(loaded: list[Ruleset], request: Request, crew: Crew, backend: str, as_json_: bool) -> None:
    from trickproof.simulate.report import paired_json, paired_text
    from trickproof.simulate.simulation import paired

    with progress(request.hands or request.matches or 0, "playing") as show:
        found = paired(
            loaded[0], loaded[1], request, crew, backend, lambda result: show(result.hands, "both")
        )
    if as_json_:
        print_json(paired_json(found))
    else:
        click.echo(paired_text(found))
