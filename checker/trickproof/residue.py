"""What is left to do of a hand before its play once all is worked out that depends on no cards and no choices.

Numbers, players and orders that are known are put in, loops over them written out, steps that turn out to do nothing left out.
What remains are the cards dealt, moved and shown and the choices, told in expressions about places and earlier choices.
Two programs with the same residue, from everything that a hand can begin with, do the same for all deals and choices,
however they are worded: every rewriting here keeps the meaning, and nothing is approximated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from trickproof.usage import usage_of
from trickproof_dsl import core as c
from trickproof_dsl.core.types import Type
from trickproof_dsl.core.walk import walk
from trickproof_dsl.evaluate import Evaluator, FaultError, Key, Value
from trickproof_dsl.source import Span

_MAY_FAULT = (c.Only, c.Extreme, c.Top, c.UnspecifiedValue, c.Table, c.Range)

_EACH, _CHOSEN = "each ", "chosen "
"""How bound names begin: elements gone through, which are never none, and what players choose."""

MOST_STEPS = 2_000
"""Steps of a residue, at most."""

Residue = tuple[tuple[c.Stmt, ...], tuple[tuple[Key, Value], ...]]
"""The steps that are left, and the variables that are known after them."""


class TooLongError(Exception):
    """The residue has more steps than are written out."""


def residue(
    program: c.Program,
    known: Mapping[Key, Value],
    parameters: Mapping[str, int],
    readings: Mapping[str, int],
    steps: Sequence[c.Stmt],
) -> Residue:
    """What is left of some steps if these variables are known before.  Raises TooLongError."""
    specialiser = _Specialiser(program, dict(known), {}, parameters, readings, [0])
    specialiser.run(steps)
    return tuple(specialiser.made), tuple(sorted(specialiser.known.items(), key=repr))


class _Specialiser:
    """Known values are literals; whatever is not known stays an expression."""

    def __init__(
        self,
        program: c.Program,
        known: dict[Key, Value],
        bound: dict[str, c.Expr],
        parameters: Mapping[str, int],
        readings: Mapping[str, int],
        names: list[int],
    ) -> None:
        self.program, self.known, self.bound = program, known, bound
        self.parameters, self.readings = parameters, readings
        self.names = names
        """How many names were given out, shared by everything that is made of one hand."""
        self.made: list[c.Stmt] = []
        self.over = False

    # ------------------------------------------------------------------------------------- expressions

    def value(self, e: c.Expr) -> c.Expr:
        """The expression with everything put in that is known."""
        if not isinstance(e, c.Literal | c.Local | c.ZoneCards | c.UnspecifiedValue):
            known = self._known(e)
            if known is not None:
                return known
        match e:
            case c.Literal():
                return e
            case c.RuleValue():
                return self.value(e.value)
            case c.Local():
                return self.bound.get(e.name, e)
            case c.Parameter():
                return c.Literal(e.type, self.parameters[e.name], e.span)
            case c.Reading():
                return c.Literal(e.type, self.readings.get(e.rule, 0), e.span)
            case c.Variable():
                arguments = tuple(self.value(x) for x in e.arguments)
                key = _key(e.name, arguments)
                if key in self.known:
                    return _literal(e.type, self.known[key], e.span)
                return replace(e, arguments=arguments)
            case c.Conditional():
                condition = self.value(e.condition)
                if isinstance(condition, c.Literal):
                    return self.value(e.then if condition.value else e.otherwise)
                return replace(
                    e, condition=condition, then=self.value(e.then), otherwise=self.value(e.otherwise)
                )
            case c.Logic():
                return self._logic(e)
            case c.Filter() | c.Exists() | c.Sum() | c.UnionOf() | c.Extreme() | c.Best() | c.Top():
                return self._going_through(e)
        parts = {name: self._part(getattr(e, name)) for name in _names(e)}
        made = replace(e, **parts)
        return self._folded(made) if all(_is_known(x) for x in parts.values()) else _emptied(made)

    def _known(self, e: c.Expr) -> c.Expr | None:
        """The value of an expression about nothing that is unknown."""
        bound = {name: _plain(x) for name, x in self.bound.items() if isinstance(x, c.Literal)}
        evaluator = Evaluator(self.program, self.known, {}, bound, self.parameters, self.readings)
        try:
            return _literal(e.type, evaluator.value(e), e.span)
        except (FaultError, KeyError):
            return None

    def _part(self, x: Any) -> Any:
        if isinstance(x, tuple):
            return tuple(self._part(y) for y in x)
        if isinstance(x, c.Place):
            return replace(x, arguments=self._part(x.arguments))
        return self.value(x) if isinstance(x, c.Expr) else x

    def _logic(self, e: c.Logic) -> c.Expr:
        left = self.value(e.left)
        if isinstance(left, c.Literal):
            return left if left.value == (e.operator == "or") else self.value(e.right)
        right = self.value(e.right)
        if isinstance(right, c.Literal) and right.value != (e.operator == "or"):
            return left
        return replace(e, left=left, right=right)

    def _going_through(self, e: Any) -> c.Expr:
        """Worked out if every element and what is asked of it is known."""
        place = "operand" if isinstance(e, c.Top) else "domain"
        inner = next(name for name in ("condition", "value", "key") if hasattr(e, name))
        domain = self.value(getattr(e, place))
        told: dict[str, Any] = {place: domain}
        if isinstance(e, c.Top):
            told["count"] = self.value(e.count)
        if isinstance(domain, c.Literal) and isinstance(domain.value, tuple):
            each = [self._with(e.binder, x, domain, getattr(e, inner)) for x in domain.value]
            if all(isinstance(x, c.Literal) for x in each) and all(_is_known(x) for x in told.values()):
                return self._folded(replace(e, **told, **{inner: self._table(e.binder, domain.value, each)}))
            if isinstance(e, c.Exists):
                return _any(each, e)
            if isinstance(e, c.UnionOf):
                return _union(each, e)
        name = self._name(_EACH)
        before = self.bound.get(e.binder)
        self.bound[e.binder] = c.Local(name, _element(domain.type), e.span)
        made = replace(e, **told, **{inner: self.value(getattr(e, inner)), "binder": name})
        if before is None:
            del self.bound[e.binder]
        else:
            self.bound[e.binder] = before
        return _emptied(made)

    def _with(self, binder: str, x: Value, domain: c.Expr, e: c.Expr) -> c.Expr:
        self.bound[binder] = c.Literal(_element(domain.type), x, domain.span)
        made = self.value(e)
        del self.bound[binder]
        return made

    def _table(self, binder: str, elements: Sequence[Value], each: Sequence[c.Expr]) -> c.Expr:
        """Values by element, as one expression about the bound name."""
        made = each[-1] if each else c.Literal(c.INTEGER, 0, self.program.rules["hand"].span)
        span = made.span
        for x, value in list(zip(elements, each, strict=True))[:-1]:
            this = c.Compare(
                "=", c.Local(binder, c.INTEGER, span), c.Literal(c.INTEGER, x, span), c.BOOLEAN, span
            )
            made = c.Conditional(this, value, made, made.type, span)
        return made

    def _folded(self, e: c.Expr) -> c.Expr:
        if isinstance(e, c.ZoneCards | c.UnspecifiedValue):
            return e
        try:
            found = Evaluator(self.program, {}, {}, {}, {}, {}).value(e)
        except (FaultError, KeyError):
            return e
        return _literal(e.type, found, e.span)

    def _name(self, kind: str) -> str:
        self.names[0] += 1
        return f"{kind}{self.names[0]}"

    # -------------------------------------------------------------------------------------- statements

    def run(self, body: Sequence[c.Stmt]) -> None:
        """Adds what is left of some steps."""
        for step in body:
            if self.over:
                return
            if len(self.made) > MOST_STEPS:
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
                actor, domain, name = self.value(t.actor), self.value(t.domain), self._name(_CHOSEN)
                self.bound[t.binder] = c.Local(name, t.value_type, t.span)
                condition = self.value(t.condition)
                self.made.append(
                    replace(t, actor=actor, domain=domain, condition=condition, binder=name, rule="")
                )
            case c.Move() | c.Show():
                made: Any = replace(t, **{name: self._part(getattr(t, name)) for name in _names(t)})
                if not (_is_empty(made.cards) and (isinstance(made, c.Show) or _is_total(made))):
                    self.made.append(made)
            case c.Announce():
                told = tuple(
                    (name, self._all(x, t.span) if isinstance(x, str) else self.value(x))
                    for name, x in t.fields
                )
                self.made.append(replace(t, fields=told))
            case c.EndMatch() | c.Unspecified():
                self.over = True
                self.made.append(replace(t, **{name: self._part(getattr(t, name)) for name in _names(t)}))
            case _:
                self.made.append(replace(t, **{name: self._part(getattr(t, name)) for name in _names(t)}))

    def _all(self, name: str, span: Span) -> c.Expr:
        """A variable of every player."""
        kind = self.program.variables[name].type
        seats = [c.Literal(c.PLAYER, p, span) for p in range(self.program.players)]
        values = tuple(self.value(c.Variable(name, (seat,), kind, span)) for seat in seats)
        return c.Variable(f"every {name}", values, kind, span)

    def _assign(self, t: c.Assign) -> None:
        value, arguments = self.value(t.value), tuple(self.value(x) for x in t.arguments)
        key = _key(t.variable, arguments)
        if key is None:
            self._tell([name for name in self.known if name[0] == t.variable])
            self.known = {name: x for name, x in self.known.items() if name[0] != t.variable}
        elif isinstance(value, c.Literal):
            self.known[key] = _plain(value)
            return
        else:
            self.known.pop(key, None)
        self.made.append(replace(t, value=value, arguments=arguments))

    def _tell(self, keys: Sequence[Key]) -> None:
        """Writes known values down as steps, where they are not known any more from here on."""
        for key in sorted(keys, key=repr):
            info = self.program.variables[key[0]]
            span = self.program.rules["hand"].span
            owners = tuple(c.Literal(kind, x, span) for kind, x in zip(info.of, key[1:], strict=True))
            self.made.append(c.Assign(key[0], owners, _literal(info.type, self.known[key], span), span))

    def _inner(self, body: Sequence[c.Stmt]) -> _Specialiser:
        inside = _Specialiser(
            self.program, dict(self.known), dict(self.bound), self.parameters, self.readings, self.names
        )
        inside.run(body)
        return inside

    def _either(self, t: c.Branch, condition: c.Expr) -> None:
        """Both sides; what they leave with different values is written down at the end of each."""
        sides = [self._inner(t.then), self._inner(t.otherwise)]
        same = {k: v for k, v in sides[0].known.items() if k in sides[1].known and sides[1].known[k] == v}
        for side in sides:
            side._tell([key for key in side.known if key not in same])
        self.known = same
        if sides[0].made != sides[1].made or not _cannot_fault(condition):
            self.made.append(
                replace(t, condition=condition, then=tuple(sides[0].made), otherwise=tuple(sides[1].made))
            )
        else:
            self.made += sides[0].made

    def _loop(self, t: c.Loop) -> None:
        domain = self.value(t.domain)
        order = self._in_order(t, domain)
        if order is None:
            self._again(t)
            return
        for x in order:
            self.bound[t.binder] = c.Literal(_element(domain.type), x, t.span)
            self.run(t.body)

    def _in_order(self, t: c.Loop, domain: c.Expr) -> list[int] | None:
        """The elements in the order of the loop, if that is known and no tie forbids it."""
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
            keys = [(high, self._with(binder, x, domain, e)) for high, binder, e in t.order.keys]
            if not all(isinstance(key, c.Literal) and key.value is not None for _, key in keys):
                return None
            ranked[x] = tuple(-key.value if high else key.value for high, key in keys)  # type: ignore[union-attr, operator, misc]
        if t.order.ties == "impossible" and len(set(ranked.values())) < len(elements):
            return None
        return sorted(elements, key=ranked.__getitem__)

    def _again(self, t: c.Loop | c.Until) -> None:
        """A loop that is not written out: what it assigns is not known in it, nor after it."""
        assigned = usage_of(t).assigns
        self._tell([key for key in self.known if key[0] in assigned])
        self.known = {key: x for key, x in self.known.items() if key[0] not in assigned}
        made: Any = t
        if isinstance(t, c.Loop):
            domain, name = self.value(t.domain), self._name(_EACH)
            self.bound[t.binder] = c.Local(name, _element(domain.type), t.span)
            keys = []
            for high, binder, e in t.order.keys:
                self.bound[binder] = c.Local(self._name(_EACH), _element(domain.type), t.span)
                keys.append((high, "", self.value(e)))
            start = None if t.order.start is None else self.value(t.order.start)
            made = replace(
                t, domain=domain, binder=name, order=replace(t.order, keys=tuple(keys), start=start)
            )
        else:
            made = replace(t, condition=self.value(t.condition), bound=self.value(t.bound))
        inside = self._inner(t.body)
        inside._tell([key for key in inside.known if key[0] in assigned])
        self.made.append(replace(made, body=tuple(inside.made)))

    def _choose_cards(self, t: c.ChooseCards) -> None:
        told = {name: self._part(getattr(t, name)) for name in _names(t) if name not in ("binder", "rule")}
        made = replace(t, **told)
        none = isinstance(made.high, c.Literal) and made.high.value == 0
        if none and isinstance(made.low, c.Literal) and made.low.value == 0 and _is_total(made):
            self.bound[t.binder] = c.Literal(c.CARDS, (), t.span)
            return
        name = self._name(_CHOSEN)
        self.bound[t.binder] = c.Local(name, c.CARDS, t.span)
        self.made.append(replace(made, binder=name, rule=""))


# ------------------------------------------------------------------------------------------- little things


def _names(node: Any) -> list[str]:
    return [field.name for field in fields(node) if field.name != "span" and field.name != "type"]


def _is_known(x: Any) -> bool:
    if isinstance(x, tuple):
        return all(_is_known(y) for y in x)
    return isinstance(x, c.Literal) or not is_dataclass(x)


def _key(name: str, arguments: Sequence[c.Expr]) -> Key | None:
    """The entry of a variable, if its owners are known."""
    owners = [x.value for x in arguments if isinstance(x, c.Literal) and x.value is not None]
    return (name, *owners) if len(owners) == len(arguments) else None


def _literal(kind: Type, value: Value, span: Span) -> c.Literal:
    return c.Literal(kind, tuple(sorted(value)) if isinstance(value, frozenset) else value, span)


def _plain(e: c.Literal) -> Value:
    return frozenset(e.value) if isinstance(e.value, tuple) else e.value


def _element(kind: Type) -> Type:
    """The type of an element of a set."""
    return {
        "players": c.PLAYER,
        "cards": c.CARD,
        "integers": c.INTEGER,
        "suits": c.SUIT,
        "ranks": c.RANK,
    }.get(kind.kind, kind)


def _is_empty(e: c.Expr | None) -> bool:
    return isinstance(e, c.Literal) and e.value == ()


def _emptied(e: c.Expr) -> c.Expr:
    """A part of no cards is no cards, whatever is asked of it."""
    empty = c.Literal(e.type, (), e.span)
    match e:
        case c.Filter(domain=domain) | c.Best(domain=domain) if _is_empty(domain):
            return empty
        case c.Matching(answering=None):
            one, other = e.operand, e.pattern
            if (_is_empty(one) and _cannot_fault(other)) or (_is_empty(other) and _cannot_fault(one)):
                return empty
        case c.Matching() if _is_empty(e.answering) and _cannot_fault((e.operand, e.pattern)):
            return empty
        case c.SetOperation(operator="+") if _is_empty(e.left):
            return e.right
        case c.SetOperation() if _is_empty(e.right):
            return e.left
    return e


def _any(each: Sequence[c.Expr], e: c.Expr) -> c.Expr:
    """Whether one of several conditions holds, asked in their order."""
    left = [x for x in each if not (isinstance(x, c.Literal) and x.value is False)]
    if not left or any(isinstance(x, c.Literal) for x in left[:1]):
        return c.Literal(c.BOOLEAN, bool(left), e.span)
    made = left[-1]
    for x in reversed(left[:-1]):
        made = c.Logic("or", x, made, c.BOOLEAN, e.span)
    return made


def _union(each: Sequence[c.Expr], e: c.Expr) -> c.Expr:
    """All of several sets, but for those known to be empty."""
    left = [x for x in each if not _is_empty(x)]
    made = left[0] if left else c.Literal(e.type, (), e.span)
    for x in left[1:]:
        made = c.SetOperation("+", made, x, e.type, e.span)
    return made


def _is_total(step: c.ChooseCards | c.Move) -> bool:
    """Whether working the step out cannot break down, so that it can be left out where it does nothing."""
    return all(_cannot_fault(node) for node in walk(step) if node is not step)


def _cannot_fault(e: Any) -> bool:
    for node in walk(e):
        if isinstance(node, _MAY_FAULT):
            return False
        if isinstance(node, c.CardAttribute) and not isinstance(node.card, c.Local):
            return False
        if isinstance(node, c.Arithmetic) and node.operator in ("div", "mod", "*"):
            return False
        if isinstance(node, c.Variable | c.ZoneCards) and not all(map(_is_somebody, node.arguments)):
            return False
    return True


def _is_somebody(e: c.Expr) -> bool:
    if isinstance(e, c.Literal):
        return e.value is not None
    return isinstance(e, c.Local) and e.name.startswith(_EACH)
