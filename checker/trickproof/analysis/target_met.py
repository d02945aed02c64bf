"""What it means in a ruleset to meet the target, according to its scoring: at least, at most or exactly the target.

If the rules use `over`, each value they assign to it must be the difference of tricks and target, or its
opposite.  Otherwise a condition that compares the two must decide who gains score or who loses it.  Rules that
contradict themselves, or that score in any other way, do not say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from trickproof.analysis.dependencies import assigned_by_rules
from trickproof.analysis.intervals import ZERO, Interval, Intervals, reachable_intervals
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import stripped, walk

Met = Literal["<=", "=", ">=", ""]
"""How tricks compare with the target when it is met; in rules that use `over`, how `over` compares with 0."""

OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
SWAPPED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

COUNTED = ("over", "score", "tricks")
"""Variables of which winners have the most or the least."""


def target_met(program: c.Program) -> Met:
    """How a target is met; empty if the rules set no targets or do not say."""
    if not _sets_targets(program):
        return ""
    sign = _direction(program)
    if "over" in assigned_by_rules(program):
        given = [x for x in walk(program.hand) if isinstance(x, c.Assign) and x.variable == "over"]
        deviates = _of_player(program, "over") and all(_deviates(x.value, x.arguments) for x in given)
        return ("", ">=", "<=")[sign] if given and deviates else ""
    ways = {_better(operator, gain, sign) for operator, gain in _conditions(program)}
    return ways.pop() if len(ways) == 1 else ""


def stops_at_target(program: c.Program) -> bool:
    """Whether there are targets, and tricks beyond them may gain nothing: not if `over`, or at least the target, counts."""
    return _sets_targets(program) and target_met(program) != ">="


def _sets_targets(program: c.Program) -> bool:
    return all(x in assigned_by_rules(program) and _of_player(program, x) for x in ("tricks", "target"))


def _of_player(program: c.Program, name: str) -> bool:
    info = program.variables.get(name)
    return info is not None and info.type == c.INTEGER and info.of == (c.PLAYER,)


def _direction(program: c.Program) -> int:
    """1 if it is good to have much, -1 if those with the least win, 0 if the rules do not say.

    That the fewest tricks win says nothing of targets.
    """
    signs = set()
    for end in walk(*program.phases):
        for best in walk(end.winners) if isinstance(end, c.EndMatch) else ():
            if isinstance(best, c.Best) and any(_name(x) in COUNTED for x in walk(best.key)):
                name = _name(stripped(best.key))
                signs.add(0 if name not in COUNTED else 1 if best.highest else -int(name != "tricks"))
    return signs.pop() if len(signs) == 1 else int(not signs)


def _name(x: object) -> str:
    return x.name if isinstance(x, c.Variable) else ""


def _deviates(value: c.Expr, of: tuple[c.Expr, ...]) -> bool:
    """Whether a value is the player's tricks − target or target − tricks in every case."""
    value = stripped(value)
    if isinstance(value, c.Conditional):
        return _deviates(value.then, of) and _deviates(value.otherwise, of)
    if not isinstance(value, c.Arithmetic) or value.operator != "-":
        return False
    return _compared(value.left, value.right) == of or _compared(value.right, value.left) == of


def _compared(tricks: c.Expr, target: c.Expr) -> tuple[c.Expr, ...] | None:
    """The player, if these are the tricks and the target of one."""
    tricks, target = stripped(tricks), stripped(target)
    if not isinstance(tricks, c.Variable) or not isinstance(target, c.Variable):
        return None
    same = (tricks.name, target.name) == ("tricks", "target") and tricks.arguments == target.arguments
    return tricks.arguments if same else None


def _condition(e: c.Expr) -> tuple[str, tuple[c.Expr, ...]] | None:
    """How a condition compares tricks with the target, and of which player."""
    e = stripped(e)
    if isinstance(e, c.Not):
        inner = _condition(e.operand)
        return None if inner is None else (OPPOSITE[inner[0]], inner[1])
    if not isinstance(e, c.Compare):
        return None
    if (player := _compared(e.left, e.right)) is not None:
        return e.operator, player
    player = _compared(e.right, e.left)
    return None if player is None else (SWAPPED[e.operator], player)


