"""Partial evaluation of the steps before the play: the residue after evaluating everything independent of cards and choices.

Known numbers, players and orders are substituted, loops over them unrolled, and steps without effect dropped.
What remains are cards dealt, moved and shown, and choices, as expressions over zones and earlier choices. Two
programs with the same residue, from everything that a deal can begin with, do the same for all deals and
choices, however they are worded: every rewriting here preserves meaning, and nothing is approximated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from trickproof.analysis.usage import usage_of
from trickproof.equivalence.constant_folding import (
    EACH,
    Values,
    cannot_fault,
    element_type,
    entry,
    is_empty,
    is_somebody,
    is_total,
    literal,
    plain,
    semantic_fields,
)
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import DECK, Key, Value, zone_keys

MOST_STEPS = 2_000
"""Maximum number of steps in a residue."""

Residue = tuple[tuple[c.Stmt, ...], tuple[tuple[Key, Value], ...]]
"""The remaining steps, and the variables known after them."""


class TooLongError(Exception):
    """The residue exceeds the maximum number of steps."""


def residue(
    program: c.Program,
    known: Mapping[Key, Value],
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
    steps: Sequence[c.Stmt],
) -> Residue:
    """The residue of some steps, given the variables known before them. Raises TooLongError."""
    specialiser = Specialiser(program, known, parameters, readings)
    specialiser.run(steps)
    return tuple(specialiser.residue), tuple(sorted(specialiser.known.items(), key=repr))


class Specialiser(Values):
    """Accumulates the residue of steps (`residue`); `over` once nothing more is executed."""

    def __init__(
        self,
        program: c.Program,
        known: Mapping[Key, Value],
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
    ) -> None:
        super().__init__(program, known, parameters, readings)
        self.residue: list[c.Stmt] = []
        self.over = False
        self.chosen: dict[str, int] = {}
        """The number of cards that a choice takes, where known."""
        self.sure: list[c.Stmt] = []
        """The steps of the residue that move or show at least one card whenever they are taken."""

    def run(self, body: Sequence[c.Stmt]) -> None:
        """Add the residue of some steps."""
        for step in body:
            if self.over:
                return
            if len(self.residue) > MOST_STEPS:
                raise TooLongError
            self._step(step)

    def _step(self, t: c.Stmt) -> None:
        match t:
            case c.InRule():
                self.run(t.body)
            case c.Assign():
                self._assign(t)
            case c.Branch():
                condition = self.value(t.condition)
                if isinstance(condition, c.Literal):
                    self.run(t.then if condition.value else t.otherwise)
                else:
                    self._either(t, condition)
            case c.Loop():
                self._loop(t)
            case c.Until():
                self._again(t)
            case c.ChooseCards():
                self._choose_cards(t)
            case c.ChooseValue():
                actor, domain, name = self.value(t.actor), self.value(t.domain), self.choice()
                self.bound[t.binder] = c.Local(name, t.value_type, t.span)
                condition = self.value(t.condition)
                self.residue.append(
                    replace(t, actor=actor, domain=domain, condition=condition, binder=name, rule="")
                )
            case c.Move() | c.Show():
                rewritten: Any = replace(
                    t, **{name: self.part(getattr(t, name)) for name in semantic_fields(t)}
                )
                if isinstance(rewritten, c.Move):
                    rewritten = replace(rewritten, single=False)
                if not (is_empty(rewritten.cards) and (isinstance(rewritten, c.Show) or is_total(rewritten))):
                    self.residue.append(rewritten)
                number = self._number(rewritten.cards)
                self.sure += [rewritten] if number else []
                if isinstance(rewritten, c.Move):
                    self._resized(rewritten.source, None if number is None else -number)
                    self._resized(rewritten.target, number)
            case c.Announce():
                values = tuple(
                    (name, self._all(x, t.span) if isinstance(x, str) else self.value(x))
                    for name, x in t.fields
                )
                self.residue.append(replace(t, fields=values))
            case c.EndHand() | c.EndMatch() | c.Unspecified():
                self.over = True
                self.residue.append(
                    replace(t, **{name: self.part(getattr(t, name)) for name in semantic_fields(t)})
                )
            case c.Shuffle():
                self.residue.append(t)
                self.sizes = {
                    **dict.fromkeys(zone_keys(self.program), 0),
                    (DECK,): len(self.program.deck.cards),
                }
            case c.Deal():
                dealt = replace(t, **{name: self.part(getattr(t, name)) for name in semantic_fields(t)})
                self.residue.append(dealt)
                self._dealt(dealt)
            case _:
                self.residue.append(
                    replace(t, **{name: self.part(getattr(t, name)) for name in semantic_fields(t)})
                )

    def _dealt(self, t: c.Deal) -> None:
        """Update the sizes of zones for a deal, which faults if the deck has too few cards."""
        number: int | None = self.sizes.get((DECK,))
        if t.count is not None:
            number = (
                t.count.value if isinstance(t.count, c.Literal) and isinstance(t.count.value, int) else None
            )
        self._resized(c.Place(DECK, (), t.span), None if number is None else -number)
        self._resized(t.to, number)

    def _number(self, cards: c.Expr) -> int | None:
        """The number of cards in a set, if known."""
        match cards:
            case c.Literal(_, tuple() as some):
                return len(some)
            case c.Local(name):
                return self.chosen.get(name)
            case c.ZoneCards(zone, arguments):
                key = entry(zone, arguments)
                return None if key is None else self.sizes.get(key)
        return None

    def _resized(self, place: c.Place, more: int | None) -> None:
        """Change the size of a zone; None makes it unknown."""
        key = entry(place.zone, place.arguments)
        if key is None or more is None:
            gone = [x for x in self.sizes if x == key or (key is None and x[0] == place.zone)]
            for x in gone:
                del self.sizes[x]
        elif key in self.sizes:
            self.sizes[key] += more

    def _all(self, name: str, span: Span) -> c.Expr:
        """The values of a variable for every player, as one expression."""
        kind = self.program.variables[name].type
        seats = [c.Literal(c.PLAYER, p, span) for p in range(self.program.players)]
        values = tuple(self.value(c.Variable(name, (seat,), kind, span)) for seat in seats)
        return c.Variable(f"every {name}", values, kind, span)

    def _assign(self, t: c.Assign) -> None:
        value, arguments = self.value(t.value), tuple(self.value(x) for x in t.arguments)
        key = entry(t.variable, arguments)
        if key is None:
            self._write_down([name for name in self.known if name[0] == t.variable])
            self.known = {name: x for name, x in self.known.items() if name[0] != t.variable}
        elif isinstance(value, c.Literal):
            self.known[key] = plain(value)
            return
        else:
            self.known.pop(key, None)
        self.residue.append(replace(t, value=value, arguments=arguments))

    def forget(self, name: str) -> None:
        self._write_down([key for key in self.known if key[0] == name])
        self.known = {key: x for key, x in self.known.items() if key[0] != name}

    def _write_down(self, keys: Sequence[Key]) -> None:
        """Emit known values as assignments, where they cease to be known."""
        for key in sorted(keys, key=repr):
            info = self.program.variables[key[0]]
            span = self.program.rules["hand"].span
            owners = tuple(c.Literal(kind, x, span) for kind, x in zip(info.of, key[1:], strict=True))
            self.residue.append(c.Assign(key[0], owners, literal(info.type, self.known[key], span), span))

    def copy(self, program: c.Program) -> Specialiser:
        """A copy of the current state, to continue with the steps of another program."""
        other = self._another(program, list(self.names))
        other.residue, other.over, other.sure = list(self.residue), self.over, list(self.sure)
        return other

    def _inner(self, body: Sequence[c.Stmt]) -> Specialiser:
        inside = self._another(self.program, self.names)
        inside.run(body)
        return inside

    def _another(self, program: c.Program, names: list[int]) -> Specialiser:
        """A specialiser with the same knowledge and an empty residue."""
        other = type(self)(program, self.known, self.parameters, self.readings)
        other.bound, other.names = dict(self.bound), names
        other.depth, other.sizes, other.chosen = self.depth, dict(self.sizes), dict(self.chosen)
        return other

    def _either(self, t: c.Branch, condition: c.Expr) -> None:
        """Specialise both sides of a branch; values on which they disagree are emitted at the end of each."""
        choices, sides = self.names[0], [self._inner(t.then)]
        self.names[0], after = choices, self.names[0]  # alike on both sides, as neither sees the other's
        sides.append(self._inner(t.otherwise))
        self.names[0] = max(self.names[0], after)
        same = {k: v for k, v in sides[0].known.items() if k in sides[1].known and sides[1].known[k] == v}
        for side in sides:
            side._write_down([key for key in side.known if key not in same])
        self.known = same
        both = sides[0].sizes.items() & sides[1].sizes.items()
        self.sizes = dict(both)
        if sides[0].residue != sides[1].residue or not cannot_fault(condition):
            self.residue.append(
                replace(
                    t, condition=condition, then=tuple(sides[0].residue), otherwise=tuple(sides[1].residue)
                )
            )
        else:
            self.residue += sides[0].residue

    def _loop(self, t: c.Loop) -> None:
        domain = self.value(t.domain)
        order = self._in_order(t, domain)
        if order is None:
            self._again(t)
            return
        for x in order:
            self.bound[t.binder] = c.Literal(element_type(domain.type), x, t.span)
            self.run(t.body)

    def _in_order(self, t: c.Loop, domain: c.Expr) -> list[int] | None:
        """The elements in the order of the loop, if it is known and no tie forbids it."""
        start = None if t.order.start is None else self.value(t.order.start)
        if not isinstance(domain, c.Literal) or not isinstance(domain.value, tuple):
            return None
        elements = sorted(domain.value)
        if start is not None:
            if not isinstance(start, c.Literal) or not isinstance(start.value, int):
                return None
            first, turn = start.value, 1 if t.order.clockwise else -1
            elements.sort(key=lambda p: (p - first) * turn % self.program.players)
        ranked: dict[int, tuple[int, ...]] = {}
        for x in elements:
            keys = [(high, self.with_bound(binder, x, domain, e)) for high, binder, e in t.order.keys]
            if not all(isinstance(key, c.Literal) and key.value is not None for _, key in keys):
                return None
            ranked[x] = tuple(-key.value if high else key.value for high, key in keys)  # type: ignore[union-attr, operator, misc]
        if t.order.ties == "impossible" and len(set(ranked.values())) < len(elements):
            return None
        return sorted(elements, key=ranked.__getitem__)

    def _again(self, t: c.Loop | c.Until) -> None:
        """Specialise a loop without unrolling it: what it assigns is unknown in it and after it."""
        assigned = _assigned(t)
        moved = _moved(t)
        self.sizes = {key: n for key, n in self.sizes.items() if moved is not None and key[0] not in moved}
        self._write_down([key for key in self.known if key[0] in assigned])
        self.known = {key: x for key, x in self.known.items() if key[0] not in assigned}
        rewritten: Any = t
        if isinstance(t, c.Loop):
            domain, name = self.value(t.domain), f"{EACH}{self.depth}"
            element = c.Local(name, element_type(domain.type), t.span)
            self.bound[t.binder], self.depth = element, self.depth + 1
            keys = []
            for high, binder, e in t.order.keys:
                self.bound[binder] = element
                keys.append((high, "", self.value(e)))
            start = None if t.order.start is None else self.value(t.order.start)
            rewritten = replace(
                t, domain=domain, binder=name, order=replace(t.order, keys=tuple(keys), start=start)
            )
        else:
            rewritten = replace(t, condition=self.value(t.condition), bound=self.value(t.bound))
        inside = self._inner(t.body)
        self.depth -= isinstance(t, c.Loop)
        inside._write_down([key for key in inside.known if key[0] in assigned])
        self.residue.append(replace(rewritten, body=tuple(inside.residue)))

    def _choose_cards(self, t: c.ChooseCards) -> None:
        parts = {
            name: self.part(getattr(t, name)) for name in semantic_fields(t) if name not in ("binder", "rule")
        }
        rewritten = replace(t, **parts)
        there = is_somebody(rewritten.actor) and (rewritten.to is None or is_somebody(rewritten.to))
        none = there and isinstance(rewritten.high, c.Literal) and rewritten.high.value == 0
        if none and isinstance(rewritten.low, c.Literal) and rewritten.low.value == 0 and is_total(rewritten):
            self.bound[t.binder] = c.Literal(c.CARDS, (), t.span)
            return
        name = self.choice()
        self.bound[t.binder] = c.Local(name, c.CARDS, t.span)
        low, high = rewritten.low, rewritten.high
        if isinstance(low, c.Literal) and isinstance(high, c.Literal) and isinstance(low.value, int):
            self.chosen |= {name: low.value} if low.value == high.value else {}
        self.residue.append(replace(rewritten, binder=name, rule="", single=False))


@lru_cache(4096)
def _assigned(t: c.Stmt) -> frozenset[str]:
    """The variables that a statement assigns; memoised because it depends only on immutable syntax and is called very often."""
    return usage_of(t).assigns


@lru_cache(4096)
def _moved(t: c.Stmt) -> frozenset[str] | None:
    """The zones from or to which a statement moves cards; None if it shuffles, which gathers all cards."""
    nodes = list(walk(t))
    if any(isinstance(node, c.Shuffle) for node in nodes):
        return None
    places = [x for node in nodes if isinstance(node, c.Move) for x in (node.source, node.target)]
    dealt = [node.to for node in nodes if isinstance(node, c.Deal)]
    return frozenset([DECK] if dealt else []) | {place.zone for place in (*places, *dealt)}
