"""Canonical forms have the value of the original in every state; wordings that differ in none have the same one."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from checker.rulesets_for_tests import documented, house, rule
from trickproof.equivalence.de_bruijn import leveled, leveled_expression
from trickproof.equivalence.normal_form import Setting, normal_steps
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.expressions import Store, evaluate
from trickproof_dsl.semantics.values import Key, Value

SPAN = documented("pagat").program.rules["hand"].span
STATES = [
    dict(zip((("x",), ("y",), ("z",)), values, strict=True)) for values in product((-1, 0, 1, 2), repeat=3)
]


def number(random: Random, depth: int) -> c.Expr:
    kind = (
        random.choice(("variable", "literal"))
        if depth == 0
        else random.choice(("sum", "conditional", "variable"))
    )
    if kind == "variable":
        return c.Variable(random.choice("xyz"), (), c.INTEGER, SPAN)
    if kind == "literal":
        return c.Literal(c.INTEGER, random.randint(-2, 3), SPAN)
    left, right = number(random, depth - 1), number(random, depth - 1)
    if kind == "sum":
        return c.Arithmetic(random.choice("+-*"), left, right, c.INTEGER, SPAN)
    return c.Conditional(condition(random, depth - 1), left, right, c.INTEGER, SPAN)


def condition(random: Random, depth: int) -> c.Expr:
    kind = "compare" if depth == 0 else random.choice(("compare", "logic", "not", "conditional"))
    if kind == "compare":
        operator = random.choice(("=", "!=", "<", "<=", ">", ">="))
        return c.Compare(operator, number(random, depth), number(random, depth), c.BOOLEAN, SPAN)
    left, right = condition(random, depth - 1), condition(random, depth - 1)
    if kind == "logic":
        return c.Logic("and" if random.random() < 0.5 else "or", left, right, c.BOOLEAN, SPAN)
    if kind == "not":
        return c.Not(left, c.BOOLEAN, SPAN)
    return c.Conditional(
        left, right, random.choice((right, c.Literal(c.BOOLEAN, False, SPAN))), c.BOOLEAN, SPAN
    )


def steps(random: Random, depth: int) -> tuple[c.Stmt, ...]:
    if depth == 0:
        return (c.Assign(random.choice("xyz"), (), number(random, 1), SPAN),)[: random.randint(0, 1)]
    some = [steps(random, depth - 1) for _ in range(2)]
    nested = c.Branch(condition(random, 1), some[0], some[1], SPAN)
    then, otherwise = random.choice((((nested,), some[1]), (some[0], (nested,)), (some[1], (nested,))))
    return (c.Branch(condition(random, 1), then, otherwise, SPAN), *steps(random, 0))


def value(e: c.Expr, state: dict[Key, Value]) -> Value:
    return evaluate(e, Store(documented("pagat").program, {}, {}, state, {}), {})


def after(body: tuple[c.Stmt, ...], state: dict[Key, Value]) -> dict[Key, Value]:
    state = dict(state)
    for step in body:
        if isinstance(step, c.Assign):
            state[(step.variable,)] = value(step.value, state)
        else:
            assert isinstance(step, c.Branch)
            state = after(step.then if value(step.condition, state) else step.otherwise, state)
    return state


def test_conditions_and_sums_keep_their_values() -> None:
    random, changed = Random(1), 0
    for _ in range(300):
        e = random.choice((number, condition))(random, 3)
        plain = leveled_expression(e, {})
        changed += plain != e
        assert all(value(plain, state) == value(e, state) for state in STATES)
        assert leveled_expression(plain, {}) == plain
    assert changed > 100


def test_branches_keep_their_effects() -> None:
    random, joined = Random(2), 0
    for _ in range(150):
        body = steps(random, 2)
        plain = normal_steps(leveled(body, {}), Setting(3, chance=True, somebody=frozenset()))
        joined += sum(isinstance(x, c.Branch) for x in walk(plain)) < sum(
            isinstance(x, c.Branch) for x in walk(body)
        )
        assert all(after(plain, state) == after(body, state) for state in STATES)
    assert joined > 20


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("some player has tricks > 11", "some player has tricks >= 12"),
        ("some player p has (not (tricks of p < 12))", "some player has tricks >= 12"),
        ("some player has 0 < tricks - 11", "some player has tricks >= 12"),
        (
            "some player p has (tricks of p + 1 > 12 or over of p > 5)",
            "some player p has (over of p >= 6 or 12 <= tricks of p)",
        ),
        ("not (every player has tricks < 12)", "some player has tricks >= 12"),
    ],
)
def test_ends_in_other_words(one: str, other: str) -> None:
    forms = [
        leveled_expression(house(rule("end", text)).program.rules["end"].value, {}) for text in (one, other)
    ]
    assert forms[0] == forms[1]
