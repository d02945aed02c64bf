"""Calculations as noun phrases: "twice their tricks", "3 plus the player's tricks minus the target"."""

from __future__ import annotations

from typing import Protocol

from trickproof.english.inflection import is_plural, listed
from trickproof.english.names import Names
from trickproof.english.referents import Context, Ref, Scope
from trickproof_dsl.elaboration.builtins import BUILTINS
from trickproof_dsl.syntax import ast as s

_ALIKE = {("+", "+"), ("+", "-"), ("-", "+"), ("-", "-"), ("*", "*")}
"""Pairs of operators that associate to the left without brackets: "3 plus 2 minus 1"."""
_ARITHMETIC = {"+": "plus", "-": "minus", "*": "times", "div": "divided by"}


class NounPhrases(Protocol):
    """Words the terms of a calculation."""

    context: Context
    names: Names

    def noun(self, e: s.Expr, scope: Scope) -> str:
        """Any value as a noun phrase."""

    def refs(self, e: s.Expr, scope: Scope) -> list[Ref]:
        """The explicit or implicit arguments of a name."""

    def is_named(self, e: s.Expr, name: str) -> bool:
        """Whether an expression is that name, applied or bare."""


class Arithmetic:
    """Sums, products and unions of one ruleset in words."""

    def __init__(self, nouns: NounPhrases) -> None:
        self._nouns = nouns

    def phrase(self, e: s.Unary | s.Binary, scope: Scope) -> str:
        """A calculation as a noun phrase."""
        if isinstance(e, s.Unary):
            if e.operator == "-" and self._nouns.is_named(e.operand, "over"):
                return self._nouns.names.standard("under", self._nouns.refs(e.operand, scope))
            if isinstance(e.operand, s.IntegerLiteral):
                return str(-e.operand.value)
            return f"minus {self.part(e.operand, scope)}"
        if (plain := without_factor(e)) is not e:
            return self._nouns.noun(plain, scope)
        if e.operator == "mod":
            return self._remainder(e, scope)
        kind = self._nouns.context.kind(e.left, scope)
        if kind not in ("card", "cards", "player", "players") and len(terms := _terms(e)) > 2:
            return self._sum(terms, scope)
        chain = _is_run(e)
        adds = e.operator in ("+", "-")
        runs_on = (
            adds
            and isinstance(e.left, s.Apply)
            and e.left.function in BUILTINS
            and len(e.left.arguments) == 2
        )
        left = self._nouns.noun(e.left, scope) if chain or runs_on else self.part(e.left, scope)
        left += "," * runs_on
        runs_out = isinstance(e.right, s.Total) or _is_multiple(e.right)
        right = (self._nouns.noun if adds and runs_out else self.part)(e.right, scope.later())
        if adds and (addition := self._addition(e.right, scope.later())):
            start = self._nouns.noun(e.left, scope) if isinstance(e.left, s.Total) else left.removesuffix(",")
            return f"{start}, {_ARITHMETIC[e.operator]} {addition}"
        if kind in ("player", "players") and e.operator == "+":
            return f"{left} and {right}"
        if kind in ("card", "cards", "player", "players"):
            if e.operator == "-" and all(isinstance(x, s.CardLiteral) for x in summands(e.right)):
                right = listed([self._nouns.noun(x, scope) for x in summands(e.right)])
            joined = "and" if chain and " together with " in left else "together with"
            return f"{left} {joined if e.operator == '+' else 'without'} {right}"
        match e.operator, e.left:
            case "*", s.IntegerLiteral(2):
                return f"twice {self.part(e.right, scope)}"
            case "*", s.Unary("-", s.IntegerLiteral(n)):
                return f"minus {n} times {right}"
            case _:
                pass
        rounded = " (rounded down)" if e.operator == "div" else ""
        return f"{left} {_ARITHMETIC.get(e.operator, e.operator)} {right}{rounded}"

    def _remainder(self, e: s.Binary, scope: Scope) -> str:
        """What is left of a division; a number between "when" and "is divided" needs no brackets."""
        number, by = self._nouns.noun(e.left, scope), self.part(e.right, scope.later())
        if " divided " in number or "," in number or isinstance(e.left, s.Conditional):
            number = f"({number})"
        return f"the remainder when {number} {'are' if is_plural(number) else 'is'} divided by {by}"

    def _sum(self, terms: list[tuple[str, s.Expr]], scope: Scope) -> str:
        """A chain of `+` and `-`, from left to right; with commas if a term might run on into the next sign."""
        nested, flowing = [], []
        for i, (_, e) in enumerate(terms):
            of = scope if i == 0 else scope.later()
            addition = self._addition(e, of) if i else ""
            last = i == len(terms) - 1 and _is_multiple(e)
            nested.append(addition or (self._nouns.noun if last else self.part)(e, of))
            flowing.append(
                addition or ("" if isinstance(e, s.Binary | s.Conditional) else self._nouns.noun(e, of))
            )
        commas = any(" of " in x or " if " in x for x in flowing) and not any("," in x for x in flowing)
        first, *rest = (a if commas and a else b for a, b in zip(flowing, nested, strict=True))
        signs = (f"{',' * commas} {_ARITHMETIC[sign]} " for sign, _ in terms[1:])
        return first + "".join(a + b for a, b in zip(signs, rest, strict=True))

    def _addition(self, e: s.Expr, scope: Scope) -> str:
        """What is added on a condition, "1 if “alone” holds" rather than "1 if “alone” holds, otherwise 0"; else ""."""
        if not (isinstance(e, s.Conditional) and e.otherwise == s.IntegerLiteral(0, e.span)):
            return ""
        said = self._nouns.noun(e, scope).removesuffix(", otherwise 0")
        return "" if "," in said else said

    def part(self, e: s.Expr, scope: Scope) -> str:
        """A value nested in a longer phrase, in brackets if it would run on."""
        text = self._nouns.noun(e := without_factor(e), scope)
        match e:
            case s.Binary("div"):
                return f"({text.removesuffix(' (rounded down)')}, rounded down)"
            case s.Binary() | s.Conditional():
                return f"({text})"
            case s.Apply(name) if name in BUILTINS and len(e.arguments) == 2:
                return f"({text})"
            case _:
                return f"({text})" if text.startswith("the sum") else text


