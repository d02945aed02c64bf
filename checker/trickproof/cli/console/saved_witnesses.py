"""`--save-witness DIR`: save counterexamples as files for `trickproof replay`."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from trickproof.cli.console.output_file import written_file
from trickproof.support.atomic_files import write_atomically

K = TypeVar("K", bound=Hashable)

OPTION = "--save-witness"

save_witness_option = click.option(
    OPTION,
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Save counterexamples as files for `trickproof replay`.",
)


def saved_witnesses(
    folder: str, scenarios: Mapping[str, tuple[K, Sequence[Mapping[str, Any]]]]
) -> dict[K, str]:
    """Write scenarios to `NAME.jsonl`, one per line; return the file names, keyed by what the scenarios show."""
    saved = {}
    for name, (shows, lines) in scenarios.items():
        path = Path(folder) / f"{name}.jsonl"
        with written_file(path, OPTION):
            path.parent.mkdir(parents=True, exist_ok=True)
            text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
            write_atomically(path, text.encode())
        saved[shows] = str(path)
    return saved
