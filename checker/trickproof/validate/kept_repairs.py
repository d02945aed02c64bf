"""Fixes found for a house rule, cached between runs; keyed by its file, its base, the findings and the trickproof build.

An entry is not trusted: its places must lie in the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from trickproof.check_runner.findings_cache import digest, meaning, tool
from trickproof.checking.finding import Finding
from trickproof.support.blob_cache import BlobCache
from trickproof.support.typed_json import typed
from trickproof.validate.edits import Repair
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.library import Ruleset

FIXES = BlobCache("fixes", form=1, most=1_000)
"""One entry per house rule, base and findings."""

_Place = tuple[int, int]
_Stored = tuple[
    str,
    _Place,
    str,
    str,
    tuple[tuple[_Place, str], ...],
    tuple[str, ...],
    tuple[str, ...],
    tuple[int, bool, bool],
]


def kept_repairs(
    ruleset: Ruleset,
    base: Ruleset | None,
    findings: Sequence[Iterable[Finding]],
    find: Callable[[], Sequence[Repair]],
) -> tuple[Repair, ...]:
    """The fixes that an earlier run found, or else those found now, which are kept; `findings` are all that they depend on."""
    source = ruleset.own.source
    if not tool():
        return tuple(find())
    told = [[(x.check, x.verdict.value, x.message) for x in some] for some in findings]
    key = digest(tool(), meaning(ruleset), meaning(base) if base is not None else "", told)
    kept = FIXES.parsed(key, partial(_read, source))
    if kept is not None:
        return kept
    found = tuple(find())
    if all(span.source is source for one in found for span in (one.where, *(span for span, _ in one.edits))):
        FIXES.write(key, json.dumps([_written(one) for one in found]).encode())
    return found


def _written(one: Repair) -> list[Any]:
    edits = [[[span.start, span.end], new] for span, new in one.edits]
    flags = [one.step, one.undoes, one.guessed]
    where = [one.where.start, one.where.end]
    return [one.what, where, one.old, one.new, edits, list(one.restores), list(one.tested), flags]


def _read(source: Source, stored: Any) -> tuple[Repair, ...]:
    """The repairs of an entry. Raises ValueError if one does not fit the file."""

    def span(place: _Place) -> Span:
        start, end = place
        if not 0 <= start <= end <= len(source.text):
            raise ValueError(f"{place} is not in the file")
        return Span(source, start, end)

    repairs: list[Repair] = []
    entries: tuple[_Stored, ...] = typed(tuple[_Stored, ...], stored)
    for what, where, old, new, edits, restores, tested, (step, undoes, guessed) in entries:
        places = tuple((span(place), text) for place, text in edits)
        repairs.append(Repair(what, span(where), old, new, places, restores, tested, step, undoes, guessed))
    return tuple(repairs)
