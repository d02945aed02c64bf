"""Kinds of single scalars: text, ids, words of a certain form, numbers, Booleans and rule text.

Promises: as in `field_spec.py`.  The place of a `Word` is that of its characters, without quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trickproof_dsl.diagnostics.catalogue import did_you_mean, error, meant
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.field_spec import Diagnostics, Schema, unexpected
from trickproof_dsl.files.model import Word
from trickproof_dsl.files.yaml_tree import Node, Scalar, as_boolean, as_integer, rule_text
from trickproof_dsl.syntax.reserved_words import reserved_words

ID = "[a-z][a-z0-9]*(-[a-z0-9]+)*"
INTEGER = "-?(0|[1-9][0-9]{0,5})"
_TRUTHS = {"yes": "true", "on": "true", "true": "true", "no": "false", "off": "false", "false": "false"}


@dataclass(frozen=True, slots=True)
class Text:
    """Text for people; any non-empty scalar."""

    expected: str = "text"

    def read(self, node: Node, diagnostics: Diagnostics) -> Word | None:
        scalar = as_scalar(node, self.expected, diagnostics)
        if scalar and scalar.value.removeprefix("we ") == "…":
            diagnostics.append(malformed(whole_word(scalar), self.expected, "write it in place of `…`"))
            return None
        return whole_word(scalar) if scalar else None

    def schema(self) -> Schema:
        return {"type": ["string", "number", "boolean"], "pattern": r"\S"}


@dataclass(frozen=True, slots=True)
class Id:
    """An id; with `own` a name for rule text, which must not be a keyword (except those in `excepted`)."""

    own: bool = False
    expected: str = "an id such as `my-table`"
    excepted: frozenset[str] = frozenset()

    def read(self, node: Node, diagnostics: Diagnostics) -> Word | None:
        scalar = as_scalar(node, self.expected, diagnostics)
        if scalar is None:
            return None
        word = Word(scalar.value, whole_word(scalar).span)
        if wrong := bad_id(word, self.own and word.value not in self.excepted, bool(self.excepted)):
            diagnostics.append(wrong)
        elif as_boolean(scalar) is not None:
            diagnostics.append(unexpected(self.expected, scalar, "choose another word, or put it in quotes"))
        else:
            return word
        return None

    def schema(self) -> Schema:
        name: Schema = {"$ref": f"#/definitions/{'name' if self.own else 'id'}"}
        return {"anyOf": [name, {"enum": sorted(self.excepted)}]} if self.excepted else name


@dataclass(frozen=True, slots=True)
class Form:
    """A word of a certain form, which is not a number or Boolean."""

    expected: str
    pattern: str
    advice: str | None = None

    def read(self, node: Node, diagnostics: Diagnostics) -> Word | None:
        scalar = as_scalar(node, self.expected, diagnostics)
        if scalar is None:
            return None
        if as_integer(scalar) is not None or as_boolean(scalar) is not None:
            diagnostics.append(unexpected(self.expected, scalar, self.advice or "put it in quotes"))
        elif re.fullmatch(self.pattern, scalar.value):
            return whole_word(scalar)
        else:
            diagnostics.append(malformed(whole_word(scalar), self.expected, self.advice))
        return None

    def schema(self) -> Schema:
        return {"type": "string", "pattern": f"^({self.pattern})$"}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        return " or ".join(f"`{word}`" for word in self.words)

    def read(self, node: Node, diagnostics: Diagnostics) -> Word | None:
        scalar = as_scalar(node, self.expected, diagnostics)
        if scalar is None or scalar.value in self.words:
            return whole_word(scalar) if scalar else None
        suggestion = did_you_mean(scalar.value, self.words)
        wrong = error("E105", scalar.span, value=scalar.value, allowed=self.words, suggestion=suggestion)
        diagnostics.append(wrong)
        return None

    def schema(self) -> Schema:
        return {"type": "string", "enum": list(self.words)}


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer between two bounds, inclusive."""

    low: int
    high: int

    @property
    def expected(self) -> str:
        return f"an integer from {self.low} to {self.high}"

    def read(self, node: Node, diagnostics: Diagnostics) -> int | None:
        number = as_integer(node)
        if number is None:
            quoted = isinstance(node, Scalar) and node.style and re.fullmatch(INTEGER, node.value)
            word = isinstance(node, Scalar) and node.value.isalpha()
            advice = "remove the quotes" if quoted else "write the number in digits" if word else None
            diagnostics.append(unexpected(self.expected, node, advice))
        elif not self.low <= number <= self.high:
            diagnostics.append(error("E107", node.span, value=number, expected=self.expected))
        else:
            return number
        return None

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Boolean:
    """`true` or `false`."""

    expected: str = "`true` or `false`"

    def read(self, node: Node, diagnostics: Diagnostics) -> bool | None:
        truth = as_boolean(node)
        if truth is None:
            meant = _TRUTHS.get(node.value.casefold()) if isinstance(node, Scalar) else None
            diagnostics.append(unexpected(self.expected, node, f"write `{meant}`" if meant else None))
        return truth

    def schema(self) -> Schema:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class BooleanOrText:
    """`true` or `false`, or text for people."""

    expected: str = "`true`, `false` or text"

    def read(self, node: Node, diagnostics: Diagnostics) -> bool | Word | None:
        plain = node if isinstance(node, Scalar) and not node.style else None
        if plain and (as_integer(plain) is not None or plain.value.casefold() in _TRUTHS):
            return Boolean().read(node, diagnostics)
        return Text(self.expected).read(node, diagnostics)

    def schema(self) -> Schema:
        truths = sorted({form(word) for word in _TRUTHS for form in (str.lower, str.upper, str.title)})
        text = {"type": "string", "pattern": r"\S", "not": {"enum": truths}}
        return {"anyOf": [{"type": "boolean"}, text]}


