"""Whether two programs are provably equivalent in every deal, for all cards, choices, parameters and readings.

Programs that differ only in wording have the same normal form. Steps before the play are partially evaluated
from everything that a deal can begin with, down to the cards (`partial_evaluation.py`). Programs that are not
shown to be equivalent need not differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod

import z3

from trickproof.analysis.seats import seats_alike
from trickproof.equivalence.normal_form import normal, same_in_other_words
from trickproof.equivalence.partial_evaluation import TooLongError, residue
from trickproof.proofs import kernel
from trickproof.proofs.hands.initial_states import divisions, owed, starts
from trickproof.proofs.hands.verdicts import hand_proof
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt.symbolic_values import OPAQUE, Symbol, constants, fixed
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.proofs.symbolic.hand_parts import split
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.testing.hand_constants import size_varies
from trickproof.testing.subject import MOST_COMBINATIONS, Subject
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key, Value


def same(subject: Subject, other: c.Program) -> Theorem | None:
    """Another program is equivalent to a ruleset's in every deal; None if that is not proved. Its claim says how."""
    program = subject.program
    if theorem := same_in_other_words(program, other):
        return theorem
    rest = _same_but_before(program, other)
    if rest is None or not hand_proof(subject).outcome.fixed_total:
        return None
    parts = [rest]
    try:
        before, theirs = _before(program), _before(other)
        for known in _begins(subject, other):
            for parameters, readings in _choices(program):
                mine = residue(program, known, parameters, readings, before)
                others = residue(other, known, parameters, readings, theirs)
                if (part := kernel.equivalence("before the play", (mine, others))) is None:
                    return None
                parts.append(part)
    except (NotEncodedError, TooLongError):
        return None
    return kernel.equivalent("whatever a deal begins with, for all cards and choices", parts)


def _worlds(program: c.Program) -> tuple[object, ...]:
    """What both programs must have in common for their steps to be comparable."""
    variables = sorted((replace(info) for info in program.variables.values()), key=lambda info: info.name)
    zones = sorted(program.zones.values(), key=lambda zone: zone.name)
    choices = sorted(program.parameters.items()), sorted(program.readings.items())
    return (program.players, program.teams, program.deck, variables, zones, *choices)


def _before(program: c.Program) -> tuple[c.Stmt, ...]:
    """The steps of a deal before its play."""
    return split(program)[0][:-1]


def _same_but_before(program: c.Program, other: c.Program) -> Theorem | None:
    """The world, setup, play, what follows it, and the steps between deals have the same normal form."""

    def rest(of: c.Program) -> c.Program:
        before, after = split(of)
        return replace(of, hand=(before[-1], *after))

    try:
        mine, theirs = normal(rest(program)), normal(rest(other))
    except NotEncodedError:
        return None
    parts = zip(mine.phases, theirs.phases, strict=True)
    return kernel.equivalence(
        "all but what comes before the play", (_worlds(program), _worlds(other)), *parts
    )


def _choices(program: c.Program) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    names, rules = sorted(program.parameters), sorted(program.readings)
    values = [program.parameters[name] for name in names]
    taken = [range(len(program.readings[rule])) for rule in rules]
    if prod(map(len, (*values, *taken))) > MOST_COMBINATIONS:
        raise TooLongError
    for some, ways in product(product(*values), product(*taken)):
        yield dict(zip(names, some, strict=True)), dict(zip(rules, ways, strict=True))


def _begins(subject: Subject, other: c.Program) -> Iterator[dict[Key, Value]]:
    """The known values of variables when a deal begins, case by case, omitting those that the last deal does not determine.

    The cases are those of the first ruleset: as long as the other behaves the same, it begins with the same
    values.
    """
    if size_varies(subject):
        raise TooLongError
    alike = seats_alike(subject.program) and seats_alike(other)
    for start in starts(subject, PlayOutcome.KNOWN_SIZE):
        if not start.exact or (seats_alike(subject.program) and not alike):
            raise TooLongError
        trick_names = {str(term) for term in start.tricks if isinstance(term, z3.ExprRef)}
        plain = {key: x for key, x in start.variables.items() if not _open(x, trick_names)}
        facts = [fact for fact in start.facts if not _open(fact, trick_names)]
        if not start.sizes and not start.tricks:
            yield {key: fixed(x, {}) for key, x in plain.items()}
        elif len(start.sizes) == 1:
            for tricks in divisions(*start.sizes, len(start.tricks)):
                known = dict(zip(start.tricks, tricks, strict=True))
                if all(fixed(fact, known) for fact in facts):
                    yield {key: fixed(x, known) for key, x in plain.items()}
        else:
            raise TooLongError


def begins_known(subject: Subject) -> list[Mapping[Key, Value]]:
    """The known values when a deal begins, case by case: first deals, then those after the fewest overtricks.

    Raises TooLongError, NotEncodedError or GapError.
    """
    return sorted(_begins(subject, subject.program), key=owed)


def _open(symbol: Symbol, known: Collection[str]) -> bool:
    """Whether a symbol depends on anything but the known names."""
    return symbol is OPAQUE or not constants(symbol).keys() <= set(known)