def without_factor(e: s.Expr) -> s.Expr:
    """What a product with the factor 1 is a product of; anything else as it is."""
    match e:
        case s.Binary("*", s.IntegerLiteral(1), rest) | s.Binary("*", rest, s.IntegerLiteral(1)):
            return without_factor(rest)
        case s.Binary("*", s.Unary("-", s.IntegerLiteral(1) as one), rest):
            return s.Unary("-", rest, one.span)
        case _:
            return e


def change(e: s.Expr, target: s.Expr) -> tuple[str, s.Expr] | None:
    """The sign and other operand of `target + a - b`, a chain that begins with the target; else None."""
    if not (isinstance(e, s.Binary) and e.operator in ("+", "-")):
        return None
    if e.left == target:
        return e.operator, e.right
    inner = change(e.left, target)
    if inner is None:
        return None
    sign, rest = inner
    operator = e.operator if sign == "+" else "-" if e.operator == "+" else "+"
    return sign, s.Binary(operator, rest, e.right, e.span)


def _terms(e: s.Expr) -> list[tuple[str, s.Expr]]:
    """The terms of a chain of `+` and `-` that associates to the left, each with its sign."""
    if isinstance(e, s.Binary) and e.operator in ("+", "-"):
        return [*_terms(e.left), (e.operator, e.right)]
    return [("+", e)]


def summands(e: s.Expr) -> list[s.Expr]:
    """The parts of a chain of `+`, from left to right."""
    if isinstance(e, s.Binary) and e.operator == "+":
        return [*summands(e.left), *summands(e.right)]
    return [e]


def _is_multiple(e: s.Expr) -> bool:
    """Whether a value is a number times something, which needs no brackets at the end of a sum."""
    match e:
        case s.Binary("*", s.IntegerLiteral(number)):
            return number != 1
        case _:
            return False


def _is_run(e: s.Binary) -> bool:
    """Whether the left side needs no brackets: a sum that ends in a number, a bare name or a bracket."""
    first = e.left
    return (
        isinstance(first, s.Binary)
        and (first.operator, e.operator) in _ALIKE
        and isinstance(first.right, s.IntegerLiteral | s.CardLiteral | s.Name | s.Binary | s.Conditional)
    )
