"""Loop invariants hold in every iteration that is played.

Law: whatever the interpreter reaches at the head of a loop that was treated by induction satisfies every
candidate that the proof has retained (`loop_invariants.CandidateInvariant`), and agrees with the values
assumed at entry; for the documented rulesets and for random ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
import z3

from agreement.instrumented import carried_out_with
from agreement.random_rulesets import ruleset_of
from budget import RUN, blocks, slow_but
from checker.rulesets_for_tests import FOREIGN, LIBRARY, documented, foreign
from dsl.small_games import game
from trickproof.analysis.dependencies import steps
from trickproof.checking.verdict import DisagreementError
from trickproof.checks import all_checks
from trickproof.proofs.hands import prover as hand_proof
from trickproof.proofs.hands.initial_states import starts
from trickproof.proofs.hands.loop_invariants import CandidateInvariant, LoopInvariant, taking_part
from trickproof.proofs.hands.prover import _Prover, prove_hand
from trickproof.proofs.smt.path_enumeration import explore
from trickproof.proofs.smt.query_cache import effort
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.testing.random_play import pick
from trickproof.testing.subject import Subject
from trickproof_dsl import Library, core as c, render
from trickproof_dsl.compiled import machine as interpret
from trickproof_dsl.compiled.blocks import Block, Code
from trickproof_dsl.compiled.memory import Match, Memory
from trickproof_dsl.compiled.state import State, initial
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.expressions import Store, evaluate, given
from trickproof_dsl.semantics.values import Key, Value

LONG = (
    "shawn-51",
    "gamerules",
    "gamerules-mirror",
    "draw-two",
    "forty-in-pairs",
    "lowest-takes",
    "weaver-four",
)
"""Rulesets whose proofs are slow."""

FEW_PATHS = 12
"""Limit on the paths of a phase of a random deal."""

NAMES = (*LIBRARY.documented(), *FOREIGN.documented())


def kept(ruleset: Ruleset) -> tuple[list[LoopInvariant], list[int]]:
    """The loops of a ruleset's deal with their invariants, and the dealers considered."""
    subject = Subject(ruleset, all_checks())
    prover = _Prover(subject, lambda *_: (), effort(subject.session))
    begun = list(starts(subject, PlayOutcome.KNOWN_SIZE))
    proof = prover.run(begun, PlayOutcome.KNOWN_SIZE)
    known = not proof.limits
    dealers = {start.variables.get(("dealer",)) for start in begun}
    return list(prover.invariants.values()) if known else [], sorted(d for d in dealers if isinstance(d, int))


def holds(
    candidate: CandidateInvariant, state: Any, gone: int, left: int, takes_part: Callable[[int, int], bool]
) -> bool:
    """Whether a candidate holds for the interpreter's variables and zones.

    `takes_part` says whether the filter of a number lets a player take part.
    """
    match candidate.kind:
        case "empty":
            return not state.zones[candidate.key]
        case "size":
            return bool(len(state.zones[candidate.key]) == candidate.value)
        case "fewer":
            return bool(len(state.zones[candidate.key]) == candidate.value - gone)
        case "more":
            return bool(len(state.zones[candidate.key]) == candidate.value + gone)
        case "rounds-left":
            return bool(len(state.zones[candidate.key]) == left)
        case "rounds-left-if":
            player = candidate.key[1]
            return bool(not takes_part(candidate.value, player) or len(state.zones[candidate.key]) == left)
        case "one-of":
            chosen = state.variables[candidate.key]
            return chosen is None or takes_part(candidate.value, chosen)
        case "equal":
            assert candidate.other is not None
            return bool(state.variables[candidate.key] == state.variables[candidate.other])
        case "no-card":
            return state.variables[candidate.key] is None
        case "rounds-gone":
            return bool(sum(v for k, v in state.variables.items() if k[0] == candidate.key[0]) == gone)
        case "not-negative":
            return bool(state.variables[candidate.key] >= 0)
        case "least":
            return bool(state.variables[candidate.key] >= candidate.value)
        case "most":
            return bool(state.variables[candidate.key] <= candidate.value)
        case "given":
            return state.variables[candidate.key] is not None
        case "given-after":
            assert candidate.flag is not None
            still = state.variables[candidate.flag] == candidate.value
            return bool(still or state.variables[candidate.key] is not None)
        case "same":
            return bool(state.variables[candidate.key] == candidate.value)
    raise AssertionError(f"what does {candidate.kind} say?")


