"""A deal as a scenario under two rulesets that diverge in it, with the match that leads to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from trickproof.analysis.usage import program_usage
from trickproof.checking.engines import COMPILED, State
from trickproof.checking.played_hand import HandPlayed, following_hand
from trickproof.checking.verdict import DisagreementError
from trickproof.diff.witnesses.paired_replay import (
    Answers,
    Scenario,
    Told,
    confirmed,
    dealt_alike,
    first_told,
    plainly,
    shared_script,
    shortest,
    told_by_one,
    tried,
    with_next_hand,
)
from trickproof.equivalence.normal_form import Setting, setting_of
from trickproof.testing.match_search import played_again, random_match
from trickproof.testing.witness import replayed_match, scenario
from trickproof_dsl import core as c
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import Json, variable_json
from trickproof_dsl.scenarios.situation import SCENARIO_WORDS
from trickproof_dsl.scenarios.writing import move_json, scenario_json
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.machine import initial, run
from trickproof_dsl.semantics.values import Key, Value

Direction = Literal["wider", "narrower", "neither"]

Known = Mapping[Key, Value]
Taken = Mapping[str, int]


RESULT = ("over", "scores", "match_over", "winners")
"""Fields of a state that give the result of a deal."""

SEEDS = 4
"""Number of seeds tried if the other ruleset cannot deal the cards."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two rulesets `a` and `b`, and a grafted pair (`one`, `other`) that differs as they do in a single rule.

    `host` is the one of `a` and `b` that the grafted pair is based on; `readings` are those chosen for `one`
    and `other`.
    """

    a: Ruleset
    b: Ruleset
    one: Ruleset
    other: Ruleset
    host: Ruleset
    readings: tuple[Taken, Taken]

    @cached_property
    def settings(self) -> tuple[Setting, Setting]:
        """What is known of both grafted programs, for their normal forms."""
        return setting_of(self.one.program), setting_of(self.other.program)


@dataclass(frozen=True, slots=True)
class Parting:
    """A deal under both; `masked` if the rulesets already diverge earlier, because of another rule.

    `deals_before` are the preceding deals of the match, or None if only the grafted pair plays them; `apart` is how that
    pair differs in the result of the deal, if it does.
    """

    answers: Answers
    masked: bool
    deals_before: tuple[Scenario, ...] | None = ()
    apart: Answers | None = None


def carried(program: c.Program, begin: Known) -> dict[Key, Value]:
    """The part of an initial state that is carried; the rest has no value yet, and each program has its own names for it."""
    variables = program.variables
    return {key: x for key, x in begin.items() if key[0] in variables and variables[key[0]].carried}


def shown(pair: Pair, hand: HandPlayed, choice: bool, whole: bool) -> Parting | None:
    """The deal as a scenario under both rulesets, if they diverge in it; `choice` if the pair then has the same question, with other options."""
    for start in _starts(pair, hand):
        script = shared_script(pair.a, pair.b, start, _never if whole else _plays)
        if script is None:
            continue
        masked = _parts_before(pair, start)
        first = tried(pair.a, pair.b, script)
        enough = first is not None and first.part and not (whole and choice)
        replayed = [x for x in (first, None if enough else tried(pair.a, pair.b, start)) if x is not None]
        asked = whole and choice and any(x.ask and not x.part for x in replayed[-1:])
        shown_hand = next((x for x in replayed if x.part and not asked), None)
        if shown_hand is not None and not whole:
            own = _own_events(pair, shown_hand) if masked else (Told(), Told())
            shown_hand = shortest(pair.a, pair.b, shown_hand, own)
            masked = masked and not first_told(shown_hand, own)
        shown_hand = shown_hand or next((x for x in reversed(replayed) if x.ask), None)
        later = (with_next_hand(pair.a, pair.b, x) for x in replayed if not _seen_at_once(pair, x))
        shown_hand = shown_hand or next((x for x in later if x is not None), None)
        shown_hand = shown_hand or next((x for x in replayed if x.count), None)
        if shown_hand is not None and dealt_alike(pair.a, pair.b, shown_hand.scenario):
            shown_hand = plainly(pair.a, pair.b, shown_hand)
            settled = hand.state.hand_over and pair.a.program.deck == pair.b.program.deck
            visible = _settled_otherwise(pair, shown_hand, masked) if settled else (shown_hand, None)
            told = visible and confirmed(pair.a, pair.b, visible[0])
            if visible is not None and told is not None:
                apart = visible[1] and confirmed(pair.one, pair.other, visible[1])
                return Parting(told, masked, _deals_before(pair, hand), apart)
    return None


def _settled_otherwise(
    pair: Pair, shown_hand: Answers, masked: bool
) -> tuple[Answers, Answers | None] | None:
    """A deal whose results differ as those of the grafted pair do, and those if they differ; else None."""
    grafted = _grafted(pair, shown_hand.scenario)
    if not masked:
        apart = set[tuple[str, str]]() if grafted is None or shown_hand.later else _ends(grafted)
        if apart.isdisjoint(_ends(shown_hand)):
            return None if apart else (shown_hand, None)
        return shown_hand, grafted
    if grafted is None:
        return None
    if not _ends(grafted).isdisjoint(_ends(shown_hand)):
        return shown_hand, grafted
    later = with_next_hand(pair.a, pair.b, shown_hand), with_next_hand(pair.one, pair.other, grafted)
    if later[0] is None or later[1] is None or _ends(later[0]).isdisjoint(_ends(later[1])):
        return None
    return later[0], later[1]


def _seen_at_once(pair: Pair, replayed: Answers) -> bool:
    """Whether the grafted pair already diverges in a deal."""
    grafted = _grafted(pair, replayed.scenario)
    return grafted is not None and (grafted.part or grafted.ask)


def _grafted(pair: Pair, scenario: Scenario) -> Answers | None:
    """The answers of the grafted pair, which has the names of both rulesets."""
    program = pair.one.program
    told = {
        section: {
            own: x
            for name, x in scenario.get(section, {}).items()
            if (own := name.rpartition("/")[2]) in declared
        }
        for section, declared in (("variables", program.variables), ("params", program.parameters))
    }
    return tried(pair.one, pair.other, {**scenario, **told})


def _own_events(pair: Pair, shown_hand: Answers) -> tuple[Told, Told]:
    """The events that only one of both has, as in the grafted pair; empty if it has none or other ones."""
    grafted = _grafted(pair, shown_hand.scenario)
    mine, theirs = told_by_one(shown_hand)
    own = None if grafted is None else told_by_one(grafted)
    return own if own and own[0] <= mine and own[1] <= theirs else (Told(), Told())


def _ends(answered: Answers) -> set[tuple[str, str]]:
    """What differs after the last trick: events, and fields of the final state."""
    differ = {
        ("state", key) for key in RESULT if answered.a["state"].get(key) != answered.b["state"].get(key)
    }
    ends: list[dict[str, dict[str, Json]]] = []
    for answer in (answered.a, answered.b):
        events: list[dict[str, Json]] = answer["events"]
        played = max((i for i, event in enumerate(events) if event["event"] in ("play", "trick")), default=-1)
        ends.append({str(event["event"]): event for event in events[played + 1 :]})
    for kind in ends[0].keys() | ends[1].keys():
        mine, theirs = (end.get(kind, {}) for end in ends)
        differ |= {(kind, name) for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)}
    return differ | {("next deal", name) for name in (answered.later or ({},))[0]}


def _deals_before(pair: Pair, hand: HandPlayed) -> tuple[Scenario, ...] | None:
    """The deals before this one, as one of the rulesets plays them; None if neither reaches the same state."""
    for ruleset in (pair.a, pair.b) if hand.earlier else ():
        if ruleset.program.deck != hand.begin.program.deck:
            continue
        try:
            deals = tuple(scenario(ruleset, deal) for deal in hand.earlier)
            last = replayed_match(ruleset, deals).state
        except (DisagreementError, KeyError, EngineLimitError):
            continue
        if last.match_over or not last.hand_over:
            continue
        after = following_hand(last)
        if isinstance(after, State):
            continue
        begun = after.begin.variables
        if all(begun.get(key) == x for key, x in carried(ruleset.program, hand.begin.variables).items()):
            return deals
    return None if hand.earlier else ()


def _never(_: State) -> bool:
    return False


def _plays(state: State) -> bool:
    return state.decision is not None and state.decision.label == "play"


def _parts_before(pair: Pair, start: Scenario) -> bool:
    """Whether the rulesets already diverge before the last choice common to the grafted pair, which does not do so there."""
    if "seed" in start:
        return True
    if not start["moves"]:
        return False
    begun = {**start, "moves": start["moves"][:-1]}
    earlier = tried(pair.a, pair.b, begun)
    if earlier is None or not (earlier.part or earlier.ask):
        return earlier is None
    own = _grafted(pair, begun)
    return own is None or (own.part, own.ask, own.event) != (earlier.part, earlier.ask, earlier.event)


def _starts(pair: Pair, hand: HandPlayed) -> Iterator[Scenario]:
    """The deal with its cards; if the other ruleset cannot deal them, deals from seeds instead."""
    moves = [move_json(hand.begin.program, decision, choice) for decision, choice in hand.choices]
    untaken = hand.state.but(readings={})  # set separately for each ruleset below
    written = scenario_json(pair.one, untaken, hand.begin.variables, moves)
    starts = _starting_values(pair, hand)
    own = [_own_values(pair, ruleset, hand, starts) for ruleset in (pair.a, pair.b)]
    apart = {key[0] for key, _ in own[0].items() ^ own[1].items()}
    own = [{key: x for key, x in values.items() if key[0] in apart} for values in own]
    told = {
        name: written.pop(key)
        for key, name in SCENARIO_WORDS.items()
        if key in written and _is_own(name, own)
    }
    variables = dict(_variables(pair, hand, own, starts, {**written.pop("variables", {}), **told}))
    written |= {"ruleset": pair.a.named} | ({"variables": variables} if variables else {})
    written["params"], readings = _qualified(pair, hand)
    written |= {"readings": readings} if readings else {}
    written = {key: value for key, value in written.items() if value is not None}
    if not any(written.get("scores", [])):
        written.pop("scores", None)
    yield written
    bare = {key: x for key, x in written.items() if key not in ("hands", "kitty", "zones")}
    if tried(pair.a, pair.b, {**written, "moves": []}) is None:
        for seed in range(SEEDS):
            yield {**bare, "seed": seed, "moves": []}


def _variables(
    pair: Pair,
    hand: HandPlayed,
    own: Sequence[Known],
    starts: Sequence[Known],
    written: Mapping[str, Json],
) -> Iterator[tuple[str, Json]]:
    """Carried values as both know them.

    One private to a ruleset is qualified with its name, unless it has its initial value.
    """
    program = hand.begin.program
    for name, value in written.items():
        if not _is_own(name, own):
            yield name, value
        for ruleset, values, start in zip((pair.a, pair.b), own, starts, strict=True):
            if any(key[0] == name for key in values):
                mine = variable_json(program, name, {**hand.begin.variables, **values})
                untold = {**hand.begin.variables, **start, ("first-hand",): False}
                if mine != variable_json(program, name, untold):
                    yield f"{ruleset.named}/{name}", mine


def _starting_values(pair: Pair, hand: HandPlayed) -> list[Known]:
    """What both rulesets' matches begin with, under the parameters and readings of a deal."""
    starts: list[Known] = []
    for number, ruleset in enumerate((pair.a, pair.b)):
        program, begin = ruleset.program, hand.begin
        given = {name: n for name, n in begin.parameters.items() if name in program.parameters}
        taken = {rule: {**begin.readings, **pair.readings[number]}.get(rule, 0) for rule in program.readings}
        starts.append(run(initial(program, Chance(), given, taken), program.setup).variables)
    return starts


