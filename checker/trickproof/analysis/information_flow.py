"""Which variables every player can work out, determined from the rules alone; in doubt a variable is considered secret.

All players see open zones, the number of cards in any zone, choices made aloud, and cards that a player
chooses and then moves to or from an open zone, or shows to all. A variable is public unless something
assigned to it, or deciding whether it is assigned, depends on anything else. A value computed from hidden
cards is known by the next choice if the rules announce it first, or if it is the player who makes that choice
(`the one with 2C leads`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trickproof.analysis.dependencies import Body, Step, assigned_by_rules, steps, variables_read
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import Node, mapped, parts, walk
from trickproof_dsl.semantics.values import DECK


def is_hidden(variable: str) -> bool:
    """Whether a variable stores simultaneous choices until all are made; rules cannot name such a variable."""
    return "." in variable


def public_variables(program: c.Program) -> tuple[str, ...]:
    """The names in order of declaration, restricted to variables that are ever assigned."""
    assigned = assigned_by_rules(program)
    secrets = _Secrets(program)
    names = (x for x in program.variables if x in assigned and not is_hidden(x))
    return tuple(name for name in names if name not in secrets.variables)


def open_zones(program: c.Program) -> frozenset[str]:
    """Zones whose cards all players know: open ones, and those that only such zones feed and that cards never leave."""
    moves = [(x.source.zone, x.target.zone) for x in walk(*program.phases) if isinstance(x, c.Move)]
    dealt = {x.to.zone for x in walk(*program.phases) if isinstance(x, c.Deal)}
    known = {zone.name for zone in program.zones.values() if zone.seen_by == "everyone"}
    sources = {source for source, _ in moves}
    for name in program.zones:
        fed_from = {source for source, target in moves if target == name}
        if fed_from and fed_from <= known and name not in dealt | sources | {DECK}:
            known.add(name)
    return frozenset(known)


FARTHEST = 5000
"""Maximum number of statements searched to find who acts next; beyond that it is unknown."""


class _Secrets:
    """Variables and bound names that some player cannot work out."""

    def __init__(self, program: c.Program) -> None:
        self.program, self.open = program, open_zones(program)
        self.read_between = variables_read(*program.between)
        self.variables: set[str] = set()
        self.bound: set[str] = set()
        self.looked = 0
        every = [step for phase in program.phases for step in steps(phase)]
        self.shown = {name for step in every for name in self._shown(step.statement)}
        size = -1
        while size != len(self.variables) + len(self.bound):
            size = len(self.variables) + len(self.bound)
            for step in every:
                self._propagate(step)

    def _shown(self, t: c.Stmt) -> Iterator[str]:
        """Names of chosen cards that all players see moved or shown afterwards."""
        if isinstance(t, c.Move) and isinstance(t.cards, c.Local) and self._seen(t):
            yield t.cards.name
        if isinstance(t, c.Show) and isinstance(t.cards, c.Local) and isinstance(t.to, c.Universe):
            yield t.cards.name

    def _seen(self, t: c.Move) -> bool:
        zones = self.program.zones
        return "everyone" in (zones[t.source.zone].seen_by, zones[t.target.zone].seen_by)

    def _propagate(self, step: Step) -> None:
        """Mark what a statement defines as secret if its value, or whether it is executed, depends on a secret."""
        match step.statement:
            case c.Assign() as t if t.variable not in self.variables:
                secret = any(map(self.depends, (*step.tests, *step.operands)))
                if secret and not self._known_next(t, step.continuation):
                    self.variables.add(t.variable)
            case c.Loop() as t:
                self.bound |= {t.binder} if any(map(self.depends, step.operands)) else set()
            case c.ChooseCards() as t:
                self.bound |= set() if t.binder in self.shown else {t.binder}

    def _known_next(self, t: c.Assign, rest: tuple[Body, ...]) -> bool:
        """Whether the assigned value is known by the next choice on every path."""
        self.looked = 0
        info = self.program.variables[t.variable]
        lasts = info.carried or t.variable in self.read_between
        onward = (*rest, self.program.between, self.program.hand) if lasts else rest
        return self._known_by_choice(t.variable, not info.of and info.type == c.PLAYER, onward)

    def _known_by_choice(self, name: str, acts: bool, rest: tuple[Body, ...]) -> bool:
        """Like `_known_next`, for a continuation; `acts` if the value is a player, who becomes known by acting."""
        for i, body in enumerate(rest):
            for j, t in enumerate(body):
                self.looked += 1
                onward = (body[j + 1 :], *rest[i + 1 :])
                match t:
                    case _ if self.looked > FARTHEST or isinstance(t, c.Deal):
                        return False
                    case c.ChooseCards() | c.ChooseValue():
                        return acts and isinstance(t.actor, c.Variable) and t.actor.name == name
                    case c.Announce() if any(value == name for _, value in t.fields):
                        return True
                    case c.Assign(variable=again) if acts and again == name:
                        return True
                    case c.Branch():
                        branches = (t.then, t.otherwise)
                        if any(map(_informs, branches)):
                            return all(self._known_by_choice(name, acts, (one, *onward)) for one in branches)
                    case c.InRule() if _informs(t.body):
                        return self._known_by_choice(name, acts, (t.body, *onward))
                    case c.Loop() | c.Until() if _informs(t.body):
                        if not self._known_by_choice(name, acts, (t.body, *onward)):
                            return False
        return True

    def depends(self, e: Node) -> bool:
        """Whether a value depends on something that some player cannot work out."""
        match e:
            case c.Size(set=c.ZoneCards(arguments=owners)):
                return any(map(self.depends, owners))
            case c.ZoneCards():
                return e.zone not in self.open or any(map(self.depends, e.arguments))
            case c.Variable():
                # Cards of simultaneous choices are still in hands; other values are known once they are used.
                unrevealed = is_hidden(e.name) and e.type == c.CARDS
                secret = e.name in self.variables and not is_hidden(e.name)
                return unrevealed or secret or any(map(self.depends, e.arguments))
            case c.Local():
                return e.name in self.bound
        return any(map(self.depends, parts(e)))


def _informs(body: Body) -> bool:
    """Whether anything is chosen, dealt or announced in some steps."""
    return any(isinstance(x, c.Choice | c.Deal | c.Announce) for x in walk(body))


def hand_that_decides(program: c.Program, choice: c.ChooseCards) -> str | None:
    """The only zone of the chooser with hidden cards that affects which cards may be chosen.

    Only its owner sees into it. None if other hidden information, or no such zone, matters.
    """
    held = {
        x.zone
        for x in walk(choice.domain)
        if isinstance(x, c.ZoneCards) and x.arguments == (choice.actor,) and _is_held(program, x.zone)
    }
    if len(held) != 1 or choice.blind:
        return None

    def known(x: Node) -> Node | None:
        mine = isinstance(x, c.ZoneCards) and x.zone in held and x.arguments == (choice.actor,)
        return c.Literal(c.CARDS, (), choice.span) if mine else None

    if _Secrets(program).depends(mapped(choice.domain, known)):
        return None
    return held.pop()


def decided_by_zone(
    program: c.Program, cards: c.Expr, zone: str, owner: c.Expr, kept: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...] | None:
    """Names that affect, beside the cards of a hidden zone, which of these an expression has; None if more does.

    The names are those bound by choices whose cards are stored in the `kept` variables.
    """
    if not _is_held(program, zone):
        return None
    read = [x for x in walk(cards) if isinstance(x, c.ZoneCards) and x.zone == zone]
    if not any(x.arguments == (owner,) for x in read):
        return None
    names = {name for x in walk(cards) if isinstance(x, c.Variable) for name in kept.get(x.name, ())}

    def known(x: Node) -> Node | None:
        mine = isinstance(x, c.ZoneCards) and x.zone == zone and x.arguments == (owner,)
        remembered = isinstance(x, c.Variable) and x.name in kept
        return c.Literal(c.CARDS, (), cards.span) if mine or remembered else None

    return None if _Secrets(program).depends(mapped(cards, known)) else tuple(sorted(names))


def zone_of_all(cards: c.Expr, player: c.Expr) -> c.ZoneCards | None:
    """The zone of nobody or of a player in which all of some cards lie; None if the expression does not say."""
    match cards:
        case c.ZoneCards():
            return cards if cards.arguments in ((), (player,)) else None
        case c.Filter(domain=part) | c.Best(domain=part) | c.Top(operand=part) | c.Matching(operand=part):
            return zone_of_all(part, player)
        case c.Only(operand=part) | c.Single(element=part) | c.RuleValue(value=part):
            return zone_of_all(part, player)
        case c.SetOperation("-", part):
            return zone_of_all(part, player)
    return None


def _is_held(program: c.Program, zone: str) -> bool:
    info = program.zones[zone]
    return info.of == (c.PLAYER,) and info.seen_by == "owner"
