"""Syntax errors in rule text: what was found, what was expected, and what the user probably meant.

Made from lark's error.  The expected tokens are found by trying them on a copy of
the parser, since the LALR tables allow more than is possible, and described in words.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any, cast

from lark import Lark, Token
from lark.exceptions import UnexpectedToken
from lark.parsers.lalr_parser_state import ParserState

from trickproof_dsl.diagnostics.catalogue import did_you_mean, error, meant
from trickproof_dsl.diagnostics.diagnostic import LONGEST_HELP, Diagnostic, alternatives
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.syntax.error_examples import (
    BOTH_PARTS,
    ERROR_EXAMPLES,
    FOREIGN_WORDS,
    LAST_WORDS,
    ONE_EQUALS,
    SOME_PLAYER,
    USUAL_TEXTS,
    WHICH_CARDS,
    WHICH_PLAYER,
    saying,
)
from trickproof_dsl.syntax.plain_words import in_the_language, plural_noun

MOST_EXPECTED = 7
"""Maximum number of expected alternatives in a message."""

ONE_OF_SEVERAL = re.compile(r"(?:(?:the )?player|whoever) ")
SEVERAL = re.compile("`(players with the [^`]+)`")

_ONE = re.compile(r"write `(?:only player in )?(players with [^`…]+)`(?:; for one player, .*)?")

_EXTREME_OF = re.compile(r"((?:highest|lowest) [\w-]+) of ([\w-]+)$")
_ONE_ARGUMENT = re.compile(r"([a-z][\w-]*) ?\( ?([a-z][\w-]*)$")

_LISTED = re.compile(r"(?!.*\b(?:else|for|if|repeat|while)\b).*:(?!=) *\S")
"""Matches a line that lists what things count, such as `QS: 13`."""

_NO_ARTICLE = "leave out `the`"
_NO_REST = "say which cards: only `deal the rest to …` knows a rest"
_VAGUE = {
    _NO_ARTICLE,
    SOME_PLAYER,
    WHICH_CARDS,
    WHICH_PLAYER,
    *(FOREIGN_WORDS[word] for word in ("any", "can", "each", "everyone", "may", "must", "nobody", "who")),
}
"""Hints about a single word, which help little with a whole rule that is a sentence."""

_LAYOUT = {
    "_NL": "end of the line",
    "_INDENT": "indented block",
    "_DEDENT": "end of the block",
    "$END": "end of the rule",
}
_TERMINALS = {
    "NAME": "a name",
    "INTEGER": "a number",
    "CARD": "a card such as `AS`",
    "COMPARE": "a comparison such as `=` or `>=`",
    "HAND_ENDS": "`the hand ends`",
    "DEAL_AGAIN": "`deal again`",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the rule",
}

_SIGNS = {"PLUS", "MINUS", "STAR", "DIV", "MOD", "COMPARE", "IN", "IS", "NOT", "AND", "OR"}
_GROUPS = (
    ({"SHUFFLE"}, ")", "a statement"),
    ({"ANY", "BETWEEN"}, "a gives )", "cards, as in `3 cards of hand`"),
    ({"INTEGER"}, "if )", "a value"),
    ({"NAME", "BECOMES"}, {"NAME", "BECOMES", "CHOOSES"}, "a verb such as `becomes`"),
    ({"COMPARE"}, _SIGNS, "a sign such as `=`"),
    ({"PLUS"}, _SIGNS, "a sign such as `+`"),
)
"""Names for groups of tokens: if all of the first occur, the name replaces all of the second, or all that could
have come instead of the bracket in a text."""


def unexpected(lark: Lark, source: Source, region: Span, wrong: UnexpectedToken) -> Diagnostic:
    """E201: the text cannot continue with this word."""
    token = wrong.token
    if token.type == "$END" or token.start_pos is None:
        span = Span(source, max(region.start, region.end - 1), region.end)
    else:
        span = Span(source, token.start_pos, token.end_pos or token.start_pos + 1)
    possible = _possible(wrong)
    start = max(source.line_bounds(span.line)[0], region.start)
    line = source.text[start : span.start].split()
    if "COLON" in possible and len(line) < 2 and start > region.start:
        return _without_colon(source, start)
    stopped_at = _LAYOUT.get(token.type) or f"`{token}`"
    above = source.text[region.start : start].rstrip()
    if start > region.start and above.split("\n")[-1].strip() == "otherwise":
        end = region.start + len(above)
        word = Span(source, end - len("otherwise"), end)
        return error("E201", word, found="`otherwise`", expected="a statement", help="write `else:`")
    sign = source.text[span.start - 1 : span.end]
    if sign in ("+=", "-=", "*=", "++", "--"):
        span, stopped_at = Span(source, span.start - 1, span.end), f"`{sign}`"
    if token.type in _LAYOUT:  # its place is the last character before it
        line = source.text[start : span.end].split()
    whole = source.text[start : min(source.line_bounds(span.line)[1], region.end)]
    said = None if saying(whole) else in_the_language(lark, whole)
    if said and ONE_OF_SEVERAL.match(whole.lstrip()) and (several := SEVERAL.search(said)):
        said += f"; for one player, `only player in ({several[1]})`, which fails if two of them tie"
    if said and "\n" in source.text[region.start : region.end].strip():
        said = re.sub(r"^(write `[a-z -]+) = (\d+`)$", r"\1 becomes \2", said)
    help_ = _help(
        lark, wrong, possible, line, whole, " ".join(source.text[region.start : span.start].split())
    )
    if not line and "_NL" in possible and token.type not in {"THEN", "AND", "OR", "ELSE"}:
        help_, said = (
            "begin it in the column of the line above: a line that is indented further continues that line",
            None,
        )
    if token.type == "_NL" and "ELSE" in possible and source.text[span.end :].split()[:1] == ["otherwise"]:
        help_ = "write `else` for `otherwise`"
    if line != ["the"]:
        return error("E201", span, found=stopped_at, expected=_listed(lark, possible), help=said or help_)
    # a sentence begins like `the match ends`, but what is wrong is the article
    at = source.text.index("the", start)
    help_ = said or (help_ if help_ == _NO_ARTICLE else f"{_NO_ARTICLE}; {help_}")
    return error(
        "E201", Span(source, at, at + 3), found="`the`", expected="a statement or a value", help=help_
    )


def in_the_rule(wrong: Diagnostic, rule: str, region: Span) -> Diagnostic:
    """A syntax error with a hint of what the rule usually says, if nothing better is known."""
    usual, hint = USUAL_TEXTS.get(rule), wrong.suggestion
    if rule in ("winner", "trick-winner") and (several := hint and _ONE.fullmatch(hint)):
        return replace(wrong, data={**wrong.data, "help": f"write `{several[1]}`"})
    sentence = "\n" not in region.source.text[region.start : region.end].strip()
    article = f"{_NO_ARTICLE}; " if hint and hint.startswith(_NO_ARTICLE) else ""
    vague = hint is not None and sentence and hint.removeprefix(article) in _VAGUE
    if wrong.code != "E201" or usual is None:
        return wrong
    cards = hint is not None and hint.startswith("write `cards in ") and " names a " in usual
    if hint is not None and not (vague or cards):
        return wrong
    said = article + usual
    return replace(wrong, data={**wrong.data, "help": said if len(said) <= LONGEST_HELP else usual})


def _without_colon(source: Source, start: int) -> Diagnostic:
    """E201: the line before the block at `start` lacks its colon."""
    end = len(source.text[:start].rstrip())
    span = Span(source, end - 1, end)
    help_ = "end the line with `:` and indent what follows"
    return error("E201", span, found=_LAYOUT["_NL"], expected="`:`", help=help_)


def _help(
    lark: Lark, wrong: UnexpectedToken, possible: set[str], line: list[str], whole: str, text: str
) -> str | None:
    """What the user most likely wants, if known.

    `line` is what comes before on the line, `whole` all of the line, `text` what comes before in the rule.
    """
    token, before = wrong.token, _state(wrong).value_stack[-1:]
    if possible == {"ELSE"} and token.type in {*_LAYOUT, "RPAR"}:
        return BOTH_PARTS
    if possible == {"_INDENT"}:
        return "indent the block under the `:`"
    if possible == {"_NL"} and isinstance(before[0], Token) and before[0].type == "COLON":
        return "what follows the `:` begins on a line of its own, indented"
    if sign := re.fullmatch(r"\s*(.+?) *([+*-])(?:=(.+)|\2)\s*", whole):
        return f"write `{sign[1]} becomes {sign[1]} {sign[2]}{sign[3] or ' 1'}`"
    if token == "=" and line[-1:] == ["="]:
        return ONE_EQUALS
    if "AMONG" in possible and (of := _EXTREME_OF.search(text)):
        return f"write `{of[1]} among {of[2]}`"
    if token == ")" and possible == {"COMMA"} and (one := _ONE_ARGUMENT.search(text)):
        return f"write `{one[1]} of {one[2]}`, or, for what is of two, name both: `{one[1]}(giver, taker)`"
    if (token.type in _LAYOUT or token == ":") and whole.count("(") > whole.count(")"):
        return "close every `(` with a `)`"
    if said := saying(whole):
        return said
    if noun := plural_noun(whole):
        return noun
    if token == "the" or line == ["the"]:
        words = [x for x in whole.split() if x in FOREIGN_WORDS and (x != "after" or " deals" in whole)]
        rest = whole.partition(" the ")[2].startswith("rest")
        return FOREIGN_WORDS[words[0]] if words else _NO_REST if rest else _NO_ARTICLE
    last = line[-1] if line and token.type in _LAYOUT else str(token)
    if last in LAST_WORDS:
        return LAST_WORDS[last]
    words = [word for word in (*line[:2], str(token)) if word in FOREIGN_WORDS]
    if words and line[:1] not in (["deal"], ["for"]):
        return FOREIGN_WORDS[words[0]]
    known = _advice(lark)
    if token == ":" and _LISTED.match(whole):
        return None
    for place in _places(wrong):
        if place in known:
            return known[place]
    if token.type != "NAME":
        reserved = possible == {"NAME"} and token.isalpha()
        return f"`{token}` is a word of the rule language; choose another name" if reserved else None
    close = did_you_mean(str(token), [_definition(lark, name) for name in possible if name not in _TERMINALS])
    return meant(close)


def _possible(wrong: UnexpectedToken) -> set[str]:
    """The tokens that the parser would have accepted."""
    state = _state(wrong)
    silent = copy(state.parse_conf)
    silent.callbacks = _Untouched()
    possible = set()
    for name in wrong.expected:
        trial: ParserState[int] = ParserState(silent, state.lexer, [*state.state_stack], [*state.value_stack])
        try:
            trial.feed_token(Token(name, ""), is_end=name == "$END")
        except UnexpectedToken:
            continue
        possible.add(name)
    return possible


class _Untouched(dict[Any, Any]):
    """Replaces the tree-building callbacks, so that nothing is built."""

    def __missing__(self, rule: object) -> object:
        return lambda children: children


def _listed(lark: Lark, possible: set[str]) -> str:
    """The expected alternatives in words, specific ones first."""
    general = []
    for signs, group, phrase in _GROUPS:
        if signs <= possible:
            general.append(phrase)
            possible = possible - (_instead_of_bracket(lark, group) if isinstance(group, str) else group)
    names = {_TERMINALS.get(name) or f"`{_definition(lark, name)}`" for name in possible - {"LPAR"}}
    words = [*sorted(names - {"`card`"} if "`cards`" in names else names), *general]
    if len(words) > MOST_EXPECTED:
        return ", ".join(words[:MOST_EXPECTED]) + " …"
    return alternatives(words)


@functools.cache
def _instead_of_bracket(lark: Lark, text: str) -> set[str]:
    """What could have come instead of the bracket at the end of a text."""
    try:
        lark.parse(text)
    except UnexpectedToken as wrong:
        return _possible(wrong)
    return set()


def _definition(lark: Lark, terminal: str) -> str:
    definition = next((t for t in lark.terminals if t.name == terminal), None)
    return str(definition.pattern.value) if definition else terminal


def _state(wrong: UnexpectedToken) -> ParserState[int]:
    return cast("ParserState[int]", wrong.state)


def _places(wrong: UnexpectedToken) -> Iterator[tuple[tuple[int, ...], str]]:
    """The places in the grammar where a text is rejected, most specific first: parser states, and kind of token."""
    states = _state(wrong).state_stack
    for many in (4, 3, 2):
        yield tuple(states[-many:]), str(wrong.token.type)


@functools.cache
def _advice(lark: Lark) -> dict[tuple[tuple[int, ...], str], str]:
    """The hints of `ERROR_EXAMPLES` by place; the first of two examples that are rejected at one place wins."""
    advice_at: dict[tuple[tuple[int, ...], str], str] = {}
    for around in ("{}", "do x\n{}", "if a:\n    do x\n    {}", "if a:\n    {}"):
        indent = " " * (len(around) - len(around.rstrip("{} ")) - 2)
        for advice, texts in ERROR_EXAMPLES.items():
            for text in dict.fromkeys((*texts, *(text.replace("1 card ", "2 cards ") for text in texts))):
                try:
                    lark.parse(around.format(text.replace("\n", "\n" + indent).rstrip(" ")))
                except UnexpectedToken as wrong:
                    for place in _places(wrong):
                        advice_at.setdefault(place, advice)
    return advice_at
