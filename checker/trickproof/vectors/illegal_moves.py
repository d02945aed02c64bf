"""Illegal moves, one of every kind that a decision permits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trickproof.analysis.usage import program_usage
from trickproof.vectors.coverage_goal import Goal
from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.scenarios.json_values import Json
from trickproof_dsl.scenarios.writing import move_json
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import size_of

Wrong = Iterator[tuple[str, Any]]
"""A description of the mistake, and a choice that makes it."""


class Refusals:
    """The moves that decisions of one program refuse."""

    def __init__(self, program: c.Program) -> None:
        self.program = program
        self._labels = sorted(program_usage(program).labels)

    def at(self, state: State, decision: Decision) -> Iterator[tuple[Goal, dict[str, Json]]]:
        """Moves that the decision refuses, each with its goal."""
        for case, move in self._moves(state, decision):
            yield Goal("refusal", f"refuses {case}", decision.span, decision.rule), move

    def _moves(self, state: State, decision: Decision) -> Iterator[tuple[str, dict[str, Json]]]:
        good = move_json(self.program, decision, _legal(decision))
        seats = range(self.program.players)
        yield "another player's move", {**good, "player": (decision.player + 1) % len(seats)}
        label = next((x for x in self._labels if x != decision.label), f"no-{decision.label}")
        yield "another move", {**good, "move": label}
        if decision.to is not None:
            yield "another recipient", {**good, "to": next(p for p in seats if p != decision.to)}
        wrong = _cards(state, decision) if decision.type == c.CARDS else _values(self.program, decision)
        for case, choice in wrong:
            yield case, move_json(self.program, decision, choice)


def _legal(decision: Decision) -> Any:
    """A legal choice."""
    return frozenset(decision.legal[: decision.low]) if decision.type == c.CARDS else decision.legal[0]


def _cards(state: State, decision: Decision) -> Wrong:
    holder = decision.player if decision.whose is None else decision.whose
    held = state.zones.get(("hand", holder), ())
    others = decision.legal[: max(decision.low, 1) - 1]
    if set(decision.legal) <= set(held):
        foreign = next((x for x in range(len(state.program.deck.cards)) if x not in held), None)
        if foreign is not None:
            yield "a card that is not held", frozenset([*others, foreign])
        barred = next((x for x in held if x not in decision.legal), None)
        if barred is not None:
            yield "a card that is held but not allowed", frozenset([*others, barred])
    if decision.high < len(decision.legal):
        yield "a card too many", frozenset(decision.legal[: decision.high + 1])
    if decision.low > 0:
        yield "a card too few", frozenset(decision.legal[: decision.low - 1])


def _values(program: c.Program, decision: Decision) -> Wrong:
    kind, legal = decision.type, decision.legal
    if kind == c.INTEGER:
        yield "a number that is too low", min(legal) - 1
        yield "a number that is too high", max(legal) + 1
        gaps = [n for n in range(min(legal), max(legal)) if n not in legal]
        if gaps:
            yield "a number that is not allowed", gaps[0]
        return
    barred = [v for v in range(size_of(program, kind)) if v not in legal]
    if barred:
        yield "a value that is not allowed", bool(barred[0]) if kind == c.BOOLEAN else barred[0]
    if None not in legal and kind != c.BOOLEAN:
        yield "none", None


def after_the_end(program: c.Program) -> dict[str, Json]:
    """A move after the deal is complete."""
    return {"player": 0, "move": "play", "card": program.deck.cards[0]}
