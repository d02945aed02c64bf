"""`simulate` and `sweep` when something goes wrong: it is told in words, and what was counted is not lost.

Never a traceback, never the word `bug`; wrong usage is refused at once, before anything is played.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from budget import RUN
from checker.cli.console import Run, run
from checker.cli.test_terminal import Terminal
from trickproof.simulate.ir.calling_convention import LLVM
from trickproof.simulate.runtime import checkpoint as saved
from trickproof.simulate.runtime.executor import LostError, SerialExecutor, StoppedError
from trickproof.simulate.runtime.jobs import Job
from trickproof.simulate.runtime.machine import best_backend

ROOT = Path(__file__).parents[3]
FOREVER = str(10**15)
"""Hands that nobody will ever play."""

LOWEST = str(ROOT / "tests/cases/rulesets/lowest-takes.yaml")


@pytest.fixture(autouse=True)
def one_cache(own_cache: Path, caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code is made once for all these tests; findings come from the checks that each asks for."""
    monkeypatch.setenv("TRICKPROOF_CACHE", str(caches / "simulate"))


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """A program of its own, which finds modules in `folder` first."""
    path = os.pathsep.join([str(folder), *(str(ROOT / name) for name in ("dsl", "checker"))])
    return subprocess.Popen(
        [sys.executable, "-m", "trickproof", *arguments],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> Run:
    out, err = process.communicate(timeout=60)
    return Run(process.returncode, out, err)


# ------------------------------------------------------------------------------------------ wrong usage


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nine-five-two", "--param", "goal=99999999999"], "expected at most 1,000,000,000"),
        (["nine-five-two", "--param", "goal=" + "9" * 5000], "expected a whole number"),
        (["nine-five-two", "--param", "goal=1_0"], "expected a whole number"),
        (["nine-five-two", "--param", "goal=5", "--param", "goal=6"], "parameter `goal` is named twice"),
        (["gamerules", *["--reading", "reveal=than-returned"] * 2], "rule `reveal` is named twice"),
        (["gamerules", "--reading", "reveal"], "expected one of than-returned, than-received"),
        (["pagat", "--reading", "reveal=x"], "no rule `reveal` with several readings; the ruleset has none"),
        (["six-over", "--reading", "x=y"], "no rule `x` with several readings; expected `exchange-order`"),
        (["pagat", "--param", "goal=3"], "no parameter `goal`; the ruleset has none"),
        (["pagat", "--policy", "dealer=random,dealer=greedy"], "seat `dealer` is named twice"),
        (["pagat", "--policy", "dealer=greedy,"], "no seat ``; expected one of dealer, left, right"),
        (["pagat", "--policy", ""], "no policy ``"),
        (["weaver-four", "--policy", "opposit=greedy"], "did you mean `opposite`?"),
        (["pagat", "--seed", "x"], "not a valid integer"),
        (["pagat", "--workers", "0"], "not in the range"),
        (["pagat", "--workers", "2", "--scheduler", "tcp://127.0.0.1:1"], "give --workers or --scheduler"),
        (["pagat", "--scheduler", ""], "--scheduler"),
        (["pagat", "--svg", ""], "--svg"),
        (["pagat", "--svg", "."], "--svg"),
        (["pagat", "--state", ""], "--state: `.` cannot be read"),
        (["pagat", "--state", "/no/such/folder/x"], "cannot be written"),
        (["pagat", "--state", "/dev/null"], "cannot be read: Is a device, not a file"),
        (["pagat", "--compare", "pagat", "--state", "x"], "not for --compare"),
        (["pagat", "--compare", "pagat", "--param", "goal=3"], "no parameter `goal`"),
        ([""], "no ruleset ``"),
    ],
)
def test_wrong_usage_is_refused_before_anything_is_played(arguments: list[str], says: str) -> None:
    done = run("simulate", *arguments, "--hands", FOREVER)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "bug" not in done.err


