"""All rulesets by folder: the documented ones, house rules, other games, and those of the test cases."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from trickproof.adapters.settings import ruleset_of
from trickproof_dsl import Library, Ruleset, render

ROOT = Path(__file__).parents[3]
FOLDERS = ("rulesets", "rulesets/house", "rulesets/games", "tests/cases/rulesets")

PATHS = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.yaml"))]

QUICK = (
    ROOT / "rulesets/pagat.yaml",
    ROOT / "rulesets/weaver-four.yaml",
    ROOT / "tests/cases/rulesets/draw-two.yaml",
    ROOT / "tests/cases/rulesets/lowest-takes.yaml",
)
"""Exchanges and a kitty; card by card; a stock drawn from, declarations; choices made at once."""


@cache
def loaded(name: Path | str) -> Ruleset:
    """A ruleset, read once for all tests."""
    return ruleset_of(name)


def replaced(path: Path, *changes: tuple[str, str]) -> Ruleset:
    """The ruleset of a file with some of its text replaced; each text occurs exactly once."""
    text = path.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, f"`{old}` stands {text.count(old)} times in {path.name}"
        text = text.replace(old, new)
    return from_text(text, path.name)


def from_text(text: str, name: str = "changed.yaml") -> Ruleset:
    ruleset, wrong = Library([ROOT / "rulesets"]).load_text(text, name)
    assert ruleset is not None, render(wrong)
    return ruleset