@dataclass(frozen=True, slots=True)
class RuleRegion:
    """Rule text, as the region of the file where it is parsed."""

    expected: str = "rule text"

    def read(self, node: Node, diagnostics: Diagnostics) -> Span | None:
        scalar = as_scalar(node, self.expected, diagnostics, "write the rule as text, in a `|` block")
        if scalar is None:
            return None
        region = rule_text(scalar)
        if isinstance(region, Span):
            return region
        diagnostics.append(region)
        return None

    def schema(self) -> Schema:
        return {"type": ["string", "integer", "boolean"], "pattern": r"\S"}


def as_scalar(
    node: Node, expected: str, diagnostics: Diagnostics, advice: str | None = None
) -> Scalar | None:
    if isinstance(node, Scalar):
        return node
    diagnostics.append(unexpected(expected, node, advice))
    return None


def malformed(word: Word, expected: str, advice: str | None) -> Diagnostic:
    lower = re.sub(r"[\s_]+", "-", word.value.lower())
    if advice is None and lower != word.value and re.fullmatch(ID, lower):
        advice = meant(lower)
    return error("E113", word.span, value=word.value, expected=expected, advice=advice)


def bad_id(word: Word, own: bool, rule: bool = False) -> Diagnostic | None:
    """What is wrong with an id; of a `rule`, with a usual name like it."""
    if not re.fullmatch(ID, word.value):
        plain = re.sub("[^a-z0-9]+", "-", word.value.casefold()).strip("-")
        advice = meant(plain) if re.fullmatch(ID, plain) else None
        return error("E104", word.span, name=word.value, advice=advice)
    if own and word.value in reserved_words():
        from trickproof_dsl.syntax.error_examples import USUAL_TEXTS  # brings the parser, which loads slowly

        advice = meant(did_you_mean(word.value, USUAL_TEXTS)) if rule else None
        return error("E111", word.span, name=word.value, advice=advice)
    return None


def whole_word(scalar: Scalar) -> Word:
    """The whole of a scalar, without surrounding blanks."""
    return Word(
        scalar.value.strip(), scalar.span if scalar.style in {"|", ">"} else scalar.body or scalar.span
    )
