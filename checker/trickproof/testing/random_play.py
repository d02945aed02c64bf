"""Deals played at random, once for all of them.

A case is a match from its start, so that whatever is carried from deal to deal is reachable; parameters, readings and
cards vary, and every choice is uniform among the legal ones.  The choices drawn (`testing/choice_source`) seed each deal.
A violation is shrunk (fewest deals, then fewest cards exchanged, then plain choices) and written down with the match that
leads to it, which is replayed before it is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from trickproof.analysis.parameter_classes import telling_values
from trickproof.analysis.usage import rules_at
from trickproof.checking.engines import State
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.checking.property import Moment, Property
from trickproof.testing.choice_source import (
    Draw,
    Size,
    StopSampling,
    recorded,
    sample,
    seeded,
    smallest_failure,
)
from trickproof.testing.witness import shuffled_once
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import HAND_ENDED
from trickproof_dsl.semantics.faults import EngineLimitError, Fault
from trickproof_dsl.semantics.values import DECK, Key, Value, as_number

ENOUGH = 60
"""Hands after which no further match is begun, unless more are asked for."""

HANDS = 4
"""Hands played of one match, at most."""

LONGER = 4
"""How many times as many hands may be played where whole matches are wanted; half as many ends are enough."""

FEW = 10
"""Fewer hands than these are played without looking for variety, which takes a while to set up."""

FROM = 48
"""Hands played from one state that the solver found."""

GROUND = "trick-total"
"""No hand is begun after one in which this fails: what would be carried into it comes from no hand that can be told."""

FALLBACK = "no-fault"
"""The check that answers for breakdowns no other check answers for."""

Terms = tuple[dict[str, int], dict[str, int]]
"""The parameters and readings of a match."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A check that failed in a hand, at its last state."""

    check: str
    message: str
    hand: HandPlayed
    span: Span | None

    @property
    def state(self) -> State:
        return self.hand.state


@dataclass
class Played:
    """What the run saw: hands by check, the violations, and the gaps that stopped hands."""

    hands: int = 0
    cases: dict[str, int] = field(default_factory=dict)
    violations: dict[str, Violation] = field(default_factory=dict)
    gaps: dict[str, Fault] = field(default_factory=dict)
    limits: dict[str, Span] = field(default_factory=dict)
    """What the engine gave up over: a hand in which it did says nothing."""
    sizes: set[int] = field(default_factory=set)
    ended: HandPlayed | None = None
    """The hand that ended a match, of those seen the one with the fewest before it."""
    ends: int = 0

    @contextmanager
    def within_limits(self) -> Iterator[None]:
        """What is played here ends where the engine gives up, which is noted."""
        try:
            yield
        except EngineLimitError as limit:
            self.limits.setdefault(limit.message, limit.span)

    def note_end(self, hand: HandPlayed) -> None:
        """A match has ended with a hand."""
        self.ends += 1
        self.ended = min(filter(None, (self.ended, hand)), key=size)

    def with_more(self, other: Played) -> Played:
        """This and another run together."""
        both = {name: self.cases.get(name, 0) + n for name, n in other.cases.items()}
        return Played(
            self.hands + other.hands,
            self.cases | both,
            other.violations | self.violations,
            self.gaps | other.gaps,
            self.limits | other.limits,
            self.sizes | other.sizes,
            min(filter(None, (self.ended, other.ended)), key=size, default=None),
            self.ends + other.ends,
        )


def play(ruleset: Ruleset, properties: Sequence[Property], hands: int = ENOUGH) -> Played:
    """Plays at random and looks through the probes."""
    played = Played()
    if hands < FEW:
        draw = seeded(0)
        while played.hands < hands:
            _match(ruleset, properties, played, draw, hands - played.hands)
        return played

    def case(draw: Draw) -> None:
        _match(ruleset, properties, played, draw)
        if played.hands >= hands:
            raise StopSampling

    sample(case, hands)
    return played


