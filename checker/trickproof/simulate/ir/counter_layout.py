"""What can be counted for a ruleset, and the position of each count in the totals."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

BATCH = 128
"""Hands of one match that form one observation; hands further apart are almost independent."""

LENGTHS = 1024
"""Number of match lengths counted separately."""

MOST_CODES = 256
"""Number of exit codes counted separately."""

FAR, FAR_SCORE = 1 << 14, 1 << 20
"""Numbers and scores are clamped to these, so that no sum of squares overflows a word."""

TRICKS = 64
OVER = 128
"""Number of deviations counted separately, from -64."""


@dataclass(frozen=True)
class CounterLayout:
    """What can be counted for a ruleset, and where each count begins."""

    players: int
    seat: bool
    tricks: bool
    over: bool
    met: str
    """How `over` compares with 0, or tricks with the target, if the target is met; empty if the rules do not say."""
    score: bool
    carried: bool
    """Whether scores are carried from deal to deal, so that a deal's score is their change."""
    payout: bool
    give: bool
    sides: tuple[int, ...] = ()
    """Partnerships, each a mask of players; empty if everybody plays alone."""
    offsets: dict[str, int] = field(default_factory=dict)
    size: int = 0

    @property
    def measures(self) -> list[str]:
        """Quantities measured for every hand: `tricks.0`, …; each is summed, along with its spread over batches."""
        seats = range(self.players)
        kinds = [("tricks", self.tricks), ("over", self.over), ("met", self.met)]
        kinds += [("scored", self.score), ("paid", self.payout)]
        names = [f"{name}.{s}" for name, there in kinds if there for s in seats]
        return names + (["given"] if self.give else [])


def with_offsets(layout: CounterLayout) -> CounterLayout:
    """The layout with a position assigned to every count."""
    offsets: dict[str, int] = {}
    at = 0

    def take(name: str, size: int) -> None:
        nonlocal at
        offsets[name], at = at, at + size

    seats = range(layout.players)
    for name in ("hands", "matches", "unfinished", "lengths", "lengths2", "batches", "batch", "batch2"):
        take(name, 1)
    take("broken", 1)
    take("left", MOST_CODES)
    take("length", LENGTHS)
    for s in seats:
        take(f"wins.{s}", 1)
        take(f"last.{s}", 1)
        if layout.tricks:
            take(f"tricks#{s}", TRICKS)
        if layout.over:
            take(f"over#{s}", OVER)
        if layout.score:
            take(f"score.{s}", 1)
            take(f"score2.{s}", 1)
    take("winners", layout.players + 1)
    if layout.give:
        take("given#", TRICKS)
    for name in layout.measures:
        for suffix in ("", "*2", "*n"):
            take(name + suffix, 1)
    return replace(layout, offsets=offsets, size=at)
