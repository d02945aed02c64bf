"""One rule of two rulesets: same, different, undecided or incomparable, with the reason and deals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice, product
from typing import Literal

from trickproof.analysis.usage import program_usage
from trickproof.checking.verdict import Method
from trickproof.diff.graft import Graft, JointGraft, ShapeError, graft_of
from trickproof.diff.results import SAME_TEXT, UNREACHED, Compared, Readings, Status, Way
from trickproof.diff.rule_dependencies import Texts, same_text
from trickproof.diff.side import Side, unchecked
from trickproof.diff.symbolic.in_context import agree_everywhere, agree_in_context
from trickproof.diff.symbolic.inclusion import inclusion
from trickproof.diff.symbolic.post_play import Settled, settle
from trickproof.diff.symbolic.value_rules import compare_values
from trickproof.diff.witnesses.condition_learning import condition, only_in_some
from trickproof.diff.witnesses.distinguishing_hands import (
    after_division,
    confirmed_cases,
    differs_in_play,
    in_exchange,
    in_matches,
    in_play,
    in_rare_deals,
    soon_confirmed,
    soon_in_exchange,
    soon_in_play,
)
from trickproof.diff.witnesses.division import Division
from trickproof.diff.witnesses.first_difference import first_difference
from trickproof.diff.witnesses.parting import Direction, Pair, Parting
from trickproof.diff.witnesses.pre_play import Case, Steps, asked, differing, same_anywhere
from trickproof.english.differences import ALWAYS, ANOTHER_WAY, HOW_MANY, NOTHING
from trickproof.english.referents import nodes
from trickproof.english.rule_order import trees_of
from trickproof.english.vocabulary import ASPECTS, plain
from trickproof.equivalence.de_bruijn import leveled
from trickproof.equivalence.normal_form import normal_steps, setting_of
from trickproof.equivalence.partial_evaluation import TooLongError
from trickproof.proofs import kernel
from trickproof.proofs.hands.verdicts import hand_proof
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt.solver import recording
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.proofs.symbolic.hand_parts import split
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.machine import initial
from trickproof_dsl.semantics.values import Key, Value
from trickproof_dsl.syntax import ast as s

MOST_READINGS = 16
"""Maximum number of combinations of both sides' readings that are compared."""

HANDS = 60
"""Number of random deals played to find a difference in a rule used during play."""

AGREED = 4
"""Number of combinations of agreed numbers with which they are played."""

FIRST = 3
"""Number of the first cases of a kind in which deals are looked for, before some of the others."""

UNSEEN = "a value that only one of the two has differs after the deal"

STEPS = (ANOTHER_WAY, "what comes next", "what may come next")
"""Differences between two steps, which may have the same effect."""

MOVED = ("which cards", "who is given cards", HOW_MANY)
"""Differences in what a deal shows to be moved."""

RARELY = "in some deals, depending on the cards and choices"
"""The condition for rules that differ, but not in any of a few random deals."""

UNENCODED = (NotEncodedError, GapError, TooLongError)


class _SlowError(Exception):
    """More is needed than what a hasty comparison does."""


