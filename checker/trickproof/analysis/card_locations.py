"""Where the cards are when a deal begins, and whether matches start alike although cards are shuffled or dealt before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trickproof.analysis.dependencies import Body
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import Node, walk
from trickproof_dsl.semantics.values import DECK

_MOVING = c.Shuffle | c.Deal | c.Move | c.ChooseCards | c.EndHand


def shuffles_first(body: Body) -> bool:
    """Whether all cards are gathered and shuffled before anything is done with them or read from them, in every deal."""
    for step in body:
        if isinstance(step, c.Shuffle):
            return True
        if isinstance(step, c.InRule) and shuffles_first(step.body):
            return True
        if any(isinstance(node, c.ZoneCards | _MOVING | c.EndMatch) for node in walk(step)):
            return False
    return False


def gathering(body: Body) -> Body | None:
    """The steps that gather cards: shuffling, and putting all cards of a zone into the deck, also of every player's zone.

    They read no variable, and their order makes no difference.  None if other steps move cards.
    """
    steps: list[c.Stmt] = []
    for step in body:
        match step:
            case c.InRule():
                inner = gathering(step.body)
            case c.Loop(domain=c.Universe(), order=c.Order(keys=())):
                inner = gathering(step.body)
                if inner:
                    any_order = replace(step.order, start=None, clockwise=True)
                    inner = (replace(step, order=any_order, body=inner),)
            case c.Shuffle():
                inner = (step,)
            case c.Move() if _moves_whole_zone(step) and step.actor is None and step.target.zone == DECK:
                inner = (step,)
            case _:
                inner = None if any(isinstance(node, _MOVING) for node in walk(step)) else ()
        if inner is None:
            return None
        steps += inner
    return tuple(steps)


def shuffled(steps: Sequence[c.Stmt]) -> bool:
    """Whether steps that only gather cards shuffle all of them."""
    return any(isinstance(node, c.Shuffle) for node in walk(*steps))


def differs_at_start(program: c.Program) -> Node | None:
    """Where chance may give matches different values before their first deal, or end some at a fault; None if it cannot.

    It cannot as long as cards are shuffled, dealt and put from zone to zone as a whole, but neither looked at nor looked for.
    """
    nodes = list(walk(program.setup))
    if not any(isinstance(node, c.Shuffle | c.Deal) for node in nodes):
        return None
    whole = [node for node in nodes if isinstance(node, c.Move) and _moves_whole_zone(node)]
    unseen = {id(x) for move in whole for x in (move, move.cards)}
    telling = (x for x in nodes if isinstance(x, c.ZoneCards | c.Move) and id(x) not in unseen)
    return next(telling, None)


def _moves_whole_zone(t: c.Move) -> bool:
    """Whether all cards of a zone are moved, which cannot fail for want of cards."""
    cards, source = t.cards, t.source
    return (
        isinstance(cards, c.ZoneCards)
        and (cards.zone, cards.arguments) == (source.zone, source.arguments)
        and all(isinstance(owner, c.Local) for owner in source.arguments)
    )
