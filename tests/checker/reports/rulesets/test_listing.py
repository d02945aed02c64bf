"""The list of rulesets and documents."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from budget import RUN
from trickproof.reports.rulesets.listing import listing_text, make_listing
from trickproof.support.bundled import bundled_folders, ruleset_folder
from trickproof.support.locations import shown_file
from trickproof.support.serialise import serialised
from trickproof_dsl.files.ruleset_folders import RulesetFolders

FOLDERS = bundled_folders()
"""Read once: rulesets do not change."""


@RUN
def test_rulesets_and_documents_are_listed_by_id() -> None:
    data = serialised(make_listing(FOLDERS))
    rulesets, documents = data["rulesets"], data["documents"]
    assert isinstance(rulesets, list)
    assert isinstance(documents, list)
    assert {
        "id": "tallyn",
        "title": "9-2-5 (Nicholas Tallyn)",
        "documents": ["pagat-de"],
        "extends": "nine-five-two",
        "file": "rulesets/tallyn.yaml",
    } in rulesets
    assert {
        "id": "pagat-de",
        "file": "rulesets/documents/pagat-de.yaml",
        "title": "Sergeant Major",
        "language": "de",
        "statements": 167,
    } in documents
    for entries in (rulesets, documents):
        assert [e["id"] for e in entries] == sorted(e["id"] for e in entries)


def test_text_has_a_line_for_each() -> None:
    text = listing_text(make_listing(FOLDERS))
    assert "weaver-four" in text
    assert "trumpet-major" in text
    assert all(line == line.rstrip() or "  " in line for line in text.splitlines())


def test_files_whose_heading_cannot_be_read_are_told_and_left_out(tmp_path: Path) -> None:
    shutil.copytree(ruleset_folder() / "documents", tmp_path / "documents")
    (tmp_path / "bad.yaml").write_text("ruleset: bad\n", encoding="utf-8")
    listing = make_listing(RulesetFolders([tmp_path]))
    assert listing.rulesets == ()
    assert listing.wrong
    assert len(listing.documents) == 5
    assert listing_text(listing)


def test_files_are_named_the_same_on_every_machine(tmp_path: Path) -> None:
    assert shown_file(ruleset_folder() / "pagat.yaml") == "rulesets/pagat.yaml"
    assert shown_file(str(tmp_path / "x.yaml")) == str(tmp_path / "x.yaml")
    assert shown_file(tmp_path / "house" / "x.yaml", [tmp_path]) == f"{tmp_path.name}/house/x.yaml"
    assert shown_file("mine.yaml") == "mine.yaml"


def test_a_shown_name_is_unchanged_inside_a_ruleset_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shown_file(ruleset_folder() / "pagat.yaml")
    monkeypatch.chdir(ruleset_folder() / "house")
    assert shown_file(shown) == shown
    assert shown_file("dealer-leads.yaml") == "rulesets/house/dealer-leads.yaml"
