"""`trickproof lsp`: the language server that editors start."""

from __future__ import annotations

import logging
import sys
from importlib.util import find_spec

import click


@click.command()
def command() -> None:
    """Run the language server on standard input and output; editors start it.

    Diagnostics while typing, verdicts when a file is saved, what a word means, completion, definitions, an
    outline, formatting and quick fixes. Needs pygls: pip install 'trickproof[lsp]'.
    """
    if find_spec("pygls") is None:
        raise click.UsageError("lsp needs `pygls`: pip install 'trickproof[lsp]'")
    from trickproof.lsp.server import create_server

    logging.getLogger("pygls").addHandler(logging.NullHandler())
    create_server().start_io(stdout=getattr(sys.stdout, "binary", None))
