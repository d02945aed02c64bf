"""Arithmetic over unknown numbers, beside what Python reckons: both round towards minus infinity, as the core does."""

from __future__ import annotations

import pytest
import z3

from dsl.small_games import game
from trickproof.proofs.smt.symbolic_values import fixed
from trickproof.proofs.symbolic.expressions import Encoder, NotEncodedError
from trickproof.proofs.symbolic.path_state import Environment
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk

UNKNOWN = z3.Int("unknown")


def _encoded(operator: str, known: int, unknown_divides: bool) -> tuple[object, Environment]:
    ruleset = game("n becomes 7 div n")
    division = next(x for x in walk(ruleset.program.hand) if isinstance(x, c.Arithmetic))
    sides = (known, "n") if unknown_divides else ("n", known)
    left, right = (
        c.Literal(c.INTEGER, side, division.span)
        if isinstance(side, int)
        else c.Variable(side, (), c.INTEGER, division.span)
        for side in sides
    )
    environment = Environment(ruleset.program, {("n",): UNKNOWN}, {}, {})
    encoder = Encoder(environment)
    return encoder.value(c.Arithmetic(operator, left, right, c.INTEGER, division.span)), environment


@pytest.mark.parametrize("operator", ["div", "mod"])
@pytest.mark.parametrize("known", [-7, -1, 0, 1, 6])
def test_division(operator: str, known: int) -> None:
    by_unknown, environment = _encoded(operator, known, True)
    (broken,) = environment.obligations
    for number in range(-9, 10):
        values = {UNKNOWN: number}
        assert fixed(broken.counts, values) == (number == 0)
        if number:
            expected = known // number if operator == "div" else known % number
            assert fixed(by_unknown, values) == expected, number
        if known:
            of_unknown, _ = _encoded(operator, known, False)
            assert fixed(of_unknown, values) == (number // known if operator == "div" else number % known)


def test_two_unknown_numbers_are_not_divided() -> None:
    with pytest.raises(NotEncodedError):
        _encoded("div", 1000, True)
