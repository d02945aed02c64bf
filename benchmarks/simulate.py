"""What simulating costs, against C written by hand, the reference interpreter and OpenSpiel, all in the same run.

    python benchmarks/simulate.py [--hands 20000000] [--rounds 5]

Every round takes each measure once, one after another, so that what else the machine does touches all alike; told are
medians, with the least and the most.  Times are CPU time of this process and its children, but for two workers.  Ratios
are of the same round, and comparable between machines as seconds are not.  What is not installed is not measured.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDERS = [str(ROOT / folder) for folder in ("dsl", "checker")]
sys.path[:0] = FOLDERS

from trickproof.simulate.api import simulate  # noqa: E402
from trickproof.simulate.compile import compiled  # noqa: E402
from trickproof.simulate.jit import machine_code  # noqa: E402
from trickproof.simulate.kernel import PYTHON, Kernel, best_backend  # noqa: E402
from trickproof.simulate.pairs import pairs  # noqa: E402
from trickproof_dsl import Library, Ruleset, render  # noqa: E402
from trickproof_dsl.players import play_hand, random_player  # noqa: E402

RULESET, CARDS = "pagat", 48
"""What the C plays, and how many cards a hand of it plays."""

WHOLE, ONE, TWO = "trickproof simulate, whole process", "kernel, one match", "kernel, two matches at a time"
C_BUILDS = {
    "C, one match at a time (bmi2)": "-DNO_VECTORS",
    "C, two matches at a time": "-DNO_VECTORS -DINTERLEAVE=2",
    "C, AVX-512 for random numbers": "-DNEED_VECTORS",
    "C, 32 matches in AVX-512 lanes": "-DLANES",
}
FAMILY = [("draw-two", 2), ("pagat", 3), ("shawn-51", 3), ("forty-in-pairs", 4), ("lowest-takes", 4), ("weaver-four", 4)]
PLAIN = [(2, 10), (2, 13), (2, 17), (3, 10), (3, 13), (3, 17), (4, 10), (4, 12)]
"""Players and tricks of plain games: a deal, a trump turned up, tricks."""

EVER = 10**12

Way = tuple[float, Callable[[], object]]
"""How many hands something plays, and what to call."""

Times = Mapping[str, list[float]]
"""Nanoseconds a hand, round by round."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hands", type=int, default=20_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    begun = perf_counter()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, back end {best_backend()}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRICKPROOF_CACHE"] = str(Path(folder, "cache"))
        os.environ["PYTHONPATH"] = os.pathsep.join(FOLDERS)
        if best_backend() == PYTHON:
            print("llvmlite is missing: only Python is measured")
            return peers({}, options.rounds)
        times = against_c(Path(folder), options.hands, options.rounds)
        policies(options.hands // 20, options.rounds)
        compiling(options.rounds)
        workers(options.hands // 2, options.rounds)
        peers(times, options.rounds)
        growth(max(options.hands // 100, 1000), options.rounds)
    print(f"\n{perf_counter() - begun:.0f} seconds")


def against_c(folder: Path, hands: int, rounds: int) -> Times:
    """The command and its kernel against C; the C plays a quarter of the hands, as it takes no time to begin."""
    kernel = Kernel(ruleset(RULESET).program)
    few, less = hands // 10, hands // 4
    stretch = kernel.play(0, 0, EVER, few)
    told = json.loads(command(few))
    ways: dict[str, Way] = {
        WHOLE: (hands, lambda: command(hands)),
        ONE: (stretch.hands, lambda: kernel.play(0, 0, EVER, few)),
        TWO: (stretch.hands, lambda: kernel.play(0, 0, stretch.next, EVER, pairs=True)),
    }
    for name, program in c_programs(folder):
        assert json.loads(run([program, "0", str(few)]))["matches"] == told["matches"], f"{name}: another game"
        ways[name] = less, lambda program=program: run([program, "0", str(less)])
    times = measured(ways, rounds)
    title(f"{hands:,} random hands of {RULESET}: ns a hand; throughput as a ratio")
    print(f"{'':36} {'':22} {'simulate':>14} {'one match':>14} {'two matches':>14}")
    for name in times:
        ratios = "".join(f"{ratio(times, name, way):>15}" for way in (WHOLE, ONE, TWO) if way != name)
        print(f"{name:36} {spread(times[name]):22}{ratios if name in C_BUILDS else ''}")
    return times


def c_programs(folder: Path) -> Iterator[tuple[str, str]]:
    """Builds of by_hand.c, as far as they can be made and run here."""
    cc = shutil.which("gcc") or shutil.which("cc")
    if cc is None:
        print("there is no C compiler: C is not measured")
        return
    macros = run([cc, "-march=native", "-dM", "-E", "-x", "c", os.devnull])
    for i, (name, flags) in enumerate(C_BUILDS.items()):
        program = str(folder / f"by_hand_{i}")
        words = [cc, "-O3", "-march=native", *flags.split(), str(ROOT / "benchmarks/by_hand.c"), "-o", program]
        vectors = "NO_VECTORS" in flags or "__AVX512IFMA__" in macros
        if vectors and subprocess.run(words, capture_output=True, check=False).returncode == 0:
            yield name, program
        else:
            print(f"{name}: not for this processor or compiler")


def policies(hands: int, rounds: int) -> None:
    ways: dict[str, Way] = {}
    for policy in ("random", "greedy"):
        kernel = Kernel(ruleset(RULESET).program, (policy,))
        first = kernel.play(0, 0, EVER, hands)
        whole = kernel.play(0, 0, first.next, EVER, pairs=True).hands
        ways[policy] = whole, lambda k=kernel, n=first.next: k.play(0, 0, n, EVER, pairs=True)
    times = measured(ways, rounds)
    title("policies: ns a hand; speed as a ratio to random")
    for name in times:
        print(f"{name:36} {spread(times[name]):22} {ratio(times, 'random', name):>14}")


def compiling(rounds: int) -> None:
    """Program to machine code, for one match at a time and for pairs; a whole short run, cold and warm."""
    title("compiling: milliseconds")
    for policy in ("random", "greedy"):
        program = ruleset(RULESET).program
        one = compiled(program, (policy,))
        two = pairs(one)
        assert two is not None
        ways: dict[str, Way] = {"to an integer program": (1, lambda p=policy: compiled(program, (p,)))}
        for name, routine in (("one match", one.routine), ("two matches", two.routine)):
            ways[f"{name}: machine code, cold"] = 1, lambda r=routine: cold(lambda: machine_code(r))
            ways[f"{name}: machine code, from the cache"] = 1, lambda r=routine: machine_code(r)
        ways["two matches: to an integer program"] = 1, lambda one=one: pairs(one)
        told = ("--policy", policy)
        ways["whole run of 1,000 hands, cold"] = 1, lambda told=told: cold(lambda: command(1000, *told))
        ways["whole run of 1,000 hands, warm"] = 1, lambda told=told: command(1000, *told)
        machine_code(one.routine), machine_code(two.routine), command(1000, *told)
        for name, found in measured(ways, rounds).items():
            print(f"{policy}, {name:42} {spread([x / 1e6 for x in found]):22}")


def workers(hands: int, rounds: int) -> None:
    chosen, ways = ruleset(RULESET), dict[str, Way]()
    for n in (1, 2):
        ways[f"{n}, within a process"] = hands, lambda n=n: simulate(chosen, hands=hands, workers=n)
        ways[f"{n}, whole process"] = hands, lambda n=n: command(hands, workers=n)
    times = measured(ways, rounds, perf_counter)
    title(f"workers: {hands:,} hands, ns a hand by the clock; speed as a ratio to one")
    for name in times:
        print(f"{name:36} {spread(times[name]):22} {ratio(times, name.replace('2', '1', 1), name):>14}")


def peers(simulated: Times, rounds: int) -> None:
    """Python, and other people's software: random hands of as many cards."""
    chosen, chance = ruleset(RULESET), Random(0)
    kernel = Kernel(chosen.program, backend=PYTHON)
    players = [random_player(seat) for seat in range(3)]
    ways: dict[str, Way] = {
        "simulate, Python back end": (500, lambda: kernel.play(0, 0, EVER, 500)),
        "reference interpreter": (100, lambda: [play_hand(chosen, players, i) for i in range(100)]),
    }
    ways |= openspiel(chance)
    times = dict(measured(ways, rounds))
    title(f"others: ns for a hand of {CARDS} cards; hands a second; how many times as fast simulate is, a match, pairs")
    for name, found in times.items():
        many = [f"{median(found) / median(simulated[way]):8.0f}" for way in (WHOLE, ONE, TWO) if way in simulated]
        print(f"{name:36} {spread(found):34} {1e9 / median(found):9,.0f} {' '.join(many)}")
    for name in times:
        if "Python loop" in name:
            print(f"reference interpreter / {name}: {ratio(times, name, 'reference interpreter')}")


def openspiel(chance: Random) -> dict[str, Way]:
    """Its games with all choices at random: hearts has 52 cards, oh hell is played with 48."""
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is missing: not measured")
        return {}

    def by_python(game: Any, hands: int) -> None:
        for _ in range(hands):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))

    def by_cpp(game: Any, bots: list[Any], hands: int) -> None:
        for i in range(hands):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, i)

    ways: dict[str, Way] = {}
    for text, cards in (("oh_hell(players=3,num_tricks_fixed=16)", 48), ("hearts", 52)):
        game, name = pyspiel.load_game(text), text.split("(")[0]
        bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
        ways[f"OpenSpiel {name}, Python loop"] = 300 * cards / CARDS, lambda g=game: by_python(g, 300)
        ways[f"OpenSpiel {name}, C++ loop"] = 1000 * cards / CARDS, lambda g=game, b=bots: by_cpp(g, b, 1000)
    return ways


def growth(hands: int, rounds: int) -> None:
    """Rulesets with their players and tricks, random players."""
    title("how cost grows: ns a hand, and a card")
    text = (ROOT / "tests/cases/rulesets/oh-hell-plays.yaml").read_text("utf-8")
    games = [(name, ruleset(name), n, {}) for name, n in FAMILY]
    for n, cards in PLAIN:
        changed, wrong = Library().load_text(text.replace("number: 3", f"number: {n}"), "plain.yaml")
        assert changed is not None, render(wrong)
        games.append((f"plain, {cards} cards each", changed, n, {"cards-each": cards}))
    print(f"{'':24} {'players':>7} {'tricks':>6} {'one match at a time':>25} {'as simulate plays':>25} {'a card':>7}")
    for name, chosen, n, given in games:
        counts = simulate(chosen, hands=20_000, parameters=given).counts
        tricks = sum(counts.tricks(seat).mean for seat in range(n))
        one, best = measured(both(Kernel(chosen.program), hands, given), rounds).values()
        print(f"{name:24} {n:7} {tricks:6.1f} {spread(one):>25} {spread(best):>25} {median(best) / n / tricks:7.2f}")


def both(kernel: Kernel, hands: int, given: Mapping[str, int]) -> dict[str, Way]:
    """The same matches one at a time, and two where that is faster."""
    matches = kernel.play(0, 0, EVER, hands, given).next
    found = kernel.play(0, 0, matches, EVER, given, pairs=True)
    return {
        str(pairs): (found.hands, lambda pairs=pairs: kernel.play(0, 0, matches, EVER, given, pairs=pairs))
        for pairs in (False, True)
    }


def ruleset(name: str) -> Ruleset:
    for folder in ("rulesets", "tests/cases/rulesets"):
        library = Library([ROOT / folder])
        if name in library.documented():
            found, problems = library.load(name)
            assert found is not None, render(problems)
            return found
    raise AssertionError(name)


def command(hands: int, *more: str, workers: int = 1) -> str:
    words = ["simulate", RULESET, "--hands", str(hands), "--workers", str(workers), "--json"]
    return run([sys.executable, "-m", "trickproof", *words, *more])


def run(words: list[str]) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@contextmanager
def empty_cache() -> Iterator[None]:
    kept = os.environ["TRICKPROOF_CACHE"]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRICKPROOF_CACHE"] = folder
        yield
    os.environ["TRICKPROOF_CACHE"] = kept


def cold(call: Callable[[], object]) -> None:
    with empty_cache():
        call()


def cpu() -> float:
    return sum(u.ru_utime + u.ru_stime for u in (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)))


def measured(ways: Mapping[str, Way], rounds: int, clock: Callable[[], float] = cpu) -> Times:
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (hands, call) in ways.items():
            begin = clock()
            call()
            times[name].append((clock() - begin) / hands * 1e9)
    return times


def spread(values: list[float]) -> str:
    digits = 0 if median(values) >= 100 else 1
    return f"{median(values):,.{digits}f} ({min(values):,.{digits}f} .. {max(values):,.{digits}f})"


def ratio(times: Times, above: str, below: str) -> str:
    """How many times as fast the second is, round by round."""
    found = [a / b for a, b in zip(times[above], times[below], strict=True)]
    return f"{median(found):.2f} ±{(max(found) - min(found)) / 2:.2f}"


def title(text: str) -> None:
    print(f"\n{text}", flush=True)


if __name__ == "__main__":
    main()
