"""The fixed action numbering of a program: its cards in deck order, other values, `done`.

Values other than cards come in blocks, each present only if the rules ask for such a value: suits, ranks,
players, teams, the values of each option type, `no` and `yes`, integers, `none`. The last two are `blindly`,
one card that the player cannot see (if the rules have such draws), and `done`, which ends a choice of an open
number of cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trickproof.analysis.intervals import Interval, reachable_intervals
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import Value

BLINDLY, DONE = "blindly", "done"

PLAIN = ("suit", "rank", "player", "team")
"""Types whose values depend only on the program's size, in block order."""

WIDEST = 1000
"""Wider ranges of numbers are not turned into actions."""


class OutsideNumbersError(ValueError):
    """The rules ask for a number without an action: pass a wider range when creating the game."""


@dataclass(frozen=True)
class Actions:
    """`names[a]` is the name of action `a`; `first[kind]` the first action of a block (see the module)."""

    names: tuple[str, ...]
    first: dict[str, int]
    lowest: int
    highest: int

    def __len__(self) -> int:
        return len(self.names)

    @property
    def done(self) -> int:
        return len(self.names) - 1

    @property
    def blindly(self) -> int:
        return len(self.names) - 2

    def of_value(self, kind: c.Type, value: Value) -> int:
        """The action that chooses a value. Raises OutsideNumbersError for a number out of range."""
        if not isinstance(value, int):
            return self.first["none"]
        if kind == c.INTEGER and not self.lowest <= value <= self.highest:
            raise OutsideNumbersError(
                f"{value} is to be chosen from, and actions are there for {self.lowest} to {self.highest}: "
                f"say `numbers=(lowest, highest)`"
            )
        return self.first[_block(kind)] + value - (self.lowest if kind == c.INTEGER else 0)


def _block(kind: c.Type) -> str:
    return f"option {kind.option}" if kind.kind == "option" else kind.kind


def actions_of(program: c.Program, numbers: tuple[int, int] | None = None) -> Actions:
    """The actions of a program; `numbers` bounds the numbers to choose, if the rules do not.

    By default these are 0 and the number of cards.
    """
    nodes = list(walk(*program.phases))
    values = [x for x in nodes if isinstance(x, c.ChooseValue)]
    lowest, highest = numbers or _offered_numbers(program, values) or (0, len(program.deck.cards))
    names: list[str] = list(program.deck.cards)
    first = {"card": 0}
    kinds = {_block(x.value_type): x.value_type for x in values}
    for block, kind in sorted(kinds.items(), key=lambda item: (_rank(item[1]), item[0])):
        if block not in first:
            first[block] = len(names)
            names += _words(program, kind, lowest, highest)
    if any(x.or_none for x in values):
        first["none"] = len(names)
        names.append("none")
    return Actions((*names, BLINDLY, DONE), first, lowest, highest)


def _offered_numbers(program: c.Program, choices: Iterable[c.ChooseValue]) -> tuple[int, int] | None:
    """The lowest and highest number that can be chosen, (0, -1) if there is none; None if it is unbounded."""
    intervals, offered = reachable_intervals(program), list[Interval]()
    for t in choices:
        if t.value_type == c.INTEGER:
            offered.append(intervals.elements(t.domain))
    if not offered:
        return 0, -1
    bounds = [
        (x.low, x.high)
        for x in offered
        if x.low is not None and x.high is not None and x.high - x.low <= WIDEST
    ]
    if len(bounds) < len(offered):
        return None
    return min(low for low, _ in bounds), max(high for _, high in bounds)


def _rank(kind: c.Type) -> int:
    order = (*PLAIN, "option", "boolean", "integer", "card")
    return order.index(kind.kind)


def _words(program: c.Program, kind: c.Type, lowest: int, highest: int) -> Iterator[str]:
    deck = program.deck
    match kind.kind:
        case "suit":
            yield from deck.suits
        case "rank":
            yield from deck.ranks
        case "player":
            yield from (f"player {p}" for p in range(program.players))
        case "team":
            yield from (f"team {i}" for i in range(len(program.teams)))
        case "option":
            yield from program.options[kind.option]
        case "boolean":
            yield from ("no", "yes")
        case "integer":
            yield from map(str, range(lowest, highest + 1))
