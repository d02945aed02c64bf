"""Comparisons cached between runs, keyed by the two rulesets and the trickproof build.

A cache entry is not trusted: it must have the shape of a comparison, its statuses go through the kernel
again, and every distinguishing deal is replayed under both rulesets and must yield the recorded result.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from trickproof.check_runner.findings_cache import digest, meaning, tool
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Method
from trickproof.diff.agreed_values import values_apart
from trickproof.diff.results import Compared, Readings, Way
from trickproof.diff.rule_dependencies import Texts
from trickproof.diff.ruleset_diff import FACTS, Diff, Watch, compare
from trickproof.diff.witnesses.paired_replay import Scenario, answers
from trickproof.diff.witnesses.parting import Direction, Parting
from trickproof.proofs import kernel
from trickproof.support.blob_cache import BlobCache
from trickproof.support.serialise import serialised
from trickproof.support.typed_json import dataclass_of
from trickproof_dsl.library import Ruleset

PAIRS = BlobCache("pairs", form=2, most=2_000)
"""One entry per pair of rulesets: the comparison."""


@dataclass(frozen=True, slots=True)
class _Deal:
    """A distinguishing deal, with a digest of its result under both rulesets."""

    scenario: Mapping[str, object]
    later: tuple[Mapping[str, object], Mapping[str, object]] | None
    masked: bool
    deals_before: tuple[Mapping[str, object], ...] | None
    replayed: str


@dataclass(frozen=True, slots=True)
class _Way:
    how: str
    when: str | None
    beginnings: int
    deal: _Deal | None


@dataclass(frozen=True, slots=True)
class _Readings:
    a: Mapping[str, int]
    b: Mapping[str, int]
    status: str


@dataclass(frozen=True, slots=True)
class _Aspect:
    aspect: str
    status: str
    method: Method
    why: str
    ways: tuple[_Way, ...]
    complete: bool
    direction: Direction | None
    readings: tuple[_Readings, ...]
    game: str
    jointly: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Pair:
    aspects: tuple[_Aspect, ...]
    others: tuple[_Aspect, ...]


def kept_diff(a: Ruleset, b: Ruleset, brief: bool = False) -> Diff | None:
    """The comparison of two rulesets from an earlier run; None if there is no valid one."""

    def compared(stored: Mapping[str, Any]) -> Diff:
        pair = cast(_Pair, dataclass_of(_Pair, stored))
        aspects, others = (tuple([_read(a, b, one) for one in some]) for some in (pair.aspects, pair.others))
        return Diff(a, b, aspects, others)

    return PAIRS.parsed(_key(a, b, brief), compared) if tool() else None


def keep_diff(diff: Diff, brief: bool = False) -> None:
    """Cache a comparison for later runs."""
    if tool():
        pair = _Pair(tuple(map(_written, diff.aspects)), tuple(map(_written, diff.others)))
        PAIRS.write(_key(diff.a, diff.b, brief), json.dumps(serialised(pair)).encode())


def compare_kept(
    a: Ruleset,
    b: Ruleset,
    session: ProofSession | None = None,
    workers: int = 1,
    watch: Watch = lambda done, name: None,
) -> Diff:
    """Compare two rulesets in every aspect, reusing the cached comparison if there is one."""
    kept = kept_diff(a, b)
    if kept is not None:
        return kept
    diff = compare(a, b, session, workers, watch)
    keep_diff(diff)
    return diff


def kept_statuses(a: Ruleset, b: Ruleset) -> Diff | None:
    """A comparison from an earlier run, whole or brief; None if there is no valid one."""
    return kept_diff(a, b) or kept_diff(a, b, brief=True)


def statuses_keeping(a: Ruleset, b: Ruleset, session: ProofSession) -> Diff:
    """A brief comparison, kept for later runs; pairs that share a session do common proofs once per process."""
    diff = compare(a, b, session=session, brief=True)
    keep_diff(diff, brief=True)
    return diff


def _key(a: Ruleset, b: Ruleset, brief: bool = False) -> str:
    return digest(tool(), meaning(a), meaning(b), brief)


def _written(one: Compared) -> _Aspect:
    return _Aspect(
        one.aspect,
        one.status,
        one.method,
        one.why,
        tuple(
            _Way(x.how, x.when, x.beginnings, _written_deal(x.parting) if x.parting else None)
            for x in one.ways
        ),
        one.complete,
        one.direction,
        tuple(_Readings(x.a, x.b, x.status) for x in one.readings),
        one.game,
        one.jointly,
    )


def _written_deal(parting: Parting) -> _Deal:
    told = parting.answers
    return _Deal(
        told.scenario,
        told.later,
        parting.masked,
        parting.deals_before,
        digest(told.a, told.b),
    )


def _read(a: Ruleset, b: Ruleset, one: _Aspect) -> Compared:
    """Decode an aspect. Raises ValueError if a deal no longer yields the recorded result."""
    ways = tuple(
        Way(x.how, (), _replayed(a, b, x.deal) if x.deal else None, x.when, x.beginnings) for x in one.ways
    )
    told = one.aspect in FACTS or any(values_apart(Texts(a), Texts(b), one.aspect))
    shown = any(way.parting is not None for way in ways) or (told and one.status == "different")
    readings = tuple(
        Readings(x.a, x.b, kernel.recall_status(x.status, x.status == "different")) for x in one.readings
    )
    return Compared(
        one.aspect,
        kernel.recall_status(one.status, shown),
        one.method,
        one.why,
        ways,
        one.complete,
        one.direction,
        readings,
        one.game,
        one.jointly,
    )


def _replayed(a: Ruleset, b: Ruleset, deal: _Deal) -> Parting:
    """Replay a deal. Raises ValueError if the result differs from the recorded one."""
    again = answers(a, b, cast(Scenario, dict(deal.scenario)))
    if again is None or digest(again.a, again.b) != deal.replayed:
        raise ValueError("it leads elsewhere")
    later: Any = None if deal.later is None else tuple(map(dict, deal.later))
    before: Any = None if deal.deals_before is None else tuple(map(dict, deal.deals_before))
    return Parting(replace(again, later=later), deal.masked, before)
