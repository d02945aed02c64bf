"""Plans that end a match: how many tricks each player takes in this and the following deals, and whether that works.

A plan works from some carried values if its deals, one after another, end the match. It may fix decisions
before the play, which must then be legal; whatever it leaves open is resolved against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from trickproof.analysis.seats import seats_alike
from trickproof.analysis.usage import usage_of
from trickproof.checking.played_hand import first_hand
from trickproof.proofs import kernel
from trickproof.proofs.hands.beginnings import Beginning, cover
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.model_checking.bounded_model_checking import Trace, concrete
from trickproof.proofs.model_checking.induction import Region
from trickproof.proofs.model_checking.ranking_function import Division
from trickproof.proofs.model_checking.transition_system import known
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import PATIENCE, Answer, spent
from trickproof.proofs.smt.symbolic_values import Bool, Int, Symbol, constants
from trickproof.proofs.symbolic.hand_summary import Hand, Settlement
from trickproof.testing.deal_search import Aim, constructed_from_all
from trickproof.testing.random_play import ended_early, pick
from trickproof.testing.subject import MOST_COMBINATIONS, Subject, seat
from trickproof_dsl import core as c
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import Key, Value, as_number

SHOWN = "every division of the tricks that the proof uses was dealt and played, from every state in which a deal can begin"
"""What plans depend on."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One deal of a plan; empty `choices` leave the decisions open."""

    division: Division
    choices: tuple[int, ...] = ()


Plan = tuple[Turn, ...]

Used = tuple[int | None, tuple[tuple[int, ...], ...], bool]
"""A division that a plan uses: dealer, tricks of each player, and whether dealing and playing cards cannot show all it needs.

The dealer is None if unknown or if nobody deals.  If the plan works however many tricks the deal has, there are
several divisions, one of which is needed.
"""


def sweep(player: int, players: int) -> Division:
    """The division in which one player takes every trick."""
    return partial(_all_to, player, players)


def repeated(way: Trace) -> Plan:
    """The plan with the tricks and decisions of a match that was found."""
    return tuple(Turn(Just(t), c) for t, c in zip(way.tricks, way.choices, strict=True))


def _all_to(player: int, players: int, size: Int) -> tuple[Int, ...]:
    return tuple(size if p == player else 0 for p in range(players))


@dataclass(frozen=True, slots=True)
class Just:
    """A constant division."""

    tricks: tuple[int, ...]

    def __call__(self, _: Int) -> tuple[Int, ...]:
        return self.tricks


SEEN, DEALS = 8, 64
"""Maximum number of divisions that are taken from play, the most frequent ones, and number of deals played for them."""


def divisions_seen(settlement: Settlement) -> list[tuple[int, ...]]:
    """Divisions of the tricks in deals played at random, turned to the dealer who stands for all if there is one."""
    return settlement.subject.once(
        (divisions_seen, *map(str, (settlement.parameters, settlement.readings))),
        lambda: _divisions_seen(settlement),
    )


def _divisions_seen(settlement: Settlement) -> list[tuple[int, ...]]:
    program, someone = settlement.program, standing_for_all(settlement)
    given = program.defaults | settlement.parameters
    seen = Counter[tuple[int, ...]]()
    for seed in range(DEALS):
        rng = Random(seed)
        try:
            hand = first_hand(program, Chance(seed), given, settlement.readings)
            while (decision := hand.state.decision) is not None:
                hand = hand.choose(pick(decision, rng))
        except EngineLimitError:
            continue
        if hand.state.fault is None:
            tricks = [as_number(hand.state.variable("tricks", p)) for p in range(program.players)]
            turn = 0 if someone is None else as_number(hand.begin.variables["dealer",]) - someone[0]
            seen[tuple(tricks[(p + turn) % len(tricks)] for p in range(len(tricks)))] += 1
    return [division for division, _ in sorted(seen.items(), key=lambda x: (-x[1], x[0]))[:SEEN]]


MOST_SPENT = 3_000_000
"""z3's resource limit for one search for plans; the documented rulesets need less than a hundredth of it."""


