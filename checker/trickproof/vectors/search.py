"""Search for deals with high coverage: random, sensible and unlikely ones, then a hunt for the rest.

Every stop of a deal is a candidate: it reaches what the deal has reached so far, and what the pending
decision shows. The goals reached are a bit set of goal numbers, stored as an integer.
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
"""Number of deals examined in detail."""

FEWEST, BUDGET = 8, 600_000_000
"""Minimum number of deals examined in detail, and the budget of steps for all their notes."""

DEAR = 20_000
"""Cost in steps above which a note is left out of a hunt."""

HUNTED = 800
"""Maximum number of deals searched for the remaining goals."""

PATIENCE = 120
"""Number of consecutive deals without a new goal after which the search stops."""

MATCH = 4
"""Maximum number of deals per match in the detailed phase; twice as many in the hunt."""

WHIM = 0.1
"""Probability that a sensible player chooses at random."""

CHANGED = 0.5
"""Probability, in the hunt, that the state carried to the next deal is mutated."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A deal that stops after its choices; with `refused`, one illegal move follows."""

    hand: Hand
    reaches: int
    refused: Json = None


@dataclass
class Coverage:
    """Candidates, and the goals by number, starting with those that should be reached."""

    goals: list[Goal]
    candidates: list[Candidate] = field(default_factory=list)
    reached: int = 0
    hands: int = 0
    _numbers: dict[Goal, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._numbers.update((goal, n) for n, goal in enumerate(self.goals))

    def bits(self, goals: Iterable[Goal]) -> int:
        """The bit set of some goals; new ones are numbered."""
        bits = 0
        for goal in goals:
            if goal not in self._numbers:
                self._numbers[goal] = len(self.goals)
                self.goals.append(goal)
            bits |= 1 << self._numbers[goal]
        return bits

    def goals_of(self, bits: int) -> list[Goal]:
        """The goals of a bit set, in order of their numbers."""
        return [goal for n, goal in enumerate(self.goals) if bits >> n & 1]

    @property
    def open(self) -> list[Goal]:
        """Goals not yet reached."""
        return self.goals_of(~self.reached)

    def add(self, candidate: Candidate) -> None:
        self.candidates.append(candidate)
        self.reached |= candidate.reaches


class Eyes:
    """Observers of goals that a program does not record itself."""

    def __init__(self, program: c.Program) -> None:
        self.seen, self.refusals = Table(program), Refusals(program)


def hunted(program: c.Program, seed: int) -> Coverage:
    """Candidates for a ruleset; deterministic for a given seed."""
    eyes, close = Eyes(program), watched(program)
    coverage = Coverage(list(dict.fromkeys([*close.goals, *eyes.seen.goals()])))
    affordable = BUDGET // max(close.cost, 1)
    near = close if affordable >= BASE else watched(program, lambda _, steps: steps <= DEAR)
    base = max(min(BASE, affordable), FEWEST)
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

    for match in _matches(program, seed + 1, HUNTED, 2 * MATCH, changed=True):
        if not still or idle >= PATIENCE:
            break
        coverage.hands += match.hands
        match.play(looked_through)
    return coverage


def _light(program: c.Program, coverage: Coverage) -> Watched:
    """The program instrumented for the unreached goals that are cheap to record."""
    still = frozenset(coverage.open)
    return watched(program, lambda goal, steps: goal in still and steps <= DEAR)


def traced(
    coverage: Coverage, eyes: Eyes, program: Watched, hand: Hand, choose: Chooser
) -> tuple[Hand, State]:
    """Play out a deal, turning every stop into a candidate.

    Returns the deal with its choices, and its final state.
    """
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
    over = coverage.bits([at_table("a move is refused when the deal is complete")])
    if state.hand_over and not coverage.reached & over:
        coverage.add(Candidate(hand, over, after_the_end(program.program)))
    return hand, state


def _again(hand: Hand) -> Chooser:
    """The same choices as in a given deal."""
    choices = iter(hand.choices)
    return lambda _, __: next(choices)


# ------------------------------------------------------------------------------------------------- matches


@dataclass(frozen=True, slots=True)
class _Match:
    """Consecutive deals of one match, determined by the seed and its number."""

    program: c.Program
    number: int
    hands: int
    rng: Random
    changed: bool

    def play(self, see: Callable[[Hand, Chooser], tuple[Hand, State]]) -> None:
        """Pass every deal to `see` and continue from its result; end early if the engine reaches a limit."""
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
        """Random play, or greedy play with deviations; in some deals, all decline or take the last option."""
        rng, greedy = self.rng, greedy_player(self.rng.getrandbits(30))
        whim = WHIM if self.number % 4 == 2 else 1
        said = rng.choice(("anything", "anything", "no", "last"))

        def choose(state: State, decision: Decision) -> Value:
            if said != "anything" and decision.type != c.CARDS and rng.random() >= WHIM:
                return None if said == "no" and None in decision.legal else decision.legal[-(said == "last")]
            return pick(decision, rng) if rng.random() < whim else greedy(state, decision)

        return choose


def _matches(program: c.Program, seed: int, hands: int, most: int, changed: bool = False) -> Iterator[_Match]:
    """Matches with `hands` deals in total."""
    number = 0
    while hands > 0:
        rng = Random(f"vectors {seed} {number}")
        yield _Match(program, number, min(most, hands), rng, changed)
        hands -= most
        number += 1
