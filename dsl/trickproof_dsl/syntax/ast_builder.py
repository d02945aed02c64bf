"""From Lark's parse tree to the nodes of `syntax.ast`, one method per alternative of the grammar."""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer, v_args
from lark.tree import Meta

from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.syntax import ast as s

_Children = list[Any]


class _Extra(tuple[str, Any]):
    """An optional part of a phrase, tagged with its name, so that methods need not count positions."""

    __slots__ = ()


def _parts(children: _Children) -> tuple[list[Any], dict[str, Any]]:
    plain = [c for c in children if not isinstance(c, _Extra)]
    return plain, {c[0]: c[1] for c in children if isinstance(c, _Extra)}


@v_args(meta=True)
class AstBuilder(Transformer[Token, s.RuleText]):
    """Builds the tree of one rule; `region` is the span of parts that have no text."""

    def __init__(self, source: Source, region: Span) -> None:
        super().__init__()
        self._source, self._region = source, region

    def _at(self, meta: Meta) -> Span:
        if getattr(meta, "empty", True):
            return self._region
        return Span(self._source, meta.start_pos, meta.end_pos)

    # ------------------------------------------------------------------------------------- rule text

    def value(self, meta: Meta, c: _Children) -> s.Value:
        return s.Value(c[0], self._at(meta))

    def procedure(self, meta: Meta, c: _Children) -> s.Procedure:
        return s.Procedure(tuple(c), self._at(meta))

    # ------------------------------------------------------------------------------------- statements

    def becomes(self, meta: Meta, c: _Children) -> s.Becomes:
        return s.Becomes(c[0], c[1], self._at(meta))

    def if_stmt(self, meta: Meta, c: _Children) -> s.If:
        plain, extra = _parts(c)
        branches = ((plain[0], plain[1]), *plain[2:])
        return s.If(branches, extra.get("otherwise", ()), self._at(meta))

    def for_stmt(self, meta: Meta, c: _Children) -> s.For:
        plain, extra = _parts(c)
        name, domain, body = plain
        order, at_once = extra.get("order", (None, "simultaneously" in extra))
        return s.For(str(name), domain, order, at_once, body, self._at(meta))

    def repeat_times(self, meta: Meta, c: _Children) -> s.RepeatTimes:
        return s.RepeatTimes(c[0], c[1], self._at(meta))

    def repeat_until(self, meta: Meta, c: _Children) -> s.RepeatUntil:
        plain, extra = _parts(c)
        return s.RepeatUntil(plain[0], extra.get("bound"), plain[1], self._at(meta))

    def do_one(self, meta: Meta, c: _Children) -> s.Do:
        return s.Do(str(c[0]), tuple(c[1:]), self._at(meta))

    do_many = do_one

    def put(self, meta: Meta, c: _Children) -> s.Put:
        plain, extra = _parts(c)
        return s.Put(plain[0], extra.get("from"), plain[1], self._at(meta))

    def nothing_happens(self, meta: Meta, c: _Children) -> s.NothingHappens:
        return s.NothingHappens(self._at(meta))

    def shuffle(self, meta: Meta, c: _Children) -> s.Shuffle:
        return s.Shuffle(self._at(meta))

    def deal(self, meta: Meta, c: _Children) -> s.Deal:
        return s.Deal(c[0][1], c[1], self._at(meta))

    def deal_some(self, meta: Meta, c: _Children) -> tuple[str, s.Expr | None]:
        return "some", c[0]

    def deal_rest(self, meta: Meta, c: _Children) -> tuple[str, s.Expr | None]:
        return "rest", None

    def announce(self, meta: Meta, c: _Children) -> s.Announce:
        return s.Announce(str(c[0]), tuple(c[1:]), self._at(meta))

    def field(self, meta: Meta, c: _Children) -> tuple[str, s.Expr]:
        return str(c[0]), c[1]

    def hand_ends(self, meta: Meta, c: _Children) -> s.HandEnds:
        return s.HandEnds(False, self._at(meta))

    def deal_again(self, meta: Meta, c: _Children) -> s.HandEnds:
        return s.HandEnds(True, self._at(meta))

    def match_ends(self, meta: Meta, c: _Children) -> s.MatchEnds:
        return s.MatchEnds(c[0] if c else None, self._at(meta))

    def act(self, meta: Meta, c: _Children) -> s.Act:
        plain, extra = _parts(c)
        actor, verb, selection = plain
        source, to, binding = extra.get("from"), extra.get("to"), extra.get("as")
        return s.Act(actor, str(verb), selection, source, to, binding, self._at(meta))

    def chooses(self, meta: Meta, c: _Children) -> s.Chooses:
        plain, extra = _parts(c)
        domain, or_none = extra.get("choice", (None, False))
        return s.Chooses(plain[0], plain[1], domain, or_none, extra.get("with"), self._at(meta))

    def block(self, meta: Meta, c: _Children) -> tuple[s.Stmt, ...]:
        return tuple(c)

    def else_if(self, meta: Meta, c: _Children) -> tuple[s.Expr, tuple[s.Stmt, ...]]:
        return c[0], c[1]

    def otherwise(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("otherwise", c[0]))

    def simultaneous(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("simultaneously", True))

    def bound(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("bound", c[0]))

    # ------------------------------------------------------------------------------------- selections

    def _chosen(self, meta: Meta, c: _Children, form: str) -> s.Chosen:
        plain, extra = _parts(c)
        at = self._at(meta)
        numbers, of = plain[:-1], plain[-1]
        low: s.Expr = s.IntegerLiteral(0, at)
        high: s.Expr | None = None
        if form == "exactly":
            low = high = numbers[0]
        elif form == "up to":
            high = numbers[0]
        elif form == "between":
            low, high = numbers
        return s.Chosen(low, high, of, extra.get("with"), "blindly" in extra, form, at)

    def exactly(self, meta: Meta, c: _Children) -> s.Chosen:
        return self._chosen(meta, c, "exactly")

    def up_to(self, meta: Meta, c: _Children) -> s.Chosen:
        return self._chosen(meta, c, "up to")

    def between(self, meta: Meta, c: _Children) -> s.Chosen:
        return self._chosen(meta, c, "between")

    def any_number(self, meta: Meta, c: _Children) -> s.Chosen:
        return self._chosen(meta, c, "any number")

    def forced(self, meta: Meta, c: _Children) -> s.Expr:
        return c[0]  # type: ignore[no-any-return]

    def blindly(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("blindly", True))

    def from_zone(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("from", c[0]))

    def to_place(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("to", c[0]))

    def to_everyone(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("to", "everyone"))

    def binding(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("as", c[0]))

    def choice(self, meta: Meta, c: _Children) -> _Extra:
        domain, *rest = c
        return _Extra(("choice", (domain, bool(rest))))

    def or_none(self, meta: Meta, c: _Children) -> bool:
        return True

    def condition(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("with", c[0]))

    # ------------------------------------------------------------------------------- domains, orders

    def range(self, meta: Meta, c: _Children) -> s.Range:
        return s.Range(c[0], c[1], self._at(meta))

    def set_domain(self, meta: Meta, c: _Children) -> s.Expr:
        return c[0]  # type: ignore[no-any-return]

    def by_keys(self, meta: Meta, c: _Children) -> _Extra:
        keys, extra = _parts(c)
        order = s.Order(tuple(keys), extra.get("ties"), self._at(meta))
        return _Extra(("order", (order, "simultaneously" in extra)))

    def in_circle(self, meta: Meta, c: _Children) -> _Extra:
        (circle,), extra = _parts(c)
        return _Extra(("order", (s.Order((), circle, self._at(meta)), "simultaneously" in extra)))

    def key(self, meta: Meta, c: _Children) -> s.Key:
        return s.Key(c[0] == "highest", c[1], self._at(meta))

    def tie_circle(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("ties", c[0]))

    def ties_open(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("ties", "open"))

    def ties_impossible(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("ties", "impossible"))

    def clockwise(self, meta: Meta, c: _Children) -> s.Circle:
        return s.Circle(True, c[0], self._at(meta))

    def anticlockwise(self, meta: Meta, c: _Children) -> s.Circle:
        return s.Circle(False, c[0], self._at(meta))

    # ------------------------------------------------------------------------------------ expressions

    def conditional(self, meta: Meta, c: _Children) -> s.Conditional:
        return s.Conditional(c[0], c[1], c[2], self._at(meta))

    def _chain(self, operator: str, c: _Children) -> s.Expr:
        tree: s.Expr = c[0]
        for right in c[1:]:
            tree = s.Binary(operator, tree, right, tree.span.to(right.span))
        return tree

    def any_of(self, meta: Meta, c: _Children) -> s.Expr:
        return self._chain("or", c)

    def all_of(self, meta: Meta, c: _Children) -> s.Expr:
        return self._chain("and", c)

    def negated(self, meta: Meta, c: _Children) -> s.Unary:
        return s.Unary("not", c[0], self._at(meta))

    def negative(self, meta: Meta, c: _Children) -> s.Unary:
        return s.Unary("-", c[0], self._at(meta))

    def compare(self, meta: Meta, c: _Children) -> s.Binary:
        return s.Binary(str(c[1]), c[0], c[2], self._at(meta))

    def inside(self, meta: Meta, c: _Children) -> s.Binary:
        return s.Binary("in", c[0], c[1], self._at(meta))

    def outside(self, meta: Meta, c: _Children) -> s.Binary:
        return s.Binary("not in", c[0], c[1], self._at(meta))

    def plus(self, meta: Meta, c: _Children) -> s.Binary:
        return s.Binary("+", c[0], c[1], self._at(meta))

    def minus(self, meta: Meta, c: _Children) -> s.Binary:
        return s.Binary("-", c[0], c[1], self._at(meta))

    def times(self, meta: Meta, c: _Children) -> s.Binary:
        return s.Binary("*", c[0], c[1], self._at(meta))

    def div(self, meta: Meta, c: _Children) -> s.Binary:
        return s.Binary("div", c[0], c[1], self._at(meta))

    def mod(self, meta: Meta, c: _Children) -> s.Binary:
        return s.Binary("mod", c[0], c[1], self._at(meta))

    def empty(self, meta: Meta, c: _Children) -> s.IsEmpty:
        return s.IsEmpty(c[0], False, self._at(meta))

    def filled(self, meta: Meta, c: _Children) -> s.IsEmpty:
        return s.IsEmpty(c[0], True, self._at(meta))

    def quantified(self, meta: Meta, c: _Children) -> s.Quantified:
        plain, extra = _parts(c)
        quantifier, kind, *names, holds = plain
        binder = str(names[0]) if names else None
        return s.Quantified(quantifier, kind, binder, extra.get("in"), holds, self._at(meta))

    def apply_one(self, meta: Meta, c: _Children) -> s.Apply:
        return s.Apply(str(c[0]), (c[1],), self._at(meta))

    def suit_of(self, meta: Meta, c: _Children) -> s.Apply:
        return s.Apply("suit", (c[0],), self._at(meta))

    def apply_many(self, meta: Meta, c: _Children) -> s.Apply:
        return s.Apply(str(c[0]), tuple(c[1:]), self._at(meta))

    def count(self, meta: Meta, c: _Children) -> s.Count:
        return s.Count(c[0], self._at(meta))

    def total(self, meta: Meta, c: _Children) -> s.Total:
        return s.Total(c[0], c[1], self._at(meta))

    def union(self, meta: Meta, c: _Children) -> s.UnionOf:
        return s.UnionOf(c[0], c[1], self._at(meta))

    def extreme_high(self, meta: Meta, c: _Children) -> s.Extreme:
        return s.Extreme(True, c[0], c[1], self._at(meta))

    def extreme_low(self, meta: Meta, c: _Children) -> s.Extreme:
        return s.Extreme(False, c[0], c[1], self._at(meta))

    def matching_high(self, meta: Meta, c: _Children) -> s.Matching:
        return s.Matching(True, c[0], c[1], c[2] if len(c) > 2 else None, self._at(meta))

    def matching_low(self, meta: Meta, c: _Children) -> s.Matching:
        return s.Matching(False, c[0], c[1], c[2] if len(c) > 2 else None, self._at(meta))

    def answering(self, _meta: Meta, c: _Children) -> s.Expr:
        answered: s.Expr = c[0]
        return answered

    def top(self, meta: Meta, c: _Children) -> s.Top:
        return s.Top(True, c[0], c[1], c[2], self._at(meta))

    def bottom(self, meta: Meta, c: _Children) -> s.Top:
        return s.Top(False, c[0], c[1], c[2], self._at(meta))

    def only(self, meta: Meta, c: _Children) -> s.Only:
        return s.Only(c[0], c[1], self._at(meta))

    def players(self, meta: Meta, c: _Children) -> s.PlayerSet:
        plain, extra = _parts(c)
        binder = str(plain[0]) if plain else None
        return s.PlayerSet(binder, extra.get("in"), extra.get("other"), extra.get("with"), self._at(meta))

    def cards(self, meta: Meta, c: _Children) -> s.CardSet:
        plain, extra = _parts(c)
        binder = str(plain[0]) if plain else None
        return s.CardSet(binder, extra["in"], extra.get("with"), self._at(meta))

    def best_players(self, meta: Meta, c: _Children) -> s.BestOf:
        plain, extra = _parts(c)
        return s.BestOf("player", plain[0] == "highest", plain[1], extra.get("among"), self._at(meta))

    def best_cards(self, meta: Meta, c: _Children) -> s.BestOf:
        plain, extra = _parts(c)
        return s.BestOf("card", plain[0] == "highest", plain[1], extra.get("among"), self._at(meta))

    def among(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("among", c[0]))

    def within(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("in", c[0]))

    def other_than(self, meta: Meta, c: _Children) -> _Extra:
        return _Extra(("other", c[0]))

    def name(self, meta: Meta, c: _Children) -> s.Name:
        return s.Name(str(c[0]), self._at(meta))

    def subject(self, meta: Meta, c: _Children) -> s.Subject:
        return s.Subject(c[0], self._at(meta))

    def integer(self, meta: Meta, c: _Children) -> s.IntegerLiteral:
        return s.IntegerLiteral(int(c[0]), self._at(meta))

    def card(self, meta: Meta, c: _Children) -> s.CardLiteral:
        return s.CardLiteral(str(c[0]), self._at(meta))

    def true(self, meta: Meta, c: _Children) -> s.Truth:
        return s.Truth(True, self._at(meta))

    def false(self, meta: Meta, c: _Children) -> s.Truth:
        return s.Truth(False, self._at(meta))

    def nothing(self, meta: Meta, c: _Children) -> s.Nothing:
        return s.Nothing(self._at(meta))

    def all_suits(self, meta: Meta, c: _Children) -> s.Everything:
        return s.Everything("suits", self._at(meta))

    def all_ranks(self, meta: Meta, c: _Children) -> s.Everything:
        return s.Everything("ranks", self._at(meta))

    def _word(self, meta: Meta, c: _Children) -> str:
        return str(c[0])

    quantifier = degree = kind = rule_name = field_name = _word
