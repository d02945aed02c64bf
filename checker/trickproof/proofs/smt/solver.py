"""Queries to z3, answered yes, no or given up, with minimal models in a fixed order.

Effort is bounded by z3's own resource count, so giving up is the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import TypeVar, cast

import z3

from trickproof.checking.proof_session import ProofSession
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt.symbolic_values import Bool, Cases, Int, Members, Symbol
from trickproof.testing.subject import Subject
from trickproof_dsl.semantics.values import Value

A = TypeVar("A")
T = TypeVar("T")

RESOURCES = 4_000_000
"""z3's resource limit for one query, about two seconds."""

PATIENCE = 2
"""Number of queries about the same deals of a match that may be given up."""

_COUNTING = re.compile(r"\(_ (?:pble|pbge|pbeq|at-most|at-least) ")
"""z3's own operators for cardinality constraints."""

_EMPTY = re.compile(r"\|[^|]*\||(?<=\s)(?:and|or)(?=[\s)])")
"""A quoted symbol, which may contain anything, or a conjunction or disjunction of nothing, as z3 writes it."""

z3.z3.Z3_DEBUG = False  # z3's checks of what our types already guarantee take a twentieth of the time
if z3.get_version() >= (4, 15):  # unknown to older versions
    z3.set_param("ctrl_c", False)  # otherwise z3 handles Ctrl-C itself and reports that it gave up


class Answer(Enum):
    YES = "yes"
    NO = "no"
    GAVE_UP = "gave up"


@contextmanager
def recording(session: ProofSession) -> Iterator[list[Theorem]]:
    """Within the context, record every query answered no: the leaves of proofs."""
    leaves: list[object] = []
    session.records.append(leaves)
    try:
        yield cast(list[Theorem], leaves)
    finally:
        session.records.pop()


@contextmanager
def writing(session: ProofSession) -> Iterator[None]:
    """Within the context, write recorded queries down as SMT-LIB and ignore memoised answers."""
    before, session.writing = session.writing, True
    try:
        yield
    finally:
        session.writing = before


def recorded_once(subject: Subject, function: Callable[[A], T], about: A) -> T:
    """A function's result, memoised per subject; every proof that depends on it records its queries."""
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
    """Add to all active records the leaves that the current computation depends on."""
    for record in session.records:
        record.extend(leaves)


def spent() -> int:
    """z3's resources used by all queries so far."""
    return int(_METER.statistics().get_key_value("rlimit count"))


def over_budget(session: ProofSession) -> bool:
    """Whether the session's budget is spent; memoised answers count at their original cost."""
    if session.budget is None:
        return False
    effort = spent() + session.saved
    if session.begun is None:
        session.begun = effort
    return effort - session.begun > session.budget * SECOND


_METER = z3.Solver()
"""Reads z3's own resource count."""


SECOND = RESOURCES // 2
"""z3's resources for about one second on an ordinary machine."""


