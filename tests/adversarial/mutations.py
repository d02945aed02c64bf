"""Mutations of one rule of a ruleset, semantic or cosmetic, that `diff` must tell apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

REWORDED: tuple[tuple[str, str], ...] = (
    (r">= 1\b", "> 0"),
    (r">= 2\b", "> 1"),
    (r"for p in players:", "for p in players, clockwise from dealer:"),
    (r"tricks of p - target of p", "0 - target of p + tricks of p"),
    (r"(tricks of leader) becomes \1 \+ 1", r"\1 becomes 1 + \1"),
    (r"^left of dealer$", "left of left of right of dealer"),
    (r"rank = ace", "rank >= ace"),
    (r"\Z", "\nnothing happens"),
    (r"payout of p becomes over of p", "payout of p becomes over of p + 0 * over of p"),
)
"""Rewrites that mostly preserve the meaning: a pattern and its replacement."""

CHANGED: tuple[tuple[str, str], ...] = (
    (r">= 2\b", ">= 1"),
    (r">= 1\b", ">= 2"),
    (r"\bhighest\b", "lowest"),
    (r"\bleft of dealer\b", "dealer"),
    (r"\brank = ace\b", "rank = king"),
    (r"\+ 1\b", "+ 2"),
    (r"becomes 1$", "becomes 2"),
    (r"= (\d\d)\b", r"= 4"),
    (r"over > 0", "over >= 0"),
    (r"\bsome player\b", "every player"),
    (r"not first-hand", "true"),
)
"""Rewrites that mostly change the meaning."""

PROCEDURES = (
    "match-start",
    "between-hands",
    "deal",
    "targets",
    "exchange-timing",
    "scoring",
    "payout",
    "after-trick",
)


def mutate(rules: Mapping[str, str], rng: Random) -> tuple[str, dict[str, str]]:
    """A rule and its mutated text."""
    ways = REWORDED if rng.random() < 0.5 else CHANGED
    possible = [
        (rule, pattern, other)
        for rule, text in sorted(rules.items())
        for pattern, other in ways
        if re.search(pattern, text, re.M) and (pattern != r"\Z" or rule in PROCEDURES)
    ]
    rule, pattern, other = rng.choice(possible)
    return rule, {rule: re.sub(pattern, other, rules[rule], count=1, flags=re.M)}
