"""Few deals are played to try steps on: the command line's own test plays them all."""

from __future__ import annotations

import pytest

from trickproof.certificates import matches


@pytest.fixture(autouse=True)
def few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "MATCHES", 4)
