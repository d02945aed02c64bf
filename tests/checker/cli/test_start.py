"""The program starts quickly: nothing heavy is imported before a command needs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from budget import RUN

ROOT = Path(__file__).parents[3]


def _imported(*arguments: str) -> set[str]:
    path = os.pathsep.join(str(ROOT / folder) for folder in ("dsl", "checker"))
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "trickproof", *arguments],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in told.stderr.splitlines()}


def test_help_imports_nothing_heavy() -> None:
    assert not _imported("--help") & {"z3", "hypothesis", "lark", "yaml", "jinja2", "tabulate"}


def test_list_reads_headings_only() -> None:
    assert not _imported("list") & {"z3", "hypothesis", "lark", "jinja2", "platformdirs"}


def test_replay_needs_no_solver() -> None:
    assert not _imported("replay", "-") & {"z3", "hypothesis", "jinja2", "tabulate"}


@RUN
def test_findings_kept_need_no_solver() -> None:
    asked = ["check", "pagat", "--only", "zero-sum"]
    assert "z3" in _imported(*asked)
    assert not _imported(*asked) & {"z3", "hypothesis", "jinja2", "tabulate", "cvc5", "bitwuzla"}


@RUN
def test_vectors_and_play_need_no_solver() -> None:
    for asked in (["vectors", "pagat", "-n", "1"], ["vectors", "--verify", "-"], ["play", "pagat"]):
        assert not _imported(*asked) & {"z3", "hypothesis", "jinja2", "tabulate", "llvmlite"}
