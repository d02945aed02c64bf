"""A ruleset under construction: a plain game's rules, modified by features; finally YAML text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

SEATS = {
    2: ("dealer", "left of dealer"),
    3: ("dealer", "left of dealer", "right of dealer"),
    4: ("dealer", "left of dealer", "opposite of dealer", "right of dealer"),
}

SUITS = {"H": "hearts", "S": "spades", "C": "clubs", "D": "diamonds"}

HIGH_FIRST = "AKQJT98765432"


@dataclass(frozen=True, slots=True)
class Size:
    """Players, suits, ranks per suit, cards per hand."""

    players: int
    suits: int
    ranks: int
    hand: int

    @property
    def spare(self) -> int:
        """Cards that are in nobody's hand."""
        return self.suits * self.ranks - self.players * self.hand


SMALL = (
    Size(2, 2, 2, 1),
    Size(2, 2, 2, 2),
    Size(2, 2, 2, 2),
    Size(2, 2, 3, 2),
    Size(2, 2, 3, 3),
    Size(3, 2, 2, 1),
    Size(3, 2, 2, 1),
    Size(3, 2, 3, 2),
    Size(3, 2, 3, 2),
    Size(4, 2, 2, 1),
)
"""Few enough cards to enumerate every deal."""

FULL = {2: Size(2, 4, 13, 13), 3: Size(3, 4, 13, 16), 4: Size(4, 4, 13, 12)}
"""The usual deck, by number of players."""

TRUMPS = """\
if some player has suit of played = trump
then players with the highest rank of played among players with suit of played = trump
else players with the highest rank of played among players with suit of played = led"""

NO_TRUMPS = "players with the highest rank of played among players with suit of played = led"

FOLLOW = """\
if some card in hand has suit = led
then cards in hand with suit = led
else hand"""

OVER = """\
for p in players:
    over of p becomes tricks of p - target of p"""

PAYOUT = """\
for p in players:
    payout of p becomes over of p"""

TRICK = (
    "leader plays 1 card of may-lead of leader as played of leader",
    "led becomes followed-suit of played of leader",
    "do others-play",
    "leader becomes only player in trick-winner",
    "tricks of leader becomes tricks of leader + 1",
    "announce trick: player leader, winner leader, cards trick",
    "put trick into tricks-taken of leader",
    "for p in players:\n    played of p becomes none",
    "do after-trick",
)

HAND = (
    "shuffle",
    "do deal",
    "do targets",
    "do before-play",
    "do play",
    "do scoring",
    "do payout",
    "announce score: over over, scores score, payouts payout",
    "if end:\n    the match ends, won by winner",
)


