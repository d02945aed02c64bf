"""Rule text to syntax tree, in place: the text is a region of the user's file, so every span is the file's own.

Promises: `parse_rule` returns a tree or diagnostics, never raises on bad text.  Syntax errors are recognised by
examples of the mistake where one is known (`MISTAKES`), otherwise told as what was expected.
"""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import cast

from lark import Lark, TextSlice, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken, VisitError
from lark.parsers.lalr_parser_state import ParserState

from trickproof_dsl.build import RuleBuilder
from trickproof_dsl.diagnostic import Diagnostic
from trickproof_dsl.errors import did_you_mean, error
from trickproof_dsl.layout import Layout, LayoutError
from trickproof_dsl.mistakes import MISTAKES
from trickproof_dsl.source import Source, Span
from trickproof_dsl.syntax import RuleText

MAX_RULE_LENGTH = 20_000
MAX_DEPTH = 100
"""Levels of values and blocks within one another that rules may have; held by elaborate.py."""

RULE_WORDS = frozenset({"deal"})
"""Words of the grammar that are also the name of a rule, after `do`."""

# What a token of the grammar is called in a message.
_TOKEN_WORDS = {
    "NAME": "a name",
    "INTEGER": "a number",
    "CARD": "a card such as `AS`",
    "COMPARE": "a comparison such as `=` or `>=`",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the rule",
}
_LAYOUT_TOKENS = {"_NL", "_INDENT", "_DEDENT", "$END"}

_CHARACTER_HELP = {
    "!": "write `!=`",
    "[": "join cards with `+`, as in `AS + KS`",
    "{": "join cards with `+`, as in `AS + KS`",
    "/": "write `div`",
    "%": "write `mod`",
    "&": "write `and`",
    "|": "write `or`",
    '"': "write names without quotes",
    "'": "names have no quotes; what belongs to someone is `hand of dealer`",
    ".": "end the line; statements have no full stop",
    ";": "begin a new line",
    "_": "names have hyphens: `hand-size`",
    "≥": "write `>=`",
    "≤": "write `<=`",
    "≠": "write `!=`",
    "×": "write `*`",
    "–": "write `-`",
    "−": "write `-`",
    "’": "write `of`, as in `hand of dealer`",
    "♠": "write `spades`, or a card such as `AS`",
    "♥": "write `hearts`, or a card such as `AH`",
    "♦": "write `diamonds`, or a card such as `AD`",
    "♣": "write `clubs`, or a card such as `AC`",
}


def parse_rule(source: Source, region: Span) -> tuple[RuleText | None, list[Diagnostic]]:
    """Parses `region` of `source`; returns the tree, or None and what is wrong (E2xx)."""
    if region.end - region.start > MAX_RULE_LENGTH:
        return None, [error("E204", region, limit=MAX_RULE_LENGTH)]
    try:
        tree = _parser().parse(TextSlice(source.text, region.start, region.end))
        return RuleBuilder(source, region).transform(tree), []
    except UnexpectedCharacters as wrong:
        at = wrong.pos_in_stream or region.start
        found = source.text[at : at + 1]
        return None, [error("E202", Span(source, at, at + 1), **_stranger(found))]
    except UnexpectedToken as wrong:
        return None, [_unexpected(source, region, wrong)]
    except LayoutError as wrong:
        return None, [error("E203", _token_span(source, wrong.token), expected=_columns(wrong.expected))]
    except RecursionError:
        return None, [_too_deep(region)]
    except VisitError as wrong:
        if not isinstance(wrong.orig_exc, RecursionError):
            raise
        return None, [_too_deep(region)]


@functools.cache
def reserved_words() -> frozenset[str]:
    """Every word the grammar takes for itself; nothing may bear one (but see RULE_WORDS)."""
    return frozenset(re.findall(r'"([a-z]+)"', _grammar()))


@functools.cache
def _grammar() -> str:
    return (resources.files("trickproof_dsl") / "grammar.lark").read_text(encoding="utf-8")


def _parser() -> Lark:
    return _lark()


@functools.cache
def _lark() -> Lark:
    return Lark(
        _grammar(),
        parser="lalr",
        lexer="basic",
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=False,
    )


def _too_deep(region: Span) -> Diagnostic:
    return error("E205", region, limit=MAX_DEPTH, help="give the inner part a rule of its own")


def _stranger(char: str) -> dict[str, str | None]:
    """What the message says of a character that rule text has no use for."""
    if char.isupper():
        return {"found": char, "help": "names are written in lower case"}
    if char.isspace() or not char.isprintable():
        return {"found": f"U+{ord(char):04X}", "help": "delete it, or type a plain blank in its place"}
    return {"found": char, "help": _CHARACTER_HELP.get(char)}


def _columns(columns: tuple[int, ...]) -> str:
    return " or ".join(str(c) for c in sorted(set(columns)))


def _token_span(source: Source, token: Token) -> Span:
    start = token.start_pos or 0
    return Span(source, start, token.end_pos or start + 1)


def _unexpected(source: Source, region: Span, wrong: UnexpectedToken) -> Diagnostic:
    token = wrong.token
    if token.type == "$END" or not isinstance(token, Token) or token.start_pos is None:
        span = Span(source, max(region.start, region.end - 1), region.end)
    else:
        span = _token_span(source, token)
    advice = _advice().get(_place(wrong))
    found = _TOKEN_WORDS[token.type] if token.type in _LAYOUT_TOKENS else f"`{token}`"
    expected = sorted({_word(name) for name in wrong.expected})
    if advice is None and token.type == "NAME":
        words = [w.strip("`") for w in expected if w.startswith("`")]
        close = did_you_mean(str(token), words)
        advice = f"did you mean `{close}`?" if close else None
    told = ", ".join(expected[:8]) + (" …" if len(expected) > 8 else "")
    return error("E201", span, found=found, expected=told, help=advice)


def _word(terminal: str) -> str:
    if terminal in _TOKEN_WORDS:
        return _TOKEN_WORDS[terminal]
    definition = next((t for t in _lark().terminals if t.name == terminal), None)
    return f"`{definition.pattern.value}`" if definition else terminal


def _place(wrong: UnexpectedToken) -> tuple[int, str]:
    """Where in the grammar a text is refused: the state of the parser and the kind of word."""
    state = cast("ParserState[int]", wrong.state)
    return state.position, str(wrong.token.type)


@functools.cache
def _advice() -> dict[tuple[int, str], str]:
    """The advice of `MISTAKES` by place; the first of two examples that are refused at one place counts."""
    found: dict[tuple[int, str], str] = {}
    for advice, texts in MISTAKES.items():
        for text in texts:
            try:
                _lark().parse(text)
            except UnexpectedToken as wrong:
                found.setdefault(_place(wrong), advice)
    return found
