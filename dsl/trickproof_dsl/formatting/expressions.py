"""Expressions in canonical form, bracketed so that parser and readers see the same tree.

How it is made: every place in `grammar.lark` requires a level (`Level`, the rules `expr` … `atom` in order);
an expression of a lower level is bracketed.  Every place also knows what directly follows it (`Follow`), and
a phrase passes that on to its own last part.  Some phrases end in a part that extends further than meant, or
that a reader might extend: in `players with a = b + 1` the 1 belongs to the condition.  Therefore brackets
enclose
- a set with anything after its first word, and a phrase with `some`, `every` or `no`, if something follows it
  (`number of (players with passed) = 3`), but not if both sides of an `and` or `or` begin with `some`,
  `every`, `no`;
- a phrase of several words, such as `sum of x for y`, if arithmetic or a word of another phrase follows it;
- an `and` within an `or`, and the operand of `not`, unless it is a simple value;
- an `if` within anything else, except after the last comma of a list and after `else`.

A conditional that is too long for one line has lines that begin with `if`, `then`, `else if`, `else`,
aligned.

Promises: for every tree that the parser can produce, parsing the text gives an equal tree, however its lines
are broken.  Out of scope: names that are keywords, which no parsed tree has.
"""

from __future__ import annotations

from enum import IntEnum
from typing import assert_never

from trickproof_dsl.formatting.doc_printer import LINE, Doc, Group, fill, group, layout, listed
from trickproof_dsl.syntax import ast as s

Follow = frozenset[str]
"""What directly follows an expression: the word itself, or one of the categories in capitals."""

ENDS: Follow = frozenset()
_ARITHMETIC: Follow = frozenset({"ARITHMETIC"})
_COMPARE: Follow = frozenset({"COMPARE"})
_LOGIC: Follow = frozenset({"LOGIC"})
_ALIKE: Follow = frozenset({"ALIKE"})
"""`and` or `or`, followed by a phrase that begins like the one before."""
_CONDITION: Follow = frozenset({"CONDITION"})
"""Nothing more of the condition after `with` or `has`, whose end would be hard to tell from that of its last part."""

_PART_OF_PLAYERS: Follow = frozenset({"NAME", "in", "other", "with"})
_MILD = _COMPARE | _LOGIC | _ALIKE | _CONDITION | {"in", "is"}
"""Followers that nobody would take for a part of `sum of x for y`."""


class Level(IntEnum):
    """The rules of the grammar for expressions, loosest first."""

    EXPR = 0
    DISJUNCTION = 1
    CONJUNCTION = 2
    NEGATION = 3
    COMPARISON = 4
    ARITH = 5
    TERM = 6
    FACTOR = 7
    APPLIED = 8
    ATOM = 9


_OPERATORS = {
    "or": Level.DISJUNCTION,
    "and": Level.CONJUNCTION,
    "+": Level.ARITH,
    "-": Level.ARITH,
    "*": Level.TERM,
    "div": Level.TERM,
    "mod": Level.TERM,
}
"""Left-associative operators; all others are comparisons, which do not chain."""


def format_expression(expr: s.Expr) -> str:
    """The canonical text of an expression, on one line."""
    return layout(group(expression(expr)), 0, 1 << 30)[0]


def expression(expr: s.Expr, level: Level = Level.EXPR, follow: Follow = ENDS) -> Doc:
    """The doc of an expression in a place that requires `level` and is followed by `follow`."""
    if _in_brackets(expr, level, follow):
        return group("(", _doc(expr, ENDS), ")")
    return _doc(expr, follow)


def clauses(expr: s.Expr, level: Level = Level.EXPR, follow: Follow = ENDS) -> tuple[Doc, ...]:
    """The same in parts: each `LINE` between them may break on its own."""
    if _in_brackets(expr, level, follow):
        return (expression(expr, level, follow),)
    match expr:
        case s.PlayerSet() | s.CardSet() | s.BestOf():
            return _set(expr, follow)
        case s.Binary(operator="and" | "or"):
            return _chain(expr, follow)
        case _:
            return (_doc(expr, follow),)


def conditional(expr: s.Conditional) -> tuple[Doc, ...]:
    """The lines of `if … then … else if … then … else …`, with a `LINE` between them."""
    parts: list[Doc] = []
    rest: s.Expr = expr
    opening = "if "
    while isinstance(rest, s.Conditional):
        then = LINE if isinstance(rest.then, s.Conditional) else " "
        parts += [group(opening, expression(rest.condition, Level.DISJUNCTION)), LINE]
        parts += [group("then", then, expression(rest.then, Level.DISJUNCTION)), LINE]
        rest, opening = rest.otherwise, "else if "
    return (*parts, group("else ", expression(rest)))