def shrunk(
    ruleset: Ruleset, properties: Sequence[Property], violation: Violation, hands: int = ENOUGH
) -> Violation:
    """A violation of the same property that takes fewer hands and moves, if one is found soon."""
    hands_played, failed = 0, False

    def case(draw: Draw) -> Size | None:
        nonlocal hands_played, failed
        played = Played()
        _match(ruleset, properties, played, draw)
        hands_played += played.hands
        smaller = played.violations.get(violation.check)
        failed = failed or smaller is not None
        if hands_played >= hands and not failed:
            raise StopSampling
        return None if smaller is None else size(smaller.hand)

    choices = smallest_failure(case, hands)
    if choices is None:
        return violation
    played = Played()
    _match(ruleset, properties, played, recorded(choices))
    return played.violations[violation.check]


def size(hand: HandPlayed) -> Size:
    """How large a match is: its deals, the cards that change hands before the play, the choices made in the last deal."""
    exchanged = sum(
        len(choice)
        for deal in hand.match
        for decision, choice in deal.choices
        if decision.to is not None and isinstance(choice, frozenset)
    )
    return len(hand.match), exchanged, len(hand.choices)


def play_matches(ruleset: Ruleset, properties: Sequence[Property], hands: int = ENOUGH) -> Played:
    """Plays whole matches at random, until enough have ended."""
    played, draw = Played(), seeded(0)
    while played.hands < hands * LONGER and 2 * played.ends < hands:
        _match(ruleset, properties, played, draw, hands * LONGER - played.hands, whole=True)
    return played


def play_from(
    ruleset: Ruleset, properties: Sequence[Property], before: HandPlayed | None, terms: Terms, failing: str
) -> Played:
    """Plays the deal after a match again and again until a check fails in it; half of the times with as many cards as allowed.

    Without a match `before` it, the first deal under these parameters and readings.
    """
    played = Played()
    for number in range(FROM):
        with played.within_limits():
            chance = Chance(number)
            hand = first_hand(ruleset.program, chance, *terms) if before is None else before.then(chance)
            if before is None or len(hand.earlier) > len(before.earlier):
                play_hand(ruleset, properties, played, hand, _random(number, most=number % 2 == 0))
        if failing in played.violations:
            break
    return played


def _match(
    ruleset: Ruleset,
    properties: Sequence[Property],
    played: Played,
    draw: Draw,
    most: int = HANDS,
    whole: bool = False,
) -> None:
    """One case.  Where the interpreter gives up, it ends and says nothing."""
    with played.within_limits():
        _hands_of_match(ruleset, properties, played, draw, most, whole)
        return
    played.hands += 1


def _hands_of_match(
    ruleset: Ruleset, properties: Sequence[Property], played: Played, draw: Draw, most: int, whole: bool
) -> None:
    terms, seed = drawn_terms(ruleset.program, draw), draw(12)
    fresh = not shuffled_once(ruleset.program)
    hand = first_hand(ruleset.program, Chance(seed), *terms)
    for number in range(1, most + 1):
        hand = play_hand(ruleset, properties, played, hand, _random(draw(12)))
        if not hand.state.hand_over or hand.state.match_over or (not whole and draw(2) == 0):
            return
        if groundless(properties, hand):
            return
        after = hand.then(Chance(seed + number) if fresh else None)
        if len(after.earlier) == len(hand.earlier):
            look_between(ruleset, properties, played, after)
            return
        hand = after


def groundless(properties: Sequence[Property], hand: HandPlayed) -> bool:
    """Whether what would be carried on from a complete hand comes from no hand that can be told; of one cut short nothing is."""
    if "hand-ends" not in moments_at_end(hand.state):
        return False
    return any(probe.looks(hand) for prop in properties if prop.name == GROUND for probe in prop.probes)


def drawn_terms(program: c.Program, draw: Draw) -> Terms:
    """Parameters and readings of a match."""
    parameters = {
        name: _pick(values, draw(max(4, len(values).bit_length())))
        for name, values in sorted(telling_values(program).items())
    }
    readings = {rule: draw(3) % len(names) for rule, names in sorted(program.readings.items())}
    return parameters, readings


def drawn_match(program: c.Program, draw: Draw) -> tuple[dict[str, int], dict[str, int], dict[Key, Value]]:
    """Parameters, readings and a dealer (if there is one) of a deal."""
    terms, dealer = drawn_terms(program, draw), program.variables.get("dealer")
    seat = dealer is not None and dealer.carried and dealer.type == c.PLAYER and not dealer.of
    return *terms, {("dealer",): draw(4) % program.players} if seat else {}


