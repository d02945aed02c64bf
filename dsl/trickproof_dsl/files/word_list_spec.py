"""Kinds of short texts that are parsed word by word: decks, options, parameters, owners of a rule.

Promises: as in `field_spec.py`.  A `Word` has the exact place of the word, also inside `2C 3D AS`; only a
word in quoted text with escapes has the place of the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from trickproof_dsl.diagnostics.catalogue import error
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.field_spec import Diagnostics, Schema, report_repeats
from trickproof_dsl.files.model import Word
from trickproof_dsl.files.scalar_spec import ID, INTEGER, as_scalar, bad_id, malformed, whole_word
from trickproof_dsl.files.yaml_tree import Node, Scalar

_CARD = "[0-9A-Z][A-Z]"
MOST_VALUES = 1000
"""Maximum number of values of a parameter."""


@dataclass(frozen=True, slots=True)
class Letters:
    """Ranks or suits: letters in order, each with a name, which is optional for the usual letters."""

    expected: str
    letter: str
    usual: Mapping[str, str] = field(compare=False)
    at_least: int

    def read(self, node: Node, diagnostics: Diagnostics) -> tuple[tuple[Word, Word], ...] | None:
        scalar = as_scalar(node, self.expected, diagnostics, "separate them with spaces only")
        if scalar is None:
            return None
        read = [self._pair(word, diagnostics) for word in _words(scalar, r"\S+")]
        pairs = tuple(pair for pair in read if pair)
        first = {letter.value: name for letter, name in reversed(pairs)}
        report_repeats((letter for letter, _ in pairs), diagnostics)
        report_repeats((name for letter, name in pairs if first[letter.value] is name), diagnostics)
        if len(read) < self.at_least:
            expected = f"at least {self.at_least} in the list"
            diagnostics.append(error("E107", scalar.span, value=len(read), expected=expected))
        return pairs

    def _pair(self, word: Word, diagnostics: Diagnostics) -> tuple[Word, Word] | None:
        letter, equals, name = word.value.partition("=")
        if not re.fullmatch(self.letter, letter) or (equals and not name):
            by_name = {name: usual for usual, name in self.usual.items()}
            usual = by_name.get(letter) or by_name.get(f"{letter}s") or ("T" if letter == "10" else "")
            help = f"write `{usual}`" if usual in self.usual else None
            diagnostics.append(malformed(word, self.expected, help))
            return None
        if not equals:
            if letter in self.usual:
                return word, Word(self.usual[letter], word.span)
            diagnostics.append(malformed(word, "a letter with its name", f"add a name: `{letter}=its-name`"))
            return None
        named = _part(word, 2, len(word.value))
        if wrong := bad_id(named, True):
            diagnostics.append(wrong)
        return _part(word, 0, 1), named

    def schema(self) -> Schema:
        usual = "".join(self.usual)
        return {
            "type": "string",
            "pattern": _several(f"([{usual}]|{self.letter}={ID})", r"\s+", self.at_least),
        }


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards by rank and suit, separated by spaces."""

    expected: str = "cards such as `2C 3D`"

    def read(self, node: Node, diagnostics: Diagnostics) -> tuple[Word, ...] | None:
        scalar = as_scalar(node, self.expected, diagnostics, "separate the cards with spaces: `2C 3D`")
        if scalar is None:
            return None
        cards = _words(scalar, r"\S+")
        for card in cards:
            if not re.fullmatch(_CARD, card.value):
                upper = card.value.upper().replace("10", "T")
                advice = f"write `{upper}`" if re.fullmatch(_CARD, upper) else None
                if len(cards) == 1 and upper.isdigit():
                    advice = "a shorter deck lists its ranks, as in `ranks: 7 8 9 T J Q K A` for 32 cards"
                diagnostics.append(malformed(card, "a card such as `2C`", advice))
        report_repeats(cards, diagnostics)
        return cards

    def schema(self) -> Schema:
        return {"type": "string", "pattern": _several(_CARD, r"\s+")}


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Names separated by bars."""

    expected: str = "names such as `pass | solo`"

    def read(self, node: Node, diagnostics: Diagnostics) -> tuple[Word, ...] | None:
        scalar = as_scalar(node, self.expected, diagnostics, "separate the names with bars: `pass | solo`")
        if scalar is None:
            return None
        if not re.fullmatch(_several(r"[^\s|]+", r"\s*\|\s*"), scalar.value):
            diagnostics.append(malformed(whole_word(scalar), self.expected, None))
            return None
        names = _words(scalar, r"[^\s|]+")
        diagnostics += [wrong for name in names if (wrong := bad_id(name, True))]
        report_repeats(names, diagnostics)
        return names

    def schema(self) -> Schema:
        return {"type": "string", "pattern": _several(ID, r"\s*\|\s*")}


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that players may agree on: one, several separated by bars, or a range."""

    expected: str = "integers such as `10 | 20` or `10 .. 16`"

    def read(self, node: Node, diagnostics: Diagnostics) -> tuple[int, ...] | None:
        scalar = as_scalar(node, self.expected, diagnostics, "separate the numbers with bars: `10 | 20`")
        if scalar is None:
            return None
        if not re.fullmatch(_NUMBERS, scalar.value):
            barred = re.sub(r"\s*,\s*|\s+or\s+", " | ", scalar.value)
            advice = f"write `{barred}`" if re.fullmatch(_NUMBERS, barred) else None
            diagnostics.append(malformed(whole_word(scalar), self.expected, advice))
            return None
        words = _words(scalar, INTEGER)
        values = tuple(int(word.value) for word in words)
        if ".." not in scalar.value:
            report_repeats(words, diagnostics)
            return values
        if not 0 <= values[1] - values[0] < MOST_VALUES:
            expected = f"a range upwards, of at most {MOST_VALUES} numbers"
            diagnostics.append(error("E107", scalar.span, value=scalar.value, expected=expected))
            return None
        return tuple(range(values[0], values[1] + 1))

    def schema(self) -> Schema:
        return {"type": ["string", "integer"], "pattern": _NUMBERS, "minimum": -999999, "maximum": 999999}


