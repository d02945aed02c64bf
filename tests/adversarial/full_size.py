"""Random play of a ruleset with the usual deck: nothing proved about it may fail."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from adversarial.graph import Claims, Course, Looks, cut_short
from adversarial.truths import claims_of, reading_choices
from trickproof_dsl.compiled import machine
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset
from trickproof_dsl.playing import random_player
from trickproof_dsl.semantics.chance import Chance

HANDS = 200
LONGEST = 4
"""Number of deals per match."""


def failures(ruleset: Ruleset, hands: int = HANDS, seed: int = 0) -> Mapping[str, str]:
    """Claims that failed in play, each with the reason."""
    program, claims, rng = ruleset.program, claims_of(ruleset), Random(seed)
    readings, wrong, played = reading_choices(program), dict[str, str](), 0
    while played < hands:
        parameters = {
            name: rng.choice((values[0], values[-1], rng.choice(values)))
            for name, values in program.parameters.items()
        }
        state = machine.begin(program, Chance(rng.getrandbits(40)), parameters, rng.choice(readings))
        for _ in range(LONGEST):
            if not _goes_on(state, claims, wrong):
                played += 1
                break
            played += 1
            state = _hand(state, claims, wrong, rng)
            if not _goes_on(state, claims, wrong):
                break
            state = machine.between_hands(state)
            _note(wrong, claims.carried_on, state)
    return wrong


def _hand(state: State, claims: Claims, wrong: dict[str, str], rng: Random) -> State:
    choose, course = random_player(rng.getrandbits(40)), Course()
    state = machine.run(state, state.program.hand)
    while (decision := state.decision) is not None:
        if decision.label == "play" and not course.playing:
            _note(wrong, claims.play_starts, state, course)
            course = Course(True)
        _note(wrong, claims.always, state, course)
        choice = choose(state, decision)
        if decision.label == "give" and isinstance(choice, frozenset) and len(choice) < decision.high:
            course = Course(course.playing, False)
        state = machine.apply(state, choice)
    if state.fault is None:
        _note(wrong, claims.always, state)
        if not cut_short(state):
            _note(wrong, claims.hand_ends, state)
    return state


def _goes_on(state: State, claims: Claims, wrong: dict[str, str]) -> bool:
    if state.fault is not None:
        wrong.setdefault(claims.answers(state.fault), f"{state.fault.kind}: {state.fault.message}")
        return False
    if state.match_over:
        _note(wrong, claims.match_ends, state)
    return not state.match_over


def _note(wrong: dict[str, str], looks: Looks, state: State, course: Course | None = None) -> None:
    if state.fault is None:
        for claim, what in looks(state, course or Course()):
            wrong.setdefault(claim, what)
