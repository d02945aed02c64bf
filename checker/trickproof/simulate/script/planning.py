"""Counts the divisions of cards among hidden movements, and builds a plan for drawing one uniformly at random.

A dynamic program over the classes of cards and the ways of each: a state is the number of cards of the class
left, and the number still missing from each movement.  States are enumerated forwards, divisions counted
backwards.  It is written as an integer program because it runs before every decision.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from math import comb
from operator import or_

from trickproof.information.plan import MOST_MISSING, PARTS, CardClass, Planner, TooManyNodesError, bits
from trickproof.simulate.backends.callables import callable_of
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import MIX_1
from trickproof.simulate.ir.instructions import Expr, Routine, load, op

MOST_NODES = 30_000
"""Maximum number of nodes of a plan."""

MOST_WORDS = 1_000_000
"""Maximum number of words of a plan."""

FIELD, FIELDS = 7, 9
"""Bits per field: the number of cards missing from a movement, and a guard bit that is 0; and the number of
fields per word.
"""

PRECISION = 44
"""Significant bits of a count, and so of the probabilities."""

DIGIT, DIGITS = 18, 3
"""Bits of a probability computed per division step, and the number of steps."""

TABLE = 1 << 16
"""Slots of the hash table of nodes."""

MOST_SHAPES = 1 << 10
"""Number of problems whose shape is remembered."""

LARGE = 1 << 20
"""Larger than any exponent."""

GUARDS = sum(1 << FIELD * i + FIELD - 1 for i in range(FIELDS))
"""The guard bits of all fields."""

ALL_FIELDS = (1 << FIELD * FIELDS) - 1
"""The bits of all fields of a word."""

PROBLEM, BINOMIALS, PLAN, NODES, FOUND = OUTER = ("problem", "binomials", "plan", "nodes", "found")
"""The arrays: the problem; binomial coefficients; the plan; the nodes; the hash table of nodes."""

ROWS, WIDTH, FIRST_CARDS, MOST, STALE, DONE, HEAD = range(7)
"""The problem begins with the number of rows, the number of words that hold the fields, the number of cards
of the first class, the maximum number of nodes, and the number up to which hash table entries are stale; then
comes the answer: the number of words of the plan, 0 if it exceeds a limit.  Then follow the fields of the
movements that must be complete in the end (all bits set), the fields of missing cards, and the rows.
"""

CLASS, NEXT_CARDS, IS_LAST, LISTS, LIMITS, TOLD, ROW = range(7)
"""A row is one way of a class: the number of its cards if it is the first way, otherwise 0; the number of
cards of the next row's class; whether it is the last way; the position of its lists, the number of fields it
counts in (for each, the word and the shift), and the number of movements listed in the plan.  Then three
groups of fields: what a card that takes the way counts; what later classes can take, as of the next row; and
the same for one more card.
"""

CARDS, PLACE, COUNT, EXPONENT, NODE = range(5)
"""A node: the number of cards left, its position in the plan, its count as mantissa and exponent; then the
fields of missing cards.
"""

EDGE = 3
"""Words per edge of a node."""


@cache
def planner(backend: str) -> Planner:
    """A function that computes plans, in machine code or in plain Python, with the same results."""
    run = _Caller(backend).run

    def plan(classes: Sequence[CardClass], missing: Sequence[int], optional: int) -> Sequence[int] | None:
        shape = _shape(tuple([group.through for group in classes]), optional, len(missing))
        mandatory = sum([1 << h for h, n in enumerate(missing) if n]) & ~optional
        if max(missing, default=0) > MOST_MISSING or mandatory & ~shape.union:
            return None
        if not classes:
            return array("q", [0])
        words = run(_asked(classes, missing, shape))
        if not words:
            raise TooManyNodesError
        return words if words[0] else None

    return plan


@dataclass(frozen=True, slots=True)
class _Shape:
    """What problems with the same ways have in common; fields are packed into one number, words and all."""

    union: int
    """The movements that cards may have gone through."""
    width: int
    words: tuple[int, ...]
    """The problem without the numbers of cards, without the cards, and without what depends on them."""
    each: tuple[int, ...]
    """The fields that cards of each class may count in."""


@lru_cache(MOST_SHAPES)
def _shape(through: tuple[tuple[int, ...], ...], optional: int, movements: int) -> _Shape:
    union = reduce(or_, (x for ways in through for x in ways), 0)
    active, optionals = bits(union), bits(optional)
    field = {h: 1 << FIELD * i for i, h in enumerate(active)}
    place = {h: (i // FIELDS, FIELD * (i % FIELDS)) for i, h in enumerate(active)}
    width, number = max(1, -(-len(active) // FIELDS)), sum(map(len, through))
    mandatory = MOST_MISSING * sum([field[h] for h in active if h not in optionals])
    words = [number, width, 0, 0, 0, 0, *_words_of(mandatory, width), *[0] * width]
    lists, each, begin = list[int](), list[int](), len(words) + number * (ROW + 3 * width)
    for ways in through:
        steps = [sum([field[h] for h in bits(way)]) for way in ways]
        for i, way in enumerate(ways):
            after = reduce(or_, steps[i + 1 :], 0)
            words += (0, 0, int(i == len(ways) - 1), begin + len(lists), way.bit_count(), way.bit_count())
            words += (*_words_of(steps[i], width), *[0] * width, *_words_of(after, width))
            lists += [x for h in bits(way) for x in place[h]]
            lists += bits(way & ~optional)
            lists += [movements + i for i, h in enumerate(optionals) if way >> h & 1]
        each.append(reduce(or_, steps))
    return _Shape(union, width, (*words, *lists), tuple(each))


def _words_of(fields: int, width: int) -> list[int]:
    return [fields >> FIELD * FIELDS * w & ALL_FIELDS for w in range(width)]


def _asked(classes: Sequence[CardClass], missing: Sequence[int], shape: _Shape) -> list[int]:
    """Encode the problem."""
    words, width = list(shape.words), shape.width
    sizes = [group.cards.bit_count() for group in classes]
    words[FIRST_CARDS], words[MOST] = sizes[0], MOST_NODES
    row = HEAD + 2 * width
    numbers = sum([missing[h] << FIELD * i for i, h in enumerate(bits(shape.union))])
    words[HEAD + width : row] = _words_of(numbers, width)
    later = sum([x * size for x, size in zip(shape.each, sizes, strict=True)])
    for group, each, size, following in zip(classes, shape.each, sizes, [*sizes[1:], 0], strict=True):
        later -= each * size
        words[row + CLASS] = group.cards
        fields = _words_of(later, width)
        for _ in group.through:
            words[row + NEXT_CARDS] = following
            words[row + ROW + width : row + ROW + 2 * width] = fields
            row += ROW + 3 * width
    return words


class _Caller:
    """Calls the routine with arrays that are reused between calls."""

    def __init__(self, backend: str) -> None:
        self._function = callable_of(_routine(), backend)
        self._plan = array("q", bytes(8 * MOST_WORDS))
        self._binomials, self._found = array("q", _binomials()), array("q", bytes(8 * TABLE))
        self._nodes: array[int] = array("q")
        self._stale = 0

    def run(self, asked: list[int]) -> array[int]:
        """The plan; empty if it exceeds a limit."""
        asked[STALE] = self._stale
        words, size = array("q", asked), (asked[MOST] + 1) * (NODE + asked[WIDTH])
        if len(self._nodes) < size:
            self._nodes = array("q", bytes(8 * size))
        self._function(words, self._binomials, self._plan, self._nodes, self._found)
        self._stale += asked[MOST] + 1
        return self._plan[: words[DONE]]


def _binomials() -> list[int]:
    """Binomial coefficients of up to 63 cards, as mantissa and exponent."""
    words: list[int] = []
    for cards in range(MOST_MISSING + 1):
        for number in range(MOST_MISSING + 1):
            exact = comb(cards, number)
            exponent = exact.bit_length() - PRECISION
            words += (exact >> exponent if exponent > 0 else exact << -exponent, exponent)
    return words


def _routine() -> Routine:
    """The dynamic program: enumerates nodes with their edges, then counts backwards from the last node."""
    b = Builder(OUTER)
    _Programme(b).run()
    return b.routine


class _Programme:
    """Writes the routine."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.width = b.let(load(PROBLEM, WIDTH))
        self.most, self.stale = b.let(load(PROBLEM, MOST)), b.let(load(PROBLEM, STALE))
        self.missing = b.let(op("add", self.width, HEAD))
        self.rows = b.let(op("add", self.missing, self.width))
        self.row_words = b.let(op("add", op("mul", self.width, 3), ROW))
        self.lists = b.let(op("add", self.rows, op("mul", load(PROBLEM, ROWS), self.row_words)))
        self.node_words = b.let(op("add", self.width, NODE))
        self.nodes, self.words = b.mutable(1), b.mutable(1)
        self.begin, self.end = b.mutable(0), b.mutable(1)
        self.most_edges, self.slots = b.mutable(1), b.mutable(1)
        """The most edges of a node of this row's class, and the slots used of the hash table, as a mask."""

    def run(self) -> None:
        b, last = self.b, op("sub", load(PROBLEM, ROWS), 1)
        b.store(NODES, CARDS, load(PROBLEM, FIRST_CARDS))
        self.each_word(
            lambda w: b.store(NODES, op("add", w, NODE), load(PROBLEM, op("add", self.missing, w)))
        )
        with b.scope():
            b.times(0, last, self.layer)
        with b.when(op("eq", "left", 0)):
            b.times(0, op("sub", self.nodes, 1), lambda i: self.count(op("sub", op("sub", self.nodes, 1), i)))
            b.store(PLAN, 0, op("select", load(NODES, COUNT), load(NODES, PLACE), 0))
            b.store(PROBLEM, DONE, self.words)

    def each_word(self, body: Callable[[Expr], None]) -> None:
        self.b.times(0, op("sub", self.width, 1), body)

    def node(self, number: Expr) -> Expr:
        """The position of a node."""
        return self.b.let(op("mul", number, self.node_words))

    # --------------------------------------------------------------------------------------------- forwards

    def layer(self, number: Expr) -> None:
        """Expand the nodes of a row into those of the next."""
        b = self.b
        row = b.let(op("add", self.rows, op("mul", number, self.row_words)))
        cards = b.let(load(PROBLEM, op("add", row, CLASS)))
        b.set(self.most_edges, op("select", cards, op("add", op("count", cards), 1), self.most_edges))
        edges = op("mul", op("sub", self.end, self.begin), self.most_edges)
        slots = b.let(op("sub", op("bit", op("add", op("last", edges), 1)), 1))
        b.set(self.slots, op("select", op("lt", slots, TABLE), slots, TABLE - 1))
        b.times(self.begin, op("sub", self.end, 1), lambda i: self.listed(row, self.node(i)))
        b.set(self.begin, self.end)
        b.set(self.end, self.nodes)

    def listed(self, row: Expr, node: Expr) -> None:
        """Write a node and its edges."""
        b = self.b
        cards, lists, limits, told, last = (
            b.let(x)
            for x in (
                load(NODES, op("add", node, CARDS)),
                *(load(PROBLEM, op("add", row, i)) for i in (LISTS, LIMITS, TOLD, IS_LAST)),
            )
        )
        place = b.let(self.words)
        b.guard(op("lt", MOST_WORDS - 2 - (EDGE + 1) * (MOST_MISSING + 1), place), 1)
        b.store(NODES, op("add", node, PLACE), place)
        b.store(PLAN, place, load(PROBLEM, op("add", row, CLASS)))
        b.store(PLAN, op("add", place, 1), told)
        names = b.let(op("add", lists, op("mul", limits, 2)))

        def name(i: Expr) -> None:
            b.store(PLAN, op("add", op("add", place, 2), i), load(PROBLEM, op("add", names, i)))

        b.times(0, op("sub", told, 1), name)
        b.set(self.words, op("add", op("add", place, 2), told))
        most = b.mutable(cards)

        def limit(i: Expr) -> None:
            at = b.let(op("add", lists, op("mul", i, 2)))
            word = b.let(load(NODES, op("add", op("add", node, NODE), load(PROBLEM, at))))
            field = b.let(op("and", op("shr", word, load(PROBLEM, op("add", at, 1))), MOST_MISSING))
            b.set(most, op("select", op("lt", field, most), field, most))

        b.times(0, op("sub", limits, 1), limit)
        first = b.let(op("select", last, cards, 0))
        b.times(first, most, lambda n: self.edge(row, node, cards, n, last))

    def edge(self, row: Expr, node: Expr, cards: Expr, number: Expr, last: Expr) -> None:
        """Write the edge for a number of cards taking the way, if what is then missing can still be filled."""
        b, next_node = self.b, self.node(self.nodes)
        left = b.let(op("select", last, load(PROBLEM, op("add", row, NEXT_CARDS)), op("sub", cards, number)))
        fits, key = b.mutable(1), b.mutable(left)

        def word(w: Expr) -> None:
            step, later, onward = (
                b.let(load(PROBLEM, op("add", op("add", op("add", row, ROW), op("mul", self.width, i)), w)))
                for i in range(3)
            )
            have = b.let(load(NODES, op("add", op("add", node, NODE), w)))
            missing = b.let(op("sub", have, op("mul", number, step)))
            b.store(NODES, op("add", op("add", next_node, NODE), w), missing)
            at_most = b.let(op("or", op("add", later, op("mul", left, onward)), GUARDS))
            needed = op("and", missing, load(PROBLEM, op("add", w, HEAD)))
            enough = b.let(op("eq", op("and", op("sub", at_most, needed), GUARDS), GUARDS))
            b.set(fits, op("select", enough, fits, 0))
            b.set(key, op("wrap-mul", op("xor", key, missing), MIX_1))
            b.set(key, op("xor", key, op("shr", key, 32)))

        self.each_word(word)
        with b.when(op("ne", fits, 0)):
            b.store(NODES, op("add", next_node, CARDS), left)
            found = b.mutable(0)
            is_end = op("eq", op("add", row, self.row_words), self.lists)
            with b.when(op("not", is_end)):
                self.find(next_node, left, key, found)
            at = b.let(self.words)
            b.store(PLAN, op("add", at, 1), number)
            b.store(PLAN, op("add", at, 2), found)
            b.set(self.words, op("add", at, EDGE))

    def find(self, node: Expr, cards: Expr, key: Expr, found: str) -> None:
        """The number of the successor node: an existing one that is equal, or a new one.

        Slots that were used for earlier rows are free, so that small rows keep to few slots, which stay in the processor's cache.
        """
        b = self.b
        slot, looking = b.mutable(op("and", key, self.slots)), b.mutable(1)
        earlier = b.let(op("add", self.stale, self.end))

        def look() -> None:
            kept = b.let(load(FOUND, slot))
            other = b.let(op("select", op("lt", earlier, kept), op("sub", kept, self.stale), 0))
            old = self.node(op("sub", other, 1))
            same = b.mutable(op("ne", other, 0))
            with b.when(op("ne", same, 0)):
                b.set(same, op("select", op("eq", load(NODES, op("add", old, CARDS)), cards), 1, 0))

                def compared(w: Expr) -> None:
                    one, two = (load(NODES, op("add", op("add", x, NODE), w)) for x in (old, node))
                    b.set(same, op("select", op("eq", one, two), same, 0))

                self.each_word(compared)
            b.set(found, op("select", same, other, 0))
            b.set(looking, op("select", same, 0, other))
            with b.when(op("ne", looking, 0)):
                b.set(slot, op("and", op("add", slot, 1), self.slots))

        b.loop(lambda: op("ne", looking, 0), look)
        with b.when(op("eq", found, 0)):
            b.guard(op("lt", self.most, self.nodes), 1)
            b.set(self.nodes, op("add", self.nodes, 1))
            b.set(found, self.nodes)
            b.store(FOUND, slot, op("add", self.stale, found))

    # -------------------------------------------------------------------------------------------- backwards

    def count(self, number: Expr) -> None:
        """Count the divisions from a node on, and set the upper bounds of its edges."""
        b, node = self.b, self.node(number)
        cards, place = (b.let(load(NODES, op("add", node, i))) for i in (CARDS, PLACE))
        first = b.let(op("add", op("add", place, 2), load(PLAN, op("add", place, 1))))
        after = self.node(op("add", number, 1))
        is_last = op("eq", op("add", number, 1), self.nodes)
        stop = b.let(op("select", is_last, self.words, load(NODES, op("add", after, PLACE))))
        edges = b.let(op("sub", op("div", op("sub", stop, first), EDGE), 1))
        top = b.mutable(-LARGE)

        def edge(i: Expr) -> Expr:
            return b.let(op("add", first, op("mul", i, EDGE)))

        def weight(at: Expr) -> tuple[Expr, Expr]:
            """The count of an edge's target, and the edge's exponent."""
            to = b.let(load(PLAN, op("add", at, 2)))
            there = self.node(op("sub", op("select", to, to, 1), 1))
            count = b.let(op("select", to, load(NODES, op("add", there, COUNT)), 1 << PRECISION - 1))
            below = op("select", to, load(NODES, op("add", there, EXPONENT)), 0)
            return count, b.let(op("add", below, load(BINOMIALS, op("add", self.binomial(cards, at), 1))))

        def highest(i: Expr) -> None:
            count, exponent = weight(edge(i))
            higher = op("select", op("lt", top, exponent), exponent, top)
            b.set(top, op("select", count, higher, top))

        total = b.mutable(0)

        def aligned(i: Expr) -> None:
            at = edge(i)
            count, exponent = weight(at)
            product = op("high", op("shl", count, 64 - PRECISION), load(BINOMIALS, self.binomial(cards, at)))
            behind = b.let(op("sub", top, exponent))
            shift = op("select", op("lt", behind, 63), behind, 63)
            value = b.let(
                op("select", count, op("shr", op("shl", product, 1), op("select", count, shift, 0)), 0)
            )
            b.store(PLAN, at, value)
            b.set(total, op("add", total, value))

        b.times(0, edges, highest)
        b.times(0, edges, aligned)
        b.store(NODES, op("add", node, COUNT), 0)
        with b.when(op("ne", total, 0)):
            over = b.let(op("sub", op("last", total), PRECISION - 1))
            whole = b.let(op("shr", total, over))
            b.store(NODES, op("add", node, COUNT), whole)
            b.store(NODES, op("add", node, EXPONENT), op("add", top, over))
            sum_ = b.mutable(0)

            def threshold(i: Expr) -> None:
                at = edge(i)
                b.set(sum_, op("add", sum_, load(PLAN, at)))
                part = b.let(op("shr", sum_, over))
                quotient, rest = b.mutable(0), b.mutable(part)
                for _ in range(DIGITS):
                    b.set(rest, op("shl", rest, DIGIT))
                    b.set(quotient, op("add", op("shl", quotient, DIGIT), op("div", rest, whole)))
                    b.set(rest, op("mod", rest, whole))
                below = op("shl", quotient, 63 - DIGITS * DIGIT)
                b.store(PLAN, at, op("sub", op("select", op("lt", part, whole), below, 0), 1))
                with b.when(op("eq", part, whole)):
                    b.store(PLAN, at, PARTS - 1)
                to = b.let(load(PLAN, op("add", at, 2)))
                there = self.node(op("sub", op("select", to, to, 1), 1))
                b.store(PLAN, op("add", at, 2), op("select", to, load(NODES, op("add", there, PLACE)), 0))

            b.times(0, edges, threshold)

    def binomial(self, cards: Expr, edge: Expr) -> Expr:
        """The position of the number of ways to pick an edge's cards."""
        row = op("mul", cards, MOST_MISSING + 1)
        return self.b.let(op("mul", op("add", row, load(PLAN, op("add", edge, 1))), 2))
