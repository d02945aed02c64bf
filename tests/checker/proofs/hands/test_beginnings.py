"""Everything that a deal can begin with, where the last one leaves something open."""

from __future__ import annotations

from itertools import product

import pytest

from checker.rulesets_for_tests import LIBRARY, ROOT, found, house, subject_of
from trickproof.proofs.hands.beginnings import cover
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof_dsl.library import Ruleset


@pytest.fixture(scope="module")
def another_suit() -> Ruleset:
    ruleset, _ = LIBRARY.load(str(ROOT / "rulesets/house/another-suit-each-deal.yaml"))
    assert ruleset is not None
    return ruleset


def test_a_chosen_suit_is_any(another_suit: Ruleset) -> None:
    names = frozenset(("dealer", "first-hand", "last-trump"))
    cases = cover(subject_of(another_suit), names, PlayOutcome.KNOWN_SIZE)
    assert cases is not None
    listed = {(case["first-hand",], case["last-trump",]) for case in cases}
    assert listed == {(True, None), *product((False,), (None, 0, 1, 2, 3))}


def test_a_chosen_number_is_not_listed() -> None:
    body = """
        state:
          stake: {type: integer, carried: true}
        rules:
          trump:
            rule: |
              if stake < 8:
                  dealer chooses trump
              else:
                  trump becomes hearts
              stake becomes stake + 1
            assumes: so
        """
    names = frozenset(("dealer", "stake"))
    assert cover(subject_of(house(body)), names, PlayOutcome.KNOWN_SIZE) is None


@pytest.mark.slow
def test_matches_end_whatever_suit_was_trumps(another_suit: Ruleset) -> None:
    """The solver leaves out which suit is chosen: that the next deal begins with another one is no disagreement."""
    ends = found(another_suit, ["end-always-reachable", "terminates"])
    assert [x.verdict.value for x in ends] == ["proved", "proved"]
