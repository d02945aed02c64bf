"""What is chosen by search: the same with any budget where little is unknown, on both back ends and with any number of workers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from budget import RUN
from checker.adapters.peer_rulesets import ROOT, from_text, loaded
from checker.search.hands import engine_of, moments
from trickproof.search import worlds
from trickproof.search.player import SearchPlayer
from trickproof.search.worlds import Worlds
from trickproof.simulate.api import simulate
from trickproof.simulate.ir.calling_convention import LLVM, PYTHON, BeyondError
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.script.machine import Trial
from trickproof_dsl.library import Library, Ruleset


def choices(ruleset: Ruleset, backend: str, rollouts: int, most: int, every: int = 1) -> list[int]:
    """What is chosen in the decisions of a hand played at random."""
    engine = engine_of(ruleset, backend)
    player = SearchPlayer(engine, rollouts)
    asked = [x.words for i, x in enumerate(moments(ruleset, 2)) if i % every == 0]
    return [player.choose(words, 1, i) for i, words in enumerate(asked[:most])]


@RUN
@pytest.mark.parametrize("name", ["pagat.yaml", "games/hearts.yaml"])
def test_both_back_ends_choose_alike(name: str) -> None:
    if best_backend() != LLVM:
        pytest.skip("there is no llvmlite")
    ruleset = loaded(ROOT / "rulesets" / name)
    assert choices(ruleset, LLVM, 12, 4, every=9) == choices(ruleset, PYTHON, 12, 4, every=9)


@pytest.mark.parametrize("name", ["pagat.yaml", "games/hearts.yaml"])
def test_all_rounds_in_one_call_are_the_same_as_one_by_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruleset = loaded(ROOT / "rulesets" / name)
    monkeypatch.setattr(worlds, "TRIES", 20_000)  # swaps begin anew in every call
    together = choices(ruleset, best_backend(), 40, 30, every=3)
    called: list[int] = []

    def begin(self: Worlds, choices: Sequence[int], *_: object) -> Trial:
        called.append(len(choices))
        return self._machine.tried(self._setting, choices, 0, 0, 0)

    monkeypatch.setattr(Worlds, "halved", begin)
    assert choices(ruleset, best_backend(), 40, 30, every=3) == together
    assert max(called) > 4


def test_the_last_cards_are_played_as_well_as_can_be() -> None:
    """With one card left nothing is thought about; with two the worlds are few, and the better card is found by all budgets."""
    ruleset = loaded(ROOT / "rulesets/games/whist.yaml")
    engine = engine_of(ruleset)
    late = [x.words for x in moments(ruleset, 1) if x.state.decision and len(x.state.decision.legal) == 2][
        -3:
    ]
    assert late
    for words in late:
        chosen = {SearchPlayer(engine, n).choose(words, 1, 1) for n in (400, 401, 2000)}
        assert len(chosen) == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_counts_depend_on_the_seed_only(workers: int) -> None:
    ruleset = loaded(ROOT / "rulesets/games/whist.yaml")
    policies = ["search:8", "greedy", "random", "greedy"]
    outcome = simulate(ruleset, hands=4, policies=policies, seed=5, workers=workers)
    again = simulate(ruleset, hands=4, policies=policies, seed=5)
    assert outcome.counts == again.counts
    assert outcome.counts.hands == 4


@pytest.mark.slow
def test_partners_who_search_take_more_tricks_than_random_ones() -> None:
    """The dealer and the player opposite, by more than chance explains."""
    ruleset = loaded(ROOT / "rulesets/games/whist.yaml")
    outcome = simulate(ruleset, hands=40, policies=["search:20", "random", "search:20", "random"], seed=1)
    tricks = [outcome.counts.tricks(seat).mean for seat in range(4)]
    assert tricks[0] + tricks[2] > tricks[1] + tricks[3] + 2


IDLE = """
ruleset: idle
title: Nothing happens
players: 3
state:
  n: {type: integer, initial: 1}
rules:
  hand:
    rule: n becomes 2
    assumes: a test
"""


@pytest.mark.parametrize("backend", [LLVM, PYTHON])
def test_a_hand_that_cannot_be_left_early(backend: str) -> None:
    """Nothing in its program says how it ended but that it did."""
    if best_backend() != backend == LLVM:
        pytest.skip("there is no llvmlite")
    ruleset, wrong = Library([]).load_text(IDLE, "idle.yaml")
    assert ruleset is not None, wrong
    outcome = simulate(ruleset, hands=2, policies=["search:2"], backend=backend)
    assert outcome.counts.hands + outcome.broken >= 1


def test_a_pack_that_takes_all_bits_of_a_word_is_refused() -> None:
    ranks = "2 3 4 5 6 7 8 9 T J Q K A B=bishop P=prince E=emperor"
    wide = f"ruleset: wide\ntitle: Wide\nextends: whist\ndeck: {{ranks: {ranks}, assumes: a test}}\n"
    with pytest.raises(BeyondError, match="at most 63 cards, and 4 suits of 16 ranks are more"):
        engine_of(from_text(wide))
