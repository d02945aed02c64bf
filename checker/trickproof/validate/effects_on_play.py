"""The effect of a house rule on play: matches of it and of its base with the same cards, for each policy.

Both sides play the same matches, as many as the base completes within the requested deals; if that is none,
or if the numbers of players differ, each is played separately and the note says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import inf, isfinite, nan, sqrt

from trickproof.english.inflection import counted
from trickproof.simulate.ir.calling_convention import LLVM, POLICIES, PYTHON, BeyondError, searches
from trickproof.simulate.options import policies, same_policies
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.runtime.scheduler import Request
from trickproof.simulate.simulation import NothingToCompareError, Simulation, executor_of, paired
from trickproof.simulate.statistics.estimates import Counts
from trickproof.simulate.statistics.outcome import LENGTH, Outcome
from trickproof.support.confidence_intervals import Estimate
from trickproof.validate.kept_effects import Played, kept_play
from trickproof_dsl.library import Ruleset

HANDS = {LLVM: 20_000, PYTHON: 1_000}
"""Default number of deals of the base, compiled and in plain Python."""

SEARCHED = 800
"""Default number of deals for a policy that searches."""

MOST = 2_000
"""Most deals after which a match is abandoned: a house rule may make matches very long, or endless."""

LONGER, FEWEST = 5, 200
"""How many times as many deals as of the base are played of a house rule, and the fewest after which a match is abandoned."""

SEARCHING = "search:50"
"""The default policy that searches."""

NONE = "none"
"""Given instead of policies to play nothing."""


FEW = 10
"""Number of matches that must end on both sides for win rates and deals per match to be reported."""

RARE = 100
"""Number of completed matches for each that may be given up for figures per match to be reported."""

UNKNOWN = Estimate(nan, -inf, inf)
"""The difference when one side has no figure."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure for both sides and house − base; `seat` is clockwise from the dealer, None for the table."""

    name: str
    seat: int | None
    base: Estimate
    house: Estimate
    difference: Estimate


BY_SEAT: tuple[tuple[str, str, Callable[[Counts, int], Estimate]], ...] = (
    ("tricks", "tricks", Counts.tricks),
    ("over", "over", Counts.over),
    ("met", "target-met", Counts.met),
    ("scored", "score", Counts.scored),
    ("paid", "payout", Counts.paid),
)
"""The measures of a seat: their names where they are counted and here, and their figures."""

PER_MATCH = ("deals-per-match", "matches-won")
"""Measures that require completed matches."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The results for one policy: deals and matches of the house rule, figures, and their limits."""

    policy: str
    seed: int
    base: Outcome | None
    house: Outcome | None
    measures: tuple[Measure, ...] = ()
    note: str | None = None

    @property
    def telling(self) -> list[Measure]:
        """The measures with enough data to be meaningful."""
        sides = [x for x in (self.base, self.house) if x is not None]
        enough = all(x.counts.matches >= FEW and _ends(x.counts) for x in sides)
        return [
            x
            for x in self.measures
            if isfinite(x.difference.high - x.difference.low) and (enough or x.name not in PER_MATCH)
        ]


def chosen_policies(text: str | None, players: Iterable[int] = ()) -> tuple[str, ...]:
    """Parse `random,greedy` or `none`; by default all policies, without search in plain Python. Raises ChoiceError.

    `dealer=greedy,left=random` names policies by seats of games with so many players, up to a seat that is named again.
    """
    if text is None:
        return (*POLICIES, SEARCHING) if best_backend() == LLVM else tuple(POLICIES)
    if text.strip() == NONE:
        return ()
    names: list[str] = []
    for part in text.split(","):
        seat, named, _ = part.partition("=")
        if named and names and "=" in names[-1] and f"{seat.strip()}=" not in names[-1]:
            names[-1] += f",{part.strip()}"
        else:
            names.append(part.strip())
    for name, number in product(names, players):
        policies(name, number)
    return tuple(dict.fromkeys(names))


