"""A hand that two rulesets settle otherwise, as the solver names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trickproof.proofs.symbolic.hand_summary import Settlement
from trickproof_dsl.semantics.values import Key, Value


@dataclass(frozen=True, slots=True)
class Division:
    """A hand settled in two ways, of which `settlement` is the first: what it begins with, the keys of that on which it depends, the tricks, and what differs."""

    settlement: Settlement
    begin: Mapping[Key, Value]
    matters: frozenset[Key]
    tricks: tuple[int, ...]
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    how: str
    when: str | None = None
