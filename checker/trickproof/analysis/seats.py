"""Seats: whether rules speak of them only by where they are from the dealer, so that one dealer stands for all."""

from __future__ import annotations

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import parts, walk


def seats_alike(program: c.Program) -> bool:
    """Whether no rule can tell one seat from another but by where the dealer sits.

    Partnerships are alike if they are the same ones seen from the next seat, and only asked whether two players are in one.
    """
    for node in walk(program.setup, program.hand, program.between):
        if (
            isinstance(node, c.Literal)
            and node.type in (c.PLAYER, c.PLAYERS)
            and node.value not in (None, ())
        ):
            return False
        if isinstance(node, c.Loop) and node.domain.type == c.PLAYERS and node.order.start is None:
            return False
        if isinstance(node, c.Table) and not _turns(program, node):
            return False
        if not _compares_teams(node) and any(getattr(x, "type", None) == c.TEAM for x in parts(node)):
            return False
        if isinstance(node, c.Top) and node.operand.type == c.PLAYERS:
            return False  # equals are taken by their seats
    if any(c.TEAM in (info.type, *info.of) for info in program.variables.values()):
        return False
    named = (info for info in program.variables.values() if info.type in (c.PLAYER, c.PLAYERS))
    return all(info.name == "dealer" or info.initial in (None, ()) for info in named)


def _turns(program: c.Program, table: c.Table) -> bool:
    """Whether what is looked up by seat is the same from the next seat: the partner's place, or who is in one team."""
    n, entries = program.players, table.entries
    if table.type == c.PLAYER:
        return all((entries[p] + 1) % n == entries[(p + 1) % n] for p in range(n))
    return all(
        (entries[p] == entries[q]) == (entries[(p + 1) % n] == entries[(q + 1) % n])
        for p in range(n)
        for q in range(n)
    )


def _compares_teams(node: object) -> bool:
    """Whether two players are asked for their teams, and nothing but whether it is one."""
    return (
        isinstance(node, c.Compare)
        and isinstance(node.left, c.Table)
        and isinstance(node.right, c.Table)
        and node.left.type == node.right.type == c.TEAM
    )
