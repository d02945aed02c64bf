"""`check --sarif`: a log that code hosts read, with every finding that needs an answer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from budget import RUN
from checker.cli import console
from checker.rulesets_for_tests import LIBRARY, found
from trickproof.check_runner.runner import Checked
from trickproof.checks import manuals
from trickproof.cli.main import group
from trickproof.reports.sarif import sarif
from trickproof.validate.fix_candidates import candidates

pytestmark = RUN

HOUSE = """ruleset: house
extends: pagat

rules:
  targets:
    rule: |
      target of dealer becomes 8
      target of left of dealer becomes 6
      target of right of dealer becomes 3
    assumes: a fault
"""

QUICK = [word for name in ("target-total", "zero-sum", "rules-complete") for word in ("--only", name)]


def check(*words: str) -> Result:
    return CliRunner().invoke(group, ["check", "--hands", "10", *QUICK, *words])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my house.yaml").write_text(HOUSE)
    return tmp_path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, caches: Path) -> dict[str, Any]:
    """The one run of a log; it is looked at by several tests, and changed by none."""
    folder = tmp_path_factory.mktemp("sarif")
    (folder / "my house.yaml").write_text(HOUSE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("TRICKPROOF_CACHE", str(caches / "sarif"))
        told = check("pagat", "my house.yaml", "--sarif", "out.sarif")
    assert told.exit_code == 1, told.stderr
    assert {path.name for path in folder.iterdir()} == {"my house.yaml", "out.sarif"}
    log = json.loads((folder / "out.sarif").read_text(encoding="utf-8"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (one,) = log["runs"]
    assert isinstance(one, dict)
    return one


def test_rules_are_the_checks_with_their_manuals(run: dict[str, Any]) -> None:
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"] == "trickproof"
    assert [rule["id"] for rule in rules][: len(manuals())] == list(manuals())
    for rule in rules:
        assert rule["shortDescription"]["text"]
        assert rule["shortDescription"]["text"] in rule["help"]["text"].replace("\n", " ")


def test_results(run: dict[str, Any]) -> None:
    rules = run["tool"]["driver"]["rules"]
    assert run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert (result["kind"], result["level"]) in {("fail", "error"), ("fail", "warning"), ("open", "none")}
        assert result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"] in ("rulesets/pagat.yaml", "my%20house.yaml")
        region = place["region"]
        start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
        assert (1, 1) <= start <= end
        assert all(s["kind"] == "inSource" and s["justification"] for s in result.get("suppressions", []))
    prints = [r["partialFingerprints"]["trickproof/v1"] for r in run["results"]]
    assert len(set(prints)) == len(prints)


def test_refuted_has_its_witness_and_known_is_suppressed(run: dict[str, Any]) -> None:
    results = {(r["properties"]["ruleset"], r["ruleId"]): r for r in run["results"]}
    refuted = results["house", "target-total"]
    assert refuted["level"] == "error"
    assert refuted["properties"]["witness"]["ruleset"] == "my house.yaml"
    assert "suppressions" not in refuted
    known = results["pagat", "rules-complete"]
    assert known["level"] == "warning"
    assert known["suppressions"]


def test_same_bytes_warm_or_cold(folder: Path) -> None:
    for name in ("cold", "warm"):
        assert check("pagat", "--sarif", name).exit_code == 0
    assert (folder / "cold").read_bytes() == (folder / "warm").read_bytes()


def test_what_cannot_be_written_is_told_before_any_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trickproof.check_runner.runner.check_all", None)
    (folder / "sub").mkdir()
    for name in ("none/out.sarif", "sub", "my house.yaml/x", "/dev/null"):
        done = console.run("check", "pagat", "--sarif", name)
        assert (done.code, done.out) == (2, "")
        assert f"`{name}`" in done.err


def test_an_older_file_stays_until_there_is_a_new_one(folder: Path) -> None:
    (folder / "out.sarif").write_text("old")
    assert check("nonsense", "--sarif", "out.sarif").exit_code == 2
    assert (folder / "out.sarif").read_text() == "old"
    assert len(list(folder.iterdir())) == 2


def test_a_breakdown_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise KeyError("nowhere")

    monkeypatch.setattr("trickproof.checks.zero_sum.decide", stumble)
    assert check("pagat", "--only", "zero-sum", "--sarif", "out").exit_code == 70
    (invocation,) = json.loads((folder / "out").read_text())["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "zero-sum" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_a_house_rule_has_its_fixes_as_edits() -> None:
    ruleset, _ = LIBRARY.load_text(HOUSE, "my house.yaml")
    assert ruleset is not None
    findings = found(ruleset, ["target-total", "rules-complete"], hands=1)
    broken = [finding for finding in findings if finding.check == "target-total"]
    fix = replace(next(candidates(ruleset, broken)), restores=("target-total",))
    (log,) = sarif(Checked([(ruleset, findings)], []), manuals(), {ruleset.named: [fix]})["runs"]
    by_check = {x["ruleId"]: x for x in log["results"]}
    (written,) = by_check["target-total"]["fixes"]
    assert written["description"]["text"] == fix.what
    (change,) = written["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "my%20house.yaml"
    text = HOUSE.splitlines()
    for one, (span, new) in zip(change["replacements"], fix.edits, strict=True):
        region = one["deletedRegion"]
        line = text[region["startLine"] - 1]
        assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == span.text
        assert one["insertedContent"]["text"] == new
    assert "fixes" not in by_check["rules-complete"]
