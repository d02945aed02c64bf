"""What files say of themselves is what loading them says, and nothing else of them is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from budget import RUN
from dsl.small_games import BUNDLED, ROOT
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.decode_document import decode_document
from trickproof_dsl.files.headings import document_heading, ruleset_heading
from trickproof_dsl.files.ruleset_folders import RulesetFolders
from trickproof_dsl.files.yaml_tree import read_source

FOLDERS = RulesetFolders([ROOT / "rulesets"])


def source(path: Path) -> Source:
    text = read_source(path)
    assert isinstance(text, Source)
    return text


def codes(wrong: list[Diagnostic]) -> list[str]:
    return [one.code for one in wrong]


@RUN
def test_headings_of_bundled_rulesets_are_those_of_the_loaded_ones() -> None:
    for name, path in FOLDERS.ruleset_paths().items():
        heading, wrong = FOLDERS.heading(path)
        ruleset, _ = BUNDLED.load(name)
        assert heading is not None, wrong
        assert ruleset is not None
        assert heading.title == ruleset.title
        assert (heading.extends.value if heading.extends else None) == ruleset.extends
        assert list(heading.documents) == [word.value for word in ruleset.whole.documents]


def test_headings_of_bundled_documents_are_those_of_the_decoded_ones() -> None:
    for path in FOLDERS.document_paths().values():
        heading, _ = document_heading(source(path))
        document, _ = decode_document(source(path))
        assert heading is not None
        assert document is not None
        assert (heading.id, heading.title, heading.language, heading.statements) == (
            document.id.value,
            document.title,
            document.language,
            len(document.statements),
        )


def test_rules_are_not_looked_at() -> None:
    heading, wrong = ruleset_heading(Source("x", "ruleset: x\ntitle: X\nrules: 7\nunknown: 1\n"))
    assert heading is not None
    assert (heading.id, heading.title, heading.extends, heading.documents) == ("x", "X", None, ())
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ruleset: x\n", "E102"),
        ("title: X\n", "E102"),
        ("ruleset: X\ntitle: X\n", "E104"),
        ("ruleset: x\ntitle: [X]\n", "E103"),
        ("ruleset: x\ntitle: X\nrules: [\n", "E009"),
        ("", "E016"),
    ],
)
def test_what_is_wrong_with_a_heading_is_told(text: str, code: str) -> None:
    heading, wrong = ruleset_heading(Source("x", text))
    assert heading is None
    assert code in codes(wrong)


def test_a_document_needs_statements() -> None:
    heading, wrong = document_heading(Source("x", "document: x\ntitle: X\nlanguage: en\n"))
    assert heading is None
    assert codes(wrong) == ["E102"]


def write(folder: Path, **texts: str) -> RulesetFolders:
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(f"ruleset: {name}\n{text}", encoding="utf-8")
    return RulesetFolders([folder])


def test_what_a_file_does_not_say_its_bases_say(tmp_path: Path) -> None:
    folders = write(
        tmp_path, a="title: A\ndocuments: [d]\n", b="extends: a\n", c="extends: b.yaml\ntitle: C\n"
    )
    b, c = (folders.heading(tmp_path / f"{name}.yaml")[0] for name in "bc")
    assert b is not None
    assert c is not None
    assert (b.title, b.documents) == ("A", ("d",))
    assert (c.title, c.documents, c.extends and c.extends.value) == ("C", ("d",), "b")


@pytest.mark.parametrize(("base", "code"), [("none", "E401"), ("b", "E402"), ("a", "E402"), ("bad", "E102")])
def test_bases_that_cannot_be_read_are_told(tmp_path: Path, base: str, code: str) -> None:
    folders = write(tmp_path, a="extends: b\n", b=f"extends: {base}\n", bad="")
    heading, wrong = folders.heading(tmp_path / "a.yaml")
    assert heading is None
    assert codes(wrong) == [code]


def test_chains_have_a_limit(tmp_path: Path) -> None:
    folders = write(tmp_path, **{f"r{i}": f"extends: r{i + 1}\n" for i in range(30)}, r30="title: X\n")
    assert codes(folders.heading(tmp_path / "r0.yaml")[1]) == ["E419"]
    heading, _ = folders.heading(tmp_path / "r29.yaml")
    assert heading is not None


def test_files_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    folders = RulesetFolders([tmp_path])
    assert codes(folders.heading(tmp_path / "none.yaml")[1]) == ["E001"]
    assert codes(folders.document_heading(tmp_path / "none.yaml")[1]) == ["E001"]
