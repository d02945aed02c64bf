"""The law that the symbolic executor over-approximates the interpreter, for some deals of a ruleset.

Whatever a deal leads to, for any cards and choices, is possible on some symbolic path, in counts and in bits,
with none of its obligations violated; where the rules fail at run time, the corresponding obligation remains
open; and whatever an abstraction represents exactly equals the interpreter's value. It may allow more, never
less.
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
    """Random deals from random carried values, which the executor knows exactly or only by constraints."""
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
    """The law, for some deals of one ruleset."""
    follow(loaded(text).program, text, seed, number, Counter() if seen is None else seen)


def follow(program: c.Program, text: str, seed: int, number: int, seen: Counter[str]) -> None:
    """The law; `seen` counts the outcomes of the deals."""
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
    """On a deal's only path, whatever an abstraction represents exactly equals the interpreter's value."""
    ways = [reader for reader, _ in paths if reader.vague < {"counts", "bits"} and reader.possible()]
    if len(ways) == 1 == len(paths):
        looked_at, wrong = untold(ways[0], played)
        assert wrong == [], f"{wrong} {played.decided}"
        seen["told exactly"] += looked_at
