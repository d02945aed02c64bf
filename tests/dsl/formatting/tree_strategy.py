"""Syntax trees that the parser could have made: random ones for hypothesis, and all small expressions.

Every node of `syntax.py` occurs, any expression at any place: where the grammar wants a tighter one there, text has
brackets and the tree does not show them.  Spans are empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar, get_args

from hypothesis import strategies as st

from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.syntax import ast as s

T = TypeVar("T")
Strategy = st.SearchStrategy[Any]

NOWHERE = Span(Source("random", ""), 0, 0)

NAMES = (
    "hand",
    "over",
    "giver",
    "taker",
    "x",
    "p",
    "due-to",
    "a1-b2",
    "trump",
    "nonesuch",
    "iffy",
    "tops",
    "e",
)
_OPERATORS = ("+", "-", "*", "div", "mod", "=", "!=", "<", "<=", ">", ">=", "and", "or", "in", "not in")

names = st.sampled_from(NAMES)
_fields = names | st.sampled_from(("player", "players", "card", "cards", "suit", "number"))
kinds = st.sampled_from(("player", "card", "suit"))


def _node(kind: Callable[..., T], *fields: Strategy) -> st.SearchStrategy[T]:
    return st.builds(lambda *values: kind(*values, NOWHERE), *fields)


def _maybe(strategy: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    return st.none() | strategy


_atoms = st.one_of(
    _node(s.Name, names),
    _node(s.Subject, kinds),
    _node(s.IntegerLiteral, st.sampled_from((0, 1, 2, 16, 10**18 - 1))),
    _node(s.CardLiteral, st.sampled_from(("AS", "TD", "2C", "9H"))),
    _node(s.Truth, st.booleans()),
    _node(s.Nothing),
    _node(s.Everything, st.sampled_from(("suits", "ranks"))),
    st.just(s.PlayerSet(None, None, None, None, NOWHERE)),
)


def _larger(e: Strategy) -> Strategy:
    """Every kind of node with parts from `e`."""
    return st.one_of(
        _node(s.Apply, names | st.just("suit"), st.tuples(e)),
        _node(s.Apply, names, st.lists(e, min_size=2, max_size=3).map(tuple)),
        _node(s.Unary, st.sampled_from(("-", "not")), e),
        _node(s.Binary, st.sampled_from(_OPERATORS), e, e),
        _node(s.Binary, st.sampled_from(_OPERATORS), e, e),
        _node(s.IsEmpty, e, st.booleans()),
        _node(s.Conditional, e, e, e),
        _node(s.PlayerSet, _maybe(names), _maybe(e), _maybe(e), _maybe(e)),
        _node(s.CardSet, _maybe(names), e, _maybe(e)),
        _node(s.BestOf, st.just("player"), st.booleans(), e, _maybe(e)),
        _node(s.BestOf, st.just("card"), st.booleans(), e, e),
        _node(s.Quantified, st.sampled_from(("some", "every", "no")), kinds, _maybe(names), _maybe(e), e),
        _node(s.Count, e),
        _node(s.Total, e, e),
        _node(s.UnionOf, e, e),
        _node(s.Extreme, st.booleans(), e, e),
        _node(s.Matching, st.booleans(), e, e, _maybe(e)),
        _node(s.Top, st.booleans(), e, e, e),
        _node(s.Only, kinds, e),
    )


expressions: st.SearchStrategy[s.Expr] = st.recursive(_atoms, _larger, max_leaves=12)
_e = st.one_of(_atoms, expressions)
_domains = _e | _node(s.Range, _e, _e)
_circles = _node(s.Circle, st.booleans(), _e)
_keys = _node(s.Key, st.booleans(), _e)
_orders = st.one_of(
    _node(s.Order, st.just(()), _circles),
    _node(
        s.Order,
        st.lists(_keys, min_size=1, max_size=3).map(tuple),
        st.none() | st.sampled_from(("open", "impossible")) | _circles,
    ),
)


@st.composite
def _chosen(draw: st.DrawFn) -> Any:
    form = draw(st.sampled_from(("exactly", "up to", "between", "any number")))
    low: s.Expr = s.IntegerLiteral(0, NOWHERE)
    high = None if form == "any number" else draw(_e)
    if form == "between":
        low = draw(_e)
    elif form == "exactly":
        assert high is not None
        low = high
    return s.Chosen(low, high, draw(_e), draw(_maybe(_e)), draw(st.booleans()), form, NOWHERE)


@st.composite
def _chooses(draw: st.DrawFn) -> Any:
    domain = draw(_maybe(_domains))
    or_none = domain is not None and draw(st.booleans())
    return s.Chooses(draw(_e), draw(_e), domain, or_none, draw(_maybe(_e)), NOWHERE)


_simple = st.one_of(
    _node(s.Becomes, _e, _e),
    _node(s.Put, _e, _maybe(_e), _e),
    _node(s.NothingHappens),
    _node(s.Do, names | st.just("deal"), st.lists(_e, max_size=3).map(tuple)),
    _node(s.Shuffle),
    _node(s.Deal, _maybe(_e), _e),
    _node(s.Announce, names, st.lists(st.tuples(_fields, _e), max_size=3).map(tuple)),
    _node(s.HandEnds, st.booleans()),
    _node(s.MatchEnds, _maybe(_e)),
    _node(s.Act, _e, names, _e | _chosen(), _maybe(_e), _maybe(_e | st.just("everyone")), _maybe(_e)),
    _chooses(),
)


def _compound(stmt: Strategy) -> Strategy:
    body = st.lists(stmt, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        _node(s.If, st.lists(st.tuples(_e, body), min_size=1, max_size=3).map(tuple), st.just(()) | body),
        _node(s.For, names, _domains, _maybe(_orders), st.booleans(), body),
        _node(s.RepeatTimes, _e, body),
        _node(s.RepeatUntil, _e, _maybe(_e), body),
    )


statements: st.SearchStrategy[s.Stmt] = st.recursive(_simple, _compound, max_leaves=6)
rule_texts: st.SearchStrategy[s.RuleText] = st.one_of(
    _node(s.Value, expressions),
    _node(s.Procedure, st.lists(statements, min_size=1, max_size=4).map(tuple)),
)


# ------------------------------------------------------------------------- all expressions of a few levels

_A = s.Name("a", NOWHERE)
Form = Callable[[s.Expr], s.Expr]


def _forms() -> Iterator[Form]:
    """Every place of an expression in another one, with as little beside it as possible."""
    at = NOWHERE
    for operator in ("or", "and", "=", "in", "not in", "+", "*"):
        yield lambda e, o=operator: s.Binary(o, e, _A, at)  # type: ignore[misc]
        yield lambda e, o=operator: s.Binary(o, _A, e, at)  # type: ignore[misc]
    for negation in ("-", "not"):
        yield lambda e, o=negation: s.Unary(o, e, at)  # type: ignore[misc]
    yield lambda e: s.Apply("f", (e,), at)
    yield lambda e: s.Apply("f", (e, e), at)
    yield lambda e: s.IsEmpty(e, False, at)
    yield lambda e: s.Conditional(e, e, _A, at)
    yield lambda e: s.Conditional(_A, _A, e, at)
    yield lambda e: s.PlayerSet(None, e, None, None, at)
    yield lambda e: s.PlayerSet(None, e, _A, None, at)
    yield lambda e: s.PlayerSet(None, e, None, _A, at)
    yield lambda e: s.PlayerSet(None, None, e, None, at)
    yield lambda e: s.PlayerSet(None, None, e, _A, at)
    yield lambda e: s.PlayerSet("p", None, None, e, at)
    yield lambda e: s.CardSet(None, e, None, at)
    yield lambda e: s.CardSet(None, e, _A, at)
    yield lambda e: s.CardSet(None, _A, e, at)
    yield lambda e: s.BestOf("player", True, e, None, at)
    yield lambda e: s.BestOf("player", True, e, _A, at)
    yield lambda e: s.BestOf("card", True, _A, e, at)
    yield lambda e: s.Quantified("some", "card", None, e, _A, at)
    yield lambda e: s.Quantified("some", "card", None, None, e, at)
    yield lambda e: s.Count(e, at)
    yield lambda e: s.Total(e, e, at)
    yield lambda e: s.UnionOf(e, e, at)
    yield lambda e: s.Extreme(True, e, _A, at)
    yield lambda e: s.Extreme(True, _A, e, at)
    yield lambda e: s.Matching(True, e, e, None, at)
    yield lambda e: s.Matching(True, e, e, e, at)
    yield lambda e: s.Top(True, e, e, _A, at)
    yield lambda e: s.Top(True, _A, _A, e, at)
    yield lambda e: s.Only("player", e, at)


def small_expressions(depth: int) -> Iterator[s.Expr]:
    """All expressions of `depth` forms, one within the other."""
    if depth == 0:
        yield _A
        yield s.Subject("suit", NOWHERE)
        yield s.PlayerSet(None, None, None, None, NOWHERE)
        return
    inner = list(small_expressions(depth - 1))
    for form in _forms():
        yield from map(form, inner)


def unheard_of() -> set[str]:
    """Nodes of `syntax.ast` that the strategies above never make."""
    nodes = {node.__name__ for node in (*get_args(s.Expr), *get_args(s.Stmt))}
    text = Path(__file__).read_text(encoding="utf-8")
    return {name for name in nodes if f"s.{name}" not in text}


def without_forms() -> set[str]:
    """Expressions that have expressions in them, and no form."""
    made = {type(form(_A)) for form in _forms()}
    around = {node for node in get_args(s.Expr) if any("Expr" in str(f.type) for f in fields(node))}
    return {node.__name__ for node in around - made}
