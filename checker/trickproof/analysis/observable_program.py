"""Instruments a core program to be observable in play: deals become choices, and movements are announced.

Nothing else changes. `Deal` becomes a choice of cards from the deck, made by chance (label `DEALING`), unless
it deals all the rest; an event before every movement of cards says from where to where; an event after
simultaneous choices says that they are revealed. The names of these events begin with `#`, which no name of a
rule does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import assert_never

from trickproof.analysis.information_flow import is_hidden
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.values import DECK

DEALING = "#deal"
"""The label of a choice made by chance: which cards of the deck are dealt."""

MOVED, SHOWN, REVEALED, SHUFFLED = "#moved", "#shown", "#revealed", "#shuffled"
"""Events: cards change zone; cards are shown; simultaneous choices are revealed; all cards are in the deck."""


def is_instrumented(event: Event) -> bool:
    """Whether an event is one that only this module creates."""
    return event.name.startswith("#")


@dataclass(frozen=True)
class Telling:
    """An instrumented program; `at_once` holds the names bound by simultaneous choices."""

    program: c.Program
    at_once: frozenset[str]


def telling(program: c.Program) -> Telling:
    """The program with its deals turned into choices and its movements announced."""
    rewriter = _Rewriter(program)
    setup, hand, between = (rewriter.body(b) for b in program.phases)
    observable = replace(program, setup=setup, hand=hand, between=between)
    return Telling(observable, frozenset(_chosen_at_once(program)))


def _chosen_at_once(program: c.Program) -> Iterator[str]:
    """The names bound by choices whose value is then stored in a hidden variable."""
    for node in walk(*program.phases):
        if isinstance(node, c.Loop):
            for choice, following in zip(node.body, node.body[1:], strict=False):
                if isinstance(choice, c.Choice) and _keeps(following):
                    yield choice.binder


def _keeps(t: c.Stmt) -> bool:
    return isinstance(t, c.Assign) and is_hidden(t.variable)


class _Rewriter:
    def __init__(self, program: c.Program) -> None:
        self.zones, self.numbers = program.zones, count()

    def body(self, body: tuple[c.Stmt, ...]) -> tuple[c.Stmt, ...]:
        return tuple(step for t in body for step in self._statement(t))

    def _statement(self, t: c.Stmt) -> Iterator[c.Stmt]:
        match t:
            case c.Branch():
                yield replace(t, then=self.body(t.then), otherwise=self.body(t.otherwise))
            case c.Loop():
                yield replace(t, body=self.body(t.body))
                if any(_keeps(inner) for inner in t.body):
                    yield c.Announce(REVEALED, (), t.span)
            case c.Until() | c.InRule():
                yield replace(t, body=self.body(t.body))
            case c.Deal():
                yield from self._deal(t)
            case c.Move():
                yield self._movement_event(t)
                yield t
            case c.Show():
                yield c.Announce(SHOWN, (("player", t.actor), ("to", t.to), ("cards", t.cards)), t.span)
                yield t
            case c.Shuffle():
                yield t
                yield c.Announce(SHUFFLED, (), t.span)
            case (
                c.Assign()
                | c.ChooseCards()
                | c.ChooseValue()
                | c.Announce()
                | c.EndHand()
                | c.EndMatch()
                | c.Unspecified()
            ):
                yield t
            case _:
                assert_never(t)

    def _deal(self, t: c.Deal) -> Iterator[c.Stmt]:
        """Deal a number of cards chosen by chance; if the deck has too few, the original deal remains."""
        deck = c.ZoneCards(DECK, (), c.CARDS, t.span)
        place = c.Place(DECK, (), t.span)
        if t.count is None:
            moved = c.Move("", None, deck, place, t.to, None, False, t.span)
            yield from (self._movement_event(moved), moved)
            return
        binder = f"{DEALING}.{next(self.numbers)}"
        chosen = c.Local(binder, c.CARDS, t.span)
        nobody = c.Literal(c.PLAYER, 0, t.span)
        choice = c.ChooseCards(
            DEALING, nobody, binder, deck, t.count, t.count, None, None, False, False, "", t.span
        )
        moved = c.Move("", None, chosen, place, t.to, None, False, t.span)
        zero = c.Literal(c.INTEGER, 0, t.span)
        enough = c.Compare("<=", t.count, c.Size(deck, c.INTEGER, t.span), c.BOOLEAN, t.span)
        some = c.Compare("<=", zero, t.count, c.BOOLEAN, t.span)
        can = c.Logic("and", some, enough, c.BOOLEAN, t.span)
        yield c.Branch(can, (choice, self._movement_event(moved), moved), (t,), t.span)

    def _movement_event(self, t: c.Move) -> c.Announce:
        """The event that announces a movement.

        Its name holds label, zones and kind of choice; its fields hold the actor (if any), the owners and the
        cards.
        """
        fields: list[tuple[str, c.Expr]] = [("player", t.actor)] if t.actor is not None else []
        fields += _owners("from", t.source) + _owners("to", t.target)
        hidden = isinstance(t.cards, c.Variable) and is_hidden(t.cards.name)
        name = f"{MOVED} {t.label} {t.source.zone} {t.target.zone} {'at-once' if hidden else ''}"
        return c.Announce(name, (*fields, ("cards", t.cards)), t.span)


def _owners(key: str, place: c.Place) -> list[tuple[str, c.Expr]]:
    return [(key, owner) for owner in place.arguments]


@dataclass(frozen=True, slots=True)
class Movement:
    """A movement of cards between zones; `label` and `player` if a player makes it.

    `at_once` if the cards were chosen simultaneously, before any of them moved.
    """

    label: str
    player: int | None
    source: tuple[str | int, ...]
    target: tuple[str | int, ...]
    cards: tuple[int, ...]
    at_once: bool


def movement(event: Event) -> Movement:
    """The movement that a `MOVED …` event describes."""
    _, label, source, target, at_once = event.name.split(" ")
    fields = [(key, value) for key, _, value in event.fields]
    own = {key: tuple(v for k, v in fields if k == key) for key in ("player", "from", "to")}
    (cards,) = (value for key, value in fields if key == "cards")
    player = own["player"][0] if own["player"] else None
    return Movement(
        label, player, (source, *own["from"]), (target, *own["to"]), tuple(sorted(cards)), bool(at_once)
    )
