"""From rule-text statements to core statements.

An invalid statement is reported and dropped, and elaboration continues, so that one run reports all errors.
`Steps` handles the statement forms; rules and their calls belong to `elaborate.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import assert_never

from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.elaboration import hints
from trickproof_dsl.elaboration.builtins import BUILTINS
from trickproof_dsl.elaboration.declarations import unset
from trickproof_dsl.elaboration.expressions import Values
from trickproof_dsl.elaboration.moves import Moves, home
from trickproof_dsl.elaboration.scope import AbandonedError, Scope
from trickproof_dsl.syntax import ast as s

DEFAULT_BOUND = 1000
"""Iterations after which `repeat until` without a stated bound faults."""

DoCall = Callable[[str, tuple[c.Expr, ...], Span], c.Stmt]


class Steps(Moves):
    """Elaborates the statements of rule `rule`."""

    def __init__(self, values: Values, do: DoCall) -> None:
        super().__init__(values)
        self._do = do
        self.hidden: dict[str, c.VariableInfo] = {}

    def body(self, statements: tuple[s.Stmt, ...], scope: Scope, rule: str) -> tuple[c.Stmt, ...]:
        """All statements, except invalid ones, which are reported."""
        elaborated: list[c.Stmt] = []
        self.shared.depth += 1
        try:
            for statement in statements:
                with suppress(AbandonedError):
                    self.shared.spend(statement.span)
                    elaborated.extend(self._statement(statement, scope, rule))
        finally:
            self.shared.depth -= 1
        return tuple(elaborated)

    def _statement(self, t: s.Stmt, scope: Scope, rule: str) -> list[c.Stmt]:
        values = self.values
        match t:
            case s.Becomes(target, value):
                variable = self._variable(target, scope, lambda: values.value(value, scope).type)
                assigned = values.value(value, scope, variable.type)
                return [c.Assign(variable.name, variable.arguments, assigned, t.span)]
            case s.If():
                return [self._branches(t, scope, rule)]
            case s.For():
                return self._for(t, scope, rule)
            case s.RepeatTimes(count, body):
                one = c.Literal(c.INTEGER, 1, t.span)
                rounds = c.Range(one, values.integer(count, scope), c.INTEGERS, t.span)
                one_move = len(body) == 1 and isinstance(body[0], s.Act)
                inner = self.body(body, replace(scope, gathers=True) if one_move else scope, rule)
                return [c.Loop(self.shared.unique("round"), rounds, _NATURAL, inner, t.span)]
            case s.RepeatUntil(condition, bound, body):
                until = values.boolean(condition, scope)
                default = c.Literal(c.INTEGER, DEFAULT_BOUND, t.span)
                limit = values.integer(bound, scope) if bound else default
                return [c.Until(until, limit, self.body(body, scope, rule), t.span)]
            case s.Do():
                return [self._call(t, scope)]
            case s.Put():
                return [self._put(t, scope)]
            case s.NothingHappens():
                return []
            case s.Shuffle():
                return [c.Shuffle(t.span)]
            case s.Deal(count, to):
                place = self._place(to, scope)
                return [c.Deal(values.integer(count, scope) if count else None, place, t.span)]
            case s.Announce(event, fields):
                announced = tuple((k.replace("-", "_"), self._announced(v, scope)) for k, v in fields)
                return [c.Announce(event, announced, t.span)]
            case s.HandEnds(again):
                return [c.EndHand(again, t.span)]
            case s.MatchEnds(winners):
                nobody = c.Literal(c.PLAYERS, (), t.span)
                who = values.value(winners, scope, c.PLAYERS) if winners else nobody
                return [c.EndMatch(who, t.span)]
            case s.Act():
                return self._act(t, scope, rule)
            case s.Chooses():
                return self._chooses(t, scope, rule)
            case _:
                assert_never(t)

    # ------------------------------------------------------------------------------------ structure

    def _branches(self, t: s.If, scope: Scope, rule: str) -> c.Stmt:
        self.shared.spend(t.span, levels=len(t.branches))
        otherwise = self.body(t.otherwise, scope, rule)
        whole: c.Stmt | None = None
        for condition, body in reversed(t.branches):
            try:
                holds = self.values.boolean(condition, scope)
            except AbandonedError:
                self.body(body, scope, rule)
                continue
            whole = c.Branch(holds, self.body(body, scope, rule), otherwise, t.span)
            otherwise = (whole,)
        if whole is None:
            raise AbandonedError
        return whole

    def _for(self, t: s.For, scope: Scope, rule: str) -> list[c.Stmt]:
        inner = replace(scope)
        self.shared.of_loops.add(t.binder)
        try:
            domain = self.values.domain(t.domain, scope)
            element = c.Type(c.SETS[domain.type.kind])
            order = self._order(t, element, scope)
        except AbandonedError:
            guess = _likely_type(t.domain)
            if guess is not None:
                # Elaborate the body all the same, to report its errors too.
                self.body(t.body, scope.bind(t.binder, c.Local(t.binder, guess, t.span)), rule)
            raise
        binder = self.shared.unique(t.binder)
        local = c.Local(binder, element, t.span)
        inner = scope.bind(t.binder, local).at_home(binder, home(domain, scope.homes))
        if t.simultaneous:
            return self._simultaneously(t, inner, domain, order, binder, rule)
        return [c.Loop(binder, domain, order, self.body(t.body, inner, rule), t.span)]

    def _order(self, t: s.For, element: c.Type, scope: Scope) -> c.Order:
        players = element == c.PLAYER
        start, clockwise = self._first_seat(t.span), True
        if t.order is None:
            return c.Order((), "circle" if players else "natural", start if players else None)
        keys = tuple(self._key(k, element, scope) for k in t.order.keys)
        ties = t.order.ties
        if ties is None and keys:
            raise self.shared.report("E310", t.order.span)
        if isinstance(ties, s.Circle):
            if not players:
                raise self.shared.report(
                    "E302", ties.span, expected="an order of players", found=element.described
                )
            start, clockwise = self.values.value(ties.start, scope, c.PLAYER), ties.clockwise
            return c.Order(keys, "circle", start, clockwise)
        if ties == "impossible":
            return c.Order(keys, "impossible", start if players else None)
        return c.Order(keys, "open", start if players else None)

    def _key(self, key: s.Key, element: c.Type, scope: Scope) -> tuple[bool, str, c.Expr]:
        binder = self.shared.unique(element.kind)
        value = self.values.value(key.value, self.values.inner(binder, element, scope, None, key.span))
        if value.type not in (c.INTEGER, c.RANK):
            raise self.shared.report(
                "E302", key.value.span, expected="a number or rank", found=value.type.described
            )
        return key.highest, binder, value

    def _first_seat(self, span: Span) -> c.Expr:
        """The default start of a loop over players: the dealer's left."""
        if "dealer" in self.names.variables and not self.names.variables["dealer"].of:
            return c.Seat(c.Variable("dealer", (), c.PLAYER, span), 1, c.PLAYER, span)
        return c.Literal(c.PLAYER, 0, span)

    def _call(self, t: s.Do, scope: Scope) -> c.Stmt:
        if t.rule not in self.names.file.rules:
            at = hints.word_in(t.span, t.rule)
            if ("E301", at) in self.shared.reported:
                raise AbandonedError
            rules = (x for x, rule in self.names.file.rules.items() if self.shared.is_procedure(rule))
            values = {*self.names.all_words(), *BUILTINS}
            help_ = hints.unknown_rule(t.rule, rules, values)
            raise self.shared.report("E301", at, name=t.rule, help=help_)
        signature = self.values.rule_signature(t.rule)
        if len(signature) != len(t.arguments):
            raise self.values.wrong_number(t.rule, signature, len(t.arguments), t.span)
        pairs = zip(t.arguments, signature, strict=True)
        return self._do(t.rule, tuple(self.values.value(a, scope, k) for a, k in pairs), t.span)

    def _announced(self, e: s.Expr, scope: Scope) -> c.Expr | str:
        if isinstance(e, s.Name) and e.name not in scope.locals and e.name in self.names.variables:
            owners = self.names.variables[e.name].of
            if owners == (c.PLAYER,) and "player" not in scope.subjects:
                return e.name
        return self.values.value(e, scope)

    # --------------------------------------------------------------------------------- simultaneously

    def hide(self, word: str, kind: c.Type, of: tuple[c.Type, ...]) -> str:
        """A new variable that stores a value for later; rule text cannot name it."""
        name = self.shared.unique(f"{word}.kept")
        self.hidden[name] = c.VariableInfo(name, kind, of, False, unset(kind))
        return name

    def _simultaneously(
        self, t: s.For, inner: Scope, domain: c.Expr, order: c.Order, binder: str, rule: str
    ) -> list[c.Stmt]:
        """All choices are made and stored in hidden variables, then all moves follow."""
        first: list[c.Stmt] = []
        second: list[c.Stmt] = []
        owner = c.Local(binder, inner.locals[t.binder].type, t.span)
        for statement in t.body:
            chosen = isinstance(statement, s.Act) and isinstance(statement.selection, s.Chosen)
            if not (chosen or isinstance(statement, s.Chooses)) or owner.type != c.PLAYER:
                raise self.shared.report("E315", statement.span)
            choice, *rest = self._statement(statement, inner, rule)
            assert isinstance(choice, c.Choice)
            kind = c.CARDS if isinstance(choice, c.ChooseCards) else choice.value_type
            hidden = self.hide(choice.label, kind, (c.PLAYER,))
            local = c.Local(choice.binder, kind, t.span)
            first += [choice, c.Assign(hidden, (owner,), local, t.span)]
            second += [_recall(step, local.name, c.Variable(hidden, (owner,), kind, t.span)) for step in rest]
        loops = [c.Loop(binder, domain, order, tuple(steps), t.span) for steps in (first, second)]
        return list(loops)


def _likely_type(domain: s.Domain) -> c.Type | None:
    """The likely element type of an invalid domain, if its form suggests one."""
    match domain:
        case s.PlayerSet() | s.BestOf("player"):
            return c.PLAYER
        case s.CardSet() | s.BestOf("card"):
            return c.CARD
        case s.Range():
            return c.INTEGER
    return None


def _recall(step: c.Stmt, local: str, variable: c.Expr) -> c.Stmt:
    """The step with the choice's local replaced by the variable that stores it."""

    def swap(e: c.Expr) -> c.Expr:
        if isinstance(e, c.Local) and e.name == local:
            return variable
        return replace(e, operand=swap(e.operand)) if isinstance(e, c.Only) else e

    if isinstance(step, c.Move | c.Show):
        return replace(step, cards=swap(step.cards))
    return replace(step, value=swap(step.value)) if isinstance(step, c.Assign) else step


_NATURAL = c.Order((), "natural", None)
