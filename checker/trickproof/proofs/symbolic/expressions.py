"""Core expressions as symbols, arm for arm like `semantics/expressions.py`, over values that may be unknown.

`Encoder.value` returns a symbol (`symbolic_values.py`). Where the interpreter would fail, the condition is
recorded as a fault. Raises `NotEncodedError` for what linear integer arithmetic cannot express (above all,
cards) and `GapError` for an unspecified rule; the callers of `hand_summary.py` turn both into data.
"""

from __future__ import annotations

from operator import itemgetter
from typing import assert_never

from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Int, Members, Number, Symbol
from trickproof.proofs.symbolic.path_state import Environment
from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import Owners

LARGEST = 10**30
"""The largest absolute value of a constant in arithmetic."""

LISTED = 100
"""Constants up to this size may be divided by unknowns, by cases over the divisor, because z3 gives up on nonlinear terms."""


class NotEncodedError(Exception):
    """A construct that cannot be encoded symbolically; `what` describes it, `span` is its place."""

    def __init__(self, what: str, span: Span) -> None:
        super().__init__(what)
        self.what, self.span = what, span


class GapError(Exception):
    """An unspecified rule is needed."""

    def __init__(self, rule: str, span: Span) -> None:
        super().__init__(rule)
        self.rule, self.span = rule, span


