"""Kept findings are the same as new ones, and are only found again for the same question and the same trickproof."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache as once
from pathlib import Path

import pytest

from budget import RUN
from checker.rulesets_for_tests import SESSION, documented, house
from trickproof.certificates.certificate import proved
from trickproof.check_runner import findings_cache as caches
from trickproof.check_runner.certificates import certificates
from trickproof.check_runner.findings_cache import CERTIFICATES, FINDINGS, Cache, user_cache
from trickproof.check_runner.runner import check_all, check_ruleset
from trickproof.checking.finding import Finding
from trickproof.checking.verdict import Verdict
from trickproof.support.serialise import serialised
from trickproof_dsl.library import Ruleset

FAULTY = """
    rules:
      targets:
        rule: |
          target of dealer becomes 8
          target of left of dealer becomes 6
          target of right of dealer becomes 3
        assumes: a fault
"""

LATE = """
    state: {dealt: {type: integer, carried: true}}
    rules:
      between-hands:
        rule: |
          dealer becomes next-dealer
          first-hand becomes false
          if dealt < 2:
              dealt becomes dealt + 1
        assumes: a fault
      end: {rule: dealt = 1 and some player has tricks = 16, assumes: a fault}
"""
"""After two deals no play ends the match."""

QUICK = ["target-total", "zero-sum", "end-reachable", "terminates", "unique-winner", "rules-complete"]


@pytest.fixture(autouse=True)
def _one_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is checked anew is proved anew only where no other test has proved it."""
    monkeypatch.setattr("trickproof.check_runner.runner.ProofSession", lambda: SESSION)


@pytest.fixture
def kept() -> Cache:
    return Cache(20)


def checked(ruleset: Ruleset, cache: Cache | None, only: list[str] | None = None) -> list[Finding]:
    told = check_all([ruleset], only, 1, 20, cache=cache)
    assert told.disagreements == []
    return told.findings[0][1]


def shown(findings: list[Finding]) -> str:
    return json.dumps([serialised(f) | {"seconds": 0} for f in findings])


def same_again(
    ruleset: Ruleset, kept: Cache, monkeypatch: pytest.MonkeyPatch, only: list[str]
) -> list[Finding]:
    """The findings without a cache, with an empty one and with a full one are the same; answers the last."""
    cold = checked(ruleset, None, only)
    assert shown(checked(ruleset, kept, only)) == shown(cold)
    with monkeypatch.context() as patch:
        patch.setattr("trickproof.check_runner.runner.check_ruleset", None)
        warm = checked(ruleset, kept, only)
    assert shown(warm) == shown(cold)
    assert [f.where for f in warm] == [f.where for f in cold]
    gaps = [[(gap, gap.where, gap.what) for f in found for gap in f.gaps] for found in (warm, cold)]
    assert gaps[0] == gaps[1]
    return warm


