"""Dealing card by card or in blocks: the order in which cards are dealt from a shuffled pack makes no difference.

All orders of a shuffled pack are equally likely, so for consecutive steps that deal fixed numbers of cards
only the total for each zone matters. Such steps are replaced by one deal per zone, in a fixed order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.semantics.values import DECK

FREE = c.Order((), "circle", None)
"""The order of loops for which order makes no difference."""

_BINDER = "dealt-to"

_Dealt = dict[tuple[str, bool], int]
"""The number of cards dealt to a zone, keyed by zone name and whether each player has one."""


def deals_by_chance(program: c.Program) -> bool:
    """Whether all orders of the cards in the deck are equally likely whenever some are dealt.

    They are if a shuffle precedes the first deal, no cards come back except to be shuffled, and nobody sees the order.
    """
    for node in walk(*program.phases):
        match node:
            case c.Move(target=c.Place(zone=zone)) | c.Deal(to=c.Place(zone=zone)) if zone == DECK:
                return False
            case c.Announce() if any(isinstance(x, c.ZoneCards) and x.zone == DECK for _, x in node.fields):
                return False
    return program.zones[DECK].seen_by == "nobody" and _shuffles_first(program)


def _shuffles_first(program: c.Program) -> bool:
    """Whether a shuffle that always happens precedes the first deal, which may be between two deals."""
    between = any(isinstance(node, c.Deal) for node in walk(program.between))
    dealing = c.Deal | c.EndHand if between else c.Deal
    for step in _opened(program.setup + program.hand + program.between):
        if isinstance(step, c.Shuffle):
            return True
        if any(isinstance(x, dealing) for x in walk(step)):
            return False
    return True


def _opened(steps: Sequence[c.Stmt]) -> Iterator[c.Stmt]:
    """The steps, with those of rules in place of their calls."""
    for step in steps:
        yield from _opened(step.body) if isinstance(step, c.InRule) else (step,)


def dealt_in_rounds(loop: c.Loop, body: Sequence[c.Stmt]) -> list[c.Stmt] | None:
    """The equivalent of a fixed number of rounds of dealing; None if a loop is anything else."""
    match loop.domain:
        case c.Range(low=c.Literal(value=int(low)), high=c.Literal(value=int(high))) if not loop.order.keys:
            pass
        case _:
            return None
    if not body or any(isinstance(node, c.Local) and node.name == loop.binder for node in walk(*body)):
        return None
    dealt = _dealt(body)
    if dealt is None:
        return None
    rounds = max(0, high - low + 1)
    return _steps({place: number * rounds for place, number in dealt.items()}, loop.span)


def added_up(steps: Sequence[c.Stmt]) -> list[c.Stmt]:
    """The steps, with consecutive deals of fixed numbers of cards merged into one step per zone."""
    result: list[c.Stmt] = []
    run: list[c.Stmt] = []
    for step in steps:
        if _dealt([step]) is not None:
            run.append(step)
        else:
            result += [*_merged(run), step]
            run = []
    return [*result, *_merged(run)]


def rest_counted(steps: Sequence[c.Stmt], players: int, cards: int | None) -> list[c.Stmt]:
    """The steps, with deals of the rest of a freshly shuffled pack given an explicit number."""
    result: list[c.Stmt] = []
    undealt: int | None = None
    for step in steps:
        dealt = _dealt([step])
        match step:
            case c.Shuffle():
                undealt = cards
            case c.Deal(count=None, to=c.Place(arguments=())) if undealt is not None:
                step, undealt = _deal(undealt, step.to, step.span), 0
            case _ if undealt is not None and dealt is not None:
                undealt -= sum(number * (players if each else 1) for (_, each), number in dealt.items())
                undealt = undealt if undealt >= 0 else None
            case _:
                undealt = None
        result.append(step)
    return result


def _merged(run: Sequence[c.Stmt]) -> list[c.Stmt]:
    dealt = _dealt(run)
    return _steps(dealt, run[0].span) if run and dealt is not None else list(run)


def _dealt(steps: Sequence[c.Stmt]) -> _Dealt | None:
    """The cards that steps deal, if they do nothing else and every number is known."""
    dealt: _Dealt = {}
    for step in steps:
        match step:
            case c.Deal(count=c.Literal(value=int(number)), to=c.Place(arguments=())) if number >= 0:
                place = (step.to.zone, False)
                dealt[place] = dealt.get(place, 0) + number
            case c.Loop(domain=c.Universe(), order=order, body=body) if (
                step.domain.type == c.PLAYERS and order == FREE
            ):
                for inner in body:
                    match inner:
                        case c.Deal(
                            count=c.Literal(value=int(number)), to=c.Place(arguments=(c.Local(name=name),))
                        ) if name == step.binder and number >= 0:
                            place = (inner.to.zone, True)
                            dealt[place] = dealt.get(place, 0) + number
                        case _:
                            return None
            case _:
                return None
    return dealt


def _steps(dealt: _Dealt, span: Span) -> list[c.Stmt]:
    return [
        _to_each(zone, number, span) if each else _deal(number, c.Place(zone, (), span), span)
        for (zone, each), number in sorted(dealt.items())
        if number
    ]


def _to_each(zone: str, number: int, span: Span) -> c.Stmt:
    player = c.Local(_BINDER, c.PLAYER, span)
    deal = _deal(number, c.Place(zone, (player,), span), span)
    return c.Loop(_BINDER, c.Universe(c.PLAYERS, span), FREE, (deal,), span)


def _deal(number: int, place: c.Place, span: Span) -> c.Stmt:
    return c.Deal(c.Literal(c.INTEGER, number, span), place, span)