_Result = Theorem | Literal["different", "undecided"]
"""What is found under one reading of each side: the theorem that they do the same, or a status."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two rulesets, rule by rule."""

    a: Side
    b: Side
    apart: dict[frozenset[tuple[Key, Value]], bool] = field(default_factory=dict)
    """Memoised results of `differing_among` by initial state."""
    everywhere: dict[tuple[tuple[str, ...], bool], Theorem | None] = field(default_factory=dict)
    """Memoised results of `agree_everywhere` by rules, in the game of `a` or of `b`."""
    hasty: bool = False
    """Whether what takes more than a look at the expressions is left out, with a _SlowError."""
    brief: bool = False
    """Whether only the statuses are wanted: a single deal for each difference, and no conditions in words."""

    @cached_property
    def muted(self) -> frozenset[str]:
        """Aspects that only one of the two reaches; they are left out when other aspects are compared."""
        one, other = self.a.texts, self.b.texts
        return frozenset(x for x in ASPECTS[2:] if one.happens(x) != other.happens(x))

    @cached_property
    def whole_steps(self) -> tuple[Steps, Steps]:
        """Both rulesets' steps before the first trick in normal form, and the play if its choices are the same."""
        programs = [side.texts.ruleset.program for side in (self.a, self.b)]
        sides = [leveled(split(program)[0], {}) for program in programs]
        alike = asked(sides[0][-1:]) == asked(sides[1][-1:])
        one, other = (
            normal_steps(side if alike else side[:-1], setting_of(program))
            for side, program in zip(sides, programs, strict=True)
        )
        return one, other

    @cached_property
    def same_anywhere(self) -> bool:
        """Whether both do the same before the first trick, whatever a deal begins with. May raise TooLongError."""
        one, other = (side.texts.ruleset.program for side in (self.a, self.b))
        return same_anywhere(one, other, self.whole_steps)

    def muted_beside(self, rules: Sequence[str]) -> frozenset[str]:
        """The muted aspects that neither are nor reach any of the given rules."""
        sides = self.a.texts, self.b.texts
        return frozenset(x for x in self.muted if all(side.reaches(x).isdisjoint(rules) for side in sides))

    def together(self, rules: Sequence[str]) -> bool:
        """Whether grafting several rules that change nothing individually changes nothing overall."""
        host = self.a
        for rule in rules:
            graft = Graft(host.texts, self.b.texts, rule, frozenset())
            step = Comparison(host, self.b)
            try:
                if not _Rules(step, (rule,)).unchanged(host, graft):
                    return False
                host = Side(Texts(graft.taken), host.session)
            except (ShapeError, *UNENCODED):
                return False
        return True

    def soon(self, rule: str) -> Compared | None:
        """The result for a rule if the texts decide it; None if it needs more work."""
        one, other = self.a.texts, self.b.texts
        why = UNREACHED
        theorem = kernel.equivalence(why, (one.happens(rule), False), (other.happens(rule), False))
        if theorem is None and one.happens(rule) and other.happens(rule):
            why, theorem = SAME_TEXT, same_text(one, other, rule)
        return None if theorem is None else Compared(rule, kernel.same(theorem), Method.STATIC, why)

    def at_sight(self, rule: str) -> Compared | None:
        """The result for a rule whose expressions are the same in every state; None for others."""
        with suppress(_SlowError):
            found = _Rules(replace(self, hasty=True, brief=False), (rule,)).compared()
            return found if found.status == "same" else None
        return None

    def compared(self, rule: str) -> Compared:
        """The result for one rule."""
        soon = self.soon(rule)
        return soon if soon is not None else _Rules(self, (rule,)).compared()

    def jointly(self, rules: Sequence[str]) -> Compared:
        """The result for several rules grafted together."""
        return _Rules(self, tuple(rules)).compared()


@dataclass(frozen=True, slots=True)
class _Phases:
    """Where two programs differ: the steps before the first trick, if these do; whether anything does after the last one.

    `alike` is that all else is the same; None if it is not.
    """

    early: tuple[Steps, Steps] | None
    late: bool
    alike: Theorem | None


