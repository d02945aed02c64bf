"""One path through a deal: players and orders are decided, while cards and numbers stay symbolic.

A run stops where the deal is over, at an unspecified rule, and at the head of a loop with an unknown number
of rounds, which is handled by induction (`loop_invariants.py`). Branches that only disclose information are
merged, as are the rounds of a loop over unknown numbers (`havoc.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import z3

from trickproof.analysis.usage import Usage, usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Members, Symbol
from trickproof.proofs.symbolic.actions import Actions
from trickproof.proofs.symbolic.card_expressions import CardEncoder
from trickproof.proofs.symbolic.claims import Claims, SymbolicHand
from trickproof.proofs.symbolic.executor import Executor
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.proofs.symbolic.havoc import havoc_loop
from trickproof.proofs.symbolic.loop_order import precedes, ranking, tied
from trickproof.proofs.symbolic.merge import Merge
from trickproof.proofs.symbolic.one_by_one import at_once
from trickproof.proofs.symbolic.path_state import BrokenError, Frame, LoopHead, PathState, Stop
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.events import SCORED
from trickproof_dsl.semantics.values import DECK

UNROLLED, DEALT = 4, 52
"""Maximum rounds that are unrolled, of a counting loop and of one that only deals; longer loops are handled by induction."""


class Fork:
    """Resolves control flow by the oracle of a path and pushes the rest onto its stack; `claims` are raised at their moments."""

    skips = True

    def __init__(self, state: PathState, claims: Claims, encoder: CardEncoder | None = None) -> None:
        self.state, self.claims = state, claims
        self.encoder = CardEncoder(state) if encoder is None else encoder
        self.actions = Actions(state, self.encoder)
        self.executor = Executor(state, self.encoder, self.actions, self)

    def go(self, stack: Sequence[Frame | LoopHead]) -> Stop:
        """Follow one path from the given steps until it stops."""
        self.state.stack = list(stack)
        while self.state.stack:
            top = self.state.stack[-1]
            if isinstance(top, LoopHead):
                return Stop("head", top, around=True)
            if top.index < len(top.body):
                self.state.stack[-1] = replace(top, index=top.index + 1)
                try:
                    stop = self.executor.step(top.body[top.index])
                except GapError as gap:
                    stop = Stop("gap", gap=(gap.rule, gap.span))
                except BrokenError:
                    stop = Stop("broken")
                if stop is not None:
                    return stop
            elif top.loop is not None and top.left:
                self.state.bound[top.loop.binder] = top.left[0]
                self.state.stack[-1] = Frame(top.body, 0, top.loop, top.left[1:])
            else:
                self.state.stack.pop()
                if top.moment:
                    self._moment(top.moment)
        self._moment("hand-ends")
        return Stop("hand-over")

    # ------------------------------------------------------------------------------------------- policy

    def concerns(self, t: c.Stmt) -> bool:
        return True

    def branch(self, executor: Executor, t: c.Branch) -> None:
        if _only_tells(t):
            merge = Merge(self.state, self.encoder, tells=True)
            merge.branch(replace(executor, policy=merge), t)
            return
        body = t.then if self.state.oracle.decide(self.encoder.truth(t.condition)) else t.otherwise
        self.state.stack.append(Frame(body))

    def loop(self, executor: Executor, t: c.Loop) -> Stop | None:
        if t.domain.type == c.CARDS:
            raise NotEncodedError("it goes through cards one by one", t.span)
        if isinstance(t.domain, c.Range):
            low, high = self.encoder.number(t.domain.low), self.encoder.number(t.domain.high)
            if (
                not isinstance(low, int)
                or not isinstance(high, int)
                or high - low >= (DEALT if _only_deals(t) else UNROLLED)
            ):
                if not t.order.keys:
                    together = at_once(t)
                    if together is None or not self._moves_on(together[-1]):
                        return self._head(t)
                    if self.state.oracle.decide(y.compare("<=", low, high)):
                        self.state.stack.append(Frame(together))
                    return None
                havoc_loop(replace(executor, policy=Merge(self.state, self.encoder)), self.state, t)
                return None
        elements = [x for x, when in self.encoder.members(t.domain) if self.state.oracle.decide(when)]
        self.state.stack.append(Frame(t.body, len(t.body), t, tuple(self._in_order(t, elements))))
        return None

    def _moves_on(self, t: c.Stmt) -> bool:
        """Whether the cards leave the zone that they were in."""
        assert isinstance(t, c.Move)
        places = [
            {(place.zone, *owners) for owners, _ in self.encoder.owners(place.arguments, place.span)}
            for place in (t.source, t.target)
        ]
        return places[0].isdisjoint(places[1])

    def until(self, executor: Executor, t: c.Until) -> Stop:
        self.encoder.value(t.bound)
        return self._head(t)

    def rule(self, executor: Executor, t: c.InRule) -> None:
        self.state.stack.append(Frame(t.body, moment="play-ends" if t.rule == "play" else ""))

    def before_choice(self, t: c.ChooseCards) -> None:
        self._play_starts(t.label == "play")

    def end(self, executor: Executor, t: c.EndMatch) -> Stop:
        return self._over(t, self.encoder.value(t.winners))

    def end_hand(self, executor: Executor, t: c.EndHand) -> Stop:
        return self._cut_short("hand-over")

    def after_skip(self, usage: Usage) -> Stop | None:
        """Raise the claims of all moments that the statement may have passed, although little is known there."""
        self.state.unlisted |= usage.labels
        self._play_starts("play" in usage.labels)
        if "play" in usage.rules:
            self._moment("play-ends")
        for end in usage.ends:
            if self.state.oracle.decide(z3.Bool(self.state.name())):
                return self._over(end, self.state.unknown(c.PLAYERS))
        if usage.hand_ends and self.state.oracle.decide(z3.Bool(self.state.name())):
            return self._cut_short("hand-over")
        return None

    # ------------------------------------------------------------------------------------------ moments

    def _moment(self, moment: str) -> None:
        """Add the claims about this moment; they hold for whatever follows."""
        claims = list(self.claims(SymbolicHand(self.state, self.encoder), moment))
        self.state.obligations += claims
        self.state.variables |= dict(claim.establishes for claim in claims if claim.establishes is not None)
        if moment == "play-starts":
            self.state.milestone = len(self.state.obligations)

    def _play_starts(self, plays: bool) -> None:
        """Raise the claims of `play-starts` if this statement plays the first card."""
        if plays and not self.state.playing:
            self._moment("play-starts")
            self.state.playing = True

    def _over(self, end: c.EndMatch, winners: Symbol) -> Stop:
        known = winners if isinstance(winners, Members) else self.state.unknown(c.PLAYERS)
        assert isinstance(known, Members)
        self.state.winners, self.state.ending = known, end
        self._moment("match-ends")
        return self._cut_short("match-over")

    def _cut_short(self, why: str) -> Stop:
        """Stop; unless it was scored, a deal that ends while some player holds cards, or before anything is dealt, is not complete."""
        some = {key: self.state.world.some(cards) for key, cards in self.state.zones.items()}
        unplayed = y.disj(*(there for key, there in some.items() if key[0] == "hand"))
        undealt = y.neg(y.disj(*(there for key, there in some.items() if key != (DECK,))))
        if self._may_be_scored() or not self.state.oracle.decide(y.disj(unplayed, undealt)):
            self._moment("hand-ends")
        return Stop(why)

    def _may_be_scored(self) -> bool:
        """Whether the score may have been announced; of the steps under way only loops may have done it."""
        frames = [frame for frame in self.state.stack if isinstance(frame, Frame)]
        passed = [
            step
            for frame in frames
            for at, step in enumerate(frame.body[: frame.index], 1)
            if at < frame.index or frame is frames[-1] or isinstance(step, c.Loop | c.Until)
        ]
        return any(isinstance(x, c.Announce) and x.event == SCORED for x in walk(*passed))

    # -------------------------------------------------------------------------------------------- loops

    def _head(self, t: c.Loop | c.Until) -> Stop:
        if _undisturbed(t.body) is not False:  # otherwise they are raised within a round, where less is known
            self._play_starts(_plays(t))
        decided = tuple(sorted(self.state.parameters.items()))
        return Stop("head", LoopHead(t, tuple(self.state.stack), decided))

    def _in_order(self, t: c.Loop, elements: list[int]) -> list[int]:
        """The elements in the order of the keys, each comparison decided."""
        order, n = t.order, self.state.program.players
        elements.sort()
        if order.start is not None:
            first, turn = self.actions.player(order.start), 1 if order.clockwise else -1
            elements.sort(key=lambda p: (p - first) * turn % n)
        if order.keys:
            self.state.sorts[t.span] = len(elements) > 1 or self.state.sorts.get(t.span, False)
        if not order.keys:
            return elements
        rankings = {x: ranking(self.encoder, order, x) for x in elements}
        ordered: list[int] = []
        for x in elements:
            place = len(ordered)
            while place and self.state.oracle.decide(precedes(rankings[x], rankings[ordered[place - 1]])):
                place -= 1
            ordered.insert(place, x)
        for a, b in pairwise(ordered):
            tie = tied(rankings[a], rankings[b])
            if order.ties == "impossible":
                self.encoder.fault(tie, t.span, "tie")
            elif order.ties == "open" and tie is not False and self.state.oracle.decide(tie):
                self.state.open_ties.append(t.span)
        return ordered


def _only_tells(t: c.Branch) -> bool:
    """Whether a branch changes nothing and asks nobody."""
    telling = (c.Show, c.Announce, c.InRule, c.Branch)
    return all(
        isinstance(n, telling) or (isinstance(n, c.Loop) and n.domain.type == c.PLAYERS and not n.order.keys)
        for n in walk(t)
        if isinstance(n, c.Stmt)
    )


def _plays(t: c.Stmt) -> bool:
    return "play" in usage_of(t).labels


def _undisturbed(body: tuple[c.Stmt, ...]) -> bool | None:
    """Whether nothing changes before the first card is played; None if these statements may play none."""
    for t in body:
        if isinstance(t, c.ChooseCards) and _plays(t):
            return True
        if not _plays(t):
            if any(isinstance(n, c.Assign | c.Move | c.Shuffle | c.Deal) for n in walk(t)):
                return False
        elif isinstance(t, c.InRule | c.Loop | c.Until | c.Branch):
            sides = [
                _undisturbed(x) for x in ((t.then, t.otherwise) if isinstance(t, c.Branch) else (t.body,))
            ]
            if False in sides:
                return False
            surely = isinstance(t, c.InRule | c.Branch) or isinstance(getattr(t, "domain", None), c.Universe)
            if surely and all(sides):
                return True
        else:
            return False
    return None


def _only_deals(t: c.Loop) -> bool:
    """Whether the rounds of a loop do nothing but deal cards, possibly to all players in turn; none of it takes a decision."""
    steps = (step for step in walk(*t.body) if isinstance(step, c.Stmt))
    return not t.order.keys and all(
        isinstance(step, c.Deal) or (isinstance(step, c.Loop) and isinstance(step.domain, c.Universe))
        for step in steps
    )
