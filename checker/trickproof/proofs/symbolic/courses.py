"""Courses of a play as conditions: the deal takes a course, yet its tricks are divided in none of that course's ways."""

from __future__ import annotations

from collections.abc import Mapping

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.expressions import Encoder
from trickproof.testing.play_courses import Course
from trickproof_dsl.semantics.values import Key, Value


def taken(encoder: Encoder, variables: Mapping[Key, Symbol], course: Course) -> Bool:
    """Whether a deal takes a course, by its conditions, which no step of a deal can change, and its dealer."""
    held = [
        encoder.truth(condition) if holds else y.neg(encoder.truth(condition))
        for condition, holds in course.conditions
    ]
    dealt = True if course.dealer is None else is_value(variables[("dealer",)], course.dealer)
    return y.conj(*held, dealt)


def unlisted(encoder: Encoder, variables: Mapping[Key, Symbol], course: Course) -> Bool:
    """Whether a deal takes a course but its tricks are divided in none of its ways."""
    ways = (
        y.conj(*(is_value(variables[("tricks", p)], number) for p, number in enumerate(end)))
        for end in sorted(course.ends)
    )
    return y.conj(taken(encoder, variables, course), y.neg(y.disj(*ways)))


def is_value(symbol: Symbol, value: Value) -> Bool:
    """Whether an unknown number, truth value or player equals a known one."""
    if y.is_truth(symbol) and isinstance(value, bool):
        return y.iff(symbol, value)
    if y.is_number(symbol) and isinstance(value, int) and not y.is_truth(symbol):
        return y.compare("=", symbol, value)
    return y.same(symbol, value)
