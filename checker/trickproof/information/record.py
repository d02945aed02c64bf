"""A hand encoded as words, item by item: what is dealt, asked, chosen, moved, shown and announced, in order.

The recorded program is the observable one (`analysis.observable_program`): a deal is a choice made by chance,
and every movement is an announcement.  An item begins with the number of its site, a statement of the
program.  Sets of cards are masks of positions, other sets are masks of indices, and `none` is -1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from trickproof.analysis.dependencies import variables_assigned
from trickproof.analysis.information_flow import (
    decided_by_zone,
    hand_that_decides,
    is_hidden,
    public_variables,
    zone_of_all,
)
from trickproof.analysis.observable_program import DEALING, MOVED, SHOWN, telling
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Key, owner_keys

HOLE = -(1 << 61)
"""A word that the reader of a record does not know."""

SIZED_HOLE = HOLE - 1
"""A hole for a set of cards of known size: SIZED_HOLE minus the size."""

PART_HOLE = HOLE - 128
"""A hole for a set of cards of which some are known: PART_HOLE minus the position of the word that has these.

Smaller than any hole of known size.
"""

FAR = 1 << 60
"""Base used when the options are too many, or too far apart, for a mask; larger than any number in a match."""

NTH = -FAR
"""A choice among such options: NTH minus the position of the option in ascending order."""

SITE, PLAYER, DOMAIN, LOW, HIGH, CHOSEN_CARDS = range(6)
"""Offsets in an item for a choice of cards."""

BASE, OPTIONS, CHOSEN_VALUE = 2, 3, 4
"""Offsets in an item for a choice of a value, after its site and player."""


@dataclass(frozen=True, eq=False)
class Site:
    """A statement that produces items.

    For an announcement, `fields` lists its keys, each with the offset of its first word; `at_once` means that
    the choice is made before the others' choices are known.
    """

    number: int
    node: c.ChooseCards | c.ChooseValue | c.Announce
    size: int
    fields: tuple[tuple[str, int], ...] = ()
    at_once: bool = False
    chosen_by: int = -1
    """The site of the choice whose cards this movement moves or this show shows; -1 if they were not just chosen."""

    moved_from: str | None = None
    """The zone whose cards are the only non-public information that determines which of them move or are shown."""
    kept_from: tuple[int, ...] = ()
    """Sites of the choices whose cards also determine it."""
    lie_in: tuple[str, tuple[int, ...]] | None = None
    """The zone in which the cards lie that it shows, or that are chosen and then shown, with the offset of its owner, if any."""

    @cached_property
    def chance(self) -> bool:
        """Whether chance makes the choice."""
        return isinstance(self.node, c.ChooseCards) and self.node.label == DEALING

    @cached_property
    def event(self) -> str:
        """The first word of an announcement's name; empty for a choice."""
        return self.node.event.partition(" ")[0] if isinstance(self.node, c.Announce) else ""

    @cached_property
    def moves(self) -> bool:
        """Whether it announces a movement."""
        return self.event.startswith(MOVED)

    @cached_property
    def chosen(self) -> int:
        """Offset of the chosen word in the item."""
        return CHOSEN_CARDS if isinstance(self.node, c.ChooseCards) else CHOSEN_VALUE

    @cached_property
    def of_player(self) -> bool:
        """Whether a player makes the choice."""
        return not (self.event or self.chance)

    @cached_property
    def moving(self) -> tuple[str, tuple[int, ...], str, tuple[int, ...], int, int, bool]:
        """The zones of a movement, each with the offsets of its owners, the offsets of the player (0: none) and of the
        cards, and whether it is at once.
        """
        assert isinstance(self.node, c.Announce)
        _, _, source, target, at_once = self.node.event.split(" ")
        sources, targets, players = (
            tuple(at for key, at in self.fields if key == k) for k in ("from", "to", "player")
        )
        player = players[0] if players else 0
        return source, sources, target, targets, player, self.word("cards"), bool(at_once)

    @cached_property
    def player(self) -> int:
        """Offset of the player."""
        return self.word("player") if self.event else PLAYER

    def word(self, name: str) -> int:
        """Offset of a field's first word."""
        return next(at for key, at in self.fields if key == name)


class Item(NamedTuple):
    """One item of a record: its site and its position."""

    site: Site
    at: int


