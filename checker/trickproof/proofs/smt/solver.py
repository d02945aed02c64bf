"""Questions to z3, answered yes, no or given up; smallest answers in a fixed order.

Effort is bounded by z3's own count of resources, so that giving up is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import TypeVar, cast

import z3

from trickproof.checking.proof_session import ProofSession
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt.smtlib import smtlib
from trickproof.proofs.smt.symbolic_values import Bool, Cases, Int, Members, Symbol
from trickproof.testing.subject import Subject
from trickproof_dsl.semantics.values import Value

A = TypeVar("A")
T = TypeVar("T")

RESOURCES = 4_000_000
"""z3's resources for one question; about two seconds."""

PATIENCE = 2
"""Questions about the same hands of a match that may be given up."""

z3.z3.Z3_DEBUG = False  # its checks of what our types already say take a twentieth of the time
if z3.get_version() >= (4, 15):  # which older ones do not know
    z3.set_param("ctrl_c", False)  # else z3 takes Ctrl-C for itself and answers that it gave up


class Answer(Enum):
    YES = "yes"
    NO = "no"
    GAVE_UP = "gave up"


@contextmanager
def recording(session: ProofSession) -> Iterator[list[Theorem]]:
    """Within, every question that is answered no is kept: what proofs rest on."""
    leaves: list[object] = []
    session.records.append(leaves)
    try:
        yield cast(list[Theorem], leaves)
    finally:
        session.records.pop()


@contextmanager
def writing(session: ProofSession) -> Iterator[None]:
    """Within, such questions are written down as SMT-LIB; none of before is remembered."""
    before, session.writing = session.writing, True
    try:
        yield
    finally:
        session.writing = before


def recorded_once(subject: Subject, function: Callable[[A], T], about: A) -> T:
    """What a function answers, worked out once for a subject; every proof that rests on it records its questions."""
    session = subject.session

    def work_out() -> tuple[T, list[Theorem]]:
        outer, session.records = session.records, []
        try:
            with recording(session) as leaves:
                return function(about), leaves
        finally:
            session.records = outer

    answer, leaves = subject.once((function, about, session.writing), work_out)
    keep(session, leaves)
    return answer


def keep(session: ProofSession, leaves: Sequence[Theorem]) -> None:
    """What is worked out now rests on these as well."""
    for record in session.records:
        record.extend(leaves)


def spent() -> int:
    """z3's resources that all questions so far have taken."""
    return int(_METER.statistics().get_key_value("rlimit count"))


def over_budget(session: ProofSession) -> bool:
    """Whether all that its questions may take is spent; what answers found again would have taken counts."""
    if session.budget is None:
        return False
    effort = spent() + session.saved
    if session.begun is None:
        session.begun = effort
    return effort - session.begun > session.budget * SECOND


_METER = z3.Solver()
"""Reads z3's own count."""


SECOND = RESOURCES // 2
"""z3's resources that take about a second on an ordinary machine."""


