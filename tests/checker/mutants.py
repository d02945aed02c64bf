"""Mutants of a core program: one thing changed at a time, in every copy of the rule text it stands in.

Rule calls are inlined, so a text can be in a program several times; all copies are changed alike, as an author would
have changed the text.  Mutants that are no programs (`wellformed.violations`), or that are the same program, are left
out; so are the fields of events, which nothing depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass, replace
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

from trickproof_dsl import core as c
from trickproof_dsl.core.json_codec import fingerprint
from trickproof_dsl.core.traversal import Node, field_names, walk
from trickproof_dsl.core.types import Type
from trickproof_dsl.core.well_formed import violations
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.library import Ruleset

Change = Callable[[Any], Any]
"""From a node to what takes its place."""

COMPARED = {">=": ">", ">": ">=", "<=": "<", "<": "<=", "=": "!=", "!=": "="}
REVERSED = {">=": "<", ">": "<=", "<=": ">", "<": ">="}
_STEPS = ("body", "then", "otherwise")


@dataclass(frozen=True)
class Mutant:
    """`kind` says what sort of change was made, `where` at which text."""

    kind: str
    where: str
    ruleset: Ruleset

    @property
    def name(self) -> str:
        return f"{self.kind}: {self.where}"


def mutants(ruleset: Ruleset, most: int | None = None, seed: int = 0) -> Iterator[Mutant]:
    """All mutants in the order of the program, or so many of them drawn at random."""
    changed = list(_changed(ruleset.program))
    if most is not None:
        Random(seed).shuffle(changed)
    seen, number = {fingerprint(ruleset.program)}, 0
    for kind, where, make in changed:
        program = make()
        mark = fingerprint(program)
        if mark in seen or violations(program):
            continue
        seen.add(mark)
        number += 1
        yield Mutant(kind, where, replace(ruleset, program=program))
        if number == most:
            return


def _changed(program: c.Program) -> Iterator[tuple[str, str, Callable[[], c.Program]]]:
    done: set[tuple[str, Span | None, type]] = set()
    for node in _meaningful(program):
        span = getattr(node, "span", None)
        for kind, change in _changes(program, node):
            if (kind, span, type(node)) not in done:
                done.add((kind, span, type(node)))
                yield kind, told(span), partial(_everywhere, program, node, change)
    for kind, span, change in _step_changes(program):
        if (kind, span, tuple) not in done:
            done.add((kind, span, tuple))
            yield kind, told(span), partial(_of_program, program, change)


def _meaningful(program: c.Program) -> Iterator[Node]:
    """Every node but what events tell, and the number in `1 card`, which makes it a single card."""
    apart = set()
    for parent in walk(program.setup, program.hand, program.between):
        if isinstance(parent, c.Announce):
            apart |= {id(node) for node in walk(parent)}
        if isinstance(parent, c.ChooseCards) and parent.single:
            apart |= {id(parent.low), id(parent.high)}
    for node in walk(program.setup, program.hand, program.between):
        if id(node) not in apart:
            yield node


def told(span: Span | None) -> str:
    """A place with its text, shortened."""
    if span is None:
        return ""
    text = " ".join(span.text.split())
    line = span.source.text.count("\n", 0, span.start) + 1
    return f"{span.source.name.rsplit('/', 1)[-1]}:{line} `{text[:60]}{'…' if len(text) > 60 else ''}`"


# ------------------------------------------------------------------------------------------ single nodes


def _changes(program: c.Program, node: Node) -> Iterator[tuple[str, Change]]:
    """What can be changed about one node."""
    match node:
        case c.Literal(type=kind, value=bool()) if kind == c.BOOLEAN:
            yield "negated", lambda n: replace(n, value=not n.value)
        case c.Literal(type=kind, value=int()) if kind == c.INTEGER:
            yield "one more", lambda n: replace(n, value=n.value + 1)
            yield "one fewer", lambda n: replace(n, value=n.value - 1)
        case c.Literal(type=kind, value=int(value)) if kind == c.RANK:
            yield "next rank", lambda n: replace(n, value=(value + 1) % len(program.deck.ranks))
        case c.Compare(operator=operator):
            yield "compared otherwise", lambda n: replace(n, operator=COMPARED[operator])
            if operator in REVERSED:
                yield "negated", lambda n: replace(n, operator=REVERSED[operator])
        case c.Logic():
            yield "and, or", lambda n: replace(n, operator="or" if n.operator == "and" else "and")
            yield "left alone", lambda n: n.left
            yield "right alone", lambda n: n.right
        case c.Not():
            yield "negated", lambda n: n.operand
        case c.Exists():
            yield "negated", lambda n: c.Not(n, n.type, n.span)
        case c.Conditional():
            yield "branches swapped", lambda n: replace(n, then=n.otherwise, otherwise=n.then)
            yield "always then", lambda n: n.then
            yield "always else", lambda n: n.otherwise
        case c.Seat(offset=offset) if offset % program.players not in (0, program.players - offset):
            yield "left and right swapped", lambda n: replace(n, offset=-offset % program.players)
        case c.Arithmetic(operator="+" | "-"):
            yield "plus, minus", lambda n: replace(n, operator="-" if n.operator == "+" else "+")
        case c.SetOperation():
            yield "left alone", lambda n: n.left
        case c.Filter():
            yield "filter dropped", lambda n: n.domain
        case c.Best():
            yield "highest, lowest", lambda n: replace(n, highest=not n.highest)
            yield "all of them", lambda n: n.domain
        case c.Extreme() | c.Top():
            yield "highest, lowest", lambda n: replace(n, highest=not n.highest)
        case c.Matching():
            yield "highest, lowest", lambda n: replace(n, highest=not n.highest)
            yield "the pattern itself", lambda n: n.pattern
        case c.Branch():
            yield "branches swapped", lambda n: replace(n, then=n.otherwise, otherwise=n.then)
        case c.Loop(order=order):
            yield from _order_changes(order)


def _order_changes(order: c.Order) -> Iterator[tuple[str, Change]]:
    if order.start is not None:
        yield "other way round", lambda n: replace(n, order=_reversed(n.order))
    for i, (highest, binder, key) in enumerate(order.keys):
        turned = (*order.keys[:i], (not highest, binder, key), *order.keys[i + 1 :])
        yield f"order by key {i + 1} turned", partial(_with_keys, turned)
    if len(order.keys) > 1:
        yield "first key dropped", lambda n: replace(n, order=replace(n.order, keys=n.order.keys[1:]))


def _with_keys(keys: tuple[tuple[bool, str, c.Expr], ...], loop: c.Loop) -> c.Loop:
    return replace(loop, order=replace(loop.order, keys=keys))


def _reversed(order: c.Order) -> c.Order:
    """The other way round the table, whoever was last being first."""
    assert order.start is not None
    last = c.Seat(order.start, -1 if order.clockwise else 1, c.PLAYER, order.start.span)
    return replace(order, start=last, clockwise=not order.clockwise)


# --------------------------------------------------------------------------------------------- statements


def _step_changes(program: c.Program) -> Iterator[tuple[str, Span, Change]]:
    """Steps dropped, and neighbours swapped; a choice goes with the step that carries it out."""
    for node in (program, *walk(program.setup, program.hand, program.between)):
        for name in ("setup", "hand", "between") if node is program else _STEPS:
            body = getattr(node, name, ())
            groups = _grouped(body) if isinstance(body, tuple) else []
            for group in groups:
                if not isinstance(group[0], c.Announce):
                    yield "dropped", group[0].span, partial(_without, group)
            for one, other in pairwise(groups):
                if not isinstance(one[0], c.Announce) and not isinstance(other[0], c.Announce):
                    yield "swapped with the next", one[0].span, partial(_swapped, one, other)


def _grouped(body: tuple[c.Stmt, ...]) -> list[tuple[c.Stmt, ...]]:
    """The steps, those of one text (a choice and what is done with it) together."""
    groups: list[tuple[c.Stmt, ...]] = []
    for step in body:
        same = groups and groups[-1][0].span == step.span
        if same:
            groups[-1] = (*groups[-1], step)
        else:
            groups.append((step,))
    return groups


def _without(group: tuple[c.Stmt, ...], body: tuple[c.Stmt, ...]) -> tuple[c.Stmt, ...]:
    spans = {step.span for step in group}
    return tuple(step for step in body if step.span not in spans)


def _swapped(
    one: tuple[c.Stmt, ...], other: tuple[c.Stmt, ...], body: tuple[c.Stmt, ...]
) -> tuple[c.Stmt, ...]:
    groups = _grouped(body)
    for i, (a, b) in enumerate(pairwise(groups)):
        if (a[0].span, b[0].span) == (one[0].span, other[0].span):
            groups[i], groups[i + 1] = b, a
            return tuple(step for group in groups for step in group)
    return body


def _of_program(program: c.Program, change: Change) -> c.Program:
    parts: dict[str, Any] = {
        name: _bodies(getattr(program, name), change) for name in ("setup", "hand", "between")
    }
    return replace(program, **parts)


def _bodies(body: tuple[c.Stmt, ...], change: Change) -> tuple[c.Stmt, ...]:
    """A body and those in it, all changed."""
    made: list[Any] = []
    for step in change(body):
        inner = {name: _bodies(getattr(step, name), change) for name in _STEPS if hasattr(step, name)}
        made.append(replace(step, **inner) if inner else step)
    return tuple(made)


def _everywhere(program: c.Program, node: Node, change: Change) -> c.Program:
    """The program with every copy of a node changed."""
    span, kind = getattr(node, "span", None), type(node)

    def changed(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(changed(part) for part in value)
        if not is_dataclass(value) or isinstance(value, Type | Span):
            return value
        found: Any = value
        if type(value) is kind and getattr(value, "span", None) == span and _alike(value, node):
            found = change(value)
            return found
        return replace(found, **{name: changed(getattr(found, name)) for name in field_names(found)})

    parts = {name: changed(getattr(program, name)) for name in ("setup", "hand", "between")}
    return replace(program, **parts)


def _alike(one: Node, other: Node) -> bool:
    """Whether two nodes of one place say the same in their own words: operators, values, names."""
    own = ("operator", "value", "offset", "highest", "zone", "attribute")
    plain = (int, bool, str, type(None))
    return all(
        getattr(one, name) == getattr(other, name)
        for name in own
        if hasattr(one, name) and isinstance(getattr(one, name), plain)
    )
