"""What commands print: documents with their versions, text without escape codes, signs that the output can show."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from budget import RUN
from checker.cli.console import run
from trickproof.cli.console.printing import paged

ROOT = Path(__file__).parents[4]

DOCUMENTS = [
    ("list",),
    ("table", "pagat", "--aspects", "trump"),
    ("sources", "pagat"),
    ("simulate", "pagat", "--hands", "50"),
    ("check", "pagat", "--only", "target-total"),
    ("diff", "pagat", "pagat"),
]


@RUN
@pytest.mark.parametrize("arguments", DOCUMENTS, ids=lambda arguments: arguments[0])
def test_every_document_has_its_versions(arguments: tuple[str, ...]) -> None:
    document = json.loads(run(*arguments, "--json").out)
    assert document["schema_version"] == 1
    assert document["trickproof"]
    assert document["solver"].startswith("z3 ")


def test_what_is_wrong_has_its_versions_too() -> None:
    refused = run("check", "no-such-ruleset", "--json")
    assert refused.code == 2
    assert json.loads(refused.out).keys() == {"errors", "schema_version", "solver", "trickproof"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "pagat", "--only", "no-check"), "no check `no-check`"),
        (("diff", "pagat"), "two rulesets are needed"),
        (("list", "--no-option"), "no option `--no-option`"),
        (("replay", "no-such-file"), "file `no-such-file` not found"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_wrong_usage_is_a_document_too(arguments: tuple[str, ...], message: str) -> None:
    refused = run(*arguments, "--json")
    assert refused.code == 2
    (line,) = refused.out.splitlines()
    (error,) = json.loads(line)["errors"]
    assert message in error.pop("message")
    assert error == dict.fromkeys(("code", "column", "file", "help", "line"))
    assert message in refused.err
    assert run(*arguments).out == ""


ASKED = ("check", "pagat", "--only", "target-total", "-v")


@pytest.mark.parametrize(
    ("environment", "options", "coloured"),
    [
        ({}, (), False),
        pytest.param(*({"FORCE_COLOR": "1"}, (), True), marks=RUN),
        pytest.param(*({"FORCE_COLOR": "0"}, (), False), marks=RUN),
        pytest.param(*({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False), marks=RUN),
        pytest.param(*({"NO_COLOR": "1"}, ("--color", "always"), True), marks=RUN),
        pytest.param(*({"FORCE_COLOR": "1"}, ("--color", "never"), False), marks=RUN),
        pytest.param(*({"FORCE_COLOR": "1"}, ("--color", "auto"), True), marks=RUN),
    ],
)
def test_colours_are_chosen(
    environment: dict[str, str], options: tuple[str, ...], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for words in {(*ASKED, *options), (*options, *ASKED)}:
        text = run(*words).out
        assert ("\x1b[32mproved\x1b[0m" in text) == coloured
        assert ("\x1b" in text) == coloured
    assert run("check", "pagt", *options).err.startswith("\x1b[1;31merror") == coloured
    assert "\x1b" not in run(*ASKED, "--json", *options).out


@RUN
def test_reports_fit() -> None:
    text = run(*ASKED).out + run("list").out
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
    assert done.stdout.decode("ascii").startswith("pagat - random - 50 deals")


@pytest.mark.parametrize(
    "arguments",
    [
        ("{}",),
        ("check", "--only", "{}"),
        ("simulate", "pagat", "--{}"),
        ("simulate", "pagat", "--param", "{}=3"),
    ],
)
def test_endless_words_are_not_repeated(arguments: tuple[str, ...]) -> None:
    done = run(*(word.format("x" * 100_000) for word in arguments))
    assert done.code == 2
    assert "xxx..." in done.err
    assert len(done.err) < 1000


@pytest.mark.parametrize("seconds", ["NaN", "inf", "1e400", "0"])
def test_a_budget_is_a_number_of_seconds(seconds: str) -> None:
    ended = run("check", "pagat", "--budget", seconds)
    assert ended.code == 2
    assert "--budget" in ended.err


@pytest.mark.parametrize(
    ("pager", "shown"),
    [
        ("cat > seen", True),
        ("head -1 > seen", True),  # quit early
        ("exit 3", False),
        ("no-such-pager 2> messages", False),
        ("cat", False),
        ("", False),
    ],
)
def test_what_a_pager_does_not_show_is_printed(
    pager: str, shown: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    assert paged("a line\n" * 50_000, {"PAGER": pager}) is shown
    seen = tmp_path / "seen"
    assert (seen.exists() and seen.read_text("utf-8").startswith("a line\n")) is shown


def test_an_option_without_its_value_is_refused_in_our_words() -> None:
    refused = run("check", "pagat", "--only")
    assert (refused.code, refused.err) == (2, "Error: option `--only` requires an argument\n")
