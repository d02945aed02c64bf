"""The text's rules in words, as its rule sheet has them. Needs no solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trickproof.english.procedures import Step
from trickproof.english.rules import sentence
from trickproof.playground.texts import RefusedError, Texts, utf16_offset
from trickproof.reports.rulesets.rulesheet import Section, Sheet
from trickproof_dsl.library import Ruleset

Item = Mapping[str, object]


def in_words(texts: Texts, request: Mapping[str, Any]) -> Iterator[Item]:
    """The rule sheet's sections in order; nothing for a text with errors.

    `from` is the offset of a rule's name in the text, in UTF-16 units, null for what a base states; a section of
    several `ways` has them as readings of the document or as restatements.
    """
    try:
        ruleset = texts.ruleset(request["text"])
    except RefusedError:
        return
    sheet = Sheet(ruleset)
    told = [(name, cell.text, cell.assumes) for name, cell, _ in sheet.facts]
    told += [(name, text, ()) for name, text in sheet.parameters]
    told += [("Terms", sheet.glossary, ())] if sheet.glossary else []
    rules = [_section(ruleset, section) for section in sheet.sections]
    always = [(one.when, one.text, one.assumes) for one in sheet.invariants]
    yield {"kind": "words", "parts": [*map(_fact, told), *rules, *map(_fact, always)]}


def _fact(told: tuple[str, str, Sequence[str]]) -> Item:
    title, text, assumes = told
    way = {"name": "", "steps": [{"text": sentence(text), "steps": []}]}
    return {"rule": None, "title": title, "from": None, "gap": None, "ways": [way], "assumes": assumes}


def _section(ruleset: Ruleset, section: Section) -> Item:
    span, text = ruleset.whole.rules[section.rule].name.span, ruleset.own.source.text
    ways = [
        (": ".join(filter(None, (f"Reading “{way.name}”", way.says))) if way.name else "", way)
        for way in section.ways
    ]
    ways += [("Another way, proved to do the same", way) for way in section.restated]
    assumes = [f"on “{whose}”: {text}" if whose else text for whose, text in section.assumes]
    return {
        "rule": section.rule,
        "title": section.title,
        "from": utf16_offset(text, span.start) if span.source.text == text else None,
        "gap": section.gap,
        "ways": [{"name": name, "steps": [*map(_step, way.steps)]} for name, way in ways],
        "assumes": [*assumes, *(x for _, way in ways for x in way.assumes)],
    }


def _step(step: Step) -> Item:
    return {
        "text": sentence(f"{step.text}:" if step.steps else step.text),
        "steps": [*map(_step, step.steps)],
    }
