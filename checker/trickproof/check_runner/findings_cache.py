"""Findings kept between runs, so that nothing is decided twice.

A finding is found again only for the same core program, the same source texts under the same names, the same check, the
same number of hands, and the very same trickproof: its own source files and the versions of what it decides with are
part of the key, and with them every budget and encoding.  What is read is not believed: witnesses are replayed by the
interpreter, and must lead to exactly what they led to when they were found.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from functools import cache as once
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import trickproof
import trickproof_dsl
from trickproof.certificates.certificate import core_digest
from trickproof.checking.finding import Finding, Gap, Premise
from trickproof.checking.verdict import Method
from trickproof.proofs import kernel
from trickproof.support.atomic_files import cache_folder, files_digest
from trickproof.support.locations import shown_file
from trickproof.support.sqlite_cache import SqliteCache
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_match, replay_scenario

DECIDERS = ("z3-solver", "hypothesis")
"""Packages whose version can change an answer."""


class Cache:
    """The findings of earlier runs; `hands` is how many are played of each ruleset."""

    def __init__(self, store: SqliteCache, hands: int) -> None:
        self.store, self.hands, self.works = store, hands, True

    def findings(self, ruleset: Ruleset, checks: Iterable[str]) -> dict[str, Finding]:
        """What is kept about a ruleset, by check.  Rows that cannot be believed are dropped."""
        keys = dict(zip(checks, self._keys(ruleset, checks), strict=True))
        rows = self.store.read(list(keys.values()))
        findings, unbelievable = dict[str, Finding](), list[str]()
        for check, key in keys.items():
            if key in rows:
                finding = _read(ruleset, rows[key])
                if finding is None or finding.check != check:
                    unbelievable.append(key)
                else:
                    findings[check] = finding
        if unbelievable:
            self.store.drop(unbelievable)
        return findings

    def keep(self, ruleset: Ruleset, findings: Sequence[Finding]) -> bool:
        """Keeps findings; answers whether it could, as `works` does from then on."""
        keys = self._keys(ruleset, [finding.check for finding in findings])
        texts = {key: _written(ruleset, f) for key, f in zip(keys, findings, strict=True)}
        self.works = self.store.write({key: text for key, text in texts.items() if text is not None})
        return self.works

    def _keys(self, ruleset: Ruleset, checks: Iterable[str]) -> list[str]:
        about = _digest(tool(), _meaning(ruleset), self.hands)
        return [_digest(about, check) for check in checks]


def user_cache(hands: int) -> Cache | None:
    """The cache in the user's folder; None if there is none, or if this trickproof cannot be told from another."""
    folder = cache_folder()
    return Cache(SqliteCache(folder), hands) if folder is not None and tool() else None


# ------------------------------------------------------------------------------------------------ keys


@once
def tool() -> str:
    """A digest of the source files of trickproof and of the versions of what decides; empty if they are not there."""
    checker, language = Path(trickproof.__file__).parent, Path(trickproof_dsl.__file__).parent
    if not Path(__file__).is_file():
        return ""
    code = [files_digest(checker, "*.py"), files_digest(language, "*.py", "*.lark", "*.yaml")]
    return _digest(code, sys.version, [_version(name) for name in DECIDERS])


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _meaning(ruleset: Ruleset) -> str:
    """The core program, and the texts that places, citations and messages come from."""
    texts = [*_sources(ruleset), *(ruleset.documents[name].source for name in sorted(ruleset.documents))]
    named = [(source.name, shown_file(source.name), source.text) for source in texts]
    return _digest(core_digest(ruleset.program), ruleset.id, ruleset.named, named)


def _sources(ruleset: Ruleset) -> Iterator[Source]:
    """The ruleset's file and those of its bases."""
    above: Ruleset | None = ruleset
    while above is not None:
        yield above.own.source
        above = above.base


def _digest(*parts: Any) -> str:
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


# ------------------------------------------------------------------------------------------------ rows


UNKEPT = ("recheck", "internal_error")
"""Fields of a finding that are not kept: what is asked anew each time, and what no finding with an answer has."""


def _written(ruleset: Ruleset, finding: Finding) -> str | None:
    """A finding as text: places as the number of a source with offsets; None if it has a place elsewhere."""
    values = {f.name: getattr(finding, f.name) for f in fields(Finding) if f.name not in UNKEPT}
    values["rests_on"] = [asdict(premise) for premise in finding.rests_on]
    sources = list(_sources(ruleset))
    places = [*(gap.where for gap in finding.gaps), *([finding.where] if finding.where else [])]
    if not all(place.source in sources for place in places):
        return None
    written = [[sources.index(place.source), place.start, place.end] for place in places]
    values["where"] = written.pop() if finding.where else None
    values["gaps"] = [
        {"rule": gap.rule, "variable": gap.variable, "where": where, "what": gap.what, "assumed": gap.assumed}
        for gap, where in zip(finding.gaps, written, strict=True)
    ]
    return json.dumps({"finding": values, "replayed": _replayed(ruleset, finding)})


def _read(ruleset: Ruleset, text: str) -> Finding | None:
    """The finding of a row; None if the row is no such thing or its witnesses lead elsewhere now."""
    try:
        row = json.loads(text)
        values: dict[str, Any] = {
            name: tuple(x) if isinstance(x, list) else x for name, x in row["finding"].items()
        }
        sources = list(_sources(ruleset))

        def span(number: int, start: int, end: int) -> Span:
            return Span(sources[number], start, end)

        values["where"] = None if values["where"] is None else span(*values["where"])
        values["gaps"] = tuple(Gap(**{**gap, "where": span(*gap["where"])}) for gap in values["gaps"])
        values |= {"method": Method(values["method"])}
        values["rests_on"] = tuple(Premise(**premise) for premise in values["rests_on"])
        values["verdict"] = kernel.recall(
            values["check"], values["verdict"], values["witness"], values["rests_on"]
        )
        finding = Finding(**values)
        return finding if _replayed(ruleset, finding) == row["replayed"] else None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None


def _replayed(ruleset: Ruleset, finding: Finding) -> str | None:
    """A digest of what the interpreter answers to the match, deal by deal, or to the witness; None if there is none."""
    if finding.match is not None:
        match = list(finding.match)
        answers = [replay_match(ruleset, match[:number]) for number in range(1, len(match) + 1)]
        return _digest([*answers, finding.witness == match[-1]])
    return _digest([replay_scenario(ruleset, finding.witness)]) if finding.witness is not None else None
