"""Faults in rules that random simulation misses and our checks find; the table on the page is this test's result."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel")
pytest.importorskip("pettingzoo")

from checker.adapters.faults import FAULTS, Fault, Result, found_by_recorded, markdown, tried
from checker.adapters.peer_rulesets import ROOT, loaded

PAGE = ROOT / "docs/peers.md"

NO_FAULT = Fault("none", {"lead": "left of dealer"})


def row(result: Result) -> str:
    return markdown([result]).splitlines()[2]


def test_every_fault_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    assert len(FAULTS) == len({fault.name for fault in FAULTS}) == 14
    assert [fault.name for fault in FAULTS if f"| {fault.name} |" not in page] == []


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_ours_find_every_fault(fault: Fault) -> None:
    result = tried(fault)
    assert result.ours, result
    assert row(result) in PAGE.read_text("utf-8").splitlines(), f"docs/peers.md needs the row\n{row(result)}"


@pytest.mark.slow
def test_nothing_is_found_where_there_is_no_fault() -> None:
    result = tried(NO_FAULT)
    assert not any(result.peers.values())
    assert (result.refuted, result.differing, result.examples, result.recorded, result.leaks) == (
        (),
        (),
        (),
        "",
        (),
    )


def test_recorded_matches_part_where_rules_do() -> None:
    base = loaded("pagat")
    assert found_by_recorded(base, FAULTS[0].ruleset(), matches=1, hands=2) == "match 0, entry 3"
