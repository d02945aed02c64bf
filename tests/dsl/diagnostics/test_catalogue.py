"""Every kind of error of the catalogue is produced by a case, or here; those that cannot be are listed with a reason."""

from __future__ import annotations

import json
import re
import textwrap
import time
from functools import cache
from pathlib import Path

import pytest

from dsl.diagnostics.error_cases import CASES, ROOT, read_case
from trickproof_dsl.diagnostics.catalogue import CATALOGUE, ErrorKind
from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.yaml_tree import MAX_BYTES, load_tree
from trickproof_dsl.library import Library
from trickproof_dsl.scenarios.json_lines import replay_line

HEAD = "ruleset: house\nextends: pagat\n"


def rules(*texts: str) -> str:
    """A house rule with one procedure after the other, each of a name of its own."""
    named = enumerate(texts)
    return f"{HEAD}rules:\n" + "".join(f"  r{n}:\n    rule: |\n{text}    assumes: a\n" for n, text in named)


DOUBLING = rules(*(f"      do r{n}\n      do r{n}\n" for n in range(1, 21)), "      nothing happens\n")

# Mistakes of bytes and of size, which no Markdown file can show.
FILES: dict[str, bytes] = {
    "E003": b"ruleset: house\ntitle: Caf\xe9\n",
    "E004": b"ruleset: house\0\n",
    "E005": b"# " + b"x" * MAX_BYTES,
    "E006": b"a: " + b"[" * 50 + b"]" * 50,
    "E007": b"a: [" + b"1, " * 200_001 + b"1]",
    "E019": b"ruleset: a\ntitle: b\n" + b"".join(b"k%d: 1\n" % i for i in range(101)),
    "E204": rules("      shuffle\n" * 2000).encode(),
    "E205": rules(f"      dealer becomes {'left of ' * 200}dealer\n").encode(),
    "E317": DOUBLING.encode(),
    "E321": rules(f"      first-hand becomes {'some player has (' * 8}first-hand{')' * 8}\n").encode(),
}

BESIDE = {"E019": {"E101"}, "E204": {"E416"}, "E205": {"E416"}, "E321": {"E416"}}
"""What is wrong besides, as it must be."""

NEVER = {
    "E411": "which checks there are is known to trickproof, whose command `check` reports it",
}
"""Kinds that loading a ruleset does not produce, and why they are in the catalogue all the same."""


@cache
def of_cases() -> frozenset[str]:
    """The codes that the golden cases show."""
    return frozenset(
        re.findall(r"^error\[(E\d+)\]", "".join(path.read_text() for path in CASES), re.MULTILINE)
    )


def found_in(library: Library, name: str) -> set[str]:
    ruleset, found = library.load(name)
    assert ruleset is None
    assert render(found)
    return {one.code for one in found}


@pytest.mark.parametrize("code", FILES)
def test_files(code: str, tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_bytes(FILES[code])
    assert found_in(Library([tmp_path, ROOT / "rulesets"]), "house") == {code} | BESIDE.get(code, set())


def test_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    library = Library([tmp_path])
    assert found_in(library, "nowhere.yaml") == {"E001"}
    assert found_in(library, str(tmp_path / "folder.yaml")) == {"E002"}


def test_too_many_bases(tmp_path: Path) -> None:
    for n in range(30):
        (tmp_path / f"b{n}.yaml").write_text(f"ruleset: b{n}\nextends: b{n + 1}\n")
    assert found_in(Library([tmp_path]), "b0") == {"E419"}


@pytest.mark.parametrize("name", ["a/" * 400_000, "x" * 900_000], ids=["path", "id"])
def test_endless_names(name: str, tmp_path: Path) -> None:
    """Told shortly, and at once: to resolve such a path takes the square of its length."""
    library = Library([tmp_path])
    begin = time.process_time()
    assert found_in(library, name) == {"E424"}
    answer = replay_line(library, json.dumps({"ruleset": name}))
    assert time.process_time() - begin < 5
    assert "expected at most 4096" in answer["error"]["message"]
    assert len(json.dumps(answer)) < 1000


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_kind_is_produced(code: str) -> None:
    elsewhere = {*FILES, "E001", "E002", "E419", "E424"}
    assert (code in of_cases() | elsewhere) != (code in NEVER)


@pytest.mark.parametrize("kind", CATALOGUE.values(), ids=lambda kind: kind.code)
def test_every_kind_is_told_alike(kind: ErrorKind) -> None:
    """Lower case, one line, no final period; names of kinds are unique."""
    assert kind.template[0] == "`" or kind.template[0].islower()
    assert not kind.template.endswith(".")
    assert "\n" not in kind.template + (kind.help or "")
    assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", kind.name)
    assert kind.explanation.endswith(".")
    assert [other.name for other in CATALOGUE.values()].count(kind.name) == 1


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases_bear_the_code_they_show(path: Path) -> None:
    if code := re.match(r"e\d+", path.stem):
        assert f"error[{code[0].upper()}]" in read_case(path).expected


def _raised(code: str, text: str) -> set[str]:
    """The codes of a fragment: of YAML, of a ruleset, or of a procedure."""
    if code < "E101":
        return {one.code for one in load_tree(Source("f.yaml", text))[1]}
    if code >= "E201":
        text = rules(textwrap.indent(text, " " * 6) + "\n")
    return {one.code for one in Library([ROOT / "rulesets"]).load_text(text, "f.yaml")[1]}


@pytest.mark.parametrize("kind", [one for one in CATALOGUE.values() if one.right], ids=lambda kind: kind.code)
def test_wrong_form_has_the_error_and_the_right_form_not(kind: ErrorKind) -> None:
    assert kind.code in _raised(kind.code, kind.example)
    assert kind.code not in _raised(kind.code, kind.right)


def test_examples_are_shown_with_a_right_form() -> None:
    assert {kind.code for kind in CATALOGUE.values() if kind.example and not kind.right} == {"E320"}
