"""Every kind of fault is raised by the reference, and is one that the core lists for a node of the program."""

from __future__ import annotations

import pytest

from budget import slow_but
from dsl.semantics.test_machine import FAULTY
from dsl.small_games import game
from trickproof_dsl.core.faults import FAULTS, fault_sites
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.machine import start

LIMITS = {
    "a number": "n becomes 3\nrepeat 90 times:\n    n becomes n * n",
    "a range": "for q in 1 to 10001:\n    n becomes q",
    "rounds": "repeat 1000 times:\n    repeat 1000 times:\n        n becomes n + 1",
}


@pytest.mark.parametrize(("kind", "hand"), FAULTY)
def test_faults_are_listed(kind: str, hand: str) -> None:
    program = game(hand).program
    fault = start(program, Chance(1)).fault
    assert fault is not None
    assert fault.kind == kind
    assert (fault.kind, fault.span, fault.label) in set(fault_sites(program.setup, program.hand))


def test_every_kind_is_raised() -> None:
    assert {kind for kind, _ in FAULTY} == set(FAULTS)


@pytest.mark.parametrize("kind", slow_but(("a number", "a range"), LIMITS))
def test_limits_are_no_faults(kind: str) -> None:
    with pytest.raises(EngineLimitError):
        start(game(LIMITS[kind]).program, Chance(1))
