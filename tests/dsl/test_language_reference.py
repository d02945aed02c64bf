"""docs/reference.md is current, and its tables leave out nothing that the grammar has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

import pytest
from lark import Lark

from trickproof_dsl.diagnostics.catalogue import CATALOGUE
from trickproof_dsl.diagnostics.diagnostic import render
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.language_reference import reference_markdown
from trickproof_dsl.syntax import ast as s
from trickproof_dsl.syntax.indentation import Indenter
from trickproof_dsl.syntax.parser import parse_rule
from trickproof_dsl.syntax.reserved_words import reserved_words
from trickproof_dsl.syntax.rule_forms import STATEMENTS, VALUES

FILE = Path(__file__).parents[2] / "docs/reference.md"
GRAMMAR = (resources.files("trickproof_dsl.syntax") / "grammar.lark").read_text(encoding="utf-8")

MISSING = "`VALUES` or `STATEMENTS` of rule_forms.py needs an example with these"


def parsed(text: str) -> s.RuleText:
    source = Source("reference", text)
    tree, wrong = parse_rule(source, Span(source, 0, len(text)))
    assert tree is not None, render(wrong)
    return tree


def test_committed_file_is_current(generated: Callable[[Path, str], None]) -> None:
    generated(FILE, reference_markdown())


@pytest.mark.parametrize("example", [text for _, text in STATEMENTS])
def test_statements_are_statements(example: str) -> None:
    assert isinstance(parsed(example), s.Procedure)


@pytest.mark.parametrize("example", [text for _, text in VALUES])
def test_values_are_values(example: str) -> None:
    assert isinstance(parsed(example), s.Value)


def forms_used() -> Iterator[str]:
    lark = Lark(GRAMMAR, parser="lalr", lexer="basic", postlex=Indenter(), maybe_placeholders=False)
    for _, text in (*STATEMENTS, *VALUES):
        yield from (str(tree.data) for tree in lark.parse(text).iter_subtrees())


def test_every_form_has_an_example() -> None:
    named = set(re.findall(r"-> ([a-z_]+)", GRAMMAR))
    assert named - set(forms_used()) == set(), MISSING


def test_every_word_has_an_example() -> None:
    words = set(re.findall(r"[a-z-]+", " ".join(text for _, text in (*STATEMENTS, *VALUES))))
    assert reserved_words() - words == set(), MISSING


def test_every_error_is_listed() -> None:
    assert set(re.findall(r"^\\| `(E[0-9]+)`", reference_markdown(), re.MULTILINE)) == set(CATALOGUE)


def test_rule_blocks_are_rule_text() -> None:
    blocks = re.findall(r"^```rule\n(.*?)^```$", reference_markdown(), re.MULTILINE | re.DOTALL)
    assert blocks
    for text in blocks:
        parsed(text)
