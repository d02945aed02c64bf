"""Lower `if some x has A then the best of those with A else the best of those with B` without branching.

This is how rulesets determine the winner of a trick: a trump if there is one, otherwise a card of the suit
led.  If each element has one card and suits and ranks decide, singleton masks of cards are compared, in an
order in which it is known who has which card.  Otherwise an element with A beats one with only B, so a single
comparison of keys decides both cases, as in hand-written code.  If a part may fault or tie, the expression is
evaluated step by step as written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from trickproof.analysis.dependencies import reads_local
from trickproof.simulate.ir.instructions import Expr, Guard, If, Let, Op, Set, Stmt, op
from trickproof.simulate.lowering.aggregates import SMALL
from trickproof.simulate.lowering.card_masks import at_once, selected
from trickproof.simulate.lowering.data_layout import WORD
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof_dsl import core as c
from trickproof_dsl.core.binders import rename
from trickproof_dsl.core.traversal import mapped, stripped, walk

NONE = -1
"""The key of an element that has neither."""

T = TypeVar("T")


@dataclass(frozen=True)
class Contest:
    """Conditions and keys on one bound element of a domain; keys are between 0 and `most`."""

    domain: c.Expr
    first: tuple[str, c.Expr]
    second: tuple[str, c.Expr]
    keys: tuple[tuple[str, c.Expr], tuple[str, c.Expr]]
    most: int


@dataclass(frozen=True)
class Cards:
    """A contest in which each element (`binder`) has a `card`; both conditions on the card `name` imply one suit."""

    binder: str
    card: c.Expr
    name: str
    first: c.Expr
    second: c.Expr


def contest(v: Expressions, e: c.Conditional) -> Contest | None:
    """The expression as a contest, or None if it has another form."""
    some, then, otherwise = stripped(e.condition), stripped(e.then), stripped(e.otherwise)
    if not isinstance(some, c.Exists) or some.domain.type.kind not in SMALL:
        return None
    if not (
        isinstance(then, c.Best) and isinstance(otherwise, c.Best) and then.highest and otherwise.highest
    ):
        return None
    first, second = stripped(then.domain), stripped(otherwise.domain)
    if not (isinstance(first, c.Filter) and isinstance(second, c.Filter)):
        return None
    same = first.domain == some.domain == second.domain
    if not same or rename(some.condition, {some.binder: first.binder}) != first.condition:
        return None
    intervals = v.overflow.intervals
    key = intervals.number(then.key).join(intervals.number(otherwise.key))
    if key.high is None or key.may_be_below(0):
        return None
    keys = (then.binder, then.key), (otherwise.binder, otherwise.key)
    return Contest(
        first.domain, (first.binder, first.condition), (second.binder, second.condition), keys, key.high
    )


def _cards(of_players: Contest) -> Cards | None:
    """The contest as one of cards, if every player takes part with one card, and suits and ranks decide."""
    if not isinstance(of_players.domain, c.Universe):
        return None
    bound: list[tuple[str, c.Expr]] = [of_players.first, of_players.second, *of_players.keys]
    played = [x.card for binder, e in bound for x in walk(e) if isinstance(x, c.CardAttribute)]
    if not played:
        return None
    binder, card = bound[0][0], played[0]
    name = c.Local("a card", c.CARD, card.span)

    def as_card(of: str, e: c.Expr) -> c.Expr:
        own = rename(e, {of: binder})
        renamed: c.Expr = mapped(own, lambda node: name if node == card else None)
        return renamed

    first, second, *keys = (as_card(of, e) for of, e in bound)
    by_rank = all(
        isinstance(key := stripped(e), c.CardAttribute) and key.attribute == "rank" and key.card == name
        for e in keys
    )
    if not by_rank or not all(_one_suit(e, name) and at_once(e, name.name) for e in (first, second)):
        return None
    if any(reads_local(e, binder) for e in (first, second)):
        return None
    return Cards(binder, card, name.name, first, second)


def _one_suit(e: c.Expr, card: c.Local) -> bool:
    """Whether all cards that satisfy a condition have the same suit."""
    e = stripped(e)
    if isinstance(e, c.Logic) and e.operator == "and":
        return _one_suit(e.left, card) or _one_suit(e.right, card)
    if not isinstance(e, c.Compare) or e.operator != "=":
        return False
    sides = [stripped(x) for x in (e.left, e.right)]
    return any(isinstance(x, c.CardAttribute) and x.attribute == "suit" and x.card == card for x in sides)


def _by_cards(v: Expressions, of_players: Contest) -> tuple[dict[Expr, Expr], Expr, Expr] | None:
    """Each player's card as a set if it may win, all such cards, and the doubts; None if cards do not decide.

    Positions within a suit are ordered by rank, so among singletons of one suit the best is the largest
    number.  Without doubts exactly one card is the best: all are different, and some may win.
    """
    cards = _cards(of_players)
    if cards is None or v.layout.all_cards >> WORD - 1:
        return None
    players = _in_order(v, cards, v.everything(of_players.domain.type.kind).bit_length())

    def masks_of_cards() -> tuple[dict[Expr, Expr], Expr, Expr]:
        masks: list[Expr] = []
        together: Expr = 0
        for player in players:
            v.names[cards.binder] = (player,)
            masks.append(v.b.let(v.b.numbering.bit(v.present(cards.card, "no-card", cards.card.span))))
            together = op("or", together, masks[-1])
        together = v.b.let(together)
        first, second = (selected(v, e, cards.name, together) for e in (cards.first, cards.second))
        best = v.b.let(op("select", op("ne", first, 0), first, second))
        doubts = op("or", op("ne", op("count", together), len(players)), op("eq", best, 0))
        may = {player: v.b.let(op("and", mask, best)) for player, mask in zip(players, masks, strict=True)}
        return may, best, v.b.let(doubts)

    fast = _at_once(v, masks_of_cards)
    return None if fast is None else (fast[0][0], fast[0][1], op("or", fast[0][2], fast[1]))


def _in_order(v: Expressions, cards: Cards, number: int) -> list[Expr]:
    """All players, if possible in an order in which each player's card is known."""
    card = cards.card
    if isinstance(card, c.Variable) and card.arguments == (c.Local(cards.binder, c.PLAYER, card.span),):
        return v.b.numbering.permutation(f"v.{card.name}", number) or list(range(number))
    return list(range(number))


