"""What proofs have worked out so far, as data: answers of the solvers, and where their questions are recorded.

z3's terms are held as plain objects, so that nothing here needs z3; `proofs/smt` reads and writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class ProofSession:
    """The state of the prover.  One may serve several rulesets of a command, which have most of their rules in common.

    `answers` are of questions told by the identities of all terms in them, with what each took; `terms` keeps these terms
    alive, as z3 would give their identities to others; `unknowns` are those in a term; `saved` is what answers found here
    would have taken, so that giving up does not depend on them; `opinions` are a second solver's, by the question's digest;
    `records` are lists to which theorems about questions answered no are added, with these in SMT-LIB while `writing`;
    while `certifying`, proofs about hands keep all that is needed to check them anew.  After `budget` seconds' worth of z3's
    resources (None: no bound), counted from `begun`, every question is given up.
    """

    terms: dict[int, object] = field(default_factory=dict)
    unknowns: dict[object, frozenset[object]] = field(default_factory=dict)
    answers: dict[tuple[object, ...], tuple[object, int, Sequence[object]]] = field(default_factory=dict)
    opinions: dict[str, object] = field(default_factory=dict)
    records: list[list[object]] = field(default_factory=list)
    writing: bool = False
    certifying: bool = False
    saved: int = 0
    budget: float | None = None
    begun: int | None = None

    def __reduce__(self) -> tuple[type[ProofSession], tuple[()]]:
        """In another process, to which z3's terms do not go, it begins anew."""
        return ProofSession, ()
