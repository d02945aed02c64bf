"""How well a player does: first deals of matches in which one player searches, compared with deals in which nobody does.

Deals are drawn afresh on both sides.  Points are those by which search values a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from checker.search.hands import engine_by_id, engine_of
from trickproof.information.record import HOLE
from trickproof.search.engine import SearchEngine
from trickproof.search.player import SearchPlayer
from trickproof.simulate.policies.greedy import GreedyPolicy
from trickproof.simulate.policies.random import RandomPolicy
from trickproof.simulate.runtime.executor import SerialExecutor
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.runtime.scheduler import Request
from trickproof.simulate.script.machine import ScriptMachine, Setting
from trickproof.simulate.script.program import compile_script
from trickproof.simulate.simulation import Simulation
from trickproof.simulate.statistics.paired_difference import records
from trickproof.testing.bids import line_words
from trickproof_dsl.library import Ruleset

PLAIN = {"random": RandomPolicy, "greedy": GreedyPolicy}

MANY = 20_000
"""Number of deals in which nobody searches."""


@dataclass(frozen=True)
class Gain:
    """Points per deal that search gains, half the width of the 95% interval, and the standard deviation without search."""

    mean: float
    error: float
    spread: float
    hands: int

    @property
    def low(self) -> float:
        return self.mean - self.error


@dataclass
class Spy(SearchPlayer):
    """Plays first deals by search, and records the variables with which each deal begins."""

    engine: SearchEngine
    rollouts: int
    begun: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(self.engine, self.rollouts)

    __hash__ = object.__hash__

    def choose(self, record: Sequence[int], stream: int, hand: int) -> int:
        self.begun.setdefault((stream, hand), tuple(record[: self.form.first]))
        if hand:
            last = self.form.last(record)
            return first_legal(record[last.at :], last.site.size)
        return super().choose(record, stream, hand)


def first_legal(words: Sequence[int], size: int) -> int:
    """Any legal choice: the deal is not counted."""
    if size == 6:
        domain, low = words[2], words[3]
        chosen = 0
        for i in range(64):
            if domain >> i & 1 and chosen.bit_count() < low:
                chosen |= 1 << i
        return chosen
    base, options = words[2], words[3]
    return base + ((options & -options).bit_length() - 1) if options else -1


def gain(ruleset: Ruleset, against: str, rollouts: int, hands: int, seed: int = 1) -> Gain:
    """What a player gains in a first deal by searching, while all others play a plain policy; each seat searches equally often."""
    engine = engine_of(ruleset)
    players = ruleset.program.players
    number = -(-hands // players)
    differences: list[float] = []
    spreads: list[float] = []
    for seat in range(players):
        for before, worth in first_hands(ruleset, engine, against, rollouts, seat, number, seed):
            player = (dealer(engine, before) + seat) % players
            plain = without_search(id(ruleset), against, before, player)
            differences.append(worth - plain[0])
            spreads.append(plain[1])
    mean = sum(differences) / len(differences)
    variance = sum((x - mean) ** 2 for x in differences) / (len(differences) - 1)
    return Gain(
        mean, 1.96 * (variance / len(differences)) ** 0.5, sum(spreads) / len(spreads), len(differences)
    )


def first_hands(
    ruleset: Ruleset, engine: SearchEngine, against: str, rollouts: int, seat: int, number: int, seed: int
) -> list[tuple[tuple[int, ...], int]]:
    """The variables before first deals in which one seat searches, and the points of its player in each.

    If the points depend on the variables of the next deal, deals that end the match are left out.
    """
    spy, players = Spy(engine, rollouts), engine.form.program.players
    policies = tuple(spy if s == seat else against for s in range(players))
    counted = engine.points.variable == "over" and not engine.form.program.teams
    request = Request(policies, seed, None, number, most=1 if counted else 2, records=counted)
    simulation = Simulation(ruleset, request)
    simulation.play(SerialExecutor())
    begun = [(stream, header) for (stream, hand), header in spy.begun.items() if not hand]
    if counted:
        names = simulation.run.machine.facts.counters.measures
        at = 2 + names.index(f"over.{seat}")
        lines = records(simulation.run.result.notes, names)
        assert len(lines) == number
        return [(begun[0][1], engine.points.sign * line[at]) for line in lines if line[1]]
    after = {stream: spy.begun.get((stream, 1)) for stream, _ in begun}
    return [
        (header, points(engine, (dealer(engine, header) + seat) % players, header, next_header))
        for stream, header in begun
        if (next_header := after[stream]) is not None
    ]


def dealer(engine: SearchEngine, header: Sequence[int]) -> int:
    return header[engine.form.header.index(("dealer",))]


def points(engine: SearchEngine, player: int, before: Sequence[int], after: Sequence[int]) -> int:
    """Points of a deal, from the state that it leaves for the next."""
    team = [p for p in range(engine.form.program.players) if engine.team(player) >> p & 1]
    variable = engine.points.variable
    assert variable is not None
    places = [engine.form.header.index((variable, p)) for p in team]
    change = sum(before[i] for i in places) if engine.points.change else 0
    return engine.points.sign * (sum(after[i] for i in places) - change)


@cache
def without_search(ruleset: int, against: str, header: tuple[int, ...], player: int) -> tuple[float, float]:
    """The mean points of a player if all play the plain policy, and the standard deviation."""
    engine = engine_by_id(ruleset)
    machine = plain_machine(ruleset, against)
    before = engine.before(player, header)
    setting = Setting([0, *header], 1, len(header) + 1, len(header) + 1, engine.team(player), before)
    ((number, total, squares),) = (
        (x.number, x.total, x.squares) for x in machine.tried(setting, [HOLE], MANY, 12345, MANY).sums
    )
    mean = total / number
    return engine.points.sign * mean, (squares / number - mean * mean) ** 0.5


@cache
def plain_machine(ruleset: int, against: str) -> ScriptMachine:
    engine = engine_by_id(ruleset)
    script = compile_script(engine.form, PLAIN[against](), engine.points.variable)
    machine = ScriptMachine(script, best_backend())
    machine.bind({}, {}, line_words(engine.form.program, engine.lines()))
    return machine
