"""Intervals hold what is computed: law by law for their arithmetic, expression by expression in random play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

from budget import slow_but
from checker.rulesets_for_tests import documented, house
from trickproof.adapters.action_space import actions_of
from trickproof.analysis.intervals import UNBOUNDED, Interval, Intervals, reachable_intervals
from trickproof.testing.random_play import pick
from trickproof.vectors.coverage_points import Cases, Points, both, compared, integer, size_of
from trickproof.vectors.instrumentation import watched
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, next_hand, start
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.library import Library
from trickproof_dsl.semantics.chance import Chance

ROOT = Path(__file__).parents[3]
LIBRARY = Library([ROOT / "rulesets"])
SPAN = Span(Source("test", ""), 0, 0)
DEAR = 1_000
"""Steps of a condition that are too many to be looked at again and again."""


# ---------------------------------------------------------------------------------------------------- arithmetic

ENDS = (None, -3, -1, 0, 2, 3)
INTERVALS = [
    Interval(low, high) for low, high in product(ENDS, ENDS) if low is None or high is None or low <= high
]


def members(interval: Interval) -> list[int]:
    return [x for x in range(-7, 8) if x in interval]


@pytest.mark.parametrize("a", INTERVALS, ids=str)
def test_results_of_arithmetic_are_in_the_interval(a: Interval) -> None:
    for b in INTERVALS:
        for x, y in product(members(a), members(b)):
            assert x + y in a + b
            assert x - y in a - b
            assert x * y in a * b
            assert {x, y} <= {z for z in (x, y) if z in a.join(b) and z in a.widen(b)}
            if y:
                assert x // y in a // b
                assert x % y in a % b


@pytest.mark.parametrize(
    ("interval", "exact"),
    [
        (Interval(2, 3) * Interval(-1, 4), Interval(-3, 12)),
        (Interval(2, None) * Interval(3, 4), Interval(6, None)),
        (UNBOUNDED * Interval(0, 0), Interval(0, 0)),
        (Interval(-7, 7) // Interval(2, 3), Interval(-4, 3)),
        (Interval(5, 7) // Interval(0, None), Interval(0, 7)),
        (Interval(-5, 2) % Interval(1, 4), Interval(0, 3)),
        (Interval(0, 2) % Interval(1, 4), Interval(0, 2)),
        (Interval(0, 9) % Interval(-4, -2), Interval(-3, 0)),
        (Interval(0, 3).widen(Interval(0, 4)), Interval(0, None)),
    ],
)
def test_intervals_are_as_small_as_can_be(interval: Interval, exact: Interval) -> None:
    assert interval == exact


# ----------------------------------------------------------------------------------------------------- expressions


def number(value: int) -> c.Literal:
    return integer(value, SPAN)


def numbers(low: int, high: int) -> c.Range:
    return c.Range(number(low), number(high), c.INTEGERS, SPAN)


def each(name: str) -> c.Local:
    return c.Local(name, c.INTEGER, SPAN)


def calculated(operator: str, left: c.Expr, right: c.Expr) -> c.Expr:
    return c.Arithmetic(operator, left, right, c.INTEGER, SPAN)


def total(domain: c.Expr, value: c.Expr) -> c.Expr:
    return c.Sum("n", domain, value, c.INTEGER, SPAN)


CARDS = c.Universe(c.CARDS, SPAN)
PLAYERS = c.Universe(c.PLAYERS, SPAN)
SOME_CARDS = c.Filter(
    "x", c.ZoneCards("trick", (), c.CARDS, SPAN), c.Literal(c.BOOLEAN, True, SPAN), c.CARDS, SPAN
)
A_CARD = c.Local("x", c.CARD, SPAN)
TARGET = c.Variable("target", (c.Literal(c.PLAYER, 0, SPAN),), c.INTEGER, SPAN)

EXPRESSIONS = {
    "a parameter-free constant": (number(5), Interval(5, 5)),
    "a height is below the number of ranks": (
        c.CardAttribute("height", A_CARD, c.INTEGER, SPAN),
        Interval(0, 12),
    ),
    "a suit is one of four": (c.CardAttribute("suit", A_CARD, c.SUIT, SPAN), Interval(0, 3)),
    "a range of numbers is not bounded by the players": (size_of(numbers(0, 99)), Interval(100, 100)),
    "a set of all cards has them all": (size_of(CARDS), Interval(52, 52)),
    "some of the cards": (size_of(SOME_CARDS), Interval(0, 52)),
    "a sum over numbers has as many terms": (total(numbers(1, 10), number(2)), Interval(20, 20)),
    "a sum over players": (total(PLAYERS, each("unknown")), UNBOUNDED),
    "a sum of terms that are bounded below": (total(PLAYERS, size_of(CARDS)), Interval(156, 156)),
    "a product": (calculated("*", size_of(SOME_CARDS), number(-2)), Interval(-104, 0)),
    "a quotient": (calculated("div", size_of(SOME_CARDS), number(5)), Interval(0, 10)),
    "a quotient of negative numbers": (calculated("div", number(-7), number(2)), Interval(-4, -4)),
    "a remainder": (calculated("mod", TARGET, number(5)), Interval(0, 4)),
    "the greatest of some heights": (
        c.Extreme(True, "x", CARDS, c.CardAttribute("height", A_CARD, c.INTEGER, SPAN), c.INTEGER, SPAN),
        Interval(0, 12),
    ),
    "a variable that may have any value": (TARGET, UNBOUNDED),
    "a range that is bounded on one side": (
        size_of(c.Range(number(1), TARGET, c.INTEGERS, SPAN)),
        Interval(0, None),
    ),
    "the only number of a set": (c.Only(numbers(3, 8), c.INTEGER, SPAN), Interval(3, 8)),
    "one number of its own": (size_of(c.Single(TARGET, c.INTEGERS, SPAN)), Interval(1, 1)),
    "the best of a set that is not empty": (
        size_of(c.Best(True, "p", PLAYERS, TARGET, c.PLAYERS, SPAN)),
        Interval(1, 3),
    ),
}


@pytest.mark.parametrize("case", EXPRESSIONS)
def test_expressions(case: str) -> None:
    e, interval = EXPRESSIONS[case]
    assert Intervals(documented("pagat").program).number(e) == interval


COUNTERS = """\
    state:
      bid: {type: integer, carried: true}
      below: {type: integer, carried: true}
      grows: {type: integer, carried: true}
    rules:
      trump:
        rule: |
          dealer chooses bid from 3 to 8
          below becomes bid - 20
          grows becomes grows + bid
        assumes: a test
    """


def test_variables_are_followed_through_their_assignments() -> None:
    """One that keeps growing has its least value still; names that are bound have the numbers that they are bound to."""
    program = house(COUNTERS).program
    variables = reachable_intervals(program).variables
    assert variables["bid"] == Interval(0, 8)
    assert variables["below"] == Interval(-20, 0)
    assert variables["grows"] == Interval(0, None)
    choice = next(x for x in walk(program.hand) if isinstance(x, c.ChooseValue) and x.value_type == c.INTEGER)
    assert Intervals(program).number(c.Local(choice.binder, c.INTEGER, SPAN)) == Interval(3, 8)
    assert Intervals(program).variables == {}


def test_actions_are_for_the_numbers_that_can_be_chosen() -> None:
    actions = actions_of(house(COUNTERS).program)
    assert (actions.lowest, actions.highest) == (3, 8)
    assert (
        actions_of(documented("pagat").program).lowest,
        actions_of(documented("pagat").program).highest,
    ) == (0, -1)


# ------------------------------------------------------------------------------------------------------ random play


class Outside(Points):
    """As cases of numbers and sets: that they are outside their intervals."""

    def __init__(self, program: c.Program) -> None:
        super().__init__(program)
        self.reachable = reachable_intervals(program)

    def cases(self, e: c.Expr) -> Cases:
        if e.type == c.INTEGER:
            yield from self._outside("number", e, self.reachable.number(e))
        elif e.type.kind in c.SETS:
            yield from self._outside("size", size_of(e), self.reachable.size(e))
        if e.type == c.INTEGERS:
            element = c.Local("element", c.INTEGER, e.span)
            for case, outside in self._outside("element", element, self.reachable.elements(e)):
                yield case, c.Exists("element", e, outside, c.BOOLEAN, e.span)

    def _outside(self, what: str, e: c.Expr, interval: Interval) -> Iterator[tuple[str, c.Expr]]:
        if interval.low is not None:
            yield f"{what} below {interval.low}", compared(e, "<", integer(interval.low, e.span))
        if interval.high is not None:
            yield f"{what} above {interval.high}", compared(e, ">", integer(interval.high, e.span))


def violations(program: c.Program, points: type[Outside], matches: int, hands: int) -> Iterator[str]:
    """Values outside their intervals in random play."""
    instrumented = watched(
        program, lambda goal, steps: "carried out" not in goal.case and steps < DEAR, points
    )
    notes = [note for note in instrumented.notes if note.goal.case.startswith(("number", "size", "element"))]
    assert len(notes) > 20

    def seen(state: State) -> Iterator[str]:
        asked = state.decision.binder if state.decision is not None else None
        for note in notes:
            if note.decision in (None, asked) and state.variables[(note.variable,)]:
                yield f"{note.goal.rule}: {note.goal.part} {note.goal.case} at {note.goal.span.start}"

    for seed in range(matches):
        rng = Random(seed)
        state = start(instrumented.program, Chance(seed))
        for _ in range(hands):
            while (decision := state.decision) is not None:
                yield from seen(state)
                state = apply(state, pick(decision, rng))
            yield from seen(state)
            if not state.hand_over or state.match_over:
                break
            state = next_hand(state)


@pytest.mark.parametrize("name", slow_but(("pagat",), LIBRARY.ruleset_paths()))
def test_values_of_random_plays_lie_in_their_intervals(name: str) -> None:
    ruleset, _ = LIBRARY.load(str(LIBRARY.ruleset_paths()[name]))
    assert ruleset is not None
    assert list(violations(ruleset.program, Outside, matches=1, hands=3)) == []


class Shrunken(Outside):
    """Intervals that are wrong: no number is above 2."""

    def cases(self, e: c.Expr) -> Cases:
        if e.type == c.INTEGER:
            yield "number above 2", both(compared(e, ">", integer(2, e.span)), compared(e, "=", e))


def test_an_interval_that_is_too_small_is_found() -> None:
    assert list(violations(documented("pagat").program, Shrunken, matches=1, hands=1))
