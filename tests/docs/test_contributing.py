"""CONTRIBUTING.md can be followed to the letter: files are where it says, and its examples work."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from budget import RUN
from checker.rulesets_for_tests import SESSION
from trickproof.checking.verdict import Verdict
from trickproof.checks import all_checks
from trickproof.proofs.hands.check import Check
from trickproof.reports.rulesets import table
from trickproof.support.bundled import bundled_library
from trickproof.testing.subject import Subject
from trickproof_dsl.elaboration import builtins
from trickproof_dsl.library import Library, Ruleset

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NEW = {"checker/trickproof/checks/hands_equal.py"}
"""Files that the reader is told to add."""


def block(start: str) -> str:
    """The example that begins so."""
    (found,) = [text for text in re.findall(r"```\w+\n(.*?)```", PAGE, re.DOTALL) if text.startswith(start)]
    return str(found)


def test_files_are_where_it_says() -> None:
    paths = set(re.findall(r"`((?:dsl|checker|tests)/[\w./]*|\.ci/\w+)`", PAGE))
    assert len(paths) > 25
    assert sorted(path for path in paths - NEW if not (ROOT / path).exists()) == []
    assert not any((ROOT / path).exists() for path in NEW)


@pytest.fixture(scope="module")
def check() -> Check:
    names: dict[str, Any] = {}
    exec(compile(block('"""`hands-equal`'), "hands_equal.py", "exec"), names)
    example: Check = names["CHECK"]
    return example


def verdict(check: Check, ruleset: Ruleset | None) -> Verdict:
    assert ruleset is not None
    return check.run(check, Subject(ruleset, [*all_checks(), check], 20, SESSION)).verdict


@RUN
def test_the_check_proves_and_refutes(check: Check, tmp_path: Path) -> None:
    (tmp_path / "kitty-kept.yaml").write_text(block("# fault"), encoding="utf-8")
    library = bundled_library()
    assert verdict(check, library.load("six-over")[0]) is Verdict.PROVED
    faulty = Library([*library.folders, tmp_path])
    assert verdict(check, faulty.load("kitty-kept")[0]) is Verdict.REFUTED


def test_the_function_is_an_entry_of_the_table() -> None:
    entry = re.search(r"Builtin\(.*\)", block("    # builtins.py"))
    assert entry is not None
    assert isinstance(eval(entry[0], vars(builtins)), builtins.Builtin)


def test_the_format_is_a_function_of_the_table() -> None:
    names = dict(vars(table))
    exec("def _tsv" + block('        case "tsv"').partition("def _tsv")[2], names)
    ruleset, _ = bundled_library().load("six-over")
    assert ruleset is not None
    lines = names["_tsv"](table.make_table([ruleset], ["players", "deck"])).splitlines()
    assert [line.count("\t") for line in lines] == [1, 1, 1]