@contextmanager
def watching(invariants: list[LoopInvariant], wrong: list[str], seen: Counter[str]) -> Iterator[None]:
    """Within the context, check every loop head that the interpreter reaches."""
    by_loop: dict[int, list[LoopInvariant]] = {}
    for invariant in invariants:
        by_loop.setdefault(id(invariant.head.loop), []).append(invariant)

    def failing(
        state: State, memory: Memory, code: Code, loop: c.Loop | c.Until, invariant: LoopInvariant
    ) -> list[object]:
        bound = code.bound(memory)
        store = Store(state.program, state.parameters, state.readings, state.variables, state.zones)
        rest: Any = memory.loops[code.loops[id(loop)]]
        if isinstance(loop, c.Until):
            gone = given(loop.bound, store, bound) - rest
            left = state.variables[("hand-size",)] - gone  # tricks left
        else:
            elements: Any = evaluate(loop.domain, store, bound)
            left, gone = len(rest), len(elements) - len(rest)
        filters = taking_part(loop)

        def takes_part(number: int, player: int) -> bool:
            of = filters[number]
            return bool(evaluate(of.condition, store, {**bound, of.binder: player}))

        wrong_ones: list[object] = [
            g for g in invariant.candidates if not holds(g, state, gone, left, takes_part)
        ]
        same = {key: v for key, v in invariant.constant.items() if all(isinstance(x, int | None) for x in v)}
        return wrong_ones + [(key, v) for key, v in same.items() if state.variables[key] not in v]

    def watcher(code: Code, loop: c.Loop | c.Until, head: Block) -> Block:
        def looked_at(m: Match, s: Memory, /) -> Block | Decision | None:
            """A loop with several heads must satisfy the invariant of one of them."""
            state = State(m, s)
            wrong_of = [failing(state, s, code, loop, invariant) for invariant in by_loop[id(loop)]]
            seen["heads"] += 1
            seen["candidates"] += len(by_loop[id(loop)][0].candidates)
            if all(wrong_of):
                wrong.append(f"{wrong_of[0]} after {len(state.events)} events")
            return head(m, s)

        return looked_at

    def watched(code: Code, names: Mapping[str, Any]) -> dict[str, Any]:
        loops = [t for t in walk(code.statements) if id(t) in by_loop and id(t) in code.loops]
        return {name: watcher(code, t, names[name]) for t in loops for name in [f"round_{code.loops[id(t)]}"]}

    with carried_out_with(watched):
        yield


def play(program: c.Program, seed: int, carried: Mapping[Key, Value], most: int = 400) -> State:
    """A random deal, under random readings and parameters."""
    rng = Random(seed)
    readings = {name: rng.randrange(len(of)) for name, of in program.readings.items()}
    parameters = {name: rng.choice(of) for name, of in program.parameters.items()}
    begin = interpret.initial(program, Chance(seed), parameters, readings, carried)
    state = interpret.run(interpret.run(begin, program.setup), program.hand)
    for _ in range(most):
        if state.decision is None:
            break
        state = interpret.apply(state, pick(state.decision, rng))
    return state


def carried(program: c.Program, rng: Random, tricks: int, dealer: int) -> dict[Key, Value]:
    """Possible initial values of a deal: overtricks sum to zero, as every deal but the first follows one.

    They stay at zero where no rule sets them.
    """
    values: dict[Key, Value] = {key: v for key, v in initial(program).variables.items() if key == ("dealer",)}
    values[("dealer",)] = dealer
    over_is_set = any(t.defines == "over" for t in steps((*program.hand, *program.between)))
    if over_is_set and rng.random() < 0.7:
        first, second = rng.sample(range(program.players), 2)
        number = rng.randint(0, min(3, tricks))
        values |= {("first-hand",): False, ("over", first): number, ("over", second): -number}
    return values


def check(ruleset: Ruleset, hands: int, seen: Counter[str], seed: int = 0) -> None:
    """The law, for some deals."""
    invariants, dealers = kept(ruleset)
    wrong: list[str] = []
    with watching(invariants, wrong, seen):
        for number in range(hands):
            rng = Random(f"{seed} {number}")
            play(ruleset.program, seed + number, carried(ruleset.program, rng, 3, rng.choice(dealers)))
    assert wrong == []


@RUN
@pytest.mark.parametrize("name", slow_but(("tallyn",), NAMES))
def test_rulesets(name: str) -> None:
    seen: Counter[str] = Counter()
    check(documented(name) if name in LIBRARY.documented() else foreign(name), 6, seen)
    if name in LONG and not seen:
        pytest.skip("its proof is not followed to the end, so that nothing is believed")
    assert seen["heads"] > 30, seen
    assert seen["candidates"] > 100, seen


