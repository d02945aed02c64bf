"""An immutable state of a match, or of a single deal; each action yields the next state.

Sets of cards are chosen card by card in deck order, so that each set has a unique path; if their number is
open, `done` ends the choice. Chance events (dealing a card, drawing one blindly) are actions too, all equally
likely; with a seed they are resolved immediately, and the deals are those of `play_match` with that seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from trickproof.adapters import returns as pt
from trickproof.adapters.action_space import Actions, actions_of
from trickproof.adapters.information_state import Knowledge, Witnesses, listed
from trickproof.adapters.settings import Named, RulesetError, parameters_of, readings_of, ruleset_of
from trickproof.analysis.observable_program import DEALING, is_instrumented, telling
from trickproof.analysis.points import Amounts, Points, points_of
from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, next_hand, start
from trickproof_dsl.compiled.state import State
from trickproof_dsl.library import Ruleset
from trickproof_dsl.scenarios.json_values import event_json
from trickproof_dsl.scenarios.writing import LIMIT
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event
from trickproof_dsl.semantics.faults import EngineLimitError
from trickproof_dsl.semantics.values import DECK

CHANCE, NOBODY = -1, -4
"""The actor if it is not a player: chance, or nobody because the game is over."""

MOST_ACTIONS = 500
"""Number of player actions in a deal after which it is cut off: rules can ask forever."""

Trail = tuple["Trail", int] | None

Answers = tuple["Answers", Any] | None


@dataclass(frozen=True)
class Terms:
    """What is played; created by `terms`."""

    ruleset: Ruleset
    program: c.Program
    at_once: frozenset[str]
    actions: Actions
    witnesses: Witnesses
    points: Points
    parameters: Mapping[str, int]
    readings: Mapping[str, int]
    most_hands: int
    most_actions: int
    match: bool
    returns: str

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and highest possible return."""
        if self.returns == "winners":
            return -1.0, 1.0
        most = float(self.points.most * self.most_hands)
        return (-most, most) if self.returns == "points" else (-2 * most, 2 * most)


def terms(
    ruleset: Named,
    *,
    match: bool = False,
    most_hands: int = 100,
    most_actions: int = MOST_ACTIONS,
    returns: str | None = None,
    most_points: int | None = None,
    numbers: tuple[int, int] | None = None,
    parameters: Mapping[str, int] | None = None,
    readings: Mapping[str, str | int] | None = None,
) -> Terms:
    """The terms of a game; docs/adapters.md explains the options.

    Raises RulesetError (a ValueError) for invalid ones.
    """
    loaded = ruleset_of(ruleset)
    observable = telling(loaded.program)
    known = parameters_of(loaded, parameters), readings_of(loaded, readings)
    returns = returns or ("winners" if match else "points")
    if returns not in pt.RETURNS:
        raise RulesetError(f"returns are one of {', '.join(pt.RETURNS)}, not `{returns}`")
    if most_hands < 1 or most_actions < 1 or (most_points is not None and most_points < 1):
        raise RulesetError("`most_hands`, `most_actions` and `most_points` are at least 1")
    if numbers is not None and numbers[0] > numbers[1]:
        raise RulesetError("`numbers` are the lowest and the highest number, in this order")
    return Terms(
        loaded,
        observable.program,
        observable.at_once,
        actions_of(loaded.program, numbers),
        Witnesses(observable.program),
        points_of(loaded.program, most_points),
        *known,
        most_hands if match else 1,
        most_actions,
        match,
        returns,
    )


