"""A hand carried out symbolically, card by card: arm for arm the outline of `interpret.py`.

One run follows one path: whoever is concerned, and in which order, is decided (`trail.py`); the cards and the numbers
stay unknown.  A run stops where the hand is over, where the rules say nothing, and at the head of a loop that goes
round an unknown number of times, which is treated by induction (`hand_cuts.py`).  A step that cannot be encoded is
skipped: whatever it may have changed is unknown from there on, and everything that it may break is left open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import z3

from trickproof import symbols as y
from trickproof.cardsets import CardSet, CardWorld
from trickproof.encode import GapError, NotEncodedError
from trickproof.encode_before import anything
from trickproof.encode_cards import CardEncoder, Doubt
from trickproof.sketch import sketch
from trickproof.symbols import Bool, Cases, Int, Symbol
from trickproof.trail import Trail
from trickproof.usage import usage_of
from trickproof_dsl import core as c
from trickproof_dsl.core.walk import walk
from trickproof_dsl.evaluate import Key
from trickproof_dsl.source import Span
from trickproof_dsl.state import DECK, owner_keys

UNROLLED = 4
"""Rounds of a counting loop that are unrolled; beyond that it is treated by induction."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A list of steps and the next one; of a loop over known elements also those `left`."""

    body: tuple[c.Stmt, ...]
    index: int = 0
    loop: c.Loop | None = None
    left: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a loop by induction, and what is to be done after it; `going_round` if it came from its own body."""

    loop: c.Loop | c.Until
    after: tuple[Frame | Head, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a run ended: `at` a head, coming `around` or for the first time; or the hand or match is over, or a gap."""

    why: str
    at: Head | None = None
    around: bool = False
    gap: tuple[str, Span] | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A move that was made: by whom, to whom, which cards, what the mover's place holds afterwards, how many at most."""

    label: str
    actor: int
    to: int | None
    cards: CardSet
    after: CardSet
    span: Span


@dataclass(frozen=True, slots=True)
class Picked:
    """A choice of `number` cards between `low` and `high`."""

    label: str
    actor: int
    to: int | None
    number: Int
    low: Int
    high: Int
    span: Span


@dataclass(frozen=True, slots=True)
class Skipped:
    """A step that was not encoded, and why."""

    step: c.Stmt
    what: str
    span: Span


class BrokenError(Exception):
    """The rules break down for certain; the doubt about it has been noted."""


Claims = Callable[["HandReader", str], Sequence[Doubt]]
"""What must hold at a moment (`play-starts`, `hand-ends`)."""


class LazyVariables(dict[Key, Symbol]):
    """Variables of which those that nobody asks for stay unknown."""

    def __init__(self, reader: HandReader, known: Mapping[Key, Symbol]) -> None:
        super().__init__(known)
        self._reader = reader

    def __missing__(self, key: Key) -> Symbol:
        made = self._reader.unknown(self._reader.program.variables[key[0]].type)
        self[key] = made
        return made


