"""A hand as a SCENARIO (DESIGN.md, section 6) and back: what every witness is made and checked with.

`scenario` writes a hand down; `replay` plays a scenario through the reference interpreter.  A witness that does not replay raises `DisagreementError`: that is a bug of ours.
"""

from __future__ import annotations

from collections.abc import Mapping

from trickproof.checking.engines import State
from trickproof.checking.played_hand import HandPlayed, following_hand
from trickproof.checking.verdict import DisagreementError
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, ScenarioError
from trickproof_dsl.scenarios.moves import IllegalMoveError, read_move
from trickproof_dsl.scenarios.situation import start_scenario
from trickproof_dsl.scenarios.writing import move_json, scenario_json
from trickproof_dsl.semantics.faults import EngineLimitError

Given = Mapping[str, Json]


def scenario(ruleset: Ruleset, hand: HandPlayed) -> dict[str, Json]:
    """The hand written down; one whose deal breaks down, or that is dealt more than once, by its seed."""
    moves = [move_json(ruleset.program, decision, choice) for decision, choice in hand.choices]
    written = scenario_json(ruleset, hand.state, hand.begin.variables, moves)
    fault = hand.state.fault
    chance = hand.begin.chance
    again = hand.state.chance.shuffles - chance.shuffles > 1 and chance.given is None
    if again or (fault is not None and fault.kind == "deck-empty"):
        written = {key: value for key, value in written.items() if key not in ("hands", "kitty", "zones")}
        written["seed"] = hand.begin.chance.seed
    return written


def replay(ruleset: Ruleset, given: Given) -> State:
    """The state a scenario leads to, with a fault where the rules break down.  Raises DisagreementError."""
    return replayed(ruleset, given).state


def replayed_on(ruleset: Ruleset, given: Given) -> HandPlayed:
    """The hand that a scenario tells, and the steps after it where these fail or end the match.  Raises as `replay`."""
    hand = replayed(ruleset, given)
    if not hand.state.hand_over or hand.state.match_over:
        return hand
    try:
        after = following_hand(hand.state)
    except EngineLimitError as wrong:
        raise DisagreementError(f"{ruleset.id}: a witness does not replay: {wrong}") from wrong
    return HandPlayed(hand.begin, after, hand.choices) if isinstance(after, State) else hand


def replayed(ruleset: Ruleset, given: Given) -> HandPlayed:
    """The hand that a scenario tells, as `replay`."""
    try:
        state = start_scenario(ruleset, given)
        hand = HandPlayed(state, state)
        for move in given.get("moves", []):
            if hand.state.fault:
                break
            hand = hand.choose(read_move(ruleset, hand.state, move))
    except (ScenarioError, IllegalMoveError, EngineLimitError, ValueError) as wrong:
        raise DisagreementError(f"{ruleset.id}: a witness does not replay: {wrong}") from wrong
    return hand
