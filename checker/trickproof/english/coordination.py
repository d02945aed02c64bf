"""Chains of `and` and `or`: how they nest, and how to join the parts so that the nesting is audible."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trickproof_dsl.syntax import ast as s


def simplified(e: s.Expr) -> s.Expr:
    """Negation normal form: `not` pushed inwards through `and`, `or` and `not`."""
    match e:
        case s.Unary("not", s.Unary("not", operand)):
            return simplified(operand)
        case s.Unary("not", s.Binary("and" | "or" as word, left, right)):
            a, b = (simplified(s.Unary("not", x, e.span)) for x in (left, right))
            return s.Binary("or" if word == "and" else "and", a, b, e.span)
        case s.Binary("and" | "or" as word, left, right):
            return s.Binary(word, simplified(left), simplified(right), e.span)
        case _:
            return e


def flat(word: str, e: s.Expr) -> Sequence[s.Expr]:
    """The operands of a chain of `and` or `or`."""
    if isinstance(e, s.Binary) and e.operator == word:
        return [*flat(word, e.left), *flat(word, e.right)]
    return [e]


def depth(e: s.Expr) -> int:
    """Alternation depth of `and` and `or`: 0 without either, 1 for `A and B`, 2 for `A or B and C`."""
    if isinstance(e, s.Binary) and e.operator in ("and", "or"):
        return 1 + max(map(depth, flat(e.operator, e)))
    return 0


def short_first(e: s.Expr) -> Sequence[s.Expr]:
    """The operands of a chain, stably sorted so that nested chains come last."""
    parts = flat("or" if is_chain(e, "or") else "and", e)
    return sorted(parts, key=depth)


_AMOUNT = re.compile(r"\b\d+ or (?:more|fewer|less)\b")
"""An amount, whose "or" joins nothing."""


def chained(word: str, said: Sequence[str], *, either: bool, within: bool = False) -> str:
    """Clauses joined by `and` or `or`; with a comma if one of them already contains one of these words.

    If the chain is `within` another, as its correlative shows, or joined by `and`, "3 or more" needs none.
    """
    seen = [_AMOUNT.sub("", t) for t in said] if within or word == "and" else said
    comma = "," if len(said) > 1 and any(x in t for t in seen for x in (" or ", " and ", ",")) else ""
    if len(said) > 2 and not comma:
        return f"{', '.join(said[:-1])}, {word} {said[-1]}"
    joined = f"{comma} {word} ".join(said)
    return f"either {joined}" if either and word == "or" else joined


def paired(said: str, word: str) -> str:
    """Verb phrases joined by `word`, with the correlative in front: "are either kings or queens"."""
    before, parts = "both" if word == "and" else "either", said.split(f" {word} ")
    for be in ("is ", "are "):
        elided = word == "or" and be == "is "
        if parts[0].startswith(be) and all(elided or x.startswith(be) for x in parts):
            return f"{be}{before} {f' {word} '.join(x.removeprefix(be) for x in parts)}"
    return f"{before} {said}"


def is_chain(e: s.Expr, word: str) -> bool:
    """Whether a condition is a chain of the given operator."""
    return isinstance(e, s.Binary) and e.operator == word
