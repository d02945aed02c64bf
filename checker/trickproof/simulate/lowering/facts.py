"""What can be told of expressions without playing: whether they may be `none`, between which numbers they lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk

INDEXED = ("player", "team", "suit", "rank", "card", "option")
"""Kinds that can be `none`."""


def depends(e: c.Expr, binder: str) -> bool:
    """Whether a bound name occurs."""
    return any(isinstance(x, c.Local) and x.name == binder for x in walk(e))


def changes(program: c.Program, name: str, kind: c.Type, of: tuple[c.Type, ...] = ()) -> bool:
    """Whether the rules declare a variable of that name and type, and assign it.

    The prelude declares more than a game need use: what is never assigned says nothing.
    """
    info = program.variables.get(name)
    if info is None or info.type != kind or info.of != of:
        return False
    nodes = walk(program.setup, program.between, program.hand)
    return any(isinstance(x, c.Assign) and x.variable == name for x in nodes)


def stripped(e: c.Expr) -> c.Expr:
    """The expression that a rule's value is."""
    while isinstance(e, c.RuleValue):
        e = e.value
    return e


class Nullable:
    """Which variables and chosen values may be `none`."""

    def __init__(self, program: c.Program) -> None:
        nodes = list(walk(program.setup, program.between, program.hand))
        infos = program.variables.values()
        self.variables = {x.name for x in infos if x.initial is None and x.type.kind in INDEXED}
        self.chosen = {x.binder for x in nodes if isinstance(x, c.ChooseValue) and x.or_none}
        self.level = -1
        self.sure: set[str] = set()
        """Variables known not to be `none`, whoever they are of, at the place that is being written."""
        self.one: dict[str, c.Variable] = {}
        """Variables known not to be `none` of one player, and the variable that holds this player."""
        assigned = [x for x in nodes if isinstance(x, c.Assign) and x.value.type.kind in INDEXED]
        while True:
            more = {x.variable for x in assigned if self.may_be_none(x.value)} - self.variables
            if not more:
                return
            self.variables |= more

    def assigned(self, t: c.Assign) -> None:
        """Learns from an assignment."""
        name, owners = t.variable, t.arguments
        self.one = {x: whose for x, whose in self.one.items() if name not in (x, whose.name)}
        if self.may_be_none(t.value):
            self.sure.discard(name)
        elif not owners:
            self.sure.add(name)
        elif (
            len(owners) == 1 and isinstance(owner := stripped(owners[0]), c.Variable) and not owner.arguments
        ):
            self.one[name] = owner

    def gone_round(self, t: c.Loop, one: dict[str, c.Variable]) -> None:
        """Learns from a loop over all players but one: what each was given, and before it the one, all have now."""
        domain = stripped(t.domain)
        if not isinstance(domain, c.SetOperation) or domain.operator != "-":
            return
        all_of, without = stripped(domain.left), stripped(domain.right)
        if not isinstance(all_of, c.Universe) or not isinstance(without, c.Single):
            return
        inside = Counter(x.variable for x in walk(t.body) if isinstance(x, c.Assign))
        for x in _plain_steps(t.body):
            if not isinstance(x, c.Assign) or self.may_be_none(x.value):
                continue
            each = [stripped(owner) for owner in x.arguments]
            whose = one.get(x.variable)
            mine = len(each) == 1 and isinstance(each[0], c.Local) and each[0].name == t.binder
            alone = whose is not None and whose.name not in inside and inside[x.variable] == 1
            if mine and alone and whose == stripped(without.element):
                self.sure.add(x.variable)

    @contextmanager
    def block(self, level: int) -> Iterator[set[str]]:
        """What is learned in a block holds to its end; `level` tells blocks apart."""
        outside = self.sure, self.one, self.level
        self.sure, self.one, self.level = set(self.sure), dict(self.one), level
        try:
            yield self.sure
        finally:
            self.sure, self.one, self.level = outside

    def seen(self, e: c.Expr, level: int) -> None:
        """Learns that a value was not `none`, if that is in the block itself."""
        e = stripped(e)
        if level == self.level and isinstance(e, c.Variable) and not e.arguments:
            self.sure.add(e.name)

    def forget(self, body: tuple[c.Stmt, ...]) -> None:
        """What a loop may assign is not known in it nor after it."""
        before = set(self.sure)
        self.sure, self.one = set(), {}
        for x in walk(body):
            if isinstance(x, c.Assign) and self.may_be_none(x.value):
                before.discard(x.variable)
        self.sure = before

    def may_be_none(self, e: c.Expr) -> bool:
        """Whether the value may be `none`."""
        match e:
            case c.Literal():
                return e.value is None
            case c.Variable():
                if e.name not in self.variables or e.name in self.sure:
                    return False
                whose = self.one.get(e.name)
                return whose is None or len(e.arguments) != 1 or stripped(e.arguments[0]) != whose
            case c.Local():
                return e.name in self.chosen
            case c.RuleValue():
                return self.may_be_none(e.value)
            case c.Conditional():
                return self.may_be_none(e.then) or self.may_be_none(e.otherwise)
        return False


