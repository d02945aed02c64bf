"""Whole sets of cards as mask operations: conditions on suit and rank, and `matching`, suit by suit."""

from __future__ import annotations

from trickproof.analysis.dependencies import reads_local
from trickproof.simulate.ir.instructions import Expr, op
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import stripped

_TURNED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def at_once(e: c.Expr, binder: str) -> bool:
    """Whether `selected` supports a condition on a card."""
    e = stripped(e)
    if not reads_local(e, binder):
        return True
    match e:
        case c.Not():
            return at_once(e.operand, binder)
        case c.Logic():
            return at_once(e.left, binder) and at_once(e.right, binder)
        case c.Conditional():
            return all(at_once(x, binder) for x in (e.condition, e.then, e.otherwise))
        case c.Member():
            return _is(e.element, binder) and not reads_local(e.set, binder)
        case c.Compare():
            return _sides(e, binder) is not None
    return False


def selected(v: Expressions, e: c.Expr, binder: str, domain: Expr) -> Expr:
    """The cards of a set that satisfy a condition that `at_once` accepts."""
    e, domain = stripped(e), v.b.let(domain)
    if not reads_local(e, binder):
        (holds,) = v.b.under(op("ne", domain, 0), lambda: v.words(e))
        return v.b.let(op("select", holds, domain, 0))
    match e:
        case c.Not():
            return v.b.let(op("without", domain, selected(v, e.operand, binder, domain)))
        case c.Logic():
            left = selected(v, e.left, binder, domain)
            if e.operator == "and":
                return selected(v, e.right, binder, left)
            return v.b.let(op("or", left, selected(v, e.right, binder, op("without", domain, left))))
        case c.Conditional():
            holds = selected(v, e.condition, binder, domain)
            then = selected(v, e.then, binder, holds)
            return v.b.let(op("or", then, selected(v, e.otherwise, binder, op("without", domain, holds))))
        case c.Member():
            (among,) = v.b.under(op("ne", domain, 0), lambda: v.words(e.set))
            return v.b.let(op("and", domain, among))
        case c.Compare():
            return _compared(v, e, binder, domain)
    raise AssertionError(e)


def _is(e: c.Expr, binder: str) -> bool:
    e = stripped(e)
    return isinstance(e, c.Local) and e.name == binder


def _sides(e: c.Compare, binder: str) -> tuple[c.Expr, str, c.Expr] | None:
    """The operand with the card, the relation, and the other operand, which must not depend on the card."""
    for mine, relation, other in ((e.left, e.operator, e.right), (e.right, _TURNED[e.operator], e.left)):
        mine = stripped(mine)
        about = isinstance(mine, c.CardAttribute) and _is(mine.card, binder)
        if (about or (_is(mine, binder) and relation in ("=", "!="))) and not reads_local(other, binder):
            return mine, relation, other
    return None


def _compared(v: Expressions, e: c.Compare, binder: str, domain: Expr) -> Expr:
    sides = _sides(e, binder)
    assert sides is not None
    mine, relation, other = sides
    strict = relation not in ("=", "!=")
    (value,) = v.b.under(
        op("ne", domain, 0), lambda: (v.present(other, "nobody", e.span) if strict else v.word(other),)
    )
    value = v.b.let(value)
    none = op("lt", value, 0) if v.nullable.may_be_none(other) and not strict else 0
    if isinstance(mine, c.CardAttribute):
        alike = _with(v, mine.attribute, relation, value, none)
    else:
        alike = op("select", none, 0, op("bit", value))
    if relation in ("!=", ">", ">="):
        return v.b.let(op("without", domain, alike))
    return v.b.let(op("and", domain, alike))


def _with(v: Expressions, attribute: str, relation: str, value: Expr, none: Expr) -> Expr:
    """The cards with that suit or rank; for orderings, the cards below (`<`, `>=`) or not above (`<=`, `>`)."""
    lay = v.layout
    if attribute == "suit":
        return op("select", none, 0, op("shl", lay.lane, op("mul", op("select", none, 0, value), lay.stride)))
    if attribute == "height":
        low = op("select", op("lt", value, -1), -1, value)
        value = v.b.let(op("select", op("lt", lay.stride, low), lay.stride, low))
    if relation in ("=", "!="):
        outside = op("or", none, op("or", op("lt", value, 0), op("le", lay.stride, value)))
        outside = none if attribute == "rank" else outside
        safe = op("select", outside, 0, value)
        return op("select", outside, 0, op("mul", lay.lanes, op("bit", safe)))
    upto = op("add", value, 1) if relation in ("<=", ">") else value
    upto = v.b.let(upto)
    if attribute == "height":
        upto = v.b.let(op("select", op("lt", upto, 0), 0, upto))
        upto = v.b.let(op("select", op("lt", lay.stride, upto), lay.stride, upto))
    return op("mul", lay.lanes, op("sub", op("bit", upto), 1))


def matching(v: Expressions, e: c.Matching) -> Expr:
    """Suit by suit, as many of the best cards as the pattern has; with `answering`, those paired with its cards."""
    b, lay = v.b, v.layout
    operand, pattern = b.let(v.word(e.operand)), b.let(v.word(e.pattern))
    answering = None if e.answering is None else b.let(v.word(e.answering))
    matched: Expr = 0
    for suit in range(lay.suits):
        lane = lay.lane << suit * lay.stride
        mine, theirs = b.let(op("and", operand, lane)), b.let(op("and", pattern, lane))
        have, need = b.let(op("count", mine)), b.let(op("count", theirs))
        spare = b.let(op("select", op("lt", need, have), op("sub", have, need), 0))
        if e.highest:
            taken = op("without", mine, op("spread", op("sub", op("bit", spare), 1), mine))
        else:
            taken = op("spread", op("sub", op("bit", op("sub", have, spare)), 1), mine)
        taken = b.let(taken)
        if answering is not None:
            pairs = op("gather", answering, theirs)
            if e.highest:
                missing = op("select", op("lt", have, need), op("sub", need, have), 0)
                pairs = op("shr", pairs, missing)
            taken = op("spread", pairs, taken)
        matched = b.let(op("or", matched, taken))
    return matched
