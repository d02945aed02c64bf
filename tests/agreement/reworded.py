"""House rules derived from a documented ruleset: slips that matter, and rewordings that do not."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from random import Random

from checker.rulesets_for_tests import LIBRARY, documented
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

SLIPS = {
    "highest": "lowest",
    "lowest": "highest",
    "clockwise": "counterclockwise",
    "left": "right",
    "right": "left",
    "dealer": "left of dealer",
    "under": "over",
    "some": "every",
    "12": "11",
    "16": "15",
    "4": "3",
    "8": "7",
    "5": "6",
    "3": "4",
    "1": "2",
    "trump": "led",
    ">": ">=",
    ">=": ">",
    "<": "<=",
    "=": "!=",
    "+": "-",
}
"""Words and what may be written instead by mistake."""

SAME: tuple[tuple[str, str], ...] = (
    (r"over > 0", "over >= 1"),
    (r"over < 0", "over <= -1"),
    (r"over < 0", "(over < 0 and over != 0)"),
    (r"tricks >= (\d+)", r"tricks > \1 - 1"),
    (r"under of taker", "-over of taker"),
    (r"tricks of p - target of p", "-target of p + tricks of p"),
    (r"\bgiver\b", "from-whom"),
    (r"\btaker\b", "to-whom"),
    (r"for p in players:", "for p in players, clockwise from left of dealer:"),
    (r"number of \(players with over > 0\) = 1", "not (number of (players with over > 0) != 1)"),
    (r"highest target first, ties impossible", "highest target first, then clockwise from dealer"),
    (r"left of dealer", "right of right of dealer"),
    (r"if not first-hand:", "if first-hand = false:"),
)
"""Rewrites that preserve the meaning with three players."""

Change = Callable[[str], str]


def rules(ruleset: Ruleset) -> dict[str, str]:
    """The rules that are given as plain text, by name."""
    found: dict[str, str] = {}
    for name, rule in ruleset.whole.rules.items():
        if rule.text is not None and rule.name.span.source.name != "prelude.yaml":
            found[name] = _text(rule.text)
    return found


def _text(span: Span) -> str:
    first, last = span.line, span.source.position(max(span.end - 1, span.start))[0]
    lines = [span.source.line_text(line) for line in range(first, last + 1)]
    return span.text if first == last else textwrap.dedent("\n".join(lines))


def house(name: str, base: str, changed: dict[str, str]) -> Ruleset | None:
    """A house rule with these texts, or None if it does not load."""
    parts = [f"ruleset: {name}", f"extends: {base}", "", "rules:"]
    for rule, text in sorted(changed.items()):
        parts += [f"  {rule}:", "    rule: |", textwrap.indent(text, "      "), "    assumes: a test"]
    ruleset, wrong = LIBRARY.load_text("\n".join(parts) + "\n", f"{name}.yaml")
    return None if wrong else ruleset


def slipped(base: str, rng: Random, number: int = 1) -> Ruleset | None:
    """A house rule with slips in some rules."""

    def slip(text: str) -> str:
        places = [x for x in re.finditer(r"(?<![\w-])[a-z0-9]+(?![\w-])|[<>]=?|[=+]", text) if x[0] in SLIPS]
        if not places:
            return text
        at = rng.choice(places)
        return text[: at.start()] + SLIPS[at[0]] + text[at.end() :]

    return _changed("slipped", base, rng, number, slip)


def reworded(base: str, rng: Random, number: int = 2) -> Ruleset | None:
    """A house rule that says the same in other words."""

    def reword(text: str) -> str:
        fits = [(old, new) for old, new in SAME if re.search(old, text)]
        return re.sub(*rng.choice(fits), text) if fits else text

    return _changed("reworded", base, rng, number, reword)


def _changed(name: str, base: str, rng: Random, number: int, change: Change) -> Ruleset | None:
    """A house rule with `number` randomly chosen rules changed."""
    texts = rules(documented(base))
    changed: dict[str, str] = {}
    for _ in range(number):
        rule = rng.choice(sorted(texts))
        text = changed.get(rule, texts[rule])
        new = change(text)
        if new != text:
            changed[rule] = new
    return house(name, base, changed) if changed else None
