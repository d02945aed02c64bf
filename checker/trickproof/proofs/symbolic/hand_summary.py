"""The part of a deal after the play, for all divisions of the tricks at once: scoring, end of the match, next dealer.

The play affects this part only through the number of tricks that each player takes (`PlayOutcome` states what
is known about that) and through variables set before or during the play: targets, contracts and other values
chosen or computed before it (`merge.py`); the rest are unknown. `Settlement.match` unrolls deals from the
start of a match; `Settlement.anywhere` is one deal with unknown carried values. Both raise `NotEncodedError`
and `GapError` (`expressions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count

import z3

from trickproof.analysis.card_locations import differs_at_start
from trickproof.analysis.dependencies import in_play
from trickproof.analysis.nullability import set_to_something
from trickproof.analysis.slicing import DEALT, Slice, sliced
from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import SolverSession
from trickproof.proofs.smt.symbolic_values import Bool, Int, Members, Symbol
from trickproof.proofs.symbolic.cards.card_places import Places, unknown_places
from trickproof.proofs.symbolic.cards.unknowns import anything
from trickproof.proofs.symbolic.courses import unlisted
from trickproof.proofs.symbolic.expressions import Encoder, NotEncodedError
from trickproof.proofs.symbolic.hand_parts import (
    earlier,
    looked_at,
    parts_of_hand,
    redeals,
    redealt_slice,
    stops,
)
from trickproof.proofs.symbolic.merge import carry_out
from trickproof.proofs.symbolic.path_state import Disclosure, Environment
from trickproof.proofs.symbolic.redeals import redeals_of
from trickproof.testing.hand_constants import Varies, few_sizes, sizes_of
from trickproof.testing.play_courses import courses_of
from trickproof.testing.subject import MOST_COMBINATIONS, Subject, seat
from trickproof_dsl import core as c
from trickproof_dsl.core.faults import may_be_none
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.machine import begin, initial
from trickproof_dsl.semantics.state import State
from trickproof_dsl.semantics.values import Key, Value, owner_keys, uncarried


class PlayOutcome(Enum):
    """What is known about the tricks when the play is over; all but the last must be proved (`hands/grounds.py`)."""

    LISTED = (
        "they add up to the tricks played, whose number depends only on the dealer, parameters and readings; and if certain"
        " conditions hold for the carried variables, they are divided in one of a few ways"
    )
    KNOWN_SIZE = (
        "they add up to the tricks played, whose number depends only on the dealer, parameters and readings"
    )
    SOME_SIZE = "they add up to the tricks played, whose number is one of a few"
    ANY_SIZE = "they add up to the tricks played, however many these are"
    AT_MOST_SIZE = "they add up to at most the tricks of the deal, whose number depends only on the dealer, parameters and readings"
    UNKNOWN = "nothing"

    @property
    def known_size(self) -> bool:
        """Whether the number of tricks in a deal depends only on the dealer, parameters and readings."""
        return self in (PlayOutcome.LISTED, PlayOutcome.KNOWN_SIZE, PlayOutcome.AT_MOST_SIZE)

    @property
    def all_taken(self) -> bool:
        """Whether every trick of a deal is taken by some player."""
        return self not in (PlayOutcome.AT_MOST_SIZE, PlayOutcome.UNKNOWN)

    @property
    def fixed_total(self) -> bool:
        """Whether the dealer, parameters and readings determine the total number of tricks taken."""
        return self.known_size and self.all_taken


@dataclass(frozen=True, slots=True)
class Hand:
    """A settled deal: `facts` hold of its unknowns; `broken` says when the rules fail at run time in it.

    `interrupted` says when they fail between the previous deal and this one, and `unplayed` when they fail
    before its play; the facts exclude that, except for the subset `domain`, which only constrains the
    unknowns. `choices` holds the decisions made before the play.
    """

    begin: Mapping[Key, Symbol]
    tricks: tuple[Int, ...]
    after: Mapping[Key, Symbol]
    ended: Bool
    winners: Members
    broken: Bool
    facts: tuple[Bool, ...]
    size: Int
    choices: tuple[Int, ...] = ()
    interrupted: Bool = False
    domain: tuple[Bool, ...] = ()
    unplayed: Bool = False
    disclosures: tuple[Disclosure, ...] = ()
    faults: tuple[tuple[Bool, Span], ...] = ()
    """The runtime faults after the play, with their places."""
    early: Bool = False
    """Whether the match ends before the play is over."""
    over: Bool = False
    """Whether the match ends in the deal itself, not in the steps between it and the next."""
    stopped: Bool = False
    """Whether the deal stops before its play is over, for any reason."""
    places: Places | None = None
    """Where the cards lie at the end of the deal, if that is followed."""
    again: Bool = False
    """Whether it is thrown in: the next deal begins with the values carried then, without the steps between deals."""

    def total(self, name: str) -> Int:
        """The sum of a variable over its owners after the deal."""
        return y.total(value for key, value in self.after.items() if key[0] == name)


class Settlement:
    """The settlement of a ruleset under given parameters and readings.

    Of the variables `set_before` the end of the play, the `reckoned` ones are tracked to their values at that
    point; cards, if it is known which zones are `bare` then. If a deal may stop early (`stops`), its values are arbitrary; if it may be thrown in, the carried
    values are unchanged except for those it can have set by then.
    """

    def __init__(
        self,
        subject: Subject,
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
        outcome: PlayOutcome,
        before: tuple[tuple[c.Stmt, ...], Slice] | None = None,
        bare: frozenset[str] | None = None,
    ) -> None:
        self.subject, self.program = subject, subject.program
        self.parameters, self.readings = dict(parameters), dict(readings)
        self.before, self.after = parts_of_hand(self.program)
        self.matters = earlier(subject)
        if before is not None:  # those of another program, equivalent up to here
            self.before, self.matters = before
        self.set_before = usage_of(self.before).assigns
        self.reckoned = (self.matters.names & self.set_before) - in_play(self.program)
        self.never_none = set_to_something(self.before)
        self.outcome = outcome
        self.sizes = _sizes(subject, self.parameters, self.readings) if outcome.known_size else {}
        self.few = sorted(few_sizes(subject), reverse=True) if outcome is PlayOutcome.SOME_SIZE else []
        self.courses = courses_of(subject) if outcome is PlayOutcome.LISTED else None
        self.ends_between = bool(usage_of(self.program.between).ends)
        self.stops = stops(self.program)
        self.redeals = redeals_of(self.program, self.before)
        self.redealt_after_play = bool(redeals(*self.after))
        self.bare = bare if looked_at(self.program) else None

    def solver(self, patience: int | None = None) -> SolverSession:
        """A solver for queries about these settled deals."""
        return SolverSession(self.subject.session, patience)

    def environment(
        self, variables: Mapping[Key, Symbol], tag: str = "", places: Places | None = None
    ) -> Environment:
        """An environment for expressions over these variables."""
        symbols = {key: _symbol(x) for key, x in variables.items()}
        return Environment(self.program, symbols, self.parameters, self.readings, tag=tag, places=places)

    def under(self, readings: Mapping[str, int]) -> Settlement:
        """The same settlement with additional readings, which do not matter to it."""
        other = copy(self)
        other.readings = dict(readings)
        return other

    def start(self) -> dict[Key, Symbol]:
        """The values that the first deal of a match begins with."""
        begun = self.at_start()
        if begun.match_over:
            raise NotEncodedError("the match is over before its first deal", self.program.rules["hand"].span)
        return {key: _symbol(value) for key, value in begun.variables.items()}

    @property
    def over_at_start(self) -> bool:
        """Whether the match is over before its first deal."""
        return bool(usage_of(self.program.setup).ends) and self.at_start().match_over

    def at_start(self) -> State:
        """A match before its first deal, which is always the same."""
        if (place := differs_at_start(self.program)) is not None:
            raise NotEncodedError("the match does not always start in the same way", place.span)
        try:
            begun = begin(self.program, Chance(), self.parameters, self.readings)
        except EngineLimitError as limit:
            raise NotEncodedError(
                f"the engine gives up before the first deal: {limit.message}", limit.span
            ) from None
        if begun.fault is not None:
            raise NotEncodedError(f"the match cannot start: {begun.fault.message}", begun.fault.span)
        return begun

    def match(self, begin: Mapping[Key, Symbol] | None = None) -> Iterator[Hand]:
        """The deals of a match in sequence, each continuing from the last; from its start, or from `begin`."""
        variables = self.start() if begin is None else dict(begin)
        interrupted: Bool = False
        for number in count(1):
            hand = replace(self.hand(variables, f"hand{number}"), interrupted=interrupted)
            yield hand
            variables, interrupted = self.following(hand)

    def anywhere(self, dealer: int | None, again: bool | None = None, goes_on: bool = False) -> Hand:
        """A deal by `dealer` with unknown carried values; `again` and `goes_on` as in `hand`."""
        return self.hand(*self.unknown(dealer), again=again, goes_on=goes_on)

    def unknown(self, dealer: int | None) -> tuple[dict[Key, Symbol], str, list[Bool]]:
        """Unknown carried values (named `carried.…`) of a deal by `dealer`, with the facts about them."""
        facts: list[Bool] = []
        variables = {key: _symbol(value) for key, value in initial(self.program).variables.items()}
        changing = self.subject.usage.assigns | self.set_before
        for info in self.program.variables.values():
            if info.carried and info.name in changing:
                variables |= self._unknown(info, "carried", facts)
        if dealer is not None:
            variables[("dealer",)] = dealer
        return variables, "hand", facts

    @property
    def dealers(self) -> Sequence[int | None]:
        """The possible dealers."""
        return range(self.program.players) if seat(self.program) else [None]

    def hand(
        self,
        begin: Mapping[Key, Symbol],
        tag: str,
        facts: Sequence[Bool] = (),
        division: Callable[[Int], tuple[Int, ...]] | None = None,
        again: bool | None = None,
        goes_on: bool = False,
    ) -> Hand:
        """A deal from the values it begins with; `division` fixes the tricks of each player, so that the deal is played out.

        If `again` is given, the deal is thrown in after its play (True) or not at all (False). If the match
        `goes_on`, it does not end before the play is over.
        """
        program, matters = self.program, self.matters
        begin = {key: _symbol(x) for key, x in begin.items()}
        start = carry_out(self.environment(begin, tag), self.before, matters)
        known, unplayed = [*facts, *start.facts], start.broken
        variables = dict(start.variables)
        for name in sorted(self.set_before - self.reckoned):
            variables |= self._set(program.variables[name], tag, known)
        size = self._size(begin, tag, division)
        known += [y.disj(*(y.compare("=", size, few) for few in self.few))] if self.few else []
        early, cut_short, redealt = (
            self._stops(tag, again, goes_on) if division is None and not again else (False, False, False)
        )
        stopped = y.disj(early, cut_short, redealt)
        if division is None:
            tricks: tuple[Int, ...] = tuple(z3.Int(f"{tag}.tricks.{p}") for p in range(program.players))
            if self.outcome is not PlayOutcome.UNKNOWN:
                known += [y.disj(stopped, trick >= 0) for trick in tricks]
                taken = z3.Sum(*tricks)
                known.append(y.disj(stopped, taken == size if self.outcome.all_taken else taken <= size))
            known += [y.disj(stopped, y.neg(self._unlisted(begin, tricks)))] if self.courses else []
        else:
            tricks = division(size)
            wrong = y.compare(
                ">" if self.outcome is PlayOutcome.AT_MOST_SIZE else "!=", y.total(tricks), size
            )
            wrong = wrong if self.outcome is not PlayOutcome.UNKNOWN else False
            unplayed = y.disj(unplayed, wrong, self._unlisted(begin, tricks))
        variables |= {("tricks", p): trick for p, trick in enumerate(tricks)}
        variables[("hand-size",)] = size
        places = None if self.bare is None else unknown_places(program, tag, self.bare, stopped, known)
        end = carry_out(self.environment(variables, places=places), self.after)
        after, broken, ended, winners = end.variables, end.broken, end.ended, end.winners
        thrown_in = y.disj(*(when for when, _ in end.thrown_in))
        if again is not None:
            known.append(y.disj(stopped, thrown_in if again else y.neg(thrown_in)))
            thrown_in = again
        if stopped is not False:
            after = self._stopped(stopped, redealt, begin, tag, known, after)
            broken, ended = y.conj(y.neg(stopped), broken), y.disj(early, y.conj(y.neg(stopped), ended))
            winners = y.choose_members(early, self._winners_early(tag, known), winners)
            thrown_in = y.disj(redealt, y.conj(y.neg(stopped), thrown_in))
        over = ended
        if self.ends_between:
            break_ = self._break(after, end.places)
            ends = y.conj(y.neg(thrown_in), y.neg(break_.broken), break_.ended)
            then = y.conj(y.neg(ended), y.neg(broken), ends)
            ended, winners = y.disj(ended, then), y.choose_members(then, break_.winners, winners)
        return Hand(
            begin,
            tricks,
            after,
            ended,
            winners,
            broken,
            (*known, y.disj(stopped, y.neg(unplayed))),
            size,
            tuple(start.choices),
            domain=tuple(known),
            unplayed=unplayed,
            disclosures=end.disclosures,
            early=early,
            over=over,
            stopped=stopped,
            again=thrown_in,
            places=end.places,
            faults=tuple((y.conj(y.neg(stopped), when), span) for when, span in end.faults),
        )

    def _unlisted(self, begin: Mapping[Key, Symbol], tricks: Sequence[Int]) -> Bool:
        """Whether these carried values lead to a course, but the tricks are divided in none of that course's ways."""
        each = () if self.courses is None else self.courses.each
        there = dict(begin) | {("tricks", p): trick for p, trick in enumerate(tricks)}
        return y.disj(*(unlisted(Encoder(self.environment(begin)), there, course) for course in each))

    def _stops(self, tag: str, again: bool | None, goes_on: bool) -> tuple[Bool, Bool, Bool]:
        """Unknowns for whether the match ends, the deal ends, or it is thrown in before its play is over; at most one holds."""
        ends = not goes_on and any(isinstance(stop, c.EndMatch) for stop in self.stops)
        cut = any(isinstance(stop, c.EndHand) and not stop.again for stop in self.stops)
        early: Bool = z3.Bool(f"{tag}.over-early") if ends else False
        short = y.conj(y.neg(early), z3.Bool(f"{tag}.cut-short") if cut else False)
        thrown_in = self.redeals is not None and again is None
        redealt: Bool = z3.Bool(f"{tag}.thrown-in") if thrown_in else False
        return early, short, y.conj(y.neg(early), y.neg(short), redealt)

    def _stopped(
        self,
        stopped: Bool,
        again: Bool,
        begin: Mapping[Key, Symbol],
        tag: str,
        facts: list[Bool],
        after: Mapping[Key, Symbol],
    ) -> dict[Key, Symbol]:
        """The values after a deal that may have `stopped` before its play was over.

        Whatever it may have set by then is arbitrary.
        """
        merged, there = Encoder(self.environment(begin, tag)), dict(begin)
        for name in sorted(self.set_before):
            there |= self._unknown(self.program.variables[name], f"{tag}.stopped", facts)
        kinds = self.program.variables
        if again is not False:
            assert self.redeals is not None
            state = self.environment(begin, f"{tag}.redealt")
            when, carried_on = self.redeals.carried_on(state)
            facts += [*state.facts, y.disj(y.neg(again), when)]
            for key, value in carried_on.items():
                there[key] = merged.merge(kinds[key[0]].type, again, value, there[key])
        return {
            key: value
            if y.alike(value, there[key])
            else merged.merge(kinds[key[0]].type, stopped, there[key], value)
            for key, value in after.items()
        }

    def _winners_early(self, tag: str, facts: list[Bool]) -> Members:
        """The winners if the match ends before the play is over: at most one player if each such end names a single winner."""
        wins = [z3.Bool(f"{tag}.wins.{p}") for p in range(self.program.players)]
        named = (stop.winners for stop in self.stops if isinstance(stop, c.EndMatch))
        if all(isinstance(who, c.Single) and not may_be_none(who.element) for who in named):
            facts.append(y.neg(y.not_one(wins)))
        return Members(tuple(enumerate(wins)))

    def following(self, hand: Hand) -> tuple[dict[Key, Symbol], Bool]:
        """`between`, with the cards lying where the deal left them."""
        return self.between(hand.after, hand.again, hand.places)

    def between(
        self, after: Mapping[Key, Symbol], again: Bool, places: Places | None = None
    ) -> tuple[dict[Key, Symbol], Bool]:
        """What the next deal begins with, and when the rules fail at run time before it.

        Nothing happens in between if the deal is dealt `again`.
        """
        steps, kinds = self._break(after, places), self.program.variables
        fresh = {key: _symbol(value) for key, value in uncarried(self.program).items()}
        variables: dict[Key, Symbol] = {**steps.variables, **fresh}
        if again is not False:
            merged = Encoder(self.environment(after))
            for key, value in merged.state.variables.items():
                if kinds[key[0]].carried and not y.alike(value, variables[key]):
                    variables[key] = merged.merge(kinds[key[0]].type, again, value, variables[key])
        return variables, y.conj(y.neg(again), steps.broken)

    def told_between(self, after: Mapping[Key, Symbol]) -> tuple[Disclosure, ...]:
        """What is announced and shown between two deals."""
        return self._break(after).disclosures

    def _break(self, after: Mapping[Key, Symbol], places: Places | None = None) -> Environment:
        """Execute the steps between two deals."""
        return carry_out(self.environment(after, places=places), self.program.between)

    def sizes_of(self, dealer: int | None) -> tuple[int, ...]:
        """How many tricks a deal by this dealer can have, the most first; none if that is not known."""
        return (self.sizes[dealer],) if dealer in self.sizes else tuple(self.few)

    def _size(
        self, begin: Mapping[Key, Symbol], tag: str, division: Callable[[Int], tuple[Int, ...]] | None
    ) -> Int:
        """The number of tricks in the deal, by dealer if known; if it is one of a few, the one that is divided."""
        if not self.outcome.known_size:
            unknown = z3.Int(f"{tag}.hand-size")
            divided = y.total(division(unknown)) if division is not None else unknown
            return divided if isinstance(divided, int) and divided in self.few else unknown
        size: Int = None
        for who, when in y.cases(begin.get(("dealer",)) if seat(self.program) else None).of:
            if who in self.sizes:
                size = self.sizes[who] if size is None else y.choose(when, self.sizes[who], size)
        return size if self.sizes else z3.Int(f"{tag}.hand-size")

    def _unknown(self, info: c.VariableInfo, tag: str, facts: list[Bool]) -> dict[Key, Symbol]:
        symbols: dict[Key, Symbol] = {}
        for owners in owner_keys(self.program, info.of):
            name = ".".join((tag, info.name, *map(str, owners)))
            symbols[(info.name, *owners)] = anything(self.program, info.type, name, facts)
        return symbols

    def _set(self, info: c.VariableInfo, tag: str, facts: list[Bool]) -> dict[Key, Symbol]:
        """What a variable that is set before the end of the play holds then."""
        symbols = self._unknown(info, tag, facts)
        if info.name in self.never_none:
            facts += [y.neg(when) for value in symbols.values() for x, when in _cases(value) if x is None]
        return symbols


