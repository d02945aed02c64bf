"""The expected number of hands, exactly, of a match that goes at random through few states.

A chain is given by its start and, for every state, how often each next state follows (END: the match is over).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from enum import Enum
from fractions import Fraction

MOST_STATES = 100
"""States that are explored, at most."""

State = Hashable


class Over(Enum):
    END = "end"


END = Over.END

Step = Callable[[State], Mapping[State, int] | None]
"""How often each next state follows (relative to one another), or None if that cannot be told."""


def explore(start: State, step: Step, most: int = MOST_STATES) -> dict[State, dict[State, Fraction]] | None:
    """The probabilities from each reachable state; None if there are very many states, or one cannot be told."""
    chain: dict[State, dict[State, Fraction]] = {}
    frontier = [start]
    while frontier:
        state = frontier.pop()
        if state is END or state in chain:
            continue
        counts = step(state)
        if counts is None:
            return None
        total = sum(counts.values())
        chain[state] = {after: Fraction(n, total) for after, n in counts.items() if n}
        frontier += [after for after in chain[state] if after is not END and after not in chain]
        if len(chain.keys() | set(frontier)) > most:
            return None
    return chain


def expected_steps(start: State, chain: Mapping[State, Mapping[State, Fraction]]) -> Fraction | None:
    """How many steps it takes on average from the start to END; None if END may never come."""
    if not _always_ends(chain):
        return None
    # Each equation reads: expectation = constant + the sum of factor * expectation of other states.
    equations = {state: (Fraction(1), dict(after)) for state, after in chain.items()}
    for state in [*(s for s in reversed(chain) if s != start)]:
        constant, factors = _solved(state, equations.pop(state))
        for other, (base, uses) in equations.items():
            share = uses.pop(state, None)
            if share:
                for after, factor in factors.items():
                    uses[after] = uses.get(after, Fraction(0)) + share * factor
                equations[other] = (base + share * constant, uses)
    return _solved(start, equations[start])[0]


def _solved(
    state: State, equation: tuple[Fraction, dict[State, Fraction]]
) -> tuple[Fraction, dict[State, Fraction]]:
    """An equation without its own expectation on the right, nor END, whose expectation is 0."""
    constant, uses = equation
    rest = 1 - uses.pop(state, Fraction(0))
    uses.pop(END, None)
    return constant / rest, {after: factor / rest for after, factor in uses.items()}


def _always_ends(chain: Mapping[State, Mapping[State, Fraction]]) -> bool:
    """Whether END can be reached from every state, so that it is reached with probability 1."""
    ending: set[State] = {END}
    grown = True
    while grown:
        more = {state for state, after in chain.items() if state not in ending and ending & after.keys()}
        ending |= more
        grown = bool(more)
    return chain.keys() <= ending


def divisions(tricks: int, players: int) -> list[tuple[int, ...]]:
    """Every way in which so many tricks can be divided among so many players."""
    if players == 1:
        return [(tricks,)]
    return [(first, *rest) for first in range(tricks + 1) for rest in divisions(tricks - first, players - 1)]


def decimal_text(value: Fraction) -> str:
    """A fraction with its decimal value: `17/5 = 3.4`; the fraction left out where it is long."""
    if value.denominator == 1:
        return str(value.numerator)
    hundredths = round(value * 100)
    decimal = f"{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".")
    if value.denominator > 9999:
        return f"about {decimal}"
    return f"{value} = {decimal}" if value == Fraction(hundredths, 100) else f"{value} (about {decimal})"
