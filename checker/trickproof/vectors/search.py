"""Hands that reach much: at random, sensibly played, dealt as chance hardly ever deals; then those still wanted are hunted.

Every stop of a hand is a candidate: it reaches what the hand has reached until then, and what shows in the question asked
there.  What it reaches is a set of numbers of goals, kept as the bits of an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random

from trickproof.testing.edge_cases import CornerMatch
from trickproof.testing.greedy_player import greedy_player
from trickproof.testing.random_play import drawn_match, pick
from trickproof.vectors.coverage_goal import Goal
from trickproof.vectors.illegal_moves import Refusals, after_the_end
from trickproof.vectors.instrumentation import Watched, watched
from trickproof.vectors.mutated_states import perturbed
from trickproof.vectors.recorded_hands import Chooser, Hand, between, carried, first
from trickproof.vectors.table_coverage import Table, at_table
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply
from trickproof_dsl.compiled.state import State
from trickproof_dsl.scenarios.json_values import Json
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import FAULTS, EngineLimitError
from trickproof_dsl.semantics.values import Value

BASE = 80
"""Hands that are looked at closely."""

FEWEST, BUDGET = 8, 600_000_000
"""Hands that are looked at closely at least, and how many steps the notes of all of them may take once each."""

DEAR = 20_000
"""Steps of a note that is too long to be made in every hand of a hunt."""

HUNTED = 800
"""Hands that are looked through for goals not reached by then, at most."""

PATIENCE = 120
"""Hands in a row that reach nothing new, after which no more are looked through."""

MATCH = 4
"""Hands of a match, at most, while looking closely; twice as many while hunting."""

WHIM = 0.1
"""How often sensible players choose at random."""

CHANGED = 0.5
"""How often, while hunting, what a hand leaves to the next is changed a little."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hand that stops after its choices, and with `refused` one move more, which is not legal."""

    hand: Hand
    reaches: int
    refused: Json = None


