"""The law of runs: what is counted depends on the ruleset, the policies, the seed and the number asked for, nothing else.

It is what one kernel counts in one go, whoever plays it, in chunks of any size, with machine code or without, after a
worker has died, after an interruption, and after a rest in a file.  What cannot be played is told, and all else is kept.
"""

from __future__ import annotations

import json
import logging
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented, foreign
from trickproof.simulate.ir.calling_convention import LLVM, PYTHON, Choice
from trickproof.simulate.runtime import jobs as work, scheduler as runs
from trickproof.simulate.runtime.checkpoint import StateError, run_key, save, saved
from trickproof.simulate.runtime.dask_executor import DaskExecutor
from trickproof.simulate.runtime.executor import Executor, SerialExecutor, StoppedError
from trickproof.simulate.runtime.game import Game, game_of
from trickproof.simulate.runtime.kernel import Kernel
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.runtime.process_executor import ProcessExecutor
from trickproof.simulate.runtime.scheduler import NO_END, Request, Result, Scheduler
from trickproof.simulate.simulation import Simulation, crew_for
from trickproof_dsl.library import Ruleset

PAGAT = game_of(documented("pagat"))
BEST = best_backend()
HANDS = 30_000 if BEST == LLVM else 300

ODD = [1, 7, 1000]
"""Sizes of chunks that nobody would choose."""


@cache
def kernel(name: str = "pagat", policies: tuple[Choice, ...] = ("random",), records: bool = False) -> Kernel:
    return Kernel(ruleset(name).program, policies, records=records)


def ruleset(name: str) -> Ruleset:
    return foreign(name) if name == "lowest-takes" else documented(name)


def in_one_go(request: Request, name: str = "pagat") -> Result:
    """What a kernel counts, left alone."""
    r, playing = request, kernel(name, request.policies, request.records)
    last, hands = r.matches or NO_END, r.hands or NO_END
    found = playing.play(r.seed, 0, last, hands, r.parameters, r.readings, r.most)
    return Result(list(found.totals), found.hands, found.next, notes=list(found.notes), done=True)


def in_chunks(
    executor: Executor, request: Request, game: Game = PAGAT, backend: str = BEST, tell: Any = None
) -> Result:
    """The same as a run; ends the executor."""
    try:
        return Scheduler(game, request, backend).play(executor, tell)
    finally:
        executor.close()