class SolverSession:
    """Facts that grow, and questions whether something is possible besides them.

    After `patience` questions that were given up no more are put: what is known only grows harder, and z3 may then
    not come back from one at all, whatever the limit of its resources.
    """

    def __init__(self, session: ProofSession, patience: int | None = None) -> None:
        self._session, self._patience = session, patience
        self._cases: list[z3.ModelRef] = []
        self.solver = z3.Solver()
        self.solver.set("rlimit", RESOURCES)
        self.solver.set("random_seed", 0)
        self._seen: z3.ModelRef | None = None
        self._possible: Theorem | None = None
        self._asked = 0

    @property
    def exhausted(self) -> bool:
        """Whether no more questions are put."""
        return self._patience == 0

    def add(self, *facts: Bool) -> None:
        """From here on these hold."""
        for fact in facts:
            if fact is not True:
                z3.Z3_solver_assert(self.solver.ctx.ref(), self.solver.solver, _term(fact).as_ast())

    @contextmanager
    def supposing(self, *facts: Bool) -> Iterator[None]:
        """Within, these hold."""
        self.solver.push()
        self.add(*facts)
        try:
            yield
        finally:
            self.solver.pop()

    def possible(self, *facts: Bool) -> Answer:
        """Whether these can hold."""
        self._asked += 1
        supposed = z3.Bool(f"?{self._asked}")  # many times faster than supposing them for a while
        self.solver.add(z3.Implies(supposed, z3.And(*(_term(fact) for fact in facts))))
        answer = self._ask(supposed)
        self._seen = self.solver.model() if answer is Answer.YES else None
        return answer

    def may(self, what: Bool) -> bool:
        """Whether it is not certain that this cannot hold; a case found for one question answers others.

        For facts that grow no more.
        """
        if any(z3.is_true(case.eval(_term(what), model_completion=True)) for case in self._cases):
            return True
        answer = self.possible(what)
        if self._seen is not None:
            self._cases.append(self._seen)
        return answer is not Answer.NO

    def once(self, *facts: Bool) -> Answer:
        """Whether these can hold, as the only question ever put: z3 then simplifies all facts together."""
        self.add(*facts)
        answer = self._ask()
        self._seen = self.solver.model() if answer is Answer.YES else None
        return answer

    def excluded(self, ways: Sequence[Bool]) -> list[bool]:
        """For each of some ways whether it is certain that it cannot hold; asked together as far as possible."""
        open_ = [i for i, way in enumerate(ways) if way is not False]
        certain = [way is False for way in ways]
        while open_:
            answer = self.possible(z3.Or(*(_term(ways[i]) for i in open_)))
            if answer is Answer.NO:
                for i in open_:
                    certain[i] = True
                break
            if answer is Answer.GAVE_UP:
                for i in open_:
                    certain[i] = self.possible(ways[i]) is Answer.NO
                break
            open_ = [i for i in open_ if not self.shows(ways[i])]
        return certain

    def not_vacuous(self) -> None:
        """Keeps the last answer of yes: what proofs take for granted is possible."""
        if self._possible is not None:
            keep(self._session, [self._possible])

    def shown(self, new: Sequence[Bool], conditions: Sequence[Bool]) -> list[bool]:
        """Which conditions are known to be possible from an answer already given, `new` facts having been added."""
        if self._seen is None or not all(self.shows(fact) for fact in new):
            self._seen = self.solver.model() if self._ask() is Answer.YES else None
        return [self._seen is not None and self.shows(condition) for condition in conditions]

    def shows(self, condition: Bool) -> bool:
        """Whether a condition holds in the case that the last question answered yes was answered with."""
        assert self._seen is not None
        return condition is True or z3.is_true(self._seen.eval(_term(condition), model_completion=True))

    def _ask(self, *supposed: z3.BoolRef) -> Answer:
        if self._patience == 0 or over_budget(self._session):
            return Answer.GAVE_UP
        answer = kernel.decide(self.solver, *supposed)
        if answer is not None and answer.rule is kernel.Rule.SATISFIABLE:
            self._possible = answer
            return Answer.YES
        if answer is not None:
            if self._session.writing:
                with self.supposing(*supposed):
                    answer = kernel.written(answer, smtlib(self.solver))
            keep(self._session, [answer])
            return Answer.NO
        if self._patience is not None:
            self._patience -= 1
        return Answer.GAVE_UP

    def smallest(self, unknowns: Sequence[Int]) -> list[int] | None:
        """The lexicographically smallest values (integers from 0), which hold from here on; None if given up."""
        values: list[int] = []
        for unknown in unknowns:
            if self._ask() is not Answer.YES:
                return None
            low, high = 0, self.number(unknown)
            while low < high:
                middle = (low + high) // 2
                if self.possible(unknown <= middle) is Answer.YES:
                    high = middle
                else:
                    low = middle + 1
            self.add(unknown == high)
            values.append(high)
        return values

    def number(self, value: Int) -> int:
        """An integer in the model of the last question that was answered yes."""
        if isinstance(value, int):
            return value
        return int(self.solver.model().eval(value, model_completion=True).as_long())

    def truth(self, value: Bool) -> bool:
        """A truth value in that model."""
        if isinstance(value, bool):
            return value
        return bool(z3.is_true(self.solver.model().eval(value, model_completion=True)))

    def concrete(self, value: Symbol) -> Value:
        """Any value in that model, as the interpreter has it."""
        match value:
            case Members(of):
                return frozenset(x for x, when in of if self.truth(when))
            case Cases(of):
                return next((x for x, when in of if self.truth(when)), None)
            case bool() | z3.BoolRef():
                return self.truth(value)
            case int() | z3.ArithRef():
                return self.number(value)
        assert value is None or isinstance(value, frozenset)
        return value

    def model(self) -> bool:
        """Makes the model of what holds now; False if there is none."""
        return self._ask() is Answer.YES


def _term(fact: Bool) -> z3.BoolRef:
    return z3.BoolVal(fact) if isinstance(fact, bool) else fact
