"""What is worked out about one side of a comparison serves all comparisons of a session."""

from __future__ import annotations

import pickle

import pytest

from budget import RUN
from checker.rulesets_for_tests import documented, house, rule
from trickproof.checking.proof_session import ProofSession
from trickproof.diff.ruleset_diff import compare
from trickproof.proofs.hands import verdicts
from trickproof.proofs.hands.prover import HandProof, prove_fixed_total
from trickproof.proofs.symbolic.claims import Claims
from trickproof.testing.subject import Subject


@RUN
def test_copies_of_a_ruleset_are_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs in another process get a copy of the ruleset each."""
    proved: list[str] = []

    def counted(subject: Subject, claims: Claims) -> HandProof | None:
        proved.append(subject.ruleset.id)
        return prove_fixed_total(subject, claims)

    monkeypatch.setattr(verdicts, "prove_fixed_total", counted)
    session, own = ProofSession(), documented("pagat")
    for number in (13, 14):
        copy = pickle.loads(pickle.dumps(own))
        diff = compare(copy, house(rule("end", f"some player has tricks >= {number}")), session)
        assert diff.status("end") == "different"
    assert proved == ["pagat"]
