"""The test cases with their true answers, and the known causes of disagreement between checks and truth."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from adversarial.law import Compared
from trickproof_dsl import render
from trickproof_dsl.library import Library, Ruleset

CASES = Path(__file__).with_name("cases")
LIBRARY = Library([CASES])


@dataclass(frozen=True, slots=True)
class Case:
    """A small ruleset: the true answers to some checks, the cause of a wrong verdict, whether it is slow.

    `ends` says how its matches end, if given (`law.how_it_ends`).
    """

    name: str
    truth: Mapping[str, str]
    ends: str = ""
    cause: str = ""
    slow: bool = False


@dataclass(frozen=True, slots=True)
class PairCase:
    """Two rulesets: whether they differ, and the known cause of a wrong answer from `diff`."""

    one: str
    other: str
    differ: bool
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """A known fault of the checks, and how to recognise it."""

    says: str
    features: tuple[str, ...]
    patterns: tuple[str, ...]

    def explains(self, wrong: Compared, features: Sequence[str]) -> bool:
        """Whether this cause can explain a wrong verdict on a ruleset with these features."""
        told = f"{wrong.check}: {wrong.verdict}: {wrong.wrong}"
        concerned = not self.features or set(self.features) & set(features)
        return bool(concerned) and any(re.search(pattern, told) for pattern in self.patterns)


def loaded(name: str) -> Ruleset:
    """The ruleset of a case."""
    path = CASES / f"{name}.yaml"
    ruleset, wrong = LIBRARY.load_text(path.read_text(encoding="utf-8"), str(path))
    assert ruleset is not None, render(wrong)
    return ruleset


@cache
def cases() -> tuple[Case, ...]:
    """The cases in cases/answers.yaml."""
    data = yaml.safe_load((CASES / "answers.yaml").read_text(encoding="utf-8"))
    return tuple(Case(name, **fields) for name, fields in data.items())


@cache
def pair_cases() -> tuple[PairCase, ...]:
    """The pairs in cases/pairs.yaml."""
    data = yaml.safe_load((CASES / "pairs.yaml").read_text(encoding="utf-8"))
    return tuple(PairCase(**fields) for fields in data)


@cache
def causes() -> Mapping[str, Cause]:
    """The causes in cases/causes.yaml."""
    data = yaml.safe_load((CASES / "causes.yaml").read_text(encoding="utf-8"))
    return {name: Cause(x["says"], tuple(x["features"]), tuple(x["patterns"])) for name, x in data.items()}


def unexplained(judged: Sequence[Compared], features: Sequence[str]) -> list[Compared]:
    """The wrong verdicts without a known cause."""
    return [
        one
        for one in judged
        if one.wrong and not any(cause.explains(one, features) for cause in causes().values())
    ]
