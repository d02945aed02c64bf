"""Chains of `and` and `or`: what is a chain within a chain, and how the parts are joined so that this can be heard."""

from __future__ import annotations

from collections.abc import Sequence

from trickproof_dsl.syntax import ast as s


def simplified(e: s.Expr) -> s.Expr:
    """A condition with `not` moved inwards through `and`, `or` and `not`."""
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
    """The parts of a chain of `and` or `or`."""
    if isinstance(e, s.Binary) and e.operator == word:
        return [*flat(word, e.left), *flat(word, e.right)]
    return [e]


def depth(e: s.Expr) -> int:
    """How often `and` and `or` alternate: 0 without them, 1 for `A and B`, 2 for `A or B and C`."""
    if isinstance(e, s.Binary) and e.operator in ("and", "or"):
        return 1 + max(map(depth, flat(e.operator, e)))
    return 0


def short_first(e: s.Expr) -> Sequence[s.Expr]:
    """The parts of a chain, those that are chains themselves last; the order of the others stays."""
    parts = flat("or" if is_chain(e, "or") else "and", e)
    return sorted(parts, key=depth)


def chained(word: str, said: Sequence[str], *, either: bool) -> str:
    """Clauses with `and` or `or` between them; a comma where one of them has such a word itself."""
    comma = "," if len(said) > 1 and any(x in t for t in said for x in (" or ", " and ", ",")) else ""
    joined = f"{comma} {word} ".join(said)
    return f"either {joined}" if either and word == "or" else joined


def paired(said: str, word: str) -> str:
    """Verb phrases joined by `word`, with the word that goes in front of them: "are either kings or queens"."""
    before, parts = "both" if word == "and" else "either", said.split(f" {word} ")
    for be in ("is ", "are "):
        elided = word == "or" and be == "is "
        if parts[0].startswith(be) and all(elided or x.startswith(be) for x in parts):
            return f"{be}{before} {f' {word} '.join(x.removeprefix(be) for x in parts)}"
    return f"{before} {said}"


def is_chain(e: s.Expr, word: str) -> bool:
    """Whether a condition is a chain of that word."""
    return isinstance(e, s.Binary) and e.operator == word