@dataclass(frozen=True, slots=True)
class TypedName:
    """A type and a name, as (type, name)."""

    expected: str = "a type and a name such as `player giver`"

    def read(self, node: Node, diagnostics: Diagnostics) -> tuple[Word, Word] | None:
        scalar = as_scalar(node, self.expected, diagnostics)
        words = _words(scalar, r"\S+") if scalar else ()
        if scalar and len(words) != 2:
            diagnostics.append(malformed(whole_word(scalar), self.expected, None))
        if len(words) != 2:
            return None
        diagnostics += [
            wrong for word, own in zip(words, (False, True), strict=True) if (wrong := bad_id(word, own))
        ]
        return words[0], words[1]

    def schema(self) -> Schema:
        return {"type": "string", "pattern": rf"^\s*{ID}\s+{ID}\s*$"}


def _several(item: str, between: str, at_least: int = 1) -> str:
    return rf"^\s*{item}({between}{item}){{{at_least - 1},}}\s*$"


_NUMBERS = rf"^\s*{INTEGER}(\s*\.\.\s*{INTEGER}|(\s*\|\s*{INTEGER})*)\s*$"


def _words(scalar: Scalar, pattern: str) -> tuple[Word, ...]:
    """The words of a scalar, each with its place."""
    words = re.compile(pattern)
    values = [match[0] for match in words.finditer(scalar.value)]
    region = scalar.body or scalar.span
    places = [match.span() for match in words.finditer(region.text)][-len(values) :]
    spans = [Span(region.source, region.start + start, region.start + end) for start, end in places]
    if [span.text for span in spans] != values:
        spans = [scalar.span] * len(values)
    return tuple(Word(value, span) for value, span in zip(values, spans, strict=True))


def _part(word: Word, start: int, end: int) -> Word:
    exact = word.span.text == word.value
    span = Span(word.span.source, word.span.start + start, word.span.start + end) if exact else word.span
    return Word(word.value[start:end], span)
