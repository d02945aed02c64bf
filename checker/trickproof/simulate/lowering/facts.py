"""Predicates on core programs and expressions used by the lowering."""

from __future__ import annotations

from trickproof.analysis.dependencies import assigned_by_rules
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import stripped


def is_maintained(program: c.Program, name: str, kind: c.Type, of: tuple[c.Type, ...] = ()) -> bool:
    """Whether the rules declare a variable of that name and type, and assign it.

    The prelude declares more than a game need use, so a variable that is never assigned carries no
    information.
    """
    return is_declared(program, name, kind, of) and name in assigned_by_rules(program)


def is_declared(program: c.Program, name: str, kind: c.Type, of: tuple[c.Type, ...]) -> bool:
    """Whether a variable of that name and type is declared."""
    info = program.variables.get(name)
    return info is not None and info.type == kind and info.of == of


def within(e: c.Expr, place: c.Place) -> bool:
    """Whether every element is certainly among the cards of a place."""
    match stripped(e):
        case c.ZoneCards(zone=zone, arguments=arguments):
            return zone == place.zone and arguments == place.arguments
        case c.Filter(domain=inner) | c.Best(domain=inner):
            return within(inner, place)
        case c.Top(operand=inner) | c.Matching(operand=inner):
            return within(inner, place)
        case c.Conditional(then=then, otherwise=otherwise):
            return within(then, place) and within(otherwise, place)
        case c.SetOperation(operator="-", left=left):
            return within(left, place)
    return False
