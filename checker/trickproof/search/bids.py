"""Lines by which greedy players and rollouts bid, fitted to a table of rollouts: a row for a choice, a column for an option.

A few matches are begun.  Where a player is to choose a number, some options are played out in the very deal,
and the line is fitted that gains most over all rows; then the next matches are bid by it.  The result depends
only on the program, its parameters and its readings; it is cached, like styles.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from trickproof.analysis.points import points_of
from trickproof.information.record import RecordForm
from trickproof.information.stream import mixed
from trickproof.search.interpreted import HandRecord
from trickproof.search.kept_style import program_key
from trickproof.simulate.ir.calling_convention import BeyondError
from trickproof.simulate.lowering.data_layout import WORD, DataLayout
from trickproof.simulate.policies.greedy import GreedyPolicy
from trickproof.simulate.script.machine import ScriptMachine, Setting
from trickproof.simulate.script.program import compile_script
from trickproof.support.blob_cache import BlobCache
from trickproof.testing.bids import NO_LINE, UNIT, Line, bid, bid_sites, line_words, nearest, strength
from trickproof.testing.greedy_player import greedy_player
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, begin, between_hands, run
from trickproof_dsl.compiled.state import State
from trickproof_dsl.playing import Player
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import EngineLimitError

ROUNDS = 5
"""Number of tables; the first is of players who bid at random, and counts only for the second."""

DEALS = 40
"""Deals in a table."""

OPTIONS = 4
"""Maximum number of options that are played out in a row."""

STARTS = ((0, 0, 0), (8, 16, 0), (4, 32, -32), (0, 0, 128))
"""Lines from which a fit begins; the best result counts."""

STEP = 16
"""First change of a coefficient that is tried; then the half, and so on."""

LINES = BlobCache("bids", form=1, most=400)

Lines = dict[str, Line]
"""By the binder of the choice."""


class Row(NamedTuple):
    """One choice: the strength of the hand, and the points of some options, in ascending order."""

    points: int
    trumps: int
    gains: tuple[tuple[int, int], ...]


def lines_of(
    program: c.Program, backend: str, parameters: Mapping[str, int], readings: Mapping[str, int]
) -> Lines:
    """The lines by which greedy players bid; without those that no rollout could find."""
    sites = bid_sites(program)
    if not sites:
        return {}
    parameters = {name: parameters.get(name, values[0]) for name, values in program.parameters.items()}
    readings = {name: readings.get(name, 0) for name in program.readings}
    key = program_key(program, parameters, readings)
    found = None if key is None else _lines(LINES.read(key), sites)
    if found is None:
        try:
            found = Table(program, backend, parameters, readings).fitted()
        except BeyondError:
            found = {}
        if key is not None:
            LINES.write(key, json.dumps(found).encode())
    return found


def _lines(stored: bytes | None, sites: Sequence[str]) -> Lines | None:
    """Decode cached lines; None if they are none."""
    try:
        lines = None if stored is None else json.loads(stored)
    except (ValueError, RecursionError):
        return None
    if not isinstance(lines, dict) or not set(lines) <= set(sites):
        return None
    numbers = all(
        isinstance(x, list) and len(x) == 3 and all(type(y) is int for y in x) for x in lines.values()
    )
    return {binder: (x[0], x[1], x[2]) for binder, x in lines.items()} if numbers else None


class Table:
    """The rollouts of one program.  Raises BeyondError if it has no integer form."""

    def __init__(
        self, program: c.Program, backend: str, parameters: Mapping[str, int], readings: Mapping[str, int]
    ) -> None:
        self.program, self.settings = program, (parameters, readings)
        self.form, self.points = RecordForm(program), points_of(program)
        script = compile_script(self.form, GreedyPolicy(), self.points.variable)
        self.machine = ScriptMachine(script, backend)
        self.teams = {p: sum(1 << q for q in team) for team in program.teams for p in team}
        self.sites, self.rollouts = bid_sites(program), 0
        self._record = HandRecord(self.form, DataLayout(program))

    def fitted(self) -> Lines:
        """The lines that gain most over all tables but the first; none if nobody was asked in that one."""
        lines: Lines = {}
        rows: dict[str, list[Row]] = {}
        for number in range(ROUNDS):
            self.machine.bind(*self.settings, line_words(self.program, lines))
            if number == 1:
                rows.clear()
            self.play(lines, number, rows)
            if not rows:
                break
            lines = {x: line for x in rows if (line := fit(rows[x])) != NO_LINE}
        return lines

    def play(self, lines: Lines, number: int, rows: dict[str, list[Row]]) -> None:
        """Play matches whose players bid by the lines, where there are any; add the choices with their rollouts."""
        chance, players = Random(number), greedy_player(number)
        state: State | None = None
        try:
            for _ in range(DEALS):
                if state is None:
                    state = begin(self.program, Chance(chance.getrandbits(30)), *self.settings)
                if state.fault is not None or state.decision is not None or state.match_over:
                    break
                state = self._played(state, lines, players, chance, rows)
                state = None if state.fault is not None or state.match_over else between_hands(state)
        except EngineLimitError:
            pass

    def _played(
        self, state: State, lines: Lines, players: Player, chance: Random, rows: dict[str, list[Row]]
    ) -> State:
        """Play a deal from the state before it; add its rows."""
        self._record.begin(state)
        state = run(state, self.program.hand)
        while (decision := state.decision) is not None:
            choice: Any
            if decision.binder in self.sites and _is_narrow(decision.legal):
                choice = bid(lines, state, decision)
                row = self._row(state, decision, choice, chance)
                if len(row.gains) > 1:
                    rows.setdefault(decision.binder, []).append(row)
                choice = chance.choice(decision.legal) if choice is None else choice
            else:
                choice = players(state, decision)
            self._record.chosen(choice)
            state = apply(state, choice)
        return state

    def _row(self, state: State, decision: Decision, usual: int | None, chance: Random) -> Row:
        """Play out some options; those next to the usual one, if there is one."""
        first, player, legal = self.form.first, decision.player, decision.legal
        if usual is None:
            options = sorted(chance.sample(legal, min(OPTIONS, len(legal))))
        else:
            at = max(min(legal.index(usual) - OPTIONS // 2, len(legal) - OPTIONS), 0)
            options = list(legal[at : at + OPTIONS])
        team = self.teams.get(player, 1 << player)
        words = self._record.words
        setting = Setting([0, *words], 1, first + 1, len(words) + 1, team, 0)
        self.rollouts += 1
        sums = self.machine.tried(setting, options, 1, mixed(self.rollouts) >> 1, 1).sums
        played = [(x, self.points.sign * y.total) for x, y in zip(options, sums, strict=True) if y.number]
        return Row(*strength(state, player), tuple(played))


def _is_narrow(legal: Sequence[int]) -> bool:
    """Whether options fit a mask."""
    return max(legal) - min(legal) < WORD


def fit(rows: Sequence[Row]) -> Line:
    """The line that gains most, where a number between two options gains what lies between; `NO_LINE` if all are as good."""
    if all(x == y for row in rows for (_, x), (_, y) in pairwise(row.gains)):
        return NO_LINE
    curves = [_Curve(row) for row in rows]

    def gain(line: Line) -> int:
        return sum(curve.gain(line) for curve in curves)

    found = max((_climbed(start, gain) for start in STARTS), key=gain)
    return found if found != NO_LINE else (0, 0, 1)


def _climbed(line: Line, gain: Callable[[Line], int]) -> Line:
    """Change one coefficient after the other, by less and less, while that gains more."""
    most, step = gain(line), STEP
    while step:
        before = most
        for at in range(len(line)):
            for by in (step, -step):
                changed = [*line]
                changed[at] += by
                other = changed[0], changed[1], changed[2]
                if (more := gain(other)) > most:
                    line, most = other, more
        step = step if most > before else step // 2
    return line


class _Curve:
    """What each number near the options of a row gains."""

    def __init__(self, row: Row) -> None:
        self.points, self.trumps, gains = row.points, row.trumps, dict(row.gains)
        self.low = min(gains)
        self.gains = [gains[nearest(x, list(gains))] for x in range(self.low, max(gains) + 1)]

    def gain(self, line: Line) -> int:
        """In units."""
        number, part = divmod(line[0] * self.points + line[1] * self.trumps + line[2] - UNIT // 2, UNIT)
        last = len(self.gains) - 1
        below, above = (self.gains[max(min(x - self.low, last), 0)] for x in (number, number + 1))
        return (UNIT - part) * below + part * above
