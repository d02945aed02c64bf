"""Assertions in a program: steps that fail unless a condition holds, and whether any of them can fail.

An assertion is an ordinary step of the core, which looks for one player if the condition holds and for none
otherwise, so that every engine and the prover know what it means. If none can fail in any deal, each condition
holds wherever a deal comes to it, up to the first fault of the program itself.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from trickproof.checking.proof_session import ProofSession
from trickproof.proofs import kernel
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.path_queries import ASSUMED_LATER
from trickproof.proofs.hands.verdicts import decide_by_hands, hand_proof
from trickproof.proofs.kernel import Theorem
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import fault_sites
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

PREFIX = "asserted."
"""Prefix of the names that assertions bind or set, which no ruleset can use."""

ASSERTED = Check("asserted", (), breaks=lambda *_: True, run=decide_by_hands)

SOME = 4
"""Number of deals played to derive constants."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """A step that fails unless a condition holds, and the places where it can."""

    step: c.Stmt
    spans: frozenset[Span]


def assertion(condition: c.Expr, number: int, span: Span) -> Assertion:
    """The assertion of a condition; its `number` differs from those of others in the program."""
    binder = f"{PREFIX}{number}"
    dealer = c.Variable("dealer", (), c.PLAYER, span)
    first = c.Compare("=", c.Local(binder, c.PLAYER, span), dealer, c.BOOLEAN, span)
    both = c.Logic("and", first, condition, c.BOOLEAN, span)
    players = c.Filter(binder, c.Universe(c.PLAYERS, span), both, c.PLAYERS, span)
    step = c.Assign(PREFIX, (), c.Only(players, c.PLAYER, span), span)
    return Assertion(step, frozenset((span, *(node.span for node in walk(condition)))))


def with_assertions(program: c.Program, hand: tuple[c.Stmt, ...]) -> c.Program:
    """The program with other steps for a deal, among them assertions."""
    info = c.VariableInfo(PREFIX, c.PLAYER, (), False, None)
    return replace(program, hand=hand, variables={**program.variables, PREFIX: info})


def proved_or_failing(
    ruleset: Ruleset, program: c.Program, assertions: Collection[Assertion], session: ProofSession
) -> tuple[Theorem | None, list[Assertion]]:
    """The theorem that no assertion of a ruleset's program fails in any deal, or those that may fail.

    If some may fail, nothing is proved of the others, as no deal goes on after one that fails. May raise
    NotEncodedError.
    """
    subject = Subject(replace(ruleset, program=program), (ASSERTED,), SOME, session)
    proof = hand_proof(subject)
    uneven = proof.even and any(left.obligation.check == ASSUMED_LATER for left in proof.open)
    if proof.limits or proof.gaps or uneven or proof.theorem is None:
        return None, list(assertions)
    unsure = {site.span for skipped in proof.skipped for site in fault_sites(skipped.step)}
    unsure |= {left.obligation.span for left in proof.open}
    if some := [x for x in assertions if x.spans & unsure]:
        return None, some
    others: dict[object, str] = {site: "the program itself" for site, _ in proof.whose}
    return kernel.conjunct(ASSERTED.name, proof.theorem, others), []