class _Rules:
    """One rule, or several jointly, under comparison."""

    def __init__(self, comparison: Comparison, rules: tuple[str, ...]) -> None:
        self.of, self.rules, self.rule = comparison, rules, rules[0]
        self.problems: list[str] = []
        self.direction: Direction | None = None
        self.included: Direction | None = None
        """Which side allows everything that the other allows, under the first readings."""
        self.method = Method.STATIC
        self.complete, self.unfit, self.game = True, False, ""
        self.grafts: dict[int, Graft | JointGraft] = {}
        self.whole = True
        """Whether to find all ways, each with a deal, rather than just whether there is one."""

    @property
    def _span(self) -> Span:
        return self.of.a.texts.ruleset.program.rules["hand"].span

    @cached_property
    def playable(self) -> bool:
        """Whether the same scenario can be played under both."""
        return self.of.a.texts.ruleset.program.players == self.of.b.texts.ruleset.program.players

    def compared(self) -> Compared:
        """Compare the rule under every reading of both sides."""
        try:
            return self._compared()
        except NotEncodedError as wrong:
            return Compared(self.rule, "undecided", self.method, wrong.what)

    def _compared(self) -> Compared:
        under: list[tuple[Readings, Theorem | None]] = []
        ways: list[Way] = []
        for mine, theirs in self._readings():
            self.whole = not ways
            result, more_ways = self._under(mine, theirs)
            under.append(_under_readings(mine, theirs, result))
            ways = ways or more_ways
        readings = tuple(each for each, _ in under)
        compared = Compared(self.rule, _together(under), self.method, readings=readings)
        if compared.status == "same":
            return compared
        if not self.playable and compared.status != "undecided":
            players = [side.texts.ruleset.program.players for side in (self.of.a, self.of.b)]
            why = f"{players[0]} players vs. {players[1]}: no deal can be played under both"
            return Compared(self.rule, "incomparable", Method.STATIC, why)
        shown = tuple(
            _otherwise(way, ways)
            for way in sorted(ways, key=lambda way: way.when is None)
            if way.parting is not None
        )
        if shown and compared.status == "different":
            complete = self.complete and len(shown) == len(ways) and not self.problems
            direction = self.direction or (self.included if len(readings) == 1 else None)
            return replace(compared, ways=shown, complete=complete, direction=direction, game=self.game)
        if theorem := self._agree(readings):
            return replace(compared, status=kernel.same(theorem), method=Method.SMT)
        why = self.problems[0] if self.problems else "no deal was found that shows a difference"
        with suppress(ShapeError):
            if any(_at_once(x.own) != _at_once(x.taken) for x in self.grafts.values()):
                why = f"players act at the same time in more places under one of the two; {why}"
        return replace(compared, status="incomparable" if self.unfit and not ways else "undecided", why=why)

    def _agree(self, readings: Sequence[Readings]) -> Theorem | None:
        """The rules agree in every state that a deal of either game comes to; None if that is not proved."""
        if len(readings) > 1 or not self.playable:
            return None
        theorems: list[Theorem] = []
        try:
            if any(hand_proof(unchecked(x.texts.ruleset, x.session)).limits for x in (self.of.a, self.of.b)):
                return None  # nor could it be proved that assertions never fail
            for number in range(2):
                pair = self._pair(number, dict(readings[0].a), dict(readings[0].b))
                if (agreed := agree_in_context(pair, self.of.a.session)) is None:
                    return None
                theorems.append(agreed)
        except (ShapeError, *UNENCODED):
            return None
        return kernel.equivalent("in every state that a deal reaches", theorems)

    def unchanged(self, host: Side, graft: Graft) -> bool:
        """Whether the grafted rule changes nothing in the host's game, with a counterpart for each reading."""
        self.whole = False
        under: list[tuple[Readings, Theorem | None]] = []
        for mine, theirs in self._readings():
            pair = Pair(
                host.texts.ruleset,
                self.of.b.texts.ruleset,
                graft.own,
                graft.taken,
                host.texts.ruleset,
                (mine, theirs),
            )
            under.append(_under_readings(mine, theirs, self._in_game(host, pair)[0]))
        return _together(under) == "same"

    def _readings(self) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
        """Every combination of the rule's readings on both sides, default readings first."""
        sides = [self._own_readings(side.texts) for side in (self.of.a, self.of.b)]
        pairs = [(mine, theirs) for mine in sides[0] for theirs in sides[1]]
        if len(pairs) > MOST_READINGS:
            raise NotEncodedError("there are too many combinations of readings", self._span)
        yield from pairs

    def _own_readings(self, texts: Texts) -> list[dict[str, int]]:
        known = texts.ruleset.program.readings
        called = [rule for one in self.rules if texts.happens(one) for rule in texts.closure(one)]
        rules = [rule for rule in dict.fromkeys(called) if rule in known]
        numbers = product(*(range(len(known[rule])) for rule in rules))
        return [dict(zip(rules, taken, strict=True)) for taken in numbers]

    def _problem(self, what: str) -> None:
        if what not in self.problems:
            self.problems.append(what)

    # ------------------------------------------------------------------------- comparison in both games

    def _under(self, mine: dict[str, int], theirs: dict[str, int]) -> tuple[_Result, list[Way]]:
        """Compare in the game of `a`, with the rule of `b` grafted in; if that is the same, then vice versa."""
        theorems: list[Theorem] = []
        apart = False
        for number, host in enumerate((self.of.a, self.of.b)):
            try:
                pair = self._pair(number, mine, theirs)
            except ShapeError as wrong:
                self.unfit = True
                self._problem(str(wrong))
                continue
            result: _Result
            try:
                result, ways = self._in_game(host, pair)
            except UNENCODED as wrong:
                self._problem(wrong.what if isinstance(wrong, NotEncodedError) else "it cannot be worked out")
                result, ways = self._played(pair)
            apart = apart or result == "different"
            if result == "different" and (ways or not self.playable):
                self.game = self.game or host.texts.ruleset.id
                return result, ways
            if isinstance(result, Theorem):
                theorems.append(result)
        if apart:
            return "different", []
        return (kernel.equivalent("in both games", theorems) if len(theorems) == 2 else "undecided"), []

    def _pair(self, number: int, mine: dict[str, int], theirs: dict[str, int]) -> Pair:
        """The rule of `a` and that of `b` in the game of one of them. Raises ShapeError."""
        sides = self.of.a.texts, self.of.b.texts
        host, donor = sides[number], sides[1 - number]
        if number not in self.grafts:
            self.grafts[number] = graft_of(host, donor, self.rules, self.of.muted_beside(self.rules))
        graft = self.grafts[number]
        rulesets = (graft.own, graft.taken) if number == 0 else (graft.taken, graft.own)
        return Pair(sides[0].ruleset, sides[1].ruleset, *rulesets, host.ruleset, (mine, theirs))

    def _in_game(self, host: Side, pair: Pair) -> tuple[_Result, list[Way]]:
        """Same if the phases before, during and after play are all the same; otherwise the differences found."""
        phases: _Phases | None = None
        if self.of.brief and self.playable and self.whole:
            with suppress(*UNENCODED):
                phases = self._phases(pair)
                if way := self._at_once(host, pair, phases):
                    return "different", [way]
        programs = pair.one.program, pair.other.program
        codes = [program.rules.get(self.rule) for program in programs]
        if (
            len(self.rules) == 1
            and all(code is not None and code.value is not None for code in codes)
            and (same_value := self._same_value(pair))
        ):
            return same_value, []
        if everywhere := self._everywhere(host, pair):
            self.method = Method.SMT
            return everywhere, []
        if self.of.hasty:
            raise _SlowError
        phases = phases or self._phases(pair)
        ways: list[Way] = []
        reasons: list[Theorem] = []
        if phases.early is not None:
            ways += self._before(host, pair, phases.early, reasons)
        if phases.late:
            host.counted()
            ways += self._after(host, pair, reasons)
        alike = phases.alike
        if alike is None and not (self.of.brief and any(way.parting for way in ways)):
            result, more = self._played(pair)
            return ("different" if ways else result), [*ways, *more]
        if ways or alike is None:
            if phases.early is not None and not phases.late and self.whole and not self.of.brief:
                begins = [case.begin for way in ways for case in way.cases]
                with suppress(TooLongError):
                    self.included = inclusion(pair.one.program, pair.other.program, phases.early, begins)
            return "different", ways
        return kernel.equivalent("in this game", [alike, *reasons]), []

    def _everywhere(self, host: Side, pair: Pair) -> Theorem | None:
        if any(pair.readings):
            return None
        key = self.rules, host is self.of.a
        if key not in self.of.everywhere:
            self.of.everywhere[key] = agree_everywhere(pair)
        return self.of.everywhere[key]

    def _phases(self, pair: Pair) -> _Phases:
        """Where both differ. May raise NotEncodedError."""
        programs = pair.one.program, pair.other.program
        parts = [split(program) for program in programs]
        before = self._leveled(pair, [steps[:-1] for steps, _ in parts])
        play = self._leveled(pair, [steps[-1:] for steps, _ in parts])
        after = self._leveled(pair, [steps for _, steps in parts])
        between = self._leveled(pair, [program.between for program in programs])
        setup = self._leveled(pair, [program.setup for program in programs])
        late = after[0] != after[1] or between[0] != between[1]
        if play[0] != play[1] and asked(play[0]) == asked(play[1]):  # they differ only before the first trick
            alike = kernel.equivalence(
                "setup and what is asked in the play", setup, (asked(play[0]), asked(play[1]))
            )
            return _Phases(self._leveled(pair, [steps for steps, _ in parts]), late, alike)
        early = before if before[0] != before[1] else None
        return _Phases(early, late, kernel.equivalence("setup and play", setup, play))

    def _at_once(self, host: Side, pair: Pair, phases: _Phases) -> Way | None:
        """One way with a deal, which is found whatever is looked at first; None if it takes more than a few initial states.

        If it is one before the first trick, its cases are all initial states. May raise one of UNENCODED.
        """
        if phases.early is None and phases.late:
            host.counted()
            return next((way for way in self._after(host, pair, []) if way.parting is not None), None)
        if phases.early is None or phases.late:
            return None
        begins = [_filled(begin, pair.one.program) for begin in host.begins()]
        cases = differing(pair.one.program, pair.other.program, phases.early, begins)
        how = None
        confirmed: list[Case] = []
        for number, case in enumerate(islice((x for x in cases if how in (None, x.how)), FIRST)):
            how = case.how
            if soon_confirmed(pair, case, len(begins)) and self._differing_in_both([case]):
                confirmed.append(case)
                parting = soon_in_exchange(pair, case) or (None if number else soon_in_play(pair, case))
                if parting is not None:
                    return Way(how, tuple(replace(case, begin=begin) for begin in begins), parting)
        for case in confirmed:
            if parting := soon_in_exchange(pair, case, later=True):
                return Way(case.how, tuple(replace(case, begin=begin) for begin in begins), parting)
        return None

    def _leveled(self, pair: Pair, steps: Sequence[Steps]) -> tuple[Steps, Steps]:
        """Both sides' steps in a form in which they are equal if they differ only in wording."""
        if steps[0] == steps[1] and pair.readings[0] == pair.readings[1]:
            return steps[0], steps[1]
        one, other = (leveled(body, taken) for body, taken in zip(steps, pair.readings, strict=True))
        if one == other:
            return one, other
        return normal_steps(one, pair.settings[0]), normal_steps(other, pair.settings[1])

    def _same_value(self, pair: Pair) -> Theorem | None:
        """A rule with a value has the same value in every state, reachable or not; None if that is not proved."""
        try:
            comparison = compare_values(pair.one.program, pair.other.program, self.rule, pair.readings)
        except UNENCODED:
            return None
        if comparison.theorem is not None:
            self.method = Method.SMT
        elif comparison.direction is not None:
            self._directed(comparison.direction)
        return comparison.theorem

    def _directed(self, direction: Direction) -> None:
        self.direction = direction if self.direction in (None, direction) else "neither"

    def _before(
        self, host: Side, pair: Pair, steps: tuple[Steps, Steps], reasons: list[Theorem]
    ) -> list[Way]:
        """The differences before the first trick; if there are none, that is a further reason."""
        if self.method is Method.STATIC:
            self.method = Method.ENUMERATION
        with_hands = self.playable and self.whole
        every = differing(pair.one.program, pair.other.program, steps, _begun(host, pair))
        cases = list(every if with_hands else islice(every, 1))
        if not cases:
            reasons.append(kernel.static("no deal begins with anything from which they differ", cases))
            return []
        begins = list(_begun(host, pair))
        kinds: dict[str, list[Case]] = {}
        for case in cases:
            kinds.setdefault(case.how, []).append(case)
        if not with_hands:
            return [Way(how) for how in kinds]
        if self.of.brief and cases:
            ways = (self._way(pair, how, some, begins, ()) for how, some in kinds.items())
            found = next((way for way in ways if way.parting is not None), Way(cases[0].how))
            return [replace(found, cases=tuple(cases))]
        differing_in = [
            self._way(pair, how, some, begins, [case.begin for case in cases if case.counts(how)])
            for how, some in kinds.items()
        ]
        return self._as_seen(pair, differing_in)

    def _as_seen(self, pair: Pair, ways: Sequence[Way]) -> list[Way]:
        """The ways; where steps need not have another effect, in the words of the deal that shows it, which may show another way.

        Not if the rulesets diverge earlier in that deal, because of another rule.
        """
        told: list[Way] = []
        for way in ways:
            deal = way.parting
            shows = deal is not None and (deal.apart or (None if deal.masked else deal.answers))
            if way.sometimes and shows and way.how.startswith(STEPS):
                seen = first_difference(shows, (_at_once(pair.one), _at_once(pair.other)))
                others = [x for x in ways if x is not way and x.parting is not None and x not in told]
                if seen.endswith(" differs") and (others or told):
                    self.complete = False
                    continue
                way = replace(way, how=seen) if seen.startswith(MOVED) else way
            same = next((x for x in told if x.how == way.how and x.sometimes and way.sometimes), None)
            if same is None:
                told.append(way)
            else:
                told[told.index(same)] = replace(same, cases=(*same.cases, *way.cases), when=RARELY)
        return [replace(way, how=_only_step(pair, way.how)) for way in told]

    def _way(
        self,
        pair: Pair,
        how: str,
        cases: Sequence[Case],
        begins: Sequence[Mapping[Key, Value]],
        also: Sequence[Mapping[Key, Value]],
    ) -> Way:
        """What differs in some cases; in those of `also` as well, where something else differs before."""
        shown = confirmed_cases(pair, cases)
        if len(shown) < len(cases):
            self.complete = False
        tried = self._differing_in_both(_spread(shown or cases))
        begun = [(x.begin, x.parameters, x.readings) for x in tried]
        parting = in_exchange(pair, begun)
        parting = parting or in_play(pair, begun, len(tried)) or in_rare_deals(pair, begun, whole=False)
        parting = parting or in_matches(pair, tried[0].parameters if tried else {})
        sometimes = not all(case.anyway for case in cases)
        when: str | None = RARELY
        if shown and not self.of.brief:
            when = condition(pair.host.program, [*(x.begin for x in cases), *also], begins)
        if not all(case.whatever for case in shown):
            agreed = (
                "the agreed numbers" if any(case.parameters for case in shown) else "how the rules are read"
            )
            when = only_in_some(when) or f"in some deals, depending on {agreed}"
        elif sometimes:
            when = RARELY if when in (ALWAYS, RARELY) else only_in_some(when)
        return Way(how, tuple(cases), parting, when, len(cases) + len(also), len(begins), sometimes)

    def _differing_in_both(self, cases: Sequence[Case]) -> Sequence[Case]:
        """The cases in which the two rulesets themselves differ; all cases if that cannot be encoded."""
        try:
            return differing_among(self.of, cases)
        except UNENCODED:
            return cases

    def _after(self, host: Side, pair: Pair, reasons: list[Theorem]) -> list[Way]:
        """The differences after the last trick; if there are none, that is a further reason."""
        self.method = Method.SMT
        number = 0 if host.texts is self.of.a.texts else 1
        private = pair.a.program.variables.keys() ^ pair.b.program.variables.keys()
        ways: list[Way] = []
        for first in (True, False) if self.of.brief else (False,):
            with recording(self.of.a.session) as leaves:
                settled = settle(
                    pair.one,
                    pair.other,
                    pair.readings,
                    self.of.a.session,
                    number,
                    private,
                    not self.of.brief,
                    first,
                )
            self.complete = self.complete and settled.all
            if not settled.all and not settled.divisions:
                raise NotEncodedError("the solver gave up", pair.one.program.rules["hand"].span)
            ways = self._shown_after(pair, settled, first) or ([Way(UNSEEN)] if settled.unseen else [])
            if not ways:
                nothing = kernel.static(
                    "no division of the tricks after which they differ", settled.divisions
                )
                reasons += [nothing, *leaves]
            if not ways or not (self.playable and self.whole) or any(way.parting for way in ways):
                break
        return ways

    def _shown_after(self, pair: Pair, settled: Settled, first: bool) -> list[Way]:
        """The differences after the last trick, with deals: if only the `first` ones are known, with those that are found soon."""
        ways: list[Way] = []
        for x in settled.divisions:
            parting = None
            if self.playable and self.whole:
                follows = any(way.parting is not None and _parts(way) < _parts(x) for way in ways)
                others = () if follows else x.reached()
                tried = (after_division(pair, one) for one in chain((x,), others))
                parting = next((one for one in tried if one is not None), None)
                if parting is None and len(settled.divisions) == 1 and not first:
                    parting = in_matches(pair, x.parameters)
            ways.append(Way(x.how, parting=parting, when=x.when))
            if self.of.brief and parting is not None:
                break
        return ways

    def _agreements(self, pair: Pair) -> list[dict[str, int]]:
        """The first few combinations of the values that the parameters of either may have, defaults first."""
        sides = pair.one, pair.other
        defaults = {name: taken for side in sides for name, taken in side.program.defaults.items()}
        every = (taken for side in sides for taken in unchecked(side, self.of.a.session).parameters())
        agreed: list[dict[str, int]] = []
        for values in ({**defaults, **taken} for taken in every):
            agreed += [] if values in agreed else [values]
        return agreed[:AGREED]

    def _played_with(self, pair: Pair, agreed: Mapping[str, int]) -> Parting | None:
        parting = in_exchange(pair, [({}, agreed, {})]) or in_play(pair, [({}, agreed, {})], HANDS)
        return parting or in_rare_deals(pair, [({}, agreed, {})], whole=True) or in_matches(pair, agreed)

    def _played(self, pair: Pair) -> tuple[Literal["different", "undecided"], list[Way]]:
        """Random play, for rules about which nothing can be proved; different without a way if only the grafted pair diverges."""
        if not self.playable:
            return "different", []
        parting = next(
            filter(None, (self._played_with(pair, taken) for taken in self._agreements(pair))), None
        )
        if parting is None and differs_in_play(pair):
            return "different", []
        if parting is None:
            self._problem("nothing differed in deals played at random, and no proof was found")
            return "undecided", []
        self.complete = False
        how = first_difference(parting.apart or parting.answers, (_at_once(pair.one), _at_once(pair.other)))
        return "different", [Way(how, parting=parting)]


