"""Which variables a player may be shown: those that follow from what is said and lies open, and from no hidden card.

A variable is hidden when a value it is given, or whether it is given one, may depend on cards in a zone that not
everybody sees into, or on another hidden variable.  How many cards are in a place is no secret.
"""

from __future__ import annotations

from collections.abc import Iterator

from trickproof_dsl import core as c
from trickproof_dsl.core.walk import Node, parts, walk


def hidden_variables(program: c.Program) -> frozenset[str]:
    """The names of the variables that may tell of hidden cards."""
    steps = (program.setup, program.hand, program.between)
    secret = frozenset(n.binder for n in walk(program.hand) if isinstance(n, c.ChooseCards)) - _opened(
        program
    )
    given = list(_given(steps, ()))
    hidden: set[str] = set()
    while True:
        more = {
            name for name, sources in given if any(_is_hidden(program, x, hidden, secret) for x in sources)
        }
        if more <= hidden:
            return frozenset(hidden)
        hidden |= more


def _opened(program: c.Program) -> frozenset[str]:
    """The names of choices of cards that are laid where everybody sees them."""
    moves = [n for n in walk(program.hand) if isinstance(n, c.Move) and isinstance(n.cards, c.Local)]
    places: dict[str, set[str]] = {}
    for move in moves:
        assert isinstance(move.cards, c.Local)
        places.setdefault(move.cards.name, set()).add(program.zones[move.target.zone].seen_by)
    return frozenset(name for name, seen in places.items() if seen == {"everyone"})


def _given(body: object, around: tuple[Node, ...]) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """Every assignment: the variable, and the values and conditions it depends on."""
    for step in body if isinstance(body, tuple) else ():
        match step:
            case tuple():
                yield from _given(step, around)
            case c.Assign():
                yield step.variable, (step.value, *step.arguments, *around)
            case c.Branch():
                yield from _given((step.then, step.otherwise), (*around, step.condition))
            case c.Loop():
                yield from _given(step.body, (*around, step.domain))
            case c.Until():
                yield from _given(step.body, around)
            case c.InRule():
                yield from _given(step.body, around)


def _is_hidden(program: c.Program, node: Node, hidden: set[str], secret: frozenset[str]) -> bool:
    match node:
        case c.Size(set=c.ZoneCards() as zone):  # how many cards somebody holds is seen
            return any(_is_hidden(program, x, hidden, secret) for x in zone.arguments)
        case c.ZoneCards() if program.zones[node.zone].seen_by != "everyone":
            return True
        case c.Variable() if node.name in hidden:
            return True
        case c.Local() if node.name in secret:
            return True
    return any(_is_hidden(program, x, hidden, secret) for x in parts(node))
