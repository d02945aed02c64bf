"""The style in which rollouts are played: the one that pays best in first deals, found by self-play.

One side plays a style and everybody else plays at random; then everybody else plays the best style so far.
All styles of a round play the same deals, and the worse half is dropped again and again (`halving`).  The
result depends only on the program, its parameters and its readings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Protocol

from trickproof.analysis.points import Points
from trickproof.information.record import HOLE, RecordForm
from trickproof.information.stream import mixed
from trickproof.search.halving import Trial, halved
from trickproof.search.interpreted import HandRecord
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.policies.auto import RANDOM, Style
from trickproof.simulate.script.machine import ScriptMachine, Setting
from trickproof_dsl.compiled.machine import begin
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError

DEALS = 500
"""Deals in a round, of all styles together; each is played once for every seat."""

CARD_PLAY = list(product(range(4), range(4)))
"""Leads and following, which are chosen first."""

OTHERS = list(product((False, True), (True, False), (True, False)))
"""Satiety, sets and suits, which are chosen last."""

SHORTLIST = 5
"""Number of ways to play cards that are tried again among better players."""


class Engine(Protocol):
    """What self-play needs of a program."""

    form: RecordForm
    layout: DataLayout
    points: Points
    machine: ScriptMachine

    def team(self, player: int) -> int:
        """A player and partners, as a mask."""

    def before(self, player: int, header: Sequence[int]) -> int:
        """The baseline of their points."""


def tuned(engine: Engine, parameters: Mapping[str, int], readings: Mapping[str, int]) -> int:
    """The word of the best style; `RANDOM` if nothing is better, or if the first deal cannot begin."""
    header = _header(engine, parameters, readings)
    if header is None:
        return RANDOM
    styles = {Style(*x).word: x for x in CARD_PLAY}
    ranked = [x.choice for x in halved([RANDOM, *styles], DEALS, _trial(engine, header, RANDOM))]
    best = halved(ranked[:SHORTLIST], DEALS, _trial(engine, header, ranked[0]))[0].choice
    if best == RANDOM:
        return RANDOM
    variants = [Style(*styles[best], *x).word for x in OTHERS]
    return halved(variants, DEALS, _trial(engine, header, best))[0].choice


def _header(engine: Engine, parameters: Mapping[str, int], readings: Mapping[str, int]) -> list[int] | None:
    """The variables with which a match begins; None if its rules fail before, or leave a choice."""
    try:
        state = begin(engine.form.program, Chance(0), parameters, readings)
        if state.fault is not None or state.decision is not None or state.match_over:
            return None
        record = HandRecord(engine.form, engine.layout)
        record.begin(state)
    except EngineLimitError:
        return None
    return record.words[: engine.form.first]


def _trial(engine: Engine, header: Sequence[int], others: int) -> Trial:
    """Play styles in new deals, for every seat with its partners, against others who all play one style."""
    players = range(engine.form.program.players)
    deals = 0

    def play(styles: list[int], number: int) -> list[tuple[int, int, int]]:
        nonlocal deals
        deals += 1
        found = []
        for style in styles:
            parts = []
            for player in players:
                team, before = engine.team(player), engine.before(player, header)
                by_player = [style if team >> p & 1 else others for p in players]
                end = len(header) + 1
                setting = Setting([0, *header], 1, end, end, team, before, by_player)
                stream = mixed(deals, player) >> 1
                parts += engine.machine.tried(setting, [HOLE], number, stream, number).sums
            total, squares = sum(x.total for x in parts), sum(x.squares for x in parts)
            found.append((sum(x.number for x in parts), engine.points.sign * total, squares))
        return found

    return play