@contextmanager
def chunks(size: int, first: int = 8) -> Iterator[None]:
    """Chunks are meant to have so many hands, and so many matches at the beginning."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "CHUNK", {LLVM: size})
        patch.setattr(runs, "FEW", size)
        patch.setattr(runs, "AT_FIRST", first)
        yield


# ------------------------------------------------------------------------------- whoever plays, in any chunks


@pytest.mark.parametrize("request_", [Request(seed=3, hands=HANDS), Request(seed=3, matches=HANDS // 30)])
@pytest.mark.parametrize(
    "executor", [SerialExecutor, lambda: ProcessExecutor(2), lambda: ProcessExecutor(3)], ids=["1", "2", "3"]
)
def test_any_number_of_workers(executor: Callable[[], Executor], request_: Request) -> None:
    with chunks(HANDS // 10):
        assert in_chunks(executor(), request_) == in_one_go(request_)


@pytest.mark.parametrize("size", ODD)
@pytest.mark.parametrize("first", ODD)
def test_any_size_of_chunks(size: int, first: int) -> None:
    for request in (Request(hands=HANDS // 30), Request(matches=HANDS // 100)):
        with chunks(size, first):
            assert in_chunks(SerialExecutor(), request) == in_one_go(request)


@pytest.mark.parametrize("size", ODD[1:])
def test_any_size_of_chunks_for_several(size: int) -> None:
    request = Request(seed=-1, hands=HANDS // 30)
    with chunks(size, size):
        assert in_chunks(ProcessExecutor(2), request) == in_one_go(request)


@pytest.mark.parametrize("hands", [1, 2, 29, 100, 101, 257])
def test_hands_that_cut_a_match(hands: int) -> None:
    """The last match that is begun is counted as far as it went; the hands are exactly those asked for."""
    request = Request(seed=11, hands=hands)
    cut = kernel().play(11, 0, NO_END, hands).cut
    for size in ODD:
        with chunks(size, size):
            found = in_chunks(SerialExecutor(), request)
            assert found == in_one_go(request)
            assert (found.hands, sum(found.totals[:1])) == (hands, hands)
    assert cut or hands == 1


@pytest.mark.parametrize("hands", [1, 2, 29, 100, 101, 257, HANDS // 30])
@pytest.mark.parametrize("workers", [1, 2])
def test_only_matches_that_end_within_the_hands(hands: int, workers: int) -> None:
    ended = kernel().play(11, 0, NO_END, hands).next
    expected = in_one_go(Request(seed=11, matches=ended)).totals if ended else None
    for size in ODD if workers == 1 else (100,):
        with chunks(size, size):
            executor = SerialExecutor() if workers == 1 else ProcessExecutor(workers)
            found = in_chunks(executor, Request(seed=11, hands=hands, whole=True))
        assert found.next == ended
        assert found.hands <= hands
        assert (found.totals if ended else None) == expected
        assert found.done


def test_two_matches_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much of a run is played that way."""
    for name, value in (("INTERLEAVE_FROM", 1), ("SOME", 10), ("MANY", 2)):
        monkeypatch.setattr(runs, name, value)
    for request in (Request(seed=5, hands=HANDS), Request(seed=5, matches=HANDS // 30)):
        for size in (100, HANDS // 3):
            with chunks(size):
                assert in_chunks(SerialExecutor(), request) == in_one_go(request)


def test_both_back_ends() -> None:
    if BEST != LLVM:
        pytest.skip("no machine code here")
    for request in (Request(hands=350), Request(matches=9), Request(matches=9, records=True)):
        with chunks(100, 3):
            found = [in_chunks(SerialExecutor(), request, backend=backend) for backend in (LLVM, PYTHON)]
        assert found[0] == found[1] == in_one_go(request)


def test_records_of_matches() -> None:
    """One a match, in their order."""
    request = Request(seed=2, matches=HANDS // 100, records=True)
    whole = in_one_go(request)
    assert whole.notes
    with chunks(200, 7):
        assert in_chunks(SerialExecutor(), request) == whole
        assert in_chunks(ProcessExecutor(2), request) == whole


def forgetful(text: str) -> dict[str, Any]:
    """`work.play` in a process that knows nothing but what the chunk says."""
    work._machines.clear()
    return work.play(text)


@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("nine-five-two", Request(hands=500, parameters={"goal": 20})),
        pytest.param("gamerules", Request(hands=500, readings={"reveal": 1}), marks=pytest.mark.slow),
        ("pagat", Request(hands=500, policies=("greedy", "random", "random"))),
        ("lowest-takes", Request(matches=40, most=3)),
    ],
    ids=["parameters", "readings", "policies", "given up"],
)
@RUN
def test_all_that_is_asked_for_travels(name: str, request_: Request) -> None:
    """Also to processes that have never seen the ruleset."""
    game = game_of(ruleset(name))
    with chunks(900, 5):
        assert in_chunks(ProcessExecutor(1, forgetful), request_, game) == in_one_go(request_, name)


def test_another_seed_is_another_run() -> None:
    totals = [
        in_chunks(SerialExecutor(), Request(seed=seed, hands=200)).totals for seed in (0, 1, -1, 1 << 63)
    ]
    assert all(a != b for i, a in enumerate(totals) for b in totals[:i])


def test_who_plays_unless_told() -> None:
    """Little is played by this process."""
    for request, workers in (
        (Request(hands=10), None),
        (Request(matches=10), None),
        (Request(hands=9**9), 1),
    ):
        assert isinstance(crew_for(request, workers=workers), SerialExecutor)
    for request, workers in ((Request(hands=10), 3), (Request(matches=9**9), 3)):
        executor = crew_for(request, workers=workers)
        assert executor.slots == 6
        executor.close()


# ------------------------------------------------------------------------------- what goes wrong on the way


FAULT = "TRICKPROOF_TEST_FAULT"
"""Names how the chunks fail that begin with match 5."""


def faulty(text: str) -> dict[str, Any]:
    """`work.play` with a fault."""
    fault = os.environ[FAULT]
    if json.loads(text)["first"] == 5 or fault.startswith("always"):
        if fault.endswith("dies"):
            os._exit(3)
        elif fault.endswith("raises"):
            raise MemoryError("no room")
        elif not Path(fault).exists():
            Path(fault).touch()
            os._exit(3)
    return work.play(text)


def killing(executor: ProcessExecutor) -> Callable[[Result], None]:
    """Kills a worker when the second chunk is counted."""
    heard: list[Result] = []

    def tell(result: Result) -> None:
        heard.append(result)
        if len(heard) == 2:
            os.kill(next(iter(executor.pool._processes)), signal.SIGKILL)

    return tell


@RUN
def test_a_worker_that_is_killed_is_not_missed() -> None:
    request, executor = Request(hands=20 * HANDS), ProcessExecutor(2)
    with chunks(HANDS):
        assert in_chunks(executor, request, tell=killing(executor)) == in_one_go(request)


@pytest.mark.parametrize(
    ("fault", "why"),
    [("dies", "the process that played them ended, 2 times"), ("raises", "MemoryError: no room")],
)
def test_what_cannot_be_played_is_left_out(fault: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FAULT, fault)
    with chunks(300, 5):
        found = in_chunks(ProcessExecutor(2, faulty), Request(matches=60))
    rest = [kernel().play(0, first, last, NO_END) for first, last in ((0, 5), (10, 60))]
    assert found.totals == [a + b for a, b in zip(rest[0].totals, rest[1].totals, strict=True)]
    assert found.left_out == [f"matches 5 to 9: {why}"]
    assert (found.done, found.next, found.lost) == (True, 60, 5)


def test_hands_left_out_are_played_in_later_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FAULT, "raises")
    with chunks(300, 5):
        found = in_chunks(ProcessExecutor(2, faulty), Request(hands=1000))
    assert (found.hands, found.lost, len(found.left_out)) == (1000, 5, 1)


def test_what_fails_once_is_played_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FAULT, str(tmp_path / "failed"))
    request = Request(matches=60)
    with chunks(300, 5):
        assert in_chunks(ProcessExecutor(2, faulty), request) == in_one_go(request)
    assert (tmp_path / "failed").exists()


