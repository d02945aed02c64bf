"""Values of rule text to core expressions: names resolved, types checked, rule calls inlined.

`Values.value` returns a core expression or raises `AbandonedError` after reporting what is wrong, so that the caller
can go on with the next statement.  A bare per-player name means that of the player spoken of (`players with
over > 0`); the *subject* of each kind is kept in the `Scope`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import assert_never

from trickproof_dsl import advice
from trickproof_dsl import core as c
from trickproof_dsl import syntax as s
from trickproof_dsl.declare import PLAIN_TYPES, Names
from trickproof_dsl.diagnostic import Diagnostic
from trickproof_dsl.errors import did_you_mean, error
from trickproof_dsl.functions import FUNCTIONS
from trickproof_dsl.parse import MAX_DEPTH
from trickproof_dsl.source import Span

MAX_NODES = 100_000
"""Parts that a program may have once every rule stands where it is used."""

MAX_ERRORS = 100
"""Mistakes in rules that are told in one run."""

_ELEMENT_WORDS = {"player": c.PLAYER, "card": c.CARD, "suit": c.SUIT, "rank": c.RANK}


class AbandonedError(Exception):
    """This value makes no sense; the reason has been reported."""


class GivenUpError(Exception):
    """Nothing more is read: the rules are too large or too many are wrong; the reason has been reported."""


@dataclass(frozen=True)
class Scope:
    """Bound names, the subject of each kind, the zone bound cards come from, and a chosen variable's candidate.

    `after` says that a condition with `has` or `with` ended just before, which helps to explain an error.
    """

    locals: dict[str, c.Expr] = field(default_factory=dict)
    subjects: dict[str, c.Expr] = field(default_factory=dict)
    homes: dict[str, c.Place] = field(default_factory=dict)
    candidate: tuple[c.Variable, c.Expr] | None = None
    after: bool = False

    def bind(self, name: str, value: c.Expr) -> Scope:
        return replace(self, locals={**self.locals, name: value})

    def about(self, kind: str, value: c.Expr) -> Scope:
        subjects = {**self.subjects, kind: value}
        if kind == "card":
            subjects.pop("suit", None)  # from here on a bare `suit` is that of the card
        return replace(self, subjects=subjects)

    def at_home(self, local: str, place: c.Place | None) -> Scope:
        return replace(self, homes={**self.homes, local: place}) if place else self


@dataclass
class Shared:
    """What the elaboration of one ruleset shares: names, parsed rules, diagnostics, fresh names, the call chain."""

    names: Names
    texts: dict[str, tuple[s.RuleText, ...]]
    wrong: list[Diagnostic]
    rule_types: dict[str, c.Type | None] = field(default_factory=dict)
    chain: list[str] = field(default_factory=list)
    fresh: int = 0
    nodes: int = 0
    depth: int = 0
    reported: set[tuple[str, Span]] = field(default_factory=set)
    of_loops: set[str] = field(default_factory=set)

    def unique(self, word: str) -> str:
        self.fresh += 1
        return f"{word}.{self.fresh}"

    def report(self, code: str, span: Span, **data: object) -> AbandonedError:
        """Reports once what is wrong at a place, however many rules use it."""
        if (code, span) not in self.reported:
            self.reported.add((code, span))
            self.wrong.append(error(code, span, notes=(), **data))
        if len(self.wrong) >= MAX_ERRORS:
            raise GivenUpError
        return AbandonedError()

    def spend(self, span: Span, nodes: int = 1, levels: int = 0) -> None:
        """Counts parts that are made, `levels` deep from here: rules that use rules grow quickly."""
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            self.report("E317", span, limit=MAX_NODES, chain=advice.arrows(self.chain))
            raise GivenUpError
        if self.depth + levels > MAX_DEPTH:
            help_ = "give the inner part a rule of its own"
            if len(self.chain) > 1:
                help_ = f"rules within rules count, here {advice.arrows(self.chain)}"
            raise self.report("E205", span, limit=MAX_DEPTH, help=help_)

    def again(self, e: c.Expr) -> c.Expr:
        """A value that is put where its name stands, which may be once more."""
        if not isinstance(e, c.Local):
            self.spend(e.span, *_extent(e))
        return e


RuleCall = Callable[[str, tuple[c.Expr, ...], Span], c.Expr]


class Values:
    """Elaborates expressions; `call` inlines a value rule (given by `elaborate.py`, which owns the rules)."""

    def __init__(self, shared: Shared, call: RuleCall) -> None:
        self.shared, self.names, self._call = shared, shared.names, call

    # ---------------------------------------------------------------------------------- entry points

    def value(self, e: s.Expr, scope: Scope, expected: c.Type | None = None) -> c.Expr:
        """Any value; `expected` helps `none` and lets one card or player stand for a set of one."""
        self.shared.spend(e.span)
        self.shared.depth += 1
        try:
            made = self._lift(self._value(e, scope, expected), expected)
        finally:
            self.shared.depth -= 1
        if expected is not None and made.type != expected:
            raise self._mismatch(e, str(expected), made.type)
        return made

    def integer(self, e: s.Expr, scope: Scope) -> c.Expr:
        return self.value(e, scope, c.INTEGER)

    def boolean(self, e: s.Expr, scope: Scope) -> c.Expr:
        return self.value(e, scope, c.BOOLEAN)

    def domain(self, d: s.Domain, scope: Scope) -> c.Expr:
        """A set that can be gone through."""
        if isinstance(d, s.Range):
            low, high = self.integer(d.low, scope), self.integer(d.high, scope)
            return c.Range(low, high, c.INTEGERS, d.span)
        made = self.value(d, scope)
        if made.type.kind not in c.SETS:
            raise self._mismatch(d, "a set such as `players` or `cards in hand`", made.type)
        return made

    def condition(self, e: s.Expr, binder: str, element: c.Type, scope: Scope, name: str | None) -> c.Expr:
        return self.boolean(e, self.inner(binder, element, scope, name, e.span))

    def inner(self, binder: str, element: c.Type, scope: Scope, name: str | None, span: Span) -> Scope:
        """The scope inside `… with`, where the element is the subject (and has a name, if one is given)."""
        local = c.Local(binder, element, span)
        inside = scope.about(element.kind, local)
        return inside.bind(name, local) if name else inside

    def _mismatch(self, e: s.Domain, expected: str, found: c.Type) -> AbandonedError:
        help_ = advice.mismatch(e, expected, found)
        wanted = "a condition" if expected == "boolean" else expected
        return self.shared.report("E302", e.span, expected=wanted, found=str(found), help=help_)

    def _lift(self, made: c.Expr, expected: c.Type | None) -> c.Expr:
        if expected is not None and expected.kind in ("cards", "players"):
            element = c.SETS[expected.kind]
            if made.type.kind == element:
                return c.Single(made, expected, made.span)
        return made

    # ------------------------------------------------------------------------------------- each form

    def _value(self, e: s.Expr, scope: Scope, expected: c.Type | None) -> c.Expr:
        match e:
            case s.Name():
                return self._name(e, scope)
            case s.Apply():
                return self._apply(e, scope)
            case s.Subject():
                return self._subject(e, scope)
            case s.IntegerLiteral(value):
                return c.Literal(c.INTEGER, value, e.span)
            case s.Truth(truth):
                return c.Literal(c.BOOLEAN, truth, e.span)
            case s.Nothing():
                return self._nothing(e, expected)
            case s.CardLiteral(code):
                return self._card(code, e.span)
            case s.Unary():
                return self._unary(e, scope)
            case s.Binary():
                return self._binary(e, scope)
            case s.IsEmpty(operand, negated):
                size = c.Size(self._set(operand, scope), c.INTEGER, e.span)
                zero = c.Literal(c.INTEGER, 0, e.span)
                return c.Compare("!=" if negated else "=", size, zero, c.BOOLEAN, e.span)
            case s.Conditional():
                return self._conditional(e, scope, expected)
            case s.Everything(kind):
                return c.Universe(c.Type(kind), e.span)
            case s.PlayerSet():
                return self._players(e, scope)
            case s.CardSet():
                return self._cards(e, scope)
            case s.Quantified():
                return self._quantified(e, scope)
            case s.Count(operand):
                return c.Size(self._set(operand, scope), c.INTEGER, e.span)
            case s.BestOf() | s.Total() | s.UnionOf() | s.Extreme() | s.Top():
                return self._by_key(e, scope)
            case s.Matching(highest, operand, pattern):
                zone = self.value(operand, scope, c.CARDS)
                like = self.value(pattern, scope, c.CARDS)
                return c.Matching(highest, zone, like, c.CARDS, e.span)
            case s.Only(kind, operand):
                plural = {"player": c.PLAYERS, "card": c.CARDS, "suit": c.SUITS}[kind]
                return c.Only(self.value(operand, scope, plural), _ELEMENT_WORDS[kind], e.span)
            case _:
                assert_never(e)

    def _set(self, e: s.Expr, scope: Scope) -> c.Expr:
        made = self.value(e, scope)
        if made.type.kind not in c.SETS:
            raise self._mismatch(e, "a set", made.type)
        return made

    def _subject(self, e: s.Subject, scope: Scope) -> c.Expr:
        if e.kind in scope.subjects:
            return self.shared.again(scope.subjects[e.kind])
        if e.kind == "suit" and "card" in scope.subjects:
            return c.CardAttribute("suit", self.shared.again(scope.subjects["card"]), c.SUIT, e.span)
        raise self.shared.report("E316", e.span, kind=e.kind)

    def _nothing(self, e: s.Nothing, expected: c.Type | None) -> c.Expr:
        if expected is None or expected.kind in ("integer", "boolean"):
            raise self.shared.report("E302", e.span, expected=str(expected or "a value"), found="none")
        return c.Literal(expected, () if expected.kind in c.SETS else None, e.span)

    def _card(self, code: str, span: Span) -> c.Expr:
        if code not in self.names.deck.cards:
            raise self.shared.report("E313", span, name=code, help=advice.no_card(code, self.names.deck))
        return c.Literal(c.CARD, self.names.deck.cards.index(code), span)

    def _unary(self, e: s.Unary, scope: Scope) -> c.Expr:
        if e.operator == "not":
            return c.Not(self.boolean(e.operand, scope), c.BOOLEAN, e.span)
        zero = c.Literal(c.INTEGER, 0, e.span)
        return c.Arithmetic("-", zero, self.integer(e.operand, scope), c.INTEGER, e.span)

    def _binary(self, e: s.Binary, scope: Scope) -> c.Expr:
        match e.operator:
            case "and" | "or" as operator:
                left = self.boolean(e.left, scope)
                right = self.boolean(e.right, replace(scope, after=_ends_in_condition(e.left)))
                return c.Logic(operator, left, right, c.BOOLEAN, e.span)
            case "in" | "not in":
                container = self._set(e.right, scope)
                element = self.value(e.left, scope, c.Type(c.SETS[container.type.kind]))
                member = c.Member(element, container, c.BOOLEAN, e.span)
                return c.Not(member, c.BOOLEAN, e.span) if e.operator == "not in" else member
            case "=" | "!=" | "<" | "<=" | ">" | ">=":
                return self._compare(e, scope)
            case "+" | "-":
                return self._plus_minus(e, scope)
            case _:
                left, right = self.integer(e.left, scope), self.integer(e.right, scope)
                return c.Arithmetic(e.operator, left, right, c.INTEGER, e.span)

    def _compare(self, e: s.Binary, scope: Scope) -> c.Expr:
        if isinstance(e.left, s.Nothing):
            right = self.value(e.right, scope)
            left = self.value(e.left, scope, right.type)
        else:
            left = self.value(e.left, scope)
            right = self.value(e.right, scope, left.type)
        if e.operator not in ("=", "!=") and left.type not in (c.INTEGER, c.RANK):
            raise self._mismatch(e.left, "a number or rank", left.type)
        return c.Compare(e.operator, left, right, c.BOOLEAN, e.span)

    def _plus_minus(self, e: s.Binary, scope: Scope) -> c.Expr:
        left = self.value(e.left, scope)
        if left.type == c.INTEGER:
            return c.Arithmetic(e.operator, left, self.integer(e.right, scope), c.INTEGER, e.span)
        plural = {"card": c.CARDS, "player": c.PLAYERS}.get(left.type.kind, left.type)
        if plural.kind not in c.SETS:
            raise self._mismatch(e.left, "a number or a set", left.type)
        right = self.value(e.right, scope, plural)
        return c.SetOperation(e.operator, self._lift(left, plural), right, plural, e.span)

    def _conditional(self, e: s.Conditional, scope: Scope, expected: c.Type | None) -> c.Expr:
        condition = self.boolean(e.condition, scope)
        if isinstance(e.then, s.Nothing) and expected is None:
            otherwise = self.value(e.otherwise, scope)
            then = self.value(e.then, scope, otherwise.type)
        else:
            then = self.value(e.then, scope, expected)
            otherwise = self.value(e.otherwise, scope, expected or then.type)
        return c.Conditional(condition, then, otherwise, then.type, e.span)

    def _players(self, e: s.PlayerSet, scope: Scope) -> c.Expr:
        made: c.Expr = self.value(e.inside, scope, c.PLAYERS) if e.inside else c.Universe(c.PLAYERS, e.span)
        if e.other_than is not None:
            other = self.value(e.other_than, scope, c.PLAYERS)
            made = c.SetOperation("-", made, other, c.PLAYERS, e.span)
        return self._filter(made, e.condition, scope, e.binder, e.span)

    def _cards(self, e: s.CardSet, scope: Scope) -> c.Expr:
        made = self.value(e.inside, scope, c.CARDS)
        return self._filter(made, e.condition, scope, e.binder, e.span)

    def _filter(
        self, domain: c.Expr, condition: s.Expr | None, scope: Scope, name: str | None, span: Span
    ) -> c.Expr:
        if condition is None:
            return domain
        kind = c.SETS[domain.type.kind]
        binder = self.shared.unique(name or kind)
        holds = self.condition(condition, binder, c.Type(kind), scope, name)
        return c.Filter(binder, domain, holds, domain.type, span)

    def _quantified(self, e: s.Quantified, scope: Scope) -> c.Expr:
        plural = {"player": c.PLAYERS, "card": c.CARDS, "suit": c.SUITS}[e.kind]
        if e.inside is None and e.kind == "card":
            raise self.shared.report("E201", e.span, found="`has`", expected="`in` and a zone", help=None)
        domain = self.value(e.inside, scope, plural) if e.inside else c.Universe(plural, e.span)
        binder = self.shared.unique(e.binder or e.kind)
        holds = self.condition(e.condition, binder, _ELEMENT_WORDS[e.kind], scope, e.binder)
        if e.quantifier == "every":
            holds = c.Not(holds, c.BOOLEAN, holds.span)
        found = c.Exists(binder, domain, holds, c.BOOLEAN, e.span)
        return found if e.quantifier == "some" else c.Not(found, c.BOOLEAN, e.span)

    def _by_key(self, e: s.BestOf | s.Total | s.UnionOf | s.Extreme | s.Top, scope: Scope) -> c.Expr:
        """Forms that evaluate something for each element of a set."""
        if isinstance(e, s.BestOf):
            plural = c.PLAYERS if e.kind == "player" else c.CARDS
            domain = self.value(e.among, scope, plural) if e.among else c.Universe(plural, e.span)
            key = e.key
        elif isinstance(e, s.Top):
            domain, key = self._set(e.operand, scope), e.key
        else:
            domain, key = self._set(e.domain, scope), e.value
        element = c.Type(c.SETS[domain.type.kind])
        binder = self.shared.unique(element.kind)
        value = self.value(key, self.inner(binder, element, scope, _name_given(e), key.span))
        if isinstance(e, s.Total):
            if value.type != c.INTEGER:
                raise self._mismatch(key, "integer", value.type)
            return c.Sum(binder, domain, value, c.INTEGER, e.span)
        if isinstance(e, s.UnionOf):
            if value.type.kind not in c.SETS:
                raise self._mismatch(key, "a set", value.type)
            return c.UnionOf(binder, domain, value, value.type, e.span)
        if value.type not in (c.INTEGER, c.RANK):
            raise self._mismatch(key, "a number or rank", value.type)
        if isinstance(e, s.Extreme):
            return c.Extreme(e.highest, binder, domain, value, value.type, e.span)
        if isinstance(e, s.BestOf):
            return c.Best(e.highest, binder, domain, value, domain.type, e.span)
        count = self.integer(e.count, scope)
        return c.Top(e.highest, count, binder, domain, value, domain.type, e.span)

    # ----------------------------------------------------------------------------- names, applications

    def _name(self, e: s.Name, scope: Scope) -> c.Expr:
        name, names = e.name, self.names
        if name in scope.locals:
            return self.shared.again(scope.locals[name])
        signature = self.signature(name)
        if signature is not None:
            return self._applied(name, self.implicit(name, signature, scope, e.span), scope, e.span)
        if name in names.parameters:
            return c.Parameter(name, c.INTEGER, e.span)
        if name in names.option_values:
            option, index = names.option_values[name]
            return c.Literal(c.Type("option", option), index, e.span)
        if name in names.deck.suits:
            return c.Literal(c.SUIT, names.deck.suits.index(name), e.span)
        if name in names.deck.ranks:
            return c.Literal(c.RANK, names.deck.ranks.index(name), e.span)
        raise self.unknown(name, scope, e.span)

    def unknown(self, name: str, scope: Scope, span: Span) -> AbandonedError:
        at = advice.word_in(span, name)
        if ("E301", at) in self.shared.reported:
            return AbandonedError()
        words = [*scope.locals, *self.names.all_words(), *FUNCTIONS]
        help_ = advice.unknown_name(name, words, self.shared.of_loops)
        return self.shared.report("E301", at, name=name, help=help_)

    def signature(self, name: str) -> tuple[c.Type, ...] | None:
        """Types of the values that a variable, zone, rule or built-in function is used with."""
        if name in self.names.broken:
            raise AbandonedError  # told where it is declared
        owners = self.names.owner_types(name)
        if owners is not None:
            return owners
        if name in self.names.file.rules:
            return self.rule_signature(name)
        return FUNCTIONS.get(name)

    def rule_signature(self, name: str) -> tuple[c.Type, ...]:
        """Types of a rule's parameters."""
        found = (self.parameter_type(kind.value) for kind, _ in self.names.file.rules[name].parameters)
        return tuple(t for t in found if t is not None)

    def parameter_type(self, word: str) -> c.Type | None:
        if word in self.names.options:
            return c.Type("option", word)
        return PLAIN_TYPES.get(word)

    def wrong_number(
        self, name: str, signature: tuple[c.Type, ...], found: object, span: Span
    ) -> AbandonedError:
        """A name is used with too many values or too few."""
        count = len(signature)
        told = ("nothing", "1 value", f"{count} values")[min(count, 2)]
        forms = (name, f"{name} of …", f"{name}({', '.join('…' * count)})")
        form = forms[min(count, 2)]
        fitting = {*self.names.all_words()} - self.names.broken
        words = [word for word in fitting if len(self.signature(word) or ()) == found]
        close = None if name in FUNCTIONS else did_you_mean(name, words)
        hint = f", or did you mean `{close}`?" if close else ""
        return self.shared.report("E303", span, name=name, expected=told, found=found, form=form, hint=hint)

    def implicit(
        self, name: str, signature: tuple[c.Type, ...], scope: Scope, span: Span
    ) -> tuple[c.Expr, ...]:
        """The owner that a bare name leaves out: the subject."""
        if not signature:
            return ()
        if len(signature) > 1:
            raise self.wrong_number(name, signature, "none", span)
        kind = signature[0].kind
        if kind in scope.subjects:
            return (self.shared.again(scope.subjects[kind]),)
        hint = (
            "; if it belongs to what follows `has` or `with`, put all of that in brackets"
            if scope.after
            else ""
        )
        raise self.shared.report("E304", span, name=name, kind=str(signature[0]), hint=hint)

    def _apply(self, e: s.Apply, scope: Scope) -> c.Expr:
        if e.function in scope.locals:
            raise self.shared.report(
                "E303", e.span, name=e.function, expected="nothing", found=1, form=e.function, hint=""
            )
        signature = self.signature(e.function)
        if signature is None:
            raise self.unknown(e.function, scope, e.span)
        if e.function in ("larger", "smaller"):
            return self._larger(e, scope)
        if len(signature) != len(e.arguments):
            raise self.wrong_number(e.function, signature, len(e.arguments), e.span)
        pairs = zip(e.arguments, signature, strict=True)
        arguments = tuple(self.value(a, scope, t) for a, t in pairs)
        return self._applied(e.function, arguments, scope, e.span)

    def _larger(self, e: s.Apply, scope: Scope) -> c.Expr:
        if len(e.arguments) != 2:
            raise self.wrong_number(e.function, FUNCTIONS[e.function], len(e.arguments), e.span)
        left, right = (self.shared.again(self.integer(a, scope)) for a in e.arguments)
        operator = ">=" if e.function == "larger" else "<="
        holds = c.Compare(operator, left, right, c.BOOLEAN, e.span)
        return c.Conditional(holds, left, right, c.INTEGER, e.span)

    def _applied(self, name: str, arguments: tuple[c.Expr, ...], scope: Scope, span: Span) -> c.Expr:
        if name in self.names.variables:
            made = c.Variable(name, arguments, self.names.variables[name].type, span)
            return self._with_candidate(made, scope)
        if name in self.names.zones:
            return c.ZoneCards(name, arguments, c.CARDS, span)
        if name in self.names.file.rules:
            return self._call(name, arguments, span)
        return self._builtin(name, arguments, span)

    def _with_candidate(self, made: c.Variable, scope: Scope) -> c.Expr:
        """In the condition of a choice, the chosen variable means the candidate."""
        if scope.candidate is None or scope.candidate[0].name != made.name:
            return made
        target, chosen = scope.candidate
        same: c.Expr | None = None
        for mine, its in zip(made.arguments, target.arguments, strict=True):
            if mine == its:
                continue
            equal = c.Compare("=", mine, its, c.BOOLEAN, made.span)
            same = equal if same is None else c.Logic("and", same, equal, c.BOOLEAN, made.span)
        return chosen if same is None else c.Conditional(same, chosen, made, made.type, made.span)

    def _builtin(self, name: str, arguments: tuple[c.Expr, ...], span: Span) -> c.Expr:
        first = arguments[0]
        n, teams = self.names.players, self.names.teams
        match name:
            case "left":
                return c.Seat(first, 1, c.PLAYER, span)
            case "right":
                return c.Seat(first, n - 1, c.PLAYER, span)
            case "opposite":
                return c.Seat(first, n // 2, c.PLAYER, span)
            case "suit":
                return c.CardAttribute("suit", first, c.SUIT, span)
            case "rank":
                return c.CardAttribute("rank", first, c.RANK, span)
            case "height":
                return c.CardAttribute("height", first, c.INTEGER, span)
        if not teams:
            raise self.shared.report("E318", span, name=name)
        if name == "team":
            table = tuple(next(i for i, t in enumerate(teams) if p in t) for p in range(n))
            return c.Table(first, table, c.TEAM, span)
        if any(len(team) != 2 for team in teams):
            raise self.shared.report("E418", span)
        partner = {a: b for team in teams for a, b in (team, team[::-1])}
        return c.Table(first, tuple(partner[p] for p in range(n)), c.PLAYER, span)


def _extent(e: c.Expr) -> tuple[int, int]:
    """How many parts a value has, and how many levels deep; counting stops where there are too many."""
    count, deepest = 0, 0
    todo: list[tuple[object, int]] = [(e, 0)]
    while todo and count <= MAX_NODES:
        part, level = todo.pop()
        if isinstance(part, tuple):
            todo += [(item, level) for item in part]
        elif isinstance(part, c.Expr):
            count, deepest = count + 1, max(deepest, level)
            todo += [(getattr(part, name), level + 1) for name in part.__slots__]
    return count, deepest


def _name_given(e: s.BestOf | s.Total | s.UnionOf | s.Extreme | s.Top) -> str | None:
    """The name that the set gives its elements: `sum of … for players giver with …`."""
    named = e.among if isinstance(e, s.BestOf) else e.operand if isinstance(e, s.Top) else e.domain
    return named.binder if isinstance(named, s.PlayerSet | s.CardSet) else None


def _ends_in_condition(e: s.Expr) -> bool:
    """Whether a further `and …` looks as if it belonged to a condition within."""
    if isinstance(e, s.Binary):
        return _ends_in_condition(e.right)
    return isinstance(e, s.Quantified) or (isinstance(e, s.PlayerSet | s.CardSet) and e.condition is not None)
