"""Expressions to canonical text: the fewest brackets by which `grammar.lark` reads the same tree again.

How it is made: every place of the grammar asks for a level (`Level`, the rules `expr` … `atom` in their order);
an expression of a lower level goes into brackets.  Some phrases have an end that takes more than they are meant to
have: in `players with a = b + 1` the 1 belongs to the condition.  `_open` tells which words such an end would take
when they came next; where one of them does come next, the phrase goes into brackets as well.

Promises: for every tree that the parser can make, parsing the text gives an equal tree, however its lines are
broken.  Out of scope: names that are words of the grammar, which no parsed tree has.
"""

from __future__ import annotations

from enum import IntEnum
from typing import assert_never

from trickproof_dsl import syntax as s
from trickproof_dsl.pretty import LINE, Doc, Group, group, joined, layout

Follow = frozenset[str]
"""What comes directly after an expression: the word itself, or "compare", "arithmetic" or "name"."""

WITH: Follow = frozenset({"with"})
NAME: Follow = frozenset({"name"})
_NOTHING: Follow = frozenset()
_ARITHMETIC: Follow = frozenset({"arithmetic"})
_COMPARING: Follow = frozenset({"arithmetic", "compare", "in", "not", "is"})


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
"""Operators that chain to the left; all others are comparisons, which do not chain."""

_FOLLOWS = {"or": "or", "and": "and", "in": "in", "not in": "not"}


def format_expression(expr: s.Expr) -> str:
    """The canonical text of an expression, on one line."""
    return layout(group(expression(expr)), 0, 1 << 30)[0]


def expression(expr: s.Expr, level: Level = Level.EXPR, follow: Follow = _NOTHING) -> Doc:
    """The doc of an expression at a place that takes `level` and is followed by `follow`."""
    if level_of(expr) < level or (follow and _open(expr) & follow):
        return group("(", _doc(expr), ")")
    return _doc(expr)


def level_of(expr: s.Expr) -> Level:
    """The tightest rule of the grammar that makes the expression without brackets."""
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
        case _:
            return Level.ATOM


# ------------------------------------------------------------------------------------------- open ends


def _open(expr: s.Expr) -> Follow:
    """What the end of the expression would take to itself if it came next."""
    taken: set[str] = set()
    while (end := _end(expr)) is not None:
        words, expr, level = end
        taken |= words
        if level is Level.COMPARISON:
            taken |= _comparison_takes(expr)
        if level_of(expr) < level:
            break
    return frozenset(taken)


def _comparison_takes(condition: s.Expr) -> Follow:
    """What a comparison after `with` or `has` takes by the rules for operators."""
    if level_of(condition) != Level.COMPARISON:  # looser ones are in brackets, and so as tight as a name
        return _COMPARING
    return _ARITHMETIC if isinstance(condition, s.Binary) else _NOTHING


def _end(expr: s.Expr) -> tuple[Follow, s.Expr, Level] | None:
    """Words of parts that may still come, the last part, and the level its place asks for; None if closed."""
    match expr:
        case s.PlayerSet():
            return _player_set_end(expr)
        case s.CardSet():
            if expr.condition is not None:
                return _NOTHING, expr.condition, Level.COMPARISON
            return WITH, expr.inside, Level.APPLIED
        case s.BestOf():
            if expr.among is not None:
                return _NOTHING, expr.among, Level.APPLIED
            return frozenset({"among"}), expr.key, Level.APPLIED
        case s.Quantified():
            return _NOTHING, expr.condition, Level.COMPARISON
        case s.Binary():
            level = level_of(expr)
            return _NOTHING, expr.right, Level(level + 1)
        case s.Unary():
            return _NOTHING, expr.operand, level_of(expr)
        case s.Conditional():
            return _NOTHING, expr.otherwise, Level.EXPR
        case _:
            last = _last_operand(expr)
            return None if last is None else (_NOTHING, last, Level.APPLIED)


def _last_operand(expr: s.Expr) -> s.Expr | None:
    match expr:
        case s.Apply() if len(expr.arguments) == 1:
            return expr.arguments[0]
        case s.Count() | s.Only():
            return expr.operand
        case s.Total() | s.UnionOf() | s.Extreme():
            return expr.domain
        case s.Matching():
            return expr.pattern
        case s.Top():
            return expr.key
        case _:
            return None


def _player_set_end(players: s.PlayerSet) -> tuple[Follow, s.Expr, Level]:
    if players.condition is not None:
        return _NOTHING, players.condition, Level.COMPARISON
    if players.other_than is not None:
        return WITH, players.other_than, Level.APPLIED
    if players.inside is not None:
        return WITH | {"other"}, players.inside, Level.APPLIED
    # Nothing after the word itself: `player` stands for the missing last part, it takes nothing.
    words = WITH | {"other", "in"} | (NAME if players.binder is None else _NOTHING)
    return words, s.Subject("player", players.span), Level.APPLIED


# ------------------------------------------------------------------------------------------------ docs


def _doc(expr: s.Expr) -> Doc:
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
            return _unary(expr)
        case s.Binary():
            return _chain(expr) if expr.operator in _OPERATORS else _comparison(expr)
        case s.IsEmpty():
            operand = expression(expr.operand, Level.ARITH, frozenset({"is"}))
            return group(operand, " is not empty" if expr.negated else " is empty")
        case s.Conditional():
            return _conditional(expr)
        case s.Quantified():
            return _quantified(expr)
        case s.PlayerSet() | s.CardSet() | s.BestOf():
            return _set(expr)
        case _:
            return _applied(expr)


