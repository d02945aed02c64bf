"""`trickproof simulate RULESET`: millions of deals, and what can be said of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from trickproof.cli.cache_options import no_cache_option
from trickproof.cli.console.output_file import file_to_write
from trickproof.cli.console.printing import page, print_json, say, warn
from trickproof.cli.console.progress import counting, progress
from trickproof.cli.loading import load_all
from trickproof.cli.shared_options import (
    Count,
    backend_option,
    deals_option,
    json_option,
    param_option,
    policy_option,
    reaching,
    reading_option,
    scheduler_option,
    simulating_workers_option,
)
from trickproof.cli.shell_completion import complete_rulesets
from trickproof.support.bundled import bundled_library, ruleset_folder
from trickproof.support.exit_codes import Exit

if TYPE_CHECKING:
    from trickproof.simulate.runtime.compiled_cache import CompiledCache
    from trickproof.simulate.runtime.executor import Executor
    from trickproof.simulate.runtime.game import Game
    from trickproof.simulate.runtime.scheduler import Request, Result
    from trickproof.simulate.simulation import Simulation

    Draw = Callable[[str], None]

HANDS, SEARCHED = 100_000, 1_000
"""Default number of hands; the same if some player searches."""

SAVED_EVERY = 2.0
"""Seconds between two writings of the state."""


class Stop(NamedTuple):
    """Why playing ended before the end."""

    code: Exit
    why: str


@click.command()
@click.argument("ruleset", metavar="RULESET", shell_complete=complete_rulesets)
@deals_option(f"Number of deals to simulate.  [default: {HANDS}; {SEARCHED} with `search`]")
@click.option("--matches", type=Count(1), help="Number of matches to simulate, instead of --hands.")
@policy_option(
    "How players decide: `random`, `greedy`, `search:N` (N rollouts per decision), or seat by seat: `dealer=search:200,left=greedy`."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of deals and choices.")
@param_option
@reading_option
@click.option(
    "--compare",
    metavar="OTHER",
    shell_complete=complete_rulesets,
    help="A second ruleset, simulated on the same deals.",
)
@simulating_workers_option
@scheduler_option
@backend_option
@no_cache_option
@click.option("--state", metavar="FILE", help="Save progress in a file, and resume from it.")
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
    """Simulate many deals and report statistics, with 95% confidence intervals.

    The same ruleset, policy, seed and number give the same counts, with any number of workers. Results depend on the
    policy.

    Exit code 0; 70 if some deals could not be played; 130 after Ctrl-C. Partial results are always reported.
    """
    from trickproof.simulate.ir.calling_convention import BeyondError
    from trickproof.simulate.runtime.game import game_of
    from trickproof.simulate.simulation import NothingToCompareError, Simulation

    _refuse_both("give --hands or --matches, not both", hands, matches)
    _refuse_both("give --workers or --scheduler, not both", workers, scheduler)
    _refuse_both("--state and --svg are for one ruleset, not for --compare", compare, state or svg)
    if backend is not None:
        refuse_without(backend)
    names = [ruleset] if compare is None else [ruleset, compare]
    number = (None, matches) if matches else (hands or usual_hands(policy, HANDS, SEARCHED), None)

    def requests_for(games: list[Game]) -> list[Request]:
        return _requests(games, policy, seed, number, param, reading)

    earlier = _earlier(names, backend)
    games = [earlier.game] if earlier is not None and earlier.game is not None else []
    machine = earlier.machine(requests_for(games)[0]) if earlier is not None and games else None
    if machine is None:
        games = [game_of(load_all(bundled_library(), [name], as_json_)[0]) for name in names]
    requests = requests_for(games)
    with ExitStack() as stack:
        draw = file_to_write("--svg", svg)
        executor = _crew(requests[0], backend or "", workers, scheduler)
        stack.callback(executor.close)
        try:
            if compare is None:
                result = _earlier_result(games[0], requests[0], state)
                simulation = Simulation(games[0], requests[0], backend or "", result, machine)
                code = _simulated(simulation, executor, state, draw, as_json_)
                if earlier is not None and machine is None:
                    earlier.keep(games[0], requests[0], simulation.run.machine)
            else:
                code = _compared(games, requests, executor, backend or "", as_json_)
        except BeyondError as wrong:
            what = ruleset if compare is None else "--compare: one of the two"
            raise click.UsageError(f"{what} cannot be simulated: {wrong.message}") from None
        except NothingToCompareError as wrong:
            raise click.UsageError(f"--compare: {wrong}") from None
    sys.exit(code)


def _refuse_both(why: str, one: object, other: object) -> None:
    """A usage error where two options that exclude each other are given."""
    if one is not None and other is not None:
        raise click.UsageError(why)


def usual_hands(policy: str, hands: int, searched: int) -> int:
    """How many hands are played unless told otherwise."""
    from trickproof.simulate.ir.calling_convention import SEARCH

    return searched if SEARCH in policy else hands


def refuse_without(backend: str) -> None:
    """A usage error where a back end is asked for that is not installed."""
    from trickproof.simulate.ir.calling_convention import LLVM
    from trickproof.simulate.runtime.machine import best_backend

    if backend == LLVM and best_backend() != LLVM:
        raise click.UsageError("--backend llvm needs llvmlite: pip install llvmlite")


def _requests(
    games: list[Game],
    policy: str,
    seed: int,
    number: tuple[int | None, int | None],
    param: tuple[str, ...],
    reading: tuple[str, ...],
) -> list[Request]:
    """What is to be played of each ruleset; a parameter or a reading is for those that have it."""
    from trickproof.simulate.options import ChoiceError, parameters, policies, readings
    from trickproof.simulate.runtime.scheduler import Request

    try:
        chosen = policies(policy, games[0].players)
        return [
            Request(chosen, seed, *number, parameters(param, x, *games), readings(reading, x, *games))
            for x in games
        ]
    except ChoiceError as wrong:
        raise click.UsageError(str(wrong)) from None


def _crew(request: Request, backend: str, workers: int | None, scheduler: str | None) -> Executor:
    """The executor: a cluster or this machine."""
    from trickproof.simulate.simulation import crew_for

    if scheduler is None:
        return crew_for(request, backend, workers)
    from trickproof.simulate.runtime.dask_executor import DaskExecutor

    with reaching(scheduler):
        executor = DaskExecutor(scheduler)
    if not executor.cores:
        warn(f"the scheduler at {scheduler} has no workers yet: waiting for them")
    return executor


def _earlier(names: list[str], backend: str | None) -> CompiledCache | None:
    """What earlier runs have left, where machine code plays one ruleset."""
    from trickproof.simulate.ir.calling_convention import LLVM
    from trickproof.simulate.runtime.machine import best_backend

    if len(names) > 1 or (backend or best_backend()) != LLVM:
        return None
    from trickproof.simulate.runtime.compiled_cache import CompiledCache

    return CompiledCache(ruleset_folder(), names[0])


def _simulated(
    simulation: Simulation, executor: Executor, state: str | None, draw: Draw | None, as_json_: bool
) -> Exit:
    from trickproof.reports.simulation import outcome_text, simulation_document, speed_text

    keeper = _Keeper(state, simulation)
    stop = _played(simulation, executor, keeper)
    outcome = simulation.outcome()
    if draw:
        from trickproof.reports.svg.charts import figure

        draw(figure(outcome))
    if as_json_:
        print_json(simulation_document(outcome, stop is not None))
    else:
        say(outcome_text(outcome, page()))
    if sys.stderr.isatty() and (speed := speed_text(outcome)):
        warn(speed)
    if stop:
        warn(f"{stop.why} after {outcome.hands:,} deals; {keeper.way_on()}")
        return stop.code
    if keeper.wrong:
        warn(f"--state: {keeper.wrong}")
        return Exit.BAD_INPUT
    if outcome.left_out:
        warn(f"not played: {', '.join(outcome.left_out)}")
        return Exit.BUG
    return Exit.GOOD


def _earlier_result(game: Game, request: Request, state: str | None) -> Result | None:
    """What a state file holds of this run."""
    if state is None:
        return None
    from trickproof.simulate.runtime.checkpoint import StateError, resumable

    try:
        return resumable(Path(state), game, request)
    except StateError as wrong:
        raise click.UsageError(f"--state: {wrong}") from None


class _Keeper:
    """Writes the state periodically, if it is to be kept. A path that cannot be written is refused at once."""

    def __init__(self, state: str | None, simulation: Simulation) -> None:
        from trickproof.simulate.runtime.checkpoint import run_key

        self.state, self.simulation = state, simulation
        self.key = run_key(simulation.game, simulation.request) if state else ""
        self.wrong = ""
        """Why the last writing failed, if it did."""
        self.keep()
        if self.wrong:
            raise click.UsageError(f"--state: {self.wrong}")

    def keep(self) -> None:
        from trickproof.simulate.runtime.checkpoint import StateError, save

        self.last = time.monotonic()
        if self.state is None:
            return
        try:
            save(Path(self.state), self.key, self.simulation.run.result)
            self.wrong = ""
        except StateError as wrong:
            self.wrong = str(wrong)

    def now_and_then(self) -> None:
        if time.monotonic() - self.last > SAVED_EVERY:
            self.keep()

    def way_on(self) -> str:
        """The command that resumes after an interruption."""
        if self.state is None:
            return "use --state FILE to save progress and resume"
        return self.wrong or f"`{self.state}` has them: the same command resumes from there"


def _played(simulation: Simulation, executor: Executor, keeper: _Keeper) -> Stop | None:
    """Plays and keeps the state; answers why it stopped before the end, if it did."""
    from trickproof.simulate.runtime.executor import StoppedError

    request, stop = simulation.request, None
    total = request.hands or request.matches or 0
    with progress(total, "playing deal" if request.hands else "playing match") as show:

        def tell(result: Result) -> None:
            show((result.hands if request.hands else result.next) - 1, simulation.game.id)
            keeper.now_and_then()

        try:
            simulation.play(executor, tell)
        except KeyboardInterrupt:
            stop = Stop(Exit.INTERRUPTED, "interrupted")
        except StoppedError as wrong:
            stop = Stop(Exit.BUG, str(wrong))
    keeper.keep()
    return stop


def _compared(
    games: list[Game], requests: list[Request], executor: Executor, backend: str, as_json_: bool
) -> Exit:
    from trickproof.reports.simulation import paired_document, paired_text
    from trickproof.simulate.runtime.executor import StoppedError
    from trickproof.simulate.simulation import paired

    with counting("playing") as tell:
        try:
            comparison = paired(games[0], games[1], requests[0], executor, backend, tell, requests[1])
        except StoppedError as wrong:
            warn(str(wrong))
            return Exit.BUG
    if as_json_:
        print_json(paired_document(comparison))
    else:
        say(paired_text(comparison, page()))
    return Exit.GOOD
