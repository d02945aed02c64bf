"""Numbers that are too far apart for a mask are searched like others, in the simulator and in the interpreter."""

from __future__ import annotations

import pytest

from budget import RUN
from checker.adapters.peer_rulesets import from_text
from trickproof.search.candidates import MOST_NUMBERS
from trickproof.search.interpreted_player import InterpretedSearch
from trickproof.simulate.api import simulate
from trickproof.simulate.ir.calling_convention import LLVM, PYTHON
from trickproof.simulate.runtime.machine import best_backend
from trickproof_dsl.compiled.machine import begin, begin_hand
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance

BACK_ENDS = [LLVM, PYTHON] if best_backend() == LLVM else [PYTHON]


def staked(options: str, worth: str) -> Ruleset:
    """Two players name a stake, which scores if it is good."""
    return from_text(f"""
ruleset: staked
title: Stakes
players: 2
state:
  stake: {{type: integer, of: player}}
rules:
  hand:
    rule: |
      for p in players:
          p chooses stake of p {options}
          score of p becomes score of p + ({worth})
    assumes: a test
  between-hands: {{rule: nothing happens, assumes: a test}}
""")


BEST = {
    "in steps": (
        "from 0 to 900 with stake of p mod 90 = 0",
        "if stake of p <= 540 then stake of p else 0 - stake of p",
        540,
    ),
    "negative": ("from -800 to 200 with stake of p mod 100 = 0", "0 - stake of p", 800),
    "more than are tried": ("from 1 to 1000", "stake of p", 1000),
}


@RUN
@pytest.mark.parametrize("backend", BACK_ENDS)
@pytest.mark.parametrize("name", BEST)
def test_the_best_stake_is_named(name: str, backend: str) -> None:
    options, worth, best = BEST[name]
    ruleset = staked(options, worth)
    # the second player searches in deals that begin with what the first has named
    counts = simulate(ruleset, hands=3, policies=["search:60"], backend=backend).counts
    assert counts.hands == 3
    assert [counts.scored(seat).mean for seat in range(2)] == [best, best]


@pytest.mark.parametrize("name", BEST)
def test_the_interpreter_names_it_too(name: str) -> None:
    options, worth, best = BEST[name]
    program = staked(options, worth).program
    search = InterpretedSearch(program, best_backend(), 1, {}, {})
    state = begin(program, Chance(1))
    search.begin_hand(state, 0)
    state = begin_hand(state)
    assert state.decision is not None
    choice = search.choose(60, state.decision)
    assert state.decision.allows(choice)
    shown = search.options(60, state.decision)
    assert shown[0].choice == choice
    assert shown[0].points == best
    assert 2 <= len(shown) <= MOST_NUMBERS