class SolverSession:
    """A growing set of facts, and queries whether something is possible under them.

    After `patience` queries were given up, no more are made: the facts only get harder, and z3 may then never
    return from one at all, whatever its resource limit.

    With `bit_blasted`, bit-vectors are made Booleans before each query: best for a single one, as nothing is
    learnt for the next.
    """

    def __init__(
        self, session: ProofSession, patience: int | None = None, *, bit_blasted: bool = False
    ) -> None:
        self._session, self._patience = session, patience
        self._cases: list[z3.ModelRef] = []
        self.solver = z3.Then("simplify", "bit-blast", "smt").solver() if bit_blasted else z3.Solver()
        self.solver.set("rlimit", RESOURCES)
        self.solver.set("random_seed", 0)
        self._seen: z3.ModelRef | None = None
        self.theorem: Theorem | None = None
        """What the last answer says; None if the solver gave up."""
        self._asked = 0

    @property
    def exhausted(self) -> bool:
        """Whether no more queries are made."""
        return self._patience == 0

    def add(self, *facts: Bool) -> None:
        """Assert facts."""
        for fact in facts:
            if fact is not True:
                z3.Z3_solver_assert(self.solver.ctx.ref(), self.solver.solver, _term(fact).as_ast())

    @contextmanager
    def supposing(self, *facts: Bool) -> Iterator[None]:
        """Assert facts within the context only."""
        self.solver.push()
        self.add(*facts)
        try:
            yield
        finally:
            self.solver.pop()

    def possible(self, *facts: Bool) -> Answer:
        """Whether these facts can hold together."""
        if any(fact is False for fact in facts):
            self.theorem, self._seen = kernel.lineage("it cannot hold", False), None
            return Answer.NO
        self._asked += 1
        supposed = z3.Bool(f"?{self._asked}")  # many times faster than push and pop
        self.solver.add(z3.Implies(supposed, z3.And(*(_term(fact) for fact in facts))))
        answer = self._ask(supposed)
        self._seen = self.solver.model() if answer is Answer.YES else None
        return answer

    def excluding(self, *facts: Bool) -> Theorem | None:
        """The theorem that these facts cannot hold together; None if they can or the solver gave up."""
        return self.theorem if self.possible(*facts) is Answer.NO else None

    def may(self, what: Bool) -> bool:
        """Whether this is not known to be impossible; a model found for one query answers others.

        Only for a set of facts that no longer grows.
        """
        if any(z3.is_true(case.eval(_term(what), model_completion=True)) for case in self._cases):
            return True
        answer = self.possible(what)
        if self._seen is not None:
            self._cases.append(self._seen)
        return answer is not Answer.NO

    def once(self, *facts: Bool) -> Answer:
        """Whether these facts can hold, as the only query ever made: z3 then simplifies all facts together."""
        self.add(*facts)
        answer = self._ask()
        self._seen = self.solver.model() if answer is Answer.YES else None
        return answer

    def each(self, ways: Sequence[Bool]) -> list[Answer]:
        """For each formula, whether it can hold; queried together as far as possible."""
        open_ = [i for i, way in enumerate(ways) if way is not False]
        answers = [Answer.NO if way is False else Answer.YES for way in ways]
        while open_:
            answer = self.possible(z3.Or(*(_term(ways[i]) for i in open_)))
            if answer is not Answer.YES:
                for i in open_:
                    answers[i] = answer if answer is Answer.NO else self.possible(ways[i])
                break
            open_ = [i for i in open_ if not self.shows(ways[i])]
        return answers

    def shown(self, new: Sequence[Bool], conditions: Sequence[Bool]) -> list[bool]:
        """Which conditions are known to be possible from a previous model, after adding the `new` facts."""
        if self._seen is None or not all(self.shows(fact) for fact in new):
            self._seen = self.solver.model() if self._ask() is Answer.YES else None
        return [self._seen is not None and self.shows(condition) for condition in conditions]

    def shows(self, condition: Bool) -> bool:
        """Whether a condition holds in the model of the last satisfiable query."""
        assert self._seen is not None
        return condition is True or z3.is_true(self._seen.eval(_term(condition), model_completion=True))

    def _ask(self, *supposed: z3.BoolRef) -> Answer:
        self.theorem = None
        if self._patience == 0 or over_budget(self._session):
            return Answer.GAVE_UP
        answer = kernel.decide(self.solver, *supposed)
        if answer is not None and answer.rule is kernel.Rule.UNSAT:
            if self._session.writing:
                with self.supposing(*supposed):
                    answer = kernel.written(answer, smtlib(self.solver))
            keep(self._session, [answer])
        self.theorem = answer
        if answer is not None:
            return Answer.YES if answer.rule is kernel.Rule.SATISFIABLE else Answer.NO
        if self._patience is not None:
            self._patience -= 1
        return Answer.GAVE_UP

    def smallest(self, unknowns: Sequence[Int]) -> list[int] | None:
        """The lexicographically smallest values (non-negative integers), asserted from here on; None if given up."""
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
        """An integer in the model of the last satisfiable query."""
        if isinstance(value, int):
            return value
        return int(self.solver.model().eval(value, model_completion=True).as_long())

    def truth(self, value: Bool) -> bool:
        """A truth value in that model."""
        if isinstance(value, bool):
            return value
        return bool(z3.is_true(self.solver.model().eval(value, model_completion=True)))

    def concrete(self, value: Symbol) -> Value:
        """Any value in that model, as the interpreter represents it."""
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
        """Compute a model of the current facts; False if there is none."""
        return self._ask() is Answer.YES


def _term(fact: Bool) -> z3.BoolRef:
    return z3.BoolVal(fact) if isinstance(fact, bool) else fact


def smtlib(solver: z3.Solver) -> str:
    """The assertions of a solver and a `check-sat`, in standard SMT-LIB only."""
    written: str = solver.to_smt2()
    if not _COUNTING.search(written):
        return _EMPTY.sub(_truth, written)
    goal, plain = z3.Goal(), z3.Solver()
    goal.add(*solver.assertions())
    for part in z3.Then("simplify", "card2bv")(goal):
        plain.add(part.as_expr())
    standard: str = plain.to_smt2()
    return _EMPTY.sub(_truth, standard)


def _truth(word: re.Match[str]) -> str:
    return {"and": "true", "or": "false"}.get(word[0], word[0])
