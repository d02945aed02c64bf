"""Whether a rule has the same value, or a block the same effect, in every state, reachable or not: exact, card by card.

Unlike the symbolic executor of whole deals, nothing is approximated: each card of each zone is present or
not, and each variable has one of its values. Anything that cannot be encoded exactly raises NotEncodedError.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import z3

from trickproof.analysis.usage import usage_of
from trickproof.checking.proof_session import ProofSession
from trickproof.diff.symbolic.post_play import equal
from trickproof.diff.witnesses.parting import Direction
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.solver import Answer, SolverSession
from trickproof.proofs.smt.symbolic_values import Bool, Cases, Int, Members, Symbol
from trickproof.proofs.symbolic.actions import OpaqueActions
from trickproof.proofs.symbolic.executor import Executor
from trickproof.proofs.symbolic.expressions import Encoder, NotEncodedError
from trickproof.proofs.symbolic.merge import Merge
from trickproof.proofs.symbolic.path_state import Environment
from trickproof.testing.subject import MOST_COMBINATIONS
from trickproof_dsl import core as c
from trickproof_dsl.core.binders import bound_by
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import Key, owner_keys, size_of

Steps = tuple[c.Stmt, ...]


@dataclass(frozen=True, slots=True)
class Valued:
    """Whether two rules have the same value in every state (None: undecided), and if not, which allows more."""

    same: bool | None
    direction: Direction | None = None
    theorem: Theorem | None = None
    """That they have."""


def compare_values(
    one: c.Program, other: c.Program, rule: str, readings: tuple[Mapping[str, int], Mapping[str, int]]
) -> Valued:
    """Compare one rule's value in two programs with the same players, cards and variables."""
    codes = [program.rules[rule] for program in (one, other)]
    used = usage_of(*(code.value for code in codes if code.value is not None)).readings
    known = {**other.readings, **one.readings}
    shared = sorted(x for x in used - readings[0].keys() - readings[1].keys() if x in known)
    verdicts: list[Valued] = []
    if prod(len(known[x]) for x in shared) > MOST_COMBINATIONS:
        raise NotEncodedError("there are too many combinations of readings", codes[0].span)
    for ways in product(*(range(len(known[x])) for x in shared)):
        taken = dict(zip(shared, ways, strict=True))
        verdicts.append(_compared(one, other, rule, ({**taken, **readings[0]}, {**taken, **readings[1]})))
    if other_value := next((x for x in verdicts if x.theorem is None), None):
        return other_value
    return Valued(True, theorem=kernel.equivalent("its value", [x.theorem for x in verdicts if x.theorem]))


def equal_everywhere(
    program: c.Program, mine: c.Expr, theirs: c.Expr, elements: Container[str] = ()
) -> Theorem | None:
    """Two expressions have the same value, or fault alike, in every state and for all bound names; None if not proved.

    `elements` are the bound names that are never none.  May raise NotEncodedError.
    """
    if usage_of(mine, theirs).readings:
        return None
    states = _States([program, program])
    for e in (mine, theirs):
        encoder = states.inside(program, e, elements)
        states.values.append((encoder.value(e), encoder.state.broken))
    return states.compared().theorem


def same_effect(
    program: c.Program, mine: Steps, theirs: Steps, elements: Container[str], somebody: Container[str]
) -> Theorem | None:
    """Two blocks that only set variables leave the same values, or fault alike, in every state; None if not proved.

    `elements` as above; `somebody` are the variables that are never none.  May raise NotEncodedError.
    """
    if usage_of(mine, theirs).readings:
        return None
    states = _States([program, program])
    ends: list[tuple[dict[Key, Symbol], Bool]] = []
    for body in (mine, theirs):
        encoder = states.inside(program, body, elements)
        state = encoder.state
        state.variables = _Begun(encoder, somebody)
        Executor(state, encoder, OpaqueActions(encoder, played=True), Merge(state, encoder, skips=False)).run(
            body
        )
        ends.append((state.variables, state.broken))
    (left, wrong), (right, broken) = ends
    keys = left.keys() | right.keys()
    apart = y.disj(*(y.neg(equal(left[key], right[key])) for key in sorted(keys)))
    states.values += ((False, wrong), (apart, broken))
    return states.compared().theorem


