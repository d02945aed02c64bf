"""Liveness analysis: which variables, zones and bound names of a state can still matter.

States that agree in them are equivalent.

Over-approximates. Names have a prefix: `v:` for a variable, `z:` for a zone, `l:` for a bound name.
"""

from __future__ import annotations

from typing import Any

from adversarial.nature import RANDOM, SHUFFLED
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk

Names = frozenset[str]
Body = tuple[c.Stmt, ...]


def read(*nodes: Any) -> Names:
    """The names that expressions read."""
    names: set[str] = set()
    for node in walk(*nodes):
        match node:
            case c.Variable():
                names.add(f"v:{node.name}")
            case c.ZoneCards():
                names.add(f"z:{node.zone}")
            case c.Local():
                names.add(f"l:{node.name}")
    return frozenset(names)


def before(body: Body, after: Names, at_end: Names, asked: str = "") -> Names:
    """The names live before statements, given those live after them and `at_end` of the match.

    Loops around the choice with the binder `asked` may be in progress: then they assign new values only for
    the remaining elements.
    """
    live = after
    for t in reversed(body):
        live = _before(t, live, at_end, asked)
    return live


def _before(t: c.Stmt, after: Names, at_end: Names, asked: str) -> Names:
    match t:
        case c.Assign():
            return read(t.value, t.arguments) | (after if t.arguments else after - {f"v:{t.variable}"})
        case c.Branch():
            return (
                read(t.condition)
                | before(t.then, after, at_end, asked)
                | before(t.otherwise, after, at_end, asked)
            )
        case c.Loop():
            live = _rounds(t.body, after, at_end, asked) - {f"l:{t.binder}"}
            return read(t.domain, t.order) | (live if _asks(t, asked) else live - _overwritten(t))
        case c.Until():
            return read(t.bound) | _rounds(t.body, after | read(t.condition), at_end, asked)
        case c.InRule() if t.rule == SHUFFLED:
            return frozenset(name for name in after if not name.startswith("z:")) - {f"v:{RANDOM}"}
        case c.InRule():
            return before(t.body, after, at_end, asked)
        case c.ChooseCards() | c.ChooseValue():
            return read(t) | (after - {f"l:{t.binder}"})
        case c.Move():
            return read(t) | {f"z:{t.source.zone}"} | after
        case c.Announce():
            told = {f"v:{value}" for _, value in t.fields if isinstance(value, str)}
            return read(*(value for _, value in t.fields if not isinstance(value, str))) | told | after
        case c.EndHand():
            return at_end
        case c.EndMatch():
            return read(t.winners) | at_end
    return read(t) | after


def _asks(t: c.Loop, asked: str) -> bool:
    return any(isinstance(x, c.Choice) and x.binder == asked for x in walk(t.body))


def _rounds(body: Body, after: Names, at_end: Names, asked: str) -> Names:
    live = after
    while (more := live | before(body, live, at_end, asked)) != live:
        live = more
    return live


def _overwritten(t: c.Loop) -> Names:
    """Variables whose entries a loop over all players overwrites before reading them."""
    if not isinstance(t.domain, c.Universe) or t.domain.type != c.PLAYERS or t.order.keys:
        return frozenset()
    own, names = c.Local(t.binder, c.PLAYER, t.span), set[str]()
    for i, step in enumerate(t.body):
        if isinstance(step, c.Assign) and step.arguments == (own,):
            earlier, later = t.body[:i], t.body[i + 1 :]
            others = (e for e in walk(later) if isinstance(e, c.Variable) and e.arguments != (own,))
            looked_at = read(*earlier, step.value) | read(*others)
            rebound = any(isinstance(e, c.Announce | c.EndHand | c.EndMatch) for e in walk(t.body))
            if not rebound and f"v:{step.variable}" not in looked_at:
                names.add(f"v:{step.variable}")
    return frozenset(names)
