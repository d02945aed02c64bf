"""Parses what a person typed as a choice: cards, option numbers, words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from trickproof.english.seats import SUIT_SIGNS
from trickproof.english.vocabulary import plain
from trickproof_dsl import core as c
from trickproof_dsl.scenarios.json_values import ScenarioError, read_value, value_json
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.values import Value

NOTHING = ("none", "nothing", "pass", "-")


class NotUnderstoodError(Exception):
    """Why a text is not a choice."""


def read_choice(program: c.Program, decision: Decision, listed: Sequence[Value], text: str) -> Value:
    """The choice that was typed, legal or not. Raises NotUnderstoodError.

    `listed` are the options as numbered from 1. Empty input selects the only choice, if there is only one.
    """
    words = re.split(r"[\s,]+", text.strip()) if text.strip() else []
    if not words:
        return _only(decision)
    if decision.type != c.CARDS:
        return _value(program, decision, listed, " ".join(words))
    if len(words) == 1 and words[0].lower() in (NOTHING if decision.low else (*NOTHING, "0")):
        return frozenset()
    cards = [_card(program, decision, listed, word) for word in words]
    if len(set(cards)) < len(cards):
        raise NotUnderstoodError("the same card is named twice")
    return frozenset(cards)


def _only(decision: Decision) -> Value:
    if decision.type == c.CARDS and len(decision.legal) == decision.low:
        return frozenset(decision.legal)
    if decision.type != c.CARDS and len(decision.legal) == 1:
        value: Value = decision.legal[0]
        return value
    none = "`none` " if decision.type == c.CARDS and not decision.low else ""
    raise NotUnderstoodError(f"enter a number from the list, {none}or `help`")


def _card(program: c.Program, decision: Decision, listed: Sequence[Value], word: str) -> int:
    if re.fullmatch(r"[0-9]+", word):
        card: Any = _numbered(listed, word)
        return int(card)
    if decision.blind:
        raise NotUnderstoodError(f"`{word}`: these cards are hidden; enter numbers from 1 to {len(listed)}")
    cards, code = program.deck.cards, word.upper()
    for letter, sign in SUIT_SIGNS.items():
        code = code.replace(sign, letter)
    code = code.replace("10", "T") if len(code) == 3 else code
    card = next((x for x in (code, code[::-1]) if x in cards), None)
    if card is None:
        raise NotUnderstoodError(
            f"`{word}` is not a card; enter cards such as {cards[-1]}, numbers from the list, or `help`"
        )
    return cards.index(card)


def _numbered(listed: Sequence[Value], word: str) -> Value:
    number = int(word[:9])
    if not 1 <= number <= len(listed):
        raise NotUnderstoodError(
            f"{word} is not one of the options ({'1–' * (len(listed) > 1)}{len(listed)})"
        )
    return listed[number - 1]


def _value(program: c.Program, decision: Decision, listed: Sequence[Value], text: str) -> Value:
    kind, low = decision.type, text.lower()
    if kind == c.INTEGER:
        if not re.fullmatch(r"[+-]?[0-9]{1,8}", text):
            raise NotUnderstoodError(f"`{text}` is not a number; enter one of those above, or `help`")
        return int(text)
    if kind == c.BOOLEAN and low in ("yes", "y", "no", "n", "true", "false"):
        return low in ("yes", "y", "true")
    if re.fullmatch(r"[0-9]+", text):
        return _numbered(listed, text)
    if low in NOTHING and None in listed:
        return None
    if kind == c.CARD:
        return _card(program, decision, listed, text)
    names = {_called(program, kind, x): x for x in listed if x is not None}
    matching = [x for name, x in names.items() if name.startswith(plain(low))]
    if len(matching) == 1:
        return matching[0]
    for word in (low, text.upper(), low.replace(" ", "-")):
        try:
            value: Value = read_value(program, kind, word, decision.label)
            return value
        except ScenarioError:
            continue
    if low in NOTHING and kind not in (c.BOOLEAN, c.INTEGER):
        return None
    raise NotUnderstoodError(f"`{text}` is not an option here; enter a number from the list, or `help`")


def _called(program: c.Program, kind: c.Type, value: Any) -> str:
    """A value in lower-case words."""
    name = program.deck.suits[value] if kind == c.SUIT else value_json(program, kind, value)
    return plain(str(name)).lower()
