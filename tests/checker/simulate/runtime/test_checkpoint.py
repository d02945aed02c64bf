"""States whose digest is right, and whose contents no run can have come to, are refused like damaged ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from checker.rulesets_for_tests import documented
from trickproof.simulate.ir.counter_layout import with_offsets
from trickproof.simulate.program.counters import countable
from trickproof.simulate.runtime.checkpoint import StateError, resumable, run_key, save
from trickproof.simulate.runtime.executor import SerialExecutor
from trickproof.simulate.runtime.game import Game, game_of
from trickproof.simulate.runtime.scheduler import Request, Result, Scheduler

REQUEST = Request(hands=300)


@cache
def game() -> Game:
    return game_of(documented("pagat"))


@cache
def played() -> Result:
    return Scheduler(game(), REQUEST, "python").play(SerialExecutor())


def read_again(folder: Path, result: Result, request: Request = REQUEST) -> Result | None:
    save(folder / "state", run_key(game(), request), result)
    return resumable(folder / "state", game(), request)


def changed(**fields: Any) -> Result:
    return Result(**{**played().as_json(), **fields})


def test_what_was_played_is_read_again(tmp_path: Path) -> None:
    assert read_again(tmp_path, played()) == played()
    assert read_again(tmp_path, Result([0] * len(played().totals))) is not None
    assert resumable(tmp_path / "none", game(), REQUEST) is None


def test_what_was_left_out_is_read_again(tmp_path: Path) -> None:
    result = changed(next=played().next + 5, lost=5, left_out=["matches 3 to 7: MemoryError: no room"])
    assert read_again(tmp_path, result) == result


IMPOSSIBLE = {
    "more hands than asked for": {"hands": 301},
    "not at the end": {"done": False},
    "no match": {"next": 0},
    "more matches than hands": {"next": 400},
    "lost and not told": {"lost": 1, "next": 11},
    "told and not lost": {"left_out": ["matches 0 to 0: x"]},
    "an escape code": {"left_out": ["matches 0 to 0: \x1b[31m"], "lost": 1, "next": 11},
    "no part": {"left_out": ["x"], "lost": 1, "next": 11},
    "beyond the last": {"left_out": ["matches 10 to 11: x"], "lost": 2, "next": 11},
    "notes": {"notes": [1]},
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_impossible_runs_are_refused(what: str, tmp_path: Path) -> None:
    with pytest.raises(StateError, match="is damaged; name another file"):
        read_again(tmp_path, changed(**IMPOSSIBLE[what]))


COUNTS = """hands matches unfinished lengths lengths2 batches batch batch2 broken left length wins.1 last.2 tricks#0 over#1
winners tricks.0 tricks.0*2 tricks.0*n over.2 over.2*2 met.1 met.1*2 met.1*n paid.0 paid.0*2"""


@pytest.mark.parametrize("change", [10**15, -(10**15), 1 << 70], ids=["more", "less", "no word"])
@pytest.mark.parametrize("name", COUNTS.split())
def test_impossible_counts_are_refused(name: str, change: int, tmp_path: Path) -> None:
    totals = list(played().totals)
    totals[with_offsets(countable(game().program)).offsets[name]] += change
    with pytest.raises(StateError, match="is damaged"):
        read_again(tmp_path, changed(totals=totals))
