"""Rule text to syntax tree, in place: the text is a region of the user's file, so every span is the file's own.

Promises: `parse_rule` returns a tree or diagnostics, never raises on bad text.  Syntax errors are recognised by
examples of the mistake where one is known (`MISTAKES`), otherwise told as what was expected.
"""

from __future__ import annotations

import functools
import re
from importlib import resources

from lark import Lark, TextSlice, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from trickproof_dsl.build import RuleBuilder
from trickproof_dsl.diagnostic import Diagnostic
from trickproof_dsl.errors import did_you_mean, error
from trickproof_dsl.layout import Layout, LayoutError
from trickproof_dsl.source import Source, Span
from trickproof_dsl.syntax import RuleText

MAX_RULE_LENGTH = 20_000

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

# (advice, texts that make the mistake): matched by parser state, see lark's match_examples.
MISTAKES = {
    "write `becomes` to change a variable": ["x = 1\n", "x of p = x of p + 1\n"],
    "end the line with `:` and indent what follows": [
        "if a = b\n    do x\n",
        "for p in players\n    do x\n",
        "repeat 3 times\n    do x\n",
        "if a = b:\n    do x\nelse\n    do y\n",
    ],
    "a value needs both parts: `if … then … else …`": ["if a then b\n", "if a then b + 1\n"],
    "indent the block under the `:`": ["if a:\ndo x\n", "for p in players:\ndo x\n"],
    "say `highest … first`": ["for p in players, highest x:\n    do y\n"],
    "say where to: `deal 16 cards to hand of p`": ["deal 16 cards\n", "deal the rest\n"],
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
        help_ = "write `!=`" if found == "!" else None
        return None, [error("E202", Span(source, at, at + 1), found=found, help=help_)]
    except UnexpectedToken as wrong:
        return None, [_unexpected(source, region, wrong)]
    except LayoutError as wrong:
        return None, [error("E203", _token_span(source, wrong.token), expected=_columns(wrong.expected))]
    except RecursionError:
        return None, [error("E205", region)]


@functools.cache
def reserved_words() -> frozenset[str]:
    """Every word the grammar takes for itself; nothing may bear one (but a rule may be called `deal`)."""
    return frozenset(re.findall(r'"([a-z]+)"', _grammar())) - RULE_WORDS


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
    advice = wrong.match_examples(_try, MISTAKES, use_accepts=False)
    found = (
        _TOKEN_WORDS.get(token.type) if token.type.startswith("_") or token.type == "$END" else f"`{token}`"
    )
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


def _try(text: str) -> Tree[Token]:
    return _lark().parse(text)