def _compared(
    one: c.Program, other: c.Program, rule: str, readings: tuple[Mapping[str, int], Mapping[str, int]]
) -> Valued:
    states = _States([one, other])
    for program, ways in zip((one, other), readings, strict=True):
        encoder = states.encoder(program, ways)
        code = program.rules[rule]
        if code.value is None:
            raise NotEncodedError("it is not a value", code.span)
        for number, (name, kind) in enumerate(code.parameters):
            encoder.state.bound[name] = encoder.unknown(f"argument {number}", kind)
            encoder.arguments[name] = z3.Bool(f"argument {number} has no value")
        value = encoder.value(code.value)
        states.values.append((value, encoder.state.broken))
    return states.compared()


class _States:
    """Arbitrary states, and two values in them, each with the condition that it faults."""

    def __init__(self, programs: Sequence[c.Program]) -> None:
        self.questions = SolverSession(ProofSession())
        self.values: list[tuple[Symbol, Bool]] = []
        parameters = {name: allowed for program in programs for name, allowed in program.parameters.items()}
        self._taken = {name: z3.Int(f"parameter.{name}") for name in parameters}
        for name, allowed in parameters.items():
            self.questions.add(z3.Or(*(self._taken[name] == x for x in allowed)))
        self._state: dict[str, Symbol] = {}

    def encoder(self, program: c.Program, readings: Mapping[str, int]) -> _Exact:
        return _Exact(program, self._state, self.questions, self._taken, readings)

    def inside(self, program: c.Program, part: c.Expr | Steps, elements: Container[str]) -> _Exact:
        """An encoder for a part of a program, with any values for the names that are bound around it."""
        encoder = self.encoder(program, {})
        inner = {name for node in walk(part) for name, _ in bound_by(node)}
        for node in walk(part):
            if isinstance(node, c.Local) and node.name not in inner:
                value = encoder.state.bound[node.name] = encoder.unknown(f"bound {node.name}", node.type)
                if node.name in elements:
                    encoder.suppose_some(value)
        return encoder

    def compared(self) -> Valued:
        (mine, wrong), (theirs, broken) = self.values
        sound = y.conj(y.neg(wrong), y.neg(broken))
        differs = y.disj(y.neg(y.iff(wrong, broken)), y.conj(sound, y.neg(equal(mine, theirs))))
        answer = self.questions.possible(differs)
        if answer is not Answer.YES:
            return Valued(True, theorem=self.questions.theorem) if answer is Answer.NO else Valued(None)
        return Valued(False, _direction(self.questions, mine, theirs, sound))


def _direction(questions: SolverSession, mine: Symbol, theirs: Symbol, sound: Bool) -> Direction | None:
    """Whether the second allows everything that the first allows (wider), or vice versa."""

    if isinstance(mine, Members) and isinstance(theirs, Members):
        mine_only, theirs_only = _beyond(mine, theirs), _beyond(theirs, mine)
    elif y.is_truth(mine) and y.is_truth(theirs):
        mine_only, theirs_only = y.conj(mine, y.neg(theirs)), y.conj(theirs, y.neg(mine))
    else:
        return None
    if questions.possible(sound, mine_only) is Answer.NO:
        return "wider"
    return "narrower" if questions.possible(sound, theirs_only) is Answer.NO else "neither"


def _beyond(less: Members, more: Members) -> Bool:
    """Whether the first has an element that the second lacks."""
    return y.disj(*(y.conj(when, y.neg(more.has(x))) for x, when in less.of))


