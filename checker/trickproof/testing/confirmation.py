"""Confirms a violation found in play: a scenario that replays to it, and the readings it depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trickproof.analysis.usage import rules_at
from trickproof.checking.engines import State, run
from trickproof.checking.played_hand import HandPlayed
from trickproof.checking.property import Moment, Property
from trickproof.checking.verdict import DisagreementError
from trickproof.testing.random_play import Violation, moments_at_end, pick
from trickproof.testing.witness import replayed_match, replayed_on, written
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import Value


def confirmed(
    ruleset: Ruleset, violation: Violation, properties: Sequence[Property]
) -> tuple[dict[str, Json], ...]:
    """The match up to the violation, after replaying it to the same violation. Raises DisagreementError."""
    match = written(ruleset, violation.hand)
    fault = violation.state.fault
    if fault is not None or violation.state.match_over:
        again = replayed_on(ruleset, match)
    else:
        again = replayed_match(ruleset, match)
    if fault is not None:
        same = again.state.fault is not None and again.state.fault.kind == fault.kind
    else:
        wrongs = [p.looks(again) for prop in properties if prop.name == violation.check for p in prop.probes]
        same = violation.message in wrongs
    if not same:
        raise DisagreementError(
            f"{ruleset.id}: the witness of `{violation.check}` does not replay to the same violation"
        )
    return match


def telling_readings(properties: Sequence[Property], violation: Violation) -> dict[str, int]:
    """The readings without which the same deal and the same choices, as far as they are legal, would not fail."""
    program, taken = violation.state.program, violation.state.readings
    telling: dict[str, int] = {}
    for rule, names in sorted(program.readings.items()):
        own = taken.get(rule, 0)
        others = [i for i in range(len(names)) if i != own]
        if not all(_persists(properties, violation, {**taken, rule: i}) for i in others):
            telling[rule] = own
    return telling


def _persists(properties: Sequence[Property], violation: Violation, readings: dict[str, int]) -> bool:
    """Whether the violation persists when the deal is played under other readings.

    If the engine gives up nothing is known, so no reading is held responsible.
    """
    try:
        return _comes_again(properties, violation, readings)
    except EngineLimitError:
        return True


def _comes_again(properties: Sequence[Property], violation: Violation, readings: dict[str, int]) -> bool:
    begin = violation.hand.begin.but(readings=readings)
    if begin.fault is not None:
        return True
    hand = replace(violation.hand, begin=begin, state=run(begin, begin.program.hand), choices=())
    earlier_choices = [
        (decision.label, decision.player, choice) for decision, choice in violation.hand.choices
    ]
    while True:
        if _shows(properties, violation, hand):
            return True
        decision = hand.state.decision
        if decision is None:
            return _shows_between(properties, violation, hand)
        hand = hand.choose(_same_choice(decision, earlier_choices))


def _shows_between(properties: Sequence[Property], violation: Violation, hand: HandPlayed) -> bool:
    """Whether the violation occurs in the steps after a complete deal."""
    if not hand.state.hand_over or hand.state.match_over:
        return False
    after = hand.then()
    return len(after.earlier) == len(hand.earlier) and _shows(properties, violation, after)


def _same_choice(decision: Decision, earlier_choices: list[tuple[str, int, Value]]) -> Value:
    """The first remaining legal choice that this player made for the same kind of decision; otherwise the first legal choice."""
    for i, (label, player, choice) in enumerate(earlier_choices):
        if (label, player) == (decision.label, decision.player) and decision.allows(choice):
            del earlier_choices[i]
            return choice
    return pick(decision, None)


def _shows(properties: Sequence[Property], violation: Violation, hand: HandPlayed) -> bool:
    state = hand.state
    if state.fault is not None or violation.state.fault is not None:
        return state.fault is not None and _answers(properties, violation, state)
    prop = next(prop for prop in properties if prop.name == violation.check)
    moments: list[Moment] = ["always"]
    if state.decision is None:
        moments = moments_at_end(state)
    elif state.decision.label == "play" and not any(event.name == "play" for event in state.events):
        moments = ["always", "play-starts"]
    return any(probe.looks(hand) for probe in prop.probes if probe.moment in moments)


def _answers(properties: Sequence[Property], violation: Violation, state: State) -> bool:
    """Whether the same property would answer for a runtime fault."""
    fault = state.fault
    assert fault is not None
    rules = rules_at(state.program, fault.span)
    return (
        next((prop.name for prop in properties if prop.breaks(fault, rules)), violation.check)
        == violation.check
    )