class RecordForm:
    """The sites of a program and the decoding of items.  `program` is the observable one."""

    def __init__(self, program: c.Program) -> None:
        observed = telling(program)
        self.program = replace(program, hand=observed.program.hand)
        self._at_once = observed.at_once
        nodes = [
            x
            for x in walk(self.program.setup, self.program.hand, self.program.between)
            if isinstance(x, c.ChooseCards | c.ChooseValue | c.Announce)
        ]
        self.sites: list[Site] = []
        choices: dict[str, int] = {}
        keepers = self._keepers()
        self._kept = self._kept_variables()
        for node in nodes:
            if not isinstance(node, c.Announce):
                choices[node.binder] = len(self.sites)
            self.sites.append(self._site(len(self.sites), node, choices, keepers))
        self.number_of: Mapping[int, int] = {id(site.node): site.number for site in self.sites}
        self.by_binder: Mapping[str, Site] = {
            site.node.binder: site for site in self.sites if not isinstance(site.node, c.Announce)
        }
        self.zones: tuple[Key, ...] = tuple(
            (name, *owners) for name, zone in program.zones.items() for owners in owner_keys(program, zone.of)
        )

    @cached_property
    def header(self) -> tuple[Key, ...]:
        """The variables whose initial values begin the record of a hand."""
        infos = self.program.variables.values()
        return tuple((info.name, *owners) for info in infos for owners in owner_keys(self.program, info.of))

    def sees(self, viewer: int, zone: Key) -> bool:
        """Whether a player sees into a zone."""
        seen_by = self.program.zones[zone[0]].seen_by
        return seen_by == "everyone" or (seen_by == "owner" and viewer in zone[1:])

    @cached_property
    def secret(self) -> tuple[int, ...]:
        """Positions in the header of carried variables that are not public."""
        program = self.program
        changed = variables_assigned(program.setup, program.hand, program.between)
        hidden = changed - set(public_variables(program))
        return tuple(
            i
            for i, (name, *_) in enumerate(self.header)
            if name in hidden and program.variables[name].carried
        )

    def site(self, node: c.ChooseCards | c.ChooseValue | c.Announce) -> Site:
        """The site of a statement."""
        return self.sites[self.number_of[id(node)]]

    def decided_by(self, node: c.ChooseCards) -> str | None:
        """See `hand_that_decides`."""
        return self._deciding[self.number_of[id(node)]]

    @cached_property
    def _deciding(self) -> tuple[str | None, ...]:
        nodes = [site.node for site in self.sites]
        return tuple(
            hand_that_decides(self.program, x) if isinstance(x, c.ChooseCards) else None for x in nodes
        )

    def _keepers(self) -> dict[str, str]:
        """For each hidden variable that stores chosen cards, the name bound by that choice."""
        return {
            t.variable: t.value.name
            for t in walk(self.program.hand)
            if isinstance(t, c.Assign) and is_hidden(t.variable) and isinstance(t.value, c.Local)
        }

    def _kept_variables(self) -> dict[str, tuple[str, ...]]:
        """For each variable that stores nothing but chosen cards, the names bound by those choices."""
        kept: dict[str, tuple[str, ...]] = {}
        others: set[str] = set()
        for t in walk(self.program.hand):
            if isinstance(t, c.Assign) and isinstance(t.value, c.Local):
                kept[t.variable] = (*kept.get(t.variable, ()), t.value.name)
            elif isinstance(t, c.Assign):
                others.add(t.variable)
        return {variable: names for variable, names in kept.items() if variable not in others}

    def _site(
        self,
        number: int,
        node: c.ChooseCards | c.ChooseValue | c.Announce,
        choices: Mapping[str, int],
        keepers: Mapping[str, str],
    ) -> Site:
        if isinstance(node, c.ChooseCards):
            return Site(number, node, CHOSEN_CARDS + 1, at_once=node.binder in self._at_once)
        if isinstance(node, c.ChooseValue):
            return Site(number, node, CHOSEN_VALUE + 1, at_once=node.binder in self._at_once)
        at, fields, binder = 1, [], ""
        for key, value in node.fields:
            fields.append((key, at))
            at += self._width(value)
            if key == "cards" and isinstance(value, c.Local):
                binder = value.name
            if key == "cards" and isinstance(value, c.Variable):
                binder = keepers.get(value.name, "")
        instrumented = node.event.startswith((MOVED, SHOWN))
        chosen_by = choices.get(binder, -1) if instrumented else -1
        site = Site(number, node, at, tuple(fields), chosen_by=chosen_by)
        by_name = dict(node.fields)
        cards, owner = by_name.get("cards"), by_name.get("from")
        if node.event == SHOWN:
            owner = by_name["player"]
            assert isinstance(cards, c.Expr)
            assert isinstance(owner, c.Expr)
            site = self._showing(site, cards, owner)
            source = site.lie_in[0] if site.lie_in else ""
        elif node.event.startswith(MOVED) and chosen_by < 0:
            source = node.event.split(" ")[2]
        else:
            return site
        if not source or not isinstance(cards, c.Expr) or not isinstance(owner, c.Expr):
            return site
        binders = decided_by_zone(self.program, cards, source, owner, self._kept)
        if binders is None or any(x not in choices for x in binders):
            return site
        return replace(site, moved_from=source, kept_from=tuple(choices[x] for x in binders))

    def _showing(self, site: Site, cards: c.Expr, player: c.Expr) -> Site:
        """The site with the zone in which the cards lie, if that is known; if they were just chosen, that choice has it."""
        if site.chosen_by < 0:
            return _lying(site, zone_of_all(cards, player))
        chosen = self.sites[site.chosen_by]
        if isinstance(chosen.node, c.ChooseCards):
            self.sites[site.chosen_by] = _lying(chosen, zone_of_all(chosen.node.domain, chosen.node.actor))
        return site

    def _width(self, value: c.Expr | str) -> int:
        if isinstance(value, str):
            return self.program.players
        return 2 if value.type == c.INTEGERS else 1

    @cached_property
    def first(self) -> int:
        """Position of the first item."""
        return len(self.header)

    def last(self, words: Sequence[int]) -> Item:
        """The last item, which may lack its chosen word."""
        *_, last = self.items(words)
        return last

    def items(self, words: Sequence[int], start: int | None = None) -> Iterator[Item]:
        """The items of a record from a position on; the last may lack its chosen word."""
        at = self.first if start is None else start
        while at < len(words):
            site = self.sites[words[at]]
            yield Item(site, at)
            at += site.size


def _lying(site: Site, zone: c.ZoneCards | None) -> Site:
    """The site with the zone in which its cards lie, of nobody or of its player."""
    return (
        site if zone is None else replace(site, lie_in=(zone.zone, (site.player,) if zone.arguments else ()))
    )
