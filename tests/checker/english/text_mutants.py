"""Mutants of rule texts: one word, number or sign changed, in files that still load and mean something else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from checker.rulesets_for_tests import LIBRARY
from trickproof.certificates.certificate import core_digest
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

WORDS = {
    "highest": ("lowest",),
    "lowest": ("highest",),
    "clockwise": ("anticlockwise",),
    "left": ("right",),
    "right": ("left",),
    "larger": ("smaller",),
    "smaller": ("larger",),
    "over": ("under", "tricks"),
    "under": ("over",),
    "tricks": ("over", "target"),
    "target": ("tricks",),
    "some": ("every", "no"),
    "every": ("some",),
    "no": ("some",),
    "impossible": ("open",),
    "open": ("impossible",),
    "dealer": ("leader",),
    "suit": ("rank",),
    "and": ("or",),
    "or": ("and",),
    "giver": ("taker",),
    "taker": ("giver",),
    "becomes": (),
    "trump": ("led",),
    "led": ("trump",),
    "hand": ("kitty",),
    "gift": ("returned",),
    ">": (">=", "<", "="),
    ">=": (">", "<", "="),
    "<": ("<=", ">", "="),
    "<=": ("<", ">"),
    "=": ("!=", ">", ">="),
    "+": ("-",),
    "-": ("+",),
}
TOKEN = re.compile(r"(?<![\w-])(?:[a-z]+|\d+)(?![\w-])|(?<= )(?:[<>]=?|=|[+-])(?= )")


@dataclass(frozen=True)
class TextMutant:
    """A ruleset whose rule `rule` has `new` at a place of `old`."""

    rule: str
    old: str
    new: str
    line: int
    ruleset: Ruleset

    @property
    def name(self) -> str:
        return f"{self.ruleset.id}:{self.line} {self.rule}: {self.old} -> {self.new}"


def text_mutants(base: Ruleset, one_in: int = 1, only: str | None = None) -> Iterator[TextMutant]:
    """Those of a ruleset's own rules, or of one of them, in the order of the file."""
    digest, number = core_digest(base.program), 0
    for name, rule in base.own.rules.items():
        texts = [rule.text] if rule.text is not None and only in (None, name) else []
        for text in texts:
            for span, old, new in _changes(text):
                number += 1
                if number % one_in:
                    continue
                source = span.source.text
                changed, wrong = LIBRARY.load_text(
                    source[: span.start] + new + source[span.end :], str(base.path)
                )
                if changed is not None and not wrong and core_digest(changed.program) != digest:
                    yield TextMutant(name, old, new, span.line, changed)


def _changes(text: Span) -> Iterator[tuple[Span, str, str]]:
    for match in TOKEN.finditer(text.text):
        span = Span(text.source, text.start + match.start(), text.start + match.end())
        news = (str(int(match[0]) + 1),) if match[0].isdigit() else WORDS.get(match[0], ())
        yield from ((span, match[0], new) for new in news)
