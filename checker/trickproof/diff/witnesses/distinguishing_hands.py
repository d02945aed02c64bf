"""The smallest deal in which two rulesets diverge because of one rule.

The grafted pair, which differs only in this rule, is played step by step side by side to find where it
diverges; the scenario is then played under the two rulesets themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from random import Random

from trickproof.checking.engines import COMPILED, State, run
from trickproof.checking.played_hand import HandPlayed, first_hand, following_hand
from trickproof.diff.witnesses.division import Division
from trickproof.diff.witnesses.paired_replay import same_chance, told_alike
from trickproof.diff.witnesses.parting import Known, Pair, Parting, Taken, carried, shown
from trickproof.diff.witnesses.pre_play import Case
from trickproof.proofs.hands.initial_states import moved_key
from trickproof.proofs.hands.verdicts import beginnings, from_all_seats
from trickproof.proofs.matches.reaching import matches_to
from trickproof.testing.deal_search import Aim, construct
from trickproof.testing.edge_cases import CornerMatch, Course, redealt
from trickproof.testing.match_search import Chosen, fits, leading_to, played_again, sensible
from trickproof.testing.named_cards import LongSuitMatch, Named, NamedCardsMatch, named_cards
from trickproof.testing.random_play import Terms, pick
from trickproof.testing.witness import MOST_DEALS, cards_may_be_given
from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import Value

DEALS = 3
"""Deals tried first per case, each with the first legal choices and with random ones."""

CONFIRMING = 40
"""Deals tried if the first ones show nothing."""

MOST_TRIES = 500
"""Maximum number of deals tried to confirm a difference: for one case, and (roughly) for all."""

MATCHES = 2
"""Number of matches leading to a deal that are searched for one that shows the difference."""

PLAYED, LONG, SENSIBLE, WHOLE = 8, 12, 2, 32
"""Number of random matches, and the maximum number of deals in each; of matches of sensible players, to their ends; and of random ones to their ends."""

NAMED, CORNERS, LONG_SUITS, FEW = 96, 32, 64, 2
"""Number of deals tried with named cards together, with suits in order, and with one long suit; and of initial states for each."""

ENOUGH = 3
"""Number of deals with an earlier divergence after which the search stops."""


def in_exchange(pair: Pair, cases: Iterable[tuple[Known, Taken, Taken]]) -> Parting | None:
    """The first deal in which they diverge before play, given initial states, parameters and readings."""
    known: list[_Reached] = []
    found = _first(pair, _tries(pair, _noted(_reached(pair, cases), known), range(DEALS)))
    return found or _first(pair, _tries(pair, known, range(DEALS, CONFIRMING)))


def _noted(some: Iterable[_Reached], known: list[_Reached]) -> Iterator[_Reached]:
    for reached in some:
        known.append(reached)
        yield reached


def _tries(pair: Pair, some: Iterable[_Reached], deals: Iterable[int]) -> Iterator[Parting | None]:
    """Deals after some matches, each with the first legal choices and with random ones."""
    numbers = list(deals)
    for reached in some:
        for deal in numbers:
            for seed in (0, deal + 1):
                yield _side_by_side(pair, reached, deal, _at_random(seed), whole=False)


def confirmed_cases(pair: Pair, cases: Sequence[Case]) -> list[Case]:
    """The cases in which the grafted pair is observed to diverge before play in some deal."""
    open_cases = [case for case in cases if not case.certain]
    tries = 0
    for deal in range(CONFIRMING):
        if tries > MOST_TRIES:
            break
        tries += len(open_cases)
        open_cases = [
            case
            for case in open_cases
            if _alongside(pair, case.begin, case.parameters, case.readings, deal, deal + 1, whole=False)
            is None
        ]
    return [case for case in cases if case not in open_cases]


def soon_confirmed(pair: Pair, case: Case, among: int) -> bool:
    """Whether one of the first deals shows that `confirmed_cases` has this case, whatever others there are `among` so many."""
    deals = range(min(CONFIRMING, MOST_TRIES // among + 1))
    begun = case.begin, case.parameters, case.readings
    return case.certain or any(_alongside(pair, *begun, deal, deal + 1, whole=False) for deal in deals)


def soon_in_exchange(pair: Pair, case: Case, later: bool = False) -> Parting | None:
    """One of the first deals that `in_exchange` may come to, if this is one of its cases; or one of the `later` ones."""
    reached = _reached(pair, [(case.begin, case.parameters, case.readings)])
    deals = range(DEALS, CONFIRMING) if later else range(DEALS)
    return next(filter(None, _tries(pair, reached, deals)), None)


def soon_in_play(pair: Pair, case: Case) -> Parting | None:
    """The deal that `in_play` comes to first, if it begins with this case."""
    reached = next(_reached(pair, [(case.begin, case.parameters, case.readings)]), None)
    return None if reached is None else _side_by_side(pair, reached, 0, _at_random(0), whole=True)


def in_play(pair: Pair, cases: Iterable[tuple[Known, Taken, Taken]], number: int) -> Parting | None:
    """The first of some deals, played at random to the end, in which they diverge."""
    some = list(_reached(pair, islice(cases, 4)))
    tries = (
        _side_by_side(pair, some[i % len(some)], i, _at_random(i), whole=True) for i in range(number) if some
    )
    return _first(pair, tries)


def differs_in_play(pair: Pair) -> bool:
    """Whether the grafted pair is observed to diverge in one of a few deals, whatever the rulesets themselves do."""
    return any(_alongside(pair, {}, {}, {}, n, n, whole=True) is not None for n in range(DEALS))


def in_matches(pair: Pair, parameters: Taken) -> Parting | None:
    """The first divergence in some matches, which may depend on values accumulated over earlier deals."""
    play = partial(_match_side_by_side, pair, parameters)
    at_random = (play(n, _at_random(n + 1), LONG) for n in range(PLAYED))
    players = (sensible(pair.one.program, n) for n in range(SENSIBLE))
    sensibly = (play(n, x, MOST_DEALS) for n, x in enumerate(players))
    to_the_end = (play(n, _at_random(n + 1), MOST_DEALS) for n in range(PLAYED, PLAYED + WHOLE))
    return _first(pair, chain(at_random, sensibly, to_the_end))


def _match_side_by_side(
    pair: Pair, parameters: Taken, seed: int, chosen: Chosen, most: int
) -> Parting | None:
    """A match of the grafted pair until they diverge, with equal deals and choices; then of the rulesets."""
    before: HandPlayed | None = None
    try:
        mine, theirs = (
            first_hand(ruleset.program, Chance(seed), _every(ruleset, parameters), taken)
            for ruleset, taken in zip((pair.one, pair.other), pair.readings, strict=True)
        )
        for number in range(1, most):
            while not _part(mine.state, theirs.state) and (decision := mine.state.decision) is not None:
                choice = chosen(mine.state, decision)
                mine, theirs = mine.choose(choice), theirs.choose(choice)
            if _part(mine.state, theirs.state):
                if not same_chance(mine.state, theirs.state):
                    return None
                asked = _asked_otherwise(mine.state.decision, theirs.state.decision)
                parting = shown(pair, mine, asked, whole=True)
                if parting is not None or before is None:
                    return parting
                return shown(pair, before, False, whole=True)  # they diverged between the two deals
            if mine.state.fault or mine.state.match_over:
                return None
            chance, before = Chance(seed + PLAYED * number), mine
            mine, theirs = mine.then(chance), theirs.then(chance)
            lengths = len(mine.earlier), len(theirs.earlier)
            if min(lengths) < number:  # the rules fail between the two deals, or end the match
                return None if lengths[0] == lengths[1] else shown(pair, before, False, whole=True)
    except EngineLimitError:
        pass
    return None


def in_rare_deals(pair: Pair, cases: Sequence[tuple[Known, Taken, Taken]], whole: bool) -> Parting | None:
    """The first divergence in low-probability deals: everybody passes, cards that the rules name are in one hand, or suits are long."""
    program = pair.one.program
    if not cards_may_be_given(program):
        return None
    named = tuple(
        dict.fromkeys([*_only_in_one(pair), *named_cards(program), *named_cards(pair.other.program)])
    )
    courses: list[Course] = [NamedCardsMatch(program, n, named) for n in range(NAMED if named else 0)]
    courses += [CornerMatch(program, n) for n in range(CORNERS)]
    courses += [LongSuitMatch(program, n) for n in range(LONG_SUITS)]
    some = list(_reached(pair, islice(cases, FEW)))
    passed = (_side_by_side(pair, reached, deal, _pass, whole) for deal in range(DEALS) for reached in some)
    tries = (_in_course(pair, reached, course, whole) for course in courses for reached in some)
    return next((parting for parting in chain(passed, tries) if parting is not None), None)


def _only_in_one(pair: Pair) -> list[Named]:
    """Cards that only one of the grafted pair names, probably because of its rule; first all together."""
    sets = [set(named_cards(ruleset.program)) for ruleset in (pair.one, pair.other)]
    own = sorted(sets[0] ^ sets[1], key=lambda one: (sorted(one.cards), -1 if one.suit is None else one.suit))
    plain = [one.cards for one in own if one.suit is None]
    return [Named(frozenset[int]().union(*plain)), *own] if plain else own


def _in_course(pair: Pair, reached: _Reached, course: Course, whole: bool) -> Parting | None:
    """The grafted pair with one deal and a course's choices until they diverge; then the rulesets themselves."""
    try:
        both = _after(pair, reached, Chance())
        if both is None:
            return None
        mine = redealt(both[0], course)
        begin = both[1].begin.but(chance=mine.begin.chance)
        theirs = replace(both[1], begin=begin, state=run(begin, begin.program.hand))
        parted = _until_they_part(mine, theirs, course.chosen, whole)
    except EngineLimitError:
        return None
    if parted is None:
        return None
    return shown(pair, parted[0], _asked_otherwise(parted[0].state.decision, parted[1].state.decision), whole)


