"""`trickproof lsp`, asked as editors ask."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from budget import RUN, slow_but
from checker.lsp.editor import Editor

HOUSE = """ruleset: mine
title: Ours 🂡
extends: pagat

rules:
  lead:
    rule: dealer  # 🂡 leads
    assumes: so the table agreed
  next-dealer:
    rule: if ovr of dealer >= 0 then dealer else left of dealer
    assumes: so the table agreed
"""
SOUND = HOUSE.replace("ovr", "over")
CITING = SOUND.replace("assumes: so the table agreed\n  next", "cites: [pagat-de.s1]\n  next").replace(
    "extends: pagat", "documents: [pagat-de]\nextends: pagat"
)


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    with Editor() as one:
        yield one


@RUN
def test_mistakes_are_told_while_typing_and_mended_by_a_click(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    (wrong,) = editor.open(path, HOUSE)
    assert (wrong["code"], wrong["message"]) == ("E301", "unknown name `ovr`\ndid you mean `over`?")
    assert wrong["range"] == {"start": {"line": 9, "character": 13}, "end": {"line": 9, "character": 16}}
    found = editor.ask(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": path.as_uri()},
            "range": wrong["range"],
            "context": {"diagnostics": [wrong]},
        },
    )
    assert [one["title"] for one in found] == ["Replace `ovr` with `over`"]
    (edit,) = found[0]["edit"]["changes"][path.as_uri()]
    assert edit == {"range": wrong["range"], "newText": "over"}
    assert editor.change(path, SOUND) == []


@RUN
def test_columns_are_those_of_utf_16_unless_another_is_agreed_on(editor: Editor, tmp_path: Path) -> None:
    text = 'ruleset: mine\nextends: pagat\nrules:\n  lead: {assumes: "🂡", rule: dealr}\n'
    column = text.splitlines()[3].index("dealr")
    with Editor(("utf-32",)) as other:
        for one, expected in ((editor, column + 1), (other, column)):
            (wrong,) = one.open(tmp_path / "columns.yaml", text)
            assert wrong["range"]["start"] == {"line": 3, "character": expected}


@RUN
def test_a_base_that_is_open_and_not_saved_is_the_one_that_counts(editor: Editor, tmp_path: Path) -> None:
    base, over = tmp_path / "base.yaml", tmp_path / "over.yaml"
    base.write_text(SOUND.replace("ruleset: mine", "ruleset: base"), encoding="utf-8")
    editor.open(base, base.read_text(encoding="utf-8"))
    text = "ruleset: over\nextends: base\nrules:\n  end:\n    rule: limit >= 3\n    assumes: agreed\n"
    (wrong,) = editor.open(over, text)
    assert wrong["message"].startswith("unknown name `limit`")
    editor.change(base, SOUND.replace("ruleset: mine", "ruleset: base\nparameters:\n  limit: 3"))
    assert editor.diagnostics(over) == []


def test_words_are_explained_and_found(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    editor.open(path, CITING)
    said = editor.about("hover", path, CITING, "lead")["contents"]["value"]
    assert said.startswith("**lead**: rule\n\n")
    assert "> pagat-de.s1: " in said
    assert editor.about("hover", path, CITING, "ov")["contents"]["value"] == (
        "**over**: variable of the standard vocabulary\n\ninteger, for every player, carried from deal to deal"
    )
    assert "clockwise" in editor.about("hover", path, CITING, "else left")["contents"]["value"]
    assert editor.about("definition", path, CITING, "extends: pagat")["uri"].endswith("/rulesets/pagat.yaml")
    assert editor.about("definition", path, CITING, "pagat-de.s1")["uri"].endswith("/documents/pagat-de.yaml")
    assert editor.about("hover", path, CITING, "agreed") is None


@RUN
def test_words_that_fit_are_offered(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    editor.open(path, CITING)
    words = {one["label"]: one["detail"] for one in editor.about("completion", path, CITING, "if over")}
    assert (words["over"], words["lead"], words["left"], words["repeat"]) == (
        "variable",
        "rule",
        "function",
        "word",
    )
    assert "pagat" in {one["label"] for one in editor.about("completion", path, CITING, "extends: pa")}
    assert "pagat-de.s2" in {one["label"] for one in editor.about("completion", path, CITING, "cites: [")}
    keys = {one["label"] for one in editor.about("completion", path, CITING, "  next")}
    assert {"payout", "next-dealer"} <= keys
    assert "over" not in keys


@RUN
def test_an_outline_and_a_canonical_form(editor: Editor, tmp_path: Path) -> None:
    path, text = (
        tmp_path / "mine.yaml",
        SOUND.replace("rule: if  ", "rule: if ").replace("else left", "else   left"),
    )
    editor.open(path, text)
    outline = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
    assert [one["name"] for one in outline] == ["lead", "next-dealer"]
    options = {"textDocument": {"uri": path.as_uri()}, "options": {"tabSize": 2, "insertSpaces": True}}
    (edit,) = editor.ask("textDocument/formatting", options)
    assert "else left" in edit["newText"]


@RUN
def test_other_yaml_is_left_alone(editor: Editor, tmp_path: Path) -> None:
    editor.open(tmp_path / "mine.yaml", SOUND)
    other = tmp_path / "docker.yaml"
    editor.tell(
        "textDocument/didOpen",
        {
            "textDocument": {
                "uri": other.as_uri(),
                "languageId": "yaml",
                "version": 1,
                "text": "services: [1, 2",
            }
        },
    )
    assert editor.about("hover", other, "services: [1, 2", "serv") is None
    assert editor.about("completion", other, "services: [1, 2", "serv") == []


@pytest.mark.slow
def test_verdicts_come_when_a_file_is_saved(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    rule = "payout:\n    rule: |\n      for p in players:\n          payout of p becomes over of p + 1\n"
    text = SOUND.replace("  lead:", f"  {rule}    assumes: agreed\n  lead:")
    path.write_text(text, encoding="utf-8")
    assert editor.open(path, text) == []
    editor.tell("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
    told = {one["code"]: one for one in editor.diagnostics(path)}
    assert told["zero-sum"]["message"].startswith("refuted: ")
    assert told["zero-sum"]["severity"] == 2
    assert editor.change(path, text + "\n") == []


def test_without_pygls_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['pygls'] = None\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "trickproof", "lsp"],
        env={"PYTHONPATH": str(tmp_path), "PATH": ""},
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "pip install 'trickproof[lsp]'" in ran.stderr


@pytest.mark.parametrize("request_of", ["hover", "definition", "completion"])
@pytest.mark.parametrize(
    "place",
    slow_but(((7, 2**31 - 1),), [(0, 10**6), (10**6, 0), (7, 2**31 - 1), (2**31 - 1, 2**31 - 1)], RUN),
)
def test_places_beyond_the_text_are_answered(
    editor: Editor, tmp_path: Path, request_of: str, place: tuple[int, int]
) -> None:
    path = tmp_path / "mine.yaml"
    assert editor.open(path, SOUND) == []
    position = {"line": place[0], "character": place[1]}
    found = editor.ask(
        f"textDocument/{request_of}", {"textDocument": {"uri": path.as_uri()}, "position": position}
    )
    assert (
        found == []
        if request_of == "completion" and place[0] == 0
        else not found or request_of == "completion"
    )


@pytest.mark.parametrize("uri", ["", ":", "untitled:1", "http://localhost/x.yaml", "file:///nowhere/x.yaml"])
def test_a_file_that_is_not_open_has_nothing_to_tell(editor: Editor, uri: str) -> None:
    assert editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}}) == []
    position = {"line": 0, "character": 0}
    assert editor.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": position}) is None