@pytest.mark.parametrize("address", ["nowhere", "tcp://127.0.0.1:1", "127.0.0.1:x", "what://127.0.0.1:1"])
def test_a_scheduler_that_is_not_there_is_told_soon(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "Client", pytest.fail)  # which would wait for an answer
    done = run("simulate", "pagat", "--scheduler", address)
    assert (done.code, done.out) == (2, "")
    assert f"no scheduler answers at `{address}`" in done.err


def test_without_the_cluster_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = run("simulate", "pagat", "--scheduler", "tcp://127.0.0.1:1")
    assert done.code == 2
    assert "pip install 'trickproof[cluster]'" in done.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--vary", "end=12", "--vary", "end=13"], "`end` is varied twice"),
        (["--vary", "end+end=12"], "`end+end` is varied twice"),
        (["--vary", "end=99999999999"], "expected at most 1,000,000,000"),
        (["--vary", "end=" + "9" * 5000], "expected whole numbers"),
        (
            ["--vary", "end=0..10,0..300"],
            "these values make 301 rulesets, more than 200; leave some out, as ",
        ),
        (["--vary", "=3"], "no parameter or rule ``"),
        (
            ["--vary", "dealer=6..8"],
            "did you mean `targets`, as in `targets=8-5-3`? what can be varied: trick, ",
        ),
        (["--vary", ""], "expected a name and values"),
        (["--vary", "targets=8-5--3"], "3 numbers with `-` between them"),
        (["--vary", "end=12", "--policy", "gredy"], "did you mean `greedy`?"),
        (["--vary", "end=12", "--svg", "/no/such/folder/x"], "cannot write"),
        ([], "missing option `--vary`"),
    ],
)
def test_wrong_usage_of_sweep(arguments: list[str], says: str) -> None:
    done = run("sweep", "pagat", *arguments, "--hands", FOREVER)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "bug" not in done.err


BEYOND = """\
ruleset: odd
extends: pagat
deck:
  suits: O=coins C=cups E=swords B=clubs A=anchors
  assumes: sixty-five cards, which fit no word
"""


