"""Solver queries for one path through a segment of a deal: which obligations cannot fail on it.

The cardinality and bit-vector abstractions are queried separately (`card_theory.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, groupby
from typing import Protocol, TypeVar

from trickproof.checking.proof_session import ProofSession
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.cone_of_influence import Facts
from trickproof.proofs.smt.query_cache import identity, memoised
from trickproof.proofs.smt.solver import Answer, SolverSession, recording
from trickproof.proofs.smt.symbolic_values import Bool, Int
from trickproof.proofs.symbolic.fork import Fork
from trickproof.proofs.symbolic.path_state import Known, Obligation

T = TypeVar("T")

Way = tuple[Bool, Bool]
"""When something happens, in cardinalities and in bit-vectors; True if that abstraction cannot tell."""

ASSUMED_LATER = "hand-size"
"""The claim that is assumed once it has been checked: every hand has as many cards as there are tricks."""


class Half(Protocol):
    """A growing set of facts in one abstraction, and queries under them."""

    def add(self, *facts: Bool) -> None:
        """Assert facts; literal truth values are ignored (`False` is the negation of what an abstraction cannot tell)."""

    def possible(self, *ways: Bool) -> Answer:
        """Whether these can all hold together."""

    def each(self, ways: Sequence[Bool], sure: Sequence[Bool] = ()) -> list[Answer]:
        """For each formula, whether it can hold, also assuming the facts in `sure`."""


class Counts:
    """One incremental solver for all facts, which learns between queries: best for linear integer arithmetic."""

    def __init__(self, session: ProofSession, *facts: Bool) -> None:
        self.session = session
        self.facts = [fact for fact in facts if not isinstance(fact, bool)]
        self._session, self._in_solver = SolverSession(session), 0

    def add(self, *facts: Bool) -> None:
        self.facts += [fact for fact in facts if not isinstance(fact, bool)]

    def possible(self, *ways: Bool) -> Answer:
        return _memoised(self.session, "possible", self.facts, ways, lambda: self._solver().possible(*ways))

    def each(self, ways: Sequence[Bool], sure: Sequence[Bool] = ()) -> list[Answer]:
        return _memoised(self.session, "each", self.facts, ways, lambda: self._solver().each(ways))

    def some_value(self, number: Int) -> int | None:
        """Some value that a number may have under all facts; None if the solver gave up."""
        solver = self._solver()
        return solver.number(number) if solver.possible() is Answer.YES else None

    def _solver(self) -> SolverSession:
        self._session.add(*self.facts[self._in_solver :])
        self._in_solver = len(self.facts)
        return self._session


class Bits:
    """A fresh solver for every query, with the facts that bear on it made Boolean: best for bit-vectors."""

    def __init__(self, session: ProofSession, *facts: Bool) -> None:
        self.session, self.facts = session, Facts(session, facts)

    def add(self, *facts: Bool) -> None:
        self.facts.add(*facts)

    def together(self) -> Answer:
        """Whether all facts can hold together."""
        facts = self.facts.all
        return _memoised(self.session, "possible", facts, (), lambda: self._fresh(facts).once())

    def possible(self, *ways: Bool) -> Answer:
        facts = self.facts.bearing_on(*ways)
        return _memoised(self.session, "possible", facts, ways, lambda: self._fresh(facts).once(*ways))

    def each(self, ways: Sequence[Bool], sure: Sequence[Bool] = ()) -> list[Answer]:
        known = Facts(self.session, [*self.facts.all, *sure]) if sure else self.facts
        facts = known.bearing_on(*ways)
        return _memoised(self.session, "each", facts, ways, lambda: self._each(facts, ways))

    def _each(self, facts: Sequence[Bool], ways: Sequence[Bool]) -> list[Answer]:
        undecided, answers = list(range(len(ways))), [Answer.YES] * len(ways)
        while undecided:
            solver = self._fresh(facts)
            answer = solver.once(y.disj(*(ways[i] for i in undecided)))
            if answer is not Answer.YES:
                for i in undecided:
                    answers[i] = answer if answer is Answer.NO else self._fresh(facts).once(ways[i])
                break
            undecided = [i for i in undecided if not solver.shows(ways[i])]
        return answers

    def _fresh(self, facts: Sequence[Bool]) -> SolverSession:
        solver = SolverSession(self.session, bit_blasted=True)
        solver.add(*facts)
        return solver


def _memoised(
    session: ProofSession, kind: str, facts: Sequence[Bool], ways: Sequence[Bool], work_out: Callable[[], T]
) -> T:
    """The memoised answer to a query, keyed by the identities of its facts and formulas."""
    name = partial(identity, session)
    return memoised(session, kind, chain(map(name, facts), ("?",), map(name, ways)), work_out)


class Both:
    """What is known in both abstractions, and queries about what may go wrong under it."""

    def __init__(self, session: ProofSession, facts: Sequence[Bool], world: Sequence[Sequence[Bool]]) -> None:
        self.counts, self.bits = (
            Counts(session, *facts, *world[0]),
            Bits(session, *facts, *world[1]),
        )

    def exclude(self, way: Way) -> None:
        """Assume from now on that this does not happen."""
        self.counts.add(y.neg(way[0]))
        self.bits.add(y.neg(way[1]))

    def answers(
        self, ways: Sequence[Way], halting: Sequence[bool], before: Sequence[Way] = ()
    ) -> list[tuple[Answer, str]]:
        """For each formula in turn, NO if it cannot happen given that nothing of `before` did, and no earlier `halting` one.

        With each answer comes how it was excluded: by which abstraction, together with all others or `alone`.
        """
        open_, shown = _not_excluded(range(len(ways)), [counts for counts, _ in ways], self.counts)
        how = ["counts" if i not in open_ else "bits" for i in range(len(ways))]
        sure = [y.neg(ways[i][1]) for i in range(len(ways)) if i not in open_]
        if any(ways[i][1] is not True for i in open_):
            open_, shown_too = _not_excluded(open_, [bits for _, bits in ways], self.bits, sure)
            shown &= shown_too
        answers = [(Answer.NO, by) for by in how]
        for i in open_:
            earlier = [*before, *(way for way, stops in zip(ways[:i], halting, strict=False) if stops)]
            answers[i] = (Answer.YES, "open") if i in shown and not earlier else self._one(ways[i], earlier)
        return answers

    def _one(self, way: Way, before: Sequence[Way]) -> tuple[Answer, str]:
        counts, bits = way
        answer, how = Answer.YES, "alone in counts"
        if counts is not True:
            earlier = [y.neg(n) for n, _ in before if n is not True]
            answer = self.counts.possible(counts, *earlier)
        if answer is not Answer.NO and bits is not True:
            earlier = [y.neg(b) for _, b in before if b is not True]
            answer, how = self.bits.possible(bits, *earlier), "alone in bits"
        return answer, how if answer is Answer.NO else "open"


class Path:
    """Both abstractions of a path that was followed to its end.

    `even` assumes that hands have as many cards as there are tricks.
    """

    def __init__(self, fork: Fork, even: bool = True) -> None:
        self.even = even
        self.encoder, self.state = fork.encoder, fork.state
        self.end = self._given(self.state.known)
        self._cannot: list[Way] = []
        """What is excluded so far, which later queries rest on."""
        self._then: tuple[Known, Both] | None = None
        """What was known when the obligations last judged arose, and what is excluded."""
        self.leaves: list[Theorem] = []
        """The solver's answers about the path so far."""
        self.how: list[str] = []
        """How each obligation so far was excluded."""
        self._early: list[Answer] | None = None
        self._answers: list[Answer] | None = None

    @property
    def possible(self) -> bool:
        """Whether the path is feasible at all.

        This is asked in one abstraction only: where the rules have failed, each may exclude what the other does
        not, and no path would be left on which the failure is an obligation.
        """
        with self._kept():
            return self.end.counts.possible() is not Answer.NO

    @contextmanager
    def _kept(self) -> Iterator[None]:
        with recording(self.state.oracle.session) as leaves:
            yield
        self.leaves += leaves

    @property
    def consistent(self) -> bool:
        """Whether the path's assumptions are consistent in both abstractions; otherwise its answers mean nothing.

        It may be that nothing passes its obligations: if every play runs into a fault, that obligation is
        left open, which is no contradiction.
        """
        if self.possible and self.end.bits.together() is not Answer.NO:
            return True
        given = self._given(self.state.known)
        return given.counts.possible() is not Answer.NO and given.bits.together() is not Answer.NO

    @property
    def passable(self) -> bool:
        """Whether something comes to the end of the path with every card in some zone, and no zone short of cards.

        Where the rules have failed, cards may have moved out of a zone that did not hold them, or to nobody.
        """
        world = self.state.world
        sizes = [world.size(cards) for cards in self.state.zones.values()]
        there = [y.compare(">=", size, 0) for size in sizes]
        every = y.compare("=", y.total(sizes), world.width)
        return self.possible and self.end.counts.possible(*there, every) is not Answer.NO

    def early(self) -> list[Answer]:
        """The answers to the obligations before the first card is played; after those, `even` hands are assumed."""
        if self._early is None:
            obligations = self.state.obligations[: self.state.milestone]
            self._early = self._cleared(obligations)
            for obligation in obligations:
                if self.even and obligation.check == ASSUMED_LATER:
                    self._exclude(obligation)
        return self._early

    def answers(self) -> list[Answer]:
        """The answers to all obligations."""
        if self._answers is None:
            early = self.early()
            self._answers = [*early, *self._cleared(self.state.obligations[len(early) :])]
        return self._answers

    def excluded(self, ways: Sequence[Way]) -> list[tuple[Answer, str]]:
        """For each formula, NO if it cannot happen at the end of the path, and how it was excluded."""
        with self._kept():
            return self.end.answers(ways, [False] * len(ways))

    def _cleared(self, obligations: Sequence[Obligation]) -> list[Answer]:
        """The answers to obligations; those excluded are assumed not to happen from there on.

        Each is judged by what was known when it arose, those between two decisions together.
        """
        answers: list[Answer] = []
        before: list[Way] = []
        for together in judged_together(obligations):
            ways = [(d.counts, d.bits) for d in together]
            halting = [d.halts for d in together]
            with self._kept():
                found = self._at(together[-1].known).answers(ways, halting, before)
            before += [way for way, stops in zip(ways, halting, strict=True) if stops]
            self.how += [how for _, how in found]
            for obligation, (answer, _) in zip(together, found, strict=True):
                answers.append(answer)
                if answer is Answer.NO:
                    self._exclude(obligation)
        return answers

    def _exclude(self, obligation: Obligation) -> None:
        self._cannot.append((obligation.counts, obligation.bits))
        for both in (self.end, *(() if self._then is None else self._then[1:])):
            both.exclude(self._cannot[-1])

    def _at(self, known: Known) -> Both:
        """What was known at a moment, and what is excluded; the solver goes on from the last moment if it was no later."""
        state, world = self.state, self.state.world
        if self._then is None or not all(was <= now for was, now in zip(self._then[0], known, strict=True)):
            both = self._given(known)
            for way in self._cannot:
                both.exclude(way)
        else:
            since, both = self._then
            facts = state.oracle.facts[since.facts : known.facts]
            both.counts.add(*facts, *world.count_facts[since.counts : known.counts])
            both.bits.add(*facts, *world.bit_facts[since.bits : known.bits])
        self._then = known, both
        return both

    def _given(self, known: Known) -> Both:
        state, world = self.state, self.state.world
        return Both(
            state.oracle.session,
            state.oracle.facts[: known.facts],
            (world.count_facts[: known.counts], world.bit_facts[: known.bits]),
        )


def judged_together(obligations: Sequence[Obligation]) -> Iterator[list[Obligation]]:
    """The obligations that arose between two decisions; all of them are judged by what was known when the last one arose."""
    for _, group in groupby(obligations, lambda obligation: obligation.known.decisions):
        yield list(group)


def _not_excluded(
    among: Sequence[int], ways: Sequence[Bool], half: Half, sure: Sequence[Bool] = ()
) -> tuple[list[int], set[int]]:
    """The formulas that one abstraction does not exclude, querying all it can decide together, and those that it allows."""
    known = [i for i in among if ways[i] is not True]
    answers = dict.fromkeys(among, Answer.YES) | dict.fromkeys(known, Answer.NO)
    if any(ways[i] is not False for i in known):
        answers |= zip(known, half.each([ways[i] for i in known], sure), strict=True)
    return (
        [i for i in among if answers[i] is not Answer.NO],
        {i for i in among if answers[i] is Answer.YES},
    )
