"""Dataclasses as JSON documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from math import inf

import pytest

from checker.rulesets_for_tests import documented
from trickproof.checking.verdict import Verdict
from trickproof.support.serialise import HIDDEN, OPTIONAL, document, json_text, rounded, serialised
from trickproof_dsl.diagnostics.source import Span


@dataclass(frozen=True)
class Inner:
    mean: float
    low: float


@dataclass(frozen=True)
class Outer:
    verdict: Verdict
    where: Span | None
    exact: Inner
    about: Sequence[Inner] = field(metadata=rounded(2))
    reason: str | None = field(default=None, metadata=OPTIONAL)
    notes: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    zero: int | None = field(default=0, metadata=OPTIONAL)
    secret: str = field(default="x", metadata=HIDDEN)


def outer() -> Outer:
    where = documented("pagat").whole.rules["targets"].name.span
    return Outer(Verdict.PROVED, where, Inner(1 / 3, -inf), [Inner(1 / 3, -0.001)])


def test_a_field_is_a_key() -> None:
    content = serialised(outer())
    assert content.keys() == {"verdict", "where", "exact", "about", "zero"}
    assert content["verdict"] == "proved"
    assert content["where"]["file"] == "rulesets/pagat.yaml"
    assert content["exact"] == {"mean": 1 / 3, "low": None}


def test_numbers_are_rounded_without_a_minus_zero() -> None:
    assert json.dumps(serialised(outer())["about"]) == '[{"mean": 0.33, "low": 0.0}]'


def test_a_document_has_the_versions_it_was_made_with() -> None:
    versions = {"trickproof": version("trickproof"), "solver": f"z3 {version('z3-solver')}"}
    assert document({"ruleset": "x"}) == {"schema_version": 1, **versions, "ruleset": "x"}


def test_a_document_without_a_solver_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules of a game need none."""

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    assert document({})["solver"] == "z3 not installed"


def test_text_is_sorted_and_keeps_signs() -> None:
    assert json_text({"b": "♣", "a": [1]}) == '{\n  "a": [\n    1\n  ],\n  "b": "♣"\n}'


def test_what_has_no_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no form in JSON"):
        serialised({"x": object()})