@RUN
def test_nothing_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is no use to try on, and what is left out is told."""
    monkeypatch.setenv(FAULT, "always raises")
    monkeypatch.setattr(runs, "MOST_LOST", 3)
    run, executor = Scheduler(PAGAT, Request(hands=10**9), BEST), ProcessExecutor(2, faulty)
    with pytest.raises(StoppedError, match="3 parts could not be played, the last with MemoryError: no room"):
        run.play(executor)
    executor.close()
    assert (run.result.hands, len(run.result.left_out), run.result.done) == (0, 3, False)


def test_a_crew_is_gone_when_it_is_closed() -> None:
    """Also while it plays."""
    executor = ProcessExecutor(2)
    run = Scheduler(PAGAT, Request(hands=10**9), BEST)
    run._hand_out(executor)
    executor.wait()
    children = list(executor.pool._processes.values())
    executor.close()
    assert children
    assert not any(child.is_alive() for child in children)


# ------------------------------------------------------------------------------- interruptions, and going on


def interrupting(after: int) -> Callable[[Result], None]:
    """Ctrl-C when so many chunks are counted."""
    heard: list[Result] = []

    def tell(result: Result) -> None:
        heard.append(result)
        if len(heard) == after:
            raise KeyboardInterrupt

    return tell


@pytest.mark.parametrize("executor", [SerialExecutor, lambda: ProcessExecutor(2)], ids=["1", "2"])
def test_an_interruption_keeps_what_is_counted(executor: Callable[[], Executor]) -> None:
    """Whole matches from the first on; the same run can go on."""
    request, playing = Request(hands=HANDS), executor()
    run = Scheduler(PAGAT, request, BEST)
    with chunks(HANDS // 10, 2):
        with pytest.raises(KeyboardInterrupt):
            run.play(playing, interrupting(3))
        result = run.result
        assert 0 < result.hands < HANDS
        assert not result.done
        assert result.totals == in_one_go(Request(matches=result.next)).totals
        assert run.play(playing) == in_one_go(request)
    playing.close()


def test_an_interrupted_simulation_can_be_told() -> None:
    simulation = Simulation(documented("pagat"), Request(hands=HANDS))
    assert simulation.outcome().hands_per_second is None
    with chunks(HANDS // 10), pytest.raises(KeyboardInterrupt):
        simulation.play(SerialExecutor(), interrupting(2))
    outcome = simulation.outcome()
    assert outcome.hands == outcome.counts.hands == simulation.run.result.hands > 0
    assert outcome.hands_per_second is not None


def interrupted(path: Path, request: Request, after: int) -> str:
    """A run that was interrupted, in a file; answers its key."""
    run, key = Scheduler(PAGAT, request, BEST), run_key(PAGAT, request)
    with chunks(HANDS // 10, 2), pytest.raises(KeyboardInterrupt):
        run.play(SerialExecutor(), interrupting(after))
    save(path, key, run.result)
    return key


@pytest.mark.parametrize(
    "request_",
    [Request(hands=HANDS), Request(matches=HANDS // 30), Request(matches=HANDS // 30, records=True)],
    ids=["hands", "matches", "records"],
)
def test_going_on_from_a_file(request_: Request, tmp_path: Path) -> None:
    path = tmp_path / "state"
    key, whole = interrupted(path, request_, 3), in_one_go(request_)
    result = saved(path, key, len(whole.totals))
    assert result is not None
    assert 0 < result.hands < whole.hands
    run = Scheduler(PAGAT, request_, BEST, result)
    assert run.play(SerialExecutor()) == whole
    save(path, key, run.result)
    assert saved(path, key, len(whole.totals)) == whole
    assert os.listdir(tmp_path) == ["state"]


def test_speed_is_of_the_hands_played_now(tmp_path: Path) -> None:
    request = Request(hands=HANDS)
    key = interrupted(tmp_path / "state", request, 3)
    result = saved(tmp_path / "state", key, len(in_one_go(request).totals))
    simulation = Simulation(documented("pagat"), request, result=result)
    assert simulation.outcome().hands_per_second is None, "nothing was played yet"
    simulation.play(SerialExecutor())
    again = Simulation(documented("pagat"), request, result=simulation.run.result)
    assert again.play(SerialExecutor()).hands_per_second is None, "nothing was left to play"


@pytest.mark.parametrize(
    "other",
    [
        Request(hands=HANDS, seed=1),
        Request(hands=HANDS + 1),
        Request(matches=HANDS),
        Request(hands=HANDS, policies=("greedy",)),
        Request(hands=HANDS, most=7),
    ],
    ids=["seed", "hands", "matches", "policies", "most"],
)
def test_a_state_of_another_run_is_refused(other: Request, tmp_path: Path) -> None:
    path, words = tmp_path / "state", len(in_one_go(Request(hands=1)).totals)
    save(path, run_key(PAGAT, Request(hands=HANDS)), Result([0] * words))
    with pytest.raises(StateError, match="belongs to another run"):
        saved(path, run_key(PAGAT, other), words)


def test_a_state_of_another_ruleset_is_refused(tmp_path: Path) -> None:
    path, request = tmp_path / "state", Request(hands=1)
    save(path, run_key(PAGAT, request), Result([0] * 9))
    with pytest.raises(StateError, match="belongs to another run"):
        saved(path, run_key(game_of(documented("six-over")), request), 9)
    with pytest.raises(StateError, match="belongs to another run"):
        saved(path, run_key(PAGAT, request), 10)


DAMAGED: dict[str, str | bytes] = {
    "empty": "",
    "cut off": '{"run": "k", "result": {"totals": [1',
    "not text": b"\xff\xfe\x00",
    "a list": "[]",
    "nothing in it": "{}",
    "no result": '{"run": "k", "result": 3}',
    "unknown words": '{"run": "k", "result": {"totals": [1], "hunds": 3}}',
    "totals no list": '{"run": "k", "result": {"totals": 3}}',
    "totals no numbers": '{"run": "k", "result": {"totals": ["1"]}}',
    "hands no number": '{"run": "k", "result": {"totals": [1], "hands": "3"}}',
    "hands below 0": '{"run": "k", "result": {"totals": [1], "hands": -3}}',
    "left out no texts": '{"run": "k", "result": {"totals": [1], "left_out": [1]}}',
    "done no truth": '{"run": "k", "result": {"totals": [1], "done": 1}}',
    "too deep": "[" * 100_000,
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_state_is_refused(damage: str, tmp_path: Path) -> None:
    path, text = tmp_path / "state", DAMAGED[damage]
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(StateError, match=r"is not a saved simulation|cannot be read"):
        saved(path, "k", 1)


def test_a_changed_state_is_refused(tmp_path: Path) -> None:
    """One digit is enough: its figures would go into every later answer."""
    path = tmp_path / "state"
    save(path, "k", Result([12, 0], hands=7))
    whole = path.read_text()
    assert saved(path, "k", 2) == Result([12, 0], hands=7)
    for old, new in (("[12,", "[13,"), ('"hands": 7', '"hands": 6'), ('"run": "k"', '"run": "j"')):
        assert old in whole
        path.write_text(whole.replace(old, new))
        with pytest.raises(StateError, match="is damaged"):
            saved(path, "k", 2)


@pytest.mark.parametrize(
    ("form", "says"), [(3, "written by a newer trickproof"), (None, "written by an older")]
)
def test_states_of_other_versions_are_refused(form: int | None, says: str, tmp_path: Path) -> None:
    path = tmp_path / "state"
    save(path, "k", Result([12]))
    state = {**json.loads(path.read_text()), "form": form}
    path.write_text(json.dumps({name: value for name, value in state.items() if value is not None}))
    with pytest.raises(StateError, match=says):
        saved(path, "k", 1)


def test_no_state_yet(tmp_path: Path) -> None:
    assert saved(tmp_path / "state", "k", 1) is None
    assert saved(tmp_path / "nowhere" / "state", "k", 1) is None


def test_places_that_are_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="cannot be read"):
        saved(tmp_path, "k", 1)
    with pytest.raises(StateError, match="cannot be read"):
        saved(Path("a\0b"), "k", 1)
    for place in (tmp_path, tmp_path / "nowhere" / "state"):
        with pytest.raises(StateError, match="cannot be written"):
            save(place, "k", Result([0]))
    assert os.listdir(tmp_path) == [], "no draft is left lying about"


# ------------------------------------------------------------------------------- a cluster


@contextmanager
def cluster(workers: int, processes: bool) -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=processes,
        protocol="tcp",
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    ) as local:
        yield local


def test_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts the same; what cannot be played is left out."""
    monkeypatch.setenv(FAULT, "raises")
    with cluster(1, processes=False) as local, chunks(300, 5):
        for request in (Request(hands=1000), Request(matches=30, records=True)):
            assert in_chunks(DaskExecutor(local.scheduler_address), request) == in_one_go(request)
        found = in_chunks(DaskExecutor(local.scheduler_address, faulty), Request(matches=60))
        assert found.left_out == ["matches 5 to 9: MemoryError: no room"]


