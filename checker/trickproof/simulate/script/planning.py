"""Counts the divisions of cards among hidden movements, and builds a plan for drawing one uniformly at random.

A dynamic program over the classes of cards and the ways of each: a state is the number of cards of the class
left, and the number still missing from each movement.  States are enumerated forwards, divisions counted
backwards.  It is written as an integer program because it runs before every decision.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from math import comb

from trickproof.information.plan import (
    DONE,
    EDGE,
    FIELD,
    FIELDS,
    HEAD,
    LIMITS,
    LISTS,
    MISSING,
    MOST,
    MOST_MISSING,
    MOVEMENT,
    NAMES_HEAD,
    NODE_HEAD,
    PARTS,
    RESULT,
    SHIFTED,
    STALE,
    TAKING,
    TOLD,
    Layout,
    Planned,
    Planner,
)
from trickproof.simulate.backends.jit import callable_of
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import MIX_1
from trickproof.simulate.ir.instructions import Expr, Routine, load, op
from trickproof.simulate.script.problem import (
    ASKED,
    LARGE,
    LAST_WAY,
    NEXT_CARDS,
    PROBLEM,
    ROW,
    ROW_CARDS,
    ROW_NAMES,
    ROW_WAY,
    TOO_FEW,
    TOO_MUCH,
    Problem,
)

MOST_NODES = 30_000
"""Maximum number of nodes of a plan."""

_MOST_WORDS = 1_000_000
"""Maximum number of words of a plan."""

_PRECISION = 44
"""Significant bits of a count, and so of the probabilities."""

_DIGIT, _DIGITS = 18, 3
"""Bits of a probability computed per division step, and the number of steps."""

_TABLE = 1 << 12
"""Slots of the hash table of nodes, so few that it stays in the processor's cache."""

_GUARDS = sum(1 << FIELD * i + FIELD - 1 for i in range(FIELDS))
"""The guard bits of all fields."""

_OUTER = ASKED, PROBLEM, "binomials", "plan", "nodes", "found"
_, _, _BINOMIALS, _PLAN, _NODES, _FOUND = _OUTER
"""The arrays: what is asked (`information.plan`); the problem; binomial coefficients; the plan; the nodes; the hash table of nodes."""

_NODE_CARDS, _PLACE, _COUNT, _EXPONENT, _BEFORE, _NODE = range(6)
"""A node: the number of cards left, its position in the plan, its count as mantissa and exponent, and the node before it in its
slot of the table; then the fields of missing cards.
"""

_MOST_NODE_WORDS = 1 << 10
"""More than the words of a node of a plan."""


@cache
def planner(backend: str) -> Planner:
    """A function that computes plans, in machine code or in plain Python, with the same results."""
    return _Caller(backend).run


class _Caller:
    """Calls the routine with arrays that are reused between calls."""

    def __init__(self, backend: str) -> None:
        self._function = callable_of(_routine(), backend)
        self._plan = array("q", bytes(8 * _MOST_WORDS))
        self._binomials, self._found = array("q", _binomials()), array("q", bytes(8 * _TABLE))
        self._nodes, self._problem = array("q"), array("q")
        self._stale = 0

    def run(self, layout: Layout, sizes: Sequence[int], masks: Sequence[int]) -> Planned:
        """See `Planner`."""
        words, width = layout.words[:], layout.width
        end = HEAD + MOVEMENT * layout.movements
        words[HEAD:end:MOVEMENT] = array("q", sizes)
        for at, mask in zip(layout.masks, masks, strict=True):
            words[at] = mask
        words[MOST], words[STALE] = MOST_NODES, self._stale
        size, rows = (MOST_NODES + 1) * (_NODE + width), width + (layout.rows + 1) * (ROW + 3 * width)
        if len(self._nodes) < size:
            self._nodes = array("q", bytes(8 * size))
        if len(self._problem) < rows:
            self._problem = array("q", bytes(8 * rows))
        self._function(words, self._problem, self._binomials, self._plan, self._nodes, self._found)
        self._stale += MOST_NODES + 1
        result, plan = words[RESULT], self._plan[: words[DONE]]
        known, certain, behind = layout.answers
        return Planned(
            None if result == TOO_MUCH else plan,
            result != TOO_FEW,
            words[known:certain].tolist(),
            words[certain:behind].tolist(),
            words[HEAD + MISSING : end : MOVEMENT].tolist(),
        )