def test_what_cannot_be_simulated_is_told(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(BEYOND)
    for command in (
        ["simulate"],
        ["simulate", "--compare", "pagat"],
        ["sweep", "--vary", "end=1", "--no-check"],
    ):
        done = run(command[0], str(path), *command[1:], "--hands", "10")
        assert (done.code, done.out) == (2, "")
        assert "cannot be simulated: " in done.err


@RUN
def test_rules_that_grow_beyond_bounds_are_refused_with_their_place(tmp_path: Path) -> None:
    """Conditions on players within conditions on players: each level is written out for every player."""
    path = tmp_path / "deep.yaml"
    one = "(" + "some player has (score > 0 and " * 6 + "first-hand" + ")" * 7
    condition = f"({' or '.join([one] * 30)})"
    path.write_text(
        "ruleset: deep\nextends: pagat\nrules:\n  winner:\n    rule: players with "
        f"{condition}\n    assumes: test\n"
    )
    began = time.process_time()
    done = run("simulate", str(path), "--hands", "10")
    assert time.process_time() - began < 20
    assert (done.code, done.out) == (2, "")
    assert "rule `winner` has more than 20000 steps once it is expanded (" in done.err
    assert f"{path}:5:" in " ".join(done.err.split())


def test_a_long_row_of_choices_is_compiled(tmp_path: Path) -> None:
    """LLVM's value numbering would end the process here."""
    path = tmp_path / "long.yaml"
    choices = "      dealer chooses hand-size from 0 to 5\n" * 128
    path.write_text(
        f"ruleset: long\nextends: pagat\nrules:\n  scoring:\n    rule: |\n{choices}    assumes: test\n"
    )
    assert run("simulate", str(path), "--hands", "10", "--workers", "1").code == 0


def test_loops_deeper_than_python_allows_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.yaml"
    loops = "\n".join(
        "      " + " " * level + "repeat until first-hand, at most 2 times:" for level in range(30)
    )
    path.write_text(
        f"ruleset: deep\nextends: pagat\nrules:\n  scoring:\n    rule: |\n{loops}\n"
        f"{' ' * 40}score of dealer becomes 1\n    assumes: test\n"
    )
    done = run("simulate", str(path), "--hands", "10", "--backend", "python")
    assert (done.code, done.out) == (2, "")
    assert "deeper than plain Python allows" in done.err


@pytest.mark.parametrize("command", ["simulate", "sweep"])
def test_help_tells_what_happens_unless_told(command: str) -> None:
    done = run(command, "--help")
    assert done.code == 0
    words = " ".join(done.out.split())
    for told in (
        "[default: 100000",
        "[default: 0]",
        "[default: random]",
        "llvm if llvmlite",
        "Exit code 0",
    ):
        assert told in words


# ------------------------------------------------------------------------------------------ odd but right


@RUN
def test_each_of_two_is_asked_for_what_it_has() -> None:
    """Parameters and readings that only one of them knows."""
    for arguments, a, b in (
        (
            ["gamerules", "--compare", "pagat", "--reading", "reveal=than-received"],
            {"reveal": "than-received"},
            {},
        ),
        (
            ["pagat", "--compare", "gamerules", "--reading", "reveal=than-received"],
            {},
            {"reveal": "than-received"},
        ),
    ):
        found = json.loads(run("simulate", *arguments, "--hands", "900", "--json").out)
        assert (found["a"]["readings"], found["b"]["readings"]) == (a, b)
    done = run(
        "simulate", "pagat", "--compare", "nine-five-two", "--param", "goal=5", "--hands", "900", "--json"
    )
    found = json.loads(done.out)
    assert (found["a"]["parameters"], found["b"]["parameters"]) == ({}, {"goal": 5})


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "pagat", "--seed", "-7"],
        ["simulate", "pagat", "--seed", str(10**30)],
        ["simulate", "nine-five-two", "--param", "goal=-5"],
        ["simulate", "nine-five-two", "--param", "goal=1000000000"],
        ["simulate", "pagat", "--workers", "3"],
        ["simulate", LOWEST, "--policy", "dealer=greedy"],
        ["sweep", "pagat", "--vary", "end=-1..1", "--no-check"],
        ["sweep", "pagat", "--vary", "end=1000000000", "--no-check"],
        ["sweep", "pagat", "--vary", " end = 12 , 13..14, 12 ", "--no-check"],
        ["sweep", LOWEST, "--vary", "goal=1..3", "--no-check"],
    ],
)
def test_odd_numbers(arguments: list[str], tmp_path: Path) -> None:
    picture = tmp_path / "x.svg"
    for more in (["1", "--svg", str(picture)], ["40", "--json"]):
        done = run(*arguments, "--hands", *more)
        told = f"{picture}: written\n" if "--svg" in more else ""
        assert (done.code, done.err) == (0, told)
    assert picture.read_text().startswith("<svg")


def test_members_whose_rules_break_down_are_noted() -> None:
    """Also where the checks are not asked."""
    done = run("sweep", "pagat", "--vary", "targets=30-0-0", "--hands", "3000", "--no-check")
    assert done.code == 0
    assert "note: targets 30-0-0: the rules failed in " in done.out


def test_matches_of_a_sweep_that_nobody_wins_are_noted() -> None:
    """At 11 tricks a match ends, but only 12 win it."""
    done = run("sweep", "pagat", "--vary", "end=11..12", "--hands", "500", "--no-check")
    assert [line for line in done.out.splitlines() if "won" in line] == [
        "note: end 11: nobody won 15 of 30 matches"
    ]


def test_a_sweep_without_a_finished_match_says_why_there_are_no_wins() -> None:
    done = run("sweep", "hearts", "--vary", "end=50..60", "--hands", "3", "--no-check")
    assert "note: all variants: no match ended, so there are no wins to show\n" in done.out


