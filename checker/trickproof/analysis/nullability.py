"""Nullability: which expressions may be `none` at the statement that the caller has reached.

Starts flow-insensitively (a variable is nullable if anything nullable is assigned to it anywhere), refined by
what the caller reports along the way. `set_to_something`, on which proofs rest, supposes nothing but the form of
the values assigned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from trickproof_dsl import core as c
from trickproof_dsl.compiled.slots import cached_by_identity
from trickproof_dsl.core.faults import may_be_none
from trickproof_dsl.core.traversal import stripped, walk

INDEXED = ("player", "team", "suit", "rank", "card", "option")
"""Kinds that can be `none`."""


class Nullability:
    """Which variables and chosen values may be `none`; learns from statements in execution order."""

    def __init__(self, program: c.Program) -> None:
        nodes = list(walk(program.setup, program.between, program.hand))
        infos = program.variables.values()
        self.variables = {x.name for x in infos if x.initial is None and x.type.kind in INDEXED}
        self.chosen = {x.binder for x in nodes if isinstance(x, c.ChooseValue) and x.or_none}
        self.level = -1
        self.present: set[str] = set()
        """Variables known not to be `none` for any owner at the current statement."""
        self.present_of: dict[str, c.Variable] = {}
        """Variables known not to be `none` for one player, with the variable that holds that player."""
        assigned = [x for x in nodes if isinstance(x, c.Assign) and x.value.type.kind in INDEXED]
        while True:
            nullable = {x.variable for x in assigned if self.may_be_none(x.value)} - self.variables
            if not nullable:
                return
            self.variables |= nullable

    def learn_assignment(self, t: c.Assign) -> None:
        """Learn whether a variable may be `none` from the value assigned to it."""
        name, owners = t.variable, t.arguments
        self.present_of = {x: whose for x, whose in self.present_of.items() if name not in (x, whose.name)}
        if self.may_be_none(t.value):
            self.present.discard(name)
        elif not owners:
            self.present.add(name)
        elif (
            len(owners) == 1 and isinstance(owner := stripped(owners[0]), c.Variable) and not owner.arguments
        ):
            self.present_of[name] = owner

    def learn_loop(self, t: c.Loop, before: dict[str, c.Variable]) -> None:
        """Learn from a loop over all players but one that assigns each a value.

        If the remaining player had one `before` it, the variable is afterwards not `none` for any player.
        """
        domain = stripped(t.domain)
        if not isinstance(domain, c.SetOperation) or domain.operator != "-":
            return
        all_of, without = stripped(domain.left), stripped(domain.right)
        if not isinstance(all_of, c.Universe) or not isinstance(without, c.Single):
            return
        assignments = Counter(x.variable for x in walk(t.body) if isinstance(x, c.Assign))
        for x in _unconditional(t.body):
            if not isinstance(x, c.Assign) or self.may_be_none(x.value):
                continue
            owners = [stripped(owner) for owner in x.arguments]
            whose = before.get(x.variable)
            own = len(owners) == 1 and isinstance(owners[0], c.Local) and owners[0].name == t.binder
            once = whose is not None and whose.name not in assignments and assignments[x.variable] == 1
            if own and once and whose == stripped(without.element):
                self.present.add(x.variable)

    @contextmanager
    def block(self, level: int) -> Iterator[set[str]]:
        """Scope what is learned to a block; `level` identifies the block."""
        outside = self.present, self.present_of, self.level
        self.present, self.present_of, self.level = set(self.present), dict(self.present_of), level
        try:
            yield self.present
        finally:
            self.present, self.present_of, self.level = outside

    def learn_present(self, e: c.Expr, level: int) -> None:
        """Learn that a value is not `none`; only kept if it was evaluated in the current block itself."""
        e = stripped(e)
        if level == self.level and isinstance(e, c.Variable) and not e.arguments:
            self.present.add(e.name)

    def learn_comparison(self, e: c.Expr, operator: str) -> None:
        """Learn that what is compared with `none` by this operator is not `none`."""
        e = stripped(e)
        if isinstance(e, c.Compare) and e.operator == operator:
            for one, other in ((e.left, stripped(e.right)), (e.right, stripped(e.left))):
                if isinstance(other, c.Literal) and other.value is None:
                    self.learn_present(one, self.level)

    def forget_assigned(self, body: tuple[c.Stmt, ...]) -> None:
        """Forget what a loop may assign, both within it and after it."""
        present = set(self.present)
        self.present, self.present_of = set(), {}
        for x in walk(body):
            if isinstance(x, c.Assign) and self.may_be_none(x.value):
                present.discard(x.variable)
        self.present = present

    def may_be_none(self, e: c.Expr) -> bool:
        """Whether the value may be `none`."""
        match e:
            case c.Literal():
                return e.value is None
            case c.Variable():
                if e.name not in self.variables or e.name in self.present:
                    return False
                whose = self.present_of.get(e.name)
                return whose is None or len(e.arguments) != 1 or stripped(e.arguments[0]) != whose
            case c.Local():
                return e.name in self.chosen
            case c.RuleValue():
                return self.may_be_none(e.value)
            case c.Conditional():
                with self.block(self.level):
                    self.learn_comparison(e.condition, "!=")
                    then = self.may_be_none(e.then)
                with self.block(self.level):
                    self.learn_comparison(e.condition, "=")
                    return then or self.may_be_none(e.otherwise)
        return False


@cached_by_identity(100)
def somebody_deals(program: c.Program) -> bool:
    """Whether `dealer` is never `none`, before the first deal or after any."""
    known = Nullability(program)
    if "dealer" not in known.variables:
        return True
    if any(isinstance(x, c.EndHand) for x in walk(program.hand)):
        return False  # what a deal sets need not be set when the next dealer is
    known.present.add("dealer")
    for t in _unconditional(program.hand):
        if isinstance(t, c.Assign):
            known.learn_assignment(t)
        else:
            known.forget_assigned((t,))
    known.forget_assigned(program.between)
    earlier = Nullability(program)
    return program.variables["dealer"].initial is not None and not any(
        isinstance(x, c.Assign) and x.variable == "dealer" and state.may_be_none(x.value)
        for part, state in ((program.setup, earlier), (program.hand, earlier), (program.between, known))
        for x in walk(part)
    )


def _unconditional(body: tuple[c.Stmt, ...]) -> Iterator[c.Stmt]:
    """The statements that are executed in every round."""
    for t in body:
        if isinstance(t, c.InRule):
            yield from _unconditional(t.body)
        else:
            yield t


def set_to_something(body: tuple[c.Stmt, ...]) -> frozenset[str]:
    """The variables without owners that hold something after these steps, if all of them are carried out.

    A variable is set by `Assign` only, and one whose value had to be somebody when it was read held something.
    """
    return _something_after(body, frozenset())


def _something_after(body: tuple[c.Stmt, ...], something: frozenset[str]) -> frozenset[str]:
    """The variables that hold something after these steps, given those that do before."""
    for step in body:
        match step:
            case c.InRule():
                something = _something_after(step.body, something)
            case c.Branch():
                then, otherwise = (_something_after(x, something) for x in (step.then, step.otherwise))
                something = then & otherwise
            case c.Loop() | c.Until():  # any number of times, or not at all
                while not something <= (then := _something_after(step.body, something)):
                    something &= then
            case c.Assign():
                something |= frozenset(_owners(step.value, *step.arguments))
                if not step.arguments:
                    none = _is_none_or(step.value, something)
                    something = something - {step.variable} if none else something | {step.variable}
    return something


def _owners(*evaluated: c.Expr) -> Iterator[str]:
    """The variables without owners whose values own what these expressions, evaluated in any case, read."""
    for e in evaluated:
        match e:
            case c.Variable() | c.ZoneCards():
                whose = (x.value if isinstance(x, c.RuleValue) else x for x in e.arguments)
                yield from (x.name for x in whose if isinstance(x, c.Variable) and not x.arguments)
                yield from _owners(*e.arguments)
            case c.RuleValue():
                yield from _owners(e.value)
            case c.Size():
                yield from _owners(e.set)
            case c.Arithmetic():
                yield from _owners(e.left, e.right)


def _is_none_or(value: c.Expr, something: frozenset[str]) -> bool:
    """Whether a value can be none, where these variables hold something."""
    match value:
        case c.RuleValue():
            return _is_none_or(value.value, something)
        case c.Conditional():
            return _is_none_or(value.then, something) or _is_none_or(value.otherwise, something)
        case c.Variable() if value.name in something:
            return False
    return may_be_none(value)
