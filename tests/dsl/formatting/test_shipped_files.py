"""Every YAML file that comes with the project is in canonical form."""

from __future__ import annotations

from pathlib import Path

import pytest

from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.formatting.files import format_source

ROOT = Path(__file__).parents[3]
FILES = sorted(
    path
    for folder in ("rulesets", "rulesets/documents", "rulesets/games", "rulesets/games/documents",
                   "dsl/trickproof_dsl", "tests/cases/rulesets", "tests/cases/rulesets/documents")
    for path in (ROOT / folder).glob("*.yaml")
)  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_shipped_file_is_canonical(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    assert format_source(Source(str(path), text)) == (text, []), f"run `trickproof fmt {path}`"


def test_no_folder_is_empty() -> None:
    assert len(FILES) >= 22
    assert len({path.parent for path in FILES}) == 7
