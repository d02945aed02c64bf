"""Law: a product with a factor put together from known numbers is the product, and multiplies no unknowns."""

from __future__ import annotations

import pytest
import z3

from trickproof.proofs.smt import symbolic_values as y

X, Z, SPADES, HEARTS = z3.Int("x"), z3.Int("z"), z3.Bool("spades"), z3.Bool("hearts")
DOUBLE = z3.If(SPADES, z3.IntVal(2), z3.If(HEARTS, z3.IntVal(-3), z3.IntVal(0)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (DOUBLE, X),
        (X, DOUBLE),
        (DOUBLE + z3.If(HEARTS, 1, 0) + 4, X),
        (X - Z, -(DOUBLE - z3.If(SPADES, 5, 7))),
        (3, X),
        (X, -3),
        (DOUBLE, DOUBLE),
    ],
)
def test_a_product_is_that_of_the_factors(left: y.Int, right: y.Int) -> None:
    product = y.times(left, right)
    assert product is not None
    solver = z3.Solver()
    solver.add(product != left * right)
    solver.set("timeout", 20_000)
    assert solver.check() == z3.unsat
    assert not [t for t in subterms(product) if z3.is_mul(t) and not any(map(z3.is_int_value, t.children()))]


def subterms(term: y.Int) -> list[z3.ExprRef]:
    if isinstance(term, int):
        return []
    return [term, *(x for part in term.children() for x in subterms(part))]


def test_two_unknowns_are_not_multiplied() -> None:
    assert y.times(X, Z) is None
    assert y.times(z3.If(SPADES, X, z3.IntVal(2)), Z) is None
    assert y.times(sum((z3.If(z3.Bool(f"b{i}"), 1, 0) for i in range(100)), z3.IntVal(0)), X) is None
