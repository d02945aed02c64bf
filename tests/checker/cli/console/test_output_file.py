"""Output files are written completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from trickproof.cli.console.output_file import whole_file


def test_ctrl_c_while_a_draft_is_created_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, create = tmp_path / "kept", os.open
    kept.write_text("older\n", encoding="utf-8")

    def interrupted(*arguments: Any) -> int:
        os.close(create(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(KeyboardInterrupt), whole_file("--sarif", str(kept)):
        pass
    monkeypatch.undo()
    assert [x.name for x in tmp_path.iterdir()] == ["kept"]
    assert kept.read_text(encoding="utf-8") == "older\n"
