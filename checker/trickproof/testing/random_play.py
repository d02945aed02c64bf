"""Random play, shared by all properties.

A case is a match from its start, so that whatever is carried from deal to deal is reachable; parameters,
readings and cards vary, and every choice is uniform among the legal ones. The choices drawn
(`testing/choice_source`) seed each deal. A violation is shrunk (fewest deals, then fewest cards exchanged,
then plain choices) and written with the match that leads to it, which is replayed before it is reported.
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
from trickproof_dsl.semantics.events import HAND_ENDED, SCORED
from trickproof_dsl.semantics.faults import EngineLimitError, Fault
from trickproof_dsl.semantics.values import DECK, Key, Value, as_number

ENOUGH = 60
"""Number of deals after which no further match is begun, unless more are requested."""

HANDS = 4
"""Maximum number of deals played per match."""

LONGER = 4
"""The factor by which more deals may be played if whole matches are wanted; half as many ends are enough."""

LONG, LONGEST = 2, 40
"""How many long matches are played for what takes many deals to go wrong, and the maximum number of deals of one."""

FEW = 10
"""Below this number of deals, hypothesis is not used, since it takes a while to set up."""

FROM = 48
"""Number of deals played from one state that the solver found."""

GROUND = "trick-total"
"""No deal is begun after one in which this check fails, since the values carried into it would be meaningless."""

FALLBACK = "no-fault"
"""The check that answers for runtime faults that no other check answers for."""

Terms = tuple[dict[str, int], dict[str, int]]
"""The parameters and readings of a match."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A check that failed in a deal, at its last state."""

    check: str
    message: str
    hand: HandPlayed
    span: Span | None

    @property
    def state(self) -> State:
        return self.hand.state


@dataclass
class Played:
    """The results of a run: deals by check, the violations, and the gaps that stopped deals."""

    hands: int = 0
    cases: dict[str, int] = field(default_factory=dict)
    violations: dict[str, Violation] = field(default_factory=dict)
    gaps: dict[str, Fault] = field(default_factory=dict)
    limits: dict[str, Span] = field(default_factory=dict)
    """What the engine gave up on; such a deal says nothing."""
    sizes: set[int] = field(default_factory=set)
    occupied: set[str] = field(default_factory=set)
    """Zones that held cards after a deal."""
    ended: HandPlayed | None = None
    """The last deal of a match that ended, with the fewest deals before it among those seen."""
    ends: int = 0

    @contextmanager
    def within_limits(self) -> Iterator[None]:
        """Stop playing within the context when the engine gives up, and record the limit."""
        try:
            yield
        except EngineLimitError as limit:
            self.limits.setdefault(limit.message, limit.span)

    def note_end(self, hand: HandPlayed) -> None:
        """Record that a match has ended with a deal."""
        self.ends += 1
        self.ended = min(filter(None, (self.ended, hand)), key=size)

    def with_more(self, other: Played) -> Played:
        """The combined results of this run and another."""
        both = {name: self.cases.get(name, 0) + n for name, n in other.cases.items()}
        return Played(
            self.hands + other.hands,
            self.cases | both,
            other.violations | self.violations,
            self.gaps | other.gaps,
            self.limits | other.limits,
            self.sizes | other.sizes,
            self.occupied | other.occupied,
            min(filter(None, (self.ended, other.ended)), key=size, default=None),
            self.ends + other.ends,
        )


def play(ruleset: Ruleset, properties: Sequence[Property], hands: int = ENOUGH) -> Played:
    """Play at random and evaluate the probes."""
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
    """A violation of the same property with fewer deals and moves, if one is found soon."""
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
    """The size of a match: its deals, the cards that change hands before the play, and the choices made in the last deal."""
    exchanged = sum(
        len(choice)
        for deal in hand.match
        for decision, choice in deal.choices
        if decision.to is not None and isinstance(choice, frozenset)
    )
    return len(hand.match), exchanged, len(hand.choices)


def play_matches(
    ruleset: Ruleset, properties: Sequence[Property], hands: int = ENOUGH, failing: str = ""
) -> Played:
    """Play whole matches at random, until enough have ended, or until the check `failing` fails."""
    played, draw = Played(), seeded(0)
    while played.hands < hands * LONGER and 2 * played.ends < hands and failing not in played.violations:
        _match(ruleset, properties, played, draw, hands * LONGER - played.hands, whole=True)
    return played


