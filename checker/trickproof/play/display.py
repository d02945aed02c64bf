"""The table from the person's seat: only what a player may see, in lines that fit the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from trickproof.analysis.information_flow import public_variables
from trickproof.analysis.usage import STANDARD, program_usage
from trickproof.english.inflection import base_form, counted
from trickproof.english.playout import CHOSEN, called, verbs_of, yes_or_no
from trickproof.english.vocabulary import plain
from trickproof.reports.text import Page, by_suit, filled, hand_parts, rank_name, suit_sign
from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset
from trickproof_dsl.playing import visible
from trickproof_dsl.scenarios.json_values import value_json
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.values import Key, Value

NEIGHBOURS = {
    "left": "the player on your left",
    "right": "the player on your right",
    "opposite": "the player opposite you",
}
"""Names of seats, as they stand after a preposition."""

SEATS = {2: ("you", "the other"), 3: ("you", "left", "right"), 4: ("you", "left", "opposite", "right")}
"""The person's names for the players, clockwise."""

_KNOWN = frozenset(["first-hand", *STANDARD])
"""Variables that are displayed elsewhere or not at all."""


class View:
    """The table as one player sees it."""

    def __init__(self, ruleset: Ruleset, seat: int, page: Page) -> None:
        self.ruleset, self.program, self.seat, self.page = ruleset, ruleset.program, seat, page
        self._verbs = verbs_of(ruleset)
        self._targets, self._public = _targets(self.program), public_variables(self.program)
        nodes = list(walk(*self.program.phases))
        self._choices = frozenset(node.label for node in nodes if isinstance(node, c.ChooseValue))
        self._untold = any(
            node.actor is None and "hand" in (node.source.zone, node.target.zone)
            for node in nodes
            if isinstance(node, c.Move)
        )
        """Whether cards of hands may move without an event."""
        self._shows = frozenset(node.label for node in nodes if isinstance(node, c.Show)) - {*self._targets}

    # ------------------------------------------------------------------------------------------- names

    def name(self, player: int) -> str:
        """The person's name for a player."""
        seats, offset = self.program.players, (player - self.seat) % self.program.players
        return SEATS[seats][offset] if seats in SEATS else "you" if offset == 0 else f"player {player}"

    def _neighbour(self, player: int) -> str:
        """A player after a preposition: cards are passed `to the player on your left`."""
        name = self.name(player)
        return NEIGHBOURS.get(name, name)

    def card(self, card: int) -> str:
        """A card as players write it: `10♥`."""
        deck = self.program.deck
        return rank_name(deck.cards[card][0]) + suit_sign(deck.suit_letters[deck.card_suit[card]])

    def cards(self, cards: Iterable[int]) -> str:
        return " ".join(self.card(x) for x in self.sorted(cards))

    def sorted(self, cards: Iterable[int]) -> list[int]:
        """Sort cards by suit, highest first."""
        return [card for _, held in by_suit(self.program.deck, cards) for card in held]

    def listed(self, decision: Decision, hidden_order: Random) -> list[Value]:
        """The options in numbering order."""
        if decision.type != c.CARDS:
            return list(decision.legal)
        if not decision.blind:
            return list(self.sorted(decision.legal))
        hidden = list(decision.legal)
        hidden_order.shuffle(hidden)
        return hidden

    def value(self, kind: c.Type, value: Any) -> str:
        """The value of a choice in words."""
        if value is None:
            return "none"
        if kind.kind == "player":
            return self.name(value)
        if kind.kind == "suit":
            return str(self.program.deck.suits[value])
        if kind.kind == "card":
            return self.card(value)
        if kind.kind == "boolean":
            return "yes" if value else "no"
        if kind == c.INTEGER:
            return str(value)
        if kind == c.CARDS:
            return self.cards(value) or "none"
        if kind == c.PLAYERS:
            return ", ".join(self.name(p) for p in sorted(value)) or "nobody"
        return plain(str(value_json(self.program, kind, value)))

    # ------------------------------------------------------------------------------------------- events

    def events(self, events: Sequence[Event], state: State) -> Iterator[str]:
        """Events in words; cards that the person may not see are only counted."""
        trick: list[str] = []
        told = 0
        for number, event in enumerate(events):
            if number < told:
                continue
            fields = {key: value for key, _, value in event.fields}
            if event.name == "play" and None not in (fields.get("player"), fields.get("card")):
                trick.append(f"{self.name(fields['player'])} {self.card(fields['card'])}")
                continue
            if trick:
                yield "played: " + ", ".join(trick)
                trick = []
            if event.name == "trick" and fields.get("winner") is not None:
                yield f"{self._says(fields['winner'], 'take')} the trick"
            elif self._shown_to_everyone(event) == events[number : number + self.program.players]:
                told = number + self.program.players
                yield f"{self._says(fields['player'], 'show')} {self.cards(fields['cards'])} to everyone"
            elif event.name not in ("score", "end"):
                yield self._event(event, fields, state)
        if trick:
            yield "played: " + ", ".join(trick)

    def _shown_to_everyone(self, event: Event) -> list[Event]:
        """The events of showing the same cards to each player in turn."""
        return [
            Event(event.name, tuple((k, t, p if k == "to" else x) for k, t, x in event.fields))
            for p in range(self.program.players)
            if event.name in self._shows
        ]

    def _shown(self, state: State) -> dict[int, frozenset[int]]:
        """By holder, the cards of a hand that were shown to the person and have certainly not left it since.

        That a card is gone must not be learnt from this, so a hand is forgotten when cards move that the person does not see.
        """
        shown: dict[int, frozenset[int]] = {}
        for event in () if self._untold else state.events:
            fields = {key: value for key, _, value in event.fields}
            if "cards" not in fields and "card" not in fields:
                continue
            if event.name in self._shows:
                if fields["to"] == self.seat:
                    player = fields["player"]
                    shown[player] = shown.get(player, frozenset()) | fields["cards"]
            elif event.name in self._targets and not self._sees(event.name, fields):
                for key in fields.keys() & {"player", "from", "to"}:
                    shown.pop(fields[key], None)
        return {
            player: cards & frozenset(state.zones.get(("hand", player), ()))
            for player, cards in shown.items()
        }

    def _says(self, player: int, verb: str) -> str:
        return f"you {verb}" if player == self.seat else f"{self.name(player)} {verb}s"

    def _event(self, event: Event, fields: dict[str, Any], state: State) -> str:
        card = fields.get("card")
        cards = fields.get("cards") if card is None else frozenset((card,))
        verb = self._verbs.get(event.name)
        moved = verb is not None and cards is not None
        if fields.get("player") is None or not (moved or event.name in self._choices):
            parts = (f"{plain(key)} {self._field(kind, value)}" for key, kind, value in event.fields)
            return f"{plain(event.name)}: {', '.join(parts)}"
        who = fields["player"]
        if cards is None or verb is None:
            if (answer := next((x for _, kind, x in event.fields if kind == c.BOOLEAN), None)) is not None:
                return f"{self._says(who, 'say')} {yes_or_no(bool(answer))} to “{plain(event.name)}”"
            values = (self._field(kind, value) for key, kind, value in event.fields if key != "player")
            verb, *name = (
                ("choose", self._called(event.name))
                if event.name not in CHOSEN
                else (base_form(CHOSEN[event.name]),)
            )
            return " ".join((self._says(who, verb), *name, *values))
        seen = self._sees(event.name, fields)
        what = self.cards(cards) if seen else counted(len(cards), "card")
        if fields.get("to") == who:
            return f"{self._says(who, 'look')} at {what}"
        ends = "".join(
            f" {word} {self._neighbour(fields[word])}" for word in ("from", "to") if word in fields
        )
        said = verb if who != self.seat else base_form(verb)
        return f"{self.name(who)} {said} {what}{ends}"

    def _field(self, kind: c.Type, value: Any) -> str:
        if isinstance(value, tuple):
            if kind == c.CARDS:
                return " ".join(self.card(x) for x in value)
            return " ".join(self.value(kind, x) for x in value)
        return self.value(kind, value)

    def _sees(self, label: str, fields: dict[str, Any]) -> bool:
        """Whether the person sees the cards of a move: as giver or receiver, or because they lie face up."""
        if self.seat in (fields["player"], fields.get("to"), fields.get("from")):
            return True
        zones = self._targets.get(label, ())
        return bool(zones) and all(self.program.zones[zone].seen_by == "everyone" for zone in zones)

    # -------------------------------------------------------------------------------------------- table

    def _standard(self, state: State) -> dict[Key, Any]:
        """The variables that are what the standard vocabulary says, if they have a name of it."""
        odd = program_usage(self.program).odd
        return {key: value for key, value in state.variables.items() if key[0] not in odd}

    def heading(self, state: State, hand: int) -> str:
        """The number of the deal, dealer, trump, tricks."""
        variables, parts = self._standard(state), [f"deal {hand}"]
        if variables.get(("dealer",)) is not None:
            parts.append(f"{self._says(variables[('dealer',)], 'deal')}")
        if variables.get(("trump",)) is not None:
            parts.append(f"trump {self.value(c.SUIT, variables[('trump',)])}")
        if variables.get(("hand-size",)) and ("tricks", 0) in variables:
            done = sum(variables[("tricks", p)] for p in range(self.program.players))
            if done < variables[("hand-size",)]:
                parts.append(f"trick {done + 1} of {variables[('hand-size',)]}")
        return " · ".join(parts)

    def standing(self, state: State) -> Iterator[str]:
        """Tricks, targets, results and scores, one line per player, the person first."""
        names, variables = ["tricks", "target", "over", "score"], self._standard(state)
        seats = [(self.seat + n) % self.program.players for n in range(self.program.players)]
        shown = [
            name
            for name in names
            if ("tricks", 0) in variables
            and all((name, p) in variables for p in seats)
            and (
                name == "tricks"
                or any(variables[(name, p)] for p in seats)
                or (
                    name == "over"
                    and state.decision is None
                    and any(variables.get(("target", p)) for p in seats)
                )
            )
        ]
        if not shown:
            return
        heads = ["last deal" if name == "over" and state.decision is not None else name for name in shown]
        rows = [["", *heads]]
        for p in seats:
            values = ((name, variables[(name, p)]) for name in shown)
            team = next((team for team in self.program.teams if self.seat in team), ())
            partner = " (partner)" * (p in team and p != self.seat)
            rows.append(
                [
                    self.name(p) + partner,
                    *(f"{x:+d}" if name == "over" and x else str(x) for name, x in values),
                ]
            )
        yield from self.page.aligned(rows, right=range(1, len(rows[0])))

    def more(self, state: State) -> Iterator[str]:
        """State outside the standard vocabulary: the game's own variables, and cards that lie face up."""
        parts = []
        for info in self.program.variables.values():
            elsewhere = info.name in _KNOWN or info.name not in self._public
            if elsewhere or info.type.kind in ("card", "cards"):
                continue
            if info.of == () and state.variables[(info.name,)] != info.initial:
                value = self.value(info.type, state.variables[(info.name,)])
                parts.append(f"{self._called(info.name).removeprefix('the ')} {value}")
            elif info.of == (c.PLAYER,):
                asked = state.decision is not None and state.decision.label == info.name
                chosen = [
                    x for e in state.events if e.name == info.name for _, k, x in e.fields if k == c.PLAYER
                ]
                first = chosen[0] if chosen else self.seat
                seats = [(first + n) % self.program.players for n in range(self.program.players)]
                values = [(p, state.variables[(info.name, p)]) for p in seats]
                if any(value != info.initial for _, value in values):
                    each = (
                        f"{self.name(p)} {self.value(info.type, v)}"
                        for p, v in values
                        if not asked or v != info.initial or p in chosen
                    )
                    parts.append(f"{plain(info.name)} {', '.join(each)}")
        if parts:
            yield from self.page.wrapped("; ".join(parts), "  ", 6)
        for key, cards in sorted(visible(state, self.seat).items(), key=str):
            if cards and key != ("hand", self.seat) and key[0] != "trick":
                of, owners = self.program.zones[key[0]].of, key[1:]
                whose = f" of {self.value(of[0], owners[0])}" if len(of) == 1 else ""
                yield f"  {plain(key[0])}{whose}: {self.cards(cards)}"
        for player, held in sorted(self._shown(state).items()):
            if held and player != self.seat:
                yield f"  shown by {self.name(player)}: {self.cards(held)}"

    def trick(self, state: State) -> str | None:
        """The cards on the table, in playing order."""
        variables, seats = self._standard(state), self.program.players
        leader = variables.get(("leader",))
        if ("played", 0) in variables and leader is not None:
            order = [(leader + n) % seats for n in range(seats)]
            played = [(p, variables[("played", p)]) for p in order if variables[("played", p)] is not None]
            cards = ", ".join(f"{self.name(p)} {self.card(card)}" for p, card in played)
        else:
            cards = " ".join(self.card(x) for x in state.zones.get(("trick",), ()))
        return f"on the table: {cards}" if cards else None

    def hand(self, state: State) -> Iterator[str]:
        """The person's cards by suit, as in the picture of a deal; trumps are marked."""
        deck, trump = self.program.deck, self._standard(state).get(("trump",))
        held = state.zones.get(("hand", self.seat), ())
        suits = [suit for suit, _ in by_suit(deck, held)]
        parts = hand_parts(self.page, deck, held)
        marked = [
            part + (" (trump)" if suit == trump else "") for suit, part in zip(suits, parts, strict=True)
        ]
        if marked:
            yield from filled(self.page, marked, "  you hold  ")

    # ------------------------------------------------------------------------------------------- choices

    def suit_to_follow(self, state: State, decision: Decision) -> str | None:
        """The suit led, if only cards of that suit may be chosen."""
        deck, led = self.program.deck, state.variables.get(("led",))
        if led is None or self.trick(state) is None or not decision.legal:
            return None
        follows = all(deck.card_suit[card] == led for card in decision.legal)
        return str(deck.suits[led]) if follows else None

    def verb(self, decision: Decision) -> str:
        """What the person does with the cards, such as `discard`."""
        return base_form(self._verbs.get(decision.label, decision.label))

    def question(self, decision: Decision) -> str:
        """The decision as a question."""
        to = f" to {self._neighbour(decision.to)}" if decision.to is not None else ""
        whose = f" of {self._neighbour(decision.whose)}" if decision.whose is not None else ""
        if decision.type != c.CARDS:
            return f"{self._asking(decision)}{to}"
        low, high = decision.low, decision.high
        number = str(low) if low == high else f"{low} to {high}"
        cards = "card" if (low, high) == (1, 1) else "cards"
        return f"{self.verb(decision)} {number} {cards}{whose}{to}"

    def _asking(self, decision: Decision) -> str:
        """The decision about something other than cards, as a question."""
        if decision.type == c.BOOLEAN:
            return f"say yes or no to “{plain(decision.label)}”"
        variable = self.program.variables.get(decision.label)
        yours = "your " * (variable is not None and variable.of == (c.PLAYER,))
        return f"choose {yours}{self._called(decision.label).removeprefix('the ' * bool(yours))}"

    def _called(self, label: str) -> str:
        variable = self.program.variables.get(label)
        return called(label, variable is not None and variable.type == c.INTEGER)


def _targets(program: c.Program) -> dict[str, tuple[str, ...]]:
    """The target zones of each move, by label."""
    targets: dict[str, tuple[str, ...]] = {}
    for node in walk(*program.phases):
        if isinstance(node, c.Move):
            targets[node.label] = (*targets.get(node.label, ()), node.target.zone)
    return targets
