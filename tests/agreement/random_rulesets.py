"""Random small rulesets, well typed by construction: a deal of a few statements made of typed phrases.

2 to 4 players, 6 to 13 cards, random deals, exchanges, a kitty, discards, choices of values, assignments,
conditions, loops in every kind of order, shows, and at most four tricks of play; then a next dealer and steps
between deals that read what the deal left. Every phrase is rule text; it need not make sense, so that rules
occasionally fail, in the interpreter as in every other engine.

`ruleset_of` draws the ruleset of a seed; `rulesets` and `longer_rulesets` are the corresponding hypothesis
strategies, which shrink a failing ruleset.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from hypothesis import settings, strategies as st

from agreement.random_phrases import Choose, Phrases, Scope

T = TypeVar("T")

CALM = settings()
"""The settings of the run's profile (tests/conftest.py)."""

FILE = """\
ruleset: random
title: A random game
players: {players}
deck:
  ranks: {ranks}
  suits: {suits}
options:
  call: pass | play-on | double
state:
  n: {{type: integer}}
  m: {{type: integer, of: player}}
  due: {{type: integer, of: [player, player]}}
  who: {{type: player}}
  kept: {{type: cards, of: player}}
  one: {{type: card}}
  yes: {{type: boolean}}
  some-players: {{type: players}}
  said: {{type: call, of: player}}
rules:
  worth:
    of: card c
    rule: if suit of c = clubs then 2 else if suit of c = trump then 1 else 0
    assumes: a test
  hand:
    rule: |
{hand}
    assumes: a test
  next-dealer:
    rule: |
{next_dealer}
    assumes: a test
  between-hands:
    rule: |
{between}
    assumes: a test
"""