@dataclass(frozen=True, slots=True)
class Play:
    """A state of the game.

    `picked` are the cards chosen so far for the decision, in order; `total` the points of past deals.

    `taken` counts the players' actions in this deal; `over` is the reason why the game is over (empty while
    it is not): "hand", "match", "most hands", "most actions", "engine-limit", or the kind of the fault.
    `last` is the final state of the previous deal.
    """

    terms: Terms
    state: State
    known: Knowledge
    seed: int | None = None
    picked: tuple[int, ...] = ()
    blind: bool = False
    taken: int = 0
    hands: int = 1
    drawn: int = 0
    before: Amounts = ()
    total: Amounts = ()
    over: str = ""
    last: State | None = None
    trail: Trail = field(default=None, compare=False)
    answers: Answers = field(default=None, compare=False)
    """All choices in this deal, including chance's."""
    earlier: Trail = field(default=None, compare=False)
    """The actions of earlier deals."""

    def __deepcopy__(self, _: Any) -> Play:
        return self

    def __reduce__(self) -> Any:
        """Pickle a play as its actions."""
        return replayed, (self.terms, self.seed, self.history)

    def described(self) -> str:
        """The complete state in words, every card of every zone."""
        program = self.terms.program
        zones = ((" of ".join(map(str, key)), cards) for key, cards in self.state.zones.items() if cards)
        lines = [f"{name}: {self.terms.witnesses.cards(cards)}" for name, cards in zones]
        return "\n".join([*lines, *(str(e) for e in (event_json(program, x) for x in self.events))])

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of this deal, as the original ruleset emits them."""
        return tuple(event for event in self.state.events if not is_instrumented(event))

    @property
    def history(self) -> list[int]:
        """All actions so far, including chance's (unless there is a seed)."""
        return listed(self.trail)

    @property
    def decision(self) -> Decision:
        """The pending decision. Only while the game is not over."""
        assert self.state.decision is not None
        return self.state.decision

    @property
    def actor(self) -> int:
        """The player to act, or CHANCE, or NOBODY."""
        if self.over:
            return NOBODY
        if self.decision.label == DEALING or self.blind:
            return CHANCE
        return self.decision.player

    def legal(self) -> list[int]:
        """The legal actions, ascending; those of chance are equally likely."""
        if self.over:
            return []
        decision, actions = self.decision, self.terms.actions
        if decision.type != c.CARDS:
            return sorted(actions.of_value(decision.type, value) for value in decision.legal)
        unpicked = [card for card in decision.legal if card not in self.picked]
        if self.actor == CHANCE:
            return unpicked
        enough = len(self.picked) >= decision.low
        done = [actions.done] if enough else []
        if decision.blind:
            return [actions.blindly, *done]
        needed = decision.low - len(self.picked)
        # In deck order, leaving as many cards after it as are still needed.
        after = [card for card in unpicked if not self.picked or card > self.picked[-1]]
        return (after if needed <= 1 else after[: len(after) - needed + 1]) + done

    def returns(self) -> Amounts:
        """The final returns; 0 before the end."""
        players = self.terms.program.players
        if not self.over:
            return (0.0,) * players
        if self.terms.returns == "points":
            return self.total
        if self.terms.returns == "difference":
            return pt.differences(self.total)
        if self.over == "match":
            return pt.shared(self.state.winners, players)
        return pt.shared(pt.most_of(self.total) if self.over == "hand" else (), players)

    def after(self, action: int) -> Play:
        """The state after an action. Raises ValueError if it is illegal."""
        if action not in self.legal():
            raise ValueError(f"{action} is not a legal action here; legal are {self.legal()}")
        trail = (self.trail, action)
        if self.actor == CHANCE:
            return replace(self, trail=trail)._given(action)
        return replace(self, trail=trail, taken=self.taken + 1)._acted(action)._settled()

    # ---------------------------------------------------------------------------- applying an action

    def _given(self, card: int) -> Play:
        """The state after chance has chosen a card."""
        drawn = replace(self, picked=(*self.picked, card), blind=False, drawn=self.drawn + 1)
        return drawn._complete()._settled()

    def _acted(self, action: int) -> Play:
        actions, decision = self.terms.actions, self.decision
        if decision.type != c.CARDS:
            (value,) = (v for v in decision.legal if actions.of_value(decision.type, v) == action)
            return self._answered(value, actions.names[action])
        if action == actions.done:
            return self._answered(frozenset(self.picked), self.terms.witnesses.cards(self.picked))
        if action == actions.blindly:
            return replace(self, blind=True)
        return replace(self, picked=(*self.picked, action))._complete()

    def _complete(self) -> Play:
        """Answer the decision once all its cards are chosen."""
        if len(self.picked) < self.decision.high:
            return self
        return self._answered(frozenset(self.picked), self.terms.witnesses.cards(self.picked))

    def _answered(self, choice: Any, called: str) -> Play:
        decision, known = self.decision, self.known
        aloud = decision.type != c.CARDS
        if decision.label != DEALING and not decision.blind:
            at_once = decision.binder in self.terms.at_once
            known = self.terms.witnesses.chose(
                known, decision.player, f"{decision.label} {called}", aloud, at_once
            )
        try:
            state = apply(self.state, choice)
        except EngineLimitError:
            return self._ended(LIMIT)
        new = state.events[len(self.state.events) + (1 if aloud else 0) :]
        answers = self.answers, choice
        return replace(
            self, state=state, picked=(), known=self.terms.witnesses.heard(known, new), answers=answers
        )

    # -------------------------------------------------------------------------------------- forced steps

    def _settled(self) -> Play:
        """Advance to the next choice, or the end: forced deals, seeded chance, the next deal."""
        play = self
        while not play.over:
            if play.state.fault is not None:
                play = play._ended(play.state.fault.kind)
            elif play.state.decision is None:
                play = play._hand_over()
            elif play.taken >= play.terms.most_actions:
                play = play._ended("most actions")
            elif (forced := play._forced()) is not None:
                play = play._answered(frozenset(forced), play.terms.witnesses.cards(forced))
            elif play.actor == CHANCE and play.seed is not None:
                play = replace(play, picked=(*play.picked, play._drawn()), blind=False, drawn=play.drawn + 1)
                play = play._complete()
            elif not play.blind and play._only_blind():
                play = replace(play, blind=True)
            else:
                break
        return play

    def _forced(self) -> tuple[int, ...] | None:
        """The cards of a forced deal; with a seed, all cards dealt."""
        decision = self.decision
        if decision.label != DEALING:
            return None
        if decision.low == len(decision.legal):
            return decision.legal
        return self.state.cards(DECK)[: decision.low] if self.seed is not None else None

    def _only_blind(self) -> bool:
        """Whether a blind draw is the player's only action."""
        decision = self.decision
        return decision.blind and len(self.picked) < decision.low

    def _drawn(self) -> int:
        return Random(f"{self.seed}/blindly/{self.drawn}").choice(self.legal())

    def _hand_over(self) -> Play:
        points = self.terms.points.of_hand(self.before, self.state)
        total = tuple(x + y for x, y in zip(self.total, points, strict=True))
        play = replace(self, total=total)
        if self.state.match_over:
            return play._ended("match")
        if not self.terms.match:
            return play._ended("hand")
        if self.hands >= self.terms.most_hands:
            return play._ended("most hands")
        before = self.terms.points.at(self.state)
        try:
            state = next_hand(self.state)
        except EngineLimitError:
            return play._ended(LIMIT)
        known = self.terms.witnesses.heard(self.known, state.events)
        return replace(
            play,
            state=state,
            last=self.state,
            known=known,
            before=before,
            hands=self.hands + 1,
            taken=0,
            answers=None,
            earlier=self.trail,
        )

    def _ended(self, why: str) -> Play:
        return replace(self, over=why, picked=(), blind=False)


def begin(terms: Terms, seed: int | None = None) -> Play:
    """The initial state; with a seed, there are no chance actions."""
    try:
        state = start(terms.program, Chance(seed or 0), terms.parameters, terms.readings)
    except EngineLimitError as limit:
        raise RulesetError(f"{terms.ruleset.id} cannot be played here: {limit.message}") from None
    known = terms.witnesses.heard(terms.witnesses.at_first(), state.events)
    first = terms.program.variables.get(terms.points.variable or "")
    worth = 0.0 if first is None else float(first.initial)  # type: ignore[arg-type]
    nothing = (0.0,) * terms.program.players
    return Play(terms, state, known, seed, before=tuple(worth for _ in nothing), total=nothing)._settled()


def replayed(terms: Terms, seed: int | None, actions: list[int]) -> Play:
    """Rebuild a play from its complete `history`."""
    play = begin(terms, seed)
    for action in actions:
        play = play.after(action)
    return play