def after_division(pair: Pair, division: Division) -> Parting | None:
    """A concrete deal with this trick distribution, after a match that reaches its initial state."""
    settlement, tricks = division.settlement, division.tricks
    ruleset, terms = settlement.subject.ruleset, (settlement.parameters, settlement.readings)
    program = ruleset.program
    matters = {key: value for key, value in division.begin.items() if key in division.matters}
    seats = from_all_seats(program, matters)
    for before in islice(matches_to(settlement, seats), MATCHES):
        begun = (first_hand(program, Chance(), *terms) if before is None else before.then()).begin
        by = next(i for i, values in enumerate(seats) if fits(begun, values))
        turned = [tricks[(p - by) % len(tricks)] for p in range(len(tricks))]
        for aim in _aims(program, division, by):
            hand = construct(ruleset, *terms, {}, turned, aim, before)
            parting = None if hand is None else shown(pair, hand, False, whole=True)
            if parting is not None:
                return parting
    return None


def _aims(program: c.Program, division: Division, by: int) -> list[Aim | None]:
    """The values that decisions before the play should lead to, with the seats turned; or whatever they lead to."""
    decided = {
        moved_key(program, key, by): value
        for key, value in division.decided.items()
        if by == 0 or program.variables[key[0]].type not in (c.PLAYER, c.PLAYERS)
    }
    return [Aim(decided), None] if decided else [None]


