"""What holds whether or not all hands are as many cards as there are tricks is proved where they are not."""

from __future__ import annotations

from budget import RUN
from checker.rulesets_for_tests import house, rule
from trickproof.check_runner.certificates import certificate
from trickproof.check_runner.runner import check_ruleset
from trickproof.checking.verdict import Verdict
from trickproof.checks import all_checks
from trickproof.proofs.hands.verdicts import hand_proof
from trickproof.testing.subject import Subject

SHORT = house(
    rule("deal", "deal 2 cards to hand of left of dealer\ndeal 1 card to hand of dealer\n"),
    "tests/adversarial/cases/plain-two.yaml",
)


@RUN
def test_what_does_not_depend_on_it_is_proved() -> None:
    names = ["hand-size", "legal-play-exists", "cards-conserved", "one-trick-winner", "trick-total"]
    findings, disagreements = check_ruleset(SHORT, names, 100)
    assert disagreements == []
    verdicts = {finding.check: finding.verdict for finding in findings}
    refuted = {"hand-size", "legal-play-exists"}
    assert verdicts == {name: Verdict.REFUTED if name in refuted else Verdict.PROVED for name in names}
    lines = certificate(SHORT, [finding for finding in findings if finding.verdict.proved], 100)
    assert len(lines) == 1
    assert '"roots":[]' in lines[0]


@RUN
def test_even_hands_are_taken_to_be_so() -> None:
    assert not hand_proof(Subject(SHORT, all_checks())).even
    even = house("state: {}", "tests/adversarial/cases/plain-two.yaml")
    assert hand_proof(Subject(even, all_checks())).even
