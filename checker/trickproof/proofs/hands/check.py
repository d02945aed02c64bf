"""A check: a property of a game, and how its verdict is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from trickproof.checking.finding import Finding
from trickproof.checking.property import Property
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof.testing.subject import Subject


def nothing(_hand: SymbolicHand, _moment: str) -> Iterable[Obligation]:
    """No claims, for properties that need only that no rule fails in a deal."""
    return ()


@dataclass(frozen=True, slots=True)
class Check(Property):
    """A property with claims about symbolic deals, and the function that reaches its verdict.

    `claims` are the obligations that correspond to the probes; `proved` is the message if none of them can
    fail. `rests_on` names the checks that must be proved before this one can be; `of_a_deal` says that a
    *proved* from `run` comes from the induction over deals, however it is reported. `flaws` are phrases of
    its messages that distinguish one flaw from another. `of_file` says that it is about what a file itself
    states, which variants do not inherit.
    """

    run: Callable[[Check, Subject], Finding] = field(kw_only=True)
    claims: Callable[[SymbolicHand, str], Iterable[Obligation]] = field(default=nothing, kw_only=True)
    proved: str = field(default="", kw_only=True)
    rests_on: tuple[str, ...] = field(default=(), kw_only=True)
    of_a_deal: bool = field(default=False, kw_only=True)
    flaws: tuple[str, ...] = field(default=(), kw_only=True)
    of_file: bool = field(default=False, kw_only=True)


def checks_of(subject: Subject) -> Iterator[Check]:
    """The properties under examination that make claims about symbolic deals."""
    return (prop for prop in subject.properties if isinstance(prop, Check))