# ------------------------------------------------------------------------------------------ a part is lost


def failing(error: Exception | None = None) -> Callable[[SerialExecutor], list[tuple[Job, Any]]]:
    """In place of `SerialExecutor.wait`: the second chunk cannot be played, or the executor is gone when it is asked for."""
    begun: list[Job] = []
    wait = SerialExecutor.wait

    def failed(executor: SerialExecutor) -> list[tuple[Job, Any]]:
        begun.append(executor.jobs[0])
        if len(begun) != 2:
            return wait(executor)
        if error:
            raise error
        return [(executor.jobs.pop(), LostError("no room"))]

    return failed


def test_a_part_that_cannot_be_played_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is kept, and the exit code is 70."""
    for json_ in ([], ["--json"]):
        monkeypatch.setattr(SerialExecutor, "wait", failing())
        done = run("simulate", "pagat", "--hands", "1000", *json_)
        assert done.code == 70
        assert "matches 8 to " in done.out
        assert "no room" in done.out
    assert json.loads(done.out)["hands"] == 1000


def test_a_part_of_a_sweep_that_cannot_be_played_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SerialExecutor, "wait", failing())
    done = run("sweep", "pagat", "--vary", "end=12", "--hands", "1000", "--no-check")
    assert done.code == 70
    assert "no room could not be played" in done.out


@pytest.mark.parametrize(
    ("error", "code", "why"),
    [(KeyboardInterrupt(), 130, "interrupted"), (StoppedError("nobody answers"), 70, "nobody answers")],
)
def test_what_is_counted_is_told_when_it_stops(
    error: Exception, code: int, why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    monkeypatch.setattr(SerialExecutor, "wait", failing(error))
    done = run("simulate", "pagat", "--hands", "3000", "--state", str(state), "--json")
    found = json.loads(done.out)
    assert (done.code, found["matches"], found["interrupted"]) == (code, 8, True)
    kept = f"{why} after {found['hands']} deals; `{state}` has them: the same command resumes from there\n"
    assert done.err == kept
    on = run("simulate", "pagat", "--hands", "3000", "--state", str(state))
    assert (on.code, on.out) == (0, run("simulate", "pagat", "--hands", "3000").out)


@pytest.mark.parametrize(
    ("error", "code", "why"),
    [(KeyboardInterrupt(), 130, "interrupted"), (StoppedError("nobody answers"), 70, "nobody answers")],
)
def test_a_sweep_that_stops_tells_what_it_has(
    error: Exception, code: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first ruleset's hands are one chunk and a rest; it stops in the second's."""
    command = ["sweep", "pagat", "--vary", "end=1,2,3", "--hands", "8", "--no-check"]
    monkeypatch.setattr(SerialExecutor, "wait", failing(error))
    done = run(*command, "--json")
    assert (done.code, done.err) == (
        code,
        f"{why} after 1 of 3 rulesets; what was played of the next is lost\n",
    )
    assert [x["values"] for x in json.loads(done.out)["members"]] == [{"end": "1"}]
    monkeypatch.setattr(SerialExecutor, "wait", failing(error))
    assert run(*command).out.count("unchecked") == 1


def test_a_comparison_with_a_part_missing_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SerialExecutor, "wait", failing())
    done = run("simulate", "pagat", "--compare", "six-over", "--matches", "50")
    assert (done.code, done.out) == (70, "")
    assert "no room" in done.err


