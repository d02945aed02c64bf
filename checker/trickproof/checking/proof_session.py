"""The results of proofs so far, as data: memoised solver answers, and where queries are recorded.

z3 terms are held as plain objects, so that nothing here imports z3; `proofs/smt` reads and writes them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class ProofSession:
    """The state of the prover. One session may serve several rulesets of a command, which share most of their rules.

    `answers` memoises queries by the identities of all their terms, with the cost of each; `terms` keeps
    those terms alive, since z3 would otherwise reuse their identities; `unknowns` are those in a term;
    `saved` is the cost that memoised answers would have had, so that giving up does not depend on them;
    `opinions` holds a second solver's answers by the digest of the query; `subjects` holds rulesets under
    examination that several results need, by purpose, digest of what they mean and number of deals; `records` are lists
    that collect theorems about unsatisfiable queries, with their SMT-LIB text while `writing`; while
    `certifying`, proofs about deals keep everything needed to check them again. Once `budget` seconds'
    worth of z3's resources (None: unlimited), counted from `begun`, are spent, every query is given up.
    `watch` is called with each check that begins, in the process where the session began.
    """

    terms: dict[int, object] = field(default_factory=dict)
    unknowns: dict[object, frozenset[object]] = field(default_factory=dict)
    answers: dict[tuple[object, ...], tuple[object, int, Sequence[object]]] = field(default_factory=dict)
    opinions: dict[str, object] = field(default_factory=dict)
    subjects: dict[tuple[str, str, int], object] = field(default_factory=dict)
    records: list[list[object]] = field(default_factory=list)
    writing: bool = False
    certifying: bool = False
    saved: int = 0
    budget: float | None = None
    begun: int | None = None
    watch: Callable[[str], object] = str
    process: int = field(default_factory=os.getpid)

    def itself(self) -> ProofSession:
        """This session, which watches nothing in a process that inherited it."""
        if self.process != os.getpid():
            self.watch = str
        return self

    def __reduce__(self) -> tuple[type[ProofSession], tuple[()]]:
        """Start empty in another process, since z3 terms cannot be sent there."""
        return ProofSession, ()
