"""Work in several processes: what a killed process was doing is done again, and where there are none one is enough."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from trickproof.support.process_pool import LostError, beside, done_alone, results, results_sharing


def killed_first(number: int, mark: Path, _: object = None) -> int:
    """The number; the first time it kills its process instead."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def killed_always(_: object = None) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def same(number: int, _: object = None) -> int:
    return number


def shared() -> int:
    return 10


def shown(shared: int) -> int:
    return shared


def where(_: object = None) -> int:
    return os.getpid()


def fails(_: object = None) -> int:
    raise OSError("its own fault")


def test_what_a_killed_process_did_is_done_again(tmp_path: Path) -> None:
    groups = [
        {i: partial(killed_first if i == 2 else same, i, *[tmp_path / "mark"][: i == 2])} for i in range(4)
    ]
    assert dict(results(groups, 2)) == {0: 0, 1: 1, 2: 2, 3: 3}
    assert (tmp_path / "mark").exists()


def slow(number: int, mark: Path, _: object = None) -> int:
    """The number, once the mark is there."""
    while not mark.exists():
        time.sleep(0.01)
    return number


def test_what_no_other_process_has_begun_is_done_here(tmp_path: Path) -> None:
    """The other is kept at the first group, so that this one does the rest from the last; nobody does anything twice."""
    mark = tmp_path / "mark"
    groups = [{0: partial(slow, 0, mark)}, {1: where}, {2: partial(same, 2), 3: shown}, {4: partial(same, 4)}]
    with beside(groups, 1, shared) as (finished, not_begun):
        here = [one for _, one in zip(range(4), not_begun, strict=False)]
        mark.touch()
        assert [*here, *finished] == [(4, 4), (2, 2), (3, 10), (1, os.getpid()), (0, 0)]


def test_without_other_processes_all_is_done_here_once() -> None:
    with beside([{0: partial(same, 0)}, {1: where}], 0, shared) as (finished, not_begun):
        assert [*not_begun, *finished] == [(0, 0), (1, os.getpid())]


def test_in_plain_mode_nothing_of_processes_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRICKPROOF_PLAIN", "1")
    monkeypatch.setitem(sys.modules, "multiprocessing", None)
    with beside([{0: partial(same, 0)}, {1: where}], 1, shared) as (finished, not_begun):
        assert [*not_begun, *finished] == [(0, 0), (1, os.getpid())]


def test_what_is_shared_is_made_for_the_new_process_too(tmp_path: Path) -> None:
    groups = [{0: partial(killed_first, 0, tmp_path / "mark"), 1: shown}, {2: shown}]
    assert dict(results_sharing(groups, 2, shared)) == {0: 0, 1: 10, 2: 10}


def test_what_is_killed_each_time_is_lost() -> None:
    groups = [{0: killed_always}, {1: partial(same, 1)}]
    with pytest.raises(LostError, match=r"was ended 2 times"):
        dict(results(groups, 2))
    assert dict(results_sharing(groups, 2, lambda: None, lambda number, why: -number - 7)) == {0: -7, 1: 1}


def test_what_a_job_raises_is_its_own() -> None:
    with pytest.raises(OSError, match="its own fault"):
        dict(results([{0: fails}, {1: fails}], 2))
    with pytest.raises(OSError, match="its own fault"):
        done_alone(fails)


class NoProcesses(ProcessPoolExecutor):
    """What there is without a writable /dev/shm."""

    def __init__(self, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")


class NoForks(ProcessPoolExecutor):
    """What there is where the system starts no further process."""

    def submit(self, *_: object, **__: object) -> None:  # type: ignore[override]
        raise BlockingIOError(11, "Resource temporarily unavailable")


@pytest.mark.parametrize("pool", [NoProcesses, NoForks])
def test_without_processes_this_one_does_all(pool: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", pool)
    assert dict(results([{0: where}, {1: where}], 2)) == {0: os.getpid(), 1: os.getpid()}


@pytest.mark.skipif(sys.platform == "win32", reason="processes are not forked")
def test_a_worker_is_interrupted_before_it_is_set_up() -> None:
    """Ctrl-C, which reaches every process of a terminal, leaves the worker to its parent from the beginning."""
    script = """
import multiprocessing, os, signal
from functools import partial
from trickproof.support.process_pool import done_alone
multiprocessing.set_start_method("fork")
os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGINT))
print(done_alone(partial(int, 7)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=100
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "7\n", "")


class Unsendable:
    """A job that only a process has that was begun with it."""

    def __call__(self, number: int) -> int:
        return number

    def __reduce__(self) -> tuple[type[Unsendable], tuple[()]]:
        raise RuntimeError("changed while it was sent")


@pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="all is sent, but when processes begin"
)
def test_what_can_be_claimed_is_not_sent_later() -> None:
    """A thread would send it while this process goes on and changes what it refers to."""
    groups = [{i: Unsendable()} for i in range(4)]
    with beside(groups, 1, shared) as (finished, _):
        assert dict(finished) == dict.fromkeys(range(4), 10)


@pytest.mark.skipif(os.name != "posix", reason="needs fork")
def test_a_process_that_begins_when_its_parent_is_gone_ends() -> None:
    """It took the process that had adopted it for its parent, and waited for ever."""
    code = (
        "import multiprocessing, os, time\n"
        "from trickproof.support.process_pool import begin_worker\n"
        "def work():\n"
        "    while os.getppid() == parent:\n"
        "        time.sleep(0.01)\n"
        "    begin_worker()\n"
        "    time.sleep(120)\n"
        "parent = os.getpid()\n"
        "multiprocessing.get_context('fork').Process(target=work).start()\n"
        "os._exit(0)\n"
    )
    subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, check=True, timeout=60
    )  # until both end