@dataclass
class Coverage:
    """Candidates, and the goals by number: those that should be reached first."""

    goals: list[Goal]
    candidates: list[Candidate] = field(default_factory=list)
    reached: int = 0
    hands: int = 0
    _numbers: dict[Goal, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._numbers.update((goal, n) for n, goal in enumerate(self.goals))

    def bits(self, goals: Iterable[Goal]) -> int:
        """The set of some goals; new ones get numbers."""
        bits = 0
        for goal in goals:
            if goal not in self._numbers:
                self._numbers[goal] = len(self.goals)
                self.goals.append(goal)
            bits |= 1 << self._numbers[goal]
        return bits

    def goals_of(self, bits: int) -> list[Goal]:
        """The goals of a set, in the order of their numbers."""
        return [goal for n, goal in enumerate(self.goals) if bits >> n & 1]

    @property
    def open(self) -> list[Goal]:
        """Goals not reached."""
        return self.goals_of(~self.reached)

    def add(self, candidate: Candidate) -> None:
        self.candidates.append(candidate)
        self.reached |= candidate.reaches


class Eyes:
    """What is looked for besides what a program notes itself."""

    def __init__(self, program: c.Program) -> None:
        self.seen, self.refusals = Table(program), Refusals(program)


def hunted(program: c.Program, seed: int, base: int = BASE, further: int = HUNTED) -> Coverage:
    """Candidates for a ruleset: the same for the same seed."""
    eyes, close = Eyes(program), watched(program)
    coverage = Coverage(list(dict.fromkeys([*close.goals, *eyes.seen.goals()])))
    affordable = BUDGET // max(close.cost, 1)
    near = close if affordable >= base else watched(program, lambda _, steps: steps <= DEAR)
    base = max(min(base, affordable), min(base, FEWEST))
    for match in _matches(program, seed, base, MATCH):
        match.play(lambda hand, choose: traced(coverage, eyes, close, hand, choose))
    coverage.hands = base
    light, still, idle = _light(program, coverage), coverage.open, 0

    def looked_through(hand: Hand, choose: Chooser) -> tuple[Hand, State]:
        nonlocal light, still, idle
        idle += 1
        seen = Coverage(list(still))
        played, end = traced(seen, eyes, light, hand, choose)
        if seen.reached & (1 << len(still)) - 1:
            traced(coverage, eyes, near, hand, _again(played))
            light, still, idle = _light(program, coverage), coverage.open, 0
        return played, end

    for match in _matches(program, seed + 1, further, 2 * MATCH, changed=True):
        if not still or idle >= PATIENCE:
            break
        coverage.hands += match.hands
        match.play(looked_through)
    return coverage


def _light(program: c.Program, coverage: Coverage) -> Watched:
    """The program with notes of what is not reached, as far as they are soon made."""
    still = frozenset(coverage.open)
    return watched(program, lambda goal, steps: goal in still and steps <= DEAR)


def traced(
    coverage: Coverage, eyes: Eyes, program: Watched, hand: Hand, choose: Chooser
) -> tuple[Hand, State]:
    """Plays a hand on; every stop becomes a candidate.  Answers the hand with its choices, and its end."""
    state = hand.begun(program.program)
    lasting = {note.variable: note.goal for note in program.notes if note.decision is None}
    by_decision: dict[str, list[tuple[str, Goal]]] = {}
    for note in program.notes:
        if note.decision is not None:
            by_decision.setdefault(note.decision, []).append((note.variable, note.goal))

    def noted(now: State) -> int:
        variables = now.variables
        new = [name for name in lasting if variables[(name,)]]
        return coverage.bits([lasting.pop(name) for name in new])

    reached = coverage.bits(eyes.seen.at_start(state)) | noted(state)
    while (decision := state.decision) is not None:
        variables = state.variables
        question = [goal for name, goal in by_decision.get(decision.binder, ()) if variables[(name,)]]
        shown = coverage.bits([*eyes.seen.at_stop(state, decision), *question])
        coverage.add(Candidate(hand, reached | shown))
        for goal, move in eyes.refusals.at(state, decision):
            bit = coverage.bits([goal])
            if not coverage.reached & bit:
                coverage.add(Candidate(hand, bit | shown, move))
        choice = choose(state, decision)
        then = apply(state, choice)
        reached |= coverage.bits(eyes.seen.after(state, decision, choice, then)) | noted(then)
        hand, state = replace(hand, choices=(*hand.choices, choice)), then
    reached |= coverage.bits(eyes.seen.at_end(state))
    if state.hand_over and not state.match_over:
        reached |= noted(between(state))
    if state.fault is not None:
        reached |= coverage.bits([at_table(f"the rules fail at run time: {FAULTS[state.fault.kind]}")])
    coverage.add(Candidate(hand, reached))
    over = coverage.bits([at_table("a move is refused when the hand is complete")])
    if state.hand_over and not coverage.reached & over:
        coverage.add(Candidate(hand, over, after_the_end(program.program)))
    return hand, state


def _again(hand: Hand) -> Chooser:
    """The choices of a hand once more."""
    choices = iter(hand.choices)
    return lambda _, __: next(choices)


# ------------------------------------------------------------------------------------------ what is played


@dataclass(frozen=True, slots=True)
class _Match:
    """This many deals of one match, all drawn from its number."""

    program: c.Program
    number: int
    hands: int
    rng: Random
    changed: bool

    def play(self, see: Callable[[Hand, Chooser], tuple[Hand, State]]) -> None:
        """Shows every hand, and goes on from what it leads to; ends early where the engine gives up."""
        with suppress(EngineLimitError):
            self._play(see)

    def _play(self, see: Callable[[Hand, Chooser], tuple[Hand, State]]) -> None:
        parameters, readings, variables = drawn_match(self.program, self.rng.getrandbits)
        corner = CornerMatch(self.program, self.number // 2) if self.number % 2 else None
        hand = first(self.program, parameters, readings, variables, self._chance())
        for _ in range(self.hands):
            if corner is not None:
                hand = self._redealt(hand, corner)
            _, end = see(hand, corner.chosen if corner is not None else self._sensible())
            if not end.hand_over or end.match_over:
                hand = first(self.program, parameters, readings, variables, self._chance())
                continue
            after = between(end)
            if after.fault is not None:
                return
            if after.match_over:
                hand = first(self.program, parameters, readings, variables, self._chance())
                continue
            carried_over = carried(after.variables, self.program)
            if self.changed and self.rng.random() < CHANGED:
                carried_over = perturbed(self.program, carried_over, self.rng)
            hand = Hand(parameters, readings, carried_over, self._chance())

    def _chance(self) -> Chance:
        return Chance(self.rng.getrandbits(30))

    def _redealt(self, hand: Hand, corner: CornerMatch) -> Hand:
        dealt = hand.begun(self.program).chance.dealt
        return replace(hand, chance=replace(hand.chance, given=corner.given(dealt)))

    def _sensible(self) -> Chooser:
        """Random play, or greedy play with whims; in some hands everybody says no, or the last thing there is to say."""
        rng, greedy = self.rng, greedy_player(self.rng.getrandbits(30))
        whim = WHIM if self.number % 4 == 2 else 1
        said = rng.choice(("anything", "anything", "no", "last"))

        def choose(state: State, decision: Decision) -> Value:
            if said != "anything" and decision.type != c.CARDS and rng.random() >= WHIM:
                return None if said == "no" and None in decision.legal else decision.legal[-(said == "last")]
            return pick(decision, rng) if rng.random() < whim else greedy(state, decision)

        return choose


def _matches(program: c.Program, seed: int, hands: int, most: int, changed: bool = False) -> Iterator[_Match]:
    """Matches of a given number of deals in all."""
    number = 0
    while hands > 0:
        rng = Random(f"vectors {seed} {number}")
        yield _Match(program, number, min(most, hands), rng, changed)
        hands -= most
        number += 1
