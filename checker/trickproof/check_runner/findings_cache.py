"""Findings cached between runs, so that nothing is decided twice.

A cached finding is reused only for the same core program, the same source texts under the same names, the
same check, the same number of deals, and exactly the same trickproof: its own source files and the versions
of its deciding packages are part of the key, and with them every budget and encoding. Cached data is not
trusted: it must have the shape of a finding, its verdict passes through the kernel, and the interpreter
replays its witness, which must lead to exactly the recorded result.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cache as once
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, cast

import trickproof
import trickproof_dsl
from trickproof.certificates.certificate import core_digest, proved
from trickproof.checking.finding import Finding, Gap, Premise
from trickproof.checking.verdict import Verdict
from trickproof.proofs import kernel
from trickproof.support.atomic_files import files_digest
from trickproof.support.blob_cache import BlobCache
from trickproof.support.cache_folder import cache_folder, is_off
from trickproof.support.locations import shown_file
from trickproof.support.typed_json import dataclass_of, typed
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.core import Program
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_deals, replay_scenario

Json = Mapping[str, Any]

CERTIFICATES = BlobCache("certificates", form=1, most=200)
"""Certificates of rulesets, compressed."""

FINDINGS = BlobCache("findings", form=2, most=2_000)
"""One entry per ruleset: its findings by check."""

DECIDERS = ("z3-solver", "hypothesis")
"""Packages whose version can change a result."""


class Cache:
    """The findings of earlier runs; `hands` is the number of deals played per ruleset, `budget` the limit for proofs."""

    def __init__(self, hands: int, budget: float | None = None) -> None:
        self.hands, self.budget, self.works = hands, budget, True

    def findings(self, ruleset: Ruleset, checks: Iterable[str]) -> dict[str, Finding]:
        """The cached findings about a ruleset, by check. Those that fail validation are removed from the cache."""
        key = self._key(ruleset)
        rows = _rows(FINDINGS.read(key))
        certified = _certified(rows, ruleset.program)
        findings, unbelievable = dict[str, Finding](), list[str]()
        for check in checks:
            if check in rows:
                finding = _read(ruleset, rows[check], certified)
                if finding is None or finding.check != check:
                    unbelievable.append(check)
                else:
                    findings[check] = finding
        if unbelievable:
            self._write(key, {check: row for check, row in rows.items() if check not in unbelievable})
        return findings

    def keep(self, ruleset: Ruleset, findings: Sequence[Finding]) -> bool:
        """Add findings to the cache; whether that worked, as `works` records from then on."""
        key = self._key(ruleset)
        rows = {finding.check: _written(ruleset, finding) for finding in findings}
        before = _rows(FINDINGS.read(key))
        self.works = self._write(key, before | {check: row for check, row in rows.items() if row is not None})
        return self.works

    def certificate(self, ruleset: Ruleset, shown: Sequence[Finding]) -> list[str] | None:
        """The lines of the certificate that an earlier run wrote for these findings."""
        lines = _certificate(self._certificate_key(ruleset, shown))
        return None if proved(lines, ruleset.program) is None else lines

    def keep_certificate(self, ruleset: Ruleset, shown: Sequence[Finding], lines: Sequence[str]) -> None:
        """Cache a certificate, compressed, and record its digest with the findings that it proves."""
        key, name = self._key(ruleset), self._certificate_key(ruleset, shown)
        if not CERTIFICATES.write(name, zlib.compress("\n".join(lines).encode())):
            return
        checks = proved(lines, ruleset.program) or ()
        rows = _rows(FINDINGS.read(key))
        marked = {
            check: {**rows[check], "certificate": [name, digest(lines)]} for check in rows if check in checks
        }
        self._write(key, rows | marked)

    def _certificate_key(self, ruleset: Ruleset, shown: Sequence[Finding]) -> str:
        return digest(self._key(ruleset), sorted((x.check, x.verdict, x.method) for x in shown))

    def _write(self, key: str, rows: Mapping[str, Json]) -> bool:
        return FINDINGS.write(key, json.dumps(rows).encode())

    def _key(self, ruleset: Ruleset) -> str:
        return digest(tool(), meaning(ruleset), self.hands, self.budget)


def user_cache(hands: int, budget: float | None = None) -> Cache | None:
    """The cache in the user's folder; None if it is off, or if this version of trickproof cannot be identified."""
    return Cache(hands, budget) if not is_off() and cache_folder() is not None and tool() else None


# ------------------------------------------------------------------------------------------------ keys


@once
def tool() -> str:
    """A digest of trickproof's source files and of the versions of the deciding packages; empty if the sources are not there."""
    checker, language = Path(trickproof.__file__).parent, Path(trickproof_dsl.__file__).parent
    if not Path(__file__).is_file():
        return ""
    code = [files_digest(checker, "*.py"), files_digest(language, "*.py", "*.lark", "*.yaml")]
    return digest(code, sys.version, [_version(name) for name in DECIDERS])


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