@RUN
@pytest.mark.grows("agreement.induction")
@pytest.mark.parametrize(
    "block", blocks("agreement.induction", 20), ids=lambda block: f"{block[0]}-{block[-1]}"
)
def test_random_rulesets(block: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few paths are enough, since nothing is claimed about those that are not followed to the end."""
    monkeypatch.setattr(
        hand_proof,
        "explore",
        lambda session, run, facts, cases: explore(session, run, facts, FEW_PATHS, cases),
    )
    seen: Counter[str] = Counter()
    for seed in block:
        ruleset, problems = Library().load_text(ruleset_of(seed, longer=True), "random.yaml")
        if ruleset is None:
            assert {problem.code for problem in problems} == {"E308"}, render(problems)
            seen["to oneself"] += 1
            continue
        try:
            check(ruleset, 6, seen, seed)
        except DisagreementError as stopped:
            assert "no deal can begin" in str(stopped)  # noqa: PT017
            seen["no hand"] += 1
    assert seen["heads"] > 2 * len(block), seen
    assert seen["to oneself"] <= len(block) // 4


NESTED = """
repeat until yes, at most 50 times:
    m of dealer becomes 0
    dealer chooses said of dealer
    n becomes if said of dealer = pass then 2 else 1
    if said of dealer = pass:
        who becomes left of dealer
    else:
        who becomes right of dealer
    repeat until m of dealer = 1, at most 50 times:
        if who = {where} of dealer:
            leader becomes only player in players
        dealer chooses m of dealer from 0 to 1
    dealer chooses yes
"""


@RUN
@pytest.mark.parametrize(
    ("where", "single"), [("left", False), ("right", False), ("left of left of left", True)]
)
def test_a_loop_in_a_loop_is_entered_in_every_round(where: str, single: bool) -> None:
    """The first way into the inner loop is not the only one."""
    ruleset = game(NESTED.format(where=where))
    left = prove_hand(Subject(ruleset, all_checks()), lambda *_: ()).open
    assert ("not-single" not in {o.obligation.kind for o in left}) == single
    seen: Counter[str] = Counter()
    check(game(NESTED.format(where=where).replace("only player in players", "dealer")), 20, seen)
    assert seen["heads"] > 60


UNEVEN = """
ruleset: uneven
title: A player gives a card away before the play
players: 3
deck:
  ranks: 2 3 4
  suits: C=clubs D=diamonds
rules:
  hand:
    rule: |
      shuffle
      for d in players:
          deal 2 cards to hand of d
      deal the rest to kitty
      dealer discards 1 card of hand
      hand-size becomes number of hand of dealer
      leader becomes left of dealer
      repeat hand-size times:
          leader plays 1 card of hand as played of leader
          led becomes suit of played of leader
          for y in players other than leader, clockwise from leader:
              y plays 1 card of hand as played of y
          leader becomes only player in players with the highest rank of played
              among players with suit of played = led
          tricks of leader becomes tricks of leader + 1
          put trick into tricks-taken of leader
          for z in players:
              played of z becomes none
    assumes: a test
"""


def uneven() -> Ruleset:
    ruleset, problems = Library().load_text(UNEVEN, "uneven.yaml")
    assert ruleset is not None, render(problems)
    return ruleset


@RUN
def test_guesses_are_judged_one_by_one_and_in_names_of_the_loop() -> None:
    """The kitty is empty and the discards stay: neither counts the iterations left, although hand 0 does."""
    seen: Counter[str] = Counter()
    check(uneven(), 12, seen)
    invariants, _ = kept(uneven())
    believed = [
        candidate.key
        for invariant in invariants
        for candidate in invariant.candidates
        if candidate.kind == "rounds-left"
    ]
    assert believed == [("hand", 0)]


def test_beliefs_that_contradict_each_other_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_proof, "goes_on", _impossible)
    monkeypatch.setattr(hand_proof, "begins_round", _impossible)
    with pytest.raises(DisagreementError, match="contradict each other"):
        kept(uneven())


def _impossible(executor: Any, *_: object) -> list[Any]:
    executor.state.world.bit_facts += [z3.BitVec("b", 2) == 1, z3.BitVec("b", 2) == 2]
    return []


@RUN
def test_hands_that_take_too_much_work_are_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the work is cut off: following nothing further is no contradiction."""

    def spent() -> tuple[int, list[str]]:
        subject = Subject(documented("weathercock"), all_checks())
        prover = _Prover(subject, lambda *_: (), effort(subject.session))
        return prover.run(starts(subject, PlayOutcome.KNOWN_SIZE), PlayOutcome.KNOWN_SIZE).paths and effort(
            subject.session
        ) - prover.first, prover.proof.limits

    whole, limits = spent()
    assert limits == []
    for share in (0, 2, 4):
        monkeypatch.setattr(hand_proof, "MOST_SPENT", whole * share // 8)
        _, limits = spent()
        assert limits == ["the proof exceeds the work limit"]
