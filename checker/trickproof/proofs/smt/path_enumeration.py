"""Enumerates all paths of a function that branches on unknowns, by running it repeatedly with different decisions.

A run asks the oracle which of several alternatives holds; the oracle answers with one that is consistent with
its previous answers, and saves the others for later runs. The order is deterministic, and no path is taken
twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from trickproof.checking.proof_session import ProofSession
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.cone_of_influence import Facts
from trickproof.proofs.smt.query_cache import identity, memoised
from trickproof.proofs.smt.solver import Answer, SolverSession, recording
from trickproof.proofs.smt.symbolic_values import Bool

MOST_PATHS = 600
"""Maximum number of paths followed through one segment of a deal."""

T = TypeVar("T")


class TooManyPathsError(Exception):
    """There are more paths than the limit."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a run: the number of facts at that point, all alternatives, and the name of a parameter or reading."""

    facts: int
    alternatives: Sequence[Bool]
    declared: str = ""


class PathOracle:
    """Decides the path of one run: replays `answers` first; `facts`, the path condition, hold throughout."""

    def __init__(self, session: ProofSession, answers: Sequence[int], facts: Sequence[Bool]) -> None:
        self.session = session
        self._given, self.answers = tuple(answers), list[int]()
        self.open: list[tuple[int, ...]] = []
        self.facts: list[Bool] = list(facts)
        self.decisions: dict[tuple[int, ...], list[Theorem | None]] = {}
        """For each new decision, the theorem that excludes each alternative, or None if it is possible."""
        self.trace: list[Decision] = []
        self._solver: SolverSession | None = None
        self._in_solver, self._in_cone, self._cone = 0, 0, Facts(session)

    def decide(self, condition: Bool) -> bool:
        """Whether a condition holds on this path."""
        return self.pick([condition, y.neg(condition)]) == 0

    def pick(self, alternatives: Sequence[Bool], declared: str = "") -> int:
        """The alternative that holds on this path; at least one must be possible.

        Either the last alternative says that none of the others holds, or they are the `declared` values of a
        parameter or reading.
        """
        certain = [i for i, condition in enumerate(alternatives) if condition is True]
        if certain:
            return certain[0]
        candidates = [i for i, condition in enumerate(alternatives) if condition is not False]
        number = len(self.answers)
        if number < len(self._given):
            answer = self._given[number]
        else:
            with recording(self.session) as leaves:
                able = candidates if len(candidates) == 1 else self._able(candidates, alternatives)
            answer, *others = able = able or candidates[:1]
            self.decisions[tuple(self.answers)] = [
                None if i in able else _excluded(condition, leaves)
                for i, condition in enumerate(alternatives)
            ]
            self.open += [(*self.answers, other) for other in others]
        self.trace.append(Decision(len(self.facts), tuple(alternatives), declared))
        self.answers.append(answer)
        self.facts.append(alternatives[answer])
        return answer

    def _able(self, candidates: Sequence[int], alternatives: Sequence[Bool]) -> list[int]:
        """The candidates consistent with the facts; facts that are irrelevant to them are left out."""
        self._cone.add(*self.facts[self._in_cone :])
        self._in_cone = len(self.facts)
        conditions = [alternatives[i] for i in candidates]
        name = partial(identity, self.session)
        words = [*map(name, self._cone.bearing_on(*conditions)), "?", *map(name, conditions)]
        able = memoised(self.session, "able", words, lambda: self._ask(candidates, alternatives))
        return [candidates[number] for number in able]

    def _ask(self, candidates: Sequence[int], alternatives: Sequence[Bool]) -> list[int]:
        """The candidates that can hold; those satisfied by the last model need no query."""
        if self._solver is None:
            self._solver = SolverSession(self.session)
        solver = self._solver
        new, self._in_solver = self.facts[self._in_solver :], len(self.facts)
        solver.add(*new)
        shown = solver.shown(new, [alternatives[i] for i in candidates])
        return [
            number
            for number, (i, known) in enumerate(zip(candidates, shown, strict=True))
            if known or solver.possible(alternatives[i]) is not Answer.NO
        ]


def _excluded(condition: Bool, leaves: Sequence[Theorem]) -> Theorem:
    what = "an alternative cannot hold"
    return kernel.lineage(what, condition) if condition is False else kernel.abstraction(what, leaves)


class Cases:
    """All runs as a tree: decisions keyed by the answers before them, and each finished run by its answers."""

    def __init__(self) -> None:
        self.decisions: dict[tuple[int, ...], list[Theorem | None]] = {}
        self.runs: list[tuple[int, ...]] = []


def explore(
    session: ProofSession,
    run: Callable[[PathOracle], T],
    facts: Sequence[Bool] = (),
    most: int = MOST_PATHS,
    cases: Cases | None = None,
) -> Iterator[T]:
    """The result of every run, path by path, depth first; `cases` collects them as a tree. Raises TooManyPathsError."""
    pending: list[tuple[int, ...]] = [()]
    number = 0
    while pending:
        number += 1
        if number > most:
            raise TooManyPathsError
        oracle = PathOracle(session, pending.pop(), facts)
        result = run(oracle)
        if cases is not None:
            cases.decisions |= oracle.decisions
            cases.runs.append(tuple(oracle.answers))
        pending += reversed(oracle.open)
        yield result