def _parts(difference: Way | Division) -> Set[str]:
    return set(difference.how.split("; "))


def _at_once(ruleset: Ruleset) -> int:
    """The number of blocks in which players act simultaneously."""
    trees = trees_of(ruleset.whole).values()
    return sum(isinstance(x, s.For) and x.simultaneous for tree in trees for x in nodes(tuple(tree)))


def differing_among(comparison: Comparison, cases: Sequence[Case]) -> list[Case]:
    """The cases in which the two rulesets themselves are not shown to do the same before the first trick.

    Raises one of UNENCODED.
    """
    programs = [side.texts.ruleset.program for side in (comparison.a, comparison.b)]
    if programs[0].players != programs[1].players or programs[0].deck != programs[1].deck:
        return list(cases)
    begins = [_filled(_filled(case.begin, programs[0]), programs[1]) for case in cases]
    names = [frozenset(begin.items()) for begin in begins]
    new = {name: begin for name, begin in zip(names, begins, strict=True) if name not in comparison.apart}
    if new:
        steps, begun = comparison.whole_steps, list(new.values())
        found = (
            []
            if comparison.same_anywhere
            else list(differing(programs[0], programs[1], steps, begun, somewhere=True))
        )
        apart = {id(case.begin) for case in found}
        comparison.apart.update((name, id(begin) in apart) for name, begin in new.items())
    return [case for case, name in zip(cases, names, strict=True) if comparison.apart[name]]