def test_a_state_that_can_be_written_no_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was counted is reported in any case."""
    save, asked = saved.save, []

    def full(path: Path, key: str, result: Any) -> None:
        asked.append(path)
        if len(asked) > 1:
            raise saved.StateError("the disk is full")
        save(path, key, result)

    monkeypatch.setattr(saved, "save", full)
    done = run("simulate", "pagat", "--hands", "500", "--state", str(tmp_path / "state"))
    assert (done.code, done.err) == (2, "--state: the disk is full\n")
    assert "pagat · random · 500 deals" in done.out


# ------------------------------------------------------------------------------------------ programs of their own


def kept_hands(state: Path) -> int:
    """Hands in a state file; 0 while there is none."""
    return int(json.loads(state.read_text())["result"]["hands"]) if state.exists() else 0


def interrupted(state: Path, enough: Callable[[], bool]) -> Run:
    """A run without end, after Ctrl-C when it has played enough."""
    process = started(
        state.parent,
        "simulate",
        "pagat",
        "--hands",
        FOREVER,
        "--workers",
        "1",
        "--state",
        str(state),
        "--json",
    )
    limit = time.monotonic() + 60
    while not enough() and time.monotonic() < limit:
        time.sleep(0.05)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    return ended(process)


@pytest.mark.slow
def test_interrupted_again_and_again(tmp_path: Path) -> None:
    """Every run goes on where the one before was interrupted, even if that was at once."""
    state, hands = tmp_path / "state", [0]
    for enough in (state.exists, lambda: kept_hands(state) > hands[1]):
        done = interrupted(state, enough)
        hands.append(json.loads(done.out)["hands"])
        assert (done.code, kept_hands(state)) == (130, hands[-1])
        assert "the same command resumes from there" in done.err
        assert "Traceback" not in done.err
    assert hands[1] < hands[2]
    assert os.listdir(tmp_path) == ["state"]


@RUN
def test_interrupted_at_a_terminal() -> None:
    """Progress is one line, and gone at the end; the workers are stopped quietly."""
    terminal = Terminal("simulate", "pagat", "--hands", FOREVER, "--workers", "2")
    terminal.wait_for(" of ")
    os.killpg(terminal.process.pid, signal.SIGINT)
    code, out = terminal.end()
    assert code == 130
    assert "pagat · random · " in out
    last = terminal.told.rpartition("\x1b[K")[2]
    assert "deals a second" in last
    assert "use --state FILE to save progress" in last
    assert "Traceback" not in terminal.told


def test_workers_end_with_the_program() -> None:
    """Quietly, also when they have hardly begun."""
    for _ in range(2):
        done = ended(started(ROOT, "simulate", "pagat", "--hands", "1", "--workers", "2"))
        assert (done.code, done.err) == (0, "")


@RUN
def test_without_machine_code(tmp_path: Path) -> None:
    """It works, slower, and says so."""
    (tmp_path / "llvmlite.py").write_text("raise ImportError")
    processes = [
        started(tmp_path, "simulate", "pagat", "--hands", "60", *more)
        for more in ([], ["--json"], ["--backend", "llvm"])
    ]
    text, plain, refused = [ended(process) for process in processes]
    assert (text.code, plain.code, refused.code) == (0, 0, 2)
    assert "played in plain Python" in text.out
    assert json.loads(plain.out)["backend"] == "python"
    assert "--backend llvm needs llvmlite" in refused.err


@pytest.mark.skipif(best_backend() != LLVM, reason="there is no machine code to do without")
def test_plain_python_on_request() -> None:
    done = run("simulate", "pagat", "--hands", "60", "--backend", "python")
    assert done.code == 0
    assert "played in plain Python" in done.out
    assert "not installed" not in done.out


@pytest.mark.parametrize("option", ["--hands", "--matches"])
def test_more_than_can_ever_be_played(option: str) -> None:
    done = run("simulate", "pagat", option, "9" * 400)
    assert done.code == 2
    assert "too large: expected at most" in done.err


@pytest.mark.parametrize("command", ["simulate", "play"])
def test_files_that_would_fill_the_memory(command: str, tmp_path: Path) -> None:
    """Empty lists take most: thirty times the length of the file, which is refused before it is read."""
    state = tmp_path / "state.json"
    state.write_text('{"moves": [' + "[]," * 1_500_000 + "[]]}", encoding="utf-8")
    done = run(command, "pagat", "--state", str(state))
    assert done.code == 2
    assert "is larger than" in done.err.lower()
