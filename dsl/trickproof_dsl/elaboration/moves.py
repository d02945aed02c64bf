"""From moves, choices and their places to core statements.

`Moves` is the base of `statements.Steps` that handles them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.elaboration import hints
from trickproof_dsl.elaboration.declarations import Move
from trickproof_dsl.elaboration.expressions import Values
from trickproof_dsl.elaboration.scope import AbandonedError, Scope
from trickproof_dsl.syntax import ast as s


def home(e: c.Expr, homes: dict[str, c.Place]) -> c.Place | None:
    """The one zone that contains all cards of a set, if the form of the expression determines it."""
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


def _alternatives(cards: c.Expr) -> Iterator[c.Expr]:
    """The sets of cards that the value of an expression may be."""
    match cards:
        case c.Conditional(_, then, otherwise):
            yield from _alternatives(then)
            yield from _alternatives(otherwise)
        case c.RuleValue(_, value):
            yield from _alternatives(value)
        case _:
            yield cards


class Moves:
    """Elaborates moves and choices."""

    def __init__(self, values: Values) -> None:
        self.values, self.shared, self.names = values, values.shared, values.names

    # --------------------------------------------------------------------------- variables and places

    def _variable(self, e: s.Expr, scope: Scope, likely: Callable[[], c.Type]) -> c.Variable:
        """The variable that a statement changes; `likely` gives the type to declare it with if it is unknown."""
        name = e.name if isinstance(e, s.Name) else e.function if isinstance(e, s.Apply) else None
        if name is None or name not in self.names.variables:
            if name and name not in (*scope.locals, *self.names.all_words()):
                arguments = e.arguments if isinstance(e, s.Apply) else ()
                kind = c.INTEGER
                with suppress(AbandonedError):
                    kind = likely()
                raise self.values.unknown(name, scope, e.span, kind, arguments=arguments)
            what, help_ = hints.not_a_variable(
                name or "", self.names.zones, self.names.file.rules, self.names.variables
            )
            raise self.shared.report("E305", e.span, name=name or e.span.text, found=what, help=help_)
        variable = self.values.value(e, replace(scope, candidate=None))
        assert isinstance(variable, c.Variable)
        return variable

    def _place(self, e: s.Expr, scope: Scope) -> c.Place:
        zone = self.values.value(e, scope)
        if not isinstance(zone, c.ZoneCards):
            help_ = "say which of the player's zones, as in `hand of p`" if zone.type == c.PLAYER else None
            raise self.shared.report("E302", e.span, expected="a zone", found=zone.type.described, help=help_)
        return c.Place(zone.zone, zone.arguments, e.span)

    # ------------------------------------------------------------------------------ moves and choices

    def _act(self, t: s.Act, scope: Scope, rule: str) -> list[c.Stmt]:
        move = self.names.moves.get(t.verb)
        if move is None:
            help_ = hints.unknown_verb(t.verb, self.names.moves, t.span.text)
            at = hints.word_in(t.span, t.verb, t.actor.span.end)
            raise self.shared.report("E306", at, name=t.verb, help=help_)
        actor = self.values.value(t.actor, scope, c.PLAYER)
        inner = scope.about("player", actor)
        cards, choice = self._selection(t, move, actor, inner, rule)
        # Bound before the cards move, since moving changes the zones they were computed from.
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
        """The cards moved: an expression, or a local bound by a choice."""
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
        to = self._recipient(t, inner, actor)
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
        """The player whose cards they are, if their zone determines it."""
        place = home(cards, inner.homes)
        if place is None or self.names.zones[place.zone].of != (c.PLAYER,):
            return None
        return place.arguments[0]

    def _recipient(self, t: s.Act, inner: Scope, actor: c.Expr) -> c.Expr | None:
        """The player who receives the cards, if the statement names someone other than the actor."""
        if t.to is None or isinstance(t.to, str):
            return None
        recipient = self.values.value(t.to, inner)
        if isinstance(recipient, c.ZoneCards) and self.names.zones[recipient.zone].of == (c.PLAYER,):
            recipient = recipient.arguments[0]
        return recipient if recipient.type == c.PLAYER and recipient != actor else None

    def _audience(self, t: s.Act, inner: Scope) -> c.Expr:
        if t.to is None or isinstance(t.to, str):
            return c.Universe(c.PLAYERS, t.span)
        return self.values.value(t.to, inner, c.PLAYERS)

    def _move(
        self, t: s.Act, move: Move, actor: c.Expr, cards: c.Expr, inner: Scope, steps: list[c.Stmt]
    ) -> c.Move | c.Unspecified:
        chosen = steps[0].domain if steps and isinstance(steps[0], c.ChooseCards) else cards
        if t.source is not None:
            source: c.Place | None = self._place(t.source, inner)
        else:
            if isinstance(chosen, c.UnspecifiedValue):
                return c.Unspecified(chosen.rule, t.span)
            source = home(chosen, inner.homes)
        if source is None:
            raise self._from_nowhere(chosen, t.span)
        target = self._target(t, move, actor, inner)
        if source == target:
            raise self.shared.report(
                "E308", t.span, help="they would stay where they are: add `to` and a player or zone"
            )
        single = isinstance(t.selection, s.Chosen) and _is_one(t.selection)
        return c.Move(
            move.label, actor, cards, source, target, self._recipient(t, inner, actor), single, t.span
        )

    def _from_nowhere(self, cards: c.Expr, at: Span) -> AbandonedError:
        """Report cards of no known zone: where one is named that may be anywhere, or else `at` the statement."""
        for part in _alternatives(cards):
            if isinstance(part, c.Single) and isinstance(part.element, c.Literal):
                help_ = f"write `cards in hand with card = {part.span.text}`"
                return self.shared.report("E307", part.span, help=help_)
        return self.shared.report("E307", at, help="add `from hand` after the cards")

    def _put(self, t: s.Put, scope: Scope) -> c.Move:
        cards = self.values.value(t.cards, scope, c.CARDS)
        source = self._place(t.source, scope) if t.source else home(cards, scope.homes)
        if source is None:
            raise self._from_nowhere(cards, t.span)
        return c.Move("", None, cards, source, self._place(t.to, scope), None, False, t.span)

    def _target(self, t: s.Act, move: Move, actor: c.Expr, inner: Scope) -> c.Place:
        if t.to is not None and not isinstance(t.to, str):
            target = self.values.value(t.to, inner)
            if isinstance(target, c.ZoneCards):
                return c.Place(target.zone, target.arguments, t.to.span)
            if target.type != c.PLAYER:
                raise self.shared.report(
                    "E302", t.to.span, expected="a player or a zone", found=target.type.described
                )
            if self._usual(move, t) != (c.PLAYER,):
                help_ = (
                    f"`{t.verb}` goes to `{move.to}`, which no player has: name the zone, or leave out `to`"
                )
                raise self.shared.report("E308", t.to.span, help=help_)
            return c.Place(move.to or "", (target,), t.to.span)
        owners = self._usual(move, t)
        if t.to is not None or (owners and owners != (c.PLAYER,)):
            raise self.shared.report("E308", t.span, help="add `to` and a player or zone")
        return c.Place(move.to or "", (actor,) if owners else (), t.span)

    def _usual(self, move: Move, t: s.Act) -> tuple[c.Type, ...]:
        """The owner types of the move's default target zone."""
        if move.to is None:
            raise self.shared.report("E308", t.span, help="add `to` and a player or zone")
        if move.to not in self.names.zones:
            raise AbandonedError  # reported where the move is declared
        return self.names.zones[move.to].of

    def _bind(self, target: s.Expr, cards: c.Expr, scope: Scope) -> c.Stmt:
        variable = self._variable(target, scope, lambda: c.CARDS)
        value = cards
        if variable.type == c.CARD:
            value = c.Only(cards, c.CARD, target.span)
        elif variable.type != c.CARDS:
            raise self.shared.report(
                "E302", target.span, expected="a variable for cards", found=variable.type.described
            )
        elif scope.gathers:
            value = c.SetOperation("+", variable, cards, c.CARDS, target.span)
        return c.Assign(variable.name, variable.arguments, value, target.span)

    def _chooses(self, t: s.Chooses, scope: Scope, rule: str) -> list[c.Stmt]:
        actor = self.values.value(t.actor, scope, c.PLAYER)
        inner = scope.about("player", actor)
        target = self._variable(t.target, inner, lambda: self._likely_choice(t, inner))
        kind = target.type
        if kind.kind in ("cards", "players"):
            raise self.shared.report("E302", t.target.span, expected="a single value", found=kind.described)
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

    def _likely_choice(self, t: s.Chooses, inner: Scope) -> c.Type:
        """The type of what is chosen, as far as its domain tells; without one, most likely yes or no."""
        if t.domain is None:
            return c.SUIT if t.or_none else c.BOOLEAN
        return c.Type(c.SETS[self.values.domain(t.domain, inner).type.kind])

    def _choice_domain(self, t: s.Chooses, target: c.Variable, inner: Scope) -> c.Expr:
        kind = target.type
        if t.domain is not None:
            domain = self.values.domain(t.domain, inner)
            if c.SETS[domain.type.kind] != kind.kind:
                raise self.shared.report(
                    "E302",
                    t.domain.span,
                    expected=f"a set of `{kind}` values" if kind.option else f"a set of {kind}s",
                    found=domain.type.described,
                )
            return domain
        if kind.kind in ("player", "suit", "rank", "card"):
            return c.Universe(c.Type(kind.kind + "s"), t.span)
        count = {"boolean": 2, "option": len(self.names.options.get(kind.option, ()))}.get(kind.kind)
        if count is None:
            raise self.shared.report("E314", t.span, name=target.name)
        low, high = (c.Literal(c.INTEGER, n, t.span) for n in (0, count - 1))
        return c.Range(low, high, c.INTEGERS, t.span)


def _is_one(picked: s.Chosen) -> bool:
    return picked.form == "exactly" and isinstance(picked.low, s.IntegerLiteral) and picked.low.value == 1
