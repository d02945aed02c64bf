"""A deal that two rulesets settle differently, as the solver found it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from trickproof.proofs.symbolic.hand_summary import Settlement
from trickproof_dsl.semantics.values import Key, Value


@dataclass(frozen=True, slots=True)
class Division:
    """A deal settled in two ways: its initial state and the keys that matter, its tricks, what differs.

    `settlement` is the first of the two ways; `decided` are the values of variables set before the play that it
    depends on.

    No match need reach this initial state; `reached` yields such deals that the scoring of some match leads
    to.
    """

    settlement: Settlement
    begin: Mapping[Key, Value]
    matters: frozenset[Key]
    tricks: tuple[int, ...]
    parameters: Mapping[str, int]
    how: str
    when: str | None = None
    decided: Mapping[Key, Value] = field(default_factory=dict)
    reached: Callable[[], Iterator[Division]] = field(default=lambda: iter(()), repr=False, compare=False)
