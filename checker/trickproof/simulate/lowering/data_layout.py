"""The layout of a program's cards, variables and zones in 64-bit words.

Card positions: suit by suit, with a stride that holds every rank, so that suit and height are one division
away.  An index (player, suit, card, …) that is `none` is -1; sets are masks of indices, or of positions for
cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from trickproof.simulate.ir.calling_convention import BeyondError
from trickproof_dsl import core as c
from trickproof_dsl.semantics.values import Key, Owners, Value, owner_keys, size_of

WORD = 64


class DataLayout:
    """Card positions, and the sizes and encodings derived from them."""

    def __init__(self, program: c.Program) -> None:
        deck = program.deck
        ranks, suits = len(deck.ranks), len(deck.suits)
        stride = 1 << max(ranks - 1, 0).bit_length()
        if stride * suits > WORD:
            stride = ranks
        if stride * suits > WORD:
            raise BeyondError(f"{suits} suits of {ranks} ranks are more than {WORD} cards")
        self.program, self.stride, self.suits, self.ranks = program, stride, suits, ranks
        self.positions = tuple(stride * s + r for s, r in zip(deck.card_suit, deck.card_rank, strict=True))
        self.card_at = {position: card for card, position in enumerate(self.positions)}
        self.all_cards = self.mask(range(len(deck.cards)))
        self.lanes = sum(1 << stride * s for s in range(suits))
        """A mask with the lowest position of every suit."""
        self.lane = (1 << stride) - 1

    def mask(self, cards: Iterable[int]) -> int:
        """Card indices to a mask of positions."""
        return sum(1 << self.positions[card] for card in cards)

    def cards(self, mask: int) -> frozenset[int]:
        """A mask of positions to card indices."""
        return frozenset(card for position, card in self.card_at.items() if mask >> position & 1)

    def size(self, kind: c.Type) -> int:
        """Number of indices of an owner type."""
        return WORD if kind == c.CARD else size_of(self.program, kind)

    def sizes(self, of: tuple[c.Type, ...]) -> list[int]:
        return [self.size(kind) for kind in of]

    def words(self, of: tuple[c.Type, ...]) -> int:
        """Number of words that a variable or zone with the given owners takes."""
        total = 1
        for size in self.sizes(of):
            total *= size
        return total

    def index(self, of: tuple[c.Type, ...], owners: Owners) -> int:
        """The offset of an entry; `owners` are indices as in the interpreter."""
        position = 0
        for kind, owner in zip(of, owners, strict=True):
            at = self.positions[owner] if kind == c.CARD else owner
            position = position * self.size(kind) + at
        return position

    @cached_property
    def entries(self) -> tuple[tuple[tuple[str, int], Key], ...]:
        """Every word of the state, variables before zones, with the interpreter's key for it."""
        program = self.program
        return tuple(
            ((f"{mark}.{info.name}", self.index(info.of, owners)), (info.name, *owners))
            for mark, infos in (("v", program.variables.values()), ("z", program.zones.values()))
            for info in infos
            for owners in owner_keys(program, info.of)
        )

    def encoded(self, kind: c.Type, value: Any) -> int:
        """An interpreter value as a word.  Raises BeyondError for sets of integers."""
        if value is None:
            return -1
        if kind == c.INTEGERS:
            raise BeyondError("a variable holds a set of numbers")
        if kind == c.CARD:
            return int(self.positions[value])
        if kind == c.CARDS:
            return self.mask(value)
        if kind.kind in c.SETS:
            return sum(1 << x for x in value)
        return int(value)

    def decoded(self, kind: c.Type, word: int) -> Value:
        """A word as an interpreter value."""
        if kind == c.CARDS:
            return self.cards(word)
        if kind.kind in c.SETS:
            return frozenset(i for i in range(WORD) if word >> i & 1)
        if kind == c.INTEGER:
            return word
        if word < 0:
            return None
        if kind == c.CARD:
            return self.card_at[word]
        return bool(word) if kind == c.BOOLEAN else word
