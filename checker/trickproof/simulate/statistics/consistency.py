"""Whether totals can be the sums over hands that were played.

May assume: a number for every position of the layout.  Promises: totals counted by the simulator are
consistent, however the run was split, as long as no match is unfinished; every method of `Counts` succeeds on
consistent totals.  The conditions are identities and inequalities that hold for any sums (for squares:
Cauchy-Schwarz).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trickproof.simulate.ir.counter_layout import (
    BATCH,
    FAR,
    FAR_SCORE,
    LENGTHS,
    MOST_CODES,
    OVER,
    TRICKS,
    CounterLayout,
)

WORD = 1 << 63
"""Totals are machine words below this."""


def consistent(layout: CounterLayout, totals: Sequence[int]) -> bool:
    """Whether some set of hands can have these totals."""
    return all(-WORD <= total < WORD for total in totals) and all(_Totals(layout, totals).conditions())


class _Totals:
    """Totals by name, and the conditions on them."""

    def __init__(self, layout: CounterLayout, totals: Sequence[int]) -> None:
        self.layout, self.totals = layout, totals

    def conditions(self) -> Iterator[bool]:
        """The conditions, simplest first."""
        yield from self._matches()
        yield from self._batches()
        for seat in range(self.layout.players):
            yield from self._seat(seat)
        if self.layout.give:
            yield self._binned("given#", TRICKS, 0, self.at("given"), WORD)
        for name in self.layout.measures:
            yield from self._measure(name)

    def at(self, name: str) -> int:
        return self.totals[self.layout.offsets[name]]

    def bins(self, name: str, size: int) -> Sequence[int]:
        begin = self.layout.offsets[name]
        return self.totals[begin : begin + size]

    def _matches(self) -> Iterator[bool]:
        hands, matches, lengths = self.at("hands"), self.at("matches"), self.at("lengths")
        by_code, by_length = self.bins("left", MOST_CODES), self.bins("length", LENGTHS)
        by_winners = self.bins("winners", self.layout.players + 1)
        yield min(hands, matches, lengths, *by_code, *by_length, *by_winners) >= 0
        yield sum(by_code) == self.at("broken") <= self.at("unfinished")
        yield sum(by_length) == sum(by_winners) == matches
        shortest = sum(length * ended for length, ended in enumerate(by_length))
        yield shortest <= lengths <= hands and (by_length[-1] > 0 or shortest == lengths)
        yield lengths * lengths <= matches * self.at("lengths2") <= matches * hands * lengths
        seats = range(self.layout.players)
        starts, lasts = ([self.at(f"{name}.{s}") for s in seats] for name in ("wins", "last"))
        yield all(0 <= wins <= matches for wins in (*starts, *lasts)) and sum(starts) == sum(lasts)

    def _batches(self) -> Iterator[bool]:
        batches, hands, squares = self.at("batches"), self.at("batch"), self.at("batch2")
        yield self.at("hands") == hands and 0 <= batches <= hands <= BATCH * batches
        yield hands * hands <= batches * squares <= batches * BATCH * hands

    def _seat(self, seat: int) -> Iterator[bool]:
        layout, matches = self.layout, self.at("matches")
        if layout.tricks:
            yield self._binned(f"tricks#{seat}", TRICKS, 0, self.at(f"tricks.{seat}"), FAR)
        if layout.over:
            yield self._binned(f"over#{seat}", OVER, -OVER // 2, self.at(f"over.{seat}"), FAR)
        if layout.met:
            yield 0 <= self.at(f"met.{seat}") <= self.at("hands")
        if layout.score:
            score, squares = self.at(f"score.{seat}"), self.at(f"score2.{seat}")
            yield score * score <= matches * squares <= matches * matches * FAR_SCORE**2

    def _binned(self, name: str, size: int, least: int, total: int, far: int) -> bool:
        """Whether every hand is in a bin and the bins fit the total; the outermost bins hold the values beyond."""
        counts = self.bins(name, size)
        inner = sum(value * hands for value, hands in enumerate(counts, least))
        low, high = inner - far * counts[0], inner + far * counts[-1]
        return min(counts) >= 0 and sum(counts) == self.at("hands") and low <= total <= high

    def _measure(self, name: str) -> Iterator[bool]:
        """Conditions on a measure's sums over batches, of its squares, and of its products with the number of hands."""
        total, squares, products = (self.at(name + suffix) for suffix in ("", "*2", "*n"))
        far = {"met": 1, "given": WORD}.get(name.partition(".")[0], FAR)
        yield squares <= far * far * self.at("batch2")
        yield total * total <= self.at("batches") * squares
        yield products * products <= squares * self.at("batch2")
