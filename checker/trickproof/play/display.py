"""What a person at the table sees: only what a player may see, in lines that fit the terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from trickproof.analysis.information_flow import public_variables
from trickproof.english.playout import verbs_of
from trickproof.english.vocabulary import plain
from trickproof_dsl import core as c
from trickproof_dsl.compiled.evaluator import Value
from trickproof_dsl.compiled.state import Decision, Event, State
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset
from trickproof_dsl.playing import visible
from trickproof_dsl.scenarios.json_values import value_json

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RED = ("D", "H")

NARROWEST = 24
"""Columns that are used even where there are fewer."""

SEATS = {2: ("you", "the other"), 3: ("you", "left", "right"), 4: ("you", "left", "across", "right")}
"""Players as the person calls them, clockwise."""

_KNOWN = frozenset(
    [
        "dealer",
        "first-hand",
        "trump",
        "target",
        "tricks",
        "over",
        "score",
        "payout",
        "hand-size",
        "leader",
        "led",
        "played",
    ]
)
"""Variables that have places of their own, or that nobody asks for."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the terminal can show; `columns` is asked anew each time, as a terminal can be made narrower."""

    signs: bool = False
    colour: bool = False
    columns: Callable[[], int] = lambda: 80

    @property
    def width(self) -> int:
        """Characters of a line."""
        return max(self.columns(), NARROWEST)

    def strong(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def red(self, text: str) -> str:
        return f"\x1b[31m{text}\x1b[0m" if self.colour else text

    def wrapped(self, text: str, indent: str = "", hanging: str | None = None) -> Iterator[str]:
        """A text without colours in lines."""
        rest = indent + "    " if hanging is None else hanging
        yield from textwrap.wrap(
            text, self.width, initial_indent=indent, subsequent_indent=rest, break_on_hyphens=False
        )


def shown_width(text: str) -> int:
    """Characters that a text takes on the terminal: colours take none."""
    return len(re.sub(r"\x1b\[[0-9]*m", "", text))


class View:
    """The table as one player sees it."""

    def __init__(self, ruleset: Ruleset, seat: int, look: Look) -> None:
        self.ruleset, self.program, self.seat, self.look = ruleset, ruleset.program, seat, look
        self._verbs = verbs_of(ruleset)
        self._targets, self._public = _targets(self.program), public_variables(self.program)
        nodes = walk(self.program.setup, self.program.hand, self.program.between)
        self._choices = frozenset(node.label for node in nodes if isinstance(node, c.ChooseValue))

    # ------------------------------------------------------------------------------------------- names

    def name(self, player: int) -> str:
        """A player as the person calls them."""
        seats, offset = self.program.players, (player - self.seat) % self.program.players
        return SEATS[seats][offset] if seats in SEATS else "you" if offset == 0 else f"player {player}"

    def card(self, card: int) -> str:
        """A card as it is typed, or with the sign of its suit."""
        deck = self.program.deck
        letter = deck.suit_letters[deck.card_suit[card]]
        text = deck.cards[card][0] + (SIGNS.get(letter, letter) if self.look.signs else letter)
        return self.look.red(text) if letter in RED else text

    def cards(self, cards: Iterable[int]) -> str:
        return " ".join(self.card(x) for x in self.sorted(cards))

    def sorted(self, cards: Iterable[int]) -> list[int]:
        """By suit, the highest first."""
        deck = self.program.deck
        return sorted(cards, key=lambda x: (deck.card_suit[x], -deck.card_rank[x], x))

    def value(self, kind: c.Type, value: Value) -> str:
        """A value of a choice in words."""
        if value is None:
            return "none"
        if kind.kind == "player":
            return self.name(value)
        if kind.kind == "suit":
            return self.program.deck.suits[value]
        if kind.kind == "card":
            return self.card(value)
        if kind.kind == "boolean":
            return "yes" if value else "no"
        if kind == c.CARDS:
            return self.cards(value) or "none"
        if kind == c.PLAYERS:
            return ", ".join(self.name(p) for p in sorted(value)) or "nobody"
        return plain(str(value_json(self.program, kind, value)))

    # ------------------------------------------------------------------------------------------- events

    def events(self, events: Sequence[Event], state: State) -> Iterator[str]:
        """What happened, in words; cards that the person may not see are only counted."""
        trick: list[str] = []
        for event in events:
            told = {key: value for key, _, value in event.fields}
            if event.name == "play" and "card" in told:
                trick.append(f"{self.name(told['player'])} {self.card(told['card'])}")
                continue
            if trick:
                yield "played: " + ", ".join(trick)
                trick = []
            if event.name == "trick" and "winner" in told:
                yield f"{self._says(told['winner'], 'take')} the trick"
            elif event.name not in ("score", "end"):
                yield self._event(event, told, state)
        if trick:
            yield "played: " + ", ".join(trick)

    def _says(self, player: int, verb: str) -> str:
        return f"you {verb}" if player == self.seat else f"{self.name(player)} {verb}s"

    def _event(self, event: Event, told: dict[str, Value], state: State) -> str:
        cards = frozenset((told["card"],)) if "card" in told else told.get("cards")
        verb = self._verbs.get(event.name)
        moved = verb is not None and cards is not None
        if "player" not in told or not (moved or event.name in self._choices):
            fields = (f"{plain(key)} {self._field(kind, value)}" for key, kind, value in event.fields)
            return f"{plain(event.name)}: {', '.join(fields)}"
        who = told["player"]
        if cards is None or verb is None:
            values = (self._field(kind, value) for key, kind, value in event.fields if key != "player")
            return f"{self._says(who, 'choose')} {plain(event.name)} {' '.join(values)}"
        seen = self._sees(event.name, told, state)
        what = self.cards(cards) if seen else f"{len(cards)} card{'s' * (len(cards) != 1)}"
        ends = "".join(f" {word} {self.name(told[word])}" for word in ("from", "to") if word in told)
        said = verb if who != self.seat else _plural(verb)
        return f"{self.name(who)} {said} {what}{ends}"

    def _field(self, kind: c.Type, value: Value) -> str:
        if isinstance(value, tuple):
            if kind == c.CARDS:
                return " ".join(self.card(x) for x in value)
            return " ".join(self.value(kind, x) for x in value)
        return self.value(kind, value)

    def _sees(self, label: str, told: dict[str, Value], state: State) -> bool:
        """Whether the person sees the cards of a move: gives or gets them, or they lie open."""
        if self.seat in (told["player"], told.get("to"), told.get("from")):
            return True
        places = self._targets.get(label, ())
        return bool(places) and all(self.program.zones[zone].seen_by == "everyone" for zone in places)

    # -------------------------------------------------------------------------------------------- table

    def heading(self, state: State, hand: int) -> str:
        """Number of the hand, dealer, trump, tricks."""
        variables, parts = state.variables, [f"hand {hand}"]
        if variables.get(("dealer",)) is not None:
            parts.append(f"{self._says(variables[('dealer',)], 'deal')}")
        if variables.get(("trump",)) is not None:
            parts.append(f"trump {self.value(c.SUIT, variables[('trump',)])}")
        if variables.get(("hand-size",)) and ("tricks", 0) in variables:
            done = sum(variables[("tricks", p)] for p in range(self.program.players))
            if done < variables[("hand-size",)]:
                parts.append(f"trick {done + 1} of {variables[('hand-size',)]}")
        return " · ".join(parts) if self.look.signs else ", ".join(parts)

    def standing(self, state: State) -> Iterator[str]:
        """Tricks, targets, results and scores, a line a player, the person first."""
        names = ["tricks", "target", "over", "score"]
        seats = [(self.seat + n) % self.program.players for n in range(self.program.players)]
        shown = [
            name
            for name in names
            if ("tricks", 0) in state.variables
            and (name, 0) in state.variables
            and (name == "tricks" or any(state.variables[(name, p)] for p in seats))
        ]
        if not shown:
            return
        width = max(len(self.name(p)) for p in seats)
        heads = ["last" if name == "over" and state.decision is not None else name for name in shown]
        yield " " * (width + 2) + "".join(f"{head:>8}" for head in heads)
        for p in seats:
            cells = (
                f"{state.variables[(n, p)]:+d}" if n == "over" else str(state.variables[(n, p)])
                for n in shown
            )
            yield f"  {self.name(p):<{width}}" + "".join(f"{cell:>8}" for cell in cells)

    def more(self, state: State) -> Iterator[str]:
        """What a game says beyond the standard vocabulary: its own variables, and cards that lie open."""
        told = []
        for info in self.program.variables.values():
            kept = info.name in _KNOWN or info.name not in self._public
            if kept or info.type.kind in ("card", "cards"):
                continue
            if info.of == () and state.variables[(info.name,)] != info.initial:
                told.append(f"{plain(info.name)} {self.value(info.type, state.variables[(info.name,)])}")
            elif info.of == (c.PLAYER,):
                values = [state.variables[(info.name, p)] for p in range(self.program.players)]
                if any(value != info.initial for value in values):
                    each = (f"{self.name(p)} {self.value(info.type, v)}" for p, v in enumerate(values))
                    told.append(f"{plain(info.name)} {', '.join(each)}")
        if told:
            yield from self.look.wrapped("; ".join(told), "  ")
        for key, cards in sorted(visible(state, self.seat).items(), key=str):
            if cards and key != ("hand", self.seat) and key[0] != "trick":
                whose = f" of {self.name(key[1])}" if len(key) == 2 else ""
                yield f"  {plain(key[0])}{whose}: {self.cards(cards)}"

    def trick(self, state: State) -> str | None:
        """The cards on the table, in the order they were played."""
        variables, seats = state.variables, self.program.players
        leader = variables.get(("leader",))
        if ("played", 0) in variables and leader is not None:
            order = [(leader + n) % seats for n in range(seats)]
            played = [(p, variables[("played", p)]) for p in order if variables[("played", p)] is not None]
            told = ", ".join(f"{self.name(p)} {self.card(card)}" for p, card in played)
        else:
            told = " ".join(self.card(x) for x in state.zones.get(("trick",), ()))
        return f"on the table: {told}" if told else None

    def hand(self, state: State) -> Iterator[str]:
        """The person's cards by suit; trumps are marked."""
        held, deck = self.sorted(state.zones.get(("hand", self.seat), ())), self.program.deck
        trump = state.variables.get(("trump",))
        for suit in range(len(deck.suits)):
            mine = [x for x in held if deck.card_suit[x] == suit]
            if mine:
                mark = "*" if suit == trump else " "
                width = max(len(name) for name in deck.suits)
                cards = " ".join(self.card(x) for x in mine)
                yield f"  {mark} {deck.suits[suit]:<{width}}  {cards}"

    # ------------------------------------------------------------------------------------------- choices

    def question(self, decision: Decision) -> str:
        """What is asked, in words."""
        to = f" to {self.name(decision.to)}" if decision.to is not None else ""
        whose = f" of {self.name(decision.whose)}" if decision.whose is not None else ""
        if decision.type != c.CARDS:
            return f"choose {plain(decision.label)}{to}"
        low, high = decision.low, decision.high
        number = str(low) if low == high else f"{low} to {high}"
        cards = "card" if (low, high) == (1, 1) else "cards"
        verb = _plural(self._verbs.get(decision.label, decision.label))
        return f"{verb} {number} {cards}{whose}{to}"


def _targets(program: c.Program) -> dict[str, tuple[str, ...]]:
    """The zones that the cards of a move go to, by its label."""
    found: dict[str, tuple[str, ...]] = {}
    for node in walk(program.setup, program.hand, program.between):
        if isinstance(node, c.Move):
            found[node.label] = (*found.get(node.label, ()), node.target.zone)
    return found


def _plural(verb: str) -> str:
    """What you do, where another "gives": "give", "pick up", "pass"."""
    first, _, rest = verb.partition(" ")
    if first.endswith(("sses", "shes", "ches", "xes", "zes")):
        first = first[:-2]
    elif first.endswith("ies"):
        first = first[:-3] + "y"
    elif first.endswith("s") and not first.endswith("ss"):
        first = first[:-1]
    return f"{first} {rest}".strip()