def _better(operator: str, gain: Interval | None, sign: int) -> Met:
    """How tricks compare with the target on the better side of a condition; empty if that is unclear or no aim."""
    if gain is None or gain == ZERO or (gain.may_be_below(0) and gain.may_be_above(0)):
        return ""
    better = operator if gain.may_be_above(0) == (sign > 0) else OPPOSITE[operator]
    known: dict[str, Met] = {"<=": "<=", "=": "=", ">=": ">="}
    return known.get(better, "") if sign else ""


def _conditions(program: c.Program) -> Iterator[tuple[str, Interval | None]]:
    """The conditions on which a player's score depends, and how much more the score is where they hold."""
    intervals = reachable_intervals(program)
    for node in walk(program.hand):
        if isinstance(node, c.Branch) and (found := _condition(node.condition)):
            then, otherwise = (_scored(block, found[1], intervals) for block in (node.then, node.otherwise))
            if (then, otherwise) != (ZERO, ZERO):
                yield found[0], then - otherwise if then is not None and otherwise is not None else None
        elif isinstance(node, c.Loop) and isinstance(domain := stripped(node.domain), c.Filter):
            found = _condition(domain.condition)
            if found and found[1] == _local(domain.binder, node):
                gain = _scored(node.body, _local(node.binder, node), intervals)
                if gain != ZERO:
                    yield found[0], gain
        elif isinstance(node, c.Assign) and node.variable == "score":
            yield from _within(node.value, node.arguments, intervals, 1)


def _local(binder: str, loop: c.Loop) -> tuple[c.Expr, ...]:
    return (c.Local(binder, c.PLAYER, loop.span),)


def _within(
    e: c.Expr, of: tuple[c.Expr, ...], intervals: Intervals, sign: int
) -> Iterator[tuple[str, Interval | None]]:
    """The same within the terms of a sum."""
    e = stripped(e)
    if isinstance(e, c.Arithmetic) and e.operator in "+-":
        yield from _within(e.left, of, intervals, sign)
        yield from _within(e.right, of, intervals, sign if e.operator == "+" else -sign)
    elif isinstance(e, c.Conditional) and (found := _condition(e.condition)):
        then, otherwise = (_change(x, of, intervals, sign) for x in (e.then, e.otherwise))
        if found[1] == of and then is not None and otherwise is not None and then[1] == otherwise[1]:
            yield found[0], then[0] - otherwise[0]
        else:
            yield found[0], None


def _scored(block: tuple[c.Stmt, ...], of: tuple[c.Expr, ...], intervals: Intervals) -> Interval | None:
    """By how much a block changes a player's score; None if that is unknown."""
    total = ZERO
    for step in block:
        if not any(isinstance(x, c.Assign) and x.variable == "score" for x in walk(step)):
            continue
        if isinstance(step, c.InRule):
            gain = _scored(step.body, of, intervals)
        elif isinstance(step, c.Assign) and step.arguments == of:
            change = _change(step.value, of, intervals, 1)
            gain = change[0] if change is not None and change[1] == 1 else None
        else:
            gain = None
        if gain is None:
            return None
        total += gain
    return total


def _change(
    e: c.Expr, of: tuple[c.Expr, ...], intervals: Intervals, sign: int
) -> tuple[Interval, int] | None:
    """A sum without its terms that are the player's score, and how many these are."""
    e = stripped(e)
    if isinstance(e, c.Arithmetic) and e.operator in "+-":
        left = _change(e.left, of, intervals, sign)
        right = _change(e.right, of, intervals, sign if e.operator == "+" else -sign)
        return left and right and (left[0] + right[0], left[1] + right[1])
    if isinstance(e, c.Variable) and e.name == "score":
        return (ZERO, sign) if e.arguments == of else None
    number = intervals.number(e)
    return (number if sign > 0 else -number), 0
