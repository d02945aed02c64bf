"""`check --certificate` and `verify-certificate` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from budget import RUN
from trickproof.certificates import second_solver
from trickproof.certificates.certificate import NO_CLAIM
from trickproof.certificates.verifier import Verified
from trickproof.checks import NAMES
from trickproof.cli.main import group
from trickproof.reports.certificates import report

ONLY = [*("--only", "hand-size"), *("--only", "end-reachable"), *("--only", "allocation-determined")]
ONLY += ["--hands", "5"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("certificates") / "six-over.jsonl"
    told = CliRunner().invoke(group, ["check", "six-over", *ONLY, "--certificate", str(file)])
    assert told.exit_code == 0, told.output
    assert told.stderr == f"{file}: written\n"
    last = told.stdout.split("Next, ")[-1].replace("\\\n", "").split()
    assert last == ["verify", "the", "proofs:", "trickproof", "verify-certificate", str(file)]
    return file


@RUN
def test_told_in_words(certificate: Path) -> None:
    told = CliRunner().invoke(group, ["verify-certificate", str(certificate)])
    assert told.exit_code == 0
    assert "leaves hold" in told.stdout
    assert "certified: hand-size, end-reachable" in told.stdout
    assert "not certified: allocation-determined (" in told.stdout


@RUN
def test_told_as_json(certificate: Path) -> None:
    told = CliRunner().invoke(group, ["verify-certificate", str(certificate), "--json"])
    (one,) = json.loads(told.stdout)["rulesets"]
    assert one["certified"] == ["hand-size", "end-reachable"]
    assert one["refuted"] == []
    reasons = {row["check"]: row["reason"] for row in one["not_certified"]}
    assert set(reasons) == {*NAMES, "deal-with-pauses"} - {"hand-size", "end-reachable"}
    assert [name for name, why in reasons.items() if why != NO_CLAIM] == ["allocation-determined"]
    assert one["leaves"] > one["questions"] > 0


@RUN
def test_a_leaf_that_fails(certificate: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in certificate.read_text().splitlines()]
    for row in rows:
        if row.get("rule") == "path":
            row["parts"]["counts"] = ["true"] * len(row["parts"]["counts"])
    weaker = tmp_path / "weaker.jsonl"
    weaker.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    told = CliRunner().invoke(group, ["verify-certificate", str(weaker)])
    assert told.exit_code == 1
    assert "something can go wrong" in told.stdout
    assert "not shown: hand-size" in told.stdout


def test_a_solver_that_gives_up(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "_cvc5", lambda question: None)
    told = CliRunner().invoke(group, ["verify-certificate", str(certificate)])
    assert told.exit_code == 3
    assert "undecided" in told.stdout


def test_a_file_that_is_cut_off(certificate: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.jsonl"
    short.write_text("".join(certificate.read_text().splitlines(keepends=True)[:-2]))
    told = CliRunner().invoke(group, ["verify-certificate", str(short)])
    assert told.exit_code == 2
    assert "the file ends 2 lines too soon" in told.stderr


def test_a_missing_solver_is_told(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "SOLVERS", ("cvc5", "no_such_solver"))
    told = CliRunner().invoke(group, ["verify-certificate", str(certificate)])
    assert told.exit_code == 2
    assert "verify-certificate needs `no_such_solver`: pip install 'trickproof[recheck]'" in told.stderr


@pytest.mark.parametrize(
    ("leaves", "failed", "unknown", "says"),
    [
        (2, 0, 0, "all 2 leaves hold"),
        (1, 0, 0, "pagat: 1 leaf holds"),
        (0, 0, 0, "all 0 leaves hold"),
        (2, 1, 0, "1 of 2 leaves failed"),
        (3, 0, 2, "2 of 3 leaves undecided"),
    ],
)
def test_counts_agree_with_their_verbs(leaves: int, failed: int, unknown: int, says: str) -> None:
    assert says in report([Verified("pagat", (), (), {}, leaves, 0, ["x"] * failed, ["x"] * unknown)])
