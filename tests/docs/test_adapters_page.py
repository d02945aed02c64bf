"""The page about other people's software: its examples print what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from budget import RUN
from docs.test_api_doc import outputs

pytest.importorskip("pyspiel")
pytest.importorskip("pettingzoo")

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/adapters.md"


@RUN
def test_the_page_says_what_its_examples_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = outputs(PAGE.read_text("utf-8"))
    assert len(found) >= 5
    for code, printed, told in found:
        assert printed == (told or ""), code