@dataclass
class Playable:
    """The divisions of the tricks for which deals and plays were found, by dealer, and those for which none were.

    Lives for one search for plans, and knows when that has used up its resources.
    """

    settlement: Settlement
    known: dict[Used, bool] = field(default_factory=dict)
    began: int = field(default_factory=spent)

    @property
    def enough(self) -> bool:
        """Whether the search has exceeded its resource limit."""
        return spent() - self.began > MOST_SPENT

    def without_cards(self, used: Used) -> bool:
        """Whether cards were searched for without success."""
        return not self.known.get(used, True)

    def all(self, divisions: set[Used]) -> bool:
        """Whether there are cards for all of these; results are memoised."""
        for used in sorted(divisions, key=str):
            if used not in self.known:
                self.known[used] = self._make(*used)
        return all(self.known[used] for used in divisions)

    def shown(self, divisions: set[Used]) -> Theorem | None:
        """The theorem that each of these was dealt and played; None if one was not."""
        listed = sorted(divisions, key=str)
        if not self.all(divisions):
            return None
        return kernel.enumeration(SHOWN, listed, [(used, self.known[used]) for used in listed])

    def _make(self, dealer: int | None, divisions: tuple[tuple[int, ...], ...], unshown: bool) -> bool:
        """Whether deals and legal choices lead to one of these divisions from everything that a deal by this dealer can begin with.

        Covers all values from earlier deals that are read up to the end of the play, under all parameters and
        readings, except initial states from which the division is excluded. If the seats are alike, the
        initial states are those after deals by one dealer, and the division is rotated to the actual dealer.
        """
        settlement, subject = self.settlement, self.settlement.subject
        cases = cover(subject, names_carried_in(settlement), settlement.outcome)
        ways = subject.readings(usage_of(settlement.before).readings - settlement.readings.keys())
        if unshown or not cases or len(ways) == MOST_COMBINATIONS:
            return False
        read = usage_of(settlement.before)
        parameters = {name: x for name, x in settlement.parameters.items() if name in read.parameters}
        readings = {rule: x for rule, x in settlement.readings.items() if rule in read.readings}
        taken = tuple(sorted(parameters.items())), tuple(sorted(readings.items()))
        every = [{**readings, **way} for way in ways]
        wanted = [
            (who, [case for case in of_dealer if not self._excluded(case, ways)], ways)
            for who, of_dealer, ways in _wanted(settlement.program, cases, dealer, divisions)
        ]
        return bool(wanted) and all(
            subject.once(
                (constructed_from_all, taken, who, ways),
                partial(_from_all, subject, parameters, every, beginnings, ways),
            )
            for who, beginnings, ways in wanted
        )

    def _excluded(self, begun: Beginning, divisions: Sequence[tuple[int, ...]]) -> bool:
        """Whether it is proved that the tricks are never divided so from an initial state; no plan relies on it there."""
        program, courses = self.settlement.program, self.settlement.courses
        each = () if courses is None else courses.each
        return all(any(course.excludes(program, begun, x) for course in each) for x in divisions)


def _wanted(
    program: c.Program, cases: Sequence[Beginning], dealer: int | None, divisions: tuple[tuple[int, ...], ...]
) -> Iterator[tuple[Value, Sequence[Beginning], tuple[tuple[int, ...], ...]]]:
    """The initial states of a deal by dealer, with the divisions of which one is to be found; none if the dealer is unknown."""
    dealers = sorted({case.get(("dealer",)) for case in cases}, key=str)
    alike = seat(program) and seats_alike(program)
    if alike and not all(isinstance(who, int) for who in dealers):
        return
    for who in dealers:
        beginnings = [case for case in cases if case.get(("dealer",)) == who]
        if not alike:
            if dealer is None or who == dealer:
                yield who, beginnings, divisions
            continue
        assert isinstance(who, int)
        for turn in range(program.players) if dealer is None else [who - dealer]:
            yield (
                who,
                beginnings,
                tuple(tuple(x[(p - turn) % len(x)] for p in range(len(x))) for x in divisions),
            )


