"""Choices that are taken back, where most states are played again."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import documented
from trickproof.play import saved_match
from trickproof.play.saved_match import Match, Setting
from trickproof_dsl.playing import random_player


def test_undo_gives_every_state_again_and_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_match, "STRIDE", 7)
    match, passed = Match(documented("pagat"), Setting(0, "random", 3, {}, {})), []
    for number in range(150):
        decision = match.now.decision
        if decision is None:
            match.begin_next_hand()
            continue
        if decision.player == 0:
            passed.append(match.now)
        match.choose(random_player(number)(match.now, decision))
    assert len(match.states) == 1 + 150 // 7
    while passed:
        assert match.undo()
        assert match.now == passed.pop()
    assert not match.undo()