def level_of(expr: s.Expr) -> Level:
    """The tightest rule of the grammar that produces the expression without brackets."""
    match expr:
        case s.Conditional():
            return Level.EXPR
        case s.Binary():
            return _OPERATORS.get(expr.operator, Level.COMPARISON)
        case s.Unary():
            return Level.NEGATION if expr.operator == "not" else Level.FACTOR
        case s.IsEmpty() | s.Quantified():
            return Level.COMPARISON
        case s.Apply():
            return Level.APPLIED if len(expr.arguments) == 1 else Level.ATOM
        case (
            s.Count() | s.Total() | s.UnionOf() | s.Extreme() | s.Matching() | s.Top() | s.Only()
            | s.PlayerSet() | s.CardSet() | s.BestOf()
        ):  # fmt: skip
            return Level.APPLIED
        case (
            s.Name() | s.Subject() | s.IntegerLiteral() | s.CardLiteral() | s.Truth() | s.Nothing() | s.Everything()
        ):  # fmt: skip
            return Level.ATOM
        case _:
            assert_never(expr)


def _in_brackets(expr: s.Expr, level: Level, follow: Follow) -> bool:
    if level_of(expr) < level:
        return True
    match expr:
        case s.PlayerSet(binder, None, None, None):
            return bool(follow & (_PART_OF_PLAYERS - {"NAME"} if binder else _PART_OF_PLAYERS))
        case s.PlayerSet() | s.CardSet() | s.BestOf() | s.Conditional():
            return bool(follow)
        case s.Quantified():
            return bool(follow - _ALIKE)
        case s.Total() | s.UnionOf() | s.Extreme() | s.Matching() | s.Top() | s.Only():
            return bool(follow - _MILD)
        case _:
            return False


# ------------------------------------------------------------------------------------------------ docs


def _doc(expr: s.Expr, follow: Follow) -> Doc:
    """The doc without enclosing brackets; `follow` applies to its last part."""
    match expr:
        case s.Name():
            return expr.name
        case s.Subject() | s.Everything():
            return expr.kind
        case s.IntegerLiteral():
            return str(expr.value)
        case s.CardLiteral():
            return expr.code
        case s.Truth():
            return "true" if expr.value else "false"
        case s.Nothing():
            return "none"
        case s.Unary():
            sign, level = ("not ", Level.ARITH) if expr.operator == "not" else ("-", Level.FACTOR)
            return group(sign, expression(expr.operand, level, follow))
        case s.Binary():
            if expr.operator not in _OPERATORS:
                return _comparison(expr, follow)
            chain = _chain(expr, follow)
            return group(*chain) if expr.operator in {"and", "or"} else fill(*chain)
        case s.IsEmpty():
            operand = expression(expr.operand, Level.ARITH, frozenset({"is"}))
            return group(operand, " is not empty" if expr.negated else " is empty")
        case s.Conditional():
            return Group(conditional(expr), step=0, aligned=True)
        case s.Quantified():
            return _quantified(expr)
        case s.PlayerSet() | s.CardSet() | s.BestOf():
            return group(*_set(expr, follow))
        case _:
            return _applied(expr, follow)


def _applied(
    expr: s.Apply | s.Count | s.Total | s.UnionOf | s.Extreme | s.Matching | s.Top | s.Only,
    follow: Follow,
) -> Doc:
    match expr:
        case s.Apply():
            if len(expr.arguments) == 1:
                return group(f"{expr.function} of ", _of(expr.arguments[0], follow))
            return group(f"{expr.function}(", arguments(expr.arguments), ")")
        case s.Count():
            return group("number of ", _of(expr.operand, follow))
        case s.Total():
            return group("sum of ", _of(expr.value, "for"), LINE, "for ", _of(expr.domain, follow))
        case s.UnionOf():
            return group("union of ", _of(expr.value, "for"), LINE, "for ", _of(expr.domain, follow))
        case s.Extreme():
            words = f"{_degree(expr.highest)} "
            return group(words, _of(expr.value, "among"), LINE, "among ", _of(expr.domain, follow))
        case s.Matching():
            words = f"{_degree(expr.highest)} of "
            parts = [words, _of(expr.operand, "matching"), LINE, "matching "]
            if expr.answering is None:
                return group(*parts, _of(expr.pattern, follow))
            last = _of(expr.answering, follow)
            return group(*parts, _of(expr.pattern, "answering"), LINE, "answering ", last)
        case s.Top():
            word, count = "top " if expr.highest else "bottom ", expression(expr.count, Level.ATOM)
            return group(word, count, " of ", _of(expr.operand, "by"), LINE, "by ", _of(expr.key, follow))
        case s.Only():
            return group(f"only {expr.kind} in ", _of(expr.operand, follow))
        case _:
            assert_never(expr)


