"""Ctrl-C and SIGTERM: an interrupted run ends quietly and immediately, and leaves nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import budget
from budget import RUN
from environment.faults import PYTHONPATH, TRACES, contents

LONG: dict[str, tuple[str, ...]] = {
    "check": ("check", "--no-cache", "--hands", "100000"),
    "check alone": ("check", "pagat", "--no-cache", "--hands", "100000", "--workers", "1"),
    "check --sarif": ("check", "pagat", "--no-cache", "--hands", "100000", "--sarif", "kept"),
    "diff": ("diff", "pagat", "gamerules"),
    "nearest": ("nearest", "pagat"),
    "quiz": ("quiz",),
    "validate": ("validate", "FILE"),
    "simulate": ("simulate", "pagat", "--hands", "1000000000", "--svg", "kept"),
    "simulate python": ("simulate", "pagat", "--hands", "1000000000", "--backend", "python"),
    "sweep": ("sweep", "nine-five-two", "--vary", "goal=10..16", "--hands", "100000000", "--svg", "kept"),
    "vectors": ("vectors", "pagat", "--cover"),
    "table": ("table",),
    "sources": ("sources",),
    "list": ("list",),
    "rulesheet": ("rulesheet", "pagat"),
    "replay": ("replay",),
    "play": ("play", "pagat", "--state", "kept.json"),
    "new": ("new", "new.yaml", "--base", "pagat"),
    "fmt": ("fmt", "kept"),
}
"""Every command, made as slow as possible; `replay` and `play` wait for input."""

HOUSE_RULE = """\
ruleset: mine
title: Fourteen tricks
extends: pagat
rules:
  end:
    rule: some player has tricks >= 14
    assumes: our table
"""

WAITS = [0.12, 0.25, 0.6, 1.5]
"""Seconds until the interruption: during startup, while loading rulesets, while working."""


def _stopped(way: str, wait: float, number: signal.Signals, folder: Path) -> tuple[int, str]:
    """Exit code and messages of a run that is interrupted, with all its processes, after a while."""
    mine = folder / "mine.yaml"
    mine.write_text(HOUSE_RULE, encoding="utf-8")
    words = [str(mine) if word == "FILE" else word for word in LONG[way]]
    process = subprocess.Popen(
        [sys.executable, "-m", "trickproof", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(wait)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    try:
        _, messages = process.communicate(timeout=20)
    finally:
        process.kill()
    return process.returncode, messages


def _named(case: tuple[str, float, signal.Signals]) -> str:
    way, wait, number = case
    return f"{way}-{wait}-{number.name}"


def _cases() -> list[tuple[str, float, signal.Signals]]:
    return [(way, wait, s) for way in LONG for wait in WAITS for s in (signal.SIGINT, signal.SIGTERM)]


@RUN
@pytest.mark.parametrize("case", budget.slow_but([("play", 0.6, signal.SIGTERM)], _cases()), ids=_named)
def test_a_run_that_is_stopped(case: tuple[str, float, signal.Signals], tmp_path: Path) -> None:
    way, wait, number = case
    (tmp_path / "kept").write_text("older\n", encoding="utf-8")
    code, messages = _stopped(way, wait, number, tmp_path)
    ours = "trickproof" in messages  # else Python itself was starting, and has its own words for that
    assert not (ours and any(trace in messages for trace in TRACES)), messages
    assert code in (128 + number, -number, 0, 1, 2), messages
    left = contents(tmp_path)
    assert left["kept"] == b"older\n" or left["kept"].endswith(b"</svg>\n")  # of the deals played so far
    assert not [name for name in left if name.endswith(".part")]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_exit_code_says_what_stopped_it(number: signal.Signals, tmp_path: Path) -> None:
    for way in ("check", "check alone", "simulate", "simulate python", "play", "replay"):
        (tmp_path / "kept.json").unlink(missing_ok=True)
        assert _stopped(way, 2.5, number, tmp_path)[0] == 128 + number


ENDLESS = """\
ruleset: endless
title: Endless
extends: gamerules
rules:
  scoring:
    assumes: a test
    rule: |
      repeat until 1 = 2, at most 1000000000000 times:
          over of dealer becomes over of dealer + 1
          over of dealer becomes over of dealer - 1
"""
IMPATIENT = "from trickproof.cli import process; process.PATIENCE = 0.2; print(flush=True); process.run()"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_loop_in_machine_code_that_does_not_end(number: signal.Signals, tmp_path: Path) -> None:
    """Python's own handlers are never called there."""
    ruleset = tmp_path / "endless.yaml"
    ruleset.write_text(ENDLESS, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, "simulate", str(ruleset), "--hands", "10"],
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()  # all is imported, which may take long on a busy machine
    time.sleep(4)
    process.send_signal(number)
    try:
        _, messages = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, messages.strip()) == (128 + number, "interrupted")
