"""What a few matches show needs no proof, even what random play hardly ever comes to."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import documented, house, rule
from trickproof.diff.witnesses import seen_apart as module
from trickproof.diff.witnesses.seen_apart import seen_apart


def test_a_deal_in_which_one_player_takes_every_trick_tells_ends_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, other = documented("pagat"), house(rule("end", "some player has tricks >= 17"))
    assert seen_apart(own, other)
    assert seen_apart(other, own)
    monkeypatch.setattr(module, "_sweep_apart", lambda *_: False)
    assert not seen_apart(own, other)


def test_ends_that_agree_in_such_a_deal_are_not_told_apart() -> None:
    assert not seen_apart(documented("pagat"), house(rule("end", "some player has tricks >= 13")))