def _is_own(name: str, own: Sequence[Known]) -> bool:
    return any(key[0] == name for values in own for key in values)


def _own_values(pair: Pair, ruleset: Ruleset, hand: HandPlayed, starts: Sequence[Known]) -> Known:
    """The carried values of one ruleset alone, which the other lacks, never assigns or begins otherwise, before a deal.

    They are computed by the ruleset's own rules, not by those of the ruleset that the deals come from. If it
    does not allow these deals, the values are those after as many other deals.
    """
    other, taken = (pair.b, pair.readings[0]) if ruleset is pair.a else (pair.a, pair.readings[1])
    sets = [program_usage(x.program).assigns for x in (ruleset, other)]
    alone = sets[0] - sets[1] if ruleset.named != other.named else frozenset[str]()
    mine, theirs = starts if ruleset is pair.a else starts[::-1]
    unequal = {key[0] for key in mine.keys() & theirs.keys() if mine[key] != theirs[key]}
    private = {
        key: x
        for key, x in carried(ruleset.program, hand.begin.variables).items()
        if key[0] not in other.program.variables or key[0] in alone | unequal
    }
    if not hand.earlier:
        return {key: mine[key] if key[0] in unequal else x for key, x in private.items()}
    if not private:
        return private
    program, begin = ruleset.program, hand.begin
    parameters = {name: begin.parameters.get(name, values[0]) for name, values in program.parameters.items()}
    readings = {rule: {**begin.readings, **taken}.get(rule, 0) for rule in program.readings}
    terms, number = (parameters, readings), len(hand.earlier)
    before = played_again(program, terms, hand.earlier, COMPILED)
    begun = (None if before is None else before.then()) or random_match(program, terms, number)
    return private if begun is None else {key: begun.begin.variables[key] for key in private}


def _qualified(pair: Pair, hand: HandPlayed) -> tuple[dict[str, int], dict[str, str]]:
    """Parameters and readings other than the defaults, for each ruleset that has them."""
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
