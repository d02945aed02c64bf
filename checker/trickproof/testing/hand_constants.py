"""Number of tricks and targets of a deal, if the dealer, parameters and readings determine them.

They are found by running the rules for each seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from trickproof.analysis.live_variables import CARDS
from trickproof.analysis.slicing import DEALT, Slice, sliced
from trickproof.analysis.usage import claimed, usage_of
from trickproof.checking.engines import REFERENCE
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.testing.random_play import pick
from trickproof.testing.subject import MOST_COMBINATIONS, Subject, seat
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.machine import begin
from trickproof_dsl.semantics.values import Key, Value, as_number

DEALS = 50
"""Maximum number of deals tried until one reaches its play."""

REDEALS = 4
"""Maximum number of consecutive deals that are thrown in."""


@dataclass(frozen=True, slots=True)
class HandFacts:
    """Facts for one dealer (None if there is none), parameters and readings."""

    dealer: int | None
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    size: int
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Varies:
    """Why the size or targets are not the same in every deal by one dealer, and where the rules say so."""

    reason: str
    span: Span


def says_size(subject: Subject) -> bool:
    """Whether the rules mention the number of tricks in a deal; if not, it is taken from the number of cards in a hand."""
    in_claims = usage_of(*claimed(subject.program)).reads
    return "hand-size" in subject.usage.assigns | subject.usage.reads | in_claims


def sizes_of(subject: Subject) -> list[HandFacts] | Varies:
    """The facts of one deal for every dealer, parameter value and reading.

    That all deals have as many tricks is an obligation (`proofs/hands/grounds.py`), or excluded by `size_varies`.
    """
    return _hands(subject, (DEALT,))


def few_sizes(subject: Subject) -> set[int]:
    """Numbers of tricks that deals had when played at random; to be completed by those that a proof could not exclude."""
    return subject.once(few_sizes, lambda: set(subject.played.sizes) if says_size(subject) else set())


def size_varies(subject: Subject) -> Varies | None:
    """Whether the number of tricks in a deal may depend on choices, on cards, or on carried values other than the dealer."""
    return _varies(subject, sliced(subject.program.hand, (DEALT,)), "the deal depends")


def hands_of(subject: Subject) -> list[HandFacts] | Varies:
    """Like `sizes_of`, if the same things also determine the targets."""
    return _hands(subject, (DEALT, "target"))


def _hands(subject: Subject, variables: tuple[str, ...]) -> list[HandFacts] | Varies:
    return subject.once((_hands, variables), lambda: _find_hands(subject, variables))


def _find_hands(subject: Subject, variables: tuple[str, ...]) -> list[HandFacts] | Varies:
    program, matters = subject.program, sliced(subject.program.hand, variables)
    if says_size(subject) and "hand-size" not in subject.usage.assigns:
        return Varies("`hand-size` is never set", program.rules["hand"].span)
    varies = _varies(subject, matters, "the deal or the targets depend") if "target" in variables else None
    if varies is not None:
        return varies
    dealers = range(program.players) if seat(program) else [None]
    facts_of_hands: list[HandFacts] = []
    taken = subject.readings(usage_of(*matters.nodes).readings)
    if MOST_COMBINATIONS in (len(subject.parameters()), len(taken)):
        return Varies(
            "there are too many combinations of parameters and readings", program.rules["hand"].span
        )
    for parameters in subject.parameters():
        for readings in taken:
            for dealer in dealers:
                facts = _facts(program, says_size(subject), dealer, parameters, readings)
                if isinstance(facts, Varies):
                    return facts
                facts_of_hands += [] if facts is None else [facts]
    if not facts_of_hands:
        return Varies("the match is over before its first deal", program.rules["hand"].span)
    if says_size(subject) and not subject.played.sizes <= {facts.size for facts in facts_of_hands}:
        return Varies("the number of tricks differs from deal to deal", program.rules["hand"].span)
    return facts_of_hands


def _varies(subject: Subject, matters: Slice, what: str) -> Varies | None:
    """Whether what `matters` contains a choice, or reads cards or carried values other than the dealer."""
    if matters.choices:
        return Varies(f"{what} on what players choose", matters.choices[0].span)
    changing = {name for name in subject.usage.assigns if subject.program.variables[name].carried}
    for node in walk(*matters.nodes):
        if isinstance(node, CARDS):
            return Varies(f"{what} on cards", node.span)
        if isinstance(node, c.Variable) and node.name in changing - {"dealer"}:
            return Varies(f"{what} on `{node.name}`", node.span)
    return None


def _facts(
    program: c.Program,
    says: bool,
    dealer: int | None,
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
) -> HandFacts | Varies | None:
    """The facts; None if the match is over before its first deal."""
    try:
        if begin(program, Chance(), parameters, readings).match_over:
            return None
        hand = next(_before_play(program, dealer, parameters, readings), None)
    except EngineLimitError as limit:
        return Varies(limit.message, limit.span)
    if hand is None:
        return Varies("no deal was found that reaches the play", program.rules["hand"].span)
    state = hand.state
    if state.fault is not None:
        return Varies(state.fault.message, state.fault.span)
    if ("hand-size",) not in state.variables:
        return Varies("`hand-size` is not one number", program.rules["hand"].span)
    targets = tuple(as_number(state.variables.get(("target", p), 0)) for p in range(program.players))
    size = as_number(state.variable("hand-size"))
    if not says and state.decision is not None:
        size = len(state.cards("hand", state.decision.player))
    return HandFacts(dealer, parameters, readings, size, targets)


def _before_play(
    program: c.Program, dealer: int | None, parameters: Mapping[str, int], readings: Mapping[str, int]
) -> Iterator[HandPlayed]:
    """Deals by this dealer at their first card, or where they fail at run time, possibly after others that were thrown in."""
    variables: dict[Key, Value] = {} if dealer is None else {("dealer",): dealer}
    ends = any(isinstance(node, c.EndHand) for node in walk(program.hand))
    for seed in range(DEALS if ends else 1):
        hand = first_hand(program, Chance(seed), parameters, readings, variables, REFERENCE)
        rng = Random(seed) if seed else None
        for _ in range(1 + REDEALS):
            while hand.state.decision is not None and hand.state.decision.label != "play":
                hand = hand.choose(pick(hand.state.decision, rng))
            if not ends or hand.state.decision is not None or hand.state.fault is not None:
                yield hand
            if not hand.state.hand_over or not hand.state.again:
                break
            hand = hand.then(Chance(seed))
