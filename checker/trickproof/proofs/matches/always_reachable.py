"""Whether some play ends the match from every score, that is, for all carried values that an inductive invariant allows.

"Some play" is narrowed to a finite set of plans: first, one player taking every trick of this and the
following deals, then plans found for single states that remain, then two players one after the other. Whether one of several plans works is a
quantifier-free query. States for which no plan is found are searched for in matches that can happen, and an
invariant of their own (`horn_clauses.py`) shows that no play from them ends the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from trickproof.checking.verdict import DisagreementError
from trickproof.proofs import kernel
from trickproof.proofs.hands.carried_bounds import Limit
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.matches.strategies import (
    Attempt,
    Just,
    Plan,
    Playable,
    Turn,
    Used,
    divisions_seen,
    repeated,
    standing_for_all,
    sweep,
    works,
)
from trickproof.proofs.matches.termination import surely
from trickproof.proofs.model_checking.bounded_model_checking import HANDS, Trace, concrete, search, ways
from trickproof.proofs.model_checking.horn_clauses import can_end
from trickproof.proofs.model_checking.induction import Region, balanced, prove
from trickproof.proofs.model_checking.inductive_invariants import region_with_limits, region_with_numbers
from trickproof.proofs.model_checking.ranking_function import Ranking, ranking
from trickproof.proofs.model_checking.transition_system import cone
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import PATIENCE, Answer, recorded_once
from trickproof.proofs.smt.symbolic_values import Bool, Symbol
from trickproof.proofs.symbolic.hand_summary import Hand, PlayOutcome, Settlement, transitions
from trickproof_dsl.semantics.values import Key, carried

DEPTH = 8
"""Maximum number of deals in a plan where one player takes every trick."""

ROUNDS = 24
"""Maximum number of single states for which a dedicated plan is made; `MORE_ROUNDS` is the limit for states that matches reach."""
MORE_ROUNDS = 60

NO_CARDS = "not every division of the tricks was dealt and played from every state in which a deal can begin"

TOO_MUCH = "the proof exceeds the work limit"


@dataclass(frozen=True, slots=True)
class Within:
    """From every score some play ends the match within `hands` deals, whether or not values `carried` from deal to deal matter to it."""

    hands: int
    carried: bool
    theorem: Theorem


@dataclass(frozen=True, slots=True)
class Eventually:
    """From every score `player` ends the match by taking every trick for as long as necessary, as `why` shows."""

    why: Ranking
    player: int
    theorem: Theorem


@dataclass(frozen=True, slots=True)
class Dead:
    """A match after which no play can end it."""

    way: Trace
    theorem: Theorem


@dataclass(frozen=True, slots=True)
class Never:
    """No play ends a match, from its very start; `way` is a match that continues, if there is one."""

    way: Trace | None
    theorem: Theorem


@dataclass(frozen=True, slots=True)
class Open:
    """Not shown: nothing found in the first `hands` deals or, if `hands` is 0, given up for the reason `why`."""

    hands: int
    why: str = ""


def always_reachable(settlement: Settlement) -> Within | Eventually | Dead | Never | Open:
    """The answer for one choice of parameters and readings."""
    return recorded_once(settlement.subject, _always_reachable, settlement)


def _always_reachable(settlement: Settlement) -> Within | Eventually | Dead | Never | Open:
    never = prove(settlement, _ends).theorem
    if never is not None:
        return _never(settlement, never)
    playable = Playable(settlement)
    plans: list[Plan] = []
    for region, depth, rounds in ((balanced, 2, 0), (region_with_limits, DEPTH, ROUNDS)):
        proved = _proved(settlement, region(settlement), plans, playable, depth, rounds)
        if proved is not None:
            return proved
    if surely(settlement) is not None:  # so that there is no dead end to search for
        return Open(0, TOO_MUCH)
    answer = Open(0, TOO_MUCH) if playable.enough else _dead(settlement, plans, playable)
    if not isinstance(answer, Open):
        return answer
    never = can_end(settlement).never
    if never is not None:
        return _never(settlement, never)
    return _by_one(settlement, playable) or _by_two(settlement) or answer


def _by_one(settlement: Settlement, playable: Playable) -> Within | Eventually | None:
    """Whether one player ends the match from every score, by taking every trick of as many deals as it takes."""
    region = region_with_numbers(settlement)
    for player in range(settlement.program.players) if settlement.sizes or settlement.few else ():
        swept = sweep(player, settlement.program.players)
        why = ranking(settlement, swept)
        used = {(who, tuple(map(swept, settlement.sizes_of(who))), False) for who in settlement.dealers}
        played = None if why is None else playable.shown(used)
        if why is not None and played is not None:
            claim = "one player ends the match by taking every trick"
            hands = _most_deals(why, region)
            if hands is None:
                return Eventually(why, player, kernel.realised(claim, why.theorem, played))
            return Within(hands, True, kernel.realised(claim, why.theorem, played, region.theorems))
    return None


def _most_deals(why: Ranking, region: Region) -> int | None:
    """After how many deals the number is at its bound from everywhere in the region; None if it may be any number there."""
    operator, sign = ("<=", -1) if why.falls else (">=", 1)
    limits = [x for x in region.limits if isinstance(x, Limit) and x.operator == operator]
    beginning = {x.key: x.value for x in reversed(limits)}  # the first of a number is the closest
    if not beginning.keys() >= set(why.keys):
        return None
    least = sum(beginning[key] for key in why.keys)
    return (max(0, sign * (why.bound - least)) // why.step + 1) * why.rounds


def _by_two(settlement: Settlement) -> Within | None:
    """Whether two players end it from every score, one taking every trick of the first deals, then the other.

    Also with plans for single states, of the region that the numbers in the rules suggest.
    """
    players = settlement.program.players
    each = [(Turn(sweep(player, players)),) * (DEPTH // 2) for player in range(players)]
    plans = [one + other for one, other in permutations(each, 2)]
    return _proved(settlement, region_with_numbers(settlement), plans, Playable(settlement), DEPTH, ROUNDS)


def _never(settlement: Settlement, separated: Theorem) -> Never:
    way = next(search(settlement, _goes_on, 1))
    theorem = kernel.closed("no play ends a match", separated)
    return Never(way if isinstance(way, Trace) else None, theorem)


def _ends(hand: Hand) -> Bool:
    return hand.ended


def _goes_on(hand: Hand) -> Bool:
    return y.conj(y.neg(hand.ended), y.neg(hand.broken))


def _sweeps(settlement: Settlement, hands: int) -> list[Plan]:
    """Plans of one division: a player takes every trick or, if nothing is known of how many there are, what was seen in play."""
    players = settlement.program.players
    every = [sweep(player, players) for player in range(players)]
    seen = [Just(x) for x in divisions_seen(settlement)] if settlement.outcome is PlayOutcome.UNKNOWN else []
    return [(Turn(division),) * hands for division in seen or every]


# -------------------------------------------------------------------------------------------------- all scores


def _proved(
    settlement: Settlement, region: Region, plans: list[Plan], playable: Playable, depth: int, rounds: int
) -> Within | None:
    """Whether plans suffice; up to `rounds` plans for single states are added to `plans`."""
    covered: list[_Covered] = []
    someone = standing_for_all(settlement)
    for dealer in settlement.dealers if someone is None else [someone[0]]:
        needed = _for_dealer(settlement, dealer, region, plans, playable, depth, rounds)
        if needed is None:
            return None
        covered.append(needed)
    played = playable.shown({used for one in covered for used in one.used})
    if played is None:
        return None
    carried = any(key != ("dealer",) for key in cone(settlement, transitions(settlement)))
    cases = [(one.possible, one.theorem) for one in covered]
    seats = None if someone is None else someone[1]
    suffice = kernel.every_deal(
        "one of the plans ends the match", len(settlement.dealers), cases, region.theorems, seats
    )
    theorem = kernel.realised("from every score some play ends the match", suffice, played)
    return Within(max(one.hands for one in covered), carried, theorem)


@dataclass(frozen=True, slots=True)
class _Covered:
    """Plans of at most `hands` deals suffice for one dealer, as the theorems and the divisions `used` show."""

    hands: int
    possible: Theorem
    theorem: Theorem
    used: frozenset[Used]


def _for_dealer(
    settlement: Settlement,
    dealer: int | None,
    region: Region,
    plans: list[Plan],
    playable: Playable,
    depth: int,
    rounds: int,
) -> _Covered | None:
    """The plans that cover every state with this dealer; None if no sufficient plans were found."""
    attempt = None
    for hands in range(1, depth + 1):
        cut = [plan[:hands] for plan in plans]
        answer = _attempt(settlement, dealer, region, [*_sweeps(settlement, hands), *cut], playable)
        if isinstance(answer, _Covered):
            return answer
        attempt = answer
        if attempt.questions.exhausted or playable.enough:  # more deals are only harder
            return None
    assert attempt is not None
    for _ in range(rounds):
        if playable.enough or attempt.left() is not Answer.YES or (state := attempt.state()) is None:
            break
        way = next(search(settlement, _ends, HANDS, state))
        if not isinstance(way, Trace) or repeated(way) in plans:
            return None
        plans.append(repeated(way))
        attempt.try_(plans[-1], playable)
    if attempt.left() is not Answer.NO:
        return None
    for hands in range(1, max(depth, *(len(plan) for plan in plans)) + 1):
        cut = [*_sweeps(settlement, hands), *(plan[:hands] for plan in plans)]
        answer = _attempt(settlement, dealer, region, cut, playable)
        if isinstance(answer, _Covered):
            return answer
    return None


def _attempt(
    settlement: Settlement, dealer: int | None, region: Region, plans: Sequence[Plan], playable: Playable
) -> Attempt | _Covered:
    """What shows that playable plans suffice; otherwise the attempt, with the states that remain."""
    while True:
        attempt = Attempt(settlement, dealer, region)
        left, possible = attempt.left(), attempt.questions.theorem
        if left is Answer.NO:
            raise DisagreementError(
                f"{settlement.subject.ruleset.id}: the assumptions of a proof contradict each other"
            )
        suffices = None
        for plan in plans:
            attempt.try_(plan, playable)
            if attempt.left() is Answer.NO:
                suffices = attempt.questions.theorem
                break
            if attempt.questions.exhausted or playable.enough:  # with more plans it is only harder
                return attempt
        if suffices is None or possible is None:
            return attempt
        if playable.all(attempt.used):
            return _Covered(max(map(len, plans)), possible, suffices, frozenset(attempt.used))


# ---------------------------------------------------------------------------------------------------- dead ends


def _dead(settlement: Settlement, plans: list[Plan], playable: Playable) -> Dead | Open:
    """A match that has reached a state from which no play ends it."""
    search_ = _Search(settlement, [*_sweeps(settlement, DEPTH // 2), *plans], playable)
    for hand in settlement.match():
        dead_end = search_.after(hand)
        if dead_end is not None:
            return dead_end
        if len(search_.hands) == HANDS:
            break
    if not playable.all(search_.used):
        return Open(0, NO_CARDS)
    return Open(HANDS)


class _Search:
    """Matches unrolled deal by deal, looking for states from which no plan works."""

    def __init__(self, settlement: Settlement, plans: list[Plan], playable: Playable) -> None:
        self.settlement, self.plans, self.playable = settlement, plans, playable
        self.hands: list[Hand] = []
        self.used: set[Used] = set()
        self.questions, self.rounds = settlement.solver(PATIENCE), 0

    def after(self, hand: Hand) -> Dead | Open | None:
        """Add one deal; the answer, if it leads to a state from which no plan works."""
        self.hands.append(hand)
        following, interrupted = self.settlement.following(hand)
        self.questions.add(*hand.facts, y.neg(hand.ended), y.neg(hand.broken), y.neg(interrupted))
        with self.questions.supposing():
            for plan in self.plans:
                self._fails(following, plan)
            while (answer := self.questions.possible()) is Answer.YES:
                if self.playable.enough:
                    return Open(0, TOO_MUCH)
                out = self._way_out(following)
                if not isinstance(out, Trace):
                    return out
                self.rounds += 1
                if self.rounds > MORE_ROUNDS:
                    some = f"more than {MORE_ROUNDS} scores would each need a proof of their own that the match can end"
                    return Open(0, some if all(self.playable.known.values()) else NO_CARDS)
                self.plans.append(repeated(out))
                self._fails(following, self.plans[-1])
        return Open(0, f"the solver gave up at deal {len(self.hands)}") if answer is Answer.GAVE_UP else None

    def _fails(self, following: dict[Key, Symbol], plan: Plan) -> None:
        used, facts = set[Used](), list[Bool]()
        good = works(self.settlement, following, plan, f"plan{len(self.hands)}", used, facts)
        if not any(self.playable.without_cards(x) for x in used):
            self.used |= used
            self.questions.add(*facts, y.neg(good))

    def _way_out(self, following: dict[Key, Symbol]) -> Trace | Dead | Open:
        """A plan that works from a remaining state; for the first state without one, proof that there is none."""
        if not self.questions.model():
            return Open(0, f"the solver gave up at deal {len(self.hands)}")
        out = next(search(self.settlement, _ends, HANDS, concrete(self.questions, following)))
        if isinstance(out, Trace):
            return out
        way = next(ways(self.settlement, self.questions, self.hands), None)
        if way is None:
            return Open(0, f"the solver gave up at deal {len(self.hands)}")
        state = way.following
        out = next(search(self.settlement, _ends, HANDS, state))
        if isinstance(out, Trace):
            return out
        never = can_end(self.settlement, state).never
        if never is not None:
            lost = replace(way, leads_to=carried(self.settlement.program, state))
            return Dead(lost, kernel.closed("no play ends a match from there", never))
        return Open(0, f"no end was found in {out.hands} deals from a score reached in {way.hands}")
