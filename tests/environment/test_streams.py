"""Standard streams that are closed, full, or unable to encode a character."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import budget
from environment.faults import run

PRINTING = [
    ("--version",),
    ("list", "--json"),
    ("rulesheet", "pagat"),
    ("list",),
    ("--help",),
    ("check", "--help"),
    ("check", "six-over", "--only", "target-total"),
    ("check", "six-over", "--only", "target-total", "--json"),
    ("diff", "six-over", "six-over"),
    ("table", "pagat"),
    ("sources", "pagat"),
    ("simulate", "pagat", "--hands", "50", "--backend", "python"),
    ("vectors", "pagat", "-n", "1"),
    ("play", "pagat", "--hands", "1"),
    ("explain", "no-fault"),
    ("completion", "bash"),
    ("cache", "path"),
    ("man",),
    ("quiz", "pagat", "pagat-kitty-first", "--all"),
    ("sweep", "nine-five-two", "--vary", "goal=10..11", "--hands", "20", "--no-check"),
    ("simulate", "six-over", "--hands", "1", "--policy", "search:2"),
]
"""Commands that print; the first of them are tested by default."""

FEW = 3


def _named(arguments: tuple[str, ...]) -> str:
    return " ".join(arguments)


@pytest.mark.parametrize("arguments", budget.slow_but(PRINTING[:FEW], PRINTING), ids=_named)
@budget.RUN
def test_an_output_that_takes_nothing(arguments: tuple[str, ...]) -> None:
    full = "standard output: no space left on device"
    run(*arguments, shell="exec > /dev/full").says(2, full)
    run(*arguments, shell="exec >&-").says(2, "standard output: it is closed")


@pytest.mark.parametrize("arguments", budget.slow_but(PRINTING[:1], PRINTING), ids=_named)
def test_messages_that_nobody_takes_change_nothing(arguments: tuple[str, ...]) -> None:
    before = run(*arguments)
    for shell in ("exec 2>&-", "exec 2> /dev/full"):
        ended = run(*arguments, shell=shell)
        assert (ended.code, _untimed(ended.out)) == (before.code, _untimed(before.out))
        assert ended.err == ""


@pytest.mark.slow
def test_messages_of_bad_usage_that_nobody_takes() -> None:
    for arguments in (["check", "no-such-ruleset"], ["no-such-command"], ["fmt", "/no/such/file"]):
        for shell in ("exec 2>&-", "exec 2> /dev/full", "exec >&- 2>&-", "exec > /dev/full 2>&1"):
            run(*arguments, shell=shell).says(2)


def test_a_reader_that_goes_away_is_no_fault() -> None:
    ended = run("vectors", "pagat", "-n", "40", shell="exec > >(head -c 10 > /dev/null)")
    ended.says(1)
    assert ended.err == ""


READING = [
    ("replay",),
    ("replay", "-"),
    ("play", "pagat"),
    ("vectors", "--verify", "-"),
    ("verify-certificate", "-"),
    ("lsp",),
]


@pytest.mark.parametrize("arguments", budget.slow_but(READING[:1], READING), ids=_named)
def test_an_input_that_is_closed(arguments: tuple[str, ...]) -> None:
    run(*arguments, shell="exec <&-").says(2, "standard input: it is closed")


@pytest.mark.slow
def test_answers_that_no_editor_takes() -> None:
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "shutdown"})
    letter = f"Content-Length: {len(request)}\r\n\r\n{request}"
    run("lsp", stdin=letter).says(0)
    run("lsp", stdin=letter, shell="exec > /dev/full").says(2, "standard output: no space left on device")
    run("lsp", stdin=letter, shell="exec >&-").says(2, "standard output: it is closed")
    gone = run("lsp", stdin=letter, shell="exec > >(head -c 0)")
    gone.says(gone.code)
    assert gone.err == ""


@pytest.mark.slow
def test_what_reads_nothing_needs_no_input(tmp_path: Path) -> None:
    (tmp_path / "no-matches.jsonl").touch()
    for arguments in (["list"], ["rulesheet", "pagat"], ["replay", tmp_path / "no-matches.jsonl"]):
        run(*arguments, shell="exec <&-").says(0)


def test_bytes_that_are_no_text_are_not_understood() -> None:
    ended = run("play", "pagat", "--hands", "1", stdin="\udcff\udcfe\n")
    ended.says(0)
    assert "�" in ended.out


SIGNS = [
    ("rulesheet", "pagat"),
    ("table", "pagat", "shawn-51"),
    ("check", "six-over", "-v", "--only", "exchange-order-determined"),
    ("play", "pagat", "--hands", "1"),
    ("play", "--help"),
    ("sources", "pagat"),
    ("list", "--json"),
    ("sources", "pagat", "--json"),
    ("vectors", "pagat", "-n", "2"),
]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("arguments", budget.slow_but(SIGNS[:1], SIGNS), ids=_named)
@budget.RUN
def test_signs_that_the_output_lacks(arguments: tuple[str, ...], encoding: str) -> None:
    shown, plain = run(*arguments), run(*arguments, PYTHONIOENCODING=encoding)
    plain.says(shown.code)
    plain.out.encode(encoding)
    assert "?" not in plain.out or "?" in shown.out
    if "--json" in arguments:
        assert json.loads(plain.out) == json.loads(shown.out)


def test_the_plainest_locale(tmp_path: Path) -> None:
    """A file name that is not text, and non-ASCII characters in a message, in an ASCII locale."""
    name = os.fsdecode(b"caf\xc3\xa9-\xff.yaml")
    locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    run("check", name, cwd=tmp_path, **locale).says(2, "not found")
    run("check", "♣", cwd=tmp_path, **locale).says(2, "no ruleset")


def _untimed(text: str) -> str:
    """Output without the lines that have timings."""
    return "\n".join(line for line in text.splitlines() if "seconds" not in line)


@pytest.mark.slow
def test_a_file_that_is_printed_is_utf_8() -> None:
    text = "id: mine\nextends: pagat\ntitle: Käse – ♣\n"
    ended = run("fmt", "-", stdin=text, prefix=["env", "PYTHONIOENCODING=latin-1"])
    ended.says(0)
    assert ended.out == text
