"""From rule text to syntax tree, in place: the text is a region of the file, so spans are the file's own.

Promises: `parse_rule` returns a tree or diagnostics and never raises on bad text.  Syntax errors are
recognised by examples of the mistake (`ERROR_EXAMPLES`), and otherwise described by what was expected.
"""

from __future__ import annotations

import functools

from lark import TextSlice, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken, VisitError

from trickproof_dsl.diagnostics.catalogue import error
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.syntax.ast import RuleText
from trickproof_dsl.syntax.ast_builder import AstBuilder
from trickproof_dsl.syntax.indentation import DedentError
from trickproof_dsl.syntax.parse_errors import unexpected
from trickproof_dsl.syntax.parser_tables import rule_parser
from trickproof_dsl.syntax.plain_words import in_the_language

MAX_RULE_LENGTH = 20_000
MAX_DEPTH = 100
"""Maximum nesting of expressions and blocks in rules; enforced by elaborate.py."""

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
    "♠": "write `spades`; a card is a rank and a letter, such as `2S`",
    "♥": "write `hearts`; a card is a rank and a letter, such as `2H`",
    "♦": "write `diamonds`; a card is a rank and a letter, such as `2D`",
    "♣": "write `clubs`; a card is a rank and a letter, such as `2C`",
}


def parse_rule(source: Source, region: Span) -> tuple[RuleText | None, list[Diagnostic]]:
    """Parses `region` of `source`; returns the tree, or None and what is wrong (E2xx)."""
    tree, wrong = _parsed(source, region)
    return tree, list(wrong)


@functools.lru_cache(4096)
def _parsed(source: Source, region: Span) -> tuple[RuleText | None, list[Diagnostic]]:
    """Memoised `parse_rule`: the texts of bases are parsed for every ruleset built on them."""
    if region.end - region.start > MAX_RULE_LENGTH:
        return None, [error("E204", region, limit=MAX_RULE_LENGTH)]
    try:
        tree = rule_parser().parse(TextSlice(source.text, region.start, region.end))
        return AstBuilder(source, region).transform(tree), []
    except UnexpectedCharacters as wrong:
        at = wrong.pos_in_stream or region.start
        stranger = source.text[at : at + 1]
        before = source.text[max(at - 1, region.start) : at]
        shown, help_ = _stranger(stranger, before, source.text[at + 1 : min(at + 2, region.end)])
        first, last = source.line_bounds(Span(source, at, at + 1).line)
        line = source.text[max(first, region.start) : min(last, region.end)]
        help_ = in_the_language(rule_parser(), line) or help_
        return None, [error("E202", Span(source, at, at + 1), found=shown, help=help_)]
    except UnexpectedToken as wrong:
        return None, [unexpected(rule_parser(), source, region, wrong)]
    except DedentError as wrong:
        return None, [error("E203", _token_span(source, wrong.token), expected=_columns(wrong.expected))]
    except RecursionError:
        return None, [_too_deep(region)]
    except VisitError as wrong:
        if not isinstance(wrong.orig_exc, RecursionError):
            raise
        return None, [_too_deep(region)]


def _too_deep(region: Span) -> Diagnostic:
    return error("E205", region, limit=MAX_DEPTH, help="give the inner part a rule of its own")


_LETTERS = dict(
    zip(
        "TJQKACDHS",
        ["ten", "jack", "queen", "king", "ace", "clubs", "diamonds", "hearts", "spades"],
        strict=True,
    )
)
"""The names of ranks and suits that cards are written with by a letter."""


def _stranger(char: str, before: str, after: str) -> tuple[str, str | None]:
    """How a message names a character that rule text does not allow, and a hint; with the text on either side."""
    if char == "." and before.isdigit() and after.isdigit():
        return char, "numbers are whole: multiply first and divide then, as in `3 * x div 2`"
    if char == "/" and after == "/":
        return char, "a comment begins with `#`"
    if char in "'’" and before.isalpha():
        return char, "say whose with `of`: `hand of dealer`"
    if char in _LETTERS and not after.isalnum():
        return char, f"write the name: `{_LETTERS[char]}`"
    if char.isupper():
        return char, "names are written in lower case"
    if char.isspace() or not char.isprintable():
        return f"U+{ord(char):04X}", "delete it, or type a plain space in its place"
    return char, _CHARACTER_HELP.get(char)


def _columns(columns: tuple[int, ...]) -> str:
    return " or ".join(str(c) for c in sorted(set(columns)))


def _token_span(source: Source, token: Token) -> Span:
    start = token.start_pos or 0
    return Span(source, start, token.end_pos or start + 1)
