"""Places in files as readers and programs want them: the same on every machine.

A file of the bundled rulesets is called by its path from the folder's parent (`rulesets/pagat.yaml`), wherever
trickproof is installed; any other file as the user named it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trickproof.bundled import ruleset_folder
from trickproof_dsl.source import Span


def shown_file(name: str | Path, folders: Sequence[Path] = ()) -> str:
    """The name of a file for output; `folders` are further folders of rulesets (the bundled one always counts)."""
    path = Path(name)
    for folder in (*folders, ruleset_folder()):
        try:
            inside = path.resolve().relative_to(folder.resolve())
        except (OSError, ValueError):
            continue
        return (Path(folder.resolve().name) / inside).as_posix()
    return str(name)


def place(span: Span | None) -> dict[str, object] | None:
    """A place as the contract's `where`."""
    if span is None:
        return None
    return {"file": shown_file(span.source.name), "line": span.line, "column": span.column}
