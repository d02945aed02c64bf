"""Evaluated terms have the value that z3 gives them, whether their operations are translated or not."""

from __future__ import annotations

import pytest
import z3

from trickproof.proofs.smt.evaluation import evaluated, given

X, Y, Z = z3.Ints("x y z")
B, C = z3.Bools("b c")
GIVEN = ({X: -3, Y: 2, B: True}, {X: 4, Y: 4, B: False}, {X: 0, Y: -2, B: False, C: True})

TERMS: tuple[z3.ExprRef, ...] = (
    X,
    B,
    z3.IntVal(-3),
    z3.BoolVal(True),
    X + Y + Z,
    X - Y,
    -X,
    X * Y,
    X / Y,
    X % Y,
    X <= Y,
    X < Y,
    X >= Y,
    X > Y,
    X == Y,
    X != Y,
    B == C,
    z3.Distinct(X, Y, Z),
    z3.And(B, C, X < Y),
    z3.Or(B, C),
    z3.Not(B),
    z3.Xor(B, C),
    z3.Implies(B, C),
    z3.If(z3.Or(B, X + Y > Z), X + Y, z3.If(C, Y - Z, X + Y)),
    z3.AtMost(B, C, 1),
    z3.BV2Int(z3.BitVecVal(3, 4)) + X,
)


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_a_term_has_the_value_that_z3_gives_it(term: z3.ExprRef) -> None:
    for known in GIVEN:
        plain = z3.Model().eval(given(term, known), model_completion=True)
        value = z3.is_true(plain) if z3.is_bool(plain) else plain.as_long()
        found = evaluated(term, known)
        assert found == value
        assert type(found) is type(value)
