"""What a check is: a name of the contract, the rules it is about, and how its answer is found.

A tested claim lists `probes`, which one shared run of hands evaluates for all checks (`playing.py`), and says with
`breaks` which breakdowns of the rules during play it answers for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from trickproof.analysis.usage import Usage
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.faults import Fault

if TYPE_CHECKING:
    from trickproof.checking.finding import Finding
    from trickproof.proofs.symbolic.claims import SymbolicHand
    from trickproof.proofs.symbolic.path_state import Obligation
    from trickproof.testing.subject import Subject
    from trickproof.testing.witness import HandPlayed

Moment = Literal["always", "play-starts", "hand-ends", "match-ends"]
"""At every decision and at the hand's end; at the first card played; when a hand is complete; when a match is over."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Looks at a state, or at the hand as it has been played so far; answers what is wrong with it, or None."""

    moment: Moment
    wrong: Callable[[State], str | None] = lambda _: None
    wrong_hand: Callable[[HandPlayed], str | None] = lambda _: None

    def looks(self, hand: HandPlayed) -> str | None:
        """What is wrong."""
        return self.wrong(hand.state) or self.wrong_hand(hand)


def nothing(_hand: SymbolicHand, _moment: str) -> Iterable[Obligation]:
    """For claims that say nothing of their own about a hand: that the rules do not break down is all."""
    return ()


def always(_: Usage) -> str | None:
    """For claims about every ruleset."""
    return None


def never(_fault: Fault, _rules: tuple[str, ...]) -> bool:
    """For claims that no breakdown during play belongs to."""
    return False


@dataclass(frozen=True, slots=True)
class Check:
    """`about`: rules the claim is about, the first that exists being its place in the file.

    `claims` says symbolically what the probes look for, and `proved` what it means that no hand can fail.

    `absent` answers why the claim does not apply to a program, or None.  A hand counts as a case when one of
    `labels` occurred in it (every hand, if there are none).
    """

    name: str
    about: tuple[str, ...]
    run: Callable[[Check, Subject], Finding]
    absent: Callable[[Usage], str | None] = always
    probes: tuple[Probe, ...] = ()
    breaks: Callable[[Fault, tuple[str, ...]], bool] = never
    labels: tuple[str, ...] = ()
    claims: Callable[[SymbolicHand, str], Iterable[Obligation]] = nothing
    proved: str = ""


def needs(*variables: str) -> Callable[[Usage], str | None]:
    """A claim about variables that must all be in use; one that is only read keeps what it begins with."""

    def absent(usage: Usage) -> str | None:
        missing = [name for name in variables if name not in usage.assigns | usage.reads]
        return f"`{missing[0]}` is never given a value nor asked for" if missing else None

    return absent


def needs_label(*labels: str) -> Callable[[Usage], str | None]:
    """A claim about moves of which at least one must occur."""

    def absent(usage: Usage) -> str | None:
        wanted = " or ".join(f"`{label}`" for label in labels)
        return None if usage.labels & set(labels) else f"nobody ever makes a move {wanted}"

    return absent
