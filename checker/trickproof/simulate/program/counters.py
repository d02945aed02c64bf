"""Counting of hands and matches, as part of the integer program.

Counting relies on the standard vocabulary (`tricks`, `over`, `target`, `score`, `payout`, `dealer`, moves
called `give`) as far as a ruleset has it.  Seats count clockwise from the dealer of the hand.  All counts are
integers; totals of disjoint sets of matches can be added, whoever played them.
"""

from __future__ import annotations

from trickproof.analysis.dependencies import assigned_by_rules
from trickproof.analysis.target_met import target_met
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.calling_convention import NOTED
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
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.lowering.facts import is_declared
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk


def countable(program: c.Program) -> CounterLayout:
    """What can be counted for a program: the standard variables that it declares as the prelude does, and assigns."""
    assigned = assigned_by_rules(program)

    def maintained(name: str) -> bool:
        return name in assigned and is_declared(program, name, c.INTEGER, (c.PLAYER,))

    dealer = program.variables.get("dealer")
    return CounterLayout(
        program.players,
        dealer is not None and dealer.type == c.PLAYER and not dealer.of,
        maintained("tricks"),
        maintained("over"),
        target_met(program),
        maintained("score"),
        maintained("score") and program.variables["score"].carried,
        maintained("payout"),
        any(isinstance(x, c.Move) and x.label == "give" for x in walk(program.hand)),
        tuple(sum(1 << p for p in team) for team in program.teams),
    )


