"""Whether a witness shows what it is said to show: replayed by the interpreter and looked at without the checks' own code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trickproof.checking.engines import State
from trickproof.checking.finding import Finding
from trickproof.checks import all_checks
from trickproof.testing.witness import replayed_match
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.replay import replay_match
from trickproof_dsl.semantics.expressions import value_in
from trickproof_dsl.semantics.values import as_number

Answer = Mapping[str, Any]
RANKS = "23456789TJQKA"


def shows(ruleset: Ruleset, finding: Finding) -> bool:
    """Whether the witness of a refutation leads to what its check is about."""
    assert finding.match is not None
    assert finding.match[-1] == finding.witness
    answer = replay_match(ruleset, finding.match)
    if not answer["ok"]:
        return bool(answer["error"]["message"] in finding.message)
    if finding.check == "no-fault":
        return _fails_before_the_next_deal(ruleset, finding)
    state = replayed_match(ruleset, finding.match).state
    if finding.check in ruleset.program.invariants:
        return _invariant_fails(state, finding.check)
    independent = _SHOWN.get(finding.check)
    return independent(answer, state, finding) if independent else _own_probe_finds(ruleset, finding)


def _fails_before_the_next_deal(ruleset: Ruleset, finding: Finding) -> bool:
    """Whether the steps after the last deal fail as the message says."""
    fault = replayed_match(ruleset, finding.match or ()).then().state.fault
    return fault is not None and fault.message in finding.message


def _own_probe_finds(ruleset: Ruleset, finding: Finding) -> bool:
    """Whether the check itself sees in the replayed hand what its message says."""
    hand = replayed_match(ruleset, finding.match or ())
    (check,) = (check for check in all_checks() if check.name == finding.check)
    messages = [probe.looks(hand) for probe in check.probes]
    return any(message and finding.message.startswith(message) for message in messages)


def _invariant_fails(state: State, name: str) -> bool:
    return value_in(state, state.program.invariants[name].condition) is False


def _numbers(state: State, name: str) -> list[int]:
    return [as_number(value) for key, value in sorted(state.variables.items()) if key[0] == name]


def _hand_size(answer: Answer, state: State, finding: Finding) -> bool:
    return {len(hand) for hand in answer["state"]["hands"]} != {state.variable("hand-size")}


def _target_total(answer: Answer, state: State, finding: Finding) -> bool:
    return bool(sum(_numbers(state, "target")) != state.variable("hand-size"))


def _trick_total(answer: Answer, state: State, finding: Finding) -> bool:
    return bool(sum(answer["state"]["tricks"]) != state.variable("hand-size"))


def _zero_sum(answer: Answer, state: State, finding: Finding) -> bool:
    return any(sum(_numbers(state, name)) for name in ("over", "score", "payout"))


def _exchange_balanced(answer: Answer, state: State, finding: Finding) -> bool:
    """More or fewer go back than came; or who was over by so many gives another number, or receives one."""
    assert finding.witness is not None
    given, returned = _exchanged(answer, "give"), _exchanged(answer, "return")
    if any(given.get((a, b), 0) != returned.get((b, a), 0) for a, b in given):
        return True
    over: Any = finding.witness["over"]
    gives = [sum(n for (a, _), n in given.items() if a == p) for p in range(len(over))]
    gets = [sum(n for (_, b), n in given.items() if b == p) for p in range(len(over))]
    return gives != [max(x, 0) for x in over] or gets != [max(-x, 0) for x in over]


def _exchanged(answer: Answer, label: str) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    for event in answer["events"]:
        if event["event"] == label:
            pair = (event["player"], event["to"])
            found[pair] = found.get(pair, 0) + len(event["cards"])
    return found


def _returns_highest(answer: Answer, state: State, finding: Finding) -> bool:
    """Some return has other suits than the gift, or something higher stays in the hand."""
    assert finding.witness is not None
    dealt: Any = finding.witness["hands"]
    hands = [set(hand) for hand in dealt]
    asked: dict[tuple[int, int], list[str]] = {}
    for event in answer["events"]:
        if event["event"] not in ("give", "return"):
            continue
        giver, taker, cards = event["player"], event["to"], event["cards"]
        hands[giver] -= set(cards)
        if event["event"] == "give":
            asked[giver, taker] = cards
        elif sorted(card[1] for card in cards) != sorted(card[1] for card in asked[taker, giver]) or any(
            card[1] == kept[1] and RANKS.index(kept[0]) > RANKS.index(card[0])
            for card in cards
            for kept in hands[giver]
        ):
            return True
        hands[taker] |= set(cards)
    return False


def _order_open(answer: Answer, state: State, finding: Finding) -> bool:
    """Cards were exchanged; that another order leads to a different exchange is told by the check itself."""
    return bool(_exchanged(answer, "give")) and "different exchanges" in finding.message


def _allocation_open(answer: Answer, state: State, finding: Finding) -> bool:
    asked = state.decision
    free = asked is not None and asked.label == "give" and asked.low < asked.high
    return free or (bool(_exchanged(answer, "give")) and "different exchanges" in finding.message)


def _goes_on(answer: Answer, state: State, finding: Finding) -> bool:
    return state.hand_over and not answer["state"]["match_over"]


def _no_single_winner(answer: Answer, state: State, finding: Finding) -> bool:
    winners = tuple(answer["state"]["winners"])
    alone = state.program.teams or tuple((p,) for p in range(state.program.players))
    return answer["state"]["match_over"] and winners not in alone


_SHOWN: dict[str, Callable[[Answer, State, Finding], bool]] = {
    "hand-size": _hand_size,
    "target-total": _target_total,
    "trick-total": _trick_total,
    "zero-sum": _zero_sum,
    "exchange-balanced": _exchange_balanced,
    "exchange-returns-highest": _returns_highest,
    "exchange-order-determined": _order_open,
    "allocation-determined": _allocation_open,
    "end-always-reachable": _goes_on,
    "terminates": _goes_on,
    "unique-winner": _no_single_winner,
}
"""What the witness of a check shows, without the check's own code; of others it is asked of their probes.

Only where the witness replays: where the rules fail at run time, the message says what breaks."""