class _Exact(Encoder):
    """Expressions over an arbitrary state; unknowns are created on first use and shared by both programs."""

    def __init__(
        self,
        program: c.Program,
        state: dict[str, Symbol],
        questions: SolverSession,
        parameters: Mapping[str, Symbol],
        readings: Mapping[str, int],
    ) -> None:
        super().__init__(Environment(program, {}, {}, readings))
        self.values, self.parameters, self.questions = state, parameters, questions
        self.arguments: dict[str, Bool] = {}
        """When each argument of a rule fails, wherever it is evaluated: calls are inlined."""

    def unknown(self, name: str, kind: c.Type) -> Symbol:
        """An arbitrary value of a type, by name."""
        if name not in self.values:
            self.values[name] = self._new(name, kind)
        return self.values[name]

    def suppose_some(self, value: Symbol) -> None:
        """From here on a value is not none."""
        if isinstance(value, Cases):
            self.questions.add(*(y.neg(when) for x, when in value.of if x is None))

    def local(self, e: c.Local) -> Symbol:
        self.fault(self.arguments.get(e.name, False), e.span)
        return super().local(e)

    def merge(self, kind: c.Type, condition: Bool, then: Symbol, otherwise: Symbol) -> Symbol:
        """Merge values; ranks are numbers here, -1 for none."""
        if kind == c.RANK:
            return y.choose(condition, then, otherwise)
        return super().merge(kind, condition, then, otherwise)

    def _new(self, name: str, kind: c.Type) -> Symbol:
        if kind.kind == "integer":
            return z3.Int(name)
        if kind.kind == "boolean":
            return z3.Bool(name)
        if kind.kind in c.SETS:
            size = size_of(self.program, c.Type(c.SETS[kind.kind])) if kind.kind != "integers" else None
            if size is None:
                raise NotEncodedError("it is any set of numbers", self.program.rules["hand"].span)
            return Members(tuple((x, z3.Bool(f"{name} has {x}")) for x in range(size)))
        index, size = z3.Int(name), size_of(self.program, kind)
        self.questions.add(index >= -1, index < size)
        return (
            index if kind == c.RANK else Cases((*((i, index == i) for i in range(size)), (None, index == -1)))
        )

    def value(self, e: c.Expr) -> Symbol:
        match e:
            case c.Literal() if e.type == c.RANK:
                return -1 if e.value is None else e.value
            case c.Parameter():
                return self.parameters[e.name]
            case c.Variable() if not isinstance(self.state.variables, _Begun):
                return self._any(e.name, e.arguments, e.type, e.span)
            case c.ZoneCards():
                return self._any(f"cards in {e.zone}", e.arguments, e.type, e.span)
            case c.CardAttribute():
                return self._attribute(e)
        return super().value(e)

    def _any(self, name: str, arguments: tuple[c.Expr, ...], kind: c.Type, span: Span) -> Symbol:
        info = self.program.variables.get(name)
        for key in owner_keys(self.program, info.of) if info is not None else ():
            self.unknown(".".join((name, *map(str, key))), kind)
        owners = self.owners(arguments, span)
        return self.merged(
            kind, [(self.unknown(".".join((name, *map(str, x))), kind), when) for x, when in owners]
        )

    def _attribute(self, e: c.CardAttribute) -> Symbol:
        card, deck = self.value(e.card), self.program.deck
        self.fault(y.disj(*(when for x, when in y.cases(card).of if x is None)), e.span, "no-card")
        if e.attribute == "suit":
            return y.mapped(card, lambda x: None if x is None else deck.card_suit[x])
        there = [(x, when) for x, when in y.cases(card).of if x is not None]
        return y.total(y.number(when, deck.card_rank[x]) for x, when in there)

    def with_bound(self, binder: str, element: Int, when: Bool, e: c.Expr) -> Symbol:
        """The key of an element, which must not be none."""
        key = super().with_bound(binder, element, when, e)
        if e.type == c.RANK:
            with self.state.under(when):
                self.fault(y.compare("=", key, -1), e.span)
        return key

    def compare(self, e: c.Compare) -> Bool:
        if e.left.type.kind == "rank":
            sides = self.number(e.left), self.number(e.right)
            if e.operator not in ("=", "!="):
                self.fault(y.disj(*(y.compare("=", side, -1) for side in sides)), e.span)
            return y.compare(e.operator, *sides)
        return super().compare(e)


class _Begun(dict[Key, Symbol]):
    """The variables of an arbitrary state, as far as they were read or set; those of `somebody` are not none in it."""

    def __init__(self, encoder: _Exact, somebody: Container[str]) -> None:
        super().__init__()
        self._encoder, self._somebody = encoder, somebody

    def __missing__(self, key: Key) -> Symbol:
        kind = self._encoder.program.variables[key[0]].type
        value = self[key] = self._encoder.unknown(".".join(map(str, key)), kind)
        if key[0] in self._somebody:
            self._encoder.suppose_some(value)
        return value
