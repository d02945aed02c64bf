"""Fixes are suggested on the strength of proofs; on that of random deals only if they are made for the flaw, and then they say so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checker.rulesets_for_tests import LIBRARY, house, rule
from trickproof.check_runner.runner import findings_about, subject_of
from trickproof.checking.finding import Finding
from trickproof.checking.proof_session import ProofSession
from trickproof.checking.verdict import Method, Verdict
from trickproof.proofs.hands import verdicts
from trickproof.proofs.hands.prover import HandProof
from trickproof.proofs.symbolic.hand_summary import PlayOutcome
from trickproof.reports.comparison.validation import fix_words
from trickproof.testing.subject import Subject
from trickproof.validate import repairs as module
from trickproof.validate.edits import Repair
from trickproof.validate.repairs import repairs

TEN_UP = rule("end", "some player has score >= 10") + (
    "  winner: {rule: players with the highest score, assumes: a test}\n"
)


@pytest.mark.parametrize(("verdict", "guessed"), [(Verdict.PROVED, True), (Verdict.TESTED, False)])
def test_random_deals_recommend_no_guess(
    verdict: Verdict, guessed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any change deals other cards to other players, and a flaw that comes up once in a hundred deals seems to be gone."""

    def accepting(subject: Subject, only: object = None, **_: object) -> Iterator[tuple[Finding, None]]:
        if only is not None:
            yield Finding("unique-winner", verdict, Method.SMT, ""), None

    monkeypatch.setattr(module, "findings_about", accepting)
    monkeypatch.setattr(module, "play_the_same", lambda *_: False)
    broken = [Finding("unique-winner", Verdict.REFUTED, Method.SMT, "two win together")]
    fixes = repairs(LIBRARY, house(TEN_UP), broken, broken, {}, lambda _: None, ProofSession())
    assert any(fix.what.startswith("play on until there is one winner") for fix in fixes)
    assert any(fix.guessed for fix in fixes) == guessed
    assert all(_is_said_to_be_tested(fix) == (verdict is Verdict.TESTED) for fix in fixes)


def test_of_fixes_that_play_the_same_one_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def accepting(subject: Subject, only: object = None, **_: object) -> Iterator[tuple[Finding, None]]:
        if only is not None:
            yield Finding("unique-winner", Verdict.PROVED, Method.SMT, ""), None

    monkeypatch.setattr(module, "findings_about", accepting)
    monkeypatch.setattr(module, "play_the_same", lambda base, *_: base.id == "house")
    broken = [Finding("unique-winner", Verdict.REFUTED, Method.SMT, "two win together")]
    assert len(repairs(LIBRARY, house(TEN_UP), broken, broken, {}, lambda _: None, ProofSession())) == 1


def test_a_comment_makes_no_other_rule() -> None:
    commented = house(rule("lead", "left of dealer   # as ever"))
    trial = module.Trial(LIBRARY, commented, [], {}, {}, ProofSession())
    repair = Repair("a change", commented.own.rules["lead"].span, "", "", ())
    assert module._named(trial, repair, commented, True).what.endswith(
        "this is pagat again, so no house rule is left"
    )


def _is_said_to_be_tested(fix: Repair) -> bool:
    return fix_words(fix).endswith("; unique-winner: tested in random deals, not proved")


def test_a_guess_that_a_match_breaks_needs_no_proof_about_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who wins is searched for supposing that all tricks are taken; what is found is a match, and what is not found says nothing."""

    def proving(*_: object) -> HandProof:
        raise AssertionError("a deal is followed")

    monkeypatch.setattr(verdicts, "prove_hand", proving)
    broken = [Finding("unique-winner", Verdict.REFUTED, Method.SMT, "two win together")]
    tying = house(
        rule("end", "some player has tricks >= 5")
        + "  winner: {rule: players with tricks >= 5, assumes: a test}\n"
    )
    trial = module.Trial(LIBRARY, tying, broken, {}, {}, ProofSession())
    assert module._fails_in_a_match(trial, tying)
    assert not module._fails_in_a_match(trial, LIBRARY.load("pagat")[0])


def test_a_change_that_a_table_would_question_is_no_fix() -> None:
    """Nobody has won with exactly the goal; but those who have not reached it are not the winners."""
    nobody = house(rule("winner", "players with score > goal"), "whist")
    trial = module.Trial(LIBRARY, nobody, [], {}, {}, ProofSession())
    for sign, odder in ((">=", False), ("<", True)):
        changed = house(rule("winner", f"players with score {sign} goal"), "whist")
        assert module._odder(trial, changed) is odder


@pytest.mark.parametrize("undone", [False, True])
def test_a_condition_that_never_holds_is_no_fix(undone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tricks are played; who takes three of them would be asked about an empty kitty."""
    monkeypatch.setattr(module, "_plays_as_base", lambda *_: undone)
    base = "tests/adversarial/cases/plain-two.yaml"
    asking = "if tricks of dealer = {}:\n    trump becomes suit of only card in kitty\n"
    faulty, changed = (house(rule("payout", asking.format(number)), base) for number in (2, 3))
    session = ProofSession()
    assert module._in_vain(module.Trial(LIBRARY, faulty, [], {}, {}, session), changed)
    assert not module._in_vain(module.Trial(LIBRARY, changed, [], {}, {}, session), changed)
    broken, _ = next(findings_about(subject_of(faulty, session=session), ["no-fault"]))
    fixes = repairs(LIBRARY, faulty, [broken], [broken], {}, lambda _: None, session)
    assert not [fix for fix in fixes if fix.what.startswith("replace `2`")]


def test_nothing_follows_from_what_is_supposed() -> None:
    subject = subject_of(LIBRARY.load("pagat")[0], hands=1)
    verdicts.suppose(subject, PlayOutcome.KNOWN_SIZE)
    assert verdicts.proved(subject, "hand-size") is None
    (found,) = findings_about(subject, ["unique-winner"])
    assert not found[0].verdict.proved
