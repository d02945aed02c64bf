"""Prepares what a planner is asked for counting: the numbers of missing cards, and the classes and ways in order.

Classes with one way are counted as gone.  The others become rows: smaller classes first, and of their ways the most
constrained first, which keeps the count small.
"""

from __future__ import annotations

from functools import reduce

from trickproof.information.plan import (
    ALIKE,
    CLASS,
    GROUPS,
    HEAD,
    LIMITS,
    LISTS,
    MISSING,
    MOST_MISSING,
    MOVEMENT,
    MOVEMENTS,
    OPTIONAL,
    OPTIONALS,
    SHIFT,
    SINGLES,
    SIZE,
    WAY,
    WAYS,
    WIDTH,
    WORD,
)
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.instructions import Expr, load, op

ASKED, PROBLEM = "asked", "problem"
"""The arrays of what is asked (`information.plan`), and of the problem: the fields of missing cards, followed by the rows."""

ROW_CARDS, NEXT_CARDS, ROW_WAY, LAST_WAY, ROW_NAMES, ROW = range(6)
"""A row is one way of a class, but the last way, by which all other cards go, belongs to the row before it: the cards of the
class if it is the first way, otherwise 0; the number of cards of the next row's class; and the positions of the way and of
the last one (0 if that belongs to another row) in what is asked; the position of the names in the plan.  Then three groups of fields: what a card that takes the way counts;
what later classes can take, as of the next row; and what one more card can take by other ways.
"""

TOO_MUCH, TOO_FEW, IMPOSSIBLE = 1, 2, 3
"""How planning ended: it exceeds a limit, more cards certainly went through a movement than there were, or there is no division."""

LARGE = 1 << 20
"""Larger than any exponent, and than any key by which classes or ways are ordered."""


