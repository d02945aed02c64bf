"""Matches of a house rule and its base cached between runs, keyed by both rulesets, the request and the trickproof build.

An entry is not trusted: it must have the shape of two outcomes, and deals must exist that can have their totals.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from trickproof.check_runner.findings_cache import digest, meaning, tool
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.runtime.scheduler import Request
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.simulate.statistics.stored_outcome import stored_outcome
from trickproof.support.blob_cache import BlobCache
from trickproof.support.confidence_intervals import Estimate
from trickproof.support.serialise import serialised
from trickproof.support.typed_json import typed
from trickproof_dsl.library import Ruleset

EFFECTS = BlobCache("effects", form=1, most=1_000)
"""One entry per base, house rule and request."""


@dataclass(frozen=True, slots=True)
class Played:
    """What the figures come from: both outcomes, house − base by measure, and why the matches are not paired."""

    base: Outcome
    house: Outcome
    differences: Mapping[str, Estimate]
    unpaired: str | None = None


def kept_play(base: Ruleset, house: Ruleset, request: Request, play: Callable[[], Played]) -> Played:
    """What an earlier run played, or else what is played now, which is kept if all of it was played."""
    if not tool():
        return play()
    key = digest(tool(), meaning(base), meaning(house), repr(request), best_backend())
    kept = EFFECTS.parsed(key, partial(_read, base, house))
    if kept is not None:
        return kept
    played = play()
    played = replace(played, base=replace(played.base, seconds=0.0), house=replace(played.house, seconds=0.0))
    if not played.base.left_out and not played.house.left_out:
        EFFECTS.write(key, json.dumps(_written(played)).encode())
    return played


def _written(played: Played) -> dict[str, Any]:
    """JSON, in which the numbers of estimates are text: some are infinite."""
    texts = {
        name: [repr(x) for x in (one.mean, one.low, one.high)] for name, one in played.differences.items()
    }
    sides = {"base": serialised(played.base), "house": serialised(played.house)}
    return {**sides, "differences": texts, "unpaired": played.unpaired}


def _read(base: Ruleset, house: Ruleset, values: dict[str, Any]) -> Played:
    texts = typed(dict[str, tuple[str, str, str]], values["differences"])
    differences = {name: Estimate(*map(float, numbers)) for name, numbers in texts.items()}
    sides = [stored_outcome(of.program, values[side]) for of, side in ((base, "base"), (house, "house"))]
    return Played(sides[0], sides[1], differences, typed(str | None, values["unpaired"]))
