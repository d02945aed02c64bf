"""A check: a property of a game, and how its verdict is found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from trickproof.checking.finding import Finding
from trickproof.checking.property import Property
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof.testing.subject import Subject


def nothing(_hand: SymbolicHand, _moment: str) -> Iterable[Obligation]:
    """For properties that claim nothing of their own about a hand: that no rule fails in it is all."""
    return ()


@dataclass(frozen=True, slots=True)
class Check(Property):
    """`claims` are the obligations of a symbolic hand that say what the probes look for; `proved` is the message if none can fail.

    `rests_on` names the checks that must be proved before this one can be; `of_a_deal` that what `run` calls proved is proved by
    the induction over deals, however it is told.  `flaws` are phrases of its messages by which one flaw is told from another.
    """

    run: Callable[[Check, Subject], Finding] = field(kw_only=True)
    claims: Callable[[SymbolicHand, str], Iterable[Obligation]] = field(default=nothing, kw_only=True)
    proved: str = field(default="", kw_only=True)
    rests_on: tuple[str, ...] = field(default=(), kw_only=True)
    of_a_deal: bool = field(default=False, kw_only=True)
    flaws: tuple[str, ...] = field(default=(), kw_only=True)


def checks_of(subject: Subject) -> Iterator[Check]:
    """The properties under examination that come with claims about symbolic hands."""
    return (prop for prop in subject.properties if isinstance(prop, Check))
