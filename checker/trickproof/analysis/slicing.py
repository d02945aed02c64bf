"""Which steps can matter for some variables: those that set them, and whatever those depend on, backwards.

Found by reading the core program, without running it, so that it errs on the side of too many.  Local names count as
variables of their own: a choice or a loop sets the name it binds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import Node, walk

DEALT = "(dealt)"
"""Stands for the number of cards that are dealt."""

Exprs = tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """A step that gives a name its value from some expressions; `within` are the steps around it, and itself."""

    name: str
    step: c.Stmt
    uses: Exprs
    within: tuple[c.Stmt, ...]


@dataclass(frozen=True, slots=True)
class Slice:
    """`names` are what matters, `nodes` the expressions it comes from, `steps` the identities of statements."""

    names: frozenset[str]
    nodes: Exprs
    steps: frozenset[int]
    choices: tuple[c.ChooseValue | c.ChooseCards, ...]


def sliced(body: tuple[c.Stmt, ...], wanted: Iterable[str]) -> Slice:
    """What can matter for some names in some steps; the play is left out."""
    settings = list(_settings(body, (), ()))
    names: set[str] = set()
    left = set(wanted)
    while left:
        names |= left
        nodes = [node for s in settings if s.name in left for node in walk(*s.uses)]
        left = {name for node in nodes if (name := _name(node)) is not None} - names
    made = [setting for setting in settings if setting.name in names]
    return Slice(
        frozenset(names),
        tuple(node for setting in made for node in setting.uses),
        frozenset(id(step) for setting in made for step in setting.within),
        tuple(s.step for s in made if isinstance(s.step, c.ChooseValue | c.ChooseCards)),
    )


def _name(node: Node) -> str | None:
    """What a node reads."""
    if isinstance(node, c.Variable):
        return node.name
    return _local(node.name) if isinstance(node, c.Local) else None


def _local(binder: str) -> str:
    return f"({binder})"


def _settings(body: tuple[c.Stmt, ...], around: Exprs, within: tuple[c.Stmt, ...]) -> Iterator[Setting]:
    for t in body:
        chain = (*within, t)
        match t:
            case c.Assign():
                yield Setting(t.variable, t, (*around, t.value, *t.arguments), chain)
            case c.ChooseValue():
                yield Setting(_local(t.binder), t, (*around, t.domain, t.condition), chain)
            case c.ChooseCards():
                yield Setting(_local(t.binder), t, (*around, t.domain, t.low, t.high), chain)
            case c.Deal():
                count = () if t.count is None else (t.count,)
                yield Setting(DEALT, t, (*around, *count), chain)
            case c.Branch():
                yield from _settings((*t.then, *t.otherwise), (*around, t.condition), chain)
            case c.Loop():
                start = () if t.order.start is None else (t.order.start,)
                order = (t.domain, *(key for _, _, key in t.order.keys), *start)
                yield Setting(_local(t.binder), t, (*around, *order), chain)
                yield from _settings(t.body, (*around, *order), chain)
            case c.Until():
                yield from _settings(t.body, (*around, t.condition, t.bound), chain)
            case c.InRule() if t.rule != "play":
                yield from _settings(t.body, around, chain)
