"""The games in `rulesets/games`: each is found by its id, rests on its documents, agrees with its examples, is told whole."""

from __future__ import annotations

import pytest

from checker.rulesets_for_tests import BUNDLED, bundled, found
from trickproof.checking.verdict import Verdict
from trickproof.reports.rulesets.rulesheet import rulesheet
from trickproof.reports.rulesets.source_coverage import trace
from trickproof.reports.rulesets.table import make_table, render_table
from trickproof.support.bundled import ruleset_folder
from trickproof.testing.worked_examples import run_examples

NAMES = sorted(path.stem for path in (ruleset_folder() / "games").glob("*.yaml"))


def test_games_are_found_by_id() -> None:
    assert {"hearts", "spades", "whist"} <= set(NAMES)
    assert [bundled(name).named for name in NAMES] == NAMES
    assert not set(NAMES) & set(BUNDLED.documented())


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_is_used(name: str) -> None:
    statuses = {t.status for _, traced in trace([bundled(name)]).documents for t in traced}
    assert statuses <= {"encoded", "tested", "not a rule"}


@pytest.mark.parametrize("name", NAMES)
def test_examples_agree(name: str) -> None:
    outcomes = run_examples(bundled(name))
    assert len(outcomes) >= 2
    assert [o.wrong for o in outcomes] == [()] * len(outcomes)


@pytest.mark.parametrize("name", NAMES)
def test_games_are_told_whole(name: str) -> None:
    """Nothing of how rules are represented shows through."""
    told = rulesheet(bundled(name), "md") + render_table(make_table([bundled(name)]), "csv")
    assert not [odd for odd in ("Word(", "Span(", "None", "becomes becomes", "  are is") if odd in told]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hearts", "spades", "whist"])
def test_hands_are_proved(name: str) -> None:
    findings = {f.check: f for f in found(bundled(name))}
    assert not [f.check for f in findings.values() if f.verdict.negative and not f.known]
    for check in ("cards-conserved", "hand-size", "legal-play-exists", "one-trick-winner", "trick-total"):
        assert findings[check].verdict is Verdict.PROVED, check
