"""The cost of simulating, compared with hand-written C, the reference interpreter and OpenSpiel, all in the same run.

    python tests/benchmarks/simulate.py [--hands 20000000] [--rounds 5]

Every round takes each measurement once, one after another, so that other load on the machine affects all alike; medians
are reported, with minimum and maximum.  Times are CPU time of this process and its children, except with two workers.
Ratios are within one round; unlike seconds, they are comparable between machines.  What is not installed is skipped.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDERS = [str(ROOT / folder) for folder in ("dsl", "checker")]
sys.path[:0] = FOLDERS

from trickproof.simulate.api import simulate  # noqa: E402
from trickproof.simulate.backends.interleave import interleaved  # noqa: E402
from trickproof.simulate.backends.jit import machine_code  # noqa: E402
from trickproof.simulate.ir.calling_convention import PYTHON  # noqa: E402
from trickproof.simulate.program.compile import compile_program  # noqa: E402
from trickproof.simulate.runtime.kernel import Kernel  # noqa: E402
from trickproof.simulate.runtime.machine import best_backend  # noqa: E402
from trickproof_dsl import Library, Player, Ruleset, render  # noqa: E402
from trickproof_dsl.playing import play_hand, random_player  # noqa: E402

RULESET, CARDS = "pagat", 48
"""The ruleset that the C program plays, and the number of cards played in a deal."""

EVER = 10**12

WHOLE, ONE, SEVERAL = (
    "simulate, whole process",
    "kernel, one match at a time",
    "kernel, three matches interleaved",
)
INTERPRETER = "compiled interpreter"
C_FILE = str(ROOT / "tests/benchmarks/by_hand.c")
C_BUILDS = {
    "C, one match at a time (bmi2)": "-DNO_VECTORS",
    "C, two matches at a time": "-DNO_VECTORS -DINTERLEAVE=2",
    "C, AVX-512 for random numbers": "-mavx512ifma",
    "C, 32 matches in AVX-512 lanes": "-DLANES",
}
GAMES = ("draw-two", "pagat", "shawn-51", "forty-in-pairs", "lowest-takes", "weaver-four")
PLAIN = (2, 10), (2, 13), (2, 17), (3, 10), (3, 13), (3, 17), (4, 10), (4, 12)
"""Numbers of players, and of cards each, of games that consist of tricks only."""

Way = tuple[float, Callable[[], object]]
"""The number of deals to play, and the function to call."""

Times = dict[str, list[float]]
"""Nanoseconds per deal, round by round."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hands", type=int, default=20_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    hands, rounds, begun = max(options.hands, 1_000_000), options.rounds, perf_counter()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, back end {best_backend()}")
    os.environ["PYTHONPATH"] = os.pathsep.join(FOLDERS)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRICKPROOF_CACHE"] = str(Path(folder, "cache"))
        if best_backend() == PYTHON:
            print("llvmlite is missing: only Python is measured")
            return peers({}, rounds)
        times = against_c(Path(folder), hands, rounds)
        policies_and_workers(hands, min(rounds, 3))
        compiling(min(rounds, 3))
        peers(times, rounds)
        growth(hands // 100, min(rounds, 3))
    print(f"\n{perf_counter() - begun:.0f} seconds")


def against_c(folder: Path, hands: int, rounds: int) -> Times:
    """The command and its kernel compared with C, which plays a tenth of the deals because it has no start-up cost."""
    few = hands // 10
    matches = json.loads(command(few))["matches"]
    ways: dict[str, Way] = {WHOLE: (hands, partial(command, hands)), **both(ruleset(RULESET), few, {})}
    for name, program in c_programs(folder):
        ways[name] = few, partial(run, [program, "0", str(few)])
        assert json.loads(run([program, "0", str(few)]))["matches"] == matches, name
    times = measured(ways, rounds)
    print(f"\n{hands:,} random hands of {RULESET}: ns a hand; throughput as a ratio to C")
    print(f"{'':58}{'simulate':>15}{'one match':>15}{'three':>15}")
    for name, found in times.items():
        ratios = [f"{ratio(times, name, way):>15}" for way in (WHOLE, ONE, SEVERAL) if name in C_BUILDS]
        print(f"{name:34}{spread(found):24}" + "".join(ratios))
    return times


def c_programs(folder: Path) -> Iterator[tuple[str, str]]:
    """The builds of by_hand.c that can be made and run here."""
    cc = shutil.which("gcc") or shutil.which("cc") or "no-compiler"
    for name, flags in C_BUILDS.items():
        program = str(folder / name.replace(" ", "-"))
        try:
            run([cc, "-O3", "-march=native", *flags.split(), "-o", program, C_FILE])
            run([program, "0", "1000"])
            yield name, program
        except (OSError, subprocess.CalledProcessError):
            print(f"{name}: not with this processor and compiler")


def policies_and_workers(hands: int, rounds: int) -> None:
    chosen = ruleset(RULESET)
    policies = {name: both(chosen, hands // 20, {}, name)[SEVERAL] for name in ("random", "greedy")}
    workers = {str(n): (hands, partial(simulate, chosen, hands=hands, workers=n)) for n in (1, 2)}
    for text, ways, clock, times_over in (
        ("policies", policies, cpu, rounds),
        ("workers, by the clock (what else is running counts)", workers, perf_counter, rounds),
        ("workers, CPU time of all", workers, cpu, 1),
    ):
        times = measured(ways, times_over, clock)
        print(f"\n{text}: ns a hand; speed as a ratio to the first")
        for name, found in times.items():
            print(f"{name:34}{spread(found):24}{ratio(times, next(iter(ways)), name):>15}")


def compiling(rounds: int) -> None:
    """From program to machine code, for one match at a time and for two; a short run, start-up included."""
    calls: dict[str, Callable[[], object]] = {"run of 1,000 hands, whole process": partial(command, 1000)}
    ways: dict[str, Way] = {}
    for policy in ("random", "greedy"):
        program = ruleset(RULESET).program
        one = compile_program(program, (policy,))
        several: Any = interleaved(one)
        ways[f"{policy}, one match: integer program"] = 1e6, partial(compile_program, program, (policy,))
        ways[f"{policy}, three matches: integer program"] = 1e6, partial(interleaved, one)
        calls[f"{policy}, one match: machine code"] = partial(machine_code, one.routine)
        calls[f"{policy}, three matches: machine code"] = partial(machine_code, several)
    for name, call in calls.items():
        call()
        ways |= {f"{name}, nothing cached": (1e6, partial(cold, call)), f"{name}, cached": (1e6, call)}
    print("\ncompiling: milliseconds")
    for name, found in sorted(measured(ways, rounds).items()):
        print(f"{name:58}{spread(found)}")


def peers(simulated: Times, rounds: int) -> None:
    """Python, and third-party software: random deals with the same number of cards."""
    chosen, players = ruleset(RULESET), [random_player(seat) for seat in range(3)]
    kernel = Kernel(chosen.program, backend=PYTHON)
    ways: dict[str, Way] = {
        "simulate, Python back end": (500, lambda: kernel.play(0, 0, EVER, 500)),
        INTERPRETER: (400, partial(interpreted, chosen, players, 400)),
        **openspiel(Random(0)),
    }
    times = measured(ways, rounds)
    print(f"\nothers, for hands of {CARDS} cards: ns a hand; hands a second; how many times as fast is ...")
    print(f"{'':81}{'simulate':>12}{'one match':>12}{'three':>12}{'interpreter':>12}")
    for name, found in times.items():
        fast = [*(simulated[way] for way in (WHOLE, ONE, SEVERAL) if simulated), times[INTERPRETER]]
        ratios = "".join(f"{median(found) / median(other):12.4g}" for other in fast)
        print(f"{name:38}{spread(found):34}{1e9 / median(found):9,.0f}{ratios}")


def interpreted(chosen: Ruleset, players: list[Player], hands: int) -> None:
    """Deals that are not recorded, like OpenSpiel's."""
    for number in range(hands):
        play_hand(chosen, players, number)


def openspiel(chance: Random) -> dict[str, Way]:
    """Its games with random choices throughout: oh hell with 48 cards, hearts with 52."""
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        print("OpenSpiel is missing: not measured")
        return {}

    def by_python(game: Any, _: object) -> None:
        for _ in range(300):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))

    def by_cpp(game: Any, bots: list[Any]) -> None:
        for i in range(300):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, i)

    ways: dict[str, Way] = {}
    for text, cards in (("oh_hell(players=3,num_tricks_fixed=16)", 48), ("hearts", 52)):
        game, name = pyspiel.load_game(text), text.split("(")[0]
        bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
        for loop, play in (("Python", by_python), ("C++", by_cpp)):
            ways[f"OpenSpiel {name}, {loop} loop"] = 300 * cards / CARDS, partial(play, game, bots)
    return ways


