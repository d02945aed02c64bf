"""Whether every match is over within a known number of deals, whatever is dealt and chosen.

Shown by unrolling matches until none goes on (`lasso.py`), or by a number that grows in every deal and is bounded until
the end (`ranking_function.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from trickproof.checking.verdict import Method
from trickproof.english.inflection import counted
from trickproof.proofs.kernel import Rule
from trickproof.proofs.matches.bounded_model_checking import Trace
from trickproof.proofs.matches.lasso import AllEnd, lasso
from trickproof.proofs.matches.ranking_function import ranking
from trickproof.proofs.smt.solver import recorded_once
from trickproof.proofs.symbolic.hand_summary import Settlement


@dataclass(frozen=True, slots=True)
class Surely:
    """Every match is over within so many deals; `why`, in words, where it takes more than going through them."""

    deals: int
    rule: Rule
    why: str = ""

    @property
    def method(self) -> Method:
        """How it is shown."""
        methods = {Rule.UNROLL: Method.SMT, Rule.RANK: Method.INDUCTION}
        return methods.get(self.rule, Method.ENUMERATION)

    @property
    def message(self) -> str:
        """It, in words."""
        if self.deals == 0:
            return "the match is over before its first deal"
        within = f"every match ends within {counted(self.deals, 'deal')}"
        return f"{within}: {self.why}" if self.why else within


def surely(settlement: Settlement) -> Surely | None:
    """The answer for one choice of parameters and readings; None where it is not shown."""
    return recorded_once(settlement.subject, _surely, settlement)


def _surely(settlement: Settlement) -> Surely | None:
    if settlement.over_at_start:
        return Surely(0, Rule.ENUMERATION)
    outcome = next(lasso(settlement))
    if isinstance(outcome, AllEnd):
        return Surely(outcome.hands, Rule.UNROLL)
    why = None if isinstance(outcome, Trace) else ranking(settlement)
    return None if why is None else Surely(why.hands, Rule.RANK, why.reason)
