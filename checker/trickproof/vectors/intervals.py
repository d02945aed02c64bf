"""How small and how large a number or a set can be, read off an expression: what no hand can reach is no goal."""

from __future__ import annotations

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import parts, walk

MANY = 10**9
"""More than anything counts in a game: no bound is known."""

SOME = 20
"""Elements that a set of numbers is thought to have where nothing tells."""

Bounds = tuple[int, int]
"""The least and the greatest value of a number, or the number of elements of a set."""

_UNKNOWN = (-MANY, MANY)
_VARIES = (c.Variable, c.ZoneCards, c.Local, c.Parameter, c.Reading)


def is_fixed(e: c.Expr) -> bool:
    """Whether an expression has the same value at every moment of every match."""
    return not any(isinstance(node, _VARIES) for node in walk(e))


def number(program: c.Program, e: c.Expr) -> Bounds:
    """Between what an integer lies."""
    match e:
        case c.Literal(value=int(value)):
            return value, value
        case c.Parameter():
            return min(program.parameters[e.name]), max(program.parameters[e.name])
        case c.RuleValue():
            return number(program, e.value)
        case c.Size():
            return size(program, e.set)
        case c.Conditional():
            return _either(number(program, e.then), number(program, e.otherwise))
        case c.CardAttribute(attribute="height"):
            return 0, len(program.deck.ranks) - 1
        case c.Arithmetic(operator="+" | "-"):
            a, b = number(program, e.left), number(program, e.right)
            return (a[0] + b[0], a[1] + b[1]) if e.operator == "+" else (a[0] - b[1], a[1] - b[0])
    return _UNKNOWN


def size(program: c.Program, e: c.Expr) -> Bounds:
    """Between what the number of elements of a set lies."""
    match e:
        case c.Literal(value=tuple(value)):
            return len(value), len(value)
        case c.Universe():
            return (_all(program, e.type.kind),) * 2
        case c.Single():
            return 0, 1
        case c.RuleValue():
            return size(program, e.value)
        case c.Conditional():
            return _either(size(program, e.then), size(program, e.otherwise))
        case c.SetOperation(operator="+"):
            a, b = size(program, e.left), size(program, e.right)
            return max(a[0], b[0]), a[1] + b[1]
        case c.SetOperation():
            a, b = size(program, e.left), size(program, e.right)
            return max(a[0] - b[1], 0), a[1]
        case c.Range():
            low, high = number(program, e.low), number(program, e.high)
            return max(high[0] - low[1] + 1, 0), max(high[1] - low[0] + 1, 0)
        case c.Filter():
            return 0, size(program, e.domain)[1]
        case c.Best():
            least, most = size(program, e.domain)
            return min(least, 1), most
        case c.Top():
            return number(program, e.count)
    return 0, _all(program, e.type.kind)


def cost(program: c.Program, e: c.Expr) -> int:
    """About how many steps it takes to work an expression out, at most: sets are taken to be as large as they can be."""
    domain = getattr(e, "operand", None) if isinstance(e, c.Top) else getattr(e, "domain", None)
    below = [(part, cost(program, part)) for part in parts(e)]
    if domain is None:
        return 1 + sum(steps for _, steps in below)
    rounds = size(program, domain)[1]
    rounds = rounds if rounds < MANY else SOME
    return 1 + sum(steps if part is domain else rounds * steps for part, steps in below)


def _either(a: Bounds, b: Bounds) -> Bounds:
    return min(a[0], b[0]), max(a[1], b[1])


def _all(program: c.Program, kind: str) -> int:
    deck = program.deck
    known = {"cards": len(deck.cards), "suits": len(deck.suits), "ranks": len(deck.ranks)}
    return known.get(kind, program.players if kind == "players" else MANY)
