"""The symbolic reader means the same as the interpreter.

Law: whatever a hand comes to in play, with whatever is dealt and chosen, is possible on some path of the symbolic
reader, in counts and in bits, none of its obligations coming true; where the rules break down, the obligation that says so is
left open; and what a half can tell exactly, it tells as the interpreter does.  More may be allowed, nothing less.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.random_rulesets import CALM, FILE, rulesets
from agreement.recorded import Played, play
from agreement.shadow import Paths, disagreement, shadows, untold
from trickproof.proofs.smt.path_enumeration import TooManyPathsError
from trickproof_dsl import Library, render
from trickproof_dsl import core as c
from trickproof_dsl.compiled.evaluator import Key, Value
from trickproof_dsl.library import Ruleset

NEVER_MORE_THAN = 40
"""Of a hundred hands, those with more paths than are followed."""


def loaded(text: str) -> Ruleset:
    ruleset, wrong = Library().load_text(text, "random.yaml")
    assert ruleset is not None, render(wrong)
    return ruleset


def hands(program: c.Program, seed: int, number: int) -> list[tuple[Played, list[Key]]]:
    """Random hands from random carried values, which the reader is told, or which it only knows something about."""
    found = []
    for i in range(number):
        rng = Random(f"{seed} {i}")
        carried: dict[Key, Value] = {
            (name, p): rng.randint(-2, 2) for name in ("over", "score") for p in range(program.players)
        }
        played = play(program, seed + i, {**carried, ("dealer",): rng.randrange(program.players)})
        if played is not None:
            found.append((played, list(carried) if i % 2 else []))
    return found


def agree(text: str, seed: int, number: int, seen: Counter[str] | None = None) -> None:
    """The law, for some hands of one ruleset."""
    program, seen = loaded(text).program, Counter() if seen is None else seen
    for played, symbolic in hands(program, seed, number):
        fault = played.end.fault
        try:
            paths = list(shadows(program, played, symbolic))
        except TooManyPathsError:
            seen["too many paths"] += 1
            continue
        wrong = disagreement(paths, played)
        assert wrong is None, f"{wrong}\ndecided: {played.decided}\n{text}"
        seen["broken down" if fault else "complete"] += 1
        if fault is None:
            exact(paths, played, seen)


def exact(paths: Paths, played: Played, seen: Counter[str]) -> None:
    """On a hand's only path, what a half can tell exactly is what the interpreter has."""
    ways = [reader for reader, _ in paths if reader.vague < {"counts", "bits"} and reader.possible()]
    if len(ways) == 1 == len(paths):
        looked_at, wrong = untold(ways[0], played)
        assert wrong == [], f"{wrong} {played.decided}"
        seen["told exactly"] += looked_at


def run(examples: int, number: int) -> Counter[str]:
    """The law for random rulesets, so many hands of each."""
    seen: Counter[str] = Counter()

    @settings(CALM, max_examples=examples)
    @given(rulesets(), st.integers(0, 10**6))
    def law(text: str, seed: int) -> None:
        agree(text, seed, number, seen)

    law()
    return seen


def test_random_rulesets() -> None:
    seen = run(40, 2)
    assert seen["complete"] > 15, seen
    assert seen["broken down"] > 10, seen
    assert seen["told exactly"] > 60, seen


@pytest.mark.slow
def test_many_random_rulesets() -> None:
    seen = run(3000, 3)
    assert seen["too many paths"] * 100 < NEVER_MORE_THAN * seen.total(), seen


# ------------------------------------------------------------------------------------ what was once wrong

DEAL = "shuffle\nfor d in players:\n    deal 3 cards to hand of d\n"

REGRESSIONS = {
    "nobody is asked to choose": DEAL + "who chooses m of dealer from 0 to 2",
    "somebody may be asked who may not be there": (
        DEAL
        + "who becomes if over of dealer > 0 then dealer else none\nwho chooses m of dealer from 0 to 2\nn becomes 1"
    ),
    "the only one of none is asked": (
        DEAL
        + "(only player in (players with over > 0)) discards 2 cards of hand\nn becomes number of discards"
    ),
    "what is owned by nobody": DEAL + "due(dealer, left of dealer) becomes due(dealer, who)",
    "a hand of nobody": DEAL + "leader becomes who\nleader plays 1 card of hand as played of leader",
    "the value before its owner": DEAL
    + "over of (only player in (players with over < 0)) becomes height of one",
    "what is kept by one of several": (
        DEAL + "(only player in (players with the highest score)) discards 1 card of hand"
    ),
    "nobody looks at nothing": (
        DEAL + "dealer shows kept of dealer to (only player in (players with over < 0))\nn becomes 1"
    ),
    "nothing goes to nobody": DEAL + "dealer passes kept of dealer from hand to who\nn becomes 1",
}


@pytest.mark.parametrize("name", REGRESSIONS)
def test_regressions(name: str) -> None:
    hand = textwrap.indent(REGRESSIONS[name], " " * 6)
    text = FILE.format(players=3, ranks="2 3 4 5", suits="C=clubs D=diamonds H=hearts", hand=hand)
    for seed in range(0, 60, 5):
        agree(text, seed, 2)


# ----------------------------------------------------------------------------- the law would tell a mistake

MISTAKES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {}


def mistake(made: Callable[[pytest.MonkeyPatch], None]) -> Callable[[pytest.MonkeyPatch], None]:
    MISTAKES[made.__name__] = made
    return made


@mistake
def unions_count_twice(patch: pytest.MonkeyPatch) -> None:
    from trickproof.proofs.symbolic.card_theory import CardWorld

    patch.setattr(CardWorld, "union", CardWorld.moved_in)


@mistake
def the_lowest_for_the_highest(patch: pytest.MonkeyPatch) -> None:
    from trickproof.proofs.symbolic.card_theory import CardWorld

    plain = CardWorld.each_above
    patch.setattr(
        CardWorld, "each_above", lambda self, kept, rest, highest: plain(self, kept, rest, not highest)
    )


@mistake
def orders_forget_ties(patch: pytest.MonkeyPatch) -> None:
    from trickproof.proofs.smt import symbolic_values as symbols
    from trickproof.proofs.symbolic import executor as hand_reader

    patch.setattr(
        hand_reader,
        "_first",
        lambda left, right: symbols.compare(">=", left[0][1], right[0][1]),
    )


@mistake
def cards_never_go(patch: pytest.MonkeyPatch) -> None:
    from trickproof.proofs.symbolic.card_theory import CardWorld

    patch.setattr(CardWorld, "moved_out", lambda _self, there, _cards: there)


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MISTAKES[name](monkeypatch)
    hand = DEAL + textwrap.dedent("""\
        for x in players, highest over first, then clockwise from dealer:
            x gives 1 card of hand to left of x as gift(x, left of x)
            n becomes n * 2 + number of (hand of x + hand of left of x)
        for x in players:
            left of x returns highest of hand matching gift(x, left of x) to x as returned(left of x, x)
        m of dealer becomes number of (hand of dealer + gift(dealer, left of dealer))
        trump becomes suit of only card in (returned(left of dealer, dealer))""")
    text = FILE.format(
        players=3, ranks="2 3 4 5", suits="C=clubs D=diamonds H=hearts", hand=textwrap.indent(hand, " " * 6)
    )
    with pytest.raises(AssertionError):
        agree(text, 0, 24)
