"""Rules as people make them up: loops around gifts, deals thrown in, hands of several sizes, ends anywhere, faults between deals.

Three of each kind or more, variants of one documented ruleset, in natural/; what every check says of them stands in
natural_verdicts.yaml, and as a table in docs/proofs.md.  None of them may meet an error of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from budget import RUN
from checker.rulesets_for_tests import ROOT
from trickproof.check_runner.runner import check_ruleset
from trickproof_dsl import render
from trickproof_dsl.library import Library

FOLDER = Path(__file__).with_name("natural")
PAGE = ROOT / "docs/proofs.md"
BEGIN, END = "<!-- natural rules -->\n", "<!-- end of natural rules -->\n"
TEXTUAL = ("rules-complete", "examples-agree")
"""Checks of what is written, which say the same of all of these."""

Verdicts = Mapping[str, list[str]]

KINDS: Mapping[str, Mapping[str, Verdicts]] = yaml.safe_load(
    FOLDER.with_name("natural_verdicts.yaml").read_text(encoding="utf-8")
)
"""By kind and ruleset the checks with each verdict but `proved` and `not-applicable`; `known` if the base says so."""


def test_some_of_every_kind() -> None:
    names = sorted(name for of_kind in KINDS.values() for name in of_kind)
    assert names == sorted(path.stem for path in FOLDER.glob("*.yaml"))
    assert all(len(of_kind) >= 3 for of_kind in KINDS.values())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(name, expected, id=name, marks=RUN if name == "three-deals" else pytest.mark.slow)
        for of_kind in KINDS.values()
        for name, expected in of_kind.items()
    ],
)
def test_what_the_checks_say(name: str, expected: Verdicts) -> None:
    path = FOLDER / f"{name}.yaml"
    ruleset, wrong = Library([ROOT / "rulesets"]).load_text(path.read_text(encoding="utf-8"), str(path))
    assert ruleset is not None, render(wrong)
    findings, disagreements = check_ruleset(ruleset, None, 100)
    assert disagreements == []
    verdicts: dict[str, list[str]] = {}
    for finding in findings:
        verdict = "known" if finding.known else finding.verdict.value
        if verdict not in ("proved", "not-applicable") and finding.check not in TEXTUAL:
            verdicts.setdefault(verdict, []).append(finding.check)
    assert verdicts == expected


def _table() -> str:
    lines = [
        "| kind | ruleset | refuted | known of the base | tested | undecided |",
        "|---|---|---|---|---|---|",
    ]
    for kind, of_kind in KINDS.items():
        for name, verdicts in of_kind.items():
            cells = [
                ", ".join(f"`{check}`" for check in verdicts.get(verdict, []))
                for verdict in ("refuted", "known", "tested", "undecided")
            ]
            lines.append(f"| {kind} | {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def test_the_table_in_the_docs_is_current(generated: Callable[[Path, str], None]) -> None:
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    generated(PAGE, f"{before}{BEGIN}\n{_table()}\n{END}{after}")
