"""Worlds of a small game against enumeration: all hands that fit what was seen are drawn, each as often as any other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from checker.adapters.peer_rulesets import ROOT, loaded, replaced
from checker.search.hands import engine_of, followed, moments, possible_ways, seen_by_actor
from trickproof.information.record import HOLE
from trickproof.information.stream import Stream
from trickproof.search.worlds import Worlds
from trickproof.simulate.ir.calling_convention import BACKENDS
from trickproof.simulate.script.machine import Setting

EXCHANGE = """
  exchange-timing:
    rule: |
      left of dealer gives 1 card of hand to right of dealer as gift(left of dealer, right of dealer)
      right of dealer returns highest of hand matching gift(left of dealer, right of dealer)
          to left of dealer as returned(right of dealer, left of dealer)
    assumes: a test
  targets:"""

GIVEN_BACK = replaced(
    ROOT / "tests/adversarial/cases/plain-two.yaml",
    ("players: {number: 2,", "players: {number: 3,"),
    ("deck: {ranks: K A,", "deck: {ranks: J Q K A,"),
    ("  targets:", EXCHANGE),
)
"""Eight cards, two each; one is given, the highest of its suit given back: who deals sees neither."""

DRAWN = 6_000


@pytest.mark.parametrize("tries", [50_000, 1], ids=["drawn", "swapped"])
@pytest.mark.parametrize("seed", range(4))
def test_worlds_are_uniform_where_cards_are_given_and_returned(seed: int, tries: int) -> None:
    """Also where all but one are found by swaps."""
    engine = engine_of(GIVEN_BACK)
    asked = next(x for x in moments(GIVEN_BACK, 1, seed) if x.state.decision and x.state.decision.player == 0)
    seen = seen_by_actor(engine, asked.words)
    setting = Worlds(engine.machine, seen, engine.form.first)._setting
    drawn: Counter[tuple[int, ...]] = Counter()
    stream = Stream(seed)
    while drawn.total() < DRAWN:
        trial = engine.machine.tried(setting, [], 500, stream.word() >> 1, tries)
        assert trial.number == 500
        assert trial.swapped >= 499 * (tries == 1)
        drawn.update(world.cards[: len(seen.sizes)] for world in trial.worlds)
    fitting = set()
    ways = possible_ways(seen.state, engine.form.zones)
    unseen = engine.deck & ~ways[frozenset({(("hand", 0), 0)})]
    cards = [1 << i for i in range(64) if unseen >> i & 1]
    for left in combinations(cards, 2):
        for right in combinations([x for x in cards if x not in left], 2):
            for given in left:
                masks = (sum(left), sum(right), given, HOLE)
                record = list(seen.words)
                for h, mask in enumerate(masks):
                    record[seen.holes[2 * h]] = record[seen.holes[2 * h + 1]] = mask
                if followed(engine, record).followed > len(record) - engine.form.first:
                    fitting.add(masks)
    assert len(fitting) > 5
    assert set(drawn) == fitting
    expected = DRAWN / len(fitting)
    chi_square = sum((drawn[x] - expected) ** 2 / expected for x in fitting)
    freedom = len(fitting) - 1
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5


def test_machine_code_and_python_make_the_same_swaps() -> None:
    """Whether a world was drawn or not."""
    pytest.importorskip("llvmlite")
    chains = set()
    for seed in range(4):
        trials = []
        for backend in BACKENDS:
            engine = engine_of(GIVEN_BACK, backend)
            asked = list(moments(GIVEN_BACK, 1, seed))[3]
            seen = seen_by_actor(engine, asked.words)
            setting = Worlds(engine.machine, seen, engine.form.first)._setting
            trials.append(engine.machine.tried(setting, [], 5, seed, 2))
        one, other = trials
        assert (one.worlds, one.swapped) == (other.worlds, other.swapped)
        chains.add(one.swapped)
    assert chains >= {4, 5}


def test_nothing_to_draw_is_nothing_found() -> None:
    """Neither a plan nor worlds that are given."""
    engine = engine_of(GIVEN_BACK)
    asked = next(moments(GIVEN_BACK, 1))
    first = engine.form.first
    setting = Setting(asked.words, 0, first, len(asked.words), 1, 0)
    trial = engine.machine.tried(setting, [1], 5, 1, 100)
    assert (trial.number, trial.tries, trial.worlds, trial.sums[0].number) == (0, 0, [], 0)


def test_worlds_rejected_at_a_movement_would_be_rejected_later() -> None:
    """Cards that certainly went through a movement by the rules are looked for there; without that, worlds are the same."""
    ruleset = loaded(ROOT / "rulesets/pagat.yaml")
    engine = engine_of(ruleset)
    looked_for = 0
    for asked in list(moments(ruleset, 2, seed=1))[-48::5]:
        seen = seen_by_actor(engine, asked.words)
        early, late = (Worlds(engine.machine, seen, engine.form.first) for _ in range(2))
        looked_for += len(late._sampler.certain)
        late._sampler.certain.clear()
        late._setting = late._made_setting(0, 0, ())
        for worlds in (early, late):
            worlds.draw(20, Stream(1))
        assert early.found
        assert (early.tries, early.found) == (late.tries, late.found)
    assert looked_for


SHOWS = {
    "the whole kitty": "dealer shows kitty to everyone",
    "some cards of a hand": "dealer shows cards in hand with suit = hearts to everyone",
    "chosen cards of a hand": "dealer shows 3 cards of hand to everyone",
}


@pytest.mark.parametrize("step", SHOWS.values(), ids=list(SHOWS))
def test_worlds_are_drawn_that_have_what_was_shown_where_it_was(step: str) -> None:
    path = ROOT / "rulesets/house/kitty-shown-first.yaml"
    ruleset = replaced(path, ("dealer shows kitty to everyone", step))
    engine = engine_of(ruleset)
    asked = next(
        x for x in moments(ruleset, 1, seed=1) if x.state.decision and x.state.decision.label == "play"
    )
    worlds = Worlds(engine.machine, seen_by_actor(engine, asked.words), engine.form.first)
    assert len(worlds.draw(20, Stream(1))) == 20
    assert worlds.exact
    assert worlds.tries < 200