class Encoder:
    """Evaluates expressions in an environment."""

    def __init__(self, state: Environment) -> None:
        self.state = state
        self.program = state.program

    def fault(self, condition: Bool, span: Span, kind: str = "nobody", label: str = "") -> None:
        """Note that the rules fail here under a condition; `kind` is one of `faults.FAULTS`, `label` that of the current move."""
        self.state.oblige(condition, condition, span, kind, label)

    def value(self, e: c.Expr) -> Symbol:
        match e:
            case c.Literal():
                return Members(tuple((x, True) for x in e.value)) if isinstance(e.value, tuple) else e.value
            case c.Parameter():
                return self.state.parameters[e.name]
            case c.Reading():
                return self.state.readings[e.rule]
            case c.Local():
                return self.local(e)
            case c.Variable():
                return self.variable(e)
            case c.ZoneCards():
                return self._lying(e)
            case c.Arithmetic():
                return self._arithmetic(e)
            case c.Compare():
                return self.compare(e)
            case c.Logic():
                return self._logic(e)
            case c.Not():
                return y.neg(self.truth(e.operand))
            case c.Conditional():
                return self._conditional(e)
            case c.Seat():
                n = self.program.players
                return y.mapped(self.player(e.player), lambda p: None if p is None else (p + e.offset) % n)
            case c.Table():
                return y.mapped(self.player(e.index), lambda p: None if p is None else e.entries[p])
            case c.CardAttribute():
                return self._of_card(e)
            case c.Universe():
                return self._universe(e)
            case c.Range():
                return self._range(e)
            case c.SetOperation():
                return self._set_operation(e)
            case c.Single():
                alternatives = y.cases(self.value(e.element)).of
                return Members(tuple((x, when) for x, when in alternatives if x is not None))
            case c.Filter():
                held = [(x, self._holds(e.binder, x, m, e.condition)) for x, m in self.members(e.domain)]
                return Members(tuple((x, when) for x, when in held if when is not False))
            case c.Member():
                return self._member(e)
            case c.Size():
                return y.total(self._counted(when, 1) for _, when in self.members(e.set))
            case c.Exists():
                return self._exists(e)
            case c.Sum():
                return y.total(self._added(e, x, when) for x, when in self.members(e.domain))
            case c.UnionOf():
                return self._union(e)
            case c.Extreme():
                return self._extreme(e)
            case c.Best():
                return self._best(e)
            case c.Matching():
                raise NotEncodedError("it looks at cards", e.span)
            case c.Top():
                return self._top(e)
            case c.Only():
                return self._only(e)
            case c.RuleValue():
                return self.value(e.value)
            case c.UnspecifiedValue():
                raise GapError(e.rule, e.span)
            case _:
                assert_never(e)

    def local(self, e: c.Local) -> Symbol:
        """The value of a bound name."""
        return self.state.bound[e.name]

    # --------------------------------------------------------------------------------------- variables

    def variable(self, e: c.Variable) -> Symbol:
        entries = [
            (self.state.variables[(e.name, *owners)], when)
            for owners, when in self.owners(e.arguments, e.span)
        ]
        value = self.merged(e.type, entries)
        if value is y.OPAQUE:
            raise NotEncodedError(f"`{e.name}` holds what was decided during the deal", e.span)
        return value

    def merged(self, kind: c.Type, entries: list[tuple[Symbol, Bool]]) -> Symbol:
        """One of several values of a type, each with the condition that selects it."""
        value = entries[0][0]
        for other, when in entries[1:]:
            value = self.merge(kind, when, other, value)
        return value

    def owners(self, arguments: tuple[c.Expr, ...], span: Span) -> list[tuple[Owners, Bool]]:
        """The combinations of owners that the arguments may denote, each with its condition; faults are noted at `span`."""
        combinations: list[tuple[Owners, Bool]] = [((), True)]
        for argument in arguments:
            alternatives = y.cases(self.value(argument)).of
            self.fault(y.disj(*(when for x, when in alternatives if x is None)), span)
            combinations = [
                ((*owners, x), y.conj(guard, when))
                for owners, guard in combinations
                for x, when in alternatives
                if x is not None
            ]
            if not combinations:
                raise NotEncodedError("it is about nobody", span)
        return combinations

    def merge(self, kind: c.Type, condition: Bool, then: Symbol, otherwise: Symbol) -> Symbol:
        """One of two values of a type."""
        plain = kind.kind in ("integer", "boolean") or kind.kind in c.SETS
        return (y.choose if plain else y.choose_index)(condition, then, otherwise)

    def truth(self, e: c.Expr) -> Bool:
        """Whether a condition holds."""
        value = self.value(e)
        if not y.is_truth(value):
            raise NotEncodedError("whether it holds is not known", e.span)
        return value

    def number(self, e: c.Expr) -> Number:
        """An integer or a rank."""
        value = self.value(e)
        if not y.is_number(value):
            raise NotEncodedError("it is not a number", e.span)
        return value

    def members(self, e: c.Expr) -> list[tuple[int, Bool]]:
        """The possible elements of a set, each with its membership condition."""
        value = self.value(e)
        if not isinstance(value, Members):
            raise NotEncodedError("it goes through a set that is not known", e.span)
        return list(value.of)

    def with_bound(self, binder: str, element: Int, when: Bool, e: c.Expr) -> Symbol:
        self.state.bound[binder] = element
        with self.state.under(when):
            return self.value(e)

    def _holds(self, binder: str, element: int, when: Bool, e: c.Expr) -> Bool:
        self.state.bound[binder] = element
        with self.state.under(when):
            return y.conj(when, self.truth(e))

    def player(self, e: c.Expr) -> Symbol:
        player = self.value(e)
        self.fault(y.disj(*(when for x, when in y.cases(player).of if x is None)), e.span)
        return player

    # ------------------------------------------------------------------------------------------ cards

    def _lying(self, e: c.ZoneCards) -> Symbol:
        places = self.state.places
        if places is None:
            raise NotEncodedError("it looks at cards", e.span)
        there = [(places.zones[(e.zone, *owners)], when) for owners, when in self.owners(e.arguments, e.span)]
        return self.merged(e.type, list[tuple[Symbol, Bool]](there))

    def _of_card(self, e: c.CardAttribute) -> Symbol:
        deck, card = self.program.deck, self.value(e.card)
        self.fault(y.disj(*(when for x, when in y.cases(card).of if x is None)), e.span, "no-card")
        of = deck.card_suit if e.attribute == "suit" else deck.card_rank
        return y.mapped(card, lambda x: None if x is None else of[x])

    # ------------------------------------------------------------------------------------- operations

    def compare(self, e: c.Compare) -> Bool:
        left, right, kind = self.value(e.left), self.value(e.right), e.left.type.kind
        known = isinstance(left, int) and isinstance(right, int)
        if (kind == "integer" or (kind == "rank" and known)) and y.is_number(left) and y.is_number(right):
            return y.compare(e.operator, left, right)
        if e.operator not in ("=", "!="):
            return self.compare_ranks(e, left, right)
        equal = y.equal(left, right)
        return equal if e.operator == "=" else y.neg(equal)

    def compare_ranks(self, e: c.Compare, left: Symbol, right: Symbol) -> Bool:
        """Compare ranks alternative by alternative; `none` has no order."""
        ways = [[(x, when) for x, when in y.cases(rank).of if when is not False] for rank in (left, right)]
        absent = [y.disj(*(when for x, when in of if x is None)) for of in ways]
        holds = y.disj(
            *(
                y.conj(one, other, y.compare("=" if e.operator == "!=" else e.operator, x, z))
                for x, one in ways[0]
                for z, other in ways[1]
                if x is not None and z is not None
            )
        )
        if e.operator in ("=", "!="):
            holds = y.disj(holds, y.conj(*absent))
            return holds if e.operator == "=" else y.neg(holds)
        self.fault(y.disj(*absent), e.span)
        return holds

    def _logic(self, e: c.Logic) -> Bool:
        left = self.truth(e.left)
        if isinstance(left, bool):
            return left if left == (e.operator == "or") else self.truth(e.right)
        with self.state.under(left if e.operator == "and" else y.neg(left)):
            right = self.truth(e.right)
        return y.conj(left, right) if e.operator == "and" else y.disj(left, right)

    def _conditional(self, e: c.Conditional) -> Symbol:
        condition = self.truth(e.condition)
        if isinstance(condition, bool):
            return self.value(e.then if condition else e.otherwise)
        with self.state.under(condition):
            then = self.value(e.then)
        with self.state.under(y.neg(condition)):
            otherwise = self.value(e.otherwise)
        return self.merge(e.type, condition, then, otherwise)

    def _arithmetic(self, e: c.Arithmetic) -> Int:
        left, right = self.number(e.left), self.number(e.right)
        if any(isinstance(x, int) and abs(x) > LARGEST for x in (left, right)):
            raise NotEncodedError("it computes with very large numbers", e.span)
        match e.operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                product = y.times(left, right)
                if product is None:
                    raise NotEncodedError("it multiplies two unknown numbers", e.span)
                return product
        if not isinstance(right, int):
            if not isinstance(left, int) or abs(left) > LISTED:
                raise NotEncodedError("it divides one unknown number by another", e.span)
            self.fault(right == 0, e.span, "bad-number")
            return _listed(e.operator, left, right)
        if right == 0:
            self.fault(True, e.span, "bad-number")
            return 0
        if isinstance(left, int):
            return left // right if e.operator == "div" else left % right
        if right < 0:  # z3 rounds differently
            return -left / -right if e.operator == "div" else -(-left % -right)
        return left / right if e.operator == "div" else left % right

    def _universe(self, e: c.Universe) -> Members:
        deck = self.program.deck
        sizes = {"suits": len(deck.suits), "ranks": len(deck.ranks), "cards": len(deck.cards)}
        size = sizes.get(e.type.kind, self.program.players)
        return Members(tuple((x, True) for x in range(size)))

    def _range(self, e: c.Range) -> Members:
        low, high = self.value(e.low), self.value(e.high)
        if not isinstance(low, int) or not isinstance(high, int):
            raise NotEncodedError("it counts to a number that is not known", e.span)
        return Members(tuple((x, True) for x in range(low, high + 1)))

    def _member(self, e: c.Member) -> Bool:
        element, members = self.value(e.element), self.members(e.set)
        if y.is_number(element):
            return y.disj(*(y.conj(when, y.compare("=", element, x)) for x, when in members))
        of = dict(members)
        return y.disj(*(y.conj(when, of.get(x, False)) for x, when in y.cases(element).of if x is not None))

    def _set_operation(self, e: c.SetOperation) -> Members:
        left, right = dict(self.members(e.left)), dict(self.members(e.right))
        if e.operator == "-":
            beyond = ((x, y.conj(when, y.neg(right.get(x, False)))) for x, when in left.items())
            return Members(tuple((x, when) for x, when in beyond if when is not False))
        both = sorted(left.keys() | right.keys())
        return Members(tuple((x, y.disj(left.get(x, False), right.get(x, False))) for x in both))

    # ------------------------------------------------------------------------------------- aggregates

    def _exists(self, e: c.Exists) -> Bool:
        """Elements after the first that satisfies the condition are not asked, and so cannot fault."""
        found: Bool = False
        for x, when in sorted(self.members(e.domain), key=itemgetter(0)):
            with self.state.under(y.neg(found)):
                found = y.disj(found, self._holds(e.binder, x, when, e.condition))
        return found

    def _added(self, e: c.Sum, element: int, when: Bool) -> Number:
        self.state.bound[e.binder] = element
        with self.state.under(when):
            return self._counted(when, self.number(e.value))

    def _counted(self, when: Bool, value: Number) -> Number:
        places = self.state.places
        return y.number(when, value) if places is None else places.counted(when, value)

    def _union(self, e: c.UnionOf) -> Members:
        holds: dict[int, Bool] = {}
        for x, when in self.members(e.domain):
            self.state.bound[e.binder] = x
            with self.state.under(when):
                inner = self.members(e.value)
            for element, inside in inner:
                holds[element] = y.disj(holds.get(element, False), y.conj(when, inside))
        return Members(tuple(sorted(holds.items())))

    def _keyed(
        self, binder: str, members: list[tuple[int, Bool]], e: c.Expr
    ) -> list[tuple[int, Bool, Number]]:
        keyed: list[tuple[int, Bool, Number]] = []
        for x, when in members:
            key = self.with_bound(binder, x, when, e)
            if not y.is_number(key):
                raise NotEncodedError("what is compared is not a number", e.span)
            keyed.append((x, when, key))
        return keyed

    def _best(self, e: c.Best) -> Members:
        keyed = self._keyed(e.binder, self.members(e.domain), e.key)
        operator = ">=" if e.highest else "<="
        best: list[tuple[int, Bool]] = []
        for x, when, key in keyed:
            unbeaten = (y.disj(y.neg(w), y.compare(operator, key, k)) for z, w, k in keyed if z != x)
            best.append((x, y.conj(when, *unbeaten)))
        # True in any total order, but solvers go through the orders of six to find it.
        self.state.facts.append(y.disj(*(w for _, w in best), y.neg(y.disj(*(w for _, w, _ in keyed)))))
        return Members(tuple(best))

    def _top(self, e: c.Top) -> Members:
        count, members = self.number(e.count), self.members(e.operand)
        size = y.total(y.number(when, 1) for _, when in members)
        self.fault(y.disj(y.compare("<", count, 0), y.compare("<", size, count)), e.span, "bad-number")
        keyed = self._keyed(e.binder, members, e.key)
        operator = ">" if e.highest else "<"
        best: list[tuple[int, Bool]] = []
        for x, when, key in keyed:
            before = y.total(
                y.number(y.conj(w, y.compare(operator if z > x else operator + "=", k, key)), 1)
                for z, w, k in keyed
                if z != x
            )
            best.append((x, y.conj(when, y.compare("<", before, count))))
        return Members(tuple(best))

    def _extreme(self, e: c.Extreme) -> Number:
        keyed = self._keyed(e.binder, self.members(e.domain), e.value)
        self.fault(y.conj(*(y.neg(when) for _, when, _ in keyed)), e.span, "empty-extreme")
        best: Number = 0
        some: Bool = False
        for _, when, key in keyed:
            better = y.disj(y.neg(some), y.compare(">" if e.highest else "<", key, best))
            best = y.choose_number(y.conj(when, better), key, best)
            some = y.disj(some, when)
        return best

    def _only(self, e: c.Only) -> Symbol:
        members = self.members(e.operand)
        self.fault(y.not_one([when for _, when in members]), e.span, "not-single")
        return y.plain_cases(members) if members else None


def _listed(operator: str, left: int, right: Int) -> Int:
    """The quotient or remainder of a constant by an unknown; 0 for a divisor of 0.

    For divisors larger in magnitude than the constant, the quotient is 0, or -1 if the signs differ.
    """
    whole = operator == "div"
    opposed = 1 if left else 0
    beyond: Int = -opposed if whole else left + opposed * right
    within: Int = 0 if whole else left
    above, below = (within, beyond) if left >= 0 else (beyond, within)
    result = y.choose(right > abs(left), above, below)
    for divisor in range(-abs(left), abs(left) + 1):
        if divisor:
            result = y.choose(right == divisor, left // divisor if whole else left % divisor, result)
    return y.choose(right == 0, 0, result)
