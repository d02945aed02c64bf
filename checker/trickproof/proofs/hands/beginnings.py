"""Enumerates everything that a deal can begin with: a finite cover of what its exchange and its play read.

Enumeration (`cover`) is direct if everything a deal reads from earlier ones is determined by the division of the tricks in the
last deal, by its dealer, and by a few truth values; otherwise the solver lists the values, if there are few. What the
last deal leaves open, such as a suit that was chosen in it, is anything of its type.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

import z3

from trickproof.proofs.hands.initial_states import Start, as_symbol, divisions, starts
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import PATIENCE, Answer, SolverSession
from trickproof.proofs.smt.symbolic_values import Bool, Cases, Members, Symbol, constants
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key, Value, size_of

MOST_CASES = 2_000
"""Maximum number of initial states that are enumerated."""

MOST_LISTED = 200
"""Maximum number of initial states that the solver enumerates."""

MOST_UNKNOWNS = 4
"""Maximum number of truth values, besides the tricks, that are enumerated."""

_LISTED = ("suit", "rank", "player", "team", "option")
"""The kinds of type whose values are enumerated where nothing is known."""

Beginning = Mapping[Key, Value]

Known = list[tuple[z3.ExprRef, z3.ExprRef]]
"""Values of some unknowns."""


def cover(subject: Subject, names: Collection[str], outcome: PlayOutcome) -> list[Beginning] | None:
    """The values that the named variables can have when a deal begins, for the dealers of `starts`; None if not finite."""
    return subject.once(
        (cover, frozenset(names), outcome), lambda: _cover(subject, frozenset(names), outcome)
    )


def _cover(subject: Subject, names: frozenset[str], outcome: PlayOutcome) -> list[Beginning] | None:
    cases: dict[tuple[tuple[Key, Value], ...], Beginning] = {}
    for start in starts(subject, outcome):
        every = {key: value for key, value in start.variables.items() if key[0] in names}
        left_open = [key for key, value in every.items() if _is_open(value, start)]
        anything = _anything(subject.program, left_open)
        if anything is None:
            return None
        values = {key: value for key, value in every.items() if key not in left_open}
        assignments = _assignments(start, values, outcome.all_taken)
        if assignments is None:
            known_cases: Iterable[Beginning] | None = _listed(subject, start, values)
            if known_cases is None:
                return None
        else:
            known_cases = (
                {key: _value(value, known) for key, value in values.items()}
                for known in assignments
                if not any(z3.is_false(_put_in(fact, known)) for fact in start.facts)
            )
        for case in ({**some, **more} for some in known_cases for more in anything):
            if len(cases) > MOST_CASES:
                return None
            cases[tuple(sorted(case.items(), key=repr))] = case
    return list(cases.values())


def _is_open(value: Symbol, start: Start) -> bool:
    """Whether a value depends on more than the division of the tricks and some truth values, other than as a number."""
    if value is y.OPAQUE:
        return True
    tricks = constants(*start.tricks, start.size).keys()
    unknown = (term for name, term in constants(value).items() if name not in tricks)
    return isinstance(value, Cases) and not all(map(z3.is_bool, unknown))


def _anything(program: c.Program, keys: Sequence[Key]) -> list[Beginning] | None:
    """Every combination of values for variables about which nothing is known; None if there are too many."""
    kinds = [program.variables[key[0]].type for key in keys]
    if any(kind.kind not in _LISTED for kind in kinds):
        return None
    values: list[list[Value]] = [[None, *range(size_of(program, kind))] for kind in kinds]
    if prod(map(len, values)) > MOST_LISTED:
        return None
    return [dict(zip(keys, some, strict=True)) for some in product(*values)]


def _listed(subject: Subject, start: Start, values: Mapping[Key, Symbol]) -> list[Beginning] | None:
    """All values that the solver finds, until there are no others; None if there are too many, or it gives up."""
    if start.scattered:
        return None
    solver = SolverSession(subject.session, PATIENCE)
    solver.add(*start.facts)
    listed: list[Beginning] = []
    while (answer := solver.possible()) is Answer.YES and len(listed) < MOST_LISTED:
        case = {key: solver.concrete(symbol) for key, symbol in values.items()}
        listed.append(case)
        solver.add(y.neg(y.conj(*(y.equal(values[key], as_symbol(value)) for key, value in case.items()))))
    return listed if answer is Answer.NO else None


def _assignments(start: Start, values: Mapping[Key, Symbol], all_taken: bool) -> Iterator[Known] | None:
    """Values for all unknowns that decide what is read; None if there are too many."""
    read = constants(*values.values())
    divided = [term for term in (*start.tricks, start.size) if isinstance(term, z3.ExprRef)]
    of_tricks = {str(term) for term in divided}
    tricks = divided if of_tricks & read.keys() else []
    if start.scattered or (tricks and not start.sizes):
        return None
    others = [term for name, term in read.items() if name not in of_tricks]
    if len(others) > MOST_UNKNOWNS or not all(map(z3.is_bool, others)):
        return None
    every = (
        [
            (*division, size)[: len(tricks)]
            for size in start.sizes
            for division in _divisions(size, len(start.tricks), all_taken)
        ]
        if tricks
        else [()]
    )
    return (
        [
            *zip(tricks, map(z3.IntVal, division), strict=True),
            *zip(others, map(z3.BoolVal, truths), strict=True),
        ]
        for division in every
        for truths in product((False, True), repeat=len(others))
    )


def _divisions(size: int, players: int, all_taken: bool) -> Iterator[tuple[int, ...]]:
    """The ways to divide `size` tricks among the players, leaving some to nobody unless `all_taken`."""
    if all_taken:
        return divisions(size, players)
    return (division[:-1] for division in divisions(size, players + 1))


def _put_in(term: Bool, known: Known) -> z3.ExprRef:
    return z3.simplify(z3.substitute(term, *known)) if isinstance(term, z3.ExprRef) else z3.BoolVal(term)


def _value(symbol: Symbol, known: Known) -> Value:
    """A value as the interpreter represents it."""
    if isinstance(symbol, Cases):
        return next((x for x, when in symbol.of if z3.is_true(_put_in(when, known))), None)
    if isinstance(symbol, Members):
        return frozenset(x for x, when in symbol.of if z3.is_true(_put_in(when, known)))
    if not isinstance(symbol, z3.ExprRef):
        assert symbol is None or isinstance(symbol, int)
        return symbol
    plain = z3.simplify(z3.substitute(symbol, *known))
    return z3.is_true(plain) if z3.is_bool(plain) else int(plain.as_long())
