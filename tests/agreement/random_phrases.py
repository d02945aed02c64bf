"""Random well-typed phrases of the rule language: numbers, conditions, players, cards, and sets.

They need not make sense, and evaluating them may fail, which is part of the test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

T = TypeVar("T")

SUITS = (
    ("C=clubs D=diamonds", ("clubs", "diamonds")),
    ("C=clubs D=diamonds H=hearts", ("clubs", "diamonds", "hearts")),
)
RANKS = {"2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven"}
COMPARED = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Scope:
    """Names in scope: those of players, including `player`, and of cards, including `card`."""

    players: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()

    def with_player(self, name: str) -> Scope:
        return Scope((*(p for p in self.players if p != name), name), self.cards)

    def with_card(self, name: str) -> Scope:
        return Scope(self.players, (*(c for c in self.cards if c != name), name))


class Choose(Protocol):
    """Chooses one of several: `Random.choice`, or hypothesis."""

    def __call__(self, among: Sequence[T], /) -> T: ...


class Phrases:
    """Generates phrases; `choose` makes all choices."""

    def __init__(self, choose: Choose) -> None:
        self.pick = choose
        self.players = self.pick((3, 2, 4))
        letters, self.suit_names = self.pick(SUITS)
        most = 13 // len(self.suit_names)
        self.ranks = list(RANKS)[: self.pick(range(3, min(most, 6) + 1))]
        self.letters = [part[0] for part in letters.split()]
        self.size = len(self.ranks) * len(self.letters)
        self.suits = letters
        self.bound = 0

    def one_of(self, options: Sequence[Callable[[], str]]) -> str:
        """The output of one of the options."""
        return self.pick(options)()

    def chance(self, one_in: int) -> bool:
        return self.pick(range(one_in)) == one_in - 1

    def name(self) -> str:
        self.bound += 1
        return f"x{self.bound}"

    # -------------------------------------------------------------------------------------------- values

    def number(self, s: Scope, depth: int = 2) -> str:
        small = str(self.pick((1, 0, 2, 3)))
        if depth <= 0:
            return self.pick((small, "n", f"m of {self.player(s, 0)}", f"over of {self.player(s, 0)}"))
        d = depth - 1
        return self.one_of(
            (
                lambda: small,
                lambda: "n",
                lambda: f"{self.pick(('m', 'over', 'score', 'tricks'))} of {self.player(s, d)}",
                lambda: f"due({self.player(s, d)}, {self.player(s, d)})",
                lambda: f"number of {self.cards(s, d)}",
                lambda: f"number of ({self.group(s, d)})",
                lambda: f"({self.number(s, d)} {self.pick('+-')} {self.number(s, d)})",
                lambda: f"({self.number(s, d)} {self.pick(('*', 'div', 'mod'))} {self.pick((2, 3))})",
                lambda: f"{self.pick(('larger', 'smaller'))}({self.number(s, d)}, {self.number(s, d)})",
                lambda: f"(sum of {self.pick(('m', 'over'))} for ({self.group(s, d)}))",
                lambda: (
                    f"(sum of number of {self.cards(s.with_player('player'), 0)} for ({self.group(s, d)}))"
                ),
                lambda: (
                    f"({self.pick(('highest', 'lowest'))} {self.pick(('m', 'over'))} among ({self.group(s, d)}))"
                ),
                lambda: f"(if {self.truth(s, d)} then {self.number(s, d)} else {self.number(s, d)})",
                lambda: f"(sum of {self.pick(('worth', 'height'))} for {self.cards(s, d)})",
                lambda: f"(highest height among {self.cards(s, d)})",
                lambda: f"height of {self.card(s, d)}",
            )
        )

    def truth(self, s: Scope, depth: int = 2) -> str:
        d = depth - 1
        if depth <= 0:
            return self.pick(("yes", f"over of {self.player(s, 0)} > 0", f"m of {self.player(s, 0)} = n"))
        among = self.group(s, d)
        return self.one_of(
            (
                lambda: f"{self.number(s, d)} {self.pick(COMPARED)} {self.number(s, d)}",
                lambda: f"{self.player(s, d)} {self.pick(('=', '!='))} {self.player(s, d)}",
                lambda: (
                    f"{self.pick(('who', 'leader', 'trump', 'one', 'led'))} {self.pick(('=', '!='))} none"
                ),
                lambda: f"{self.suit(s, d)} {self.pick(('=', '!='))} {self.suit(s, d)}",
                lambda: f"{self.cards(s, d)} {self.pick(('is empty', 'is not empty'))}",
                lambda: f"(some player in ({among}) has ({self.truth(s.with_player('player'), d)}))",
                lambda: f"(every player in ({among}) has ({self.truth(s.with_player('player'), d)}))",
                lambda: f"(some card in {self.cards(s, d)} has ({self.about_card(s, d)}))",
                lambda: f"(every card in {self.cards(s, d)} has ({self.about_card(s, d)}))",
                lambda: f"{self.card(s, d)} {self.pick(('in', 'not in'))} {self.cards(s, d)}",
                lambda: f"{self.player(s, d)} in ({among})",
                lambda: f"{self.cards(s, d)} = {self.cards(s, d)}",
                lambda: f"rank of {self.card(s, d)} {self.pick(COMPARED)} {self.rank(s, d)}",
                lambda: f"(not ({self.truth(s, d)}))",
                lambda: f"({self.truth(s, d)} {self.pick(('and', 'or'))} {self.truth(s, d)})",
                lambda: f"said of {self.player(s, d)} = {self.pick(('pass', 'double', 'none'))}",
                lambda: "yes",
            )
        )

    def about_card(self, s: Scope, depth: int) -> str:
        """A condition on `card`."""
        inner = s.with_card("card")
        return self.one_of(
            (
                lambda: f"suit = {self.suit(s, depth - 1)}",
                lambda: f"suit != {self.suit(s, depth - 1)}",
                lambda: f"rank {self.pick(COMPARED)} {self.rank(s, depth - 1)}",
                lambda: f"card in {self.cards(s, depth - 1)}",
                lambda: f"card not in {self.cards(s, depth - 1)}",
                lambda: f"(suit = {self.suit(s, depth - 1)} and {self.truth(inner, depth - 1)})",
                lambda: f"(suit = {self.suit(s, 0)} or card in {self.cards(s, depth - 1)})",
            )
        )

    def suit(self, s: Scope, depth: int) -> str:
        plain = (*self.suit_names, "trump", "led")
        return self.pick(plain) if depth <= 0 or not self.chance(3) else f"suit of {self.card(s, depth - 1)}"

    def rank(self, s: Scope, depth: int) -> str:
        if depth <= 0 or not self.chance(3):
            return RANKS[self.pick(self.ranks)]
        return f"rank of {self.card(s, depth - 1)}"

    def player(self, s: Scope, depth: int = 1) -> str:
        known = [*s.players, "dealer"]
        if depth <= 0:
            return self.pick(known)
        return self.one_of(
            (
                *(lambda: self.pick(known),) * 4,
                lambda: f"left of {self.pick(known)}",
                lambda: f"right of {self.player(s, depth - 1)}",
                lambda: self.pick(("who", "leader")),
                lambda: f"(only player in (players with the highest {self.pick(('over', 'm', 'score'))}))",
                lambda: f"(only player in ({self.group(s, depth - 1)}))",
                lambda: (
                    f"(if {self.truth(s, depth - 1)} then {self.pick(known)} else {self.player(s, depth - 1)})"
                ),
            )
        )

    def group(self, s: Scope, depth: int) -> str:
        """A set of players."""
        inner = s.with_player("player")
        if depth <= 0:
            return self.pick(
                ("players", "players with over > 0", "players with over < 0", "players other than dealer")
            )
        d = depth - 1
        return self.one_of(
            (
                lambda: "players",
                lambda: f"players with over {self.pick(COMPARED)} {self.number(s, 0)}",
                lambda: f"players with ({self.truth(inner, d)})",
                lambda: f"players other than {self.player(s, d)}",
                lambda: f"players with the {self.pick(('highest', 'lowest'))} {self.pick(('m', 'over'))}",
                lambda: (
                    f"players with the {self.pick(('highest', 'lowest'))} over among ({self.group(s, d)})"
                ),
                lambda: "players with the highest rank of played among players with played != none",
                lambda: f"({self.group(s, d)}) {self.pick('+-')} {self.player(s, d)}",
                lambda: "some-players",
            )
        )

    def cards(self, s: Scope, depth: int) -> str:
        plain = (
            f"hand of {self.player(s, 0)}",
            "kitty",
            "discards",
            f"gift({self.player(s, 0)}, {self.player(s, 0)})",
            f"kept of {self.player(s, 0)}",
            "picked-up",
        )
        if depth <= 0:
            return self.pick(plain)
        d = depth - 1
        degree = self.pick(("highest", "lowest"))
        return self.one_of(
            (
                lambda: self.pick(plain),
                lambda: f"hand of {self.player(s, d)}",
                lambda: f"(cards in {self.cards(s, d)} with ({self.about_card(s, d)}))",
                lambda: f"(cards in {self.cards(s, d)} with suit = {self.suit(s, d)})",
                lambda: f"({self.cards(s, d)} {self.pick('+-')} {self.cards(s, d)})",
                lambda: (
                    f"(cards with the {degree} {self.pick(('rank', 'height', 'worth'))} among {self.cards(s, d)})"
                ),
                lambda: f"(top ({self.number(s, 0)}) of {self.cards(s, d)} by height)",
                lambda: f"({degree} of {self.cards(s, d)} matching {self.cards(s, d)})",
                lambda: f"(union of hand for ({self.group(s, d)}))",
                lambda: f"(if {self.truth(s, d)} then {self.cards(s, d)} else {self.cards(s, d)})",
                lambda: f"({self.card(s, d)} + {self.card(s, d)})",
            )
        )

    def a_card(self) -> str:
        return self.pick(self.ranks) + self.pick(self.letters)

    def card(self, s: Scope, depth: int) -> str:
        known = [*s.cards, "one", self.a_card(), f"played of {self.player(s, 0)}"]
        return (
            self.pick(known)
            if depth <= 0 or not self.chance(3)
            else f"(only card in {self.cards(s, depth - 1)})"
        )