def _cases(value: Symbol) -> tuple[tuple[int | None, Bool], ...]:
    return value.of if isinstance(value, y.Cases) else ()


def carried_keys(settlement: Settlement) -> list[Key]:
    """The key of every carried variable for each of its owners."""
    variables = settlement.program.variables
    return [key for key in settlement.start() if variables[key[0]].carried]


def unknown_name(key: Key) -> str:
    """The name that `Settlement.unknown` gives to a carried value."""
    return ".".join(("carried", *map(str, key)))


@dataclass(frozen=True, slots=True)
class Transition:
    """A deal by one dealer from an arbitrary state, and what the next deal begins with.

    `interrupted` says when the rules fail at run time between the two.
    """

    dealer: int | None
    hand: Hand
    following: dict[Key, Symbol]
    interrupted: Bool

    @property
    def goes_on(self) -> Bool:
        """The match is not over and no rule has failed at run time."""
        return y.conj(y.neg(self.hand.ended), y.neg(self.hand.broken), y.neg(self.interrupted))


def transitions(settlement: Settlement) -> list[Transition]:
    """One transition per dealer."""
    steps = []
    for dealer in settlement.dealers:
        hand = settlement.anywhere(dealer)
        steps.append(Transition(dealer, hand, *settlement.following(hand)))
    return steps


