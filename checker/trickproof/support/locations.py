"""Locations in files for readers and programs, the same on every machine.

A bundled ruleset's file is named relative to the parent of its folder (`rulesets/pagat.yaml`), wherever
trickproof is installed; any other file as the user named it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trickproof.support.bundled import ruleset_folder
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.ruleset_folders import named_in

if TYPE_CHECKING:
    from trickproof_dsl.library import Ruleset


def shown_file(name: str | Path, folders: Sequence[Path] = ()) -> str:
    """The name of a file in output; `folders` are ruleset folders in addition to the bundled one."""
    return named_in((*folders, ruleset_folder()), name)


def id_and_file(ruleset: Ruleset) -> str:
    """The id of a ruleset, with its file if that has another name: `a2 (a2b.yaml)`."""
    other = ruleset.id not in (ruleset.path.stem, ruleset.path.name)
    return f"{ruleset.id} ({shown_file(ruleset.path)})" if other else ruleset.id


def place(span: Span | None) -> dict[str, object] | None:
    """A span in the form of the contract's `where`."""
    if span is None:
        return None
    return {"file": shown_file(span.source.name), "line": span.line, "column": span.column}


def at_hand(span: Span) -> bool:
    """Whether it is in a file that users have, and not in a bundled one."""
    return not (ruleset_folder().parent / shown_file(span.source.name)).is_file()


def at(span: Span) -> str:
    """A location as people read it: `rulesets/pagat.yaml:12:3`."""
    return f"{at_line(span)}:{span.column}"


def at_line(span: Span) -> str:
    """A location without its column: `rulesets/pagat.yaml:12`."""
    return f"{shown_file(span.source.name)}:{span.line}"


def source_lines(span: Span) -> list[str]:
    """The source text of a span, line by line, dedented and without blank lines."""
    first, last = span.line, span.source.position(max(span.end - 1, span.start))[0]
    whole = "\n".join(span.source.line_text(line) for line in range(first, last + 1))
    text = span.text if first == last else textwrap.dedent(whole)
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def on_one_line(span: Span) -> str:
    """What stands there; brackets around the last part of an expression are not in its span."""
    text = " ".join(span.text.split())
    return f"{text}{')' * (text.count('(') - text.count(')'))}"