def _from_all(
    subject: Subject,
    parameters: Mapping[str, int],
    ways: Sequence[Mapping[str, int]],
    cases: Sequence[Beginning],
    divisions: Sequence[tuple[int, ...]],
) -> bool:
    """Whether one of the divisions can be dealt and played from every initial state under all readings.

    The deal must reach its last step, or end the match, with whatever tricks.
    """
    whole = Aim(fits=lambda state: not ended_early(state), or_over=True)
    given = subject.program.defaults | dict(parameters)
    return constructed_from_all(subject.ruleset, given, ways, cases, divisions, whole)


def names_carried_in(settlement: Settlement) -> frozenset[str]:
    """What the steps up to the end of the play read from earlier deals, and the dealer."""
    variables = settlement.program.variables
    read = {name for name in usage_of(settlement.before).reads if variables[name].carried}
    return frozenset(read | ({"dealer"} if seat(settlement.program) else set()))


def standing_for_all(settlement: Settlement) -> tuple[int, Theorem] | None:
    """A dealer whose deals stand for all, if the seats are alike and the initial states can be listed."""
    seats = kernel.symmetry(settlement.program) if seat(settlement.program) else None
    if seats is None:
        return None
    cases = cover(settlement.subject, names_carried_in(settlement), settlement.outcome) or []
    dealers = {case[("dealer",)] for case in cases}
    dealer = next(iter(dealers), None)
    return (dealer, seats) if len(dealers) == 1 and isinstance(dealer, int) else None


class Attempt:
    """States of a region, with one dealer, from which none of the plans tried so far works."""

    def __init__(self, settlement: Settlement, dealer: int | None, region: Region) -> None:
        self.settlement = settlement
        self.begin, _, facts = settlement.unknown(dealer)
        self.questions, self.used, self.tried = settlement.solver(PATIENCE), set[Used](), 0
        self.questions.add(*facts, *region.holds(self.begin))

    def try_(self, plan: Plan, playable: Playable) -> None:
        """Rule out the states from which this plan works."""
        own, facts = set[Used](), list[Bool]()
        self.tried += 1
        good = works(self.settlement, self.begin, plan, f"plan{self.tried}", own, facts)
        if not any(playable.without_cards(used) for used in own):
            self.used |= own
            self.questions.add(*facts, y.neg(good))

    def left(self) -> Answer:
        """Whether any such state remains."""
        return self.questions.possible()

    def state(self) -> dict[Key, Value] | None:
        """One of the remaining states; None if the solver gave up."""
        return concrete(self.questions, self.begin) if self.questions.model() else None


def works(
    settlement: Settlement,
    begin: Mapping[Key, Symbol],
    plan: Sequence[Turn],
    tag: str,
    used: set[Used],
    facts: list[Bool],
) -> Bool:
    """When the plan ends the match; notes the divisions that it needs and the facts about its unknowns."""
    turn = plan[0]
    hand = settlement.hand(begin, f"{tag}.{len(plan)}", (), turn.division)
    said = _said(hand, turn)
    names = {str(unknown) for unknown, _ in said}
    allowed = [fact for fact in hand.domain if names & constants(fact).keys()] if names else []
    facts.extend(fact for fact in hand.domain if not names or not names & constants(fact).keys())
    dealer = begin.get(("dealer",)) if seat(settlement.program) else None
    dealt = dealer if isinstance(dealer, int) else None
    tricks = tuple(n for n in hand.tricks if isinstance(n, int))
    any_of = [tricks] if len(tricks) == len(hand.tricks) else map(turn.division, settlement.few)
    divisions = tuple(tuple(n for n in x if isinstance(n, int)) for x in any_of)
    used.add((dealt, divisions, bool(said) or not divisions))
    later: Bool = False
    if len(plan) > 1 and hand.ended is not True:
        following, interrupted = settlement.following(hand)
        later = y.conj(y.neg(interrupted), works(settlement, following, plan[1:], tag, used, facts))
    good = y.conj(*allowed, y.neg(hand.unplayed), y.neg(hand.broken), y.disj(hand.ended, later))
    return known(good, said)


def _said(hand: Hand, turn: Turn) -> list[tuple[Int, int]]:
    """The unknowns of the decisions that the plan fixes, with their values."""
    if len(turn.choices) != len(hand.choices):
        return []
    return [
        (next(iter(constants(x).values())), n - 1) for x, n in zip(hand.choices, turn.choices, strict=True)
    ]