class HandReader(CardEncoder):
    """One run.  `picks` are choices of cards, `events` moves, `skipped` steps, in order.

    `decided` is what chance and the players decide, in order: cards dealt, cards and values chosen.
    """

    def __init__(
        self,
        program: c.Program,
        world: CardWorld,
        trail: Trail,
        variables: Mapping[Key, Symbol],
        zones: Mapping[Key, CardSet],
        claims: Claims,
        playing: bool = False,
    ) -> None:
        super().__init__(program, world, variables, zones, {}, {})
        self.variables = LazyVariables(self, self.variables)
        self.trail, self.claims, self.playing = trail, claims, playing
        self.taken: dict[str, int] = {}
        self.given: dict[str, int] = {}
        self.picks: list[Picked] = []
        self.decided: list[Symbol] = []
        self.events: list[Event] = []
        self.skipped: list[Skipped] = []
        self.open_ties: list[Span] = []
        self.stack: list[Frame | Head] = []
        self.milestone = 0
        """Doubts before the first card is played; what comes later may take them for cleared."""

    # -------------------------------------------------------------------------------------------- running

    def go(self, stack: Sequence[Frame | Head]) -> Stop:
        """Follows one path from some steps to where it stops."""
        self.stack = list(stack)
        while self.stack:
            top = self.stack[-1]
            if isinstance(top, Head):
                return Stop("head", top, around=True)
            if top.index < len(top.body):
                step = top.body[top.index]
                self.stack[-1] = Frame(top.body, top.index + 1, top.loop, top.left)
                stop = self._carefully(step)
                if stop is not None:
                    return stop
            elif top.loop is not None and top.left:
                self.bound[top.loop.binder] = top.left[0]
                self.stack[-1] = Frame(top.body, 0, top.loop, top.left[1:])
            else:
                self.stack.pop()
        self._moment("hand-ends")
        return Stop("hand-over")

    def _carefully(self, step: c.Stmt) -> Stop | None:
        known = len(self.doubts)
        try:
            return self._step(step)
        except GapError as gap:
            return Stop("gap", gap=(gap.rule, gap.span))
        except BrokenError:
            return Stop("broken")
        except NotEncodedError as wrong:
            del self.doubts[known:]
            self._skip(step, wrong)
            return None

    def _skip(self, step: c.Stmt, wrong: NotEncodedError) -> None:
        """Leaves a step out: what it may have changed is unknown."""
        self.skipped.append(Skipped(step, wrong.what, wrong.span))
        usage = usage_of(step)
        for node in walk(step):
            if isinstance(node, c.ChooseCards | c.ChooseValue):
                kind = c.CARDS if isinstance(node, c.ChooseCards) else node.value_type
                self.bound[node.binder] = self.unknown(kind)
        for name in sorted(usage.assigns):
            info = self.program.variables[name]
            for owners in owner_keys(self.program, info.of):
                self.variables.pop((name, *owners), None)
        if any(isinstance(n, c.Move | c.Deal | c.Shuffle) for n in walk(step)):
            keys = sorted(self.zones)
            self.zones = dict(zip(keys, self.world.parts([str(key) for key in keys]), strict=True))

    def forgetting(self, names: Sequence[str]) -> LazyVariables:
        """The variables, of which some are unknown."""
        return LazyVariables(self, {k: v for k, v in self.variables.items() if k[0] not in names})

    def unknown(self, kind: c.Type) -> Symbol:
        """A value of a type that nothing is known about."""
        if kind == c.CARDS:
            return self.world.anything()
        if kind == c.CARD:
            one = self.world.part_of(self.world.known(range(self.world.width)), 1, z3.Bool(self.world.name()))
            return one
        made = anything(self.program, kind, self.world.name(), self.trail.facts)
        if made is y.OPAQUE:
            size = {"suits": len(self.program.deck.suits), "ranks": len(self.program.deck.ranks)}
            number = size.get(kind.kind, self.program.players)
            return y.Members(tuple((i, z3.Bool(self.world.name())) for i in range(number)))
        return made

    def claim(self, check: str, wrong: Bool, bits: Bool | None = None) -> Doubt:
        """A claim of a check at this moment, which fails under a condition (told in bits apart, if need be)."""
        place = self.program.rules["hand"].span
        return Doubt(wrong, wrong if bits is None else bits, place, "", "", check)

    def _moment(self, moment: str) -> None:
        self.doubts += self.claims(self, moment)
        if moment == "play-starts":
            self.milestone = len(self.doubts)

    # ---------------------------------------------------------------------------------------------- steps

    def _step(self, t: c.Stmt) -> Stop | None:
        match t:
            case c.Assign():
                self._assign(t)
            case c.Branch():
                return self._branch(t)
            case c.Loop():
                return self._loop(t)
            case c.Until():
                return self._head(t)
            case c.InRule():
                self.stack.append(Frame(t.body))
            case c.ChooseCards():
                self._choose_cards(t)
            case c.ChooseValue():
                self._choose_value(t)
            case c.Move():
                self._move(t)
            case c.Show():
                self._show(t)
            case c.Shuffle():
                self.zones = dict.fromkeys(self.zones, self.world.none)
                self.zones[(DECK,)] = self.world.known(range(self.world.width))
            case c.Deal():
                self._deal(t)
            case c.Announce():
                for _, told in t.fields:
                    if not isinstance(told, str):
                        self.value(told)
            case c.EndMatch():
                self.value(t.winners)
                if not any(cards.empty is False for key, cards in self.zones.items() if key[0] == "hand"):
                    self._moment("hand-ends")
                return Stop("match-over")
            case c.Unspecified():
                raise GapError(t.rule, t.span)
        return None

    def _assign(self, t: c.Assign) -> None:
        value, owners = self.value(t.value), self.owners(t.arguments, t.span)
        kind = self.program.variables[t.variable].type
        if kind in (c.CARDS, c.CARD):
            value = self._as_cards(value)
        for key, when in owners:
            place = (t.variable, *key)
            self.variables[place] = (
                value if when is True else self.merge(kind, when, value, self.variables[place])
            )

    def _branch(self, t: c.Branch) -> Stop | None:
        if _only_tells(t):
            self._tell_both(t)
            return None
        condition = self.value(t.condition)
        body = t.then if self.trail.decide(condition) else t.otherwise
        self.stack.append(Frame(body))
        return None

    def _tell_both(self, t: c.Branch) -> None:
        """A branch that changes nothing: both sides are only looked at for what may break down in them."""
        reading = next((n for n in walk(t.condition) if isinstance(n, c.Reading)), None)
        condition = z3.Bool(self.world.name()) if reading is not None else self.value(t.condition)
        for when, body in ((condition, t.then), (y.neg(condition), t.otherwise)):
            with self.under(when):
                self._tell(body)

    def _tell(self, body: tuple[c.Stmt, ...]) -> None:
        for t in body:
            match t:
                case c.Show():
                    self._show(t)
                case c.Announce():
                    self._step(t)
                case c.InRule():
                    self._tell(t.body)
                case c.Branch():
                    self._tell_both(t)
                case c.Loop():
                    for x, when in self.members(t.domain):
                        self.bound[t.binder] = x
                        with self.under(when):
                            self._tell(t.body)

    def _show(self, t: c.Show) -> None:
        """Nobody is asked about where there is nothing to show."""
        with self.under(self.world.some(self.cards(t.cards))):
            self.members(t.to)
            self._player(t.actor)

    def _loop(self, t: c.Loop) -> Stop | None:
        if t.domain.type == c.CARDS:
            raise NotEncodedError("it goes through cards one by one", t.span)
        if isinstance(t.domain, c.Range):
            low, high = self.value(t.domain.low), self.value(t.domain.high)
            known = isinstance(low, int) and isinstance(high, int)
            if not known or high - low >= UNROLLED:
                if not t.order.keys:
                    return self._head(t)
                sketch(self, t)
                return None
        elements = [x for x, when in self.members(t.domain) if self.trail.decide(when)]
        self.stack.append(Frame(t.body, len(t.body), t, tuple(self._in_order(t, elements))))
        return None

    def _head(self, t: c.Loop | c.Until) -> Stop:
        if not self.playing and "play" in usage_of(t).labels:
            self._moment("play-starts")
            self.playing = True
        return Stop("head", Head(t, tuple(self.stack)))

    def _in_order(self, t: c.Loop, elements: list[int]) -> list[int]:
        """The elements in the order of the keys, each comparison decided."""
        order, n = t.order, self.program.players
        elements.sort()
        if order.start is not None:
            first, turn = self.player(order.start), 1 if order.clockwise else -1
            elements.sort(key=lambda p: (p - first) * turn % n)
        if not order.keys or len(elements) < 2:
            return elements
        keys: dict[int, list[tuple[bool, Int]]] = {}
        for x in elements:
            keys[x] = []
            for highest, binder, e in order.keys:
                self.bound[binder] = x
                key = self.value(e)
                if not isinstance(key, int | z3.ArithRef):
                    raise NotEncodedError("what the order goes by is not a number", e.span)
                keys[x].append((highest, key))
        ordered: list[int] = []
        for x in elements:
            place = len(ordered)
            while place and self.trail.decide(_first(keys[x], keys[ordered[place - 1]])):
                place -= 1
            ordered.insert(place, x)
        for a, b in pairwise(ordered):
            tie = y.conj(*(y.compare("=", i, j) for (_, i), (_, j) in zip(keys[a], keys[b], strict=True)))
            if order.ties == "impossible":
                self.fault(tie, t.span, "tie")
            elif order.ties == "open" and tie is not False and self.trail.decide(tie):
                self.open_ties.append(t.span)
        return ordered

    # -------------------------------------------------------------------------------------------- choices

    def player(self, e: c.Expr) -> int:
        """A player, decided.  Raises BrokenError where there is nobody."""
        alternatives = y.cases(self._player(e)).of
        known = [(x, when) for x, when in alternatives if x is not None]
        ways = [when for _, when in known]
        number = self.trail.pick([*ways, y.neg(y.disj(*ways))])
        if number == len(known):
            raise BrokenError
        chosen = known[number][0]
        assert chosen is not None
        if isinstance(e, c.Variable) and len(known) > 1 and not e.arguments:
            self.variables[(e.name,)] = chosen
        return chosen

    def _choose_cards(self, t: c.ChooseCards) -> None:
        if t.label == "play" and not self.playing:
            self._moment("play-starts")
            self.playing = True
        known, nobody_there = len(self.doubts), False
        actor, to = 0, None
        try:  # who it is is decided first, and looked at for what breaks down last, as in play
            actor, to = self.player(t.actor), None if t.to is None else self.player(t.to)
        except BrokenError:
            nobody_there = True
        asked = self.doubts[known:]
        del self.doubts[known:]
        domain, low, high = self.cards(t.domain), self.value(t.low), self.value(t.high)
        self.doubts += asked
        if nobody_there:
            raise BrokenError
        size = self.world.size(domain)
        senseless = y.disj(y.compare("<", low, 0), y.compare("<", high, low))
        self.doubt(senseless, senseless, t.span, "bad-number", t.label)
        too_few = y.conj(y.compare(">", high, 0), y.compare("<", size, low))
        least = isinstance(low, int) and low == 1
        nobody = y.conj(y.compare(">", high, 0), y.neg(self.world.some(domain))) if least else True
        self.doubt(too_few, nobody, t.span, "no-legal-choice", t.label)
        if t.whose is not None:
            self._player(t.whose)
        if isinstance(low, int) and isinstance(high, int) and low == high:
            number: Int = low
        elif low is high or (not isinstance(low, int) and not isinstance(high, int) and low.eq(high)):
            number = low
        else:
            number = z3.Int(self.world.name())
            able = y.conj(y.compare("<=", low, high), y.compare("<=", low, size), y.compare(">=", low, 0))
            bounds = y.conj(number >= low, number <= high, y.compare("<=", number, size))
            self.world.count_facts.append(y.disj(y.neg(able), bounds))
        self.bound[t.binder] = self.world.part_of(domain, number, self.path)
        self.picks.append(Picked(t.label, actor, to, number, low, high, t.span))
        self.decided.append(self.bound[t.binder])

    def _choose_value(self, t: c.ChooseValue) -> None:
        self.player(t.actor)
        options = self.members(t.domain)
        truth = t.value_type.kind == "boolean"
        allowed: list[tuple[int | None, Bool]] = []
        for x, when in options:
            self.bound[t.binder] = bool(x) if truth else x
            with self.under(when):
                allowed.append((x, y.conj(when, self.value(t.condition))))
        if t.or_none:
            allowed.append((None, True))
        possible = y.disj(*(when for _, when in allowed))
        self.fault_in(y.neg(possible), t, "no-legal-choice")
        if t.value_type.kind == "integer":
            number = z3.Int(self.world.name())
            within = y.disj(*(y.conj(number == x, when) for x, when in allowed if x is not None))
            self.trail.facts.append(y.disj(y.neg(possible), within))
            self.bound[t.binder] = number
            self.decided.append(number)
            return
        index = z3.Int(self.world.name())
        told = [(-1 if x is None else x, when) for x, when in allowed if when is not False]
        self.trail.facts.append(y.disj(y.neg(possible), *(y.conj(index == x, when) for x, when in told)))
        if truth:
            self.bound[t.binder] = index == 1
        else:
            self.bound[t.binder] = Cases(tuple((None if x < 0 else x, index == x) for x, _ in told))
        self.decided.append(self.bound[t.binder])

    def fault_in(self, condition: Bool, t: c.ChooseValue, kind: str) -> None:
        """Notes that a move may break down."""
        self.doubt(condition, condition, t.span, kind, t.label)

    # ---------------------------------------------------------------------------------------------- cards

    def _move(self, t: c.Move) -> None:
        cards = self.cards(t.cards)
        sources = self.owners(t.source.arguments, t.source.span)
        targets = self.owners(t.target.arguments, t.target.span)
        for owners, when in sources:
            key = (t.source.zone, *owners)
            lost = y.conj(when, self.world.outside(cards, self.zones[key]))
            self.doubt(True, lost, t.span, "cards-not-there", t.label)
        try:
            with self.under(self.world.some(cards)):
                actor = None if t.actor is None else self.player(t.actor)
                to = None if t.to is None else self.player(t.to)
        except BrokenError:
            if self.trail.decide(self.world.some(cards)):
                raise
            return
        for owners, when in sources:
            key = (t.source.zone, *owners)
            self.zones[key] = self.world.choose(
                when, self.world.moved_out(self.zones[key], cards), self.zones[key]
            )
        for owners, when in targets:
            key = (t.target.zone, *owners)
            self.zones[key] = self.world.choose(
                when, self.world.moved_in(self.zones[key], cards), self.zones[key]
            )
        if actor is not None:
            after = self.zones[(t.source.zone, *sources[0][0])]
            for owners, when in sources[1:]:
                after = self.world.choose(when, self.zones[(t.source.zone, *owners)], after)
            self.events.append(Event(t.label, actor, to, cards, after, t.span))

    def _deal(self, t: c.Deal) -> None:
        deck = self.zones[(DECK,)]
        count = None if t.count is None else self.value(t.count)
        dealt = deck
        if count is not None:
            size = self.world.size(deck)
            wrong = y.disj(y.compare("<", count, 0), y.compare(">", count, size))
            self.doubt(wrong, True, t.span, "deck-empty")
            dealt = self.world.part_of(deck, count, self.path)
        self.decided.append(dealt)
        self.zones[(DECK,)] = self.world.moved_out(deck, dealt)
        for owners, when in self.owners(t.to.arguments, t.to.span):
            key = (t.to.zone, *owners)
            self.zones[key] = self.world.choose(
                when, self.world.moved_in(self.zones[key], dealt), self.zones[key]
            )

    # --------------------------------------------------------------------------------- readings, parameters

    def value(self, e: c.Expr) -> Symbol:
        match e:
            case c.Reading():
                return self._picked_once(self.taken, e.rule, range(len(self.program.readings[e.rule])))
            case c.Parameter():
                return self._picked_once(self.given, e.name, self.program.parameters[e.name])
        return super().value(e)

    def _picked_once(self, known: dict[str, int], name: str, values: Sequence[int]) -> int:
        """One of several values, the same whenever it is asked for on this path."""
        if name not in known:
            alternatives: list[Bool] = [z3.Bool(f"{name}={value}") for value in values]
            known[name] = values[self.trail.pick(alternatives)] if len(values) > 1 else values[0]
        return known[name]


def _only_tells(*steps: c.Stmt) -> bool:
    """Whether steps change nothing and ask nobody."""
    for t in steps:
        match t:
            case c.Show() | c.Announce():
                continue
            case c.InRule() if _only_tells(*t.body):
                continue
            case c.Branch() if _only_tells(*t.then, *t.otherwise):
                continue
            case c.Loop() if t.domain.type == c.PLAYERS and not t.order.keys and _only_tells(*t.body):
                continue
        return False
    return True


def _first(left: Sequence[tuple[bool, Int]], right: Sequence[tuple[bool, Int]]) -> Bool:
    """Whether one key comes before another."""
    before: Bool = False
    for (highest, a), (_, b) in reversed(list(zip(left, right, strict=True))):
        strictly = y.compare(">" if highest else "<", a, b)
        before = y.disj(strictly, y.conj(y.compare("=", a, b), before))
    return before
