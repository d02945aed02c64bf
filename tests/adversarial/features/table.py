"""The table of features, each of which modifies a draft, either soundly or with a rare fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from adversarial.draft import Draft, Size

Change = Callable[[Draft], None]


@dataclass(frozen=True, slots=True)
class Feature:
    """One way in which a ruleset is unusual.

    `slots` are the parts that no two features of a ruleset may both change; `needs` says which sizes it
    supports; features with a larger `weight` are tried earlier, because others would block them.
    """

    name: str
    slots: frozenset[str]
    change: Change
    needs: Callable[[Size], bool]
    weight: int


@dataclass(frozen=True)
class Table:
    """Features by name, in the order in which they modify a draft."""

    features: dict[str, Feature] = field(default_factory=dict)

    def feature(
        self, *slots: str, needs: Callable[[Size], bool] = lambda _: True, weight: int = 1
    ) -> Callable[[Change], Change]:
        """Register a function in the table, under its name."""

        def enter(change: Change) -> Change:
            name = change.__name__.replace("_", "-")
            self.features[name] = Feature(name, frozenset(slots), change, needs, weight)
            return change

        return enter


VARIES = "varies"
"""The slot of parameters and readings, which several features may share: all combinations are explored."""


def several(size: Size) -> bool:
    """Whether a hand has more than one card."""
    return size.hand >= 2


def few_deals(size: Size) -> bool:
    """Whether cards can be dealt twice without too many combinations."""
    return size.players * size.hand <= 4


def exchanging(size: Size) -> bool:
    """Whether one player can be up and another down, with cards left to exchange."""
    return size.hand >= 2 or size.players == 2


def spare(size: Size) -> bool:
    """Whether cards remain after the deal."""
    return size.spare > 0