@cached_by_identity(100)
def meaning(ruleset: Ruleset) -> str:
    """A digest of the core program and of the texts from which places, citations and messages come."""
    texts = [*_sources(ruleset), *(ruleset.documents[name].source for name in sorted(ruleset.documents))]
    named = [(source.name, shown_file(source.name), source.text) for source in texts]
    return digest(core_digest(ruleset.program), ruleset.id, ruleset.named, named)


def _sources(ruleset: Ruleset) -> Iterator[Source]:
    """The ruleset's file and those of its bases."""
    above: Ruleset | None = ruleset
    while above is not None:
        yield above.own.source
        above = above.base


def digest(*parts: Any) -> str:
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


# ---------------------------------------------------------------------------------------------- entries


UNKEPT = ("recheck", "internal_error")
"""Fields of a finding that are not cached: one is recomputed each time, the other no finding with a result has."""


def _rows(stored: bytes | None) -> dict[str, Json]:
    """The findings of a cache entry as written; empty if it is malformed."""
    try:
        rows = json.loads(stored or b"{}")
    except (ValueError, RecursionError):
        return {}
    whole = isinstance(rows, dict) and all(isinstance(row, dict) for row in rows.values())
    return rows if whole else {}


def _written(ruleset: Ruleset, finding: Finding) -> Json | None:
    """A finding as JSON, with places as a source index and offsets; None if a place lies in another source."""
    sources = list(_sources(ruleset))
    places = [*(gap.where for gap in finding.gaps), *([finding.where] if finding.where else [])]
    if not all(place.source in sources for place in places):
        return None
    written = [[sources.index(place.source), place.start, place.end] for place in places]
    values = {f.name: getattr(finding, f.name) for f in fields(Finding) if f.name not in UNKEPT}
    values["rests_on"] = [asdict(premise) for premise in finding.rests_on]
    values["where"] = written.pop() if finding.where else None
    values["gaps"] = [
        {"rule": gap.rule, "variable": gap.variable, "where": where, "what": gap.what, "assumed": gap.assumed}
        for gap, where in zip(finding.gaps, written, strict=True)
    ]
    return {"finding": values, "replayed": _replayed(ruleset, finding)}


def _certified(rows: Mapping[str, Json], program: Program) -> dict[str, frozenset[str]]:
    """The checks that certificates prove, by the certificate's digest: those that findings refer to and that still exist."""
    names = {mark[0] for row in rows.values() if (mark := _mark(row)) is not None}
    certificates = [_certificate(name) for name in names]
    return {digest(lines): proved(lines, program) or frozenset() for lines in certificates}


def _mark(row: Json) -> tuple[str, str] | None:
    """The name and digest of the certificate of a finding; None if there is none or it is malformed."""
    try:
        return cast(tuple[str, str], typed(tuple[str, str], row.get("certificate")))
    except ValueError:
        return None


def _certificate(name: str) -> list[str]:
    """The lines of a certificate; empty if it is missing."""
    try:
        return zlib.decompress(CERTIFICATES.read(name) or zlib.compress(b"")).decode().splitlines()
    except (zlib.error, ValueError):
        return []


def _read(ruleset: Ruleset, row: Json, certified: Mapping[str, frozenset[str]]) -> Finding | None:
    """The finding of a row; None if it is malformed or its witnesses now lead to another result."""
    try:
        values = dict(row["finding"])
        where, gaps = values.pop("where"), values.pop("gaps")
        sources = list(_sources(ruleset))
        finding: Finding = dataclass_of(
            Finding,
            values,
            verdict=_recalled(values, values.pop("verdict"), _mark(row), certified),
            where=None if where is None else _span(sources, where),
            gaps=tuple(_gap(sources, gap) for gap in gaps),
            **dict.fromkeys(UNKEPT),
        )
        return finding if _replayed(ruleset, finding) == row["replayed"] else None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError):
        return None


def _recalled(
    values: Json, word: object, mark: tuple[str, str] | None, certified: Mapping[str, frozenset[str]]
) -> Verdict:
    """The verdict of a row, from the kernel. Raises ValueError if it is invalid."""
    check, witness = typed(str, values["check"]), typed(Mapping[str, object] | None, values["witness"])
    rests_on = typed(tuple[Premise, ...], values["rests_on"])
    digest = None if mark is None else mark[1]
    return kernel.recall(check, typed(str, word), witness, rests_on, digest, certified)


def _gap(sources: Sequence[Source], gap: Json) -> Gap:
    values = dict(gap)
    return cast(Gap, dataclass_of(Gap, values, where=_span(sources, values.pop("where"))))


def _span(sources: Sequence[Source], written: object) -> Span:
    """A place written as a source index and offsets. Raises ValueError or IndexError if malformed."""
    number, start, end = typed(tuple[int, int, int], written)
    if not 0 <= start <= end <= len(sources[number].text) or number < 0:
        raise ValueError("there is no such place")
    return Span(sources[number], start, end)


def _replayed(ruleset: Ruleset, finding: Finding) -> str | None:
    """A digest of the interpreter's results for the match, deal by deal, or for the witness; None if there is neither."""
    if finding.match is not None:
        answers = replay_deals(ruleset, finding.match)
        return digest([*answers, finding.witness == finding.match[-1]])
    return digest([replay_scenario(ruleset, finding.witness)]) if finding.witness is not None else None
