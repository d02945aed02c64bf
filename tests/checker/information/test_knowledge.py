"""What follows from movements, seen and hidden."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from trickproof.information.knowledge import Knowledge, known
from trickproof.information.observation import HiddenMovement, Observation
from trickproof.information.record import Item, Movement
from trickproof_dsl.semantics.values import DECK, Key

TABLE, HAND, PILE = ("table",), ("hand", 0), ("pile",)


def seen(source: Key, target: Key, cards: int) -> Movement:
    return Movement(-1, source, target, cards, False)


def hidden(source: Key, target: Key, number: int) -> HiddenMovement:
    return HiddenMovement(source, target, number, (), False, False)


def after(deck: int, *movements: Movement | HiddenMovement) -> Knowledge:
    site: Any = SimpleNamespace(moves=True, moved_from=None, size=1)
    items = [Item(site, at) for at in range(len(movements))]
    form: Any = None
    return known(form, Observation(1, [0] * len(items), items, dict(enumerate(movements))), deck)


def test_a_card_that_is_left_where_all_were_taken_away_has_gone_before() -> None:
    """One of four cards is taken from an open table, nobody saw which; then the three that lie there are."""
    taken = after(0b1111, seen((DECK,), TABLE, 0b1111), hidden(TABLE, HAND, 1), seen(TABLE, PILE, 0b1101))
    assert taken.cards == {frozenset({(HAND, 1)}): 0b0010, frozenset({(PILE, 0)}): 0b1101}


def test_what_is_left_in_the_deck_may_be_anywhere_until_it_is_empty() -> None:
    dealt = (hidden((DECK,), HAND, 2), seen((DECK,), TABLE, 0b0100))
    assert after(0b1111, *dealt).possible(HAND) == 0b1011
    assert after(0b1111, *dealt, seen((DECK,), TABLE, 0b1000)).cards == {
        frozenset({(HAND, 1)}): 0b0011,
        frozenset({(TABLE, 0)}): 0b1100,
    }
