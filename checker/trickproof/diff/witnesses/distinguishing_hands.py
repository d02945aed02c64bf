"""The smallest hand in which two rulesets part over one rule.

Where they part is seen by playing the grafted pair, which differs in this rule only, step by step side by side; the
scenario is then played under the two rulesets themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Literal

from trickproof.checking.engines import State
from trickproof.checking.played_hand import HandPlayed, first_hand, following_hand
from trickproof.diff.witnesses.paired_replay import (
    Answers,
    Scenario,
    answers,
    confirmed,
    plainly,
    shared_script,
    shortest,
    with_next_hand,
)
from trickproof.diff.witnesses.pre_play import Case
from trickproof.testing.deal_search import construct
from trickproof.testing.random_play import pick
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.writing import move_json, scenario_json
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import Key, Value

DEALS = 3
"""Deals tried for one case; each is tried with the first legal choices and with some at random."""

CONFIRMING = 40
MOST_TRIES = 500
"""Deals tried to see whether a hand that looks different is: of one case, and (about) of all."""

SEEDS = 4
"""Deals from a seed, where the cards of a hand are no deal of the other ruleset."""

ENOUGH = 3
"""Hands in which something else differs before, after which no other is looked for."""

Direction = Literal["wider", "narrower", "neither"]

Known = Mapping[Key, Value]
Taken = Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Pair:
    """Two rulesets `a` and `b`, and two (`one`, `other`) that differ as they do in one rule only.

    `host` is the one of `a` and `b` that the grafted pair is made of; `readings` are those taken by `one` and by `other`.
    """

    a: Ruleset
    b: Ruleset
    one: Ruleset
    other: Ruleset
    host: Ruleset
    readings: tuple[Taken, Taken]


@dataclass(frozen=True, slots=True)
class Parting:
    """A hand under both; `masked` where the rulesets part in it before, over something else.

    `choice` says, where the same player is asked the same, whether `b` leaves more to choose, or less.
    """

    answers: Answers
    masked: bool
    choice: Direction | None


def in_exchange(pair: Pair, cases: Iterable[tuple[Known, Taken, Taken]]) -> Parting | None:
    """The first hand in which they part before the play, from what hands begin with, parameters and readings."""
    listed = list(cases)
    tries = (
        _side_by_side(pair, *case, deal, seed, whole=False)
        for case in listed
        for deal in range(DEALS)
        for seed in (0, deal + 1)
    )
    return _first(pair, tries)


def confirmed_cases(pair: Pair, cases: Sequence[Case]) -> list[Case]:
    """The cases in which the grafted pair is seen to part before the play, in some hand that begins so."""
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


def in_play(pair: Pair, begins: Iterable[Known], number: int) -> Parting | None:
    """The first of some hands, played at random to their end, in which they part."""
    some = list(begins)[:4]
    tries = (
        _side_by_side(pair, some[i % len(some)], {}, {}, i, i, whole=True) for i in range(number) if some
    )
    return _first(pair, tries)


def after_division(
    pair: Pair, begin: Known, parameters: Taken, readings: Taken, tricks: tuple[int, ...]
) -> Parting | None:
    """A hand made of cards in which the tricks are divided so."""
    every = {**readings, **pair.readings[0]}
    carried = _carried(pair.one, begin)
    hand = construct(pair.one, _every(pair.one, parameters), every, carried, tricks)
    return None if hand is None else _shown(pair, hand, None, whole=True)


def _first(pair: Pair, tries: Iterator[Parting | None]) -> Parting | None:
    """The first in which nothing else differs before; else the first, rather one with cards that both deal."""
    masked: list[Parting] = []
    for parting in tries:
        if parting is not None and (not parting.masked or pair.a.program.deck != pair.b.program.deck):
            return parting
        masked += [parting] if parting is not None else []
        if len(masked) == ENOUGH:
            break
    return min(masked, key=lambda parting: "seed" in parting.answers.scenario, default=None)


def _every(ruleset: Ruleset, parameters: Taken) -> dict[str, int]:
    return {**{name: values[0] for name, values in ruleset.program.parameters.items()}, **parameters}


def _carried(ruleset: Ruleset, begin: Known) -> dict[Key, Value]:
    variables = ruleset.program.variables
    return {key: x for key, x in begin.items() if key[0] in variables and variables[key[0]].carried}


# ---------------------------------------------------------------------------------------- side by side


def _side_by_side(
    pair: Pair, begin: Known, parameters: Taken, readings: Taken, deal: int, seed: int, whole: bool
) -> Parting | None:
    """The grafted pair with the same deal and choices until they part; then the rulesets themselves."""
    both = _alongside(pair, begin, parameters, readings, deal, seed, whole)
    if both is None:
        return None
    mine, theirs = both
    return _shown(pair, mine, _choice(mine.state.decision, theirs.state.decision), whole)


def _alongside(
    pair: Pair, begin: Known, parameters: Taken, readings: Taken, deal: int, seed: int, whole: bool
) -> tuple[HandPlayed, HandPlayed] | None:
    """The grafted pair in hands with the same deal and choices, as they part; None where they do not.

    None also where the engine gives up: such a hand says nothing.
    """
    try:
        return _until_they_part(pair, begin, parameters, readings, deal, seed, whole)
    except EngineLimitError:
        return None


def _until_they_part(
    pair: Pair, begin: Known, parameters: Taken, readings: Taken, deal: int, seed: int, whole: bool
) -> tuple[HandPlayed, HandPlayed] | None:
    mine, theirs = (
        first_hand(
            ruleset.program,
            Chance(deal),
            _every(ruleset, parameters),
            {**readings, **taken},
            _carried(ruleset, begin),
        )
        for ruleset, taken in zip((pair.one, pair.other), pair.readings, strict=True)
    )
    rng = Random(seed) if seed else None
    while not _part(mine.state, theirs.state):
        decision = mine.state.decision
        if decision is None:
            return (mine, theirs) if _differ_later(mine.state, theirs.state) else None
        if decision.label == "play" and not whole:
            return None
        choice = pick(decision, rng, most=seed % 2 == 0)
        mine, theirs = mine.choose(choice), theirs.choose(choice)
    return mine, theirs


def _part(mine: State, theirs: State) -> bool:
    return any(getter(mine) != getter(theirs) for getter in (_happened, _pending, _ending))


def _happened(state: State) -> object:
    return state.fault is None, state.events, state.zones


def _ending(state: State) -> object:
    return state.match_over, state.winners


def _pending(state: State) -> object:
    d = state.decision
    return None if d is None else (d.player, d.label, d.type, tuple(d.legal), d.low, d.high, d.to)


def _differ_later(mine: State, theirs: State) -> bool:
    """Whether the next hand begins otherwise."""
    if mine.fault or mine.match_over:
        return False
    after = [following_hand(state) for state in (mine, theirs)]
    begun = [state.begin if isinstance(state, HandPlayed) else state for state in after]
    ends = [(dict(state.variables), state.match_over, state.winners) for state in begun]
    return ends[0] != ends[1]


def _choice(mine: Decision | None, theirs: Decision | None) -> Direction | None:
    """Which leaves more to choose, if the same player is asked the same."""
    if mine is None or theirs is None:
        return None
    if (mine.player, mine.label, mine.to) != (theirs.player, theirs.label, theirs.to):
        return None
    one, other = set(mine.legal), set(theirs.legal)
    if one <= other and theirs.low <= mine.low and mine.high <= theirs.high:
        return "wider"
    return "narrower" if other <= one and mine.low <= theirs.low and theirs.high <= mine.high else "neither"


# ------------------------------------------------------------------------------- under the two rulesets


def _shown(pair: Pair, hand: HandPlayed, choice: Direction | None, whole: bool) -> Parting | None:
    """The hand as a scenario under both rulesets, if they part in it."""
    for start in _starts(pair, hand):
        script = shared_script(pair.a, pair.b, start, _never if whole else _plays)
        if script is None:
            continue
        replayed = [
            x for x in (answers(pair.a, pair.b, script), answers(pair.a, pair.b, start)) if x is not None
        ]
        shown_hand = next((x for x in replayed if x.part), None)
        if shown_hand is not None and not whole:
            shown_hand = shortest(pair.a, pair.b, shown_hand)
        shown_hand = shown_hand or next((x for x in reversed(replayed) if x.ask), None)
        shown_hand = shown_hand or next(
            (x for x in map(partial(with_next_hand, pair.a, pair.b), replayed) if x), None
        )
        shown_hand = shown_hand or next((x for x in replayed if x.count), None)
        if shown_hand is not None:
            shown_hand = confirmed(pair.a, pair.b, plainly(pair.a, pair.b, shown_hand))
            return Parting(shown_hand, _parts_before(pair, start), choice)
    return None


def _never(_: State) -> bool:
    return False


def _plays(state: State) -> bool:
    return state.decision is not None and state.decision.label == "play"


def _parts_before(pair: Pair, start: Scenario) -> bool:
    """Whether the rulesets part already before the last choice that the grafted pair made alike."""
    if "seed" in start:
        return True
    if not start["moves"]:
        return False
    earlier = answers(pair.a, pair.b, {**start, "moves": start["moves"][:-1]})
    return earlier is None or earlier.part or earlier.ask


def _starts(pair: Pair, hand: HandPlayed) -> Iterator[Scenario]:
    """The hand with its cards; should these be no deal of the other ruleset, dealt from seeds instead."""
    moves = [move_json(hand.begin.program, decision, choice) for decision, choice in hand.choices]
    untaken = hand.state.but(readings={})  # told for each ruleset by itself, below
    written = scenario_json(pair.one, untaken, hand.begin.variables, moves)
    variables = {name: x for name, x in written.pop("variables", {}).items() if _in_both(pair, name)}
    written |= {"ruleset": pair.a.named} | ({"variables": variables} if variables else {})
    written["params"], readings = _qualified(pair, hand)
    written |= {"readings": readings} if readings else {}
    written = {key: value for key, value in written.items() if value is not None}
    if not any(written.get("scores", [])):
        written.pop("scores", None)
    yield written
    bare = {key: x for key, x in written.items() if key not in ("hands", "kitty", "zones")}
    if answers(pair.a, pair.b, {**written, "moves": []}) is None:
        for seed in range(SEEDS):
            yield {**bare, "seed": seed, "moves": []}


def _in_both(pair: Pair, name: str) -> bool:
    return all(name in ruleset.program.variables for ruleset in (pair.a, pair.b))


def _qualified(pair: Pair, hand: HandPlayed) -> tuple[dict[str, int], dict[str, str]]:
    """Parameters and readings that are not the first ones, each for the ruleset that has it."""
    params: dict[str, int] = {}
    readings: dict[str, str] = {}
    for ruleset, taken in zip((pair.a, pair.b), pair.readings, strict=True):
        program = ruleset.program
        for name, values in program.parameters.items():
            value = hand.begin.parameters.get(name, values[0])
            if value != values[0] and value in values:
                params[f"{ruleset.named}/{name}"] = value
        shared = {rule: i for rule, i in hand.begin.readings.items() if rule not in pair.readings[0]}
        for rule, names in program.readings.items():
            number = {**shared, **taken}.get(rule, 0)
            if 0 < number < len(names):
                readings[f"{ruleset.named}/{rule}"] = names[number]
    return params, readings
