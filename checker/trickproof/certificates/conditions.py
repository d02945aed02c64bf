"""Conditions of the core as SMT-LIB terms over the values that a step names: how the verifier states an invariant itself.

Covers linear arithmetic, truth values and finite values; anything else, above all cards, raises
`NotStatedError`. A number is an integer or a term, a truth value a term. A finite value (a player, a suit) is a
mapping from each value, or None, to the condition under which it is that value; a set maps each element to the
condition under which it is in the set. Where the reference would fault, the condition is recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from trickproof.certificates.questions import any_of, both, negation
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import owner_keys, size_of

LONGEST_TERM = 100_000
"""Maximum length in characters of a term."""

Number = int | str
Cases = dict[int | None, str]
Members = dict[int, str]


class NotStatedError(Exception):
    """Something that is not linear arithmetic over the values that are named."""


class Conditions:
    """States conditions over `values`, terms by name (`over.0`), under a choice of parameters and readings."""

    def __init__(self, program: c.Program, chosen: Mapping[str, int], values: Mapping[str, str]) -> None:
        self.program, self.chosen, self.values = program, chosen, values
        self.bound: dict[str, object] = {}
        self.guards: list[str] = []
        self.faults: list[str] = []

    def holds(self, condition: c.Expr) -> str:
        """That a condition holds and can be evaluated."""
        truth = self.truth(condition)
        return both(truth, *(negation(fault) for fault in self.faults))

    @contextmanager
    def _under(self, guard: str) -> Iterator[None]:
        self.guards.append(guard)
        yield
        self.guards.pop()

    def _fault(self, when: str) -> None:
        if when != "false":
            self.faults.append(both(*self.guards, when))

    # ---------------------------------------------------------------------------------------------- kinds of values

    def number(self, e: c.Expr) -> Number:
        value = self._value(e)
        if isinstance(value, dict) or e.type != c.INTEGER:
            raise NotStatedError
        assert isinstance(value, int | str)
        return value

    def truth(self, e: c.Expr) -> str:
        value = self._value(e)
        if not isinstance(value, str) or e.type != c.BOOLEAN:
            raise NotStatedError
        return value

    def cases(self, e: c.Expr) -> Cases:
        value = self._value(e)
        if not isinstance(value, dict) or e.type.kind in c.SETS:
            raise NotStatedError
        return value

    def members(self, e: c.Expr) -> Members:
        value = self._value(e)
        if not isinstance(value, dict) or e.type.kind not in c.SETS:
            raise NotStatedError
        return value

    def _given(self, e: c.Expr) -> Members:
        """The cases of a finite value; that it is none is a fault."""
        cases = self.cases(e)
        self._fault(cases.get(None, "false"))
        return {value: when for value, when in cases.items() if value is not None}

    # -------------------------------------------------------------------------------------------------- expressions

    def _value(self, e: c.Expr) -> object:
        value = self._meaning(e)
        terms = value.values() if isinstance(value, dict) else [value]
        if any(isinstance(term, str) and len(term) > LONGEST_TERM for term in terms):
            raise NotStatedError
        return value

    def _meaning(self, e: c.Expr) -> object:
        match e:
            case c.Literal():
                return self._constant(e)
            case c.Parameter() | c.Reading():
                return self._chosen(e)
            case c.Local():
                return self.bound[e.name]
            case c.Variable():
                return self._variable(e)
            case c.Arithmetic():
                return _arithmetic(e.operator, self.number(e.left), self.number(e.right))
            case c.Compare():
                return self._compare(e)
            case c.Logic():
                left = self.truth(e.left)
                with self._under(left if e.operator == "and" else negation(left)):
                    right = self.truth(e.right)
                return both(left, right) if e.operator == "and" else any_of([left, right])
            case c.Not():
                return negation(self.truth(e.operand))
            case c.Conditional():
                return self._conditional(e)
            case c.Seat():
                seats = self._given(e.player)
                return {(p + e.offset) % self.program.players: when for p, when in seats.items()}
            case c.Table():
                return _joined((e.entries[p], when) for p, when in self._given(e.index).items())
            case c.Universe() if e.type.kind in c.SETS:
                return dict.fromkeys(range(size_of(self.program, c.Type(c.SETS[e.type.kind]))), "true")
            case c.Single():
                return {x: when for x, when in self.cases(e.element).items() if x is not None}
            case c.SetOperation():
                return self._set_operation(e)
            case c.Filter():
                return {
                    x: both(when, self._with(e.binder, x, e.domain, when, e.condition))
                    for x, when in self._elements(e)
                }
            case c.Member():
                inside = self.members(e.set)
                element = self.cases(e.element)
                return any_of([both(when, inside[x]) for x, when in element.items() if x in inside])
            case c.Size():
                return _sum([_if(when, 1, 0) for when in self.members(e.set).values()])
            case c.Exists():
                return self._exists(e)
            case c.Sum():
                return _sum([self._added(e, x, when) for x, when in self._elements(e)])
            case c.Only():
                members = self.members(e.operand)
                self._fault(negation(_exactly_one(list(members.values()))))
                return members
            case c.RuleValue():
                return self._value(e.value)
            case _:
                raise NotStatedError

    def _constant(self, e: c.Literal) -> object:
        if isinstance(e.value, tuple):
            return dict.fromkeys(e.value, "true")
        if isinstance(e.value, bool):
            return "true" if e.value else "false"
        return e.value if e.type == c.INTEGER and e.value is not None else {e.value: "true"}

    def _chosen(self, e: c.Parameter | c.Reading) -> int:
        name = e.name if isinstance(e, c.Parameter) else e.rule
        if name not in self.chosen or e.type != c.INTEGER:
            raise NotStatedError
        return self.chosen[name]

    def _variable(self, e: c.Variable) -> object:
        arguments = [self._given(argument) for argument in e.arguments]
        entries: list[tuple[object, str]] = []
        for owners in owner_keys(self.program, self.program.variables[e.name].of):
            conditions = [cases.get(owner, "false") for cases, owner in zip(arguments, owners, strict=True)]
            when = both(*conditions) if conditions else "true"
            if when != "false":
                entries.append((self._named(e, ".".join(map(str, (e.name, *owners)))), when))
        if not entries:
            raise NotStatedError
        value = entries[0][0]
        for other, when in entries[1:]:
            value = _merged(when, other, value)
        return value

    def _named(self, e: c.Variable, name: str) -> object:
        if name not in self.values or e.type.kind in c.SETS:
            raise NotStatedError
        term = self.values[name]
        if e.type == c.INTEGER:
            return int(term) if term.isdecimal() else term
        if e.type == c.BOOLEAN:
            return term
        values = range(size_of(self.program, e.type))
        if term in ("(- 1)", *map(str, values)):
            return {None if term == "(- 1)" else int(term): "true"}
        return {None: f"(= {term} (- 1))"} | {value: f"(= {term} {value})" for value in values}

    def _compare(self, e: c.Compare) -> str:
        if e.left.type == c.INTEGER:
            return _compared(e.operator, self.number(e.left), self.number(e.right))
        if e.operator not in ("=", "!="):
            raise NotStatedError
        if e.left.type == c.BOOLEAN:
            equal = _equal(self.truth(e.left), self.truth(e.right))
        elif e.left.type.kind in c.SETS:
            mine, other = self.members(e.left), self.members(e.right)
            both_sides = sorted(mine.keys() | other.keys())
            equal = both(*(_equal(mine.get(x, "false"), other.get(x, "false")) for x in both_sides))
        else:
            left, right = self.cases(e.left), self.cases(e.right)
            equal = any_of([both(when, right[x]) for x, when in left.items() if x in right])
        return equal if e.operator == "=" else negation(equal)

    def _conditional(self, e: c.Conditional) -> object:
        condition = self.truth(e.condition)
        if condition in ("true", "false"):
            return self._value(e.then if condition == "true" else e.otherwise)
        with self._under(condition):
            then = self._value(e.then)
        with self._under(negation(condition)):
            otherwise = self._value(e.otherwise)
        return _merged(condition, then, otherwise)

    def _set_operation(self, e: c.SetOperation) -> Members:
        left, right = self.members(e.left), self.members(e.right)
        if e.operator == "-":
            return {x: both(when, negation(right.get(x, "false"))) for x, when in left.items()}
        elements = sorted(left.keys() | right.keys())
        return {x: any_of([left.get(x, "false"), right.get(x, "false")]) for x in elements}

    # --------------------------------------------------------------------------------------------------- aggregates

    def _elements(self, e: c.Filter | c.Exists | c.Sum) -> list[tuple[int, str]]:
        return [(x, when) for x, when in sorted(self.members(e.domain).items()) if when != "false"]

    def _bind(self, binder: str, element: int, domain: c.Expr) -> None:
        integers = c.SETS[domain.type.kind] == "integer"
        self.bound[binder] = element if integers else {element: "true"}

    def _with(self, binder: str, element: int, domain: c.Expr, when: str, condition: c.Expr) -> str:
        self._bind(binder, element, domain)
        with self._under(when):
            return self.truth(condition)

    def _exists(self, e: c.Exists) -> str:
        """Elements after the first that satisfies the condition are not asked, and so cannot fault."""
        found = "false"
        for x, when in self._elements(e):
            with self._under(negation(found)):
                holds = both(when, self._with(e.binder, x, e.domain, when, e.condition))
            found = any_of([found, holds])
        return found

    def _added(self, e: c.Sum, element: int, when: str) -> Number:
        self._bind(e.binder, element, e.domain)
        with self._under(when):
            return _if(when, self.number(e.value), 0)


# ------------------------------------------------------------------------------------------------------------- terms


def _text(number: Number) -> str:
    return number if isinstance(number, str) else str(number) if number >= 0 else f"(- {-number})"


def _if(when: str, then: Number, otherwise: Number) -> Number:
    if when in ("true", "false"):
        return then if when == "true" else otherwise
    return f"(ite {when} {_text(then)} {_text(otherwise)})"


def _sum(numbers: list[Number]) -> Number:
    known = sum(number for number in numbers if isinstance(number, int))
    terms = [number for number in numbers if isinstance(number, str)]
    return f"(+ {' '.join(terms)} {_text(known)})" if terms else known


def _arithmetic(operator: str, left: Number, right: Number) -> Number:
    match operator:
        case "+":
            return _sum([left, right])
        case "-" if isinstance(left, int) and isinstance(right, int):
            return left - right
        case "-":
            return f"(- {_text(left)} {_text(right)})"
        case "*" if isinstance(left, int) and isinstance(right, int):
            return left * right
        case "*" if isinstance(left, int) or isinstance(right, int):
            return f"(* {_text(left)} {_text(right)})"
    if operator not in ("div", "mod") or not isinstance(right, int) or right <= 0:
        raise NotStatedError
    if isinstance(left, int):
        return left // right if operator == "div" else left % right
    return f"({operator} {left} {right})"


def _compared(operator: str, left: Number, right: Number) -> str:
    if isinstance(left, int) and isinstance(right, int):
        known = {"=": left == right, "<": left < right, "<=": left <= right}
        known |= {"!=": left != right, ">": left > right, ">=": left >= right}
        return "true" if known[operator] else "false"
    if operator == "!=":
        return f"(not (= {_text(left)} {_text(right)}))"
    return f"({operator} {_text(left)} {_text(right)})"


def _equal(left: str, right: str) -> str:
    for one, other in ((left, right), (right, left)):
        if one in ("true", "false"):
            return other if one == "true" else negation(other)
    return f"(= {left} {right})"


def _exactly_one(conditions: list[str]) -> str:
    return _compared("=", _sum([_if(when, 1, 0) for when in conditions]), 1)


def _joined(cases: Iterator[tuple[int, str]]) -> Members:
    joined: Members = {}
    for value, when in cases:
        joined[value] = any_of([joined.get(value, "false"), when])
    return joined


def _merged(when: str, then: object, otherwise: object) -> object:
    """One of two values of the same kind."""
    if when in ("true", "false"):
        return then if when == "true" else otherwise
    if isinstance(then, dict) and isinstance(otherwise, dict):
        keys = [*then, *(key for key in otherwise if key not in then)]
        return {
            key: any_of(
                [both(when, then.get(key, "false")), both(negation(when), otherwise.get(key, "false"))]
            )
            for key in keys
        }
    if then in ("true", "false") or otherwise in ("true", "false"):
        return any_of([both(when, str(then)), both(negation(when), str(otherwise))])
    assert isinstance(then, int | str)
    assert isinstance(otherwise, int | str)
    return _if(when, then, otherwise)
