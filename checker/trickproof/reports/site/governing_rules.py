"""The rules that govern the steps of a deal, from a program that announces every rule it carries out.

Apart from these announcements, its states, events and decisions are those of the original program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.files.model import in_prelude
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.decisions import Decision
from trickproof_dsl.semantics.events import Event

Body = tuple[c.Stmt, ...]

CARRIED_OUT = "?rule "
"""Prefix of the announcements' names, which no ruleset can use."""


def announcing(ruleset: Ruleset) -> Ruleset:
    """The ruleset; its program announces, before each effect, the rules whose text or values produce it."""
    return replace(ruleset, program=replace(ruleset.program, hand=_body(ruleset.program.hand, "")))


def announced(event: Event) -> str | None:
    """The rule that an event announces; None for the game's own events."""
    return event.name.removeprefix(CARRIED_OUT) if event.name.startswith(CARRIED_OUT) else None


def governing(ruleset: Ruleset, answered: Decision | None, events: Iterable[Event]) -> tuple[str, ...]:
    """The rules of a step, without the standard ones: what limits the answered decision, then what is carried out."""
    names = ["" if answered is None else answered.rule, *map(announced, events)]
    rules = ruleset.whole.rules
    return tuple(
        name for name in dict.fromkeys(names) if name in rules and not in_prelude(rules[name].name.span)
    )


def _body(body: Body, rule: str) -> Body:
    return tuple(step for old in body for step in _step(old, rule))


def _step(t: c.Stmt, rule: str) -> Iterator[c.Stmt]:
    """Decisions announce nothing: each knows the rule that limits it."""
    match t:
        case c.InRule():
            yield replace(t, body=_body(t.body, t.rule))
        case c.ChooseCards() | c.ChooseValue():
            yield t
        case c.Branch():
            yield from _announcements(_valued(t.condition), t)
            yield replace(t, then=_body(t.then, rule), otherwise=_body(t.otherwise, rule))
        case c.Loop():
            yield from _announcements(_valued(t.domain, t.order), t)
            yield replace(t, body=_body(t.body, rule))
        case c.Until():
            yield from _announcements(_valued(t.condition, t.bound), t)
            yield replace(t, body=_body(t.body, rule))
        case _:
            yield from _announcements((rule, *_valued(t)), t)
            yield t


def _valued(*nodes: c.Stmt | c.Expr | c.Order) -> Iterator[str]:
    """The rules whose values are taken in some nodes."""
    return (node.rule for node in walk(*nodes) if isinstance(node, c.RuleValue))


def _announcements(rules: Iterable[str], t: c.Stmt) -> Iterator[c.Stmt]:
    return (c.Announce(CARRIED_OUT + rule, (), t.span) for rule in dict.fromkeys(rules))
