"""One aspect of two rulesets: same, different, undecided or incomparable, with the reason and a hand that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, Literal

from trickproof.compare.after import Division, settle
from trickproof.compare.before import Case, differing
from trickproof.compare.closure import Texts, same_text
from trickproof.compare.graft import Graft, ShapeError
from trickproof.compare.levels import leveled
from trickproof.compare.partings import Pair, Parting, after_division, in_exchange, in_play
from trickproof.compare.values import compare_values
from trickproof.encode import GapError, NotEncodedError
from trickproof.residue import TooLongError
from trickproof.sameness import begins_known
from trickproof.settlement import split
from trickproof.subject import Subject
from trickproof.verdict import Method
from trickproof.words_vocabulary import ASPECTS
from trickproof_dsl import core as c
from trickproof_dsl.evaluate import Key, Value

Status = Literal["same", "different", "undecided", "incomparable"]
Direction = Literal["wider", "narrower", "neither"]

MOST_WAYS = 16
"""Combinations of readings of the two sides that are compared."""

HANDS = 60
"""Hands played at random where a rule of the play gives other values."""

UNENCODED = (NotEncodedError, GapError, TooLongError)


@dataclass(frozen=True, slots=True)
class Class:
    """One way in which an aspect differs; `cases` are those of the `of` cases that hands begin with where it does."""

    how: str
    cases: tuple[Case, ...] = ()
    division: Division | None = None
    parting: Parting | None = None
    when: str | None = None


@dataclass(frozen=True, slots=True)
class Ways:
    """One reading of each side (by rule), and what came of comparing them."""

    a: Mapping[str, int]
    b: Mapping[str, int]
    status: Status


@dataclass(frozen=True)
class Compared:
    """What became of one aspect."""

    aspect: str
    status: Status
    method: Method
    why: str = ""
    classes: tuple[Class, ...] = ()
    complete: bool = True
    direction: Direction | None = None
    ways: tuple[Ways, ...] = ()

    @property
    def parting(self) -> Parting | None:
        """The hand that shows it: the smallest of the first class that has one, rather one in which nothing else differs."""
        shown = [found.parting for found in self.classes if found.parting is not None]
        return min(shown, key=_size) if shown else None


def _size(parting: Parting) -> tuple[bool, bool, int, int]:
    """Small in what a reader counts: nothing else differs, it is seen in what happens, cards exchanged, moves."""
    scenario = parting.answers.scenario
    exchanged = sum(max(0, x) for x in scenario.get("over", []))
    return parting.masked, not parting.answers.part, exchanged, len(scenario.get("moves", []))


@dataclass(eq=False)
class Side:
    """A ruleset of a comparison, and what is worked out about it once."""

    texts: Texts
    _begins: list[Mapping[Key, Value]] | None = field(default=None)

    def begins(self) -> list[Mapping[Key, Value]]:
        """What its hands can begin with.  Raises one of UNENCODED."""
        if self._begins is None:
            self._begins = begins_known(Subject(self.texts.ruleset, (), 4))
        return self._begins


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two rulesets, aspect by aspect."""

    a: Side
    b: Side

    @cached_property
    def muted(self) -> frozenset[str]:
        """Aspects that only one of them comes to: left out where others are compared."""
        one, other = self.a.texts, self.b.texts
        return frozenset(x for x in ASPECTS[2:] if one.happens(x) != other.happens(x))

    def compared(self, rule: str) -> Compared:
        """What becomes of one rule."""
        one, other = self.a.texts, self.b.texts
        if not one.happens(rule) and not other.happens(rule):
            return Compared(rule, "same", Method.STATIC, "neither game comes to it")
        if one.happens(rule) and other.happens(rule) and same_text(one, other, rule):
            return Compared(rule, "same", Method.STATIC, "the same rule")
        return _Rule(self, rule).compared()


