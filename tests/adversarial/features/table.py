"""A table of features, each of which changes a draft, soundly or with a rare fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from adversarial.draft import Draft, Size

Change = Callable[[Draft], None]


@dataclass(frozen=True, slots=True)
class Feature:
    """One way in which a ruleset is out of the ordinary.

    `slots` are what two features of one ruleset do not both change; `needs` says of which sizes it is; one with a larger
    `weight` is tried earlier, as others stand in its way.
    """

    name: str
    slots: frozenset[str]
    change: Change
    needs: Callable[[Size], bool]
    weight: int


@dataclass(frozen=True)
class Table:
    """Features by name, in the order in which they change a draft."""

    features: dict[str, Feature] = field(default_factory=dict)

    def feature(
        self, *slots: str, needs: Callable[[Size], bool] = lambda _: True, weight: int = 1
    ) -> Callable[[Change], Change]:
        """Enters a function into the table, under its name."""

        def enter(change: Change) -> Change:
            name = change.__name__.replace("_", "-")
            self.features[name] = Feature(name, frozenset(slots), change, needs, weight)
            return change

        return enter


VARIES = "varies"
"""The slot of parameters and readings, of which two features may have some: every combination is gone through."""


def several(size: Size) -> bool:
    """Whether a hand has more than one card."""
    return size.hand >= 2


def few_deals(size: Size) -> bool:
    """Whether cards can be dealt twice without there being too many ways."""
    return size.players * size.hand <= 4


def exchanging(size: Size) -> bool:
    """Whether somebody can be up and somebody else down by a card that there is."""
    return size.hand >= 2 or size.players == 2


def spare(size: Size) -> bool:
    """Whether cards are left when all hands are dealt."""
    return size.spare > 0