class Writer(Phrases):
    """Generates statements."""

    # ---------------------------------------------------------------------------------------- statements

    def statement(self, s: Scope, depth: int) -> str:
        simple = (self.assignment, self.exchange, self.cards_moved, self.choice, self.told)
        if depth <= 0:
            return self.pick(simple)(s)
        nested = (self.branch, self.branch, self.loop, self.loop, self.loop)
        kind = self.pick((*simple, *nested))
        return kind(s, depth) if kind in nested else kind(s)  # type: ignore[operator]

    def block(self, s: Scope, depth: int) -> str:
        lines = [self.statement(s, depth) for _ in range(self.pick((1, 2)))]
        return textwrap.indent("\n".join(lines), "    ")

    def assignment(self, s: Scope) -> str:
        return self.one_of(
            (
                lambda: f"n becomes {self.number(s)}",
                lambda: f"m of {self.player(s)} becomes {self.number(s)}",
                lambda: f"over of {self.player(s)} becomes {self.number(s)}",
                lambda: f"due({self.player(s)}, {self.player(s)}) becomes {self.number(s)}",
                lambda: f"who becomes {self.player(s, 2)}",
                lambda: f"leader becomes {self.player(s, 2)}",
                lambda: "who becomes none",
                lambda: f"yes becomes {self.truth(s)}",
                lambda: f"trump becomes {self.suit(s, 2)}",
                lambda: f"kept of {self.player(s)} becomes {self.cards(s, 2)}",
                lambda: f"some-players becomes {self.group(s, 2)}",
                lambda: f"one becomes only card in {self.cards(s, 2)}",
                lambda: f"said of {self.player(s)} becomes {self.pick(('pass', 'double'))}",
            )
        )

    def exchange(self, s: Scope) -> str:
        giver, taker = self.player(s), self.player(s)
        taker = f"left of {giver}" if giver == taker else taker
        count = self.pick(("1", "1", "2", f"over of {giver}", f"-over of {taker}", self.number(s, 1)))
        many = self.pick(
            (f"{count} cards", f"up to {count} cards", "any number of cards", f"between 1 and {count} cards")
        )
        which = self.pick(
            ("hand", "hand", f"hand with suit = {self.suit(s, 1)}", f"hand with ({self.about_card(s, 1)})")
        )
        if many == "1 cards":
            many = "1 card"
        degree = self.pick(("highest", "lowest"))
        return self.pick(
            (
                f"{giver} gives {many} of {which} to {taker} as gift({giver}, {taker})",
                f"{giver} gives {many} of {which} to {taker} as gift({giver}, {taker})",
                f"{taker} returns {degree} of hand matching gift({giver}, {taker}) to {giver} as returned({taker}, {giver})",
                f"{taker} returns top ({count}) of hand by height from hand to {giver} as returned({taker}, {giver})",
                f"{giver} passes kept of {giver} from hand to {taker}",
                f"{giver} draws 1 card of hand of {taker} blindly",
            )
        )

    def cards_moved(self, s: Scope) -> str:
        p = self.player(s)
        many = self.pick(("1 card", "2 cards", "any number of cards", f"up to {self.number(s, 1)} cards"))
        return self.one_of(
            (
                lambda: f"{p} discards {many} of hand",
                lambda: f"{p} discards {many} of hand with suit = {self.suit(s, 1)}",
                lambda: f"{p} discards {self.cards(s, 1)} from hand",
                lambda: f"{p} picks-up kitty as picked-up",
                lambda: f"{p} picks-up {many} of kitty as picked-up",
                lambda: f"put {self.cards(s, 1)} from hand of {p} into discards",
                lambda: f"put kitty into hand of {p}",
                lambda: f"put kitty into hand of (if number of kitty > 1 then {p} else {self.player(s)})",
                lambda: f"put discards into hand of {self.player(s, 2)}",
                lambda: f"deal {self.pick(('1 card', self.number(s, 1) + ' cards'))} to hand of {p}",
                lambda: "deal the rest to kitty",
                lambda: f"{p} plays 1 card of hand as played of {p}",
                lambda: f"{p} plays 1 card of {self.cards(s, 0)} from hand as played of {p}",
            )
        )

    def choice(self, s: Scope) -> str:
        p = self.player(s)
        return self.one_of(
            (
                lambda: f"{p} chooses trump",
                lambda: f"{p} chooses trump from suits or none",
                lambda: f"{p} chooses trump with ({self.truth(s, 1)})",
                lambda: (
                    f"{p} chooses n from {self.pick((0, 1))} to {self.pick((2, 3))} with n != {self.number(s, 1)}"
                ),
                lambda: f"{p} chooses m of {p} from 0 to 2",
                lambda: f"{p} chooses who from {self.group(s, 1)}{self.pick(('', ' or none'))}",
                lambda: f"{p} chooses leader from players with leader != {self.player(s)}",
                lambda: f"{p} chooses said of {p}",
                lambda: f"{p} chooses yes",
                lambda: f"{p} chooses one from {self.cards(s, 0)}",
            )
        )

    def told(self, s: Scope) -> str:
        p = self.player(s)
        return self.pick(
            (
                f"{p} shows {self.cards(s, 1)} to everyone",
                f"{p} shows cards in hand with suit = {self.suit(s, 1)} to {self.player(s)}",
                f"announce something: player {p}, cards {self.cards(s, 1)}",
            )
        )

    def branch(self, s: Scope, depth: int) -> str:
        made = f"if {self.truth(s)}:\n{self.block(s, depth - 1)}"
        return made if self.chance(2) else f"{made}\nelse:\n{self.block(s, depth - 1)}"

    def loop(self, s: Scope, depth: int) -> str:
        if self.chance(5):
            return f"repeat {self.pick((2, 1, 3))} times:\n{self.block(s, depth - 1)}"
        if self.chance(6):
            x = self.name()
            body = textwrap.indent(f"n becomes n * 2 + {x}\n{self.statement(s, depth - 1)}", "    ")
            return f"for {x} in {self.pick((0, 1))} to {self.pick((2, 1, 3))}:\n{body}"
        if self.chance(8):
            x = self.name()
            return f"for {x} in players, simultaneously:\n    {x} passes 1 card of hand to left of {x}"
        x = self.name()
        among = self.group(s, 1)
        return f"for {x} in {among}{self.order(s, x)}:\n{self.block(s.with_player(x), depth - 1)}"

    def order(self, s: Scope, x: str) -> str:
        circle = f"{self.pick(('clockwise', 'anticlockwise'))} from {self.player(s)}"
        keys = ", ".join(
            f"{self.pick(('highest', 'lowest'))} {self.pick(('over', 'm', 'score', 'number of hand'))} first"
            for _ in range(self.pick((1, 2)))
        )
        return self.pick(
            (
                "",
                f", {circle}",
                f", {keys}, then {circle}",
                f", {keys}, ties impossible",
                f", {keys}, ties open",
            )
        )

    def play(self, rounds: str = "") -> str:
        """Up to four tricks, or as `rounds` says."""
        follow = self.pick(
            ("hand", "(if some card in hand has suit = led then cards in hand with suit = led else hand)")
        )
        key = self.pick(("rank", "height"))
        winner = self.pick(
            (
                f"players with the highest {key} of played among players with suit of played = led",
                f"players with the highest {key} of played among players with suit of played = trump",
                "players with the lowest rank of played",
                "players with the highest m among players with suit of played = led",
            )
        )
        return textwrap.dedent(f"""\
            leader becomes {self.pick(("left of dealer", "dealer", "who"))}
            repeat {rounds or f"{self.pick((1, 2, 3, 4))} times"}:
                leader plays 1 card of hand as played of leader
                led becomes suit of played of leader
                for y in players other than leader, clockwise from leader:
                    y plays 1 card of {follow} as played of y
                leader becomes only player in {winner}
                tricks of leader becomes tricks of leader + 1
                put trick into tricks-taken of leader
                for z in players:
                    played of z becomes none""")

    def hand(self) -> str:
        each = self.pick(range(1, min(4, self.size // self.players) + 1))
        lines = ["shuffle"]
        lines.append(
            f"for d in players{self.pick(('', ', clockwise from left of dealer'))}:\n    deal {each} cards to hand of d"
        )
        if self.chance(2):
            lines.append(
                f"deal {self.pick(('the rest', '1 card', '2 cards'))} to kitty".replace(
                    "the rest cards", "the rest"
                )
            )
        if not self.chance(4):  # so that fewer missing values are read
            lines += [
                "who becomes left of dealer",
                "leader becomes right of dealer",
                f"one becomes {self.a_card()}",
            ]
            lines += [f"trump becomes {self.pick(self.suit_names)}", "led becomes clubs"]
            lines.append(
                f"for e in players:\n    m of e becomes {self.pick(('score of e', 'over of e', '1'))}"
            )
        lines += [self.statement(Scope(), 2) for _ in range(self.pick((1, 2, 3, 4)))]
        if self.chance(4):
            lines.append(self.play())
            if self.chance(2):
                lines.append("over of leader becomes tricks of leader - 1")
        if self.chance(6):
            ending = self.pick(("the hand ends", "deal again"))
            lines.insert(-1, f"if {self.truth(Scope(), 1)}:\n    {ending}")
        if self.chance(8):
            lines.append(f"if {self.truth(Scope())}:\n    the match ends, won by {self.group(Scope(), 1)}")
        return "\n".join(lines)

    def next_dealer(self) -> str:
        """A player, often depending on what the deal has left."""
        return self.one_of(
            (
                lambda: "left of dealer",
                lambda: f"if tricks of dealer >= {self.pick((1, 2))} then dealer else left of dealer",
                lambda: f"if n > {self.pick((0, 1))} then right of dealer else left of dealer",
                lambda: "if leader = none then left of dealer else leader",
                lambda: f"if {self.truth(Scope(), 1)} then dealer else {self.player(Scope(), 1)}",
                lambda: "only player in players with the highest tricks",
            )
        )

    def between(self) -> str:
        """Steps between deals, without choices; occasionally the match ends there."""
        lines = ["dealer becomes next-dealer", "first-hand becomes false"]
        lines += [self.after_hand() for _ in range(self.pick((0, 1, 2)))]
        if self.chance(8):
            lines.append("if tricks of dealer > 1:\n    the match ends, won by players with tricks > 1")
        return "\n".join(lines)

    def after_hand(self) -> str:
        return self.one_of(
            (
                lambda: "for p in players:\n    score of p becomes score of p + tricks of p + m of p",
                lambda: f"over of dealer becomes n - {self.pick((0, 1, 2))}",
                lambda: f"over of {self.player(Scope(), 1)} becomes {self.number(Scope(), 1)}",
                lambda: (
                    f"if trump = {self.pick(self.suit_names)}:\n    score of dealer becomes score of dealer + 1"
                ),
                lambda: f"if {self.truth(Scope(), 1)}:\n    n becomes n + 1\n    score of dealer becomes n",
                lambda: f"tricks of dealer becomes 0\n{self.assignment(Scope())}",
            )
        )

    def ruleset(self) -> str:
        """A ruleset with a short play phase, or none."""
        return self._file(self.hand())

    def longer_ruleset(self) -> str:
        """A ruleset that plays all cards of a hand, or until the hands are empty."""
        each = self.size // self.players
        lines = [
            "shuffle",
            f"for d in players:\n    deal {each} cards to hand of d",
            "deal the rest to kitty",
        ]
        lines += [self.statement(Scope(), 1) for _ in range(self.pick((0, 1, 2)))]
        lines += ["who becomes left of dealer", "hand-size becomes number of hand of dealer"]
        rounds = (
            "hand-size times",
            "until hand of leader is empty",
            "until hand of dealer is empty, at most 9 times",
        )
        lines.append(self.play(self.pick(rounds)))
        for _ in range(self.pick((0, 1))):
            lines.append(textwrap.indent(self.statement(Scope(), 1), "    "))
        return self._file("\n".join(lines))

    def _file(self, hand: str) -> str:
        ranks = " ".join(self.ranks)
        return FILE.format(
            players=self.players,
            ranks=ranks,
            suits=self.suits,
            hand=textwrap.indent(hand, " " * 6),
            next_dealer=textwrap.indent(self.next_dealer(), " " * 6),
            between=textwrap.indent(self.between(), " " * 6),
        )


def ruleset_of(seed: int, longer: bool = False) -> str:
    """The text of the random ruleset of a seed."""
    writer = Writer(Random(seed).choice)
    return writer.longer_ruleset() if longer else writer.ruleset()


@st.composite
def rulesets(draw: st.DrawFn) -> str:
    """The text of a random ruleset."""
    return Writer(_drawing(draw)).ruleset()


@st.composite
def longer_rulesets(draw: st.DrawFn) -> str:
    """The text of a random ruleset with a longer play phase."""
    return Writer(_drawing(draw)).longer_ruleset()


def _drawing(draw: st.DrawFn) -> Choose:
    def choose(among: Sequence[T], /) -> T:
        return draw(st.sampled_from(tuple(among)))

    return choose
