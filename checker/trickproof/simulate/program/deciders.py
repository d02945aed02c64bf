"""Dispatches each decision to the policy of its seat, and notifies the counters and recorders of every event."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trickproof.analysis.observable_program import DEALING
from trickproof.simulate.ir.calling_convention import POLICIES, Choice
from trickproof.simulate.ir.instructions import Expr, op
from trickproof.simulate.lowering.choices import CardChoice, ValueOptions
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof.simulate.lowering.random_numbers import DEALS, subset
from trickproof.simulate.lowering.trace import Trace
from trickproof.simulate.policies.callback import CallbackPolicy, Callbacks, RecordedPolicy
from trickproof.simulate.policies.greedy import GreedyPolicy
from trickproof.simulate.policies.random import Policy, RandomPolicy
from trickproof.simulate.program.counters import Counters
from trickproof.simulate.program.recorder import Recorder
from trickproof_dsl import core as c

READY: dict[str, Callable[[], Policy]] = dict(zip(POLICIES, (RandomPolicy, GreedyPolicy), strict=True))


def _policy(choice: Choice, callbacks: Callbacks) -> Policy:
    if isinstance(choice, str):
        return READY[choice]()
    return CallbackPolicy(choice, callbacks) if callable(choice) else RecordedPolicy(choice, callbacks)


class Deciders:
    """The chooser of a program: one policy for all seats, or one per seat, counted clockwise from the dealer."""

    def __init__(
        self,
        choices: Sequence[Choice],
        counted: Counters,
        trace: Trace | None,
        callbacks: Callbacks,
        recorder: Recorder | None = None,
    ) -> None:
        self.choices = list(choices) if len(set(choices)) > 1 else list(choices)[:1]
        self.policies = [(x, _policy(x, callbacks)) for x in dict.fromkeys(self.choices)]
        self.counted, self.trace, self.recorder = counted, trace, recorder

    def begin_hand(self, match: Expr, number: Expr) -> None:
        if self.trace:
            self.trace.begin(match, number)
        if self.recorder:
            self.recorder.nothing()

    def before_play(self) -> None:
        """Notified that the steps before the hand are done."""
        if self.recorder:
            self.recorder.begin()

    def end_hand(self, v: Expressions, reason: Expr) -> None:
        if self.trace:
            self.trace.end(reason)

    def cards(self, v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
        if self.trace:
            self.trace.phase(t.label)
        if self.recorder:
            self.recorder.cards(t, choice)
        if t.label == DEALING:
            chosen = subset(v.b, DEALS, choice.domain, choice.low)
        else:
            chosen = v.b.let(self._decided(v, choice.player, lambda policy: policy.cards(v, t, choice)))
        if self.recorder:
            self.recorder.chosen(chosen)
        if self.trace:
            self.trace.cards(choice, chosen)
        return chosen

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> Expr:
        if self.trace:
            self.trace.phase(t.label)
        if self.recorder:
            self.recorder.value(v, t, player, options)
        chosen = v.b.let(self._decided(v, player, lambda policy: policy.value(v, t, player, options)))
        if self.recorder:
            self.recorder.chosen(chosen)
        if self.trace:
            self.trace.value(player, options, chosen)
        return chosen

    def dealt(self, v: Expressions, place: c.Place, index: Expr, cards: Expr) -> None:
        if self.trace:
            self.trace.dealt(place.zone, index, cards)

    def moved(self, v: Expressions, t: c.Move, cards: Expr) -> None:
        if t.label == "give" and self.counted.layout.give:
            self.counted.gave(cards)

    def about_to_choose(self, v: Expressions, t: c.ChooseCards) -> None:
        """Does nothing."""

    def announced(self, v: Expressions, t: c.Announce) -> None:
        if self.recorder:
            self.recorder.announced(v, t)

    def _decided(self, v: Expressions, player: Expr, by: Callable[[Policy], Expr]) -> Expr:
        if len(self.policies) == 1:
            return by(self.policies[0][1])
        b, number = v.b, v.program.players
        seat = b.let(op("sub", player, "m.dealer"))
        seat = b.let(op("select", op("lt", seat, 0), op("add", seat, number), seat))
        chosen = b.mutable(0)
        for choice, policy in self.policies:
            seats = sum(1 << s for s, theirs in enumerate(self.choices) if theirs == choice)
            with b.when(op("ne", op("and", op("shr", seats, seat), 1), 0)):
                b.set(chosen, by(policy))
        return chosen
