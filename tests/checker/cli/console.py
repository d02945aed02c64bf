"""Runs the command line in this process and tells what a user would have seen."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from trickproof.cli.main import main


@dataclass(frozen=True)
class Run:
    """Exit code and what was printed."""

    code: int
    out: str
    err: str


def run(*arguments: str, stdin: str = "") -> Run:
    """`trickproof ARGUMENTS` with the given standard input."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with (
        mock.patch.object(sys, "argv", ["trickproof", *arguments]),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as done:
            code = int(done.code or 0)
    return Run(code, out.getvalue(), err.getvalue())


def as_printed(page: Path, folder: Path, update: bool) -> None:
    """A page or case shows what the program prints; with `update` it is written anew."""
    text = page.read_text(encoding="utf-8")
    played = play_case(text, folder)
    if update:
        page.write_text(played, encoding="utf-8")
    else:
        assert played == text, f"if the new output of {page.name} is meant, run this test with --update"


def play_case(text: str, folder: Path) -> str:
    """A case with its expected outputs replaced by the real ones.

    Fenced blocks ```` ```yaml NAME ```` are written to files; in ```` ```console ```` blocks each line `$ trickproof …`
    is run in `folder`, followed by its standard output, its standard error and `[exit N]` where N is not 0. The version of
    the solver is left out.
    """
    for name, body in re.findall(r"```(?:yaml|json) (\S+)\n(.*?)```", text, re.S):
        (folder / name).write_text(body, encoding="utf-8")

    def played(block: re.Match[str]) -> str:
        lines = []
        for command in re.findall(r"^\$ (.*)$", block[1], re.M):
            words, _, source = command.partition(" < ")
            stdin = (folder / source).read_text(encoding="utf-8") if source else ""
            told = run(*words.split()[1:], stdin=stdin)
            out = re.sub(r'("solver": "z3) [^"]+', r"\1 …", told.out)
            lines.append(f"$ {command}\n{out}{told.err}" + (f"[exit {told.code}]\n" if told.code else ""))
        return "```console\n" + "".join(lines) + "```"

    return re.sub(r"```console\n(.*?)```", played, text, flags=re.S)
