"""The simulator agrees with the interpreter, in both of its forms.

Law: deals that the integer program plays (cards and choices by seed) are replayed by the interpreter with the
same cards and choices: the same decisions with the same options come up in the same order, the state is the
same after every phase, and the deal ends or fails at run time at the same point. Machine code and Python
produce the same trace, word for word.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agreement.simulated import agree, noted, replayed
from budget import RUN, count, slow_but
from dsl.small_games import BUNDLED, NAMES, ROOT, bundled
from trickproof.simulate.backends import jit
from trickproof.simulate.ir import instructions as ir
from trickproof.simulate.ir.calling_convention import BACKENDS, LLVM, PYTHON
from trickproof.simulate.runtime import lanes
from trickproof.simulate.runtime.kernel import Kernel
from trickproof_dsl import Library, core as c, render
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value

GAMES = sorted(path.stem for path in (ROOT / "rulesets/games").glob("*.yaml"))

ALL = (*NAMES, *GAMES)
SOME = ("pagat", "draw-two", "forty-in-pairs", "hearts")
"""Rulesets of the default run, which between them have the features of the others."""

HOUSE = sorted(path.stem for path in (ROOT / "rulesets/house").glob("*.yaml"))


def mixed(players: int) -> tuple[str, ...]:
    """A greedy dealer among others."""
    return tuple(("greedy", "random", "greedy", "random", "random", "greedy")[:players])


def agree_all(*names: str) -> None:
    for name in names:
        agree(bundled(name).program, ("random",), 1, 20)


@pytest.mark.parametrize("name", slow_but(SOME, ALL))
def test_rulesets(name: str) -> None:
    program = bundled(name).program
    assert agree(program, mixed(program.players), 1, 12) > 12


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
@pytest.mark.grows("agreement.simulated_hands")
def test_many_hands(name: str) -> None:
    """Twenty thousand deals in the full run."""
    program, hands = bundled(name).program, count("agreement.simulated_hands") // 20
    for seed in range(18):
        assert agree(program, ("random",), seed, hands) > hands
    for seed in range(2):
        assert agree(program, mixed(program.players), seed, hands) > hands


@pytest.mark.parametrize("name", slow_but(HOUSE[:6], HOUSE, RUN))
def test_house_rules(name: str) -> None:
    ruleset, wrong = BUNDLED.load(str(ROOT / f"rulesets/house/{name}.yaml"))
    assert ruleset is not None, render(wrong)
    kernel = Kernel(ruleset.program, backend=PYTHON, traced=True)
    assert replayed(kernel, noted(kernel, 3, 6)) > 6


@pytest.mark.parametrize("name", slow_but(("draw-two",), ALL))
def test_the_forms_count_the_same(name: str) -> None:
    """Without tracing, so that nothing prevents the compiler from eliminating code."""
    program = bundled(name).program
    totals = {
        Kernel(program, mixed(program.players), form).play(5, 3, 10**9, 250).totals for form in BACKENDS
    }
    assert len(totals) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_the_forms_count_random_play_the_same(name: str) -> None:
    program = bundled(name).program
    assert len({Kernel(program, backend=form).play(5, 3, 10**9, 250).totals for form in BACKENDS}) == 1


@pytest.mark.parametrize("name", slow_but(("whist",), ("pagat", "whist", "gamerules", "weaver-four")))
def test_matches_abreast_and_plain_processors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interleaved matches count what single ones count; so does code without special instructions."""
    program = bundled(name).program
    kernel = Kernel(program, mixed(program.players), LLVM)
    monkeypatch.setattr(Kernel, "_faster", lambda *_: True)
    matches = 20 if name == "weaver-four" else 300 if name != "whist" else 60
    once = kernel.play(5, 0, matches, 10**6, most=3000)
    assert kernel.play(5, 0, matches, 10**6, most=3000, interleaved=True) == once
    assert kernel.several([]) is not None
    monkeypatch.setattr(jit, "fast_bits", lambda: False)
    assert Kernel(program, mixed(program.players), LLVM).play(5, 0, matches, 10**6, most=3000) == once


