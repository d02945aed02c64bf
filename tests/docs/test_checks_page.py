"""docs/checks.md is what the checks say of themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from trickproof.checks import NAMES
from trickproof.reports.checks_manual import checks_markdown

PAGE = Path(__file__).parents[2] / "docs" / "checks.md"


def test_every_check_is_in_the_account_of_the_proofs() -> None:
    page = PAGE.with_name("proofs.md").read_text(encoding="utf-8")
    missing = [name for name in NAMES if name not in page]
    assert missing == [], "docs/proofs.md needs a row for these in its table of claims"


def test_committed_page_is_current(generated: Callable[[Path, str], None]) -> None:
    generated(PAGE, checks_markdown())
