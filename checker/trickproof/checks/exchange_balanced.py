"""`exchange-balanced`: every player gives and receives what the previous deal determines, and one card is
returned for each card received.

The rules `to-give` and `to-receive` of the standard vocabulary say what a player owes and is owed: the tricks
over, or under, the target in the previous deal. Where the rules let a player give fewer, the maximum must be
exactly that number. It fails for a rule that lets a player give one card fewer,
or that returns more than was given:

    exchange-returns:
      rule: taker returns highest of hand matching hand of giver to giver as returned(taker, giver)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trickproof.analysis.usage import OWED, Usage
from trickproof.checking.played_hand import HandPlayed
from trickproof.checking.property import Probe
from trickproof.checks.exchange_returns_highest import absent
from trickproof.english.inflection import counted
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.exchange_history import numbers
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Int
from trickproof.proofs.symbolic.claims import SymbolicHand
from trickproof.proofs.symbolic.path_state import Obligation
from trickproof_dsl import core as c
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.expressions import value_in
from trickproof_dsl.semantics.faults import EngineLimitError, FaultError
from trickproof_dsl.semantics.state_view import StateView
from trickproof_dsl.semantics.values import as_number

GIVEN, RECEIVED = OWED
SIDES = ((GIVEN, 0, "gives"), (RECEIVED, 1, "receives"))
"""The rule that says how many cards, the player's index in (giver, taker), and the verb for what the player does."""


def _wrong(hand: HandPlayed) -> str | None:
    players = range(hand.state.program.players)
    given, returned = numbers(hand.state, "give"), numbers(hand.state, "return")
    for giver in players:
        for taker in players:
            came, back = given.get((giver, taker), 0), returned.get((taker, giver), 0)
            if came != back:
                return f"player {giver} gives {counted(came, 'card')} to player {taker}, who returns {back}"
    gifts: list[tuple[Decision, Any]] = [(d, choice) for d, choice in hand.choices if d.label == "give"]
    full = all(len(choice) == decision.high for decision, choice in gifts)
    for rule, side, does in SIDES:
        for player in players:
            total = sum(n for pair, n in given.items() if pair[side] == player)
            due = _due(hand.state, rule, player)
            if due is not None and (total > due or (full and total < due)):
                return f"player {player} {does} {counted(total, 'card')}; the previous deal calls for {due}"
    return None


def _due(state: StateView, rule: str, player: int) -> int | None:
    """The value of a rule about one player in a state."""
    code = state.program.rules.get(rule)
    if code is None or code.value is None or len(code.parameters) != 1:
        return None
    bound = {code.parameters[0][0]: player}
    try:
        due = value_in(state, code.value, bound)
    except (FaultError, EngineLimitError):
        return None
    return None if due is None else as_number(due)


def _claims(hand: SymbolicHand, moment: str) -> Iterator[Obligation]:
    if moment != "play-starts":
        return
    players = range(hand.program.players)
    given, returned = _numbers(hand, "give"), _numbers(hand, "return")
    uneven: list[Bool] = [bool(hand.unlisted & {"give", "return"})]
    for giver in players:
        for taker in players:
            came, back = given.get((giver, taker), 0), returned.get((taker, giver), 0)
            uneven.append(y.compare("!=", came, back))
    picks = [pick for pick in hand.picks if pick.label == "give"]
    full = y.conj(*(y.compare("=", pick.number, pick.high) for pick in picks))
    for rule, side, _ in SIDES:
        code = hand.program.rules.get(rule)
        if code is None or code.value is None or len(code.parameters) != 1:
            continue
        for player in players:
            total = y.total(n for pair, n in given.items() if pair[side] == player)
            due = _reckoned(hand, code, player)
            uneven.append(y.compare(">", total, due))
            uneven.append(y.conj(full, y.compare("<", total, due)))
    yield hand.claim("exchange-balanced", y.disj(*uneven), True)


def _reckoned(hand: SymbolicHand, code: c.RuleCode, player: int) -> Int:
    assert code.value is not None
    return hand.value(code.value, {code.parameters[0][0]: player})


def _numbers(hand: SymbolicHand, label: str) -> dict[tuple[int, int], Int]:
    numbers_by_pair: dict[tuple[int, int], Int] = {}
    for event in hand.events:
        if event.label == label and event.to is not None:
            pair = (event.actor, event.to)
            numbers_by_pair[pair] = numbers_by_pair.get(pair, 0) + hand.world.size(event.cards)
    return numbers_by_pair


def _absent(usage: Usage) -> str | None:
    missing = absent(usage)
    if missing is None and not {"over"} & usage.assigns:
        return "what a player owes is not computed from the previous deal (`over`)"
    return missing


CHECK = Check(
    "exchange-balanced",
    ("exchange-amounts", "exchange-returns"),
    run=decide_by_hands,
    absent=_absent,
    probes=(Probe("play-starts", wrong_hand=_wrong),),
    labels=("give", "return"),
    claims=_claims,
    proved="every player gives and receives what the previous deal determines, and one card is returned for each card received",
)