def _applied(
    expr: s.Apply | s.Count | s.Total | s.UnionOf | s.Extreme | s.Matching | s.Top | s.Only,
) -> Doc:
    match expr:
        case s.Apply():
            if len(expr.arguments) == 1:
                return group(f"{expr.function} of ", _of(expr.arguments[0]))
            return group(f"{expr.function}(", *joined(map(expression, expr.arguments)), ")")
        case s.Count():
            return group("number of ", _of(expr.operand))
        case s.Total():
            return group("sum of ", _of(expr.value), LINE, "for ", _of(expr.domain))
        case s.UnionOf():
            return group("union of ", _of(expr.value), LINE, "for ", _of(expr.domain))
        case s.Extreme():
            value = _of(expr.value, frozenset({"among"}))
            return group(_degree(expr.highest), " ", value, LINE, "among ", _of(expr.domain))
        case s.Matching():
            operand, pattern = _of(expr.operand), _of(expr.pattern)
            return group(_degree(expr.highest), " of ", operand, LINE, "matching ", pattern)
        case s.Top():
            word, count = "top " if expr.highest else "bottom ", expression(expr.count, Level.ATOM)
            return group(word, count, " of ", _of(expr.operand), LINE, "by ", _of(expr.key))
        case s.Only():
            return group(f"only {expr.kind} in ", _of(expr.operand))
        case _:
            assert_never(expr)


def _set(expr: s.PlayerSet | s.CardSet | s.BestOf) -> Doc:
    match expr:
        case s.PlayerSet():
            return _players(expr)
        case s.CardSet():
            inside = _of(expr.inside, WITH if expr.condition else _NOTHING)
            return group("cards", _binder(expr.binder), " in ", inside, *condition(expr.condition))
        case s.BestOf():
            words = f"{expr.kind}s with the {_degree(expr.highest)} "
            if expr.among is None:
                return group(words, _of(expr.key))
            key = _of(expr.key, frozenset({"among"}))
            return group(words, key, LINE, "among ", _of(expr.among))
        case _:
            assert_never(expr)


def _players(players: s.PlayerSet) -> Doc:
    after_other: Follow = WITH if players.condition else _NOTHING
    after_inside = frozenset({"other"}) if players.other_than else after_other
    parts: list[Doc] = ["players", _binder(players.binder)]
    if players.inside is not None:
        parts += [" in ", _of(players.inside, after_inside)]
    if players.other_than is not None:
        parts += [" other than ", _of(players.other_than, after_other)]
    return group(*parts, *condition(players.condition))


def condition(holds: s.Expr | None) -> tuple[Doc, ...]:
    """` with condition`, or nothing."""
    return (LINE, "with ", expression(holds, Level.COMPARISON)) if holds is not None else ()


def _quantified(expr: s.Quantified) -> Doc:
    parts: list[Doc] = [f"{expr.quantifier} {expr.kind}", _binder(expr.binder)]
    if expr.inside is not None:
        parts += [" in ", _of(expr.inside)]
    return group(*parts, " has", LINE, expression(expr.condition, Level.COMPARISON))


def _unary(expr: s.Unary) -> Doc:
    sign = "not " if expr.operator == "not" else "-"
    return group(sign, expression(expr.operand, level_of(expr)))


def _comparison(expr: s.Binary) -> Doc:
    follow = frozenset({_FOLLOWS.get(expr.operator, "compare")})
    left = expression(expr.left, Level.ARITH, follow)
    return group(left, f" {expr.operator}", LINE, expression(expr.right, Level.ARITH))


def _chain(expr: s.Binary) -> Doc:
    """All operands of a chain of operators of one level; long chains are no deep trees here."""
    level = level_of(expr)
    rights: list[tuple[str, s.Expr]] = []
    first: s.Expr = expr
    while isinstance(first, s.Binary) and _OPERATORS.get(first.operator) == level:
        rights.append((first.operator, first.right))
        first = first.left
    rights.reverse()
    follows = [frozenset({_FOLLOWS.get(operator, "arithmetic")}) for operator, _ in rights] + [_NOTHING]
    parts: list[Doc] = [expression(first, level, follows[0])]
    for (operator, right), follow in zip(rights, follows[1:], strict=True):
        parts += [LINE, f"{operator} ", expression(right, Level(level + 1), follow)]
    return Group(tuple(parts))


def _conditional(expr: s.Conditional) -> Doc:
    """`if … then … else if … then … else …`, one line for each condition when it is long."""
    parts: list[Doc] = []
    rest: s.Expr = expr
    opening = "if "
    while isinstance(rest, s.Conditional):
        holds, then = expression(rest.condition), expression(rest.then)
        parts += [group(opening, holds, LINE, "then ", then), LINE]
        rest, opening = rest.otherwise, "else if "
    return group(*parts, "else ", expression(rest))


def _of(expr: s.Expr, follow: Follow = _NOTHING) -> Doc:
    return expression(expr, Level.APPLIED, follow)


def _binder(name: str | None) -> str:
    return f" {name}" if name is not None else ""


def _degree(highest: bool) -> str:
    return "highest" if highest else "lowest"
