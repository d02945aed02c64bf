"""A hand that two rulesets settle otherwise, as the solver names it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from trickproof.proofs.symbolic.hand_summary import Settlement
from trickproof_dsl.semantics.values import Key, Value


@dataclass(frozen=True, slots=True)
class Division:
    """A hand settled in two ways, of which `settlement` is the first: what it begins with, the keys of that on which it depends, the tricks, and what differs.

    No match need lead to what it begins with; `reached` are such hands to which the reckoning of some match leads.
    """

    settlement: Settlement
    begin: Mapping[Key, Value]
    matters: frozenset[Key]
    tricks: tuple[int, ...]
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    how: str
    when: str | None = None
    reached: Callable[[], Iterator[Division]] = field(default=lambda: iter(()), repr=False, compare=False)
