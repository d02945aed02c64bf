"""Rulesets that tests of the checker examine: the documented ones, and house rules over them given as text."""

from __future__ import annotations

import textwrap
from functools import cache
from pathlib import Path

from trickproof.check_runner.runner import check_ruleset
from trickproof.checking.finding import Finding
from trickproof.checking.proof_session import ProofSession
from trickproof.checks import all_checks
from trickproof.support.bundled import bundled_library, ruleset_folder
from trickproof.testing.random_play import ENOUGH
from trickproof.testing.subject import Subject
from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.library import Library, Ruleset

ROOT = Path(__file__).parents[2]
LIBRARY = Library([ROOT / "rulesets"])
BUNDLED = bundled_library()
FOREIGN = Library([ROOT / "tests/cases/rulesets"])

SESSION = ProofSession()
"""Of all proofs of this process: rulesets over one base have most of their rules, and of their proofs, in common."""


@cache
def documented(name: str) -> Ruleset:
    ruleset, wrong = LIBRARY.load(name)
    assert ruleset is not None, render(wrong)
    return ruleset


@cache
def bundled(name: str) -> Ruleset:
    """A documented ruleset, a game or a house rule."""
    ruleset, wrong = BUNDLED.load(name)
    assert ruleset is not None, render(wrong)
    return ruleset


def beside_bundled(text: str) -> Ruleset:
    """A ruleset given as text, as if it stood in a file beside the bundled ones."""
    ruleset, wrong = BUNDLED.load_text(text, str(ruleset_folder() / "t.yaml"))
    assert ruleset is not None, render(wrong)
    return ruleset


@cache
def foreign(name: str) -> Ruleset:
    ruleset, wrong = FOREIGN.load(name)
    assert ruleset is not None, render(wrong)
    return ruleset


def found(ruleset: Ruleset, only: list[str] | None = None, hands: int = ENOUGH) -> list[Finding]:
    """The findings, where no check fails itself."""
    findings, disagreements = check_ruleset(ruleset, only, hands, session=SESSION)
    assert disagreements == []
    return findings


def subject_of(ruleset: Ruleset, hands: int = ENOUGH) -> Subject:
    """What all checks together look at."""
    return Subject(ruleset, all_checks(), hands, SESSION)


def house(body: str, base: str = "pagat", named: str = "house.yaml") -> Ruleset:
    """A ruleset that extends a documented one; `body` holds its further sections."""
    text = f"ruleset: house\nextends: {base}\n\n{textwrap.dedent(body)}"
    ruleset, wrong = LIBRARY.load_text(text, named)
    assert ruleset is not None, render(wrong)
    return ruleset


def rule(name: str, text: str) -> str:
    """The section `rules:` with one rule."""
    return f"rules:\n  {name}:\n    rule: |\n{textwrap.indent(textwrap.dedent(text), '      ')}\n    assumes: a fault\n"
