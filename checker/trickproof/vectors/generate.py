"""Generate vectors of a ruleset: a number of random ones, or a set that covers everything reachable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from random import Random

from trickproof.testing.random_play import drawn_match, pick
from trickproof.vectors.coverage_goal import RULE, Goal
from trickproof.vectors.instrumentation import watched
from trickproof.vectors.minimise import chosen
from trickproof.vectors.recorded_hands import Chooser, Hand, between, carried, first
from trickproof.vectors.search import Candidate, Coverage, Eyes, hunted, traced
from trickproof.vectors.serialisation import Vector, written
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError

TIMES = 2
"""How many vectors should reach each goal, space permitting."""

EARLIER = 3
"""Maximum number of deals played before the deal of a random vector."""

TO_THE_END, REFUSED = 0.3, 0.15
"""Share of random vectors that run to the end of the deal, and share that end with an illegal move."""


MOST_LIMITS = 100
"""Number of deals in which the engine may reach a limit before generation stops."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Vectors and their coverage: `missed` goals were reached only by other deals, `unreached` by none."""

    vectors: tuple[Vector, ...]
    goals: int
    missed: tuple[Goal, ...]
    unreached: tuple[Goal, ...]
    needed: int
    """Number of vectors that would reach everything once."""
    hands: int

    @property
    def covered(self) -> int:
        return self.goals - len(self.missed) - len(self.unreached)


def covering(ruleset: Ruleset, most: int, seed: int = 0) -> Cover:
    """At most `most` vectors with maximal coverage; deterministic for a given seed."""
    coverage = hunted(ruleset.program, seed)
    # goals reached only by deals that no scenario can express count as unreached (`expressible`)
    reached, expressible, needed, vectors = 0, 0, 0, list[Vector]()

    def vector_of(candidate: Candidate, adds: int, repeats: int) -> Vector | None:
        nonlocal reached, expressible, needed
        vector = written(ruleset, candidate.hand, candidate.refused)
        if vector is None:
            return None
        needed += bool(adds)
        expressible |= candidate.reaches
        if len(vectors) < most:
            reached |= candidate.reaches
        covers = coverage.goals_of(adds or repeats)
        return {"covers": [goal.described for goal in covers], **vector}

    for vector in chosen(coverage.candidates, vector_of, TIMES):
        if len(vectors) < most:
            vectors.append(vector)
    return Cover(
        tuple(_numbered(ruleset, vectors)),
        len(coverage.goals),
        tuple(coverage.goals_of(expressible & ~reached)),
        tuple(coverage.goals_of(~expressible)),
        needed,
        coverage.hands,
    )


def by_chance(ruleset: Ruleset, number: int, seed: int = 0) -> Iterator[Vector]:
    """`number` vectors of random play that stop anywhere; deterministic for a given seed."""
    yield from _numbered(ruleset, _by_chance(ruleset, number, seed))


def _numbered(ruleset: Ruleset, vectors: Iterator[Vector] | list[Vector]) -> Iterator[Vector]:
    for n, vector in enumerate(vectors, 1):
        yield {"id": f"{ruleset.id}-{n:04d}", **vector}


def _by_chance(ruleset: Ruleset, number: int, seed: int) -> Iterator[Vector]:
    program, written_so_far = ruleset.program, 0
    watch, eyes = watched(program, lambda goal, _: goal.part == RULE), Eyes(program)
    limits = 0
    for n in count():
        if written_so_far == number or limits == MOST_LIMITS:
            return
        rng, coverage = Random(f"chance {seed} {n}"), Coverage([])
        try:
            hand = _hand(program, rng)
            traced(coverage, eyes, watch, hand, _at_random(rng))
            vector = _stopped(ruleset, coverage, rng)
        except EngineLimitError:
            limits += 1
            continue
        if vector is not None:
            written_so_far += 1
            yield vector


def _at_random(rng: Random) -> Chooser:
    return lambda _, decision: pick(decision, rng)


def _hand(program: c.Program, rng: Random) -> Hand:
    """A deal of a match, possibly after others."""
    parameters, readings, variables = drawn_match(program, rng.getrandbits)
    hand = first(program, parameters, readings, variables, Chance(rng.getrandbits(30)))
    for _ in range(rng.randint(0, EARLIER)):
        end = _played_out(program, hand, rng)
        if not end.hand_over or end.match_over:
            return hand
        after = between(end)
        if after.fault is not None or after.match_over:
            return hand
        carried_over = carried(after.variables, program)
        hand = replace(hand, carried=carried_over, chance=Chance(rng.getrandbits(30)))
    return hand


def _played_out(program: c.Program, hand: Hand, rng: Random) -> State:
    state = hand.begun(program)
    while state.decision is not None:
        state = apply(state, pick(state.decision, rng))
    return state


def _stopped(ruleset: Ruleset, coverage: Coverage, rng: Random) -> Vector | None:
    """One of a deal's stops."""
    stops = [x for x in coverage.candidates if x.refused is None]
    refused = [x for x in coverage.candidates if x.refused is not None]
    kind = rng.random()
    if kind < TO_THE_END:
        candidate = stops[-1]
    else:
        candidate = rng.choice(refused if refused and kind > 1 - REFUSED else stops)
    vector = written(ruleset, candidate.hand, candidate.refused)
    if vector is None:
        return None
    goals = coverage.goals_of(candidate.reaches)
    rules = dict.fromkeys(f"rule {goal.rule}" for goal in goals if goal.part == RULE)
    shown = dict.fromkeys(goal.described for goal in goals if goal.span is None or goal.part == "refusal")
    return {"covers": [*rules, *shown], **vector}