@pytest.mark.slow
def test_the_same_again_without_checking(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    same_again(documented("pagat"), kept, monkeypatch, QUICK)
    same_again(house(FAULTY), kept, monkeypatch, QUICK)


@RUN
def test_the_same_refutations_again_without_checking(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = same_again(house(FAULTY), kept, monkeypatch, ["target-total"])
    assert one.verdict is Verdict.REFUTED
    assert one.match == (one.witness,)
    (several,) = same_again(house(LATE), kept, monkeypatch, ["terminates"])
    assert several.verdict is Verdict.REFUTED
    assert len(several.match or ()) > 1


@RUN
def test_how_matches_end_is_kept(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
    rules:
      end: {rule: true, assumes: a test}
      winner: {rule: dealer, assumes: a test}
    """
    (finding,) = same_again(house(body), kept, monkeypatch, ["terminates"])
    assert (finding.termination, finding.within_deals) == ("surely", 1)


@RUN
def test_only_what_is_missing_is_checked(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = documented("pagat")
    checked(ruleset, kept, ["zero-sum", "end-reachable"])
    asked: list[object] = []

    def listened(*arguments: object, **settings: object) -> object:
        asked.append(arguments[1])
        return check_ruleset(*arguments, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr("trickproof.check_runner.runner.check_ruleset", listened)
    found = checked(ruleset, kept, ["target-total", "end-reachable"])
    assert asked == [["target-total"]]
    assert [f.check for f in found] == ["target-total", "end-reachable"]


def test_another_question_is_not_the_same(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset, finding = wrong_total()
    names = [finding.check]
    kept.keep(ruleset, [finding])
    assert list(kept.findings(ruleset, names)) == names
    assert kept.findings(house(f"{FAULTY}    # longer"), names) == {}
    assert kept.findings(replace(ruleset, named="elsewhere"), names) == {}
    assert kept.findings(replace(ruleset, program=documented("pagat").program), names) == {}
    assert Cache(21).findings(ruleset, names) == {}
    monkeypatch.setattr(caches, "tool", lambda: "another")
    assert kept.findings(ruleset, names) == {}


def test_every_source_file_counts(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "one.py").write_text("1")
    (tmp_path / "notes.txt").write_text("1")
    digests = [caches.files_digest(tmp_path, "*.py", "*.lark")]
    for name, text in (("inner/one.py", "2"), ("two.py", ""), ("grammar.lark", "")):
        (tmp_path / name).write_text(text)
        digests.append(caches.files_digest(tmp_path, "*.py", "*.lark"))
    assert len(set(digests)) == 4
    (tmp_path / "notes.txt").write_text("2")
    assert caches.files_digest(tmp_path, "*.py", "*.lark") == digests[-1]


def test_versions_of_what_decides_count(monkeypatch: pytest.MonkeyPatch) -> None:
    tool = caches.tool.__wrapped__
    monkeypatch.setattr(caches, "files_digest", lambda *_: "the same")
    before = tool()
    assert tool() == before
    monkeypatch.setattr(caches, "version", lambda name: "99")
    assert tool() != before


@once
def wrong_total() -> tuple[Ruleset, Finding]:
    """A ruleset with a fault, and what is found of it."""
    ruleset = house(FAULTY)
    (finding,) = checked(ruleset, None, ["target-total"])
    return ruleset, finding


def altered(kept: Cache, ruleset: Ruleset, old: str, new: str) -> None:
    """Writes a kept finding anew with a change, its digest in order."""
    key = kept._key(ruleset)
    text = (FINDINGS.read(key) or b"").decode()
    assert old in text
    assert FINDINGS.write(key, text.replace(old, new, 1).encode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"dealer": 0', '"dealer": 1'),
        ('"witness": {', '"witness": {"nonsense": 1, '),
        ('"verdict": "refuted"', '"verdict": "perhaps"'),
        ('"check": "target-total"', '"check": "hand-size"'),
        ('"where": [0', '"where": [77'),
        ('"replayed"', '"forgotten"'),
    ],
)
def test_what_cannot_be_believed_is_dropped_and_checked_again(kept: Cache, old: str, new: str) -> None:
    ruleset, good = wrong_total()
    names = [good.check]
    assert good.verdict is Verdict.REFUTED
    assert kept.keep(ruleset, [good])
    altered(kept, ruleset, old, new)
    assert kept.findings(ruleset, names) == {}
    assert json.loads(FINDINGS.read(kept._key(ruleset)) or b"") == {}
    assert shown(checked(ruleset, kept, names)) == shown([good])
    assert list(kept.findings(ruleset, names)) == names


@RUN
def test_a_certificate_of_a_refutation_is_kept(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written again only if it is damaged, and then once."""
    ruleset, refuted = wrong_total()
    (ended,) = checked(ruleset, kept, ["end-reachable"])
    assert ended.verdict.proved
    assert kept.keep(ruleset, [refuted])
    both = [ended, refuted]

    def written() -> list[str]:
        return list(certificates([(ruleset, both)], 1, 20, kept))

    first = written()
    assert proved(first, ruleset.program) == {"end-reachable"}
    assert '"refuted"' in first[0]
    assert CERTIFICATES.write(kept._certificate_key(ruleset, both), b"damaged")
    assert list(kept.findings(ruleset, QUICK)) == ["target-total"]
    assert kept.keep(ruleset, both)
    assert written() == first
    with monkeypatch.context() as patch:
        patch.setattr("trickproof.check_runner.certificates.certificate", None)
        assert written() == first
    assert list(kept.findings(ruleset, QUICK)) == ["target-total", "end-reachable"]


@RUN
def test_checks_without_an_answer_are_asked_again(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise KeyError("nowhere")

    with monkeypatch.context() as patch:
        patch.setattr("trickproof.checks.zero_sum.decide", stumble)
        told = check_all([documented("pagat")], ["zero-sum"], 1, 20, cache=kept)
        assert [d.check for d in told.disagreements] == ["zero-sum"]
    assert [f.check for f in checked(documented("pagat"), kept, ["zero-sum"])] == ["zero-sum"]


def test_no_cache_without_source_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "tool", str)
    assert user_cache(20) is None
