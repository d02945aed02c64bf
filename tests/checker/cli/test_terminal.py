"""What a person at a terminal sees while rulesets are checked, and after Ctrl-C."""

from __future__ import annotations

import codecs
import os
import pty
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import z3
from click.testing import CliRunner

from budget import RUN
from trickproof.check_runner.runner import check_ruleset
from trickproof.checking.proof_session import ProofSession
from trickproof.cli.main import group
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof_dsl.library import Ruleset

ROOT = Path(__file__).parents[3]


class Terminal:
    """A command whose standard error is a terminal."""

    def __init__(self, *arguments: str, program: tuple[str, ...] = ("-m", "trickproof")) -> None:
        path = os.pathsep.join(str(ROOT / folder) for folder in ("dsl", "checker"))
        self.seen, stderr = pty.openpty()
        self.told = ""
        self.process = subprocess.Popen(
            [sys.executable, *program, *arguments],
            env={**os.environ, "PYTHONPATH": path, "TERM": "xterm"},
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
        os.close(stderr)
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")()
        with suppress(OSError):  # the terminal's other end is closed
            while part := os.read(self.seen, 1000):
                self.told += decoder.decode(part)

    def wait_for(self, text: str) -> None:
        """Waits until the text has been shown."""
        while text not in self.told:
            assert self.reader.is_alive(), self.told
            time.sleep(0.01)

    def end(self) -> tuple[int, str]:
        """Exit code and standard output; the rest of standard error is read."""
        out, _ = self.process.communicate()
        self.reader.join()
        os.close(self.seen)
        return self.process.returncode, out.decode()


@RUN
def test_progress_is_one_line_erased_at_the_end() -> None:
    terminal = Terminal("check", "pagat", "shawn-51", "--only", "examples-agree", "--hands", "1")
    code, out = terminal.end()
    assert code == 0
    assert "checking 1 of 2: pagat …" in terminal.told
    assert "\n" not in terminal.told
    assert terminal.told.endswith("\r\x1b[K")
    assert "checking" not in out


@RUN
def test_progress_ticks_while_nothing_is_reported() -> None:
    code = (
        "from time import sleep\n"
        "from trickproof.cli.console.progress import progress\n"
        "with progress(2, 'checking') as tell:\n"
        "    tell(0, 'one')\n"
        "    with progress(None, 'reading', at_once=False) as inner:\n"
        "        inner(0, 'a')\n"
        "        sleep(1.5)\n"
        "    sleep(3)\n"
    )
    terminal = Terminal(program=("-c", code))
    assert terminal.end()[0] == 0
    assert "checking 1 of 2: one …\r" in terminal.told
    assert "reading: a … 1 s" in terminal.told
    assert re.search(r"checking 1 of 2: one … [3-9] s", terminal.told)
    assert terminal.told.endswith("\r\x1b[K")


@RUN
def test_interrupted() -> None:
    terminal = Terminal("check", "--workers", "2", "--hands", "100000")
    terminal.wait_for("checking 1 of 11")
    os.killpg(terminal.process.pid, signal.SIGINT)
    code, out = terminal.end()
    assert (code, out) == (130, "")
    last = terminal.told.rpartition("\x1b[K")[2].strip()
    assert last == "interrupted after 0 of 11 rulesets"


def test_what_is_finished_is_kept_when_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def interrupted_at_the_second(ruleset: Ruleset, *more: Any, **settings: Any) -> Any:
        asked.append(ruleset.id)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return check_ruleset(ruleset, *more, **settings)

    monkeypatch.setattr("trickproof.check_runner.runner.check_ruleset", interrupted_at_the_second)
    words = ["check", "gamerules", "pagat", "shawn-51", "--workers", "1", "--only", "examples-agree"]
    told = CliRunner().invoke(group, words)
    assert (told.exit_code, told.stdout) == (130, "")
    kept = "; finished results are cached"
    assert told.stderr == f"interrupted after 1 of 3 rulesets{kept}\n"
    assert CliRunner().invoke(group, words).exit_code == 0
    assert asked == ["gamerules", "pagat", "pagat", "shawn-51"]


def test_nothing_is_promised_without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("trickproof.check_runner.runner.check_ruleset", interrupted)
    told = CliRunner().invoke(group, ["check", "gamerules", "--no-cache"])
    assert told.stderr == "interrupted after 0 of 1 rulesets\n"


def test_ctrl_c_is_left_to_python() -> None:
    assert SolverSession(ProofSession()).possible() is Answer.YES
    assert z3.get_param("ctrl_c") == "false"