def arguments(values: tuple[s.Expr, ...]) -> Doc:
    """Values separated by commas."""
    return listed([*(expression(value, Level.DISJUNCTION) for value in values[:-1]), expression(values[-1])])


def _set(expr: s.PlayerSet | s.CardSet | s.BestOf, follow: Follow) -> tuple[Doc, ...]:
    match expr:
        case s.PlayerSet():
            return _players(expr, follow)
        case s.CardSet():
            inside = _of(expr.inside, "with" if expr.condition else follow)
            return "cards", _binder(expr.binder), " in ", inside, *condition(expr.condition)
        case s.BestOf():
            words = f"{expr.kind}s with the {_degree(expr.highest)} "
            if expr.among is None:
                return words, _of(expr.key, follow)
            return words, _of(expr.key, "among"), LINE, "among ", _of(expr.among, follow)
        case _:
            assert_never(expr)


def _players(players: s.PlayerSet, follow: Follow) -> tuple[Doc, ...]:
    after_other = "with" if players.condition else follow
    after_inside = "other" if players.other_than else after_other
    parts: list[Doc] = ["players", _binder(players.binder)]
    if players.inside is not None:
        parts += [" in ", _of(players.inside, after_inside)]
    if players.other_than is not None:
        parts += [" other than ", _of(players.other_than, after_other)]
    return *parts, *condition(players.condition)


def condition(holds: s.Expr | None) -> tuple[Doc, ...]:
    """` with condition`, or nothing."""
    return (LINE, "with ", expression(holds, Level.COMPARISON, _CONDITION)) if holds is not None else ()


def _quantified(expr: s.Quantified) -> Doc:
    parts: list[Doc] = [f"{expr.quantifier} {expr.kind}", _binder(expr.binder)]
    if expr.inside is not None:
        parts += [" in ", _of(expr.inside, "has")]
    return group(*parts, LINE, "has ", expression(expr.condition, Level.COMPARISON, _CONDITION))


def _comparison(expr: s.Binary, follow: Follow) -> Doc:
    before = frozenset({"in"}) if expr.operator == "in" else _COMPARE
    left = expression(expr.left, Level.ARITH, before)
    return group(left, LINE, f"{expr.operator} ", expression(expr.right, Level.ARITH, follow))


def _chain(expr: s.Binary, follow: Follow) -> tuple[Doc, ...]:
    """All operands of a chain of operators of one level, collected iteratively so that long chains do not nest."""
    level = level_of(expr)
    rights: list[tuple[str, s.Expr]] = []
    first: s.Expr = expr
    while isinstance(first, s.Binary) and _OPERATORS.get(first.operator) == level:
        rights.append((first.operator, first.right))
        first = first.left
    rights.reverse()
    inner = Level.NEGATION if level is Level.DISJUNCTION else Level(level + 1)
    follows = [_before(operator, right) for operator, right in rights] + [follow]
    parts: list[Doc] = [expression(first, inner, follows[0])]
    for (operator, right), after in zip(rights, follows[1:], strict=True):
        parts += [LINE, f"{operator} ", expression(right, inner, after)]
    return tuple(parts)


def _before(operator: str, right: s.Expr) -> Follow:
    """What an operator is as a follower of its left operand."""
    if _OPERATORS[operator] >= Level.ARITH:
        return _ARITHMETIC
    return _ALIKE if isinstance(right, s.Quantified) else _LOGIC


def _of(expr: s.Expr, follow: Follow | str) -> Doc:
    return expression(expr, Level.APPLIED, frozenset({follow}) if isinstance(follow, str) else follow)


def _binder(name: str | None) -> str:
    return f" {name}" if name is not None else ""


def _degree(highest: bool) -> str:
    return "highest" if highest else "lowest"
