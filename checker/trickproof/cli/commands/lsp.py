"""`trickproof lsp`: the language server that editors start."""

from __future__ import annotations

import logging
import sys
from importlib.util import find_spec
from typing import BinaryIO, cast

import click

from trickproof_dsl.plain_mode import plain_mode


class _Answers:
    """The output for answers. The first failed write is reported once the editor has left."""

    def __init__(self, output: BinaryIO) -> None:
        self.output = output
        self.problem: OSError | None = None

    def write(self, answer: bytes) -> int:
        if self.problem is None:
            try:
                self.output.write(answer)
                self.output.flush()
            except OSError as problem:
                self.problem = problem
        return len(answer)

    def flush(self) -> None:
        """Every answer was sent at once."""

    def close(self) -> None:
        """Standard output stays open until the process ends."""


@click.command()
def command() -> None:
    """Run the language server on standard input and output; editors start it.

    Diagnostics while typing, verdicts when a file is saved, hover texts, completion, definitions, an
    outline, formatting and quick fixes. Needs pygls: pip install 'trickproof[lsp]'.
    """
    if plain_mode():
        raise click.UsageError("lsp needs threads, and plain mode (TRICKPROOF_PLAIN) does without them")
    if find_spec("pygls") is None:
        raise click.UsageError("lsp needs `pygls`: pip install 'trickproof[lsp]'")
    from trickproof.lsp.server import create_server

    logging.getLogger("pygls").addHandler(logging.NullHandler())
    answers = _Answers(getattr(sys.stdout, "binary", None) or sys.stdout.buffer)
    create_server().start_io(stdout=cast(BinaryIO, answers))
    if answers.problem is not None:
        raise answers.problem