def _pick(values: Sequence[int], index: int) -> int:
    return values[index % len(values)]


def play_hand(
    ruleset: Ruleset,
    properties: Sequence[Property],
    played: Played,
    hand: HandPlayed,
    choose: Callable[[State, Decision], Value],
) -> HandPlayed:
    """Plays one hand to its end or to where the rules fail at run time, and looks through the probes."""
    played.hands += 1
    labels: set[str] = set()
    while (decision := hand.state.decision) is not None:
        first_card = decision.label == "play" and "play" not in labels
        labels.add(decision.label)
        _look(properties, played, hand, ["always", "play-starts"] if first_card else ["always"])
        hand = hand.choose(choose(hand.state, decision))
    labels |= {event.name for event in hand.state.events}
    for prop in properties:
        if not prop.labels or labels & set(prop.labels):
            played.cases[prop.name] = played.cases.get(prop.name, 0) + 1
    if hand.state.fault:
        blame(ruleset, properties, played, hand)
    else:
        _look(properties, played, hand, moments_at_end(hand.state))
        if not ended_early(hand.state) or "play" in labels:
            played.sizes.add(as_number(hand.state.variables.get(("hand-size",), 0)))
        if hand.state.match_over:
            played.note_end(hand)
    return hand


def look_between(ruleset: Ruleset, properties: Sequence[Property], played: Played, hand: HandPlayed) -> None:
    """Looks at a hand after which the steps between hands failed or ended the match."""
    if hand.state.fault:
        blame(ruleset, properties, played, hand)
    else:
        _look(properties, played, hand, ["match-ends"])
        played.note_end(hand)


def ended_early(state: State) -> bool:
    """Whether a hand that waits for nothing was ended by a statement."""
    return state.match_over or state.events[-1:] in [(ending,) for ending in HAND_ENDED]


def moments_at_end(state: State) -> list[Moment]:
    """What a hand that waits for nothing is; one that is cut short is not complete."""
    unplayed = any(cards for key, cards in state.zones.items() if key[0] == "hand") or undealt(state)
    moments: list[Moment] = ["always"] if ended_early(state) and unplayed else ["always", "hand-ends"]
    return [*moments, "match-ends"] if state.match_over else moments


def undealt(state: State) -> bool:
    """Whether every card lies in the deck."""
    return len(state.cards(DECK)) == len(state.program.deck.cards)


def _random(seed: int, most: bool = False) -> Callable[[State, Decision], Value]:
    """Choices at random; seed 0 takes what is legal first."""
    rng = Random(seed) if seed else None
    return lambda _, decision: pick(decision, rng, most)


def pick(decision: Decision, rng: Random | None, most: bool = False) -> Value:
    """A choice: the first legal one, or at random a uniform number of cards (or `most`) and a uniform set, or value."""
    if decision.type != c.CARDS:
        value: Value = rng.choice(decision.legal) if rng else decision.legal[0]
        return value
    if rng is None:
        return frozenset(decision.legal[: decision.high if most else decision.low])
    number = decision.high if most else rng.randint(decision.low, decision.high)
    return frozenset(rng.sample(decision.legal, number))


def _look(properties: Sequence[Property], played: Played, hand: HandPlayed, moments: list[Moment]) -> None:
    for prop in properties:
        for probe in prop.probes:
            if probe.moment in moments and prop.name not in played.violations:
                message = probe.looks(hand)
                if message:
                    played.violations[prop.name] = Violation(prop.name, message, hand, None)


def blame(ruleset: Ruleset, properties: Sequence[Property], played: Played, hand: HandPlayed) -> None:
    """Finds the check that answers for a runtime fault."""
    fault = hand.state.fault
    assert fault is not None
    if fault.kind == "unspecified":
        played.gaps.setdefault(fault.message, fault)
        return
    rules = rules_at(ruleset.program, fault.span)
    name = next(_answering(properties, fault, rules), FALLBACK)
    message = f"in `{rules[-1]}`: {fault.message}" if rules else fault.message
    played.violations.setdefault(name, Violation(name, message, hand, fault.span))


def _answering(properties: Sequence[Property], fault: Fault, rules: tuple[str, ...]) -> Iterator[str]:
    return (prop.name for prop in properties if prop.breaks(fault, rules))