@dataclass
class Draft:
    """The parts that features change.

    `steps` are lists of statements that become rules; `rules` has the text of all others.
    """

    rng: Random
    size: Size
    parameters: dict[str, str] = field(default_factory=dict)
    state: dict[str, str] = field(default_factory=dict)
    rules: dict[str, str] = field(default_factory=dict)
    steps: dict[str, list[str]] = field(default_factory=dict)
    readings: dict[str, list[str]] = field(default_factory=dict)
    invariants: dict[str, tuple[str, str]] = field(default_factory=dict)
    teams: str = ""
    features: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.steps = {
            "hand": list(HAND),
            "trick": list(TRICK),
            "match-start": [],
            "between-hands": ["dealer becomes next-dealer", "first-hand becomes false"],
            "deal": [
                f"for p in players, clockwise from left of dealer:\n    deal {self.n} cards to hand of p"
            ],
            "targets": self.plain_targets(),
            "exchange-timing": ["dealer chooses trump"] if self.rng.random() < 0.3 else [],
            "play": [
                "leader becomes lead",
                "hand-size becomes number of hand of leader",
                "repeat hand-size times:\n    do trick",
            ],
            "after-trick": [],
            "scoring": [OVER],
            "payout": [PAYOUT],
        }
        most = self.rng.choice((self.n, (self.n + 1) // 2 + self.n // 2))
        self.rules = {
            "lead": "left of dealer",
            "follow": FOLLOW,
            "trick-winner": TRUMPS if self.steps["exchange-timing"] else NO_TRUMPS,
            "end": f"some player has tricks >= {most}",
            "winner": f"players with tricks >= {most}",
            "next-dealer": "left of dealer",
        }

    @property
    def n(self) -> int:
        """Cards per hand."""
        return self.size.hand

    @property
    def seats(self) -> tuple[str, ...]:
        return SEATS[self.size.players]

    def plain_targets(self, shift: int = 0) -> list[str]:
        """Targets that sum to the tricks of a deal, plus `shift`."""
        each, rest = divmod(self.n, self.size.players)
        targets = [each + (i < rest) for i in range(self.size.players)]
        targets[0] += shift
        return [
            f"target of {seat} becomes {target}" for seat, target in zip(self.seats, targets, strict=True)
        ]

    def insert(self, rule: str, step: str, after: str = "", before: str = "") -> None:
        """Insert a step into a rule, after or before the step with the given prefix, or else at the end."""
        steps = self.steps[rule]
        start = after or before
        place = next((i for i, text in enumerate(steps) if start and text.startswith(start)), None)
        if place is None:
            steps.append(step)
        else:
            steps.insert(place + bool(after), step)

    def change(self, rule: str, start: str, text: str | None) -> None:
        """Replace the step with the given prefix; None removes it."""
        steps = self.steps[rule]
        place = next((i for i, step in enumerate(steps) if step.startswith(start)), None)
        if place is not None:
            steps[place : place + 1] = [] if text is None else [text]

    def texts(self) -> dict[str, str]:
        """The text of every rule except those with readings and those of the standard vocabulary."""
        standard = {"hand": list(HAND), "trick": list(TRICK)}
        own = {rule: steps for rule, steps in self.steps.items() if steps != standard.get(rule)}
        texts = {rule: "\n".join(steps) or "nothing happens" for rule, steps in own.items()}
        return texts | {rule: text for rule, text in self.rules.items() if rule not in self.readings}

    def text(self, name: str, other: Mapping[str, str] | None = None) -> str:
        """The YAML text; `other` replaces the text of some rules."""
        ranks, suits = HIGH_FIRST[: self.size.ranks][::-1], list(SUITS)[: self.size.suits]
        lines = [f"ruleset: {name}", f"title: {', '.join(self.features) or 'a plain game'}"]
        teams = f", teams: {self.teams}" if self.teams else ""
        lines.append(f"players: {{number: {self.size.players}{teams}, assumes: a test}}")
        lines += ["deck:", f"  ranks: {' '.join(ranks)}"]
        lines += [f"  suits: {' '.join(f'{s}={SUITS[s]}' for s in suits)}", "  assumes: a test"]
        for section, entries in (("parameters", self.parameters), ("state", self.state)):
            if entries:
                lines += [f"{section}:", *(f"  {key}: {value}" for key, value in entries.items())]
        lines.append("rules:")
        for rule, text in {**self.texts(), **(other or {})}.items():
            lines += [f"  {rule}:", "    rule: |", textwrap.indent(text, " " * 6), "    assumes: a test"]
        for rule, texts in self.readings.items():
            lines += [f"  {rule}:", "    readings:"]
            for i, text in enumerate(texts):
                lines += [f"      - name: way-{i + 1}", f"        says: way {i + 1}", "        rule: |"]
                lines += [textwrap.indent(text, " " * 10), "        assumes: a test"]
        if self.invariants:
            lines.append("invariants:")
            for invariant, (text, when) in self.invariants.items():
                lines += [f"  {invariant}:", "    rule: |", textwrap.indent(text, " " * 6)]
                lines += [f"    when: {when}", "    assumes: a test"]
        return "\n".join(lines) + "\n"