@dataclass(frozen=True, slots=True)
class _Reached:
    """The match after which a deal is compared (None for the first deal), with parameters and readings.

    `again` memoises the match as each of the pair plays it.
    """

    before: HandPlayed | None
    parameters: Taken
    readings: Taken
    again: list[HandPlayed | None] = field(default_factory=list)


def _reached(pair: Pair, cases: Iterable[tuple[Known, Taken, Taken]]) -> Iterator[_Reached]:
    """Matches that lead to the given initial states, where there are any."""
    for begin, parameters, readings in cases:
        for before in _led_to(pair.one, begin, _terms(pair, parameters, readings)):
            yield _Reached(before, parameters, readings)


@cached_by_identity(100)
def _led(_: Ruleset) -> dict[object, Sequence[HandPlayed | None]]:
    """What `_led_to` has found for a ruleset."""
    return {}


def _led_to(ruleset: Ruleset, begin: Known, terms: Terms) -> Sequence[HandPlayed | None]:
    """A match that leads to an initial state, if one is found; searched for once, since many aspects differ there."""
    known, key = _led(ruleset), (frozenset(begin.items()), *(frozenset(x.items()) for x in terms))
    if key not in known:
        wanted = beginnings(ruleset.program, carried(ruleset.program, begin)) if begin else [{}]
        known[key] = list(islice(leading_to(ruleset, terms, wanted), 1))
    return known[key]


def _terms(pair: Pair, parameters: Taken, readings: Taken) -> Terms:
    return _every(pair.one, parameters), {**readings, **pair.readings[0]}


def _first(pair: Pair, tries: Iterator[Parting | None]) -> Parting | None:
    """The first deal without an earlier divergence, or else preferably one with cards that both can deal."""
    masked: list[Parting] = []
    for parting in tries:
        if parting is not None and (not parting.masked or pair.a.program.deck != pair.b.program.deck):
            return parting
        masked += [parting] if parting is not None else []
        if len(masked) == ENOUGH:
            break
    return min(masked, key=lambda parting: "seed" in parting.answers.scenario, default=None)


def _every(ruleset: Ruleset, parameters: Taken) -> dict[str, int]:
    return {**ruleset.program.defaults, **parameters}


# ----------------------------------------------------------------------------------- side-by-side play


def _side_by_side(pair: Pair, reached: _Reached, deal: int, chosen: Chosen, whole: bool) -> Parting | None:
    """The grafted pair with the same deal and choices until they diverge; then the rulesets themselves."""
    try:
        both = _after(pair, reached, Chance(deal))
        parted = None if both is None else _until_they_part(*both, chosen, whole)
    except EngineLimitError:
        return None
    if parted is None:
        return None
    mine, theirs = parted
    return shown(pair, mine, _asked_otherwise(mine.state.decision, theirs.state.decision), whole)


