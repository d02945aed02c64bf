"""Replays a violation with the reference interpreter, which alone decides who is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from adversarial.exploration import onward
from adversarial.graph import Claims, Course, Looks, Violation, cut_short
from adversarial.nature import DEALT, as_fault_of_deal, reset, with_nature
from adversarial.rotation import moved_on, seats_alike
from adversarial.truths import Explored, claims_of
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics import machine
from trickproof_dsl.semantics.state import State


def replays(ruleset: Ruleset, one: Explored, claim: str, violation: Violation) -> bool:
    """Whether the reference interpreter reproduces the violation of a claim with the same deals and choices."""
    return claim in set(_fails(ruleset, one, claims_of(ruleset), violation))


def _fails(ruleset: Ruleset, one: Explored, claims: Claims, violation: Violation) -> Iterator[str]:
    """The claims that fail along the way."""
    program, alike = with_nature(ruleset.program), seats_alike(ruleset.program)
    state = machine.begin(program, None, one.parameters, one.readings)
    at_start, *hands = violation.path
    for choice in at_start:
        state = machine.apply(state, choice)
    yield from _told(claims, claims.match_ends if state.match_over else None, state)
    for number, hand in enumerate(hands):
        if number:
            variables, zones = moved_on(state) if alike else ({}, {})
            state = state.but(variables=variables, zones=zones)
        state, course, left = machine.run(state, program.hand), Course(), list(hand)
        while left and (decision := state.decision) is not None:
            choice = left.pop(0)
            yield from _at_decision(claims, state, course)
            course = onward(Course(True) if decision.label == "play" else course, decision, choice)
            state = machine.apply(state, choice)
        if state.decision is not None:
            yield from _at_decision(claims, state, course)
            return
        yield from _at_end(claims, state, course)
        if state.fault is None and not state.match_over:
            state = machine.between_hands(state)
            while left and state.decision is not None:
                state = machine.apply(state, left.pop(0))
            state = reset(ruleset.program, state)
            yield from _told(claims, claims.carried_on, state, course)
            yield from _told(claims, claims.match_ends if state.match_over else None, state, course)


def _at_decision(claims: Claims, state: State, course: Course) -> Iterator[str]:
    decision = state.decision
    assert decision is not None
    if decision.label == "play" and not course.playing:
        yield from _told(claims, claims.play_starts, state, course)
    if decision.label != DEALT:
        yield from _told(claims, claims.always, state, course)


def _at_end(claims: Claims, state: State, course: Course) -> Iterator[str]:
    """When the deal is complete."""
    yield from _told(claims, claims.always, state, course)
    yield from _told(claims, None if cut_short(state) else claims.hand_ends, state, course)
    if state.match_over:
        yield from _told(claims, claims.match_ends, state, course)


def _told(claims: Claims, looks: Looks | None, state: State, course: Course | None = None) -> Iterator[str]:
    if state.fault is not None:
        yield claims.answers(as_fault_of_deal(state.fault))
    elif looks is not None:
        yield from (claim for claim, _ in looks(state, course or Course()))