def play_long(ruleset: Ruleset, properties: Sequence[Property]) -> Played:
    """Play a few long matches at random."""
    played, draw = Played(), seeded(0)
    for _ in range(LONG):
        _match(ruleset, properties, played, draw, LONGEST, whole=True)
    return played


def play_from(
    ruleset: Ruleset, properties: Sequence[Property], before: HandPlayed | None, terms: Terms, failing: str
) -> Played:
    """Play the deal after a match repeatedly until a check fails in it, half of the time moving as many cards as allowed.

    Without a match `before` it, play the first deal under these parameters and readings.
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
    """Play one case. If the interpreter gives up, it ends and says nothing."""
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
        after = next_deal(ruleset, properties, played, hand, Chance(seed + number) if fresh else None)
        if after is None:
            return
        hand = after


def next_deal(
    ruleset: Ruleset, properties: Sequence[Property], played: Played, hand: HandPlayed, chance: Chance | None
) -> HandPlayed | None:
    """The deal after a complete one; None, and what is wrong with the steps between them, if there is none."""
    after = hand.then(chance)
    if len(after.earlier) > len(hand.earlier):
        return after
    look_between(ruleset, properties, played, after)
    return None


def groundless(properties: Sequence[Property], hand: HandPlayed) -> bool:
    """Whether a complete deal leaves meaningless values to be carried on; a deal cut short never does."""
    if "hand-ends" not in moments_at_end(hand.state):
        return False
    return any(probe.looks(hand) for prop in properties if prop.name == GROUND for probe in prop.probes)


def drawn_terms(program: c.Program, draw: Draw) -> Terms:
    """Random parameters and readings of a match."""
    parameters = {
        name: _pick(values, draw(max(4, len(values).bit_length())))
        for name, values in sorted(telling_values(program).items())
    }
    readings = {rule: draw(3) % len(names) for rule, names in sorted(program.readings.items())}
    return parameters, readings


def drawn_match(program: c.Program, draw: Draw) -> tuple[dict[str, int], dict[str, int], dict[Key, Value]]:
    """Random parameters, readings and dealer (if there is one) of a deal."""
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
    """Play one deal to its end or to a runtime fault, evaluating the probes."""
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
            played.occupied |= {key[0] for key, cards in hand.state.zones.items() if cards}
        if hand.state.match_over:
            played.note_end(hand)
    return hand


def look_between(ruleset: Ruleset, properties: Sequence[Property], played: Played, hand: HandPlayed) -> None:
    """Evaluate a deal after which the steps between deals failed or ended the match."""
    if hand.state.fault:
        blame(ruleset, properties, played, hand)
    else:
        _look(properties, played, hand, ["match-ends"])
        played.note_end(hand)


def ended_early(state: State) -> bool:
    """Whether a deal that awaits no decision was ended by a statement."""
    return state.match_over or state.events[-1:] in [(ending,) for ending in HAND_ENDED]


def moments_at_end(state: State) -> list[Moment]:
    """The moments that a deal which awaits no decision has reached; one that is cut short before it is scored is not complete."""
    unplayed = any(cards for key, cards in state.zones.items() if key[0] == "hand") or undealt(state)
    cut = ended_early(state) and unplayed and all(event.name != SCORED for event in state.events)
    moments: list[Moment] = ["always"] if cut else ["always", "hand-ends"]
    return [*moments, "match-ends"] if state.match_over else moments


def undealt(state: State) -> bool:
    """Whether every card is in the deck."""
    return len(state.cards(DECK)) == len(state.program.deck.cards)


def _random(seed: int, most: bool = False) -> Callable[[State, Decision], Value]:
    """Random choices; seed 0 takes the first legal ones."""
    rng = Random(seed) if seed else None
    return lambda _, decision: pick(decision, rng, most)


def pick(decision: Decision, rng: Random | None, most: bool = False) -> Value:
    """A choice: the first legal one or, with `rng`, a random one.

    A random choice is a uniform value, or a uniform set of a uniform number of cards (with `most`, of as many
    as allowed).
    """
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
    """Record the violation by the check that answers for a runtime fault."""
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