class _Rule:
    """One rule under comparison."""

    def __init__(self, comparison: Comparison, rule: str) -> None:
        self.of, self.rule = comparison, rule
        self.problems: list[str] = []
        self.methods: set[Method] = set()
        self.direction: Direction | None = None
        self.complete = True

    @cached_property
    def playable(self) -> bool:
        """Whether one scenario can be played under both."""
        return self.of.a.texts.ruleset.program.players == self.of.b.texts.ruleset.program.players

    def compared(self) -> Compared:
        ways: list[Ways] = []
        classes: dict[str, Class] = {}
        for mine, theirs in self._ways():
            self.whole = not classes
            status, found = self._under(mine, theirs)
            ways.append(Ways(mine, theirs, status))
            for one in found:
                classes.setdefault(one.how, one)
        status = _together(ways)
        method = Method.ENUMERATION if Method.ENUMERATION in self.methods else Method.STATIC
        method = Method.SMT if Method.SMT in self.methods else method
        if status == "same":
            return Compared(self.rule, status, method, ways=tuple(ways))
        if not self.playable and status != "undecided":
            players = [side.texts.ruleset.program.players for side in (self.of.a, self.of.b)]
            why = f"{players[0]} players against {players[1]}: no hand can be played under both"
            return Compared(self.rule, "incomparable", Method.STATIC, why)
        shown = [one for one in classes.values() if one.parting is not None]
        if shown and status == "different":
            open_ = len(shown) < len(classes)
            complete = self.complete and not open_ and not self.problems
            return Compared(
                self.rule, status, method, "", tuple(shown), complete, self.direction, tuple(ways)
            )
        if self.problems and not classes:
            return Compared(
                self.rule, "incomparable" if self._unfit else "undecided", method, self.problems[0]
            )
        why = self.problems[0] if self.problems else "no hand was found that shows the difference"
        return Compared(self.rule, "undecided", method, why, ways=tuple(ways))

    _unfit = False
    whole = True
    """Whether all differences are wanted, or one is enough."""

    def _ways(self) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
        """Every reading of the rule on both sides, the first ones first."""
        sides = []
        for side in (self.of.a, self.of.b):
            rules = [
                rule
                for rule in side.texts.closure(self.rule)
                if rule in side.texts.ruleset.program.readings and side.texts.happens(self.rule)
            ]
            numbers = product(*(range(len(side.texts.ruleset.program.readings[rule])) for rule in rules))
            sides.append([dict(zip(rules, ways, strict=True)) for ways in numbers])
        pairs = list(product(*sides))
        if len(pairs) > MOST_WAYS:
            self.problems.append("there are very many combinations of readings")
        yield from pairs[:MOST_WAYS]

    def _under(self, mine: dict[str, int], theirs: dict[str, int]) -> tuple[Status, list[Class]]:
        """Compared in both games: each with the rule of the other."""
        statuses: list[Status] = []
        classes: dict[str, Class] = {}
        for number, host in enumerate((self.of.a, self.of.b)):
            try:
                pair = self._pair(number, mine, theirs)
                status, found = self._in_game(host, pair)
            except ShapeError as wrong:
                self._unfit = True
                self._problem(str(wrong))
                continue
            except UNENCODED as wrong:
                what = wrong.what if isinstance(wrong, NotEncodedError) else "it cannot be worked out"
                self._problem(what)
                status, found = self._played(pair)
            statuses.append(status)
            if status == "different":
                return status, found
            for one in found:
                kept = classes.get(one.how)
                if kept is None or (
                    kept.parting is None or (one.parting and _size(one.parting) < _size(kept.parting))
                ):
                    classes[one.how] = one
        if "different" in statuses:
            return "different", list(classes.values())
        return ("same" if statuses and set(statuses) == {"same"} else "undecided"), list(classes.values())

    def _problem(self, what: str) -> None:
        if what not in self.problems:
            self.problems.append(what)

    def _pair(self, number: int, mine: dict[str, int], theirs: dict[str, int]) -> Pair:
        """The rule of `a` and that of `b` in the game of one of them.  Raises ShapeError."""
        sides = self.of.a.texts, self.of.b.texts
        host, donor = sides[number], sides[1 - number]
        graft = Graft(host, donor, self.rule, self.of.muted - {self.rule})
        rulesets = (graft.own, graft.taken) if number == 0 else (graft.taken, graft.own)
        return Pair(sides[0].ruleset, sides[1].ruleset, *rulesets, host.ruleset, (mine, theirs))

    # --------------------------------------------------------------------------------- in one game

    def _in_game(self, host: Side, pair: Pair) -> tuple[Status, list[Class]]:
        one, other = pair.one.program, pair.other.program
        code = one.rules[self.rule]
        if code.value is not None and (valued := self._valued(pair)) is not None:
            return valued
        before, after = zip(split(one), split(other), strict=True)
        found: list[Class] = []
        early = tuple(leveled(steps[:-1], ways) for steps, ways in zip(before, pair.readings, strict=True))
        plays = [leveled(steps[-1:], ways) for steps, ways in zip(before, pair.readings, strict=True)]
        late = [leveled(steps, ways) for steps, ways in zip(after, pair.readings, strict=True)]
        between = [
            leveled(program.between, ways) for program, ways in zip((one, other), pair.readings, strict=True)
        ]
        if early[0] != early[1]:
            found += self._before(host, pair, (early[0], early[1]))
        if late[0] != late[1] or between[0] != between[1]:
            found += self._after(pair)
        if plays[0] != plays[1] or one.setup != other.setup:
            status, more = self._played(pair)
            return ("different" if status == "different" or found else status), [*found, *more]
        return ("different" if found else "same"), found

    def _valued(self, pair: Pair) -> tuple[Status, list[Class]] | None:
        """Rules that give a value, in any state; None where they differ in some state that need not come about."""
        try:
            told = compare_values(pair.one.program, pair.other.program, self.rule, pair.readings)
        except UNENCODED:
            return None
        if told.same:
            self.methods.add(Method.SMT)
            return "same", []
        self.direction = told.direction if self.direction in (None, told.direction) else "neither"
        return None

    def _before(self, host: Side, pair: Pair, steps: tuple[Any, Any]) -> list[Class]:
        self.methods.add(Method.ENUMERATION)
        begins = [_filled(begin, pair.one.program) for begin in host.begins()]
        cases = differing(pair.one.program, pair.other.program, steps, begins, first_only=not (self.playable and self.whole))
        kinds: dict[str, list[Case]] = {}
        for case in cases:
            kinds.setdefault(case.how, []).append(case)
        return [self._class(pair, how, some) for how, some in kinds.items()]

    def _class(self, pair: Pair, how: str, cases: Sequence[Case]) -> Class:
        parting = None
        if self.playable and self.whole:
            tried = _spread(cases)
            parting = in_exchange(pair, [(x.begin, x.parameters, x.readings) for x in tried])
            parting = parting or in_play(pair, [x.begin for x in tried], len(tried))
            self._directed(parting)
        return Class(how, tuple(cases), parting=parting)

    def _directed(self, parting: Parting | None) -> None:
        if parting is not None and parting.choice is not None:
            self.direction = parting.choice if self.direction in (None, parting.choice) else "neither"

    def _after(self, pair: Pair) -> list[Class]:
        self.methods.add(Method.SMT)
        settled = settle(pair.one, pair.other, pair.readings)
        self.complete = self.complete and settled.all
        if not settled.all and not settled.divisions:
            raise NotEncodedError("the solver gave up", pair.one.program.rules["hand"].span)
        found = []
        for x in settled.divisions:
            parting = None
            if self.playable and self.whole:
                parting = after_division(pair, x.begin, x.parameters, x.readings, x.tricks)
            found.append(Class(x.how, division=x, parting=parting))
        return found

    def _played(self, pair: Pair) -> tuple[Status, list[Class]]:
        """Hands played at random, where nothing can be worked out."""
        if not self.playable:
            return "different", []
        parting = in_play(pair, [{}], HANDS)
        if parting is None:
            self._problem("nothing differed in hands played at random, and no proof was found")
            return "undecided", []
        self._directed(parting)
        return "different", [Class("what happens in the play", parting=parting)]


def _filled(begin: Mapping[Key, Value], program: c.Program) -> Mapping[Key, Value]:
    """With the values that every hand begins with, of variables that only the other ruleset has."""
    from trickproof_dsl.state import initial

    fresh = initial(program).variables
    more = {key: x for key, x in fresh.items() if not program.variables[key[0]].carried}
    return {**more, **begin}


def _spread(cases: Sequence[Case]) -> list[Case]:
    """The first cases, and some from further on."""
    return [*cases[:3], *cases[3 :: max(1, len(cases) // 4)]][:6]


def _together(ways: Sequence[Ways]) -> Status:
    """The status under all readings: the same where each reading of one side has one of the other that does the same."""
    if any(way.status == "undecided" for way in ways):
        if not any(way.status == "different" for way in ways):
            return "undecided"
    for side in ("a", "b"):
        for mine in {tuple(getattr(way, side).items()) for way in ways}:
            under = [way.status for way in ways if tuple(getattr(way, side).items()) == mine]
            if "same" not in under:
                return "different" if "undecided" not in under else "undecided"
    return "same"