def growth(hands: int, rounds: int) -> None:
    """How the cost grows with the numbers of players and tricks, in random play."""
    print("\nhow cost grows: ns a hand; then, the faster way, a card")
    print(f"{'':16}{'players':>8}{'tricks':>8}{ONE:>30}{'as simulate plays':>30}{'a card':>8}")
    for name, n, cards in [*((name, 0, 0) for name in GAMES), *(("oh-hell-plays", *size) for size in PLAIN)]:
        chosen, given = ruleset(name, n), {"cards-each": cards} if cards else {}
        players, counts = chosen.program.players, simulate(chosen, hands=20_000, parameters=given).counts
        tricks = sum(counts.tricks(seat).mean for seat in range(players))
        one, best = measured(both(chosen, hands, given), rounds).values()
        card = min(median(one), median(best)) / players / tricks
        print(f"{name:16}{players:8}{tricks:8.1f}{spread(one):>30}{spread(best):>30}{card:8.2f}")


def both(chosen: Ruleset, hands: int, given: Mapping[str, int], policy: str = "random") -> dict[str, Way]:
    """The same matches, one at a time and, if that is faster, two at a time."""
    kernel = Kernel(chosen.program, (policy,))
    last = kernel.play(0, 0, EVER, hands, given).next
    play = partial(kernel.play, 0, 0, last, EVER, given)
    played = play(interleaved=True).hands
    return {ONE: (played, play), SEVERAL: (played, partial(play, interleaved=True))}


