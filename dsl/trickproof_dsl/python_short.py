"""Shorter ways to the same value, for the bare text of expressions (`python_values`).

A shorter way may look at more than the rule does, in another order.  It gives the same value or raises something, and it
raises something wherever the rule breaks down: what raises is carried out again with the careful text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trickproof_dsl import core as c
from trickproof_dsl.core.binders import rename
from trickproof_dsl.core.walk import walk

if TYPE_CHECKING:
    from trickproof_dsl.python_steps import Steps
    from trickproof_dsl.python_values import Text

MOST_IN_A_LINE = 6
"""Players that are written one by one instead of gone through."""


def shorter(text: Text, e: c.Expr, scope: Mapping[str, str]) -> str | None:
    """The shorter text of an expression, if there is one."""
    match e:
        case c.Conditional():
            return _one_or_other(text, e, scope)
        case c.Filter():
            found = _of_kind(text, e.binder, e.domain, e.condition, scope)
            return found and f"{found[0]}.intersection({found[1]})"
        case c.Exists():
            found = _of_kind(text, e.binder, e.domain, e.condition, scope)
            if found:
                return f"(not {found[0]}.isdisjoint({found[1]}))"
            return _one_by_one(text, e, e.condition, " or ", scope)
        case c.Sum():
            return _one_by_one(text, e, e.value, " + ", scope)
        case c.Only():
            among = pairs(text, _plain(e.operand), scope)
            return among and f"one_best({among[0]}, {among[1]!r})"
        case c.Best():
            among = pairs(text, e, scope)
            return among and f"best({among[0]}, {among[1]!r})"
        case c.Single():
            return _single(text, e, scope)
    return None


def listed(text: Text, e: c.Expr, scope: Mapping[str, str]) -> str:
    """The elements of a set in any order, each once: a set, tuple or list."""
    plain = _plain(e)
    if isinstance(plain, c.Conditional):
        found = _filtered_or_other(plain)
        if found:
            return f"({listed(text, found[0], scope)} or {listed(text, found[1], scope)})"
    return text.elements(plain, scope)


def pairs(text: Text, e: c.Expr, scope: Mapping[str, str]) -> tuple[str, bool] | None:
    """A list of values and elements among which the best are looked for, and whether the highest are best."""
    e = _plain(e)
    if isinstance(e, c.Best):
        x, domain, conditions = text.new("x"), _plain(e.domain), []
        while isinstance(domain, c.Filter):
            conditions.append((domain.binder, domain.condition))
            domain = _plain(domain.domain)
        if not text.few(domain):
            return None
        elements, around = text.elements(domain, scope), text.around
        text.around *= text.sizes[domain.type.kind]
        those = [text.value(part, {**scope, binder: x}) for binder, part in reversed(conditions)]
        key, if_those = (
            text.given(e.key, {**scope, e.binder: x}),
            f" if {' and '.join(those)}" if those else "",
        )
        text.around = around
        return f"[({key}, {x}) for {x} in {elements}{if_those}]", e.highest
    if isinstance(e, c.Conditional) and (found := _filtered_or_other(e)):
        one, other = (pairs(text, part, scope) for part in found)
        if one and other and one[1] == other[1]:
            return f"({one[0]} or {other[0]})", one[1]
    return None


def _one_or_other(text: Text, e: c.Conditional, scope: Mapping[str, str]) -> str | None:
    """What is filtered, or something else where nothing is left."""
    found = _filtered_or_other(e)
    return found and f"({text.value(found[0], scope)} or {text.value(found[1], scope)})"


def _filtered_or_other(e: c.Conditional) -> tuple[c.Expr, c.Expr] | None:
    """The two values of `if some x are so then (what those give) else other`, where those x give something."""
    condition = _plain(e.condition)
    if isinstance(condition, c.Exists):
        domain = _plain(e.then)
        while isinstance(domain, c.Best):
            domain = _plain(domain.domain)
        if isinstance(domain, c.Filter) and domain.domain == condition.domain:
            same = rename(domain.condition, {domain.binder: condition.binder}) == condition.condition
            return (e.then, e.otherwise) if same else None
    return None


def _of_kind(
    text: Text, binder: str, domain: c.Expr, condition: c.Expr, scope: Mapping[str, str]
) -> tuple[str, str] | None:
    """Of cards with `suit of x = so and so`: all cards of that suit, and those that are looked at."""
    condition = _plain(condition)
    if domain.type != c.CARDS or not isinstance(condition, c.Compare) or condition.operator != "=":
        return None
    for mine, other in ((condition.left, condition.right), (condition.right, condition.left)):
        mine = _plain(mine)
        if not isinstance(mine, c.CardAttribute) or mine.attribute == "height":
            continue
        x = _plain(mine.card)
        if isinstance(x, c.Local) and x.name == binder and not _speaks_of(other, binder):
            deck = text.program.deck
            kinds = deck.card_suit if mine.attribute == "suit" else deck.card_rank
            number = len(deck.suits if mine.attribute == "suit" else deck.ranks)
            sets = {i: frozenset(x for x, kind in enumerate(kinds) if kind == i) for i in range(number)}
            table = text.table(f"all of a {mine.attribute}", {**sets, None: frozenset()})
            return f"{table}[{text.value(other, scope)}]", text.elements(domain, scope)
    return None


def _one_by_one(
    text: Text, e: c.Exists | c.Sum, part: c.Expr, between: str, scope: Mapping[str, str]
) -> str | None:
    """The players, one after another."""
    domain, players = _plain(e.domain), text.program.players
    if not isinstance(domain, c.Universe) or domain.type != c.PLAYERS:
        return None
    if players > MOST_IN_A_LINE or text.around > 1:
        return None
    text.around = players
    parts = [text.value(part, {**scope, e.binder: str(p)}) for p in range(players)]
    text.around = 1
    return f"({between.join(parts)})"


def _single(text: Text, e: c.Single, scope: Mapping[str, str]) -> str | None:
    """The set of one element, looked up."""
    number = max(text.sizes.values())
    if f"{e.element.type.kind}s" not in text.sizes:
        return None
    sets = {i: frozenset((i,)) for i in range(number)}
    return f"{text.table('singles', {**sets, None: frozenset()})}[{text.value(e.element, scope)}]"


def short_only(text: Text, e: c.Expr, scope: Mapping[str, str]) -> str | None:
    """A set that must have one element, from which Python can unpack it."""
    e = _plain(e)
    if isinstance(e, c.Only) and not isinstance(_plain(e.operand), c.Best | c.Conditional):
        return text.elements(e.operand, scope)
    return None


def short_order(text: Text, t: c.Loop, scope: Mapping[str, str]) -> str | None:
    """The elements of a loop without keys."""
    order, players = t.order, range(text.program.players)
    if order.keys or order.ties == "impossible" or order.start is None:
        return None
    if isinstance(_plain(t.domain), c.Universe):
        step = 1 if order.clockwise else -1
        seats = tuple([tuple([(p + i * step) % len(players) for i in players]) for p in players])
        return f"{text.once(seats)}[{text.value(order.start, scope)}]"
    start = text.given(order.start, scope)
    return f"seats_from({text.value(t.domain, scope)}, {start}, {order.clockwise!r}, {len(players)})"


def short_move(text: Steps, t: c.Move, scope: Mapping[str, str]) -> list[str] | None:
    """Everything that is in a place goes somewhere else, and nobody is told."""
    cards = _plain(t.cards)
    if t.actor is not None or not isinstance(cards, c.ZoneCards):
        return None
    if (cards.zone, cards.arguments) != (t.source.zone, t.source.arguments):
        return None
    held, place = text.new("c"), text.new("x")
    return [
        f"{place} = {text.place(t.source, scope)}",
        f"{held} = v[{place}]",
        f"v[{place}] = ()",
        f"v[{text.place(t.target, scope)}] += tuple(sorted({held}))",
    ]


def _plain(e: c.Expr) -> c.Expr:
    """The value without the rules that it is taken from."""
    while isinstance(e, c.RuleValue):
        e = e.value
    return e


def _speaks_of(e: c.Expr, name: str) -> bool:
    return any(isinstance(x, c.Local) and x.name == name for x in walk(e))
