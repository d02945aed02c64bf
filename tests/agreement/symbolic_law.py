"""The law that the symbolic reader means the same as the interpreter, for some hands of a ruleset.

Whatever a hand comes to in play, with whatever is dealt and chosen, is possible on some path of the symbolic reader,
in counts and in bits, none of its obligations coming true; where the rules fail at run time, the obligation that says so is
left open; and what a half can tell exactly, it tells as the interpreter does.  More may be allowed, nothing less.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from agreement.recorded import Played, play
from agreement.shadow import Paths, disagreement, shadows, untold
from trickproof.proofs.smt.path_enumeration import TooManyPathsError
from trickproof_dsl import Library, core as c, render
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.values import Key, Value


def loaded(text: str) -> Ruleset:
    ruleset, wrong = Library().load_text(text, "random.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


def hands(program: c.Program, seed: int, number: int) -> list[tuple[Played, list[Key]]]:
    """Random hands from random carried values, which the reader is told, or which it only knows something about."""
    found = []
    for i in range(number):
        rng = Random(f"{seed} {i}")
        carried: dict[Key, Value] = {
            (name, p): rng.randint(-2, 2) for name in ("over", "score") for p in range(program.players)
        }
        played = play(program, seed + i, {**carried, ("dealer",): rng.randrange(program.players)})
        if played is not None:
            found.append((played, list(carried) if i % 2 else []))
    return found


def agree(text: str, seed: int, number: int, seen: Counter[str] | None = None) -> None:
    """The law, for some hands of one ruleset."""
    follow(loaded(text).program, text, seed, number, Counter() if seen is None else seen)


def follow(program: c.Program, text: str, seed: int, number: int, seen: Counter[str]) -> None:
    """The law; `seen` counts what the hands came to."""
    for played, symbolic in hands(program, seed, number):
        fault = played.end.fault
        try:
            paths = list(shadows(program, played, symbolic))
        except TooManyPathsError:
            seen["too many paths"] += 1
            continue
        wrong = disagreement(paths, played)
        assert wrong is None, f"{wrong}\ndecided: {played.decided}\n{text}"
        seen["failed" if fault else "complete"] += 1
        if fault is None:
            exact(paths, played, seen)


def exact(paths: Paths, played: Played, seen: Counter[str]) -> None:
    """On a hand's only path, what a half can tell exactly is what the interpreter has."""
    ways = [reader for reader, _ in paths if reader.vague < {"counts", "bits"} and reader.possible()]
    if len(ways) == 1 == len(paths):
        looked_at, wrong = untold(ways[0], played)
        assert wrong == [], f"{wrong} {played.decided}"
        seen["told exactly"] += looked_at
