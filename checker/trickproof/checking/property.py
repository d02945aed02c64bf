"""A property of a game: the rules it is about, and how play shows that it fails.

A single run of deals evaluates the `probes` of all properties (`testing/random_play`); `breaks` says which
runtime faults during play a property answers for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from trickproof.analysis.usage import Usage
from trickproof.checking.engines import State
from trickproof.checking.played_hand import HandPlayed
from trickproof_dsl.semantics.faults import Fault

Moment = Literal["always", "play-starts", "hand-ends", "match-ends"]
"""When a probe looks.

At every decision and at the end of the deal; at the first card played; when a deal is complete; when a match
is over. A deal that `the hand ends` or the end of the match cuts short is not complete while a player holds
cards, unless it was scored.
"""


@dataclass(frozen=True, slots=True)
class Probe:
    """Inspects a state, or the deal as played so far; returns what is wrong, or None.

    One that looks `ahead` also inspects the state in which the next deal begins.
    """

    moment: Moment
    wrong: Callable[[State], str | None] = lambda _: None
    wrong_hand: Callable[[HandPlayed], str | None] = lambda _: None
    ahead: bool = False

    def looks(self, hand: HandPlayed) -> str | None:
        """What is wrong, or None."""
        return self.wrong(hand.state) or self.wrong_hand(hand)


def always(_: Usage) -> str | None:
    """For properties that apply to every ruleset."""
    return None


def never(_fault: Fault, _rules: tuple[str, ...]) -> bool:
    """For properties that answer for no runtime fault."""
    return False


@dataclass(frozen=True, slots=True)
class Property:
    """`about` lists the rules that the property is about; the first that exists gives its place in the file.

    `absent` returns why the property does not apply to a program, or None. A deal counts as a case if one of
    `labels` occurred in it (every deal, if there are none).
    """

    name: str
    about: tuple[str, ...]
    absent: Callable[[Usage], str | None] = always
    probes: tuple[Probe, ...] = ()
    breaks: Callable[[Fault, tuple[str, ...]], bool] = never
    labels: tuple[str, ...] = ()


def needs(*variables: str) -> Callable[[Usage], str | None]:
    """For properties of variables that must all be used; one that is only read keeps its initial value."""

    def absent(usage: Usage) -> str | None:
        for name in variables:
            if name not in usage.assigns | usage.reads:
                return f"`{name}` is never set or used"
            if name in usage.odd:
                return f"`{name}` is not what the standard vocabulary says"
        return None

    return absent


def needs_label(*labels: str) -> Callable[[Usage], str | None]:
    """For properties of moves, of which at least one must occur."""

    def absent(usage: Usage) -> str | None:
        alternatives = " or ".join(f"`{label}`" for label in labels)
        return None if usage.labels & set(labels) else f"the game has no move {alternatives}"

    return absent
