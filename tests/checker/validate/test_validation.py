"""What a validation says beside verdicts: the worked examples of the base that a house rule contradicts."""

from __future__ import annotations

from checker.rulesets_for_tests import documented, house, rule
from trickproof.validate.validation import other_outcomes

LADY = "if some card in hand has suit = led then cards in hand with suit = led else {}if QS in hand then cards in hand with card = QS else hand"
FIRST = "if first-trick and some card in hand has worth = 0 then cards in hand with worth = 0 else "


def test_an_example_of_the_base_that_comes_out_differently_is_named() -> None:
    """Who must play the lady when void contradicts an example of the first trick; a rule about scores contradicts none."""
    hearts = documented("hearts")
    named = [x.name for x in other_outcomes(hearts, house(rule("follow", LADY.format(FIRST)), "hearts"))]
    assert named == ["nothing-but-points-on-the-first-trick"]
    assert len([*other_outcomes(hearts, house(rule("follow", LADY.format("")), "hearts"))]) > 1
    assert not [*other_outcomes(hearts, house(rule("end", "some player has score >= 50"), "hearts"))]
