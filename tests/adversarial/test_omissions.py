"""Ablation of the proofs about single deals: each part is removed in turn, and a ruleset detects it.

An omission is data: its location, its replacement, and the ruleset on which a check then makes a false claim
or contradicts play. Without omissions nothing is wrong, as test_cases.py verifies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from adversarial.known_causes import loaded
from adversarial.law import gone_through, judged
from trickproof.certificates.verifier import BY_CLAIMS
from trickproof.proofs.hands import grounds, initial_states
from trickproof.proofs.matches import strategies
from trickproof.proofs.symbolic import claims, fork, hand_summary, merge, path_state, redeals
from trickproof.testing import subject

STATES, STEPS = 3_000, 200_000


def _unclaimed(check: str) -> Callable[..., path_state.Obligation]:
    """Make every claim except that of one check."""
    usual = claims.SymbolicHand.claim

    def claim(self: Any, name: str, wrong: Any, bits: Any = None) -> path_state.Obligation:
        made = usual(self, name, wrong, bits)
        return replace(made, counts=False, bits=False) if name == check else made

    return claim


def _nothing(*_: Any) -> Iterator[Any]:
    return iter(())


def _first_only(usual: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    return lambda *arguments: usual(*arguments)[:1]


@dataclass(frozen=True)
class Omission:
    """An omission (`where`, `instead`), and the case and check that detect it."""

    what: str
    where: tuple[Any, str]
    instead: Any
    case: str
    check: str


CLAIMED = {
    "hand-size": "one-less-when-level",
    "target-total": "aces-and-kings-apart",
    "trick-total": "counted-after-the-last-trick",
    "exchange-balanced": "given-one-by-one",
    "exchange-returns-highest": "returned-one-by-one",
    grounds.TRICKS: "aces-and-kings-apart",
}
"""For each claim about single deals, a ruleset that violates it."""

OMISSIONS = (
    *(
        Omission(
            f"the claim {check}",
            (claims.SymbolicHand, "claim"),
            _unclaimed(check),
            case,
            "zero-sum" if check == grounds.TRICKS else check,
        )
        for check, case in CLAIMED.items()
    ),
    Omission(
        "the end of a deal that is cut short",
        (fork.Fork, "_cut_short"),
        lambda self, why: path_state.Stop(why),
        "counted-after-the-last-trick",
        "trick-total",
    ),
    Omission(
        "what was moved in rounds gone by",
        (claims.SymbolicHand, "unlisted"),
        frozenset(),
        "returned-one-by-one",
        "exchange-returns-highest",
    ),
    Omission(
        "all deals but the first",
        (initial_states, "_later"),
        _nothing,
        "returned-one-by-one",
        "exchange-returns-highest",
    ),
    Omission(
        "all values of a parameter but the first",
        (subject.Subject, "parameters"),
        _first_only(subject.Subject.parameters),
        "ceiling-agreed",
        "under-the-ceiling",
    ),
    Omission(
        "all readings but the first",
        (subject.Subject, "readings"),
        _first_only(subject.Subject.readings),
        "low-ceiling",
        "under-the-ceiling",
    ),
)


def _always_the_steps_between(usual: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, after, again: usual(self, after, False)


def _never_thrown_in(usual: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, tag, again, goes_on: usual(self, tag, False, goes_on)


def _goes_on_all_the_same(self: Any, *_: Any) -> None:
    self.state.thrown_in.append((self.state.guard, dict(self.state.variables)))


REDEALS = (
    Omission(
        "what hands begin with that are dealt again",
        (initial_states, "_redealt"),
        _nothing,
        "one-less-when-dealt-again",
        "hand-size",
    ),
    Omission(
        "what a hand has changed when it is thrown in",
        (redeals, "changed_before_redeal"),
        lambda program, before: frozenset(),
        "over-once-thrown-in",
        "end-reachable",
    ),
    Omission(
        "that a hand may be thrown in",
        (hand_summary.Settlement, "_stops"),
        _never_thrown_in(hand_summary.Settlement._stops),
        "two-deals-unless-thrown-in",
        "terminates",
    ),
    Omission(
        "that nothing comes between a hand and the same dealt again",
        (hand_summary.Settlement, "between"),
        _always_the_steps_between(hand_summary.Settlement.between),
        "one-less-when-level",
        "hand-size",
    ),
    Omission(
        "that a hand is over when it is thrown in after its play",
        (merge.Merge, "end_hand"),
        _goes_on_all_the_same,
        "one-less-when-level",
        "hand-size",
    ),
    Omission(
        "that a hand which a plan uses goes to its last step",
        (strategies, "ended_early"),
        lambda state: False,
        "both-tricks-unscored",
        "end-always-reachable",
    ),
)
"""The parts that handle deals which end before their last step."""


def test_every_claim_is_left_out_once() -> None:
    missing = set(BY_CLAIMS) - set(CLAIMED)
    assert missing == set(), "add to CLAIMED a case of tests/adversarial/cases that violates these"


@pytest.mark.slow
@pytest.mark.parametrize("omission", [*OMISSIONS, *REDEALS], ids=lambda omission: omission.what)
def test_what_is_left_out_is_noticed(omission: Omission, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = loaded(omission.case)
    truth = gone_through(ruleset, STATES, STEPS)
    assert truth is not None
    monkeypatch.setattr(*omission.where, omission.instead)
    assert [one for one in judged(ruleset, truth, [omission.check]) if one.wrong] != []
