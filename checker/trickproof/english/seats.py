"""Names of players and cards in prose: seats by name, `10♥` for a card; JSON keeps numbers and `TH`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from trickproof.english.inflection import listed

SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

_SEATS = {
    2: ("dealer", "other"),
    3: ("dealer", "left", "right"),
    4: ("dealer", "left", "opposite", "right"),
}


@dataclass(frozen=True, slots=True)
class Names:
    """How a report names players and cards."""

    player: Callable[[int], str]
    card: Callable[[str], str]
    first: int = 0
    """The player who is named first in lists: the dealer."""

    def cards(self, cards: list[str]) -> str:
        """Cards in the given order."""
        return " ".join(map(self.card, cards))

    def clockwise(self, players: Iterable[int]) -> list[int]:
        """Players in the order of lists, clockwise from the first."""
        return sorted(players, key=lambda player: (player < self.first, player))

    def listed(self, players: Iterable[int]) -> str:
        """Players by name: `Dealer, Left and Right`; `nobody` if there are none."""
        return listed(list(map(self.player, self.clockwise(players))) or ["nobody"])


NUMBERED = Names(lambda player: f"player {player}", str)
"""The names used in JSON."""


def seat_names(players: int) -> tuple[str, ...]:
    """Seats clockwise from the dealer: `dealer`, `left`, …, and at larger tables `2 to the left` and so on."""
    if players in _SEATS:
        return _SEATS[players]
    return tuple(_far(seat, players) for seat in range(players))


def at_first(seat: int, players: int) -> str:
    """Where a player sits when player 0 deals: `you sit to the left of the dealer`."""
    name = seat_names(players)[seat]
    if name in ("dealer", "other"):
        return "you deal first" if name == "dealer" else "the other player deals first"
    side = name if name == "opposite" else f"{'to the ' if name in ('left', 'right') else ''}{name} of"
    return f"you sit {side} the first dealer"


def names_at_table(scenario: Mapping[str, Any], players: int) -> Names:
    """Players by their seats in a scenario's deal, or by number if it has no dealer; cards with suit symbols."""
    dealer = scenario.get("dealer")
    if not isinstance(dealer, int):
        return Names(NUMBERED.player, card_sign)
    seats = [name[0].upper() + name[1:] for name in seat_names(players)]
    return Names(lambda player: seats[(player - dealer) % players], card_sign, dealer)


def with_names(text: str, names: Names) -> str:
    """A message with player numbers and two-character cards replaced by their names at the table."""

    def players(run: re.Match[str]) -> str:
        order = iter(names.clockwise(map(int, re.findall(r"\d+", run[1]))))
        return re.sub(r"\d+", lambda _: names.player(next(order)), run[1])

    named = re.sub(r"\bplayers? (\d+(?:(?:, | and | or )\d+)*)\b", players, text)
    return re.sub(r"\b([2-9TJQKA][CDHS])\b", lambda card: names.card(card[1]), named)


def card_sign(card: str) -> str:
    """A two-character card as players write it: `10♥` for `TH`."""
    rank, suit = card[:1], card[1:]
    return ("10" if rank == "T" else rank) + SUIT_SIGNS.get(suit, suit)


def _far(seat: int, players: int) -> str:
    if seat == 0:
        return "dealer"
    if 2 * seat == players:
        return "opposite"
    side, far = ("left", seat) if 2 * seat < players else ("right", players - seat)
    return side if far == 1 else f"{far} to the {side}"