def _binomials() -> list[int]:
    """Binomial coefficients of up to 63 cards, as mantissa and exponent."""
    words: list[int] = []
    for cards in range(MOST_MISSING + 1):
        for number in range(MOST_MISSING + 1):
            exact = comb(cards, number)
            exponent = exact.bit_length() - _PRECISION
            words += (exact >> exponent if exponent > 0 else exact << -exponent, exponent)
    return words


def _routine() -> Routine:
    """The dynamic program: enumerates nodes with their edges, then counts backwards from the last node."""
    b = Builder(_OUTER)
    _Programme(b).run()
    return b.routine


class _Programme:
    """Writes the routine."""

    def __init__(self, b: Builder) -> None:
        self.b, self.problem = b, Problem(b)
        self.width = self.problem.width
        self.most, self.stale = b.let(load(ASKED, MOST)), b.let(load(ASKED, STALE))
        self.rows, self.row_words = self.width, self.problem.row_words
        self.node_words = b.let(op("add", self.width, _NODE))
        self.nodes, self.words = b.mutable(1), b.mutable(1)
        self.begin, self.end = b.mutable(0), b.mutable(1)

    def run(self) -> None:
        b = self.b
        with b.scope():
            self.problem.write()
            b.store(_NODES, _NODE_CARDS, op("count", load(PROBLEM, self.rows)))
            self.each_word(lambda w: b.store(_NODES, op("add", w, _NODE), load(PROBLEM, w)))
            number = op("div", op("sub", self.problem.end, self.rows), self.row_words)
            b.times(0, op("sub", number, 1), self.names)
            b.times(0, op("sub", number, 1), self.layer)
        b.store(ASKED, RESULT, "left")
        b.store(_PLAN, 0, 0)
        b.store(ASKED, DONE, op("select", op("eq", "left", 0), 1, 0))
        with b.when(op("select", op("eq", "left", 0), op("lt", self.rows, self.problem.end), 0)):
            b.times(0, op("sub", self.nodes, 1), lambda i: self.count(op("sub", op("sub", self.nodes, 1), i)))
            b.store(_PLAN, 0, op("select", load(_NODES, _COUNT), load(_NODES, _PLACE), 0))
            b.store(ASKED, DONE, op("select", load(_NODES, _COUNT), self.words, 0))

    def each_word(self, body: Callable[[Expr], None]) -> None:
        self.b.times(0, op("sub", self.width, 1), body)

    def node(self, number: Expr) -> Expr:
        """The position of a node."""
        return self.b.let(op("mul", number, self.node_words))

    # --------------------------------------------------------------------------------------------- forwards

    def row(self, number: Expr) -> Expr:
        """The position of a row."""
        return self.b.let(op("add", self.rows, op("mul", number, self.row_words)))

    def names(self, number: Expr) -> None:
        """Write the movements on the ways of a row."""
        b, row, at = self.b, self.row(number), self.b.let(self.words)
        last = b.let(load(PROBLEM, op("add", row, LAST_WAY)))
        b.store(PROBLEM, op("add", row, ROW_NAMES), at)
        b.store(_PLAN, op("add", at, 1), -1)
        b.set(self.words, op("add", at, NAMES_HEAD))
        self.named(b.let(load(PROBLEM, op("add", row, ROW_WAY))), at)
        with b.when(last):
            self.named(last, op("add", at, 1))

    def layer(self, number: Expr) -> None:
        """Expand the nodes of a row into those of the next."""
        b, row = self.b, self.row(number)
        b.times(self.begin, op("sub", self.end, 1), lambda i: self.listed(row, self.node(i)))
        b.set(self.begin, self.end)
        b.set(self.end, self.nodes)

    def listed(self, row: Expr, node: Expr) -> None:
        """Write a node and its edges."""
        b = self.b
        cards = b.let(load(_NODES, op("add", node, _NODE_CARDS)))
        way, last = (b.let(load(PROBLEM, op("add", row, i))) for i in (ROW_WAY, LAST_WAY))
        place = b.let(self.words)
        b.guard(op("lt", _MOST_WORDS - _MOST_NODE_WORDS, place), TOO_MUCH)
        b.store(_NODES, op("add", node, _PLACE), place)
        b.store(_PLAN, place, load(PROBLEM, op("add", row, ROW_CARDS)))
        b.store(_PLAN, op("add", place, 1), load(PROBLEM, op("add", row, ROW_NAMES)))
        b.set(self.words, op("add", place, NODE_HEAD))
        most = b.mutable(cards)
        lists, limits = (self.problem.asked(way, i) for i in (LISTS, LIMITS))
        self.problem.limited(lists, limits, most, _NODES, op("add", node, _NODE))
        b.times(0, most, lambda n: self.edge(row, node, cards, n, last))

    def named(self, way: Expr, number: Expr) -> None:
        """Write the movements on a way, and their number at a position."""
        b = self.b
        lists, limits, told = (self.problem.asked(way, i) for i in (LISTS, LIMITS, TOLD))
        names, at = b.let(op("add", lists, op("mul", limits, 2))), b.let(self.words)
        b.store(_PLAN, number, told)
        b.times(
            0,
            op("sub", told, 1),
            lambda i: b.store(_PLAN, op("add", at, i), load(ASKED, op("add", names, i))),
        )
        b.set(self.words, op("add", at, told))

    def edge(self, row: Expr, node: Expr, cards: Expr, number: Expr, last: Expr) -> None:
        """Write the edge for a number of cards taking the way, if what is then missing can still be filled."""
        b, next_node = self.b, self.node(self.nodes)
        rest = b.let(op("sub", cards, number))
        left = b.let(op("select", last, load(PROBLEM, op("add", row, NEXT_CARDS)), rest))
        gone = b.let(op("select", last, rest, 0))
        """The cards that go by the last way."""
        fits, key = b.mutable(1), b.mutable(left)

        def word(w: Expr) -> None:
            step, later, onward = (
                b.let(load(PROBLEM, op("add", op("add", op("add", row, ROW), op("mul", self.width, i)), w)))
                for i in range(3)
            )
            have = b.let(load(_NODES, op("add", op("add", node, _NODE), w)))
            before = b.let(op("sub", have, op("mul", number, step)))
            missing = b.let(op("sub", before, op("mul", gone, onward)))
            room = op("sub", op("or", before, _GUARDS), op("mul", gone, onward))
            b.store(_NODES, op("add", op("add", next_node, _NODE), w), missing)
            others = op("mul", op("sub", rest, gone), onward)
            at_most = b.let(op("or", op("add", later, others), _GUARDS))
            needed = op("and", missing, load(ASKED, op("add", self.problem.mandatory, w)))
            enough = b.let(op("eq", op("and", op("and", op("sub", at_most, needed), room), _GUARDS), _GUARDS))
            b.set(fits, op("select", enough, fits, 0))
            b.set(key, op("wrap-mul", op("xor", key, missing), MIX_1))
            b.set(key, op("xor", key, op("shr", key, 32)))

        self.each_word(word)
        with b.when(op("ne", fits, 0)):
            b.store(_NODES, op("add", next_node, _NODE_CARDS), left)
            found = b.mutable(0)
            is_end = op("eq", op("add", row, self.row_words), self.problem.end)
            with b.when(op("not", is_end)):
                self.find(next_node, left, key, found)
            at = b.let(self.words)
            b.store(_PLAN, op("add", at, 1), op("or", number, op("shl", found, SHIFTED)))
            b.set(self.words, op("add", at, EDGE))

    def find(self, node: Expr, cards: Expr, key: Expr, found: str) -> None:
        """The number of the successor node: an existing one that is equal, or a new one.

        A slot of the table has the last node of this row with such a key, and each node the one before it.
        """
        b, slot = self.b, self.b.let(op("and", key, _TABLE - 1))
        kept = b.let(load(_FOUND, slot))
        first = b.let(
            op("select", op("lt", op("add", self.stale, self.end), kept), op("sub", kept, self.stale), 0)
        )
        other = b.mutable(first)

        def look() -> None:
            old = self.node(op("sub", other, 1))
            same = b.mutable(op("select", op("eq", load(_NODES, op("add", old, _NODE_CARDS)), cards), 1, 0))

            def compared(w: Expr) -> None:
                one, two = (load(_NODES, op("add", op("add", x, _NODE), w)) for x in (old, node))
                b.set(same, op("select", op("eq", one, two), same, 0))

            self.each_word(compared)
            b.set(found, op("select", same, other, 0))
            b.set(other, op("select", same, 0, load(_NODES, op("add", old, _BEFORE))))

        b.loop(lambda: op("ne", other, 0), look)
        with b.when(op("eq", found, 0)):
            b.guard(op("lt", self.most, self.nodes), TOO_MUCH)
            b.set(self.nodes, op("add", self.nodes, 1))
            b.set(found, self.nodes)
            b.store(_FOUND, slot, op("add", self.stale, found))
            b.store(_NODES, op("add", node, _BEFORE), first)

    # -------------------------------------------------------------------------------------------- backwards

    def count(self, number: Expr) -> None:
        """Count the divisions from a node on, and set the upper bounds of its edges."""
        b, node = self.b, self.node(number)
        cards, place = (b.let(load(_NODES, op("add", node, i))) for i in (_NODE_CARDS, _PLACE))
        first = b.let(op("add", place, NODE_HEAD))
        after = self.node(op("add", number, 1))
        is_last = op("eq", op("add", number, 1), self.nodes)
        stop = b.let(op("select", is_last, self.words, load(_NODES, op("add", after, _PLACE))))
        edges = b.let(op("sub", op("div", op("sub", stop, first), EDGE), 1))
        top = b.mutable(-LARGE)

        def edge(i: Expr) -> Expr:
            return b.let(op("add", first, op("mul", i, EDGE)))

        def target(at: Expr) -> tuple[Expr, Expr]:
            """The number of the next node, and its position."""
            to = b.let(op("shr", load(_PLAN, op("add", at, 1)), SHIFTED))
            return to, self.node(op("sub", op("select", to, to, 1), 1))

        def weight(at: Expr) -> tuple[Expr, Expr]:
            """The count of an edge's target, and the edge's exponent."""
            to, there = target(at)
            count = b.let(op("select", to, load(_NODES, op("add", there, _COUNT)), 1 << _PRECISION - 1))
            below = op("select", to, load(_NODES, op("add", there, _EXPONENT)), 0)
            return count, b.let(op("add", below, load(_BINOMIALS, op("add", self.binomial(cards, at), 1))))

        def highest(i: Expr) -> None:
            count, exponent = weight(edge(i))
            higher = op("select", op("lt", top, exponent), exponent, top)
            b.set(top, op("select", count, higher, top))

        total = b.mutable(0)

        def aligned(i: Expr) -> None:
            at = edge(i)
            count, exponent = weight(at)
            product = op(
                "high", op("shl", count, 64 - _PRECISION), load(_BINOMIALS, self.binomial(cards, at))
            )
            behind = b.let(op("sub", top, exponent))
            shift = op("select", op("lt", behind, 63), behind, 63)
            value = b.let(
                op("select", count, op("shr", op("shl", product, 1), op("select", count, shift, 0)), 0)
            )
            b.store(_PLAN, at, value)
            b.set(total, op("add", total, value))

        b.times(0, edges, highest)
        b.times(0, edges, aligned)
        b.store(_NODES, op("add", node, _COUNT), 0)
        with b.when(op("ne", total, 0)):
            over = b.let(op("sub", op("last", total), _PRECISION - 1))
            whole = b.let(op("shr", total, over))
            b.store(_NODES, op("add", node, _COUNT), whole)
            b.store(_NODES, op("add", node, _EXPONENT), op("add", top, over))
            sum_ = b.mutable(0)

            def threshold(i: Expr) -> None:
                at = edge(i)
                b.set(sum_, op("add", sum_, load(_PLAN, at)))
                part = b.let(op("shr", sum_, over))

                def below() -> None:
                    quotient, rest = b.mutable(0), b.mutable(part)
                    for _ in range(_DIGITS):
                        b.set(rest, op("shl", rest, _DIGIT))
                        b.set(quotient, op("add", op("shl", quotient, _DIGIT), op("div", rest, whole)))
                        b.set(rest, op("mod", rest, whole))
                    b.store(_PLAN, at, op("sub", op("shl", quotient, 63 - _DIGITS * _DIGIT), 1))

                b.either(op("lt", part, whole), below, lambda: b.store(_PLAN, at, PARTS - 1))
                to, there = target(at)
                onward = op("select", to, load(_NODES, op("add", there, _PLACE)), 0)
                b.store(_PLAN, op("add", at, 1), op("or", self.taking(at), op("shl", onward, SHIFTED)))

            b.times(0, edges, threshold)

    def binomial(self, cards: Expr, edge: Expr) -> Expr:
        """The position of the number of ways to pick an edge's cards."""
        row = op("mul", cards, MOST_MISSING + 1)
        return self.b.let(op("mul", op("add", row, self.taking(edge)), 2))

    def taking(self, edge: Expr) -> Expr:
        """How many cards take the way of an edge."""
        return op("and", load(_PLAN, op("add", edge, 1)), TAKING)
