"""Names that `known:` may record: the checks of the contract (also those still to be built) and a ruleset's invariants."""

from __future__ import annotations

from collections.abc import Iterable

from trickproof_dsl.diagnostics.catalogue import did_you_mean, error
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.library import Ruleset

CONTRACT = (
    "cards-conserved",
    "hand-size",
    "target-total",
    "legal-play-exists",
    "one-trick-winner",
    "trick-total",
    "zero-sum",
    "exchange-feasible",
    "exchange-balanced",
    "exchange-returns-highest",
    "exchange-order-determined",
    "allocation-determined",
    "end-reachable",
    "end-always-reachable",
    "terminates-surely",
    "unique-winner",
    "examples-agree",
    "rules-complete",
)


def unknown_known(rulesets: Iterable[Ruleset]) -> list[Diagnostic]:
    """Entries of `known:` that name nothing (E411)."""
    wrong = []
    for ruleset in rulesets:
        names = [*CONTRACT, *ruleset.program.invariants]
        for known in ruleset.own.known:
            word = known.check
            if word.value not in names:
                close = did_you_mean(word.value, names)
                wrong.append(error("E411", word.span, name=word.value, suggestion=close))
    return wrong
