"""Who searches does not see what is hidden: in every hand that the player cannot tell from this one the choice is the same.

And the hand as it is never is thought impossible: the true way of every card is among those that it may have taken, and its record
is followed to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from budget import RUN, slow_but
from checker.adapters.peer_rulesets import PATHS, ROOT, loaded
from checker.search.hands import (
    as_if,
    engine_of,
    filled,
    followed,
    moments,
    possible_ways,
    seen_by_actor,
    true_ways,
)
from trickproof.information.stream import Stream, mixed
from trickproof.search.player import SearchPlayer
from trickproof.search.worlds import Worlds, viewed
from trickproof_dsl.library import Ruleset

EXCHANGES, PASSES = ROOT / "rulesets/pagat.yaml", ROOT / "rulesets/games/hearts.yaml"
"""Exchanges, forced returns, a kitty and a discard; cards passed at once."""


def path_id(path: Path) -> str:
    return path.stem


@RUN
@pytest.mark.parametrize("path", slow_but((EXCHANGES,), PATHS), ids=path_id)
def test_the_true_hand_is_possible(path: Path) -> None:
    """Three hands, so that there are exchanges; every seventh decision."""
    ruleset = loaded(path)
    engine, looked_at = engine_of(ruleset), 0
    for number, asked in enumerate(moments(ruleset, 3, seed=1)):
        if number % 7 or number > 120:
            continue
        assert asked.state.decision is not None
        seen = seen_by_actor(engine, asked.words)
        ways = true_ways(engine, asked.words, seen)
        for possible, cards in possible_ways(seen.state, engine.form.zones).items():
            assert {ways[i] for i in range(64) if cards >> i & 1} <= possible
        assert not followed(engine, filled(seen, asked.words)).rejected
        looked_at += 1
    assert looked_at


@pytest.mark.parametrize("path", slow_but((PASSES,), PATHS), ids=path_id)
def test_what_is_hidden_changes_no_choice(path: Path) -> None:
    """The hand is another one that fits all that the player has seen."""
    ruleset = loaded(path)
    assert exchanged(ruleset, every=11) > 0


def exchanged(ruleset: Ruleset, every: int, kind: type[SearchPlayer] = SearchPlayer) -> int:
    """In how many moments of a first hand another hand was tried."""
    engine, compared = engine_of(ruleset), 0
    player = kind(engine, 30)
    for number, asked in enumerate(moments(ruleset, 1, seed=3)):
        if number % every:
            continue
        assert asked.state.decision is not None
        viewer = asked.state.decision.player
        seen = viewed(engine, asked.words, viewer)
        worlds = Worlds(engine.machine, seen, len(asked.header))
        for world in worlds.draw(2, Stream(number)):
            other = as_if(ruleset, engine, [*asked.header, *world], seed=number)
            if other is None or viewed(engine, other, viewer).words != seen.words:
                continue
            choice = player.choose(asked.words, 5, 7)
            player.forget()  # what the rules would have allowed is asked of the other hand anew
            assert player.choose(other, 5, 7) == choice, "another choice"
            player.forget()
            compared += other != asked.words
    return compared


class Peeking(SearchPlayer):
    """Its chance depends on the whole record."""

    def choose(self, record: Sequence[int], stream: int, hand: int) -> int:
        return super().choose(record, mixed(*record), hand)


def test_a_player_who_looks_at_the_record_is_found() -> None:
    with pytest.raises(AssertionError, match="choice"):
        exchanged(loaded(PASSES), every=5, kind=Peeking)
