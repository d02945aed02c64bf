"""What becomes of a mutant: refuted by a check, told apart by a hand, the same in other words, or not told apart.

A hand tells a mutant from the original when, after the same deal and the same choices, something else is asked or
legal, or cards, variables or events differ.  Hands are played at random from the first hand on; others are made in which one player takes
most or all of the tricks, which chance does not bring about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Literal

from checker.mutants import Mutant
from trickproof.checking.engines import State, apply
from trickproof.checking.played_hand import HandPlayed, first_hand, following_hand
from trickproof.checking.verdict import DisagreementError, Verdict
from trickproof.checks import all_checks
from trickproof.checks.invariants import invariants
from trickproof.equivalence.normal_form import same_in_other_words
from trickproof.equivalence.program_equivalence import same
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.initial_states import begins
from trickproof.proofs.hands.verdicts import hand_proof
from trickproof.testing.deal_search import construct
from trickproof.testing.random_play import pick
from trickproof.testing.subject import Subject
from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import as_number

Fate = Literal["refuted", "different", "same", "not told apart", "tool failed"]

QUICK = (
    "target-total",
    "zero-sum",
    "unique-winner",
    "end-reachable",
    "examples-agree",
    "end-always-reachable",
)
"""Checks that are asked first, as they answer soon."""

HANDS = 60
"""Hands that each check may play."""

SWEEPS = 5
"""How many tricks from all of them downwards one player takes in hands made for it."""


@dataclass(frozen=True)
class Told:
    """`by` is the check that refutes it, or what differs in which hand."""

    mutant: Mutant
    fate: Fate
    by: str


@dataclass
class Original:
    """A sound ruleset: which checks are not negative about it, and hands of it."""

    ruleset: Ruleset
    quiet: frozenset[str]
    hands: list[HandPlayed] = field(default_factory=list)


def original(ruleset: Ruleset, matches: int = 30, sweeps: bool = True) -> Original:
    """With hands of so many matches, and with some in which one player takes nearly all tricks.

    Its checks are quiet but for those whose answer it records as known (test_check.py).
    """
    known = {known.check.value for known in ruleset.own.known} | {"rules-complete"}
    names = [check.name for check in (*all_checks(), *invariants(ruleset.program))]
    quiet = frozenset(name for name in names if name not in known)
    hands = [hand for seed in range(matches) for hand in _match(ruleset.program, seed)]
    if sweeps:
        hands += _sweeps(ruleset, hands)
    return Original(ruleset, quiet, hands)


def _match(program: c.Program, seed: int) -> list[HandPlayed]:
    rng = Random(seed)
    values = {name: rng.choice(allowed) for name, allowed in sorted(program.parameters.items())}
    readings = {rule: rng.randrange(len(names)) for rule, names in sorted(program.readings.items())}
    hands: list[HandPlayed] = []
    hand: HandPlayed | State = first_hand(program, Chance(seed), values, readings, {})
    while isinstance(hand, HandPlayed) and len(hands) < 4:
        while (decision := hand.state.decision) is not None:
            hand = hand.choose(pick(decision, rng, most=seed % 2 == 0))
        hands.append(hand)
        if hand.state.fault or hand.state.match_over:
            break
        hand = following_hand(hand.state)
    return hands


def _sweeps(ruleset: Ruleset, played: Sequence[HandPlayed]) -> list[HandPlayed]:
    """Hands from what some of those played began with, in which the tricks go to one player, or all but a few."""
    size = max((as_number(hand.state.variable("hand-size")) for hand in played), default=0)
    players = ruleset.program.players
    made: list[HandPlayed] = []
    for fewer in range(SWEEPS):
        for winner in range(players):
            goal = [0] * players
            goal[winner], goal[(winner + 1) % players] = size - fewer, fewer
            begin = played[(fewer * players + winner) % len(played)].begin
            hand = construct(ruleset, begin.parameters, begin.readings, begin.variables, goal)
            if hand is not None:
                made.append(hand)
    return made


def _exchanges(ruleset: Ruleset) -> Iterator[HandPlayed]:
    """Hands up to their first card, from everything a hand can begin with, under all readings and parameters."""
    program, subject = ruleset.program, Subject(ruleset, all_checks())
    for parameters in subject.parameters():
        for readings in subject.readings(frozenset(program.readings)):
            for number, begin in enumerate(begins(subject, hand_proof(subject).outcome)):
                rng = Random(number)
                hand = first_hand(program, Chance(number), parameters, readings, begin)
                while (decision := hand.state.decision) is not None and decision.label != "play":
                    hand = hand.choose(pick(decision, rng, most=number % 2 == 0))
                yield hand


def fate(of: Original, mutant: Mutant) -> Told:
    """What becomes of a mutant."""
    try:
        check = _refuting(of, mutant)
    except DisagreementError as wrong:
        return Told(mutant, "tool failed", str(wrong))
    except Exception as wrong:
        return Told(mutant, "tool failed", f"{type(wrong).__name__}: {wrong}")
    if check is not None:
        return Told(mutant, "refuted", check)
    if same_in_other_words(of.ruleset.program, mutant.ruleset.program):
        return Told(mutant, "same", "by its normal form")
    number = 0
    for hand in chain(of.hands, _exchanges(of.ruleset)):
        number += 1
        what = difference(hand, mutant.ruleset.program)
        if what is not None:
            return Told(mutant, "different", f"{what} in hand {number}")
    how = same(Subject(of.ruleset, all_checks()), mutant.ruleset.program)
    return Told(mutant, "same", how.claim) if how else Told(mutant, "not told apart", f"in {number} hands")


def _refuting(of: Original, mutant: Mutant) -> str | None:
    """The first check that is negative about the mutant and not about the original."""
    checks = (*all_checks(), *invariants(mutant.ruleset.program))
    subject = Subject(mutant.ruleset, checks, HANDS)
    asked = [check for check in checks if check.name in of.quiet]
    for check in sorted(asked, key=lambda check: check.name not in QUICK):
        if check.absent(subject.usage) is None and _negative(check, subject):
            return check.name
    return None


def _negative(check: Check, subject: Subject) -> bool:
    return check.run(check, subject).verdict is Verdict.REFUTED


# ---------------------------------------------------------------------------------------- the same hand again


def difference(hand: HandPlayed, program: c.Program) -> str | None:
    """What differs when a hand is played again under another program, or None."""
    theirs = _dealt_again(hand, program)
    mine = HandPlayed(hand.begin, _dealt_again(hand, hand.begin.program).state)
    for decision, choice in (*hand.choices, (None, None)):
        what = _differ(mine.state, theirs.state)
        if what is not None or decision is None:
            return what or _differ_later(mine.state, theirs.state)
        mine = HandPlayed(mine.begin, apply(mine.state, choice))
        theirs = HandPlayed(theirs.begin, apply(theirs.state, choice))
    return None


def _dealt_again(hand: HandPlayed, program: c.Program) -> HandPlayed:
    """The hand before its first choice, with everybody dealt the same cards."""
    begin = hand.begin
    dealt = Chance(given=hand.state.chance.dealt)
    carried = {key: value for key, value in begin.variables.items() if program.variables[key[0]].carried}
    return first_hand(program, dealt, begin.parameters, begin.readings, carried)


def _differ(mine: State, theirs: State) -> str | None:
    if (mine.fault is None) != (theirs.fault is None):
        return "the rules fail at run time"
    if _asked(mine.decision) != _asked(theirs.decision):
        return "something else is asked"
    if mine.zones != theirs.zones:
        return "cards lie elsewhere"
    if mine.variables != theirs.variables:
        return "something else is counted"
    if (mine.match_over, mine.winners) != (theirs.match_over, theirs.winners):
        return "the match ends otherwise"
    if mine.events != theirs.events:
        return "something else is told"
    return None


def _asked(decision: Decision | None) -> object:
    if decision is None:
        return None
    d = decision
    return d.player, d.label, d.type, tuple(d.legal), d.low, d.high, d.to


def _differ_later(mine: State, theirs: State) -> str | None:
    """What differs in how the next hand begins."""
    if mine.fault or mine.match_over or not mine.hand_over:
        return None
    after = [following_hand(state) for state in (mine, theirs)]
    begun = [state.begin if isinstance(state, HandPlayed) else state for state in after]
    if begun[0].variables != begun[1].variables:
        return "the next hand begins otherwise"
    return None