class Counters:
    """Writes the counting instructions."""

    def __init__(self, b: Builder, layout: CounterLayout, records: bool) -> None:
        self.b, self.layout, self.records = b, layout, records
        self.sums = b.array("batch", len(layout.measures) + 1)
        self.whole = b.array("match", len(layout.measures) + 1)
        """Sums over the current batch and match; the last entry is the number of hands."""
        b.array("first", 1)
        self.before = b.array("before", layout.players) if layout.carried else ""

    def add(self, name: str, value: Expr, offset: Expr = 0) -> None:
        at = op("add", self.layout.offsets[name], offset)
        self.b.store("totals", at, op("add", load("totals", at), value))

    def sides(self, winners: Expr) -> Expr:
        """Number of winning sides, partners counted as one."""
        if not self.layout.sides:
            return op("count", winners)
        won: Expr = 0
        for side in self.layout.sides:
            won = op("add", won, op("ne", op("and", winners, side), 0))
        return won

    def begin_hand(self) -> None:
        self.b.set("m.dealer", 0)
        self.b.set("m.given", 0)

    def dealt(self, first: Expr) -> None:
        """Remember the dealer, and the first dealer of the match."""
        if self.layout.seat:
            dealer = self.b.let(load("v.dealer", 0))
            dealer = self.b.let(op("select", op("lt", dealer, 0), 0, dealer))
            self.b.set("m.dealer", dealer)
            self.b.store("first", 0, op("select", first, dealer, load("first", 0)))
        for p in range(self.layout.players) if self.layout.carried else ():
            self.b.store(self.before, p, load("v.score", p))

    def gave(self, cards: Expr) -> None:
        self.b.set("m.given", op("add", "m.given", op("count", cards)))

    def player(self, seat: int, dealer: Expr = "m.dealer") -> Expr:
        moved = self.b.let(op("add", dealer, seat))
        return self.b.let(
            op("select", op("le", self.layout.players, moved), op("sub", moved, self.layout.players), moved)
        )

    def hand(self) -> None:
        """Count a complete hand."""
        b, values = self.b, {}
        self.add("hands", 1)
        for s in range(self.layout.players):
            p = self.player(s)
            if self.layout.tricks:
                tricks = b.let(clamped(b.let(load("v.tricks", p)), -FAR, FAR))
                values[f"tricks.{s}"] = tricks
                self.add(f"tricks#{s}", 1, clamped(tricks, 0, TRICKS - 1))
            if self.layout.over:
                over = b.let(clamped(b.let(load("v.over", p)), -FAR, FAR))
                values[f"over.{s}"] = over
                self.add(f"over#{s}", 1, op("add", clamped(over, -OVER // 2, OVER // 2 - 1), OVER // 2))
            if self.layout.met:
                values[f"met.{s}"] = self.met(p)
            if self.layout.score:
                score = b.let(load("v.score", p))
                score = b.let(op("sub", score, load(self.before, p))) if self.layout.carried else score
                values[f"scored.{s}"] = b.let(clamped(score, -FAR, FAR))
            if self.layout.payout:
                values[f"paid.{s}"] = b.let(clamped(b.let(load("v.payout", p)), -FAR, FAR))
        if self.layout.give:
            values["given"] = b.let("m.given")
            self.add("given#", 1, clamped("m.given", 0, TRICKS - 1))
        for i, name in enumerate(self.layout.measures):
            b.store(self.sums, i, op("add", load(self.sums, i), values[name]))
        number = len(self.layout.measures)
        b.store(self.sums, number, op("add", load(self.sums, number), 1))

    def met(self, p: Expr) -> Expr:
        """Whether a player has met the target."""
        over = self.layout.over
        number = self.b.let(load("v.over" if over else "v.tricks", p))
        bound: Expr = 0 if over else self.b.let(load("v.target", p))
        if self.layout.met == "=":
            return op("eq", number, bound)
        return op("le", bound, number) if self.layout.met == ">=" else op("le", number, bound)

    def full(self) -> Expr:
        """Whether the batch has reached its maximum number of hands."""
        return op("le", BATCH, load(self.sums, len(self.layout.measures)))

    def close_batch(self) -> None:
        """Add one observation, if the batch is not empty."""
        b, number = self.b, len(self.layout.measures)
        hands = b.let(load(self.sums, number))
        with b.when(op("ne", hands, 0)):
            self.add("batches", 1)
            self.add("batch", hands)
            self.add("batch2", op("mul", hands, hands))
            for i, name in enumerate(self.layout.measures):
                x = b.let(load(self.sums, i))
                self.add(name, x)
                self.add(f"{name}*2", op("mul", x, x))
                self.add(f"{name}*n", op("mul", x, hands))
                if self.records:
                    b.store(self.whole, i, op("add", load(self.whole, i), x))
                b.store(self.sums, i, 0)
            b.store(self.sums, number, 0)
            if self.records:
                b.store(self.whole, number, op("add", load(self.whole, number), hands))

    def broken(self, code: Expr) -> None:
        """Count a hand in which the rules failed at run time."""
        self.add("broken", 1)
        self.add("left", 1, clamped(code, 0, MOST_CODES - 1))

    def match(self, ended: Expr, length: Expr) -> None:
        """Count a match that is over; `ended` is false if it was abandoned."""
        b = self.b
        with b.when(op("not", ended)):
            self.add("unfinished", 1)
        with b.when(ended):
            self.add("matches", 1)
            self.add("lengths", length)
            self.add("lengths2", op("mul", length, length))
            self.add("length", 1, clamped(length, 0, LENGTHS - 1))
            winners, first = b.let(load("winners", 0)), b.let(load("first", 0))
            self.add("winners", 1, self.b.let(self.sides(winners)))
            for s in range(self.layout.players):
                self.add(f"wins.{s}", op("and", op("shr", winners, self.player(s, first)), 1))
                self.add(f"last.{s}", op("and", op("shr", winners, self.player(s)), 1))
                if self.layout.score:
                    score = b.let(load("v.score", self.player(s, first)))
                    score = b.let(clamped(score, -FAR_SCORE, FAR_SCORE))
                    self.add(f"score.{s}", score)
                    self.add(f"score2.{s}", op("mul", score, score))
        if self.records:
            self.record(ended)

    def record(self, ended: Expr) -> None:
        """Write one line per match: whether it ended, its number of hands, sums of the measures."""
        b, number = self.b, len(self.layout.measures)
        at = b.let(load("io", NOTED))
        b.store("notes", at, ended)
        b.store("notes", op("add", at, 1), load(self.whole, number))
        for i in range(number):
            b.store("notes", op("add", at, 2 + i), load(self.whole, i))
        for i in range(number + 1):
            b.store(self.whole, i, 0)
        b.store("io", NOTED, op("add", at, number + 2))


def clamped(x: Expr, low: int, high: int) -> Expr:
    """Clamp a number to a range."""
    return op("select", op("lt", x, low), low, op("select", op("lt", high, x), high, x))
