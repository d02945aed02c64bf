"""docs/checks.md is what the checks say of themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from trickproof.analysis.usage import program_usage
from trickproof.certificates.verifier import BY_CLAIMS, BY_FAULTS
from trickproof.checking.property import never
from trickproof.checks import NAMES, all_checks
from trickproof.proofs.hands.check import nothing
from trickproof.proofs.hands.verdicts import decide_by_hands
from trickproof.reports.checks_manual import checks_markdown
from trickproof_dsl.library import Library

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "checks.md"


def test_every_check_is_in_the_account_of_the_proofs() -> None:
    page = PAGE.with_name("proofs.md").read_text(encoding="utf-8")
    missing = [name for name in NAMES if name not in page]
    assert missing == [], "docs/proofs.md needs a row for these in its table of claims"


def test_every_check_is_named_at_the_variables_that_it_needs() -> None:
    guide = PAGE.with_name("language.md").read_text(encoding="utf-8")
    rows = {line.split("`")[1]: line for line in guide.splitlines() if line.startswith("| `")}
    ruleset, _ = Library([ROOT / "rulesets"]).load("pagat")
    assert ruleset is not None
    used = program_usage(ruleset.program)
    needed = [
        (check.name, variable)
        for check in all_checks()
        if check.absent(used) is None
        for variable in sorted(used.assigns | used.reads)
        if check.absent(replace(used, assigns=used.assigns - {variable}, reads=used.reads - {variable}))
    ]
    assert needed
    missing = [(name, variable) for name, variable in needed if f"`{name}`" not in rows.get(variable, "")]
    assert missing == [], "docs/language.md must name these checks in the rows of these variables"


def test_the_verifier_knows_every_check_about_one_deal() -> None:
    of_deals = [check.name for check in all_checks() if check.run is decide_by_hands or check.of_a_deal]
    missing = [name for name in of_deals if name not in (*BY_CLAIMS, *BY_FAULTS)]
    help_ = "add these to BY_CLAIMS (or BY_FAULTS, without a claim) of certificates/verifier.py"
    assert missing == [], f"{help_}, or it rejects every certificate that says they are proved"


def test_what_a_probe_looks_for_is_claimed_too() -> None:
    asked = [check for check in all_checks() if check.run is decide_by_hands and check.probes]
    empty = [check.name for check in asked if check.claims is nothing and check.breaks is never]
    assert empty == [], "these need `claims` (or `breaks`): with neither, every ruleset is said to be proved"


def test_committed_page_is_current(generated: Callable[[Path, str], None]) -> None:
    generated(PAGE, checks_markdown())