def settlements(
    subject: Subject, outcome: PlayOutcome, bare: frozenset[str] | None = None
) -> tuple[Settlement, ...]:
    """One settlement for each choice of parameters and of the readings that matter."""
    few = frozenset(few_sizes(subject)) if outcome is PlayOutcome.SOME_SIZE else None
    return subject.once((settlements, outcome, few, bare), lambda: _settlements(subject, outcome, bare))


def _settlements(
    subject: Subject, outcome: PlayOutcome, bare: frozenset[str] | None
) -> tuple[Settlement, ...]:
    rules = settled_readings(subject)
    parameters, readings = subject.parameters(), subject.readings(rules)
    if MOST_COMBINATIONS in (len(parameters), len(readings)):
        what = "there are too many combinations of parameters and readings"
        raise NotEncodedError(what, subject.program.rules["hand"].span)
    return tuple(Settlement(subject, p, r, outcome, bare=bare) for p in parameters for r in readings)


def settled_readings(subject: Subject) -> frozenset[str]:
    """Rules whose readings can matter after the play, or to what is computed before it."""
    program = subject.program
    before, after = parts_of_hand(program)
    early = [*earlier(subject).nodes, *sliced(program.hand, [DEALT]).nodes, *redealt_slice(before).nodes]
    stated = (invariant.condition for invariant in program.invariants.values())
    return usage_of(after, program.between, program.setup, *early, *stated).readings


def _sizes(
    subject: Subject, parameters: Mapping[str, int], readings: Mapping[str, int]
) -> dict[int | None, int]:
    hands = sizes_of(subject)
    if isinstance(hands, Varies):
        raise NotEncodedError(hands.reason, hands.span)
    used = subject.usage.parameters
    return {
        facts.dealer: facts.size
        for facts in hands
        if all(parameters.get(k) == v for k, v in facts.parameters.items() if k in used)
        and all(readings.get(k, 0) == v for k, v in facts.readings.items())
    }


def _symbol(value: Symbol | Value) -> Symbol:
    return Members(tuple((x, True) for x in sorted(value))) if isinstance(value, frozenset) else value
