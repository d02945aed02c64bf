"""Deals traced by the simulator and replayed by the interpreter, which must agree at every decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from traced_hands import TracedHand, read
from trickproof.checking.engines import State, apply, begin_hand, run
from trickproof.checking.played_hand import HandPlayed, following_hand
from trickproof.simulate.ir.calling_convention import ENDED, FIRST, LLVM, PYTHON
from trickproof.simulate.lowering import trace as n
from trickproof.simulate.lowering.data_layout import DataLayout
from trickproof.simulate.runtime.kernel import Kernel
from trickproof_dsl import core as c
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.machine import initial
from trickproof_dsl.semantics.values import Key, Value


def noted(kernel: Kernel, seed: int, hands: int, **given: Any) -> list[TracedHand]:
    """Traced deals, starting with the first match."""
    words = kernel.play(seed, 0, 10**9, hands, **given).notes
    return list(read(kernel.compiled.layout, words))


def replayed(kernel: Kernel, hands: Sequence[TracedHand], **given: Mapping[str, int]) -> int:
    """Replay all deals with the interpreter; return the number of decisions.

    Raises AssertionError if anything differs.
    """
    decisions, state = 0, None
    for hand in hands:
        state, more = _played(kernel, hand, state, given)
        decisions += more
    return decisions


def agree(program: c.Program, policies: tuple[str, ...], seed: int, hands: int) -> int:
    """The law; returns the number of decisions."""
    plain = Kernel(program, policies, PYTHON, traced=True)
    machine_code = Kernel(program, policies, LLVM, traced=True, compiled=plain.compiled)
    played = noted(machine_code, seed, hands)
    assert played == noted(plain, seed, hands)
    assert len(played) == hands
    return replayed(plain, played)


def _played(
    kernel: Kernel, hand: TracedHand, before: State | None, given: Mapping[str, Mapping[str, int]]
) -> tuple[State, int]:
    program, layout = kernel.program, kernel.compiled.layout
    deals = _deals(kernel, hand)
    chance = Chance(given=deals)
    if hand.number == 0:
        begun: State = initial(program, chance, given.get("parameters"), given.get("readings"))
        begun = run(begun, program.setup)
    else:
        assert before is not None
        after = following_hand(before)
        begun = after.begin if isinstance(after, HandPlayed) else after
        begun = begun.but(chance=chance)
    state = begin_hand(begun)
    decisions = 0
    for note in hand.notes:
        match note[0]:
            case n.STATE:
                assert state_of(layout, note) == _state(state), (hand.match, hand.number)
            case n.CARDS:
                _, player, domain, low, high, chosen = note
                decision = state.decision
                assert decision is not None, (hand.match, hand.number, note)
                asked = (decision.player, frozenset(decision.legal), decision.low, decision.high)
                assert asked == (player, layout.cards(domain), low, high)
                state = apply(state, layout.cards(chosen))
                decisions += 1
            case n.VALUE:
                _, player, base, mask, or_none, chosen = note
                decision = state.decision
                assert decision is not None
                kind = decision.type
                assert decision.player == player
                if base == n.FAR:
                    assert len(decision.legal) == mask + or_none
                else:
                    options = [base + i for i in range(64) if mask >> i & 1] + [-1] * or_none
                    assert list(decision.legal) == [layout.decoded(kind, x) for x in options]
                state = apply(state, layout.decoded(kind, chosen))
                decisions += 1
            case n.LEFT:
                _ended(kernel, state, note[1], note[2])
    return state, decisions


def _ended(kernel: Kernel, state: State, left: int, winners: int) -> None:
    assert state.decision is None
    if left >= FIRST:
        broken = kernel.compiled.fault_codes.of(left)
        assert state.fault is not None, broken
        assert state.fault.kind == broken.kind
        assert state.fault.span in broken.spans
        return
    assert state.fault is None, state.fault
    assert state.match_over == (left == ENDED)
    if left == ENDED:
        assert sum(1 << p for p in state.winners) == winners


def _state(state: State) -> dict[Key, object]:
    return {**state.variables, **{key: frozenset(cards) for key, cards in state.zones.items()}}


def _deals(kernel: Kernel, hand: TracedHand) -> dict[Key, tuple[int, ...]]:
    """The cards dealt to each zone, in order."""
    layout, found = kernel.compiled.layout, dict[Key, tuple[int, ...]]()
    zones = list(kernel.program.zones)
    keys = dict(layout.entries)
    for note in hand.notes:
        if note[0] == n.DEALT:
            _, zone, index, cards = note
            key = keys[(f"z.{zones[zone]}", index)]
            found[key] = (*found.get(key, ()), *sorted(layout.cards(cards)))
    return found


def labels(program: c.Program) -> Iterator[str]:
    """Labels of the moves that players decide on."""
    from trickproof_dsl.core.traversal import walk

    return (x.label for x in walk(program.hand) if isinstance(x, c.Choice))


def state_of(layout: DataLayout, note: Sequence[int]) -> dict[Key, Value]:
    """The state recorded in a note: variables as in the interpreter, zones as sets of cards."""
    program, state = layout.program, {}
    for ((array, _), key), word in zip(layout.entries, note[1:], strict=True):
        if array[0] == "v":
            state[key] = layout.decoded(program.variables[key[0]].type, word)
        else:
            state[key] = layout.cards(word)
    return state
