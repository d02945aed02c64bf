"""Mutations of a text, as caused by slips, editors or malice, for rulesets and documents.

A `Damage` takes a random generator and a text and returns another text. `WAYS` lists them all by name, in
three families: any text (characters and lines), YAML (fields and their values), and rule text (words of
rules). The same generator and text give the same damage. For whole hostile files see `hostile.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from random import Random

from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.decode_ruleset import decode_ruleset
from trickproof_dsl.syntax.reserved_words import reserved_words

Damage = Callable[[Random, str], str]

ODD_CHARACTERS: tuple[str, ...] = (
    *"\0\x07\x1b\x7f\x85\xa0\xad\t\r\u200b\u200f\u202e\u2028\u2029\u0301\ufeff\ufffd\ufffe\ud7ff",
    *"牌🂡é'\"`:;,.-#&*!|>%@{}[]()?=<~\\/",
    "👩‍👩‍👧",
    "\u05d0\u05d1",
    "a\u0301\u0302",
    "\r\n",
)

WRONG_VALUES = (
    *("[]", "{}", "[1, [2]]", "{a: b}", "3", "-1", "0", "1.5", "99999999999999999999999", "true", "no", "null"),
    *("~", '""', "''", "'it''s'", '"\\u00e9\\n"', "text of several words", "A-B", "!!int 3", "&a 3", "*a", "<<"),
    *("AS", "prelude", "2018-01-01", "| # text", "> folded", "- a", "a: b: c", "'", '"', "[", "{", "@", "%x", "|"),
    *("- a\n  - b", "|\n      some player has\n      tricks >= 12", "pagat-de.s1", "[pagat-de.s1]", "x" * 5000),
)  # fmt: skip
"""Values that are invalid in most fields."""

NUMBERS = ("0", "7", "100000", "999999999999999999", "1000000000000000000000", "007")


# ------------------------------------------------------------------------------------------------ any text


def cut_character(random: Random, text: str) -> str:
    at = _place(random, text)
    return text[:at] + text[at + 1 :]


def insert_character(random: Random, text: str) -> str:
    at = _place(random, text)
    return text[:at] + random.choice(ODD_CHARACTERS) + text[at:]


def replace_character(random: Random, text: str) -> str:
    at = _place(random, text)
    return text[:at] + random.choice(ODD_CHARACTERS) + text[at + 1 :]


def swap_characters(random: Random, text: str) -> str:
    at = _place(random, text)
    return text[:at] + text[at : at + 2][::-1] + text[at + 2 :]


def change_case(random: Random, text: str) -> str:
    at = _place(random, text)
    return text[:at] + text[at : at + 1].swapcase() + text[at + 1 :]


def truncate(random: Random, text: str) -> str:
    return text[: _place(random, text)]


def behead(random: Random, text: str) -> str:
    return text[_place(random, text) :]


def cut_piece(random: Random, text: str) -> str:
    start = _place(random, text)
    return text[:start] + text[start + random.randrange(1, 200) :]


def repeat_piece(random: Random, text: str) -> str:
    start = _place(random, text)
    end = start + random.randrange(1, 100)
    return text[:end] + text[start:end] * random.choice((1, 2, 50)) + text[end:]


def cut_line(random: Random, text: str) -> str:
    return _edit_line(random, text, lambda line: [])


def double_line(random: Random, text: str) -> str:
    return _edit_line(random, text, lambda line: [line, line])


def swap_lines(random: Random, text: str) -> str:
    lines = text.split("\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def join_lines(random: Random, text: str) -> str:
    return _edit_line(random, text, lambda line: [line + " "]).replace(" \n", " ", 1)


def break_line(random: Random, text: str) -> str:
    return re.sub(" ", random.choice(("\n", "\n    ", "\n        ")), text, count=random.randrange(1, 40))


def indent_line(random: Random, text: str) -> str:
    blanks = random.choice((" ", "  ", "    ", "\t", "\u00a0", "\u3000"))
    return _edit_line(random, text, lambda line: [blanks + line])


def outdent_line(random: Random, text: str) -> str:
    count = random.choice((1, 2, 4, 40))
    return _edit_line(random, text, lambda line: [re.sub(f"^ {{1,{count}}}", "", line)])


def windows_lines(random: Random, text: str) -> str:
    return text.replace("\n", random.choice(("\r\n", "\r", "\n\n", "\u2028\n")))


# ---------------------------------------------------------------------------------------------------- YAML

_FIELD = re.compile(r"(?m)(?<![\w-])([a-z][a-z0-9-]*):(?: +([^\n{}\[\],]+)| *$)")


def wrong_value(random: Random, text: str) -> str:
    match = _one(random, _FIELD, text)
    if match is None:
        return text
    return _put(text, match.start(1), match.end(), f"{match[1]}: {random.choice(WRONG_VALUES)}")


def other_key(random: Random, text: str) -> str:
    match, other = _one(random, _FIELD, text), _one(random, _FIELD, text)
    return text if match is None or other is None else _put(text, match.start(1), match.end(1), other[1])


def other_value(random: Random, text: str) -> str:
    match, other = _one(random, _FIELD, text), _one(random, _FIELD, text)
    if match is None or other is None:
        return text
    return _put(text, match.start(1), match.end(), f"{match[1]}:{other[0].partition(':')[2]}")


def misspell_word(random: Random, text: str) -> str:
    match = _one(random, re.compile(r"[a-z]{3,}"), text)
    return text if match is None else _put(text, *match.span(), swap_characters(random, match[0]))


def wrong_reference(random: Random, text: str) -> str:
    match = _one(random, re.compile(r"[a-z-]+\.s[0-9]+|(?<=extends: )\S+|(?<=documents: \[)[a-z-]+"), text)
    names = ("pagat-de.s999", "pagat.s1", "nowhere.s1", "pagat-de", ".", "documents", "../rulesets", "pagat")
    return text if match is None else _put(text, *match.span(), random.choice(names))


def anchor_or_tag(random: Random, text: str) -> str:
    match = _one(random, re.compile(r"(?<=: )(?=\S)"), text)
    marks = ("&x ", "*x ", "!t ", "!!map ", "!<tag:yaml.org,2002:str> ", "&x *x ", "? ", "<<: ")
    return text if match is None else _put(text, *match.span(), random.choice(marks))


# ----------------------------------------------------------------------------------------------- rule text

_WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*|[0-9A-Z]+|[!<>]=|[^\s\w]")
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def swap_words(random: Random, text: str) -> str:
    def edit(words: list[str]) -> None:
        one, other = random.randrange(len(words)), random.randrange(len(words))
        words[one], words[other] = words[other], words[one]

    return _edit_words(random, text, edit)


def delete_word(random: Random, text: str) -> str:
    return _edit_words(random, text, lambda words: words.pop(random.randrange(len(words))))


def double_word(random: Random, text: str) -> str:
    return _edit_words(random, text, lambda words: words.append(random.choice(words)))


def other_name(random: Random, text: str) -> str:
    """Replace a word with a name that the file uses or declares somewhere."""
    names = [name for name in _NAME.findall(text) if name not in reserved_words()] or ["x"]
    return _edit_words(random, text, lambda words: _replace(random, words, random.choice(names)))


def keyword(random: Random, text: str) -> str:
    word = random.choice(sorted(reserved_words()))
    return _edit_words(random, text, lambda words: _replace(random, words, word))


def insert_keyword(random: Random, text: str) -> str:
    word = random.choice((*sorted(reserved_words()), *"()+-*=:,", "AS", "ZZ"))
    return _edit_words(random, text, lambda words: words.insert(random.randrange(len(words) + 1), word))


def other_number(random: Random, text: str) -> str:
    match = _one(random, re.compile(r"(?<![\w.-])[0-9]+(?![\w.])"), text)
    return text if match is None else _put(text, *match.span(), random.choice(NUMBERS))


def bracket(random: Random, text: str) -> str:
    depth = random.choice((1, 3, 60))
    return _edit_words(random, text, lambda words: _wrap(random, words, "(" * depth, ")" * depth))


def _wrap(random: Random, words: list[str], before: str, after: str) -> None:
    at = random.randrange(len(words))
    words[at] = f"{before}{words[at]}{after}"


def _replace(random: Random, words: list[str], word: str) -> None:
    words[random.randrange(len(words))] = word


WAYS: dict[str, Damage] = {
    way.__name__: way
    for way in (
        *(cut_character, insert_character, replace_character, swap_characters, change_case, truncate, behead),
        *(cut_piece, repeat_piece, cut_line, double_line, swap_lines, join_lines, break_line, indent_line),
        *(outdent_line, windows_lines, wrong_value, other_key, other_value, misspell_word, wrong_reference),
        *(anchor_or_tag, swap_words, delete_word, double_word, other_name, keyword, insert_keyword, other_number),
        bracket,
    )
}  # fmt: skip

RULE_WAYS = ("swap_words", "delete_word", "double_word", "other_name", "keyword", "insert_keyword", "other_number")  # fmt: skip
"""The mutations most likely to leave a text that loads with a different meaning."""


def damaged(text: str, ways: list[str], seed: int) -> str:
    """The text damaged in each of the ways in turn."""
    random = Random(seed)
    for way in ways:
        text = WAYS[way](random, text)
    return text


def _place(random: Random, text: str) -> int:
    return random.randrange(len(text) + 1)


def _put(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _one(random: Random, pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return random.choice(found) if found else None


def _edit_line(random: Random, text: str, edit: Callable[[str], list[str]]) -> str:
    lines = text.split("\n")
    at = random.randrange(len(lines))
    return "\n".join([*lines[:at], *edit(lines[at]), *lines[at + 1 :]])


def _edit_words(random: Random, text: str, edit: Callable[[list[str]], object]) -> str:
    """The text with the words of one line of one rule edited."""
    regions = _rule_lines(text)
    if not regions:
        return text
    start, end = random.choice(regions)
    line = text[start:end]
    words = _WORD.findall(line)
    if not words:
        return text
    edit(words)
    indent = line[: len(line) - len(line.lstrip())]
    return _put(text, start, end, indent + " ".join(words))


@lru_cache(maxsize=64)
def _rule_lines(text: str) -> tuple[tuple[int, int], ...]:
    """The positions of the lines of rule text, if the text still parses."""
    file, _ = decode_ruleset(Source("", text))
    if file is None:
        return ()
    readings = [reading.text for rule in file.rules.values() for reading in rule.readings]
    spans = [rule.text for rule in file.rules.values() if rule.text] + readings
    found = []
    for span in spans:
        at = span.start
        for line in span.text.split("\n"):
            found += [(at, at + len(line))] if line.strip() else []
            at += len(line) + 1
    return tuple(found)
