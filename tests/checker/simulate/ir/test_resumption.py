"""A scope that is left at a point and entered again behind it computes what it would have computed without stopping."""

from __future__ import annotations

from array import array
from functools import cache

import pytest

from checker.adapters.peer_rulesets import ROOT, loaded
from trickproof.analysis.points import points_of
from trickproof.information.record import RecordForm
from trickproof.simulate.backends.jit import Code, machine_code
from trickproof.simulate.backends.python import PythonFunction, python_function
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import LLVM, PYTHON
from trickproof.simulate.ir.dead_code import eliminate_dead_code
from trickproof.simulate.ir.instructions import Expr, If, Routine, Stmt, load, op
from trickproof.simulate.ir.resumption import MOST_SAVED, PAUSED, RESUME, SAVED, pause, resumable
from trickproof.simulate.policies.auto import AutoPolicy
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.script.program import compile_script
from trickproof.simulate.script.trials import IO_WORDS

STOP, ANSWER = "m.stop", "m.answer"
AT_A_POINT, TOO_MUCH = 9, 3
STEPS, ANSWERS = 14, (5, 1, 2)
"""The number of choices on the longest path, and what is answered at the one where it stops."""


class Game:
    """A scope with choices in loops, in both branches of a condition, and behind each other; whatever was computed is used later."""

    def __init__(self, b: Builder, words: int) -> None:
        self.b, self.points = b, 0
        self.save: list[Stmt] = []
        self.restore: list[Stmt] = []
        b.array("heap", words)

    def choice(self) -> Expr:
        """The answer at choice `STOP`, otherwise a number that depends on everything so far."""
        b = self.b
        self.points += 1
        with b.when(op("select", op("eq", "m.step", STOP), op("eq", ANSWER, -1), 0)):
            pause(b, self.points, AT_A_POINT)
        here = op("eq", "m.step", STOP)
        chosen = b.mutable(op("select", here, ANSWER, op("mod", op("add", "m.sum", load("heap", 1)), 7)))
        b.set("m.step", op("add", "m.step", 1))
        return b.let(chosen)

    def add(self, value: Expr) -> None:
        b = self.b
        b.set("m.sum", op("mod", op("add", op("mul", "m.sum", 5), value), 1009))
        index = b.let(op("mod", "m.sum", 4))
        b.store("heap", index, op("add", load("heap", index), value))

    def scope(self) -> None:
        b = self.b
        factor = b.let(op("add", load("params", 0), load("heap", 0)))
        last = b.let(op("add", op("mod", factor, 2), 2))

        def outer(i: Expr) -> None:
            twice = b.let(op("mul", op("add", i, factor), 2))
            one = self.choice()
            self.add(op("add", twice, one))

            def inner(j: Expr) -> None:
                before = b.let(op("mul", j, "m.sum"))
                odd = b.let(op("mod", "m.sum", 2))
                b.either(
                    odd,
                    lambda: self.add(op("sub", self.choice(), before)),
                    lambda: self.add(op("add", self.choice(), before)),
                )
                b.guard(op("lt", 1000, op("add", before, "m.sum")), TOO_MUCH)

            b.times(1, last, inner)
            self.add(op("add", twice, factor))

        b.times(1, 2, outer)
        middle = b.let(op("mul", "m.sum", factor))
        self.add(self.choice())
        self.add(middle)


def routine(words: int = 4) -> Routine:
    """Plays with each answer in turn at choice `io[0]`: `io[1]` says whether from where it stopped, or all from the start."""
    b = Builder(("params", "io", "totals"))
    game = Game(b, words)
    for name in (PAUSED, RESUME):
        b.set(name, 0)
    b.set(STOP, load("io", 0))

    def play(number: Expr) -> None:
        first = b.let(op("eq", number, 0))
        b.set(ANSWER, op("select", first, -1, load("io", op("add", number, 1))))
        b.set(RESUME, op("select", first, 0, op("select", load("io", 1), PAUSED, 0)))
        b.set("m.step", 0)
        b.set("m.sum", load("params", 1))
        b.times(0, 3, lambda i: b.store("heap", i, op("add", i, load("params", 0))))
        b.write(If(op("ne", RESUME, 0), game.restore, []))
        with b.scope():
            game.scope()
        at_a_point = b.let(op("eq", "left", AT_A_POINT))
        b.write(If(at_a_point, game.save, []))
        b.store("totals", number, op("add", op("mul", "m.sum", 100), "left"))
        b.store("totals", op("add", number, 10), load("heap", 2))

    b.times(0, len(ANSWERS), play)
    b.store("io", 0, PAUSED)
    resumable(b.routine, game.save, game.restore)
    eliminate_dead_code(b.routine)
    return b.routine


@cache
def interpreted() -> PythonFunction:
    return python_function(routine())


@cache
def compiled() -> Code:
    return machine_code(routine())


def run(backend: str, stop: int, resumes: bool, seed: int) -> tuple[list[int], int]:
    """The results with each answer, and the number of the point at which the scope stopped first."""
    words = [array("q", x) for x in ([seed, 3 * seed + 1], [stop, int(resumes), *ANSWERS], [0] * 20)]
    if backend == PYTHON:
        interpreted()(*words)
    else:
        compiled().run(*words)
    return words[2].tolist(), words[1][0]


@pytest.mark.parametrize("backend", [PYTHON, LLVM])
def test_going_on_is_the_same_as_starting_again(backend: str) -> None:
    if backend == LLVM != best_backend():
        pytest.skip("there is no llvmlite")
    points = set()
    for seed in range(4):
        for stop in range(STEPS):
            resumed, point = run(backend, stop, True, seed)
            assert resumed == run(backend, stop, False, seed)[0]
            assert resumed == run(PYTHON, stop, True, seed)[0]
            points.add(point)
    assert points == {0, 1, 2, 3, 4}


def test_too_much_to_save_is_not_saved() -> None:
    """Then the scope begins at its start, with the same results."""
    large = routine(MOST_SAVED)
    assert SAVED in routine().inner
    assert SAVED not in large.inner
    words = [array("q", x) for x in ([1, 4], [3, 1, *ANSWERS], [0] * 20)]
    python_function(large)(*words)
    assert words[2].tolist() == run(PYTHON, 3, True, 1)[0]


@pytest.mark.parametrize("name", ["pagat", "games/oh-hell"])
def test_hands_of_ordinary_games_are_resumed(name: str) -> None:
    """Even where numbers can be chosen that do not fit a mask."""
    program = loaded(ROOT / f"rulesets/{name}.yaml").program
    script = compile_script(RecordForm(program), AutoPolicy(IO_WORDS), points_of(program).variable)
    assert 0 < script.routine.inner[SAVED] < 200