def _filled(begin: Mapping[Key, Value], program: c.Program) -> Mapping[Key, Value]:
    """Add the initial values of variables that only the other ruleset has."""
    fresh = initial(program).variables
    return {**{key: x for key, x in fresh.items() if not program.variables[key[0]].carried}, **begin}


def _begun(host: Side, pair: Pair) -> Iterator[Mapping[Key, Value]]:
    """The initial states of the host's deals, which are worked out when the first is asked for. May raise one of UNENCODED."""
    yield from (_filled(begin, pair.one.program) for begin in host.begins())


def _spread(cases: Sequence[Case]) -> list[Case]:
    """The first cases, and a sample of the others."""
    return [*cases[:FIRST], *cases[FIRST :: max(1, len(cases) // 4)]][:6]


def _only_step(pair: Pair, how: str) -> str:
    """Of two steps that come next, the one that the other ruleset never takes: what it does instead comes anyway."""
    found = re.fullmatch(r"(what (?:may come|comes) next) \((.+) against (.+)\)", how)
    if found is None:
        return how
    comes, *steps = found.groups()
    labels = [{plain(x) for x in program_usage(one.program).labels} for one in (pair.a, pair.b)]
    alone = [
        step in own and step not in others
        for step, own, others in zip(steps, labels, reversed(labels), strict=True)
    ]
    if alone == [True, False] and steps[1] in labels[0]:
        return f"{comes} ({steps[0]} against {NOTHING})"
    if alone == [False, True] and steps[0] in labels[1]:
        return f"{comes} ({NOTHING} against {steps[1]})"
    return how


def _otherwise(way: Way, ways: Sequence[Way]) -> Way:
    """Word the condition of a way that has none, if all other ways have conditions."""
    if way.when is not None or not way.cases:
        return way
    if len(ways) > 1 and all(other.when for other in ways if other is not way):
        return replace(
            way, when="in some other deals" if way.sometimes else "in every other deal that differs"
        )
    if way.sometimes:
        return replace(way, when=RARELY)
    return replace(way, when=f"in {way.beginnings} of the {way.possible} ways a deal can begin")


def _under_readings(
    mine: Mapping[str, int], theirs: Mapping[str, int], result: _Result
) -> tuple[Readings, Theorem | None]:
    if isinstance(result, Theorem):
        return Readings(mine, theirs, kernel.same(result)), result
    return Readings(mine, theirs, result), None


def _together(under: Sequence[tuple[Readings, Theorem | None]]) -> Status:
    """The status under all readings: same if every reading of each side has an equivalent one on the other."""
    statuses = {x.status for x, _ in under}
    if "undecided" in statuses and "different" not in statuses:
        return "undecided"
    likes: list[Theorem] = []
    for side in ("a", "b"):
        for mine in {tuple(getattr(x, side).items()) for x, _ in under}:
            here = [(x, theorem) for x, theorem in under if tuple(getattr(x, side).items()) == mine]
            like = next((theorem for _, theorem in here if theorem is not None), None)
            if like is None:
                return "undecided" if any(x.status == "undecided" for x, _ in here) else "different"
            likes.append(like)
    return kernel.same(kernel.equivalent("each reading has a counterpart", likes))