def _after(pair: Pair, reached: _Reached, chance: Chance) -> tuple[HandPlayed, HandPlayed] | None:
    """The deal after a match under both.

    If the other plays the match differently, and so diverges earlier, it adopts the state that the first
    reaches.
    """
    begun: list[HandPlayed] = []
    for number, (ruleset, taken) in enumerate(zip((pair.one, pair.other), pair.readings, strict=True)):
        terms = _every(ruleset, reached.parameters), {**reached.readings, **taken}
        if reached.before is None:
            begun.append(first_hand(ruleset.program, chance, *terms))
            continue
        if len(reached.again) == number:
            reached.again.append(played_again(ruleset.program, terms, reached.before.match, COMPILED))
        before = reached.again[number]
        hand = None if before is None else before.then(chance)
        if hand is not None and len(hand.earlier) < len(reached.before.match):
            hand = None
        if begun and (hand is None or not _as_carried(begun[0], hand)):
            hand = first_hand(
                ruleset.program, chance, *terms, carried(ruleset.program, begun[0].begin.variables)
            )
        if hand is None:
            return None
        begun.append(hand)
    return begun[0], begun[1]


def _as_carried(mine: HandPlayed, theirs: HandPlayed) -> bool:
    """Whether both start from the same carried values, as far as both have them."""
    begun, program = theirs.begin.variables, mine.begin.program
    return all(
        begun.get(key, x) == x for key, x in mine.begin.variables.items() if program.variables[key[0]].carried
    )


def _alongside(
    pair: Pair, begin: Known, parameters: Taken, readings: Taken, deal: int, seed: int, whole: bool
) -> tuple[HandPlayed, HandPlayed] | None:
    """The grafted pair at the point of divergence in deals with equal cards and choices, or None.

    Also None if the engine reaches a limit, which proves nothing.
    """
    try:
        mine, theirs = (
            first_hand(
                ruleset.program,
                Chance(deal),
                _every(ruleset, parameters),
                {**readings, **taken},
                carried(ruleset.program, begin),
            )
            for ruleset, taken in zip((pair.one, pair.other), pair.readings, strict=True)
        )
        return _until_they_part(mine, theirs, _at_random(seed), whole)
    except EngineLimitError:
        return None


def _at_random(seed: int) -> Chosen:
    """A random choice; with seed 0, the first legal one."""
    rng = Random(seed) if seed else None
    return lambda _, decision: pick(decision, rng, most=seed % 2 == 0)


def _pass(_: State, decision: Decision) -> Value:
    """None, if that may be chosen; otherwise the first legal choice: no, the lowest number, the fewest cards."""
    return None if None in decision.legal else pick(decision, None)


def _until_they_part(
    mine: HandPlayed, theirs: HandPlayed, chosen: Chosen, whole: bool
) -> tuple[HandPlayed, HandPlayed] | None:
    """Both at their first divergence; None if there is none, or if other shuffles may be the reason."""
    while not _part(mine.state, theirs.state):
        decision = mine.state.decision
        if decision is None:
            return (mine, theirs) if _differ_later(mine.state, theirs.state) else None
        if decision.label == "play" and not whole:
            return None
        choice = chosen(mine.state, decision)
        mine, theirs = mine.choose(choice), theirs.choose(choice)
    return (mine, theirs) if same_chance(mine.state, theirs.state) else None


def _part(mine: State, theirs: State) -> bool:
    apart = any(getter(mine) != getter(theirs) for getter in (_happened, _pending, _ending))
    return apart or not told_alike(mine.events, theirs.events)


def _happened(state: State) -> object:
    return state.fault is None, state.zones


def _ending(state: State) -> object:
    return state.match_over, state.winners


def _pending(state: State) -> object:
    d = state.decision
    return None if d is None else (d.player, d.label, d.type, tuple(d.legal), d.low, d.high, d.to)


def _differ_later(mine: State, theirs: State) -> bool:
    """Whether the next deal begins differently, or other events precede it."""
    if mine.fault or mine.match_over:
        return False
    after = [following_hand(state) for state in (mine, theirs)]
    begun = [state.begin if isinstance(state, HandPlayed) else state for state in after]
    ends = [
        (carried(state.program, state.variables), state.fault is None, state.match_over, state.winners)
        for state in begun
    ]
    alike = ends[0] == ends[1] and told_alike(*(state.events for state in begun))
    return not alike and same_chance(*begun)


def _asked_otherwise(mine: Decision | None, theirs: Decision | None) -> bool:
    """Whether both ask the same player the same question, with other options."""
    return (
        mine is not None
        and theirs is not None
        and (mine.player, mine.label, mine.to) == (theirs.player, theirs.label, theirs.to)
        and (mine.legal, mine.low, mine.high) != (theirs.legal, theirs.low, theirs.high)
    )
