"""What commands print: documents with their versions, text without escape codes, signs that the output can show."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from checker.cli.console import run

ROOT = Path(__file__).parents[3]

DOCUMENTS = [
    ("list",),
    ("table", "pagat", "--aspects", "trump"),
    ("sources", "pagat"),
    ("simulate", "pagat", "--hands", "50"),
    ("check", "pagat", "--only", "target-total"),
    ("diff", "pagat", "pagat"),
]
SOLVED = {"check", "diff"}


@pytest.mark.parametrize("arguments", DOCUMENTS, ids=lambda arguments: arguments[0])
def test_every_document_has_its_versions(arguments: tuple[str, ...]) -> None:
    document = json.loads(run(*arguments, "--json").out)
    assert document["schema_version"] == 1
    assert document["trickproof"]
    assert ("solver" in document) == (arguments[0] in SOLVED)


def test_what_is_wrong_has_its_versions_too() -> None:
    refused = run("check", "no-such-ruleset", "--json")
    assert refused.code == 2
    assert json.loads(refused.out).keys() == {"errors", "schema_version", "trickproof"}


def test_reports_are_not_coloured_and_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = run("check", "pagat", "--only", "target-total").out + run("list").out
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_an_output_without_signs_gets_ascii() -> None:
    path = os.pathsep.join(str(ROOT / folder) for folder in ("dsl", "checker"))
    words = ["simulate", "pagat", "--hands", "50", "--backend", "python"]
    done = subprocess.run(
        [sys.executable, "-m", "trickproof", *words],
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode("ascii").startswith("pagat - random - 50 hands")