def _plain_steps(body: tuple[c.Stmt, ...]) -> Iterator[c.Stmt]:
    """The steps that are carried out in every round."""
    for t in body:
        if isinstance(t, c.InRule):
            yield from _plain_steps(t.body)
        else:
            yield t


def bounds(e: c.Expr) -> tuple[int, int] | None:
    """Between which numbers a value lies, if that is plain."""
    match e:
        case c.Literal():
            return None if not isinstance(e.value, int) else (int(e.value), int(e.value))
        case c.Size():
            return (0, 64)
        case c.CardAttribute():
            return (0, 64)
        case c.RuleValue():
            return bounds(e.value)
        case c.Conditional():
            pair = bounds(e.then), bounds(e.otherwise)
            if pair[0] is None or pair[1] is None:
                return None
            return min(pair[0][0], pair[1][0]), max(pair[0][1], pair[1][1])
        case c.Arithmetic():
            return _reckoned(e.operator, bounds(e.left), bounds(e.right))
    return None


def _reckoned(
    operator: str, left: tuple[int, int] | None, right: tuple[int, int] | None
) -> tuple[int, int] | None:
    if left is None or right is None:
        return None
    match operator:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            corners = [x * y for x in left for y in right]
            return min(corners), max(corners)
    return None


SMALL = 10**6
"""Numbers by which a variable may grow at a time without ever coming near what is too large: no match has 10**11 steps."""


class Slow:
    """Integer variables that only ever hold small numbers, or grow by small numbers."""

    def __init__(self, program: c.Program) -> None:
        nodes = walk(program.setup, program.between, program.hand)
        assigned = [x for x in nodes if isinstance(x, c.Assign) and x.value.type == c.INTEGER]
        self.names = {x.name for x in program.variables.values() if x.type == c.INTEGER and _small(x.initial)}
        while fast := {x.variable for x in assigned if not self._grows(x.value)} & self.names:
            self.names -= fast

    def steps(self, e: c.Arithmetic) -> bool:
        """Whether a small number is added to such a variable, or taken from it."""
        if e.operator not in ("+", "-"):
            return False
        left, right = stripped(e.left), stripped(e.right)
        pairs = ((left, right), (right, left)) if e.operator == "+" else ((left, right),)
        return any(
            isinstance(x, c.Variable) and x.name in self.names and _limited(other) for x, other in pairs
        )

    def _grows(self, e: c.Expr) -> bool:
        e = stripped(e)
        return _limited(e) or (isinstance(e, c.Arithmetic) and self.steps(e))


def _limited(e: c.Expr) -> bool:
    known = bounds(e)
    return known is not None and max(abs(known[0]), abs(known[1])) <= SMALL


def _small(value: object) -> bool:
    return isinstance(value, int) and abs(value) <= SMALL


def within(e: c.Expr, place: c.Place) -> bool:
    """Whether all elements are among the cards of a place."""
    match stripped(e):
        case c.ZoneCards(zone=zone, arguments=arguments):
            return zone == place.zone and arguments == place.arguments
        case c.Filter(domain=inner) | c.Best(domain=inner):
            return within(inner, place)
        case c.Top(operand=inner) | c.Matching(operand=inner):
            return within(inner, place)
        case c.Conditional(then=then, otherwise=otherwise):
            return within(then, place) and within(otherwise, place)
        case c.SetOperation(operator="-", left=left):
            return within(left, place)
    return False
