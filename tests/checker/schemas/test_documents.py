"""Everything that is printed as JSON is as its schema says, and every schema is in docs/schemas as it is generated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from budget import slow_but
from checker.cli.console import run
from checker.rulesets_for_tests import LIBRARY
from trickproof.cli.command_list import COMMANDS
from trickproof.diff.witnesses.paired_replay import shared_script
from trickproof.schemas.documents import DOCUMENTS, schemas
from trickproof.schemas.json_lines import schema_files

ROOT = Path(__file__).parents[3]
SCHEMAS = schemas()

HOUSE = """\
ruleset: my
title: "House rule"
extends: pagat

rules:
  targets:
    rule: |
      target of dealer becomes 8
      target of left of dealer becomes 5
      target of right of dealer becomes 4
    assumes: "house rule at our table"
"""

OUTPUTS: dict[str, tuple[str, ...]] = {
    "list": ("list",),
    "check": (
        "check six-over --only rules-complete,examples-agree",
        "check six-over --syntax",
        "check six-over pagat",
        "check my.yaml --only target-total",
    ),
    "diff": ("diff pagat tallyn", "diff pagat tallyn --text", "diff pagat gamerules"),
    "groups": ("diff pagat tallyn shawn-51",),
    "nearest": ("nearest my.yaml",),
    "quiz": ("quiz pagat tallyn",),
    "validate": ("validate my.yaml --hands 200", "validate my.yaml --effects none"),
    "validate-several": ("validate my.yaml good.yaml --effects none",),
    "sources": ("sources six-over", "sources"),
    "table": ("table pagat tallyn", "table hearts", "table"),
    "explain": ("explain zero-sum", "explain E301", "explain refuted"),
    "explain-all": ("explain",),
    "simulate": (
        "simulate pagat --hands 200",
        "simulate hearts --hands 200",
        "simulate hearts --hands 200 --policy dealer=greedy",
        "simulate spades --hands 200",
    ),
    "simulate-compare": ("simulate pagat --compare tallyn --hands 200",),
    "sweep": ("sweep nine-five-two --vary goal=8..9 --hands 100",),
    "vectors-verify": ("vectors --verify vectors.jsonl", "vectors --verify false-vectors.jsonl"),
    "verify-certificate": ("verify-certificate certificate.jsonl",),
    "cache-path": ("cache path",),
    "cache-clear": ("cache clear",),
    "errors": (
        "check wrong.yaml",
        "diff pagat wrong.yaml",
        "nearest wrong.yaml",
        "quiz pagat wrong.yaml",
        "simulate wrong.yaml",
        "sources nobody",
        "sweep wrong.yaml --vary goal=1..2",
        "table wrong.yaml",
        "validate wrong.yaml",
    ),
}
"""Commands by the document that they print: at least one of every command that has `--json`."""

SOON = [
    ("list", "list"),
    ("check", "check six-over --only rules-complete,examples-agree"),
    ("check", "check six-over --syntax"),
    ("sources", "sources six-over"),
    ("explain", "explain zero-sum"),
    ("explain-all", "explain"),
    ("explain", "explain E301"),
    ("explain", "explain refuted"),
    ("table", "table hearts"),
    ("simulate", "simulate hearts --hands 200"),
    ("vectors-verify", "vectors --verify vectors.jsonl"),
    ("vectors-verify", "vectors --verify false-vectors.jsonl"),
    *(("errors", command) for command in OUTPUTS["errors"]),
    ("cache-path", "cache path"),
]
"""What takes a second or two."""

JSON_LINES = ("replay",)
"""Commands that print lines instead; `vectors` prints both."""


def violations(name: str, value: Any) -> list[str]:
    found = Draft202012Validator(SCHEMAS[name]).iter_errors(value)
    return [f"{'/'.join(map(str, one.absolute_path))}: {one.message[:200]}" for one in found]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files that commands are given."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.yaml").write_text(HOUSE)
    (tmp_path / "good.yaml").write_text(HOUSE.replace("ruleset: my", "ruleset: good").replace("4", "3"))
    (tmp_path / "wrong.yaml").write_text(HOUSE.replace("dealer", "delaer"))
    return tmp_path


@pytest.mark.parametrize("name", schema_files(SCHEMAS))
def test_schemas_are_current(name: str, generated: Callable[[Path, str], None]) -> None:
    generated(ROOT / "docs/schemas" / name, schema_files(SCHEMAS)[name])


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])


def with_json() -> list[str]:
    """Every command that has `--json`, by what is typed."""
    typed = []
    for name in COMMANDS:
        command = import_module(f"trickproof.cli.commands.{name.replace('-', '_')}").command
        for inner, one in getattr(command, "commands", {"": command}).items():
            if any("--json" in option.opts for option in one.params):
                typed.append(f"{name} {inner}".strip())
    return typed


@pytest.mark.parametrize("typed", with_json())
def test_every_command_with_json_is_tried(typed: str) -> None:
    tried = [command for commands in OUTPUTS.values() for command in commands]
    assert typed in JSON_LINES or any(f"{command} ".startswith(f"{typed} ") for command in tried)


def test_the_table_of_commands_is_complete() -> None:
    assert len(with_json()) > 15
    assert OUTPUTS.keys() == DOCUMENTS.keys()


@pytest.mark.parametrize(
    "printed",
    slow_but(SOON, [(name, command) for name, commands in OUTPUTS.items() for command in commands]),
    ids=lambda printed: printed[1].replace(" ", "-"),
)
def test_what_is_printed_is_as_the_schema_says(printed: tuple[str, str], files: Path) -> None:
    name, command = printed
    if "vectors.jsonl" in command:
        vectors = run("vectors", "six-over", "-n", "3").out
        (files / "vectors.jsonl").write_text(vectors)
        false = vectors.replace('"winner": 0', '"winner": 1')
        assert false != vectors
        (files / "false-vectors.jsonl").write_text(false)
    if "certificate.jsonl" in command:
        run("check", "six-over", "--only", "cards-conserved,zero-sum", "--certificate", "certificate.jsonl")
    done = run(*command.split(), "--json")
    assert violations(name, json.loads(done.out)) == []


def test_lines_are_as_their_schemas_say(files: Path) -> None:
    """Vectors, the scenarios in them, and what `replay` answers to these and to what is none."""
    lines = run("vectors", "six-over", "-n", "3").out.splitlines()
    vectors = [json.loads(line) for line in lines]
    scenarios = [vector["scenario"] for vector in vectors]
    deal = {"ruleset": "six-over", "first_hand": True, "seed": 1, "moves": [{"player": 2, "move": "play"}]}
    others = [{"match": scenarios[:1]}, deal, {**deal, "any_order": True}, failing_between_deals(), {}]
    texts = [*map(json.dumps, [*scenarios, *others]), "{"]
    answers = [json.loads(line) for line in run("replay", "-", stdin="\n".join(texts)).out.splitlines()]
    assert len(answers) == len(texts)
    for name, values in (("vector", vectors), ("scenario", scenarios), ("answer", answers)):
        for value in values:
            assert violations(name, value) == []
    kinds = [
        answer.keys() & {"unused", "between_deals"} or answer["error"]["kind"] for answer in answers[-5:]
    ]
    assert kinds == ["wrong-player", {"unused"}, {"between_deals"}, "bad-scenario", "bad-json"]


def failing_between_deals() -> dict[str, Any]:
    """A complete deal of `fails.yaml`, after which nobody is to deal."""
    rule = "only player in players with tricks > 16"
    Path("fails.yaml").write_text(
        f"ruleset: fails\nextends: pagat\nrules: {{next-dealer: {{rule: {rule}, assumes: a test}}}}\n"
    )
    fails, wrong = LIBRARY.load("fails.yaml")
    assert fails is not None, wrong
    script = shared_script(fails, fails, {"ruleset": "fails.yaml", "first_hand": True, "seed": 1})
    assert script is not None
    del script["any_order"]
    return script


def test_a_key_that_is_not_described_is_noticed() -> None:
    printed = json.loads(run("explain", "zero-sum", "--json").out)
    assert violations("explain", {**printed, "more": 1}) != []
    del printed["schema_version"]
    assert violations("explain", printed) != []


def test_what_cases_show_is_as_the_schemas_say() -> None:
    """Documents in tests/cases/commands."""
    shown = 0
    for case in (ROOT / "tests/cases/commands").glob("*.md"):
        for command, output in re.findall(
            r"^\$ trickproof (.*--json.*)\n(\{\n.*?^\})", case.read_text(), re.M | re.S
        ):
            name = "vectors-verify" if command.startswith("vectors") else command.split()[0]
            assert violations(name, json.loads(output)) == [], command
            shown += 1
    assert shown