@RUN
def test_matches_that_part_are_played_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deals of these games often take different paths through their loops."""
    monkeypatch.setattr(Kernel, "_faster", lambda *_: True)
    for name in ("draw-two", "forty-in-pairs", "lowest-takes"):
        kernel = Kernel(bundled(name).program, backend=LLVM)
        for patience in (1, 10**6):
            monkeypatch.setattr(lanes, "PATIENCE", patience)
            assert kernel.play(3, 7, 107, 10**6, interleaved=True) == kernel.play(3, 7, 107, 10**6)


def test_matches_abreast_without_hands_enough_count_the_first_matches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Kernel, "_faster", lambda *_: True)
    kernel = Kernel(bundled("pagat").program, backend=LLVM)
    assert kernel.play(3, 0, 10**6, 777, interleaved=True) == kernel.play(3, 0, 10**6, 777)


@RUN
def test_readings_and_parameters() -> None:
    program = bundled("gamerules").program
    kernel = Kernel(program, traced=True, backend=PYTHON)
    for readings in ({"reveal": 1}, {rule: len(names) - 1 for rule, names in program.readings.items()}):
        assert replayed(kernel, noted(kernel, 4, 10, readings=readings), readings=readings) > 10
    kernel = Kernel(bundled("nine-five-two").program, backend=LLVM, traced=True)
    shorter, longer = (noted(kernel, 4, 300, parameters={"goal": goal}) for goal in (10, 20))
    assert replayed(kernel, longer[:20], parameters={"goal": 20}) > 20
    assert sum(hand.number == 0 for hand in shorter) > sum(hand.number == 0 for hand in longer)


BIDS = """\
ruleset: bids
title: Bids far apart
players: {number: 3, assumes: a test}
deck:
  ranks: 2 3 4 5 6
  suits: C=clubs D=diamonds H=hearts
options:
  call: pass | play-on | double
state:
  bid: {type: integer, of: player}
  best: {type: integer}
  said: {type: call, of: player}
rules:
  hand:
    rule: |
      shuffle
      for p in players, clockwise from dealer:
          deal 5 cards to hand of p
      for p in players, clockwise from dealer:
          p chooses bid of p from 18 to best + 400 with bid mod 7 = 4
          p chooses said of p
          if bid of p > best:
              best becomes bid of p
          p chooses score of p from 0 to number of hand of p
          for n in 1 to bid of p:
              tricks of p becomes tricks of p + n mod 5
      if best > 380:
          the match ends, won by players with the highest bid
    assumes: a test
  next-dealer:
    rule: left of dealer
    assumes: a test
"""


def loaded(text: str) -> c.Program:
    ruleset, wrong = Library().load_text(text, "test.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset.program


def test_numbers_far_apart() -> None:
    """Options that fit in no word are enumerated; a policy function receives all of them."""
    program = loaded(BIDS)
    assert agree(program, ("random",), 1, 12) == 12 * 9
    asked: list[int] = []

    def highest(_: State, decision: Decision) -> Value:
        asked.append(len(decision.legal))
        return decision.legal[-1]

    kernel = Kernel(program, (highest,), traced=True)
    assert replayed(kernel, noted(kernel, 1, 5)) == 45
    assert max(asked) > 64


def test_functions_decide() -> None:
    """Policy functions see the state and the legal choices; an illegal choice is refused."""
    program = bundled("pagat").program

    def lowest(state: State, decision: Decision) -> Value:
        if decision.type != c.CARDS:
            return decision.legal[0]
        assert decision.label != "play" or set(decision.legal) <= set(state.cards("hand", decision.player))
        return frozenset(decision.legal[: decision.low])

    kernel = Kernel(program, (lowest, "random", "greedy"), traced=True)
    assert replayed(kernel, noted(kernel, 1, 30)) > 1000
    wrong = Kernel(program, (lambda *_: frozenset({0, 1, 2}),))
    with pytest.raises(ValueError, match="not a legal choice"):
        wrong.play(1, 0, 10, 10)


def swapped(name: str, other: str) -> Callable[[pytest.MonkeyPatch], None]:
    """A seeded mistake: one operation in place of another, in the Python form."""

    def made(patch: pytest.MonkeyPatch) -> None:
        from trickproof.simulate.backends import python as python_backend

        patch.setitem(python_backend._FORMS, name, python_backend._FORMS[other])

    return made


@pytest.mark.parametrize(("name", "other"), [("lt", "le"), ("xor", "or"), ("without", "and"), ("add", "or")])
def test_mistakes_are_found(name: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    swapped(name, other)(monkeypatch)
    with pytest.raises((AssertionError, ValueError, IndexError, KeyError)):
        agree_all("pagat", "forty-in-pairs", "weaver-four")


def test_folding_means_the_same() -> None:
    """Constants are folded as the operations define, and shortcuts change nothing."""
    for name, meaning in ir.OPERATIONS.items():
        number = meaning.__code__.co_argcount
        for a in (1, 2, 5):
            args = [a, 3, 2][:number]
            assert ir.op(name, *args) == int(meaning(*args))
