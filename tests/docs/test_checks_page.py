"""docs/checks.md is what the checks say of themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from trickproof.reports.checks_manual import checks_markdown

PAGE = Path(__file__).parents[2] / "docs" / "checks.md"


def test_committed_page_is_current(generated: Callable[[Path, str], None]) -> None:
    generated(PAGE, checks_markdown())