def winners(v: Expressions, of_players: Contest, step_by_step: c.Conditional) -> Expr | None:
    """Write the contest; None (and nothing written) if it cannot be lowered without branching."""
    by_cards = _by_cards(v, of_players)
    mask: Expr = 0
    if by_cards is not None:
        may, best, doubts = by_cards
        last = v.b.let(op("bit", op("last", best)))
        for i, card in may.items():
            mask = op("or", mask, op("select", op("eq", card, last), op("bit", i), 0))
    else:
        fast = _at_once(v, lambda: _keys(v, of_players))
        if fast is None:
            return None
        (keys, best), doubts = fast
        for i, key in keys.items():
            mask = op("or", mask, op("select", op("eq", key, best), 1 << i, 0))
        mask = op("select", op("lt", best, 0), 0, mask)
    return _unless(v, doubts, v.b.let(mask), lambda: v.by_steps(step_by_step)[0])


def winner(v: Expressions, of_players: Contest, only: c.Only) -> Expr | None:
    """The only winner of a contest; None if it cannot be lowered without branching."""
    by_cards = _by_cards(v, of_players)
    first: Expr = 0
    if by_cards is not None:
        may, _, doubts = by_cards
        first, *others = may
        highest = may[first]
        for i in others:
            better = v.b.let(op("lt", highest, may[i]))
            first = v.b.let(op("select", better, i, first))
            highest = v.b.let(op("select", better, may[i], highest))
        return _unless(v, doubts, first, lambda: v.only_by_steps(only))
    fast = _at_once(v, lambda: _keys(v, of_players))
    if fast is None:
        return None
    (keys, _), doubts = fast
    reached: Expr = keys[0]
    tied: Expr = 0
    for i in range(1, len(keys)):
        better = v.b.let(op("lt", reached, keys[i]))
        tied = v.b.let(op("select", better, 0, op("or", tied, op("eq", reached, keys[i]))))
        first = v.b.let(op("select", better, i, first))
        reached = v.b.let(op("select", better, keys[i], reached))
    doubts = op("or", op("or", doubts, tied), op("lt", reached, 0))
    return _unless(v, doubts, first, lambda: v.only_by_steps(only))


def _at_once(v: Expressions, evaluate: Callable[[], T]) -> tuple[T, Expr] | None:
    """The value, and whether anything fails at run time, which invalidates it; None if branches are needed."""
    fast: list[Stmt] = []
    with v.b.into(fast):
        v.b.depth += 1
        value = evaluate()
        v.b.depth -= 1
    if not all(isinstance(t, Let | Guard) and _steady(t) for t in fast):
        return None
    doubts: Expr = 0
    for t in fast:
        if isinstance(t, Guard):
            doubts = op("or", doubts, t.condition)
        else:
            v.b.out.append(t)
    return value, doubts


def _steady(t: Stmt) -> bool:
    """Whether a statement loads only at constant indices, so that it is safe whatever was computed before."""
    inside = [t.value if isinstance(t, Let) else t.condition] if isinstance(t, Let | Guard) else []
    while inside:
        e = inside.pop()
        if isinstance(e, Op):
            if e.name == "load" and not isinstance(e.args[1], int):
                return False
            inside += e.args
    return True


def _unless(v: Expressions, doubts: Expr, fastest: Expr, slowly: Callable[[], Expr]) -> Expr:
    """The branch-free value, or the step-by-step value if something may fail."""
    if doubts == 0:
        return fastest
    name = v.b.mutable(fastest)
    slow: list[Stmt] = []
    with v.b.into(slow):
        value = slowly()
        slow.append(Set(name, value))
    v.b.out.append(If(doubts, slow, [], seldom=True))
    return v.b.let(name)


def _keys(v: Expressions, of_players: Contest) -> tuple[dict[int, Expr], Expr]:
    mask = v.b.let(v.word(of_players.domain))
    everybody = v.everything(of_players.domain.type.kind)
    keys: dict[int, Expr] = {}
    best: Expr = NONE
    for i in range(everybody.bit_length()):
        there = op("ne", op("and", mask, 1 << i), 0)
        (key,) = v.b.under(there, lambda i=i: (_key(v, of_players, i),))  # type: ignore[misc]
        keys[i] = v.b.let(op("select", there, key, NONE))
        best = v.b.let(op("select", op("lt", best, keys[i]), keys[i], best)) if i else keys[i]
    return keys, best


def _key(v: Expressions, of_players: Contest, i: int) -> Expr:
    """The key of one element: above all others if it has A, NONE if it has neither."""
    values: list[Expr] = []
    for binder, e in (of_players.first, of_players.second, *of_players.keys):
        v.names[binder] = (i,)
        values.append(v.b.let(v.word(e)))
    first, second, high, low = values
    return op("select", first, op("add", high, of_players.most + 1), op("select", second, low, NONE))
