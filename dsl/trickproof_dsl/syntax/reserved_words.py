"""The words that rule text takes for itself, read from the grammar without building a parser."""

from __future__ import annotations

import functools
import re
from importlib import resources

RULE_WORDS = frozenset({"deal"})
"""Words of the grammar that are also the name of a rule, after `do`."""


@functools.cache
def grammar_text() -> str:
    """The grammar, as lark reads it."""
    return (resources.files("trickproof_dsl.syntax") / "grammar.lark").read_text(encoding="utf-8")


@functools.cache
def reserved_words() -> frozenset[str]:
    """Every word of the grammar; nothing may bear one (but see RULE_WORDS)."""
    return frozenset(re.findall(r'"([a-z]+)"', grammar_text()))
