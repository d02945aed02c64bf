"""A hand executed symbolically, card by card: arm for arm the outline of `semantics/statements.py`.

One run follows one path: whoever is concerned, and in which order, is decided (`path_enumeration.py`); the cards and the
numbers stay unknown.  A run stops where the hand is over, where the rules say nothing, and at the head of a loop that goes
round an unknown number of times, which is treated by induction (`loop_invariants.py`).  A statement that cannot be encoded is
skipped: whatever it may have changed is unknown from there on, and everything that it may break is left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import assert_never

import z3

from trickproof.analysis.usage import usage_of
from trickproof.proofs.smt import symbolic_values as y
from trickproof.proofs.smt.symbolic_values import Bool, Int
from trickproof.proofs.symbolic.actions import Actions
from trickproof.proofs.symbolic.card_expressions import CardEncoder
from trickproof.proofs.symbolic.claims import Claims, SymbolicHand
from trickproof.proofs.symbolic.expressions import GapError, NotEncodedError
from trickproof.proofs.symbolic.loop_havoc import havoc_loop
from trickproof.proofs.symbolic.path_state import BrokenError, Frame, LoopHead, PathState, Skipped, Stop
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.semantics.values import owner_keys

UNROLLED = 4
"""Rounds of a counting loop that are unrolled; beyond that it is treated by induction."""


class Executor:
    """Follows one path: `state` is the path, `encoder` evaluates its expressions, `actions` carries out single statements."""

    def __init__(self, state: PathState, claims: Claims, encoder: CardEncoder | None = None) -> None:
        self.state, self.claims = state, claims
        self.encoder = CardEncoder(state) if encoder is None else encoder
        self.actions = Actions(state, self.encoder)

    def go(self, stack: Sequence[Frame | LoopHead]) -> Stop:
        """Follows one path from some steps to where it stops."""
        self.state.stack = list(stack)
        while self.state.stack:
            top = self.state.stack[-1]
            if isinstance(top, LoopHead):
                return Stop("head", top, around=True)
            if top.index < len(top.body):
                step = top.body[top.index]
                self.state.stack[-1] = replace(top, index=top.index + 1)
                stop = self._carefully(step)
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

    def _carefully(self, step: c.Stmt) -> Stop | None:
        known = len(self.state.obligations)
        try:
            return self._step(step)
        except GapError as gap:
            return Stop("gap", gap=(gap.rule, gap.span))
        except BrokenError:
            return Stop("broken")
        except NotEncodedError as wrong:
            del self.state.obligations[known:]
            self._skip(step, wrong)
            return None

    def _skip(self, step: c.Stmt, wrong: NotEncodedError) -> None:
        """Leaves a step out: what it may have changed is unknown."""
        self.state.skipped.append(Skipped(step, wrong.what, wrong.span))
        usage = usage_of(step)
        for node in walk(step):
            if isinstance(node, c.ChooseCards | c.ChooseValue):
                kind = c.CARDS if isinstance(node, c.ChooseCards) else node.value_type
                self.state.bound[node.binder] = self.state.unknown(kind)
        for name in sorted(usage.assigns):
            info = self.state.program.variables[name]
            for owners in owner_keys(self.state.program, info.of):
                self.state.variables.pop((name, *owners), None)
        if any(isinstance(n, c.Move | c.Deal | c.Shuffle) for n in walk(step)):
            keys = sorted(self.state.zones)
            self.state.zones = dict(
                zip(keys, self.state.world.parts([str(key) for key in keys]), strict=True)
            )

    def _step(self, t: c.Stmt) -> Stop | None:
        match t:
            case c.Assign():
                self.actions.assign(t)
            case c.Branch():
                self._branch(t)
            case c.Loop():
                return self._loop(t)
            case c.Until():
                return self._head(t)
            case c.InRule():
                self.state.stack.append(Frame(t.body, moment="play-ends" if t.rule == "play" else ""))
            case c.ChooseCards():
                self._play_starts(t.label == "play")
                self.actions.choose_cards(t)
            case c.ChooseValue():
                self.actions.choose_value(t)
            case c.Move():
                self.actions.move(t)
            case c.Show():
                self.actions.show(t)
            case c.Shuffle():
                self.actions.shuffle()
            case c.Deal():
                self.actions.deal(t)
            case c.Announce():
                self.actions.announce(t)
            case c.EndHand():
                self._cut_short()
                return Stop("hand-over")
            case c.EndMatch():
                self.encoder.value(t.winners)
                self._cut_short()
                return Stop("match-over")
            case c.Unspecified():
                raise GapError(t.rule, t.span)
            case _:
                assert_never(t)
        return None

    def _cut_short(self) -> None:
        """A hand that is over while somebody has cards is not complete."""
        if not any(cards.empty is False for key, cards in self.state.zones.items() if key[0] == "hand"):
            self._moment("hand-ends")

    def _moment(self, moment: str) -> None:
        """Adds what is claimed of this moment; whoever comes past it, for him it holds."""
        claims = list(self.claims(SymbolicHand(self.state, self.encoder), moment))
        self.state.obligations += claims
        self.state.variables |= dict(claim.establishes for claim in claims if claim.establishes is not None)
        if moment == "play-starts":
            self.state.milestone = len(self.state.obligations)

    def _play_starts(self, plays: bool) -> None:
        """The first card is about to be played, if this statement plays one and none was played before."""
        if plays and not self.state.playing:
            self._moment("play-starts")
            self.state.playing = True

    def _branch(self, t: c.Branch) -> None:
        if _only_tells(t):
            self._tell_both(t)
            return
        condition = self.encoder.truth(t.condition)
        body = t.then if self.state.oracle.decide(condition) else t.otherwise
        self.state.stack.append(Frame(body))

    def _tell_both(self, t: c.Branch) -> None:
        """A branch that changes nothing: both sides are only looked at for what may break down in them."""
        reading = next((n for n in walk(t.condition) if isinstance(n, c.Reading)), None)
        condition = (
            z3.Bool(self.state.world.name()) if reading is not None else self.encoder.truth(t.condition)
        )
        for when, body in ((condition, t.then), (y.neg(condition), t.otherwise)):
            with self.state.under(when):
                self._tell(body)

    def _tell(self, body: tuple[c.Stmt, ...]) -> None:
        for t in body:
            match t:
                case c.Show():
                    self.actions.show(t)
                case c.Announce():
                    self.actions.announce(t)
                case c.InRule():
                    self._tell(t.body)
                case c.Branch():
                    self._tell_both(t)
                case c.Loop():
                    for x, when in self.encoder.members(t.domain):
                        self.state.bound[t.binder] = x
                        with self.state.under(when):
                            self._tell(t.body)

    def _loop(self, t: c.Loop) -> Stop | None:
        if t.domain.type == c.CARDS:
            raise NotEncodedError("it goes through cards one by one", t.span)
        if isinstance(t.domain, c.Range):
            low, high = self.encoder.value(t.domain.low), self.encoder.value(t.domain.high)
            if not isinstance(low, int) or not isinstance(high, int) or high - low >= UNROLLED:
                if not t.order.keys:
                    return self._head(t)
                havoc_loop(self.encoder, t)
                return None
        elements = [x for x, when in self.encoder.members(t.domain) if self.state.oracle.decide(when)]
        self.state.stack.append(Frame(t.body, len(t.body), t, tuple(self._in_order(t, elements))))
        return None

    def _head(self, t: c.Loop | c.Until) -> Stop:
        self._play_starts("play" in usage_of(t).labels)
        return Stop("head", LoopHead(t, tuple(self.state.stack)))

    def _in_order(self, t: c.Loop, elements: list[int]) -> list[int]:
        """The elements in the order of the keys, each comparison decided."""
        order, n = t.order, self.state.program.players
        elements.sort()
        if order.start is not None:
            first, turn = self.actions.player(order.start), 1 if order.clockwise else -1
            elements.sort(key=lambda p: (p - first) * turn % n)
        if not order.keys or len(elements) < 2:
            return elements
        keys: dict[int, list[tuple[bool, Int]]] = {}
        for x in elements:
            keys[x] = []
            for highest, binder, e in order.keys:
                self.state.bound[binder] = x
                key = self.encoder.value(e)
                if not isinstance(key, int | z3.ArithRef):
                    raise NotEncodedError("what the order goes by is not a number", e.span)
                keys[x].append((highest, key))
        ordered: list[int] = []
        for x in elements:
            place = len(ordered)
            while place and self.state.oracle.decide(_first(keys[x], keys[ordered[place - 1]])):
                place -= 1
            ordered.insert(place, x)
        for a, b in pairwise(ordered):
            tie = y.conj(*(y.compare("=", i, j) for (_, i), (_, j) in zip(keys[a], keys[b], strict=True)))
            if order.ties == "impossible":
                self.encoder.fault(tie, t.span, "tie")
            elif order.ties == "open" and tie is not False and self.state.oracle.decide(tie):
                self.state.open_ties.append(t.span)
        return ordered


def _only_tells(*steps: c.Stmt) -> bool:
    """Whether steps change nothing and ask nobody."""
    for t in steps:
        match t:
            case c.Show() | c.Announce():
                continue
            case c.InRule() if _only_tells(*t.body):
                continue
            case c.Branch() if _only_tells(*t.then, *t.otherwise):
                continue
            case c.Loop() if t.domain.type == c.PLAYERS and not t.order.keys and _only_tells(*t.body):
                continue
        return False
    return True


def _first(left: Sequence[tuple[bool, Int]], right: Sequence[tuple[bool, Int]]) -> Bool:
    """Whether one key comes before another."""
    before: Bool = False
    for (highest, a), (_, b) in reversed(list(zip(left, right, strict=True))):
        strictly = y.compare(">" if highest else "<", a, b)
        before = y.disj(strictly, y.conj(y.compare("=", a, b), before))
    return before
