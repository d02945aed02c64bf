"""Bids by lines: the same in the simulator's programs as in plain Python, found by rollouts, and worth something."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from budget import RUN
from checker.adapters.peer_rulesets import from_text
from checker.rulesets_for_tests import documented
from trickproof.search import bids
from trickproof.search.bids import Row, Table, fit, lines_of
from trickproof.simulate.api import simulate
from trickproof.simulate.backends.python import python_function
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.instructions import load, op
from trickproof.simulate.lowering.choices import WIDE, ValueOptions
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.lowering.expressions import ExpressionLowering
from trickproof.simulate.lowering.fault_codes import FaultCodes
from trickproof.simulate.policies.bids import bid_or, has_line
from trickproof.simulate.runtime.kernel import Kernel
from trickproof.testing.bids import NO_LINE, UNIT, bid_sites, line_words, nearest
from trickproof.testing.greedy_player import greedy_player
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk

BIDS = ["oh-hell", "spades"]


def lines(name: str, backend: str = "llvm") -> bids.Lines:
    return lines_of(documented(name).program, backend, {}, {})


@pytest.mark.parametrize("wide", [False, True])
def test_programs_choose_the_option_next_to_the_line(wide: bool) -> None:
    """Options as a mask, or listed; the line is a constant."""
    program = documented("spades").program
    (t,) = (x for x in walk(program.hand) if isinstance(x, c.ChooseValue))
    b = Builder(("params", "z.hand", "v.trump", "asked", WIDE, "out"))
    v = ExpressionLowering(program, DataLayout(program), b, FaultCodes())
    first, mask, count = (b.let(load("asked", i)) for i in range(3))
    assert has_line(v, t)
    b.store(
        "out", 0, bid_or(v, t, 0, ValueOptions(first, mask, False, count, wide), lambda: op("add", 99, 0))
    )
    run = python_function(b.routine)
    out, chance = [0], Random(1)
    for _ in range(2_000):
        places = sorted(chance.sample(range(64), chance.randint(1, 14)))
        base, number = chance.randint(-3, 3), chance.randint(-10, 80)
        offered = [base + x for x in places]
        line = (0, 0, number * UNIT + UNIT // 2)
        run([*line], [0] * 4, [0], [base, sum(1 << x for x in places), len(places)], offered, out)
        assert out[0] == nearest(number, offered)
    run([*NO_LINE], [0] * 4, [0], [0, 1, 1], [0], out)
    assert out[0] == 99


@RUN
@pytest.mark.parametrize("name", BIDS)
def test_greedy_players_bid_as_the_simulators_greedy_policy_does(name: str, shared_cache: Path) -> None:
    """Nothing is left to chance, so that the counts are the same to the last trick and point."""
    ruleset = documented(name)
    player = greedy_player(lines=lambda: lines(name))
    counts = [simulate(ruleset, hands=30, policies=[x], seed=2).counts for x in ("greedy", player)]
    assert counts[0].totals == counts[1].totals


def test_matches_that_random_bids_never_end(shared_cache: Path) -> None:
    """In spades, random bids lose hundreds of points a deal; good ones win matches in a dozen deals."""
    counts = simulate(documented("spades"), hands=2_000, policies=["greedy"], seed=5).counts
    assert counts.matches > 100


def test_bids_by_strength_are_met_twice_as_often(shared_cache: Path) -> None:
    met = [
        sum(
            simulate(documented("oh-hell"), hands=2_000, policies=[x], seed=5).counts.met(p).mean
            for p in range(4)
        )
        for x in ("random", "greedy")
    ]
    assert met[1] > 2 * met[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", BIDS)
def test_both_back_ends_find_the_same_lines(name: str) -> None:
    program = documented(name).program
    settings_ = {x: values[0] for x, values in program.parameters.items()}, dict.fromkeys(program.readings, 0)
    found = [Table(program, backend, *settings_).fitted() for backend in ("llvm", "python")]
    assert found[0] == found[1] == lines(name)
    assert list(found[0]) == list(bid_sites(program))


ASKED = """
ruleset: asked
extends: oh-hell
parameters: {largest-hand: 2}
rules:
  scoring:
    rule: GAIN
    assumes: for this test
"""


ALWAYS_ONE = """|
      for p in players with target = 1:
          score of p becomes score of p + 5"""


def test_a_number_that_changes_nothing_has_no_line() -> None:
    """And is chosen at random, as before."""
    idle = from_text(ASKED.replace("GAIN", ALWAYS_ONE.replace(" with target = 1", "")), "asked.yaml").program
    assert len(bid_sites(idle)) == 1
    assert lines_of(idle, "llvm", {}, {}) == {}
    assert line_words(idle, {}) == [0, 0, 0]


@RUN
def test_the_number_that_always_gains_most_is_found() -> None:
    """Among the bids from 0 to the size of the hand, 1."""
    program = from_text(ASKED.replace("GAIN", ALWAYS_ONE), "asked.yaml").program
    ((_, line),) = lines_of(program, "llvm", {}, {}).items()
    for points in range(9):
        assert nearest((line[0] * points + line[2]) // UNIT, range(3)) == 1


def test_a_fit_follows_what_was_gained() -> None:
    """A hand of three points is worth one trick."""
    rows = [
        Row(points, 0, tuple((n, 10 * (n == points // 3)) for n in range(5)))
        for points in range(15)
        for _ in range(3)
    ]
    line = fit(rows)
    right = sum(
        nearest((line[0] * row.points + line[2]) // UNIT, range(5)) == row.points // 3 for row in rows
    )
    assert right >= 0.9 * len(rows)
    assert fit([Row(3, 1, ((0, 5), (1, 5)))]) == NO_LINE


def test_lines_are_looked_for_once_in_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where nothing can be cached: it plays a request in many calls."""
    asked = []

    def found(*_: object) -> bids.Lines:
        asked.append(1)
        return {}

    monkeypatch.setattr(bids, "lines_of", found)
    program = documented("oh-hell").program
    machine = Kernel(program, ["greedy"])
    for largest in (10, 8, 10):
        machine.play(1, 0, 1, 30, {"largest-hand": largest})
    assert len(asked) == 2


@RUN
@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b'{"x": [1, 2, 3]}', b'{"BINDER": [1, 2]}', b'{"BINDER": [1, 2, true]}', b"[" * 9999],
)
def test_damaged_lines_are_found_again(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    program = documented("spades").program
    (binder,) = bid_sites(program)
    right: bids.Lines = {binder: (1, 2, 3)}
    found = []

    def fitted(table: Table) -> bids.Lines:
        found.append(table)
        return right

    monkeypatch.setattr(Table, "fitted", fitted)
    for _ in range(2):
        assert lines("spades") == right
        assert len(found) == 1
    (file,) = Path(os.environ["TRICKPROOF_CACHE"]).glob("bids-*/*")
    bids.LINES.write(file.name, content.replace(b"BINDER", binder.encode()))
    assert lines("spades") == right
    assert len(found) == 2
