"""Which variables everybody can work out, told from the rules alone; in doubt a variable is not one of them.

Everybody sees open zones, how many cards lie anywhere, what is chosen aloud, and cards that a player picks and then
moves to or from an open zone, or shows to all.  A variable is public unless something that is assigned to it, or decides
whether it is assigned, depends on anything else.  What is worked out from hidden cards is known by the next choice
where the rules announce it before, or where it is the player who makes that choice (`the one with 2C leads`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import DECK
from trickproof_dsl.core.traversal import parts, walk


def is_hidden(variable: str) -> bool:
    """Whether a variable keeps choices made at once until all are made; no rule can name such a one."""
    return "." in variable


def public_variables(program: c.Program) -> tuple[str, ...]:
    """The names, in the order of declaration; only those that are ever assigned."""
    phases = (program.setup, program.hand, program.between)
    assigned = {x.variable for x in walk(*phases) if isinstance(x, c.Assign)}
    secrets = _Secrets(program)
    names = (x for x in program.variables if x in assigned and not is_hidden(x))
    return tuple(name for name in names if name not in secrets.variables)


def open_zones(program: c.Program) -> frozenset[str]:
    """Zones whose cards everybody knows: open ones, and those that cards come to from such only, and never leave."""
    moves = [
        (x.source.zone, x.target.zone)
        for x in walk(program.setup, program.hand, program.between)
        if isinstance(x, c.Move)
    ]
    dealt = {x.to.zone for x in walk(program.setup, program.hand, program.between) if isinstance(x, c.Deal)}
    known = {zone.name for zone in program.zones.values() if zone.seen_by == "everyone"}
    left = {source for source, _ in moves}
    for name in program.zones:
        fed = {source for source, target in moves if target == name}
        if fed and fed <= known and name not in dealt | left | {DECK}:
            known.add(name)
    return frozenset(known)


Body = tuple[c.Stmt, ...]

FARTHEST = 5000
"""Steps that are looked at to find who acts next; beyond them it is not known."""


class _Secrets:
    """Variables and bound names that some player cannot work out."""

    def __init__(self, program: c.Program) -> None:
        self.program, self.open = program, open_zones(program)
        self.variables: set[str] = set()
        self.bound: set[str] = set()
        self.looked = 0
        phases = (program.setup, program.hand, program.between)
        self.shown = {name for body in _bodies(phases) for name in self._shown(body)}
        size = -1
        while size != len(self.variables) + len(self.bound):
            size = len(self.variables) + len(self.bound)
            for phase in phases:
                self._body(phase, False, ())

    def _shown(self, body: Body) -> Iterator[str]:
        """Names of chosen cards that everybody sees moved or shown afterwards."""
        for t in body:
            if isinstance(t, c.Move) and isinstance(t.cards, c.Local) and self._seen(t):
                yield t.cards.name
            if isinstance(t, c.Show) and isinstance(t.cards, c.Local) and isinstance(t.to, c.Universe):
                yield t.cards.name

    def _seen(self, t: c.Move) -> bool:
        zones = self.program.zones
        return "everyone" in (zones[t.source.zone].seen_by, zones[t.target.zone].seen_by)

    def _body(self, body: Body, secret: bool, after: tuple[Body, ...]) -> None:
        """Finds secrets in some steps; `after` is what is carried out when they are done, innermost first."""
        for i, t in enumerate(body):
            rest = (body[i + 1 :], *after)
            match t:
                case c.Assign():
                    unsure = secret or self.depends(t.value) or any(map(self.depends, t.arguments))
                    if unsure and not self._known_next(t, rest):
                        self.variables.add(t.variable)
                case c.Branch():
                    unsure = secret or self.depends(t.condition)
                    self._body(t.then, unsure, rest)
                    self._body(t.otherwise, unsure, rest)
                case c.Loop():
                    unsure = self.depends(t.domain) or self.depends(t.order)
                    self.bound |= {t.binder} if unsure else set()
                    self._body(t.body, secret or unsure, ((t,), *rest))
                case c.Until():
                    unsure = secret or self.depends(t.condition) or self.depends(t.bound)
                    self._body(t.body, unsure, ((t,), *rest))
                case c.InRule():
                    self._body(t.body, secret, rest)
                case c.ChooseCards():
                    self.bound |= set() if t.binder in self.shown else {t.binder}

    def _known_next(self, t: c.Assign, rest: tuple[Body, ...]) -> bool:
        """Whether what is assigned is known by the next choice, whatever happens."""
        self.looked = 0
        info = self.program.variables[t.variable]
        onward = (*rest, self.program.between, self.program.hand) if info.carried else rest
        return self._known_by_choice(t.variable, not info.of and info.type == c.PLAYER, onward)

    def _known_by_choice(self, name: str, acts: bool, rest: tuple[Body, ...]) -> bool:
        """`acts`: a player, who is known by acting."""
        for i, body in enumerate(rest):
            for j, t in enumerate(body):
                self.looked += 1
                onward = (body[j + 1 :], *rest[i + 1 :])
                match t:
                    case _ if self.looked > FARTHEST or isinstance(t, c.Deal):
                        return False
                    case c.ChooseCards() | c.ChooseValue():
                        return acts and isinstance(t.actor, c.Variable) and t.actor.name == name
                    case c.Announce() if any(told == name for _, told in t.fields):
                        return True
                    case c.Assign(variable=again) if acts and again == name:
                        return True
                    case c.Branch():
                        branches = (t.then, t.otherwise)
                        if any(map(_tells, branches)):
                            return all(self._known_by_choice(name, acts, (one, *onward)) for one in branches)
                    case c.InRule() if _tells(t.body):
                        return self._known_by_choice(name, acts, (t.body, *onward))
                    case c.Loop() | c.Until() if _tells(t.body):
                        if not self._known_by_choice(name, acts, (t.body, *onward)):
                            return False
        return True

    def depends(self, e: Any) -> bool:
        """Whether a value (or an order) depends on what some player cannot work out."""
        match e:
            case c.Size(set=c.ZoneCards(arguments=owners)):
                return any(map(self.depends, owners))
            case c.ZoneCards():
                return e.zone not in self.open or any(map(self.depends, e.arguments))
            case c.Variable():
                # Cards kept from choices made at once are still in hands; other values are known once they are used.
                kept = is_hidden(e.name) and e.type == c.CARDS
                named = e.name in self.variables and not is_hidden(e.name)
                return kept or named or any(map(self.depends, e.arguments))
            case c.Local():
                return e.name in self.bound
        return any(map(self.depends, parts(e)))


def _bodies(phases: tuple[Body, ...]) -> Iterator[Body]:
    yield from phases
    for node in walk(*phases):
        for name in ("then", "otherwise", "body"):
            body = getattr(node, name, None)
            if isinstance(body, tuple):
                yield body


def _tells(body: Body) -> bool:
    """Whether anything is chosen, dealt or announced in some steps."""
    return any(isinstance(x, c.ChooseCards | c.ChooseValue | c.Deal | c.Announce) for x in walk(body))
