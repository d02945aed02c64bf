"""The documented rulesets with few cards, as YAML text; and an enumeration of their deals.

The transformation is generic: the deck has few suits and ranks, and the numbers dealt, discarded, aimed at
and ended by shrink with it. What distinguishes the rulesets (who exchanges when, how much, in which order,
what is returned, when trump is called and the kitty taken) is the documented text itself.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from checker.rulesets_for_tests import LIBRARY, documented
from trickproof.analysis.usage import program_usage, rules_at
from trickproof.certificates.verifier import BY_CLAIMS, BY_FAULTS
from trickproof.checking.played_hand import HandPlayed, first_hand
from trickproof.checking.property import Moment
from trickproof.checks import all_checks
from trickproof.proofs.hands.initial_states import divisions
from trickproof.testing.random_play import FALLBACK, moments_at_end
from trickproof_dsl import core as c
from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.expressions import Store, evaluate
from trickproof_dsl.semantics.values import Key, Value

NAMES = (*BY_CLAIMS, *BY_FAULTS)
"""The checks that are compared: all that are about one deal."""

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


@dataclass(frozen=True)
class Size:
    """A size: ranks per suit, cards per hand, targets clockwise from the dealer."""

    suits: Mapping[str, str]
    hand: int
    targets: tuple[int, ...]


SEVEN = Size({"C": "QKA", "D": "JQKA"}, 2, (2, 0, 0))
"""Two cards each and one in the kitty: few enough to enumerate every deal."""

SIX = Size({"C": "QKA", "D": "QKA"}, 2, (2, 0, 0))
"""The same without a kitty."""

EIGHT = Size({"C": "JQKA", "D": "JQKA"}, 2, (1, 1, 0, 0))
"""The same for four players."""

THIRTEEN = Size({"C": "TJQKA", "D": "JQKA", "H": "JQKA"}, 4, (3, 1, 0))
"""Four cards each and one in the kitty."""

TWELVE = Size({"C": "JQKA", "D": "JQKA", "H": "JQKA"}, 4, (3, 1, 0))

TWELVE_FOR_FOUR = Size({"C": "JQKA", "D": "JQKA", "H": "JQKA"}, 3, (2, 1, 0, 0))


def size_for(name: str, few: bool) -> Size:
    """The size to which a documented ruleset is shrunk."""
    ruleset = documented(name)
    if ruleset.program.players == 4:
        return EIGHT if few else TWELVE_FOR_FOUR
    kitty = "kitty" in texts(ruleset) and "do kitty" in " ".join(texts(ruleset).values())
    return (SEVEN if few else THIRTEEN) if kitty else (SIX if few else TWELVE)


def texts(ruleset: Ruleset) -> dict[str, str]:
    """The text of every rule that has one and is not standard."""
    found = {}
    for name, rule in ruleset.whole.rules.items():
        if rule.text is not None and rule.text.source.name != "prelude.yaml":
            found[name] = textwrap.dedent(" " * (rule.text.column - 1) + rule.text.text)
    return found


def shrunk(name: str, size: Size, fault: Mapping[str, str] | None = None) -> Ruleset:
    """A documented ruleset with few cards; `fault` replaces some of its rules (written for the full deck)."""
    rules = texts(documented(name)) | dict(fault or {})
    smaller = {rule: _smaller(text, size) for rule, text in rules.items()}
    changed = {rule: text for rule, text in smaller.items() if text != rules[rule] or rule in (fault or {})}
    ranks = "9" + max(size.suits.values(), key=len)
    without = [rank + suit for suit, held in size.suits.items() for rank in ranks if rank not in held]
    lines = [f"ruleset: {name}-{len(''.join(size.suits.values()))}", f"extends: {name}", "deck:"]
    lines += [f"  ranks: {' '.join(ranks)}", f"  suits: {' '.join(f'{s}={SUITS[s]}' for s in size.suits)}"]
    lines += [f"  without: {' '.join(without)}", "  assumes: few cards"]
    if documented(name).program.parameters:
        lines += [
            "parameters:",
            *(f"  {p}: {size.hand + 1} | {size.hand + 2}" for p in documented(name).program.parameters),
        ]
    lines += ["rules:"]
    for rule, text in changed.items():
        lines += [f"  {rule}:", "    rule: |", textwrap.indent(text, " " * 6), "    assumes: few cards"]
    ruleset, wrong = LIBRARY.load_text("\n".join(lines) + "\n", f"{name}-few.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


def _smaller(text: str, size: Size) -> str:
    """A rule with smaller numbers: cards dealt, the four cards of the kitty, targets, and what ends a match.

    No deal ends a match, so that every trick distribution has a deal after it.
    """
    text = re.sub(r"deal 1[367] cards to hand", f"deal {size.hand} cards to hand", text)
    text = re.sub(r"deal 18 cards to hand", f"deal {size.hand + 1} cards to hand", text)
    text = text.replace("discards 4 cards", "discards 1 card").replace("discards 3 cards", "discards 2 cards")
    if re.match(r"target of dealer becomes", text):
        numbers = iter(size.targets)
        text = re.sub(r"becomes \d+", lambda _: f"becomes {next(numbers)}", text)
    most = size.hand + 1
    text = re.sub(r"tricks >= \d+", f"tricks >= {most}", text)
    return re.sub(r"(over|score) (>=|<=) (-?)\d+", rf"\1 \2 \g<3>{most}", text)


# ---------------------------------------------------------------------------------------------- enumeration


@dataclass(frozen=True)
class Begin:
    """The initial variables, parameters and readings of a deal."""

    variables: Mapping[Key, Value]
    parameters: Mapping[str, int]
    readings: Mapping[str, int]


def begins(ruleset: Ruleset, dealers: Iterable[int] = (0,)) -> Iterator[Begin]:
    """The first deal, and the deal after every trick distribution; for all readings and parameters."""
    program = ruleset.program
    usage = program_usage(program)
    number = _tricks(program)
    for readings in _combinations({r: range(len(program.readings[r])) for r in sorted(usage.readings)}):
        for parameters in _combinations({p: program.parameters[p] for p in sorted(usage.parameters)}):
            for dealer in dealers:
                yield Begin({("dealer",): dealer}, parameters, readings)
                for tricks in divisions(number, program.players):
                    later = _after(program, dealer, tricks, parameters, readings)
                    if later is not None:
                        yield Begin(later, parameters, readings)


def _tricks(program: c.Program) -> int:
    hand = first_hand(program, Chance(0), {}, {}, {})
    return max(len(hand.state.cards("hand", p)) for p in range(1, program.players))


def _combinations(of: Mapping[str, Sequence[int]]) -> Iterator[dict[str, int]]:
    if not of:
        yield {}
        return
    (name, values), *rest = of.items()
    for value in values:
        for others in _combinations(dict(rest)):
            yield {name: value, **others}


def _after(
    program: c.Program,
    dealer: int,
    tricks: Sequence[int],
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
) -> dict[Key, Value] | None:
    """What is carried into the deal after one with this trick distribution; None if that ended the match."""
    state = interpret.initial(program, None, parameters, readings, {("dealer",): dealer})
    for rule in ("targets", "scoring"):
        body = program.rules[rule].body
        assert body is not None
        state = interpret.run(state, body)
        won: dict[Key, Value] = {("tricks", p): n for p, n in enumerate(tricks)}
        state = state.but(variables=won)
    state = interpret.run(state, program.rules["scoring"].body or ())
    end = program.rules["end"].value
    assert end is not None
    store = Store(program, state.parameters, state.readings, state.variables, state.zones)
    if evaluate(end, store, {}):
        return None
    state = interpret.run(state, program.between)
    return {key: value for key, value in state.variables.items() if program.variables[key[0]].carried}


def every_deal(ruleset: Ruleset, hand: int) -> Iterator[tuple[int, ...]]:
    """Every deal of `hand` cards each, as an order of the deck; undealt cards stay in deck order."""
    players = ruleset.program.players
    yield from _dealt(tuple(range(len(ruleset.program.deck.cards))), hand, players, ())


def _dealt(
    left: tuple[int, ...], hand: int, players: int, dealt: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    if players == 0:
        yield (*dealt, *left)
        return
    for cards in combinations(left, hand):
        rest = tuple(card for card in left if card not in cards)
        yield from _dealt(rest, hand, players - 1, (*dealt, *cards))


def some_deals(ruleset: Ruleset, number: int, seed: int = 0) -> Iterator[tuple[int, ...]]:
    """A seeded sample of orders of the deck."""
    rng, cards = Random(seed), range(len(ruleset.program.deck.cards))
    for _ in range(number):
        yield tuple(rng.sample(cards, len(cards)))


class Enumeration:
    """Every deal from given initial states and orders of the deck: what each check finds wrong, by name."""

    def __init__(self, ruleset: Ruleset, plays: bool) -> None:
        self.program, self.plays = ruleset.program, plays
        usage = program_usage(self.program)
        self.checks = [check for check in all_checks() if check.absent(usage) is None]
        self.wrong: dict[str, str] = {}
        self.hands = 0

    def run(self, begin: Begin, deal: tuple[int, ...]) -> None:
        """All plays of one initial state and deal; without `plays`, up to the first card."""
        chance = Chance(given={("deck",): deal})
        hand = first_hand(self.program, chance, begin.parameters, begin.readings, begin.variables)
        self._from(hand, playing=False)

    def _from(self, hand: HandPlayed, playing: bool) -> None:
        decision = hand.state.decision
        if decision is None:
            self.hands += 1
            if hand.state.fault is not None:
                self._blame(hand)
            else:
                self._look(hand, moments_at_end(hand.state))
            return
        starts = decision.label == "play" and not playing
        self._look(hand, ["always", "play-starts"] if starts else ["always"])
        if starts and not self.plays:
            self.hands += 1
            return
        for choice in options(decision):
            self._from(hand.choose(choice), playing or starts)

    def _look(self, hand: HandPlayed, moments: Sequence[Moment]) -> None:
        for check in self.checks:
            for probe in check.probes:
                if probe.moment in moments and check.name not in self.wrong:
                    message = probe.looks(hand)
                    if message:
                        self.wrong[check.name] = message

    def _blame(self, hand: HandPlayed) -> None:
        fault = hand.state.fault
        assert fault is not None
        rules = rules_at(self.program, fault.span)
        name = next((check.name for check in self.checks if check.breaks(fault, rules)), FALLBACK)
        self.wrong.setdefault(name, fault.message)


def options(decision: Decision) -> Iterator[Value]:
    """All legal choices."""
    if decision.type != c.CARDS:
        yield from decision.legal
        return
    for number in range(decision.low, decision.high + 1):
        yield from map(frozenset, combinations(decision.legal, number))


__all__ = [
    "NAMES",
    "Enumeration",
    "begins",
    "every_deal",
    "shrunk",
    "size_for",
    "some_deals",
]
