"""What a person sees at terminals of 60, 80 and 120 columns: no line is longer, and without colours there is no escape code."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from functools import partial
from pathlib import Path

import pytest

from budget import RUN
from trickproof.diff.decision_tree import quiz
from trickproof.diff.nearest import Neighbour
from trickproof.diff.ruleset_diff import all_pairs, grouped
from trickproof.reports.comparison.diff import diff_text, groups_text
from trickproof.reports.comparison.nearest import nearest_text
from trickproof.reports.comparison.quiz import quiz_text
from trickproof.reports.comparison.validation import validation_text
from trickproof.reports.text import Page
from trickproof.support.bundled import bundled_library
from trickproof.support.terminal import Terminal
from trickproof.validate.validation import Plan, validate

pytestmark = pytest.mark.usefixtures("shared_cache")

ROOT = Path(__file__).parents[3]
WIDTHS = (60, 80, 120)
ESCAPES = re.compile(r"\x1b\[[0-9;]*[mK]|\x1b\]8;;.*?\x1b\\")
HOUSE = """\
ruleset: house
extends: pagat
rules:
  payout:
    rule: |
        for p in players:
            payout of p becomes over of p + 1
    assumes: our table
"""
BROKEN = HOUSE.replace(
    "players:\n", "playing with a name that nobody has ever heard of, and then some more:\n"
)

SCENARIO = '{"ruleset": "pagat", "seed": 3}\n'
QUICK = [
    ("check", "broken.yaml"),
    ("rulesheet", "pagat"),
    ("replay", "deal.jsonl"),
]
LONGER = [
    ("--help",),
    ("check", "--help"),
    ("list",),
    ("check", "house.yaml", "-v"),
    ("explain",),
    ("explain", "zero-sum"),
    ("explain", "E301"),
    ("fmt", "--diff", "house.yaml"),
    ("fmt", "broken.yaml"),
    ("new", "made.yaml", "--base", "hearts"),
    ("nearest", "pagta"),
    ("rulesheet", "skat"),
    ("simulate", "hearts", "--hands", "500", "--policy", "greedy"),
    ("sources", "pagat"),
    ("check", "tallyn", "-vv"),
    ("simulate", "pagat", "--compare", "tallyn", "--hands", "500"),
    ("sweep", "nine-five-two", "--vary", "goal=8..9", "--hands", "500", "--no-check"),
    ("table", "pagat", "tallyn"),
    ("play", "pagat", "--seed", "1"),
    ("vectors", "--verify", "house.yaml"),
]
"""Commands that begin to write within a second or two; those missing write files, such as JSON Lines, or are below."""


def seen(words: tuple[str, ...], folder: Path, width: int, **environment: str) -> str:
    """What the command shows on a terminal that both outputs go to."""
    (folder / "house.yaml").write_text(HOUSE, "utf-8")
    (folder / "broken.yaml").write_text(BROKEN, "utf-8")
    (folder / "deal.jsonl").write_text(SCENARIO, "utf-8")
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    path = os.pathsep.join(str(ROOT / folder) for folder in ("dsl", "checker"))
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("COLUMNS", "FORCE_COLOR", "NO_COLOR")
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "trickproof", *words],
        env={**kept, "PYTHONPATH": path, "TERM": "xterm", **environment},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 1 << 16):
            text += part
    except OSError:  # the terminal's other end is closed
        pass
    os.close(ours)
    assert process.wait() in (0, 1, 2), text.decode()[-2000:]
    return text.decode()


def fits(words: tuple[str, ...], folder: Path, width: int) -> None:
    """No line is too long, and nothing but the line of progress is drawn."""
    text = seen(words, folder, width, NO_COLOR="1")
    shown = re.sub(r"\r\x1b\[K[^\r\n]*?(?=\r\x1b\[K)|\r\x1b\[K", "", text)
    assert "\x1b" not in shown
    lines = shown.replace("\r\n", "\n").splitlines()
    assert too_long("\n".join(lines), width) == []
    assert [line for line in lines if line != line.rstrip()] == []
    assert lines


@RUN
@pytest.mark.parametrize("words", QUICK, ids=" ".join)
def test_it_fits_eighty_columns(words: tuple[str, ...], tmp_path: Path) -> None:
    fits(words, tmp_path, 80)


@RUN
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("words", [*QUICK, *LONGER], ids=" ".join)
def test_it_fits(words: tuple[str, ...], width: int, tmp_path: Path) -> None:
    fits(words, tmp_path, width)


@RUN
def test_comparisons_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes long to work out is worked out once and written at every width."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text(HOUSE, "utf-8")
    library = bundled_library()
    house, pagat, tallyn = (library.load(name)[0] for name in ("house.yaml", "pagat", "tallyn"))
    assert house is not None
    assert pagat is not None
    assert tallyn is not None
    pair = [pagat, tallyn]
    diffs = all_pairs(pair, 1)
    (diff,) = diffs.values()
    neighbour = Neighbour(tallyn, diff)
    validation = validate(library, house, Plan(500, 0, 1, ("random",)), None)
    for width in WIDTHS:
        page = Page(Terminal(columns=partial(int, width)))
        texts = {
            "diff": diff_text(diff, True, page, {"end": "a folder with a long name/pagat-tallyn-end.json"}),
            "classes": groups_text(grouped(pair, diffs), pair, page),
            "quiz": quiz_text(quiz(pair, lambda pairs: diffs), pair, page),
            "nearest": nearest_text(house, [neighbour], page),
            "validate": validation_text(validation, True, page),
        }
        assert {name: long for name, text in texts.items() if (long := too_long(text, width))} == {}
        assert all(texts.values())


def too_long(text: str, width: int) -> list[str]:
    return [line for line in text.splitlines() if len(line) > width]


@RUN
def test_a_terminal_is_coloured_and_has_links(tmp_path: Path) -> None:
    words = ("check", "house.yaml", "--only", "zero-sum")
    text = seen(words, tmp_path, 80, TERM_PROGRAM="WezTerm")
    assert "\x1b[31mrefuted\x1b[0m" in text
    assert "\x1b[31m♥\x1b[0m" in text
    assert re.search(r"at \x1b\]8;;file://\S+/house\.yaml\x1b\\house\.yaml:\d+:\d+\x1b\]8;;", text)
    plain = ESCAPES.sub("", text).replace("\r\n", "\n")
    assert max(map(len, plain.replace("\r", "\n").splitlines())) <= 80
