"""A match, or one hand of it, at one moment: a value; each action gives the next one.

Sets of cards are chosen card by card, in the order of the deck, so that each set has one path; where their number is
open, `done` ends the choice.  What chance decides (which cards are dealt, which card is drawn blindly) is asked as
actions too, all equally likely; or, with a seed, it is answered at once, the deal as `play_match` with that seed deals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from trickproof.adapters import returns as pt
from trickproof.adapters.action_space import Actions, actions_of
from trickproof.adapters.information_state import Knowledge, Witnesses
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
"""Who acts, where it is no player: chance; nobody, for it is over."""

MOST_ACTIONS = 500
"""Actions of players in one hand, after which it is broken off: rules can ask without end."""

Trail = tuple["Trail", int] | None

Answers = tuple["Answers", Any] | None


@dataclass(frozen=True)
class Terms:
    """What is played: made by `terms`."""

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
        """The least and the most that anybody can have in the end."""
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
    """What is to be played; docs/adapters.md explains the choices.  Raises RulesetError (a ValueError) for wrong ones."""
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
    """One moment.  `picked` are the cards chosen so far for the decision, in order; `total` the points of past hands.

    `taken` counts the actions of players in this hand, `over` says why it is over (empty while it is not):
    "hand", "match", "most hands", "most actions", "engine-limit", or the kind of the fault.  `last` is the end of the hand before.
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
    """What was chosen in this hand, by chance too."""
    earlier: Trail = field(default=None, compare=False)
    """The actions of the hands before."""

    def __deepcopy__(self, _: Any) -> Play:
        return self

    def __reduce__(self) -> Any:
        """A play is written as its actions."""
        return replayed, (self.terms, self.seed, self.history)

    def described(self) -> str:
        """Everything, every card of every zone, in words."""
        program = self.terms.program
        zones = ((" of ".join(map(str, key)), cards) for key, cards in self.state.zones.items() if cards)
        lines = [f"{name}: {self.terms.witnesses.cards(cards)}" for name, cards in zones]
        return "\n".join([*lines, *(str(e) for e in (event_json(program, x) for x in self.events))])

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened in this hand, as the ruleset itself tells it."""
        return tuple(event for event in self.state.events if not is_instrumented(event))

    @property
    def history(self) -> list[int]:
        """All actions so far, those of chance too (unless there is a seed)."""
        return listed(self.trail)

    @property
    def decision(self) -> Decision:
        """What is asked.  Only while it is not over."""
        assert self.state.decision is not None
        return self.state.decision

    @property
    def actor(self) -> int:
        """The player who acts, or CHANCE, or NOBODY."""
        if self.over:
            return NOBODY
        if self.decision.label == DEALING or self.blind:
            return CHANCE
        return self.decision.player

    def legal(self) -> list[int]:
        """The actions that can be chosen now, ascending; for chance they are equally likely."""
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
        # In the order of the deck, and with as many cards after it as are still needed.
        after = [card for card in unpicked if not self.picked or card > self.picked[-1]]
        return (after if needed <= 1 else after[: len(after) - needed + 1]) + done

    def returns(self) -> Amounts:
        """What everybody has in the end; 0 before."""
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
        """After an action.  Raises ValueError where it is not legal."""
        if action not in self.legal():
            raise ValueError(f"{action} is not a legal action here; legal are {self.legal()}")
        trail = (self.trail, action)
        if self.actor == CHANCE:
            return replace(self, trail=trail)._given(action)
        return replace(self, trail=trail, taken=self.taken + 1)._acted(action)._settled()

    # ------------------------------------------------------------------------------------ one action

    def _given(self, card: int) -> Play:
        """Chance has given a card."""
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
        """Answers the decision when all its cards are there."""
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

    # ------------------------------------------------------------------------------ what needs no choice

    def _settled(self) -> Play:
        """On to the next choice, or the end: forced deals, chance with a seed, the next hand."""
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
        """The cards dealt where no others can be; all at once, with a seed."""
        decision = self.decision
        if decision.label != DEALING:
            return None
        if decision.low == len(decision.legal):
            return decision.legal
        return self.state.cards(DECK)[: decision.low] if self.seed is not None else None

    def _only_blind(self) -> bool:
        """Whether a player can do nothing but draw a card blindly."""
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


def listed(chain: Any) -> list[Any]:
    """The things of a chain, the first first."""
    things = []
    while chain is not None:
        chain, thing = chain
        things.append(thing)
    return things[::-1]


def begin(terms: Terms, seed: int | None = None) -> Play:
    """The beginning; with a seed chance is never asked."""
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
    """A play from all its actions, as `history` gives them."""
    play = begin(terms, seed)
    for action in actions:
        play = play.after(action)
    return play
