"""Plain mode gives the same answers, and does not touch anything that it does without."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import budget
from budget import RUN
from environment.faults import ROOT, Ended, run
from trickproof.support.bundled import bundled_library

RULESETS = bundled_library().documented()
PLAIN = (sys.executable, str(ROOT / "tests" / "environment" / "plain_process.py"))
MOVE = '{"ruleset": "pagat", "seed": 3, "moves": []}\n{"ruleset": "no-such"}\n{"ruleset": "six-over"}\n'


def _both(*arguments: str, stdin: str = "") -> tuple[Ended, Ended]:
    """Run a command normally and in plain mode."""
    return run(*arguments, stdin=stdin), run(*arguments, stdin=stdin, program=PLAIN)


def _untimed(value: Any) -> Any:
    """A document without timings."""
    if isinstance(value, dict):
        return {key: _untimed(inner) for key, inner in value.items() if key != "seconds"}
    return [_untimed(inner) for inner in value] if isinstance(value, list) else value


@budget.RUN
def test_all_rulesets_checked_anew() -> None:
    """One process checks them in turn, as far as that is cheap."""
    usual, plain = _both("check", "--only", "rules-complete", "--no-cache", "--json")
    assert plain.code == usual.code == 0, plain.err
    document = _untimed(json.loads(plain.out))
    assert document == _untimed(json.loads(usual.out))
    assert [ruleset["id"] for ruleset in document["rulesets"]] == RULESETS


@pytest.mark.parametrize("ruleset", budget.slow_but([], RULESETS))
def test_every_ruleset_anew(ruleset: str) -> None:
    usual, plain = _both("check", ruleset, "--no-cache", "--json")
    assert plain.code == usual.code, plain.err
    assert _untimed(json.loads(plain.out)) == _untimed(json.loads(usual.out))


MANY_PROCESSES = ("adapters.pettingzoo", "lsp.server", "lsp.verdicts", "simulate.runtime.process_executor")
"""Modules that plain mode does not import."""

IMPORT_OTHERS = f"""
import os, sys
sys.path.insert(0, {str(PLAIN[1].rpartition("/")[0])!r})
os.environ["TRICKPROOF_PLAIN"] = "1"
from plain_process import block
block()
import importlib, pkgutil, trickproof, trickproof_dsl
for package in (trickproof_dsl, trickproof):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith(("__main__", *{MANY_PROCESSES!r})):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as missing:
                assert not missing.name.startswith("trickproof"), missing
"""


@budget.RUN
def test_other_modules_import_nothing_of_it() -> None:
    """Including what commands import lazily, such as reports and charts."""
    run(program=(sys.executable, "-c", IMPORT_OTHERS)).says(0)


def test_an_editor_is_told_what_plain_mode_lacks() -> None:
    run("lsp", program=PLAIN).says(2, "lsp needs threads")


COMMANDS = [
    ("play", "pagat", "--hands", "1"),
    ("replay",),
    ("diff", "pagat", "pagat-kitty-first", "--json"),
    ("diff", "six-over", "gamerules", "trumpet-major"),
    ("check", "gamerules", "gamerules-mirror", "--only", "examples-agree", "--no-cache", "-v"),
    ("validate", "rulesets/house/no-trump.yaml", "--hands", "500", "--effects", "random,greedy", "--json"),
    ("validate", "rulesets/house/eight-five-four.yaml", "--hands", "500"),
    ("rulesheet", "weaver-four"),
    ("simulate", "pagat", "--hands", "500", "--backend", "python"),
]


@RUN
@pytest.mark.parametrize("arguments", budget.slow_but(COMMANDS[:1], COMMANDS), ids=" ".join)
def test_commands(arguments: tuple[str, ...]) -> None:
    words = [str(ROOT / word) if word.startswith("rulesets/") else word for word in arguments]
    usual, plain = _both(*words, stdin=MOVE if arguments[0] == "replay" else "1\n" * 40)
    assert plain.code == usual.code, plain.err
    assert _comparable(plain.out) == _comparable(usual.out)
    assert usual.out


def _comparable(text: str) -> Any:
    return _untimed(json.loads(text)) if text.startswith("{\n") else text


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["syntax", "house"])
def test_files_as_the_two_loaders_read_them(kind: str, tmp_path: Path) -> None:
    """All house rules, and files that are not YAML, on which both loaders must agree."""
    if kind == "house":
        files = [str(path) for path in sorted((ROOT / "rulesets" / "house").glob("*.yaml"))]
        assert len(files) > 10
    else:
        wrong = ["a: [1", "a: b: c", "- x\n y", "a: 'b", "\ta: b", "a: |\n b\n  c\n d", "&x a: *x", "a: !t b"]
        files = []
        for number, text in enumerate(wrong):
            files.append(str(tmp_path / f"wrong-{number}.yaml"))
            Path(files[-1]).write_text(text, encoding="utf-8")
    usual, plain = _both("check", *files, "--only", "target-total", "--json")
    assert plain.code == usual.code, plain.err
    assert _untimed(json.loads(plain.out)) == _untimed(json.loads(usual.out))
    assert plain.err == usual.err
