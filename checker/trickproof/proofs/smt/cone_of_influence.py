"""Cone of influence: the facts relevant to a query are those that share unknowns with it, directly or through other facts.

The facts left out concern other unknowns. Fewer facts allow more, so a query that is unsatisfiable without
them is unsatisfiable with them; and the same trick produces the same query however the deal began.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from trickproof.checking.proof_session import ProofSession
from trickproof.proofs.smt.query_cache import unknowns
from trickproof.proofs.smt.symbolic_values import Bool


class Facts:
    """A growing set of facts."""

    def __init__(self, session: ProofSession, facts: Iterable[Bool] = ()) -> None:
        self._session = session
        self.all: list[Bool] = []
        self._about: dict[object, list[int]] = defaultdict(list)
        self._general: list[int] = []
        self.add(*facts)

    def add(self, *facts: Bool) -> None:
        """Assert facts.

        Literal truth values are ignored: `False` is the negation of `True`, by which an abstraction says that
        it cannot tell.
        """
        for fact in facts:
            if not isinstance(fact, bool):
                names = unknowns(self._session, fact)
                for name in names:
                    self._about[name].append(len(self.all))
                if not names:
                    self._general.append(len(self.all))
                self.all.append(fact)

    def bearing_on(self, *questions: Bool) -> list[Bool]:
        """The facts relevant to the queries, in order."""
        names = (unknowns(self._session, question) for question in questions)
        frontier = list(frozenset[object]().union(*names))
        reached, cone = set(frontier), set(self._general)
        while frontier:
            for number in self._about.get(frontier.pop(), ()):
                if number not in cone:
                    cone.add(number)
                    new = unknowns(self._session, self.all[number]) - reached
                    reached |= new
                    frontier += new
        return [self.all[number] for number in sorted(cone)]
