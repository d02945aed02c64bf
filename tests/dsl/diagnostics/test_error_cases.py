"""Each file of tests/cases/errors holds a mistake and the whole message it gets; `--update` rewrites the message."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics.error_cases import CASES, ROOT, read_case


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    case = read_case(path)
    if request.config.getoption("--update"):
        path.write_text(case.updated(tmp_path), encoding="utf-8")
        return
    told = f"if the new message is as good, `pytest {Path(__file__).relative_to(ROOT)} --update` writes it into {path.name}"
    assert case.rendered(tmp_path) == case.expected, told


@pytest.mark.slow
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_nothing_is_remembered_from_the_first_time(path: Path, tmp_path: Path) -> None:
    case = read_case(path)
    assert [case.rendered(tmp_path) for _ in range(2)] == [case.expected] * 2


def test_there_are_cases() -> None:
    assert len(CASES) >= 45