def effects(
    base: Ruleset,
    house: Ruleset,
    policy: str = "random",
    hands: int | None = None,
    seed: int = 0,
    workers: int = 1,
    kept: bool = False,
    tell: Callable[[str, int, int], None] | None = None,
) -> Effects:
    """Play both under one policy, unless an earlier run did and it is `kept`; a policy that searches uses up to `workers` processes."""
    by_seat = policies(policy, base.program.players)
    policy = same_policies(policy, base.program.players)
    if len(by_seat) > 1 and base.program.players != house.program.players:
        return Effects(policy, seed, None, None, (), "not played: the number of players differs")
    if hands is None:
        hands = SEARCHED if searches(by_seat) else HANDS[best_backend()]
    request = Request(by_seat, seed, hands, most=min(MOST, max(FEWEST, hands // LONGER)))
    try:
        play = partial(_played, base, house, request, workers, tell)
        played = kept_play(base, house, request, play) if kept else play()
    except BeyondError as why:
        return Effects(policy, seed, None, None, (), f"cannot be simulated: {why.message}")
    sides = played.base, played.house
    rows = tuple(_measures(*sides, dict(played.differences)))
    return Effects(
        policy,
        seed,
        *sides,
        rows,
        _note(sides, request.most, played.unpaired or ""),
    )


def _played(
    base: Ruleset,
    house: Ruleset,
    request: Request,
    workers: int,
    tell: Callable[[str, int, int], None] | None,
) -> Played:
    executor = executor_of(workers if searches(request.policies) else 1)
    try:
        both = paired(base, house, request, executor, tell=tell, limit=LONGER * (request.hands or 0))
        return Played(both.a, both.b, both.differences)
    except NothingToCompareError as why:
        sides = [Simulation(ruleset, request).play(executor) for ruleset in (base, house)]
        return Played(sides[0], sides[1], {}, f"not paired: {why}")
    finally:
        executor.close()


def parting(shown: Sequence[Effects]) -> list[Measure]:
    """Measures on which two policies disagree: the intervals of the differences are disjoint, also as some of many."""
    by_key: dict[tuple[str, int | None], list[tuple[Measure, Estimate]]] = {}
    for one in shown:
        for measure in one.telling:
            if measure.difference.low == measure.difference.high:
                continue  # not once different in these deals, which says little of how seldom it is
            sure = measure.difference.among(len(one.telling))
            by_key.setdefault((measure.name, measure.seat), []).append((measure, sure))
    return [
        each[0][0]
        for each in by_key.values()
        if max(sure.low for _, sure in each) > min(sure.high for _, sure in each)
    ]


def _abandoned(counts: Counts) -> int:
    """Number of matches given up because they were too long."""
    return counts.unfinished - counts.broken


def _ends(counts: Counts) -> bool:
    """Whether so few matches were given up, or failed, that the others stand for all."""
    return counts.unfinished * RARE <= counts.matches


def _note(sides: Sequence[Outcome], most: int, first: str = "") -> str | None:
    """Caveats about the figures; `most`: the number of deals after which a match is abandoned."""
    notes = [first] if first else []
    ended = min(outcome.counts.matches for outcome in sides)
    if 0 < ended < FEW and all(_ends(outcome.counts) for outcome in sides):
        notes.append(
            f"too few matches ended ({', '.join(f'{x.counts.matches:,}' for x in sides)}) for figures per match"
        )
    none = {0 if x.counts.matches else x.counts.hands for x in sides}
    if len(none) == 1 and (played := max(none)):
        notes.append(f"no match ended in {counted(played, 'deal')}, under the base or the house rule")
    for outcome, named in zip(sides, ("the base", "the house rule"), strict=True):
        counts = outcome.counts
        if outcome.broken:
            missing = ", so there are no figures per match" if counts.matches and not _ends(counts) else ""
            notes.append(
                f"{named} failed at run time in {outcome.broken:,} of {outcome.hands:,} deals{missing}"
            )
        if not counts.matches and counts.hands and len(none) > 1:
            notes.append(f"no match of {named} ended in {counted(counts.hands, 'deal')}")
        if shared := sum(counts.winners()[2:]):
            matches = counted(counts.matches, "match", "matches")
            notes.append(f"several players shared the win in {shared:,} of {matches} of {named}")
        if counts.matches and _abandoned(counts) > 0:
            begun = counts.matches + _abandoned(counts)
            missing = "" if _ends(counts) else ", so there are no figures per match"
            notes.append(
                f"{_abandoned(counts):,} of {counted(begun, 'match', 'matches')} of {named} were given up "
                f"after {most:,} deals{missing}"
            )
    return "; ".join(notes) or None


def _measures(base: Outcome, house: Outcome, paired_by: dict[str, Estimate]) -> Iterator[Measure]:
    """By seat tricks, tricks over the target, targets met, score and payout; cards given, deals per match, matches won."""
    one, other = base.counts, house.counts
    seats = range(min(one.plan.players, other.plan.players))
    for kind, name, of in BY_SEAT:
        for seat in seats:
            key = f"{kind}.{seat}"
            if key in one.plan.measures and key in other.plan.measures:
                yield _measure(name, seat, [of(counts, seat) for counts in (one, other)], paired_by.get(key))
    if "given" in one.plan.measures and "given" in other.plan.measures:
        yield _measure("cards-given", None, [one.given(), other.given()], paired_by.get("given"))
    lengths = [counts.match_length().mean for counts in (one, other)]
    ended = one.matches and other.matches
    yield _measure("deals-per-match", None, lengths, paired_by.get(LENGTH) if ended else UNKNOWN)
    for seat, won in enumerate(zip(one.wins_by_start(), other.wins_by_start(), strict=False)):
        yield _measure("matches-won", seat, won, None)


def _measure(name: str, seat: int | None, pair: Sequence[Estimate], difference: Estimate | None) -> Measure:
    base, house = pair
    return Measure(name, seat, base, house, difference or _independent(base, house))


def _independent(base: Estimate, house: Estimate) -> Estimate:
    """House − base for independent estimates (Newcombe 1998, method 10); wider than a paired interval."""
    change = house.mean - base.mean
    low = change - sqrt((house.mean - house.low) ** 2 + (base.high - base.mean) ** 2)
    high = change + sqrt((house.high - house.mean) ** 2 + (base.mean - base.low) ** 2)
    return Estimate(change, low, high)
