"""A match against policies in the tab: the table as the person sees it after every choice.

The page stores the moves and sends them with the next choice, so that stopping the worker loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from trickproof.english.inflection import listed
from trickproof.play.display import View
from trickproof.play.opponents import Opponents
from trickproof.play.saved_match import Match, Setting
from trickproof.play.session import secret_labels
from trickproof.playground.texts import RefusedError, Texts
from trickproof.reports.text import PLAIN
from trickproof.search.interpreted_player import InterpretedSearch
from trickproof.simulate.ir.calling_convention import BeyondError
from trickproof.simulate.options import ChoiceError, policies
from trickproof_dsl import core as c
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import ScenarioError
from trickproof_dsl.scenarios.moves import IllegalMoveError
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import Value

Item = Mapping[str, object]

MOST_CHOICES = 2_000
"""Maximum number of choices by the others before the person's turn; some rules never get there."""


def at_table(texts: Texts, request: Mapping[str, Any]) -> Iterator[Item]:
    """The table at the person's next decision, or at the end of the match."""
    ruleset = texts.ruleset(request["text"])
    try:
        match = _match(ruleset, request)
        table = _Table(match, _SEARCH.of(match))
        yield table.shown(request)
        _SEARCH.keep(match, table.opponents.search)
    except (BeyondError, ChoiceError, EngineLimitError) as why:
        raise RefusedError(str(why)) from None
    except (KeyError, TypeError, ValueError, ScenarioError, IllegalMoveError):
        raise RefusedError("the moves do not fit the rules; start another match") from None


class _Search:
    """The search of the last table: the next choice is often asked of the same match, and tuning takes seconds."""

    def __init__(self) -> None:
        self._kept: tuple[Ruleset, Setting, InterpretedSearch | None] | None = None

    def of(self, match: Match) -> InterpretedSearch | None:
        if self._kept is not None and self._kept[0] is match.ruleset and self._kept[1] == match.setting:
            return self._kept[2]
        return None

    def keep(self, match: Match, search: InterpretedSearch | None) -> None:
        self._kept = match.ruleset, match.setting, search


_SEARCH = _Search()


def _match(ruleset: Ruleset, request: Mapping[str, Any]) -> Match:
    policy = str(request.get("policy", "greedy"))
    policies(policy, ruleset.program.players)
    seat = int(request.get("seat", 0)) % ruleset.program.players
    match = Match(ruleset, Setting(seat, policy, int(request.get("seed", 0)), {}, {}))
    match.play_on(request.get("moves", ()))
    return match


class _Table:
    """A match from the person's point of view."""

    def __init__(self, match: Match, search: InterpretedSearch | None) -> None:
        self.match = match
        self.view = View(match.ruleset, match.setting.seat, PLAIN)
        self.opponents = Opponents(match, search)
        self._secret = secret_labels(match.ruleset.program)
        self.says: list[str] = []

    def shown(self, request: Mapping[str, Any]) -> Item:
        """Apply the person's choice, let the others choose, and show the result."""
        if request.get("undo"):
            self.match.undo()
        elif "choice" in request:
            before = len(self.match.now.events)
            self._choose(request["choice"])
            self._told(before)
        for _ in range(MOST_CHOICES):
            state = self.match.now
            if state.fault is not None:
                return self._item(f"the rules fail here: {state.fault.message}")
            decision = state.decision
            if decision is None:
                if state.match_over:
                    return self._item(self._winners(state))
                return self._item("", ["Next deal"])
            if decision.player == self.match.setting.seat:
                return self._item("", decision=decision)
            before = len(state.events)
            self.match.choose(self.opponents.choose(state, decision))
            self._told(before)
        return self._item(f"the others have made {MOST_CHOICES} choices, and it is still not your turn")

    def _choose(self, choice: Any) -> None:
        state = self.match.now
        if state.decision is None:
            if not state.match_over:
                self.match.begin_next_hand()
            return
        decision = state.decision
        listed = self.view.listed(decision, self.match.hidden_order())
        if decision.type == c.CARDS:
            value: Value = frozenset(cast(int, listed[int(i)]) for i in choice)
        else:
            value = listed[int(choice[0])]
        if not decision.allows(value):
            raise RefusedError("the rules do not allow this choice")
        self.match.choose(value)

    def _told(self, before: int) -> None:
        state = self.match.now
        events: list[Event] = list(state.events[before:] if len(state.events) >= before else state.events)
        known = [event for event in events if event.name not in self._secret]
        self.says += self.view.events(known, state)

    def _winners(self, state: State) -> str:
        names = listed([self.view.name(p) for p in sorted(state.winners)]) if state.winners else "nobody"
        return f"the match is over: {names} won"

    def _item(self, end: str, options: list[str] | None = None, decision: Decision | None = None) -> Item:
        state, view = self.match.now, self.view
        low = high = 1
        question = ""
        if decision is not None:
            kind = c.CARD if decision.type == c.CARDS else decision.type
            shown = self.view.listed(decision, self.match.hidden_order())
            hidden = decision.type == c.CARDS and decision.blind
            options = [f"card {i}" if hidden else view.value(kind, x) for i, x in enumerate(shown, 1)]
            if decision.type == c.CARDS:
                low, high = decision.low, decision.high
            question = view.question(decision)
        trick = view.trick(state)
        return {
            "kind": "table",
            "heading": view.heading(state, self.match.hand),
            "standing": list(view.standing(state)),
            "more": [*view.more(state), *([trick] if trick else [])],
            "hand": list(view.hand(state)),
            "says": self.says,
            "question": question,
            "options": options or [],
            "several": decision is not None and decision.type == c.CARDS,
            "low": low,
            "high": high,
            "end": end,
            "moves": self.match.moves,
            "deal": self.match.hand,
        }