def ruleset(name: str, players: int = 0) -> Ruleset:
    """A ruleset of the repository, optionally with another number of players."""
    [path] = [*ROOT.glob(f"rulesets/{name}.yaml"), *ROOT.glob(f"tests/cases/rulesets/{name}.yaml")]
    text = path.read_text("utf-8").replace("number: 3", f"number: {players or 3}")
    found, problems = Library([path.parent]).load_text(text, str(path))
    assert found is not None, render(problems)
    return found


def command(hands: int, policy: str = "random") -> str:
    words = ["simulate", RULESET, "--hands", str(hands), "--policy", policy, "--workers", "1", "--json"]
    return run([sys.executable, "-m", "trickproof", *words])


def run(words: list[str]) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def cold(call: Callable[[], object]) -> None:
    """With an empty cache."""
    kept = os.environ["TRICKPROOF_CACHE"]
    with tempfile.TemporaryDirectory() as os.environ["TRICKPROOF_CACHE"]:
        call()
    os.environ["TRICKPROOF_CACHE"] = kept


def cpu() -> float:
    return sum(used.ru_utime + used.ru_stime for used in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def measured(ways: Mapping[str, Way], rounds: int, clock: Callable[[], float] = cpu) -> Times:
    times: Times = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (hands, call) in ways.items():
            gc.collect()  # what others have left
            begin = clock()
            call()
            times[name].append((clock() - begin) / hands * 1e9)
    return times


def spread(values: list[float]) -> str:
    return f"{median(values):,.1f} ({min(values):,.1f} .. {max(values):,.1f})"


def ratio(times: Times, above: str, below: str) -> str:
    """The speed-up of the second over the first, round by round."""
    found = [a / b for a, b in zip(times[above], times[below], strict=True)]
    return f"{median(found):.2f} ±{(max(found) - min(found)) / 2:.2f}"


if __name__ == "__main__":
    main()