@pytest.mark.slow
def test_a_cluster_that_goes_away() -> None:
    """What is counted is kept."""
    with cluster(1, processes=False) as local:
        executor = DaskExecutor(local.scheduler_address)

        def tell(result: Result) -> None:
            local.close()

        run = Scheduler(PAGAT, Request(hands=10**9), BEST)
        with pytest.raises(StoppedError, match="does not answer any more"), chunks(300):
            run.play(executor, tell)
        executor.close()
    assert run.result.totals == in_one_go(Request(matches=run.result.next)).totals


@pytest.mark.parametrize(
    "address",
    ["", "nowhere", "tcp://127.0.0.1:1", "127.0.0.1:x", "what://127.0.0.1:1", "tcp://nowhere.invalid:1"],
)
def test_no_scheduler_there(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "Client", pytest.fail)  # which would wait for an answer
    with pytest.raises((OSError, ValueError)):
        DaskExecutor(address)


@pytest.mark.slow
def test_a_cluster_whose_worker_is_killed() -> None:
    request, heard = Request(hands=20 * HANDS), []
    with cluster(2, processes=True) as local, chunks(HANDS):
        executor = DaskExecutor(local.scheduler_address)

        def tell(result: Result) -> None:
            heard.append(result)
            if len(heard) == 2:
                os.kill(next(iter(executor.client.run(os.getpid).values())), signal.SIGKILL)

        assert in_chunks(executor, request, tell=tell) == in_one_go(request)


@pytest.mark.slow
def test_long_runs_in_machine_code() -> None:
    """With chunks as they are, and matches abreast."""
    if BEST != LLVM:
        pytest.skip("no machine code here")
    request = Request(seed=8, hands=4_000_001)
    whole = in_one_go(request)
    for workers in (1, 2, 3):
        assert in_chunks(ProcessExecutor(workers), request) == whole
    matches = replace(request, hands=None, matches=100_000)
    assert in_chunks(ProcessExecutor(2), matches) == in_one_go(matches)
