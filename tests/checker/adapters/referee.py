"""Our games compared with third-party ones, decision by decision: the part that all games share.

A `Referee` wraps the other program.  It is shown each deal once the cards are dealt, each decision before it is made,
each choice, and the end; it raises AssertionError for anything that differs there.
"""

from __future__ import annotations

from random import Random
from typing import Protocol

from trickproof_dsl import Ruleset
from trickproof_dsl.compiled.machine import apply, next_hand, start
from trickproof_dsl.compiled.state import State
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value


class Referee(Protocol):
    """The other side of a comparison."""

    def begin(self, state: State) -> None:
        """The cards are dealt: `state` waits for its first decision; `state.chance.dealt` has each player's cards."""

    def asked(self, state: State, decision: Decision) -> None:
        """The same player must be asked, with the same legal options."""

    def chosen(self, decision: Decision, choice: Value) -> None:
        """The player has chosen."""

    def ended(self, state: State) -> None:
        """The deal is over: tricks and scores must be the same."""


def watch(ruleset: Ruleset, referee: Referee, seed: int, hands: int, **parameters: int) -> int:
    """Show random deals, match after match, to the referee; return the number of decisions compared."""
    chance, decisions, match, state = Random(seed), 0, 0, None
    for _ in range(hands):
        if state is None or state.match_over:
            match += 1
            state = start(ruleset.program, Chance(seed * 1_000_003 + match), parameters)
        else:
            state = next_hand(state)
        referee.begin(state)
        while (decision := state.decision) is not None:
            referee.asked(state, decision)
            choice = chosen_at_random(decision, chance)
            referee.chosen(decision, choice)
            decisions += 1
            state = apply(state, choice)
        assert state.fault is None, state.fault
        referee.ended(state)
    return decisions


def chosen_at_random(decision: Decision, chance: Random) -> Value:
    """A uniform number of cards, then a uniform set; or a uniform value."""
    if decision.type.kind != "cards":
        value: Value = chance.choice(decision.legal)
        return value
    return frozenset(chance.sample(decision.legal, chance.randint(decision.low, decision.high)))
