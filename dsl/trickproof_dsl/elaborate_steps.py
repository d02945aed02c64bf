"""Statements of rule text to core statements.

A statement that makes no sense is reported and left out, and the next one is read, so that one run tells all.
`Steps` owns nothing but the forms; rules and their calls belong to `elaborate.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import assert_never

from trickproof_dsl import advice
from trickproof_dsl import core as c
from trickproof_dsl import syntax as s
from trickproof_dsl.declare import Move, unset
from trickproof_dsl.elaborate_values import AbandonedError, Scope, Values
from trickproof_dsl.source import Span

DEFAULT_BOUND = 1000
"""Rounds after which `repeat until` without a stated bound faults."""

DoCall = Callable[[str, tuple[c.Expr, ...], Span], c.Stmt]


def home(e: c.Expr, homes: dict[str, c.Place]) -> c.Place | None:
    """The one zone that all cards of a set are in, if its form tells."""
    match e:
        case c.ZoneCards(zone, arguments):
            return c.Place(zone, arguments, e.span)
        case c.Local(name):
            return homes.get(name)
        case c.Filter(_, domain) | c.Best(_, _, domain):
            return home(domain, homes)
        case c.Top(_, _, _, operand) | c.Matching(_, operand) | c.Only(operand):
            return home(operand, homes)
        case c.SetOperation("-", left):
            return home(left, homes)
        case c.SetOperation("+", left, right):
            first = home(left, homes)
            return first if first == home(right, homes) else None
        case c.Conditional(_, then, otherwise):
            first = home(then, homes)
            return first if first == home(otherwise, homes) else None
        case c.RuleValue(_, value):
            return home(value, homes)
        case c.Single(element):
            return home(element, homes)
    return None


class Steps:
    """Elaborates statements within rule `rule`."""

    def __init__(self, values: Values, do: DoCall) -> None:
        self.values, self.shared, self.names, self._do = values, values.shared, values.names, do
        self.hidden: dict[str, c.VariableInfo] = {}

    def body(self, statements: tuple[s.Stmt, ...], scope: Scope, rule: str) -> tuple[c.Stmt, ...]:
        """All statements; those that make no sense are left out (and reported)."""
        made: list[c.Stmt] = []
        self.shared.depth += 1
        try:
            for statement in statements:
                with suppress(AbandonedError):
                    self.shared.spend(statement.span)
                    made.extend(self._statement(statement, scope, rule))
        finally:
            self.shared.depth -= 1
        return tuple(made)

    def _statement(self, t: s.Stmt, scope: Scope, rule: str) -> list[c.Stmt]:
        values = self.values
        match t:
            case s.Becomes(target, value):
                variable = self._variable(target, scope)
                made = values.value(value, scope, variable.type)
                return [c.Assign(variable.name, variable.arguments, made, t.span)]
            case s.If():
                return [self._branches(t, scope, rule)]
            case s.For():
                return self._for(t, scope, rule)
            case s.RepeatTimes(count, body):
                one = c.Literal(c.INTEGER, 1, t.span)
                rounds = c.Range(one, values.integer(count, scope), c.INTEGERS, t.span)
                inner = self.body(body, scope, rule)
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
                told = tuple((k.replace("-", "_"), self._told(v, scope)) for k, v in fields)
                return [c.Announce(event, told, t.span)]
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
        made = self.body(t.otherwise, scope, rule)
        whole: c.Stmt | None = None
        for condition, body in reversed(t.branches):
            try:
                holds = self.values.boolean(condition, scope)
            except AbandonedError:
                self.body(body, scope, rule)
                continue
            whole = c.Branch(holds, self.body(body, scope, rule), made, t.span)
            made = (whole,)
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
                # Read the body all the same, to tell what else is wrong.
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
                    "E302", ties.span, expected="an order of players", found=str(element)
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
                "E302", key.value.span, expected="a number or rank", found=str(value.type), help=None
            )
        return key.highest, binder, value

    def _first_seat(self, span: Span) -> c.Expr:
        """Where going round begins unless the rule says: at the dealer's left."""
        if "dealer" in self.names.variables and not self.names.variables["dealer"].of:
            return c.Seat(c.Variable("dealer", (), c.PLAYER, span), 1, c.PLAYER, span)
        return c.Literal(c.PLAYER, 0, span)

    def _call(self, t: s.Do, scope: Scope) -> c.Stmt:
        if t.rule not in self.names.file.rules:
            at = advice.word_in(t.span, t.rule)
            if ("E301", at) in self.shared.reported:
                raise AbandonedError
            help_ = advice.unknown_rule(t.rule, self.names.file.rules)
            raise self.shared.report("E301", at, name=t.rule, help=help_)
        signature = self.values.rule_signature(t.rule)
        if len(signature) != len(t.arguments):
            raise self.values.wrong_number(t.rule, signature, len(t.arguments), t.span)
        pairs = zip(t.arguments, signature, strict=True)
        return self._do(t.rule, tuple(self.values.value(a, scope, k) for a, k in pairs), t.span)

    def _told(self, e: s.Expr, scope: Scope) -> c.Expr | str:
        if isinstance(e, s.Name) and e.name not in scope.locals and e.name in self.names.variables:
            owners = self.names.variables[e.name].of
            if owners == (c.PLAYER,) and "player" not in scope.subjects:
                return e.name
        return self.values.value(e, scope)

    # --------------------------------------------------------------------------- variables and places

    def _variable(self, e: s.Expr, scope: Scope) -> c.Variable:
        name = e.name if isinstance(e, s.Name) else e.function if isinstance(e, s.Apply) else None
        if name is None or name not in self.names.variables:
            if name and name not in (*scope.locals, *self.names.all_words()):
                raise self.values.unknown(name, scope, e.span)
            found, help_ = advice.not_a_variable(name or "", self.names.zones, self.names.file.rules)
            raise self.shared.report("E305", e.span, name=name or e.span.text, found=found, help=help_)
        made = self.values.value(e, replace(scope, candidate=None))
        assert isinstance(made, c.Variable)
        return made

    def _place(self, e: s.Expr, scope: Scope) -> c.Place:
        made = self.values.value(e, scope)
        if not isinstance(made, c.ZoneCards):
            help_ = "say which of the player's zones, as in `hand of p`" if made.type == c.PLAYER else None
            raise self.shared.report("E302", e.span, expected="a zone", found=str(made.type), help=help_)
        return c.Place(made.zone, made.arguments, e.span)

    # ------------------------------------------------------------------------------ moves and choices

    def _act(self, t: s.Act, scope: Scope, rule: str) -> list[c.Stmt]:
        move = self.names.moves.get(t.verb)
        if move is None:
            help_ = advice.unknown_verb(t.verb, self.names.moves)
            at = advice.word_in(t.span, t.verb, t.actor.span.end)
            raise self.shared.report("E306", at, name=t.verb, help=help_)
        actor = self.values.value(t.actor, scope, c.PLAYER)
        inner = scope.about("player", actor)
        cards, choice = self._selection(t, move, actor, inner, rule)
        # Bound before the cards move: afterwards a zone they were computed from is another.
        bound = [] if t.binding is None else [self._bind(t.binding, cards, inner)]
        step: c.Stmt
        if move.shows:
            step = c.Show(move.label, actor, cards, self._audience(t, inner), t.span)
        else:
            step = self._move(t, move, actor, cards, inner, choice)
        return [*choice, *bound, step]

    def _selection(
        self, t: s.Act, move: Move, actor: c.Expr, inner: Scope, rule: str
    ) -> tuple[c.Expr, list[c.Stmt]]:
        """The cards moved: computed, or a local bound by a choice."""
        picked = t.selection
        if not isinstance(picked, s.Chosen):
            return self.values.value(picked, inner, c.CARDS), []
        domain = self.values.value(picked.of, inner, c.CARDS)
        if picked.condition is not None:
            binder = self.shared.unique("card")
            holds = self.values.condition(picked.condition, binder, c.CARD, inner, None)
            domain = c.Filter(binder, domain, holds, c.CARDS, picked.span)
        low = self.values.integer(picked.low, inner)
        high = self.values.integer(picked.high, inner) if picked.high else c.Size(domain, c.INTEGER, t.span)
        binder = self.shared.unique("chosen")
        to = self._recipient(t, inner)
        choice = c.ChooseCards(
            move.label,
            actor,
            binder,
            domain,
            low,
            high,
            to,
            self._holder(domain, inner),
            picked.blindly,
            _is_one(picked),
            rule,
            t.span,
        )
        return c.Local(binder, c.CARDS, picked.span), [choice]

    def _holder(self, cards: c.Expr, inner: Scope) -> c.Expr | None:
        """Whose cards they are, where their place tells."""
        place = home(cards, inner.homes)
        if place is None or self.names.zones[place.zone].of != (c.PLAYER,):
            return None
        return place.arguments[0]

    def _recipient(self, t: s.Act, inner: Scope) -> c.Expr | None:
        """The player that cards go to, where the statement names one."""
        if t.to is None or isinstance(t.to, str):
            return None
        made = self.values.value(t.to, inner)
        if made.type == c.PLAYER:
            return made
        if isinstance(made, c.ZoneCards) and self.names.zones[made.zone].of == (c.PLAYER,):
            return made.arguments[0]
        return None

    def _audience(self, t: s.Act, inner: Scope) -> c.Expr:
        if t.to is None or isinstance(t.to, str):
            return c.Universe(c.PLAYERS, t.span)
        return self.values.value(t.to, inner, c.PLAYERS)

    def _move(
        self, t: s.Act, move: Move, actor: c.Expr, cards: c.Expr, inner: Scope, steps: list[c.Stmt]
    ) -> c.Move | c.Unspecified:
        if t.source is not None:
            source: c.Place | None = self._place(t.source, inner)
        else:
            chosen = steps[0].domain if steps and isinstance(steps[0], c.ChooseCards) else cards
            if isinstance(chosen, c.UnspecifiedValue):
                return c.Unspecified(chosen.rule, t.span)
            source = home(chosen, inner.homes)
        if source is None:
            raise self.shared.report("E307", t.span)
        target = self._target(t, move, actor, inner)
        if source == target:
            raise self.shared.report(
                "E308", t.span, help="they would stay where they are: add `to` and a player or zone"
            )
        single = isinstance(t.selection, s.Chosen) and _is_one(t.selection)
        return c.Move(move.label, actor, cards, source, target, self._recipient(t, inner), single, t.span)

    def _put(self, t: s.Put, scope: Scope) -> c.Move:
        cards = self.values.value(t.cards, scope, c.CARDS)
        source = self._place(t.source, scope) if t.source else home(cards, scope.homes)
        if source is None:
            raise self.shared.report("E307", t.span)
        return c.Move("", None, cards, source, self._place(t.to, scope), None, False, t.span)

    def _target(self, t: s.Act, move: Move, actor: c.Expr, inner: Scope) -> c.Place:
        if t.to is not None and not isinstance(t.to, str):
            made = self.values.value(t.to, inner)
            if isinstance(made, c.ZoneCards):
                return c.Place(made.zone, made.arguments, t.to.span)
            if made.type != c.PLAYER:
                raise self.shared.report(
                    "E302", t.to.span, expected="a player or a zone", found=str(made.type), help=None
                )
            if self._usual(move, t) != (c.PLAYER,):
                help_ = (
                    f"`{t.verb}` goes to `{move.to}`, which no player has: name the zone, or leave out `to`"
                )
                raise self.shared.report("E308", t.to.span, help=help_)
            return c.Place(move.to or "", (made,), t.to.span)
        owners = self._usual(move, t)
        if t.to is not None or (owners and owners != (c.PLAYER,)):
            raise self.shared.report("E308", t.span, help="add `to` and a player or zone")
        return c.Place(move.to or "", (actor,) if owners else (), t.span)

    def _usual(self, move: Move, t: s.Act) -> tuple[c.Type, ...]:
        """Whose the zone is that the cards go to where nothing else is said."""
        if move.to is None:
            raise self.shared.report("E308", t.span, help="add `to` and a player or zone")
        if move.to not in self.names.zones:
            raise AbandonedError  # told where the move is declared
        return self.names.zones[move.to].of

    def _bind(self, target: s.Expr, cards: c.Expr, scope: Scope) -> c.Stmt:
        variable = self._variable(target, scope)
        value = cards
        if variable.type == c.CARD:
            value = c.Only(cards, c.CARD, target.span)
        elif variable.type != c.CARDS:
            raise self.shared.report(
                "E302", target.span, expected="a variable for cards", found=str(variable.type), help=None
            )
        return c.Assign(variable.name, variable.arguments, value, target.span)

    def _chooses(self, t: s.Chooses, scope: Scope, rule: str) -> list[c.Stmt]:
        actor = self.values.value(t.actor, scope, c.PLAYER)
        inner = scope.about("player", actor)
        target = self._variable(t.target, inner)
        kind = target.type
        if kind.kind in ("cards", "players"):
            raise self.shared.report(
                "E302", t.target.span, expected="a single value", found=str(kind), help=None
            )
        if t.or_none and kind in (c.INTEGER, c.BOOLEAN):
            raise self.shared.report("E319", t.span, name=target.name, type=str(kind))
        domain = self._choice_domain(t, target, inner)
        binder = self.shared.unique(target.name)
        local = c.Local(binder, kind, t.span)
        condition: c.Expr = c.Literal(c.BOOLEAN, True, t.span)
        if t.condition is not None:
            about = scope if kind == c.PLAYER else inner
            about = about.about(kind.kind, local) if kind in (c.CARD, c.SUIT) else about
            condition = self.values.boolean(t.condition, replace(about, candidate=(target, local)))
        choice = c.ChooseValue(target.name, actor, binder, kind, domain, t.or_none, condition, rule, t.span)
        return [choice, c.Assign(target.name, target.arguments, local, t.span)]

    def _choice_domain(self, t: s.Chooses, target: c.Variable, inner: Scope) -> c.Expr:
        kind = target.type
        if t.domain is not None:
            domain = self.values.domain(t.domain, inner)
            if c.SETS[domain.type.kind] != kind.kind:
                raise self.shared.report(
                    "E302",
                    t.domain.span,
                    expected=f"a set of {kind} values",
                    found=str(domain.type),
                    help=None,
                )
            return domain
        if kind.kind in ("player", "suit", "rank", "card"):
            return c.Universe(c.Type(kind.kind + "s"), t.span)
        count = {"boolean": 2, "option": len(self.names.options.get(kind.option, ()))}.get(kind.kind)
        if count is None:
            raise self.shared.report("E314", t.span, name=target.name)
        low, high = (c.Literal(c.INTEGER, n, t.span) for n in (0, count - 1))
        return c.Range(low, high, c.INTEGERS, t.span)

    # --------------------------------------------------------------------------------- simultaneously

    def hide(self, word: str, kind: c.Type, of: tuple[c.Type, ...]) -> str:
        """A new variable that keeps a value for later; rule text cannot name it."""
        name = self.shared.unique(f"{word}.kept")
        self.hidden[name] = c.VariableInfo(name, kind, of, False, unset(kind))
        return name

    def _simultaneously(
        self, t: s.For, inner: Scope, domain: c.Expr, order: c.Order, binder: str, rule: str
    ) -> list[c.Stmt]:
        """All choices are made and kept in hidden variables, then all moves follow."""
        first: list[c.Stmt] = []
        second: list[c.Stmt] = []
        owner = c.Local(binder, inner.locals[t.binder].type, t.span)
        for statement in t.body:
            chosen = isinstance(statement, s.Act) and isinstance(statement.selection, s.Chosen)
            if not (chosen or isinstance(statement, s.Chooses)) or owner.type != c.PLAYER:
                raise self.shared.report("E315", statement.span)
            choice, *rest = self._statement(statement, inner, rule)
            assert isinstance(choice, c.ChooseCards | c.ChooseValue)
            kind = c.CARDS if isinstance(choice, c.ChooseCards) else choice.value_type
            kept = self.hide(choice.label, kind, (c.PLAYER,))
            local = c.Local(choice.binder, kind, t.span)
            first += [choice, c.Assign(kept, (owner,), local, t.span)]
            second += [_recall(step, local.name, c.Variable(kept, (owner,), kind, t.span)) for step in rest]
        loops = [c.Loop(binder, domain, order, tuple(steps), t.span) for steps in (first, second)]
        return list(loops)


def _likely_type(domain: s.Domain) -> c.Type | None:
    """What the elements of a domain that makes no sense were meant to be, where its form tells."""
    match domain:
        case s.PlayerSet() | s.BestOf("player"):
            return c.PLAYER
        case s.CardSet() | s.BestOf("card"):
            return c.CARD
        case s.Range():
            return c.INTEGER
    return None


def _is_one(picked: s.Chosen) -> bool:
    return picked.form == "exactly" and isinstance(picked.low, s.IntegerLiteral) and picked.low.value == 1


def _recall(step: c.Stmt, local: str, kept: c.Expr) -> c.Stmt:
    """The step with the choice's local replaced by the variable that kept it."""

    def swap(e: c.Expr) -> c.Expr:
        if isinstance(e, c.Local) and e.name == local:
            return kept
        return replace(e, operand=swap(e.operand)) if isinstance(e, c.Only) else e

    if isinstance(step, c.Move | c.Show):
        return replace(step, cards=swap(step.cards))
    return replace(step, value=swap(step.value)) if isinstance(step, c.Assign) else step


_NATURAL = c.Order((), "natural", None)
