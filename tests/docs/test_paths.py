"""Every test that a page names is there: paths in full, and names of files that follow a path."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
FILES = {path.name for path in (ROOT / "tests").rglob("test_*.py")}

_PATH = re.compile(r"(?<![\w/])tests/[\w./-]*[\w/]")
_NAME = re.compile(r"(?<![\w/])test_\w+\.py")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tests_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [path for path in _PATH.findall(text) if not (ROOT / path).exists()] == []
    assert [name for name in _NAME.findall(text) if name not in FILES] == []


def test_pages_name_tests() -> None:
    assert sum(len(_PATH.findall(page.read_text(encoding="utf-8"))) for page in PAGES) > 20