class Problem:
    """Writes the code that orders classes and ways, and finds out what is missing."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.width, self.movements = b.let(load(ASKED, WIDTH)), b.let(load(ASKED, MOVEMENTS))
        self.known = b.let(op("add", op("mul", self.movements, MOVEMENT), HEAD))
        self.mandatory = b.let(op("add", self.known, op("add", self.movements, load(ASKED, OPTIONALS))))
        self.singles = b.let(op("add", self.mandatory, self.width))
        self.row_words = b.let(op("add", op("mul", self.width, 3), ROW))
        self.way_words = b.let(op("add", self.width, WAY))
        self.end = b.mutable(self.width)
        """The position behind the rows written so far."""

    def asked(self, *at: Expr) -> Expr:
        """The word at a sum of positions."""
        return self.b.let(load(ASKED, reduce(lambda x, y: op("add", x, y), at)))

    def write(self) -> None:
        b, at = self.b, self.b.mutable(self.singles)
        last = b.let(op("sub", self.movements, 1))
        b.times(0, last, self.counted)
        b.times(1, load(ASKED, SINGLES), lambda _: self.single(at))
        b.times(0, last, lambda h: b.guard(op("lt", self.missing(h), 0), TOO_FEW))
        b.times(0, op("sub", self.width, 1), lambda w: b.store(PROBLEM, w, 0))
        b.times(0, last, self.packed)
        key = b.mutable(-1)
        classes = b.let(at)
        b.times(1, load(ASKED, GROUPS), lambda _: self.next_class(classes, key))
        self.onward()

    def movement(self, h: Expr, word: int) -> Expr:
        """The position of a word about a movement."""
        return self.b.let(op("add", op("mul", h, MOVEMENT), HEAD + word))

    def missing(self, h: Expr) -> Expr:
        return self.asked(self.movement(h, MISSING))

    def counted(self, h: Expr) -> None:
        """Count a movement's cards among those of the first interchangeable one."""
        at = self.movement(self.asked(self.movement(h, ALIKE)), MISSING)
        self.b.store(ASKED, at, op("add", load(ASKED, at), load(ASKED, self.movement(h, SIZE))))

    def single(self, at: str) -> None:
        """Cards with only one way went that way."""
        b, begin = self.b, self.b.let(at)
        cards, number = self.asked(begin), self.asked(begin, WAYS)

        def gone(i: Expr) -> None:
            pair = b.let(op("add", begin, op("mul", i, 2)))
            missing, known = self.movement(self.asked(pair), MISSING), self.asked(pair, 1)
            b.store(ASKED, missing, op("sub", load(ASKED, missing), op("count", cards)))
            b.store(ASKED, known, op("or", load(ASKED, known), cards))

        b.times(1, number, gone)
        b.set(at, op("add", begin, op("add", op("mul", number, 2), CLASS)))

    def packed(self, h: Expr) -> None:
        """Write a movement's field, or make sure that nothing is missing from it."""
        b, missing, word = self.b, self.missing(h), self.asked(self.movement(h, WORD))
        b.guard(op("lt", MOST_MISSING, missing), IMPOSSIBLE)

        def without_field() -> None:
            b.guard(op("select", missing, op("eq", self.asked(self.movement(h, OPTIONAL)), 0), 0), IMPOSSIBLE)

        def field() -> None:
            shifted = op("shl", missing, load(ASKED, self.movement(h, SHIFT)))
            b.store(PROBLEM, word, op("or", load(PROBLEM, word), shifted))

        b.either(op("lt", word, 0), without_field, field)

    def next_class(self, classes: Expr, key: str) -> None:
        """Write the rows of the class with the lowest key above that of the class before it."""
        b, at, best, found = self.b, self.b.mutable(classes), self.b.mutable(LARGE), self.b.mutable(0)

        def compared() -> None:
            here = b.let(at)
            cards = self.asked(here)
            one = b.let(op("add", op("mul", op("count", cards), 64), op("first", cards)))
            b.set(found, op("select", self.between(key, one, best), here, found))
            b.set(best, op("select", self.between(key, one, best), one, best))
            b.set(at, op("add", op("add", here, CLASS), op("mul", self.asked(here, WAYS), self.way_words)))

        b.times(1, load(ASKED, GROUPS), lambda _: compared())
        b.set(key, best)
        begin = b.let(found)
        number, first, way_key = self.asked(begin, WAYS), b.mutable(self.asked(begin)), b.mutable(-1)

        def row(i: Expr) -> None:
            ways = b.let(op("add", begin, CLASS))
            way, last = self.next_way(ways, number, way_key), b.mutable(0)
            row = b.let(self.end)
            self.copied(way, op("add", row, ROW))
            with b.when(op("eq", op("add", i, 1), number)):
                b.set(last, self.next_way(ways, number, way_key))
                self.copied(last, op("add", row, op("add", op("mul", self.width, 2), ROW)))
            for word, value in ((ROW_CARDS, first), (ROW_WAY, way), (LAST_WAY, last)):
                b.store(PROBLEM, op("add", row, word), value)
            b.set(first, 0)
            b.set(self.end, op("add", row, self.row_words))

        b.times(1, op("sub", number, 1), row)

    def copied(self, way: Expr, to: Expr) -> None:
        """Copy the fields in which a card that takes a way counts."""
        b, have, to = self.b, self.b.let(op("add", way, WAY)), self.b.let(to)
        last = op("sub", self.width, 1)
        b.times(0, last, lambda w: b.store(PROBLEM, op("add", to, w), load(ASKED, op("add", have, w))))

    def between(self, low: Expr, one: Expr, high: Expr) -> Expr:
        return op("select", op("lt", low, one), op("lt", one, high), 0)

    def next_way(self, ways: Expr, number: Expr, key: str) -> Expr:
        """The way with the lowest key above that of the way before it: the fewest cards are missing somewhere on it."""
        b, best = self.b, self.b.mutable(LARGE)
        found = b.mutable(0)

        def compared(i: Expr) -> None:
            way = b.let(op("add", ways, op("mul", i, self.way_words)))
            room = b.mutable(MOST_MISSING)
            limits = self.asked(way, LISTS)
            self.limited(limits, self.asked(way, LIMITS), room, PROBLEM, 0)
            one = b.let(op("add", op("mul", room, 1 << 10), i))
            b.set(found, op("select", self.between(key, one, best), way, found))
            b.set(best, op("select", self.between(key, one, best), one, best))

        b.times(0, op("sub", number, 1), compared)
        b.set(key, best)
        return b.let(found)

    def limited(self, lists: Expr, limits: Expr, most: str, array: str, fields: Expr) -> None:
        """Lower a number to the least in some fields."""
        b = self.b

        def limit(i: Expr) -> None:
            at = b.let(op("add", lists, op("mul", i, 2)))
            word = b.let(load(array, op("add", fields, load(ASKED, at))))
            field = b.let(op("and", op("shr", word, load(ASKED, op("add", at, 1))), MOST_MISSING))
            b.set(most, op("select", op("lt", field, most), field, most))

        b.times(0, op("sub", limits, 1), limit)

    def onward(self) -> None:
        """Write what can be taken behind each row, from the last to the first."""
        b, row = self.b, self.b.mutable(op("sub", self.end, self.row_words))

        def put(at: Expr, value: Expr) -> None:
            b.store(PROBLEM, at, value)

        def behind() -> None:
            here = b.let(row)
            following = b.let(op("add", here, self.row_words))
            is_end, last = (op("eq", following, self.end), load(PROBLEM, op("add", here, LAST_WAY)))
            is_end, last = b.let(is_end), b.let(last)
            behind = b.let(op("select", is_end, here, following))
            cards = op("count", load(PROBLEM, op("add", behind, ROW_CARDS)))
            size = b.let(op("select", is_end, 0, op("select", last, cards, 0)))
            put(op("add", here, NEXT_CARDS), size)

            def word(w: Expr) -> None:
                step, later, onward = (
                    b.let(
                        load(
                            PROBLEM, op("add", op("add", behind, op("mul", self.width, i)), op("add", w, ROW))
                        )
                    )
                    for i in range(3)
                )
                all_of_it = b.let(op("or", step, onward))
                at = b.let(op("add", op("add", here, ROW), op("add", self.width, w)))
                more = op("add", later, op("select", last, op("mul", all_of_it, size), 0))
                put(at, op("select", is_end, 0, more))
                with b.when(op("eq", last, 0)):
                    put(op("add", at, self.width), all_of_it)

            b.times(0, op("sub", self.width, 1), word)
            b.set(row, op("sub", here, self.row_words))

        b.loop(lambda: op("le", self.width, row), behind)
