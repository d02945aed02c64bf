"""Seats: whether rules refer to them only by position relative to the dealer, so that one dealer stands for all."""

from __future__ import annotations

from trickproof.analysis.usage import claimed
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import parts, walk


def seats_alike(program: c.Program) -> bool:
    """Whether no rule or claim can tell one seat from another except by its position relative to the dealer.

    Partnerships are alike if they are invariant under rotation, and the rules only ask whether two players
    are in the same one.
    """
    for node in walk(*program.phases, *claimed(program)):
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
            return False  # ties are broken by seat
    if any(c.TEAM in (info.type, *info.of) for info in program.variables.values()):
        return False
    named = (info for info in program.variables.values() if info.type in (c.PLAYER, c.PLAYERS))
    return all(info.name == "dealer" or info.initial in (None, ()) for info in named)


def _turns(program: c.Program, table: c.Table) -> bool:
    """Whether a lookup by seat is invariant under rotation: the partner's seat, or membership of the same team."""
    n, entries = program.players, table.entries
    if table.type == c.PLAYER:
        return all((entries[p] + 1) % n == entries[(p + 1) % n] for p in range(n))
    return all(
        (entries[p] == entries[q]) == (entries[(p + 1) % n] == entries[(q + 1) % n])
        for p in range(n)
        for q in range(n)
    )


def _compares_teams(node: object) -> bool:
    """Whether two players' teams are looked up only to compare them."""
    return (
        isinstance(node, c.Compare)
        and isinstance(node.left, c.Table)
        and isinstance(node.right, c.Table)
        and node.left.type == node.right.type == c.TEAM
    )
