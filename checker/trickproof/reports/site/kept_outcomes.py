"""Simulations of reports cached between runs, keyed by the ruleset, the policy, the deals and the trickproof build.

A cache entry is not trusted: it must have the shape of an outcome, and deals must exist that can have its totals.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

from trickproof.check_runner.findings_cache import digest, meaning, tool
from trickproof.simulate.api import simulate
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.simulate.statistics.stored_outcome import stored_outcome
from trickproof.support.blob_cache import BlobCache
from trickproof.support.serialise import serialised
from trickproof_dsl.library import Ruleset

OUTCOMES = BlobCache("outcomes", form=1, most=1_000)
"""One entry per ruleset, policy and number of deals: what was counted."""


def kept_outcome(ruleset: Ruleset, policy: str, hands: int, workers: int) -> Outcome:
    """Deals from seed 0, all players with one policy; played unless an earlier run has played all of them."""
    key = digest(tool(), meaning(ruleset), policy, hands, best_backend())
    kept = OUTCOMES.parsed(key, partial(stored_outcome, ruleset.program)) if tool() else None
    if kept is not None:
        return kept
    played = simulate(ruleset, hands=hands, policies=[policy], workers=workers)
    outcome = replace(played, seconds=0.0)
    if tool() and not outcome.left_out:
        OUTCOMES.write(key, json.dumps(serialised(outcome)).encode())
    return outcome
