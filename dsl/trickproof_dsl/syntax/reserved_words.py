"""The reserved words of rule text, read from the grammar without building a parser."""

from __future__ import annotations

import functools
import re
from importlib import resources

RULE_WORDS = frozenset({"deal"})
"""Words of the grammar that may also name a rule, after `do`."""


@functools.cache
def grammar_text() -> str:
    """The grammar in lark's notation."""
    return (resources.files("trickproof_dsl.syntax") / "grammar.lark").read_text(encoding="utf-8")


@functools.cache
def reserved_words() -> frozenset[str]:
    """Every word of the grammar; no user-defined name may be one of them (except RULE_WORDS)."""
    return frozenset(re.findall(r'"([a-z]+)"', grammar_text()))
