"""Shorter ways to the same value, for the bare text of expressions (`python_values`).

A shorter way may look at more than the rule does, in another order.  It gives the same value or raises something, and it
raises something wherever the rule breaks down: what raises is carried out again with the careful text.  What is counted
(`Text.few`) is written as it stands, so that both count alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trickproof_dsl import core as c
from trickproof_dsl.compiled.decision import Question
from trickproof_dsl.core.binders import rename
from trickproof_dsl.core.traversal import walk

if TYPE_CHECKING:
    from trickproof_dsl.compiled.expressions import Text
    from trickproof_dsl.compiled.statements import Steps

MOST_IN_A_LINE = 6
"""Players that are written one by one instead of gone through."""


def shorter(text: Text, e: c.Expr, scope: Mapping[str, str]) -> str | None:
    """The shorter text of an expression, if there is one."""
    match e:
        case c.Conditional():
            return _one_or_other(text, e, scope)
        case c.Filter():
            found = _of_kind(text, e.binder, e.domain, e.condition, scope)
            return found and f"{found}.intersection({text.elements(e.domain, scope)})"
        case c.Exists():
            found = _of_kind(text, e.binder, e.domain, e.condition, scope)
            if found:
                return f"(not {found}.isdisjoint({text.elements(e.domain, scope)}))"
            return _one_by_one(text, e, e.condition, " or ", scope)
        case c.Sum():
            return _one_by_one(text, e, e.value, " + ", scope)
        case c.Only() if (one := element_of(text, e.operand, scope)) is not None:
            return one
        case c.Only():
            among = pairs(text, _plain(e.operand), scope)
            return among and f"one_best({among[0]}, {among[1]!r})"
        case c.Best():
            among = pairs(text, e, scope)
            return among and f"best({among[0]}, {among[1]!r})"
        case c.Single():
            return _single(text, e, scope)
    return None


def lying(text: Text, e: c.Expr, scope: Mapping[str, str]) -> str:
    """The cards of a set as they lie, in a tuple; those that lie nowhere by index."""
    e = _plain(e)
    found = text.inside(lambda: _lying(text, e, scope))
    return found or f"tuple(sorted({text.elements(e, scope)}))"


def _lying(text: Text, e: c.Expr, scope: Mapping[str, str]) -> str | None:
    match e:
        case c.ZoneCards():
            return text.elements(e, scope)
        case c.Conditional():
            found = _filtered_or_other(text, e)
            if found:
                return f"({lying(text, found[0], scope)} or {lying(text, found[1], scope)})"
            then, otherwise = lying(text, e.then, scope), lying(text, e.otherwise, scope)
            return f"({then} if {text.value(e.condition, scope)} else {otherwise})"
        case c.Filter() if text.few(e.domain):
            kind = _of_kind(text, e.binder, e.domain, e.condition, scope, "__contains__")
            if kind:
                return f"tuple(filter({kind}, {lying(text, e.domain, scope)}))"
            x = text.new("x")
            with text.repeated(text.size(e.domain)):
                condition = text.value(e.condition, {**scope, e.binder: x})
            return f"tuple([{x} for {x} in {lying(text, e.domain, scope)} if {condition}])"
    return None


def pairs(text: Text, e: c.Expr, scope: Mapping[str, str]) -> tuple[str, bool] | None:
    """A list of values and elements among which the best are looked for, and whether the highest are best."""
    highest = _highest(text, e)
    found = None if highest is None else text.inside(lambda: _pairs(text, _plain(e), scope))
    return None if found is None or highest is None else (found, highest)


def _highest(text: Text, e: c.Expr) -> bool | None:
    """Whether the highest are best, where it comes to the best of few one way or the other."""
    e = _plain(e)
    if isinstance(e, c.Best):
        return e.highest if text.few(_among(e)[0]) else None
    found = _filtered_or_other(text, e) if isinstance(e, c.Conditional) else None
    if found is None:
        return None
    one, other = (_highest(text, part) for part in found)
    return one if one == other else None


def _among(e: c.Best) -> tuple[c.Expr, list[tuple[str, c.Expr]]]:
    """The set that the best are looked for in, and the conditions (with their binders), innermost first."""
    domain, conditions = _plain(e.domain), list[tuple[str, c.Expr]]()
    while isinstance(domain, c.Filter):
        conditions.append((domain.binder, domain.condition))
        domain = _plain(domain.domain)
    return domain, conditions[::-1]


def _pairs(text: Text, e: c.Expr, scope: Mapping[str, str]) -> str | None:
    if isinstance(e, c.Conditional):
        found = _filtered_or_other(text, e)
        parts = [pairs(text, part, scope) for part in found or ()]
        return f"({parts[0][0]} or {parts[1][0]})" if parts and parts[0] and parts[1] else None
    assert isinstance(e, c.Best)
    domain, conditions = _among(e)
    if players := players_of(text, domain):
        return _pairs_one_by_one(text, e, players, conditions, scope)
    x, elements = text.new("x"), text.elements(domain, scope)
    with text.repeated(text.size(domain)):
        those = [text.value(part, {**scope, binder: x}) for binder, part in conditions]
        key = text.given(e.key, {**scope, e.binder: x})
    return f"[({key}, {x}) for {x} in {elements}{' if ' if those else ''}{' and '.join(those)}]"


def _one_or_other(text: Text, e: c.Conditional, scope: Mapping[str, str]) -> str | None:
    """What is filtered, or something else where nothing is left."""
    found = _filtered_or_other(text, e)
    return found and f"({text.value(found[0], scope)} or {text.value(found[1], scope)})"


def _filtered_or_other(text: Text, e: c.Conditional) -> tuple[c.Expr, c.Expr] | None:
    """The two values of `if some x are so then (what those give) else other`, where those x give something."""
    condition = _plain(e.condition)
    if isinstance(condition, c.Exists) and text.few(condition.domain):
        domain = _plain(e.then)
        while isinstance(domain, c.Best):
            domain = _plain(domain.domain)
        if isinstance(domain, c.Filter) and domain.domain == condition.domain:
            same = rename(domain.condition, {domain.binder: condition.binder}) == condition.condition
            return (e.then, e.otherwise) if same else None
    return None


def _of_kind(
    text: Text,
    binder: str,
    domain: c.Expr,
    condition: c.Expr,
    scope: Mapping[str, str],
    method: str = "",
) -> str | None:
    """Of cards with `suit of x = so and so`: all cards of that suit, or a method of theirs."""
    condition = _plain(condition)
    if domain.type != c.CARDS or not text.few(domain):
        return None
    if not isinstance(condition, c.Compare) or condition.operator != "=":
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
            sets: dict[int | None, frozenset[int]] = {None: frozenset()}
            sets |= {i: frozenset(x for x, kind in enumerate(kinds) if kind == i) for i in range(number)}
            found = {i: getattr(cards, method) if method else cards for i, cards in sets.items()}
            table = text.table(f"all of a {mine.attribute} {method}", found)
            return f"{table}[{text.value(other, scope)}]"
    return None


def _pairs_one_by_one(
    text: Text,
    e: c.Best,
    players: list[str],
    conditions: list[tuple[str, c.Expr]],
    scope: Mapping[str, str],
) -> str:
    """The players that satisfy all conditions, with their values, one after another."""
    listed = []
    with text.repeated(len(players)):
        for p in players:
            those = [text.value(part, {**scope, binder: p}) for binder, part in conditions]
            pair = f"({text.given(e.key, {**scope, e.binder: p})}, {p})"
            listed.append(f"*([{pair}] if {' and '.join(those)} else ())" if those else pair)
    return f"[{', '.join(listed)}]"


def players_of(text: Text, domain: c.Expr) -> list[str]:
    """The players, when all of them are gone through, they are few, and nothing is gone through around it."""
    if not isinstance(domain, c.Universe) or domain.type != c.PLAYERS or text.around > 1:
        return []
    players = text.program.players
    return [str(p) for p in range(players)] if players <= MOST_IN_A_LINE else []


def _one_by_one(
    text: Text, e: c.Exists | c.Sum, part: c.Expr, between: str, scope: Mapping[str, str]
) -> str | None:
    """The players, one after another."""
    players = players_of(text, _plain(e.domain))
    if not players:
        return None
    with text.repeated(len(players)):
        parts = [text.value(part, {**scope, e.binder: p}) for p in players]
    return f"({between.join(parts)})"


def _single(text: Text, e: c.Single, scope: Mapping[str, str]) -> str | None:
    """The set of one element, looked up."""
    number = max(text.sizes.values())
    if f"{e.element.type.kind}s" not in text.sizes:
        return None
    sets: dict[int | None, frozenset[int]] = {None: frozenset()}
    sets |= {i: frozenset((i,)) for i in range(number)}
    return f"{text.table('singles', sets)}[{text.value(e.element, scope)}]"


def short_only(text: Text, e: c.Expr, scope: Mapping[str, str]) -> str | None:
    """A set that must have one element, from which Python can unpack it."""
    e = _plain(e)
    if isinstance(e, c.Only) and not isinstance(_plain(e.operand), c.Best | c.Conditional):
        return None if element_of(text, e.operand, scope) else text.elements(e.operand, scope)
    return None


def element_of(text: Text, e: c.Expr, scope: Mapping[str, str]) -> str | None:
    """The Python variable of the only element of what has been chosen, if it has one."""
    e = _plain(e)
    return text.elements_of.get(scope.get(e.name, "")) if isinstance(e, c.Local) else None


def short_order(text: Text, t: c.Loop, scope: Mapping[str, str]) -> str | None:
    """The elements of a loop without keys."""
    order, players, domain = t.order, text.program.players, _plain(t.domain)
    if order.keys or order.ties == "impossible":
        return None
    if order.start is None:
        if not isinstance(domain, c.Range):
            return None
        low, high = text.value(domain.low, scope), text.value(domain.high, scope)
        return f"numbers_up({low}, {high}, {text.constant(domain)})"
    start = text.value(order.start, scope)
    if isinstance(domain, c.Universe):
        return f"{_seats(text, order.clockwise, whole=True)}[{start}]"
    if isinstance(domain, c.SetOperation) and domain.operator == "-":
        one = _plain(domain.right)
        if isinstance(_plain(domain.left), c.Universe) and isinstance(one, c.Single):
            return f"{_seats(text, order.clockwise, whole=False)}[{start}][{text.value(one.element, scope)}]"
    start = text.given(order.start, scope)
    return f"seats_from({text.value(t.domain, scope)}, {start}, {order.clockwise!r}, {players})"


def _seats(text: Text, clockwise: bool, whole: bool) -> str:
    """A name for all seats by the first; or, for each of these, for all but one by the one that is left out."""
    players, step = text.program.players, 1 if clockwise else -1
    rounds = [tuple([(p + i * step) % players for i in range(players)]) for p in range(players)]
    if whole:
        return text.once(tuple(rounds))
    left_out = (*range(players), None)
    entries = [{x: tuple([p for p in seats if p != x]) for x in left_out} for seats in rounds]
    return text.table(f"all seats but one, clockwise {clockwise}", entries)


def short_move(text: Steps, t: c.Move, scope: Mapping[str, str]) -> list[str] | None:
    """One card goes somewhere else, or everything that is in a place, and nobody is told."""
    cards, held, begin, places = _plain(t.cards), text.new("h"), list[str](), list[str]()
    for side in (t.source, t.target):  # both are told before anything moves
        places.append(text.place(side, scope))
        if not places[-1].isdecimal():
            begin.append(f"{text.new('p')} = {places[-1]}")
            places[-1] = begin[-1].partition(" ")[0]
    place, target = places
    begin.append(f"{held} = v[{place}]")
    if t.single:
        moved, at, card = text.value(t.cards, scope), text.new("i"), element_of(text, t.cards, scope)
        lines = begin
        if card is None:
            moved, get, card = text.new("c"), moved, text.new("x")
            lines = [f"{moved} = {get}", f"{card}, = {moved}", *begin]
        lines += [f"{at} = {held}.index({card})", f"v[{place}] = {held}[:{at}] + {held}[{at} + 1:]"]
        lines += [f"v[{target}] += ({card},)"]
        return lines if t.actor is None else [*lines, text.note_of_move(t, moved, scope)]
    if t.actor is not None or not isinstance(cards, c.ZoneCards):
        return None
    if (cards.zone, cards.arguments) != (t.source.zone, t.source.arguments):
        return None
    return [*begin, f"v[{place}] = ()", f"v[{target}] += tuple(sorted({held}))"]


def number_of(t: c.ChooseCards) -> int:
    """How many cards are asked for, when the rules fix a number; else 0."""
    low, high = _plain(t.low), _plain(t.high)
    if not isinstance(low, c.Literal) or not isinstance(high, c.Literal) or low.value != high.value:
        return 0
    return max(int(high.value or 0), 0) if isinstance(high.value, int) else 0


def legal_of(asked: Question) -> str:
    """The Python variable of what may be chosen."""
    return f"legal_{asked.place}"


def short_ask(
    text: Steps, t: c.ChooseCards, asked: Question, scope: Mapping[str, str]
) -> tuple[list[str], str] | None:
    """So many cards are asked for, a number that the rules fix."""
    number = number_of(t)
    if not number:
        return None
    actor, legal = text.given(t.actor, scope), legal_of(asked)
    holder = actor if t.whose is None else text.given(t.whose, scope)
    told = [text.once(asked), actor, legal]
    if number > 1 or t.to is not None or holder != actor:
        told += [str(number), str(number), "None" if t.to is None else text.given(t.to, scope)]
    if holder != actor:
        told.append(f"None if {holder} == {actor} else {holder}")
    lines = [
        f"{legal} = {lying(text, t.domain, scope)}",
        f"if len({legal}) < {number}:" if number > 1 else f"if not {legal}:",
        "    raise LookupError",
    ]
    return lines, f"Decision({', '.join(told)})"


def _plain(e: c.Expr) -> c.Expr:
    """The value without the rules that it is taken from."""
    while isinstance(e, c.RuleValue):
        e = e.value
    return e


def _speaks_of(e: c.Expr, name: str) -> bool:
    return any(isinstance(x, c.Local) and x.name == name for x in walk(e))
