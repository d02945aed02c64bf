"""Choices of values as sentences: who chooses what, from what, and what must be true of the value chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from trickproof.english.coordination import chained, depth, is_chain, paired, short_first, simplified
from trickproof.english.inflection import said_of, such_that
from trickproof.english.noun_phrases import Nouns
from trickproof.english.referents import Ref, Scope
from trickproof.english.vocabulary import plain
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.syntax import ast as s


class Choices:
    """Choices of one ruleset in words."""

    def __init__(self, nouns: Nouns, clause: Callable[[s.Expr, Scope], str]) -> None:
        self._nouns, self._clause = nouns, clause
        self._context = nouns.context

    def sentence(self, t: s.Chooses, scope: Scope) -> str:
        """Who chooses what, from what, and what must be true of it."""
        actor = self._nouns.ref(t.actor, scope)
        inner = scope.acting(actor)
        target = self._nouns.noun(t.target, inner)
        if self._context.kind(t.target, scope) == "boolean":
            sentence = f"{actor.text} {self._yes_or_no(t, inner)}"
        else:
            sentence = f"{actor.text} chooses {target}"
        sentence += self._choice(t, inner)
        match t.condition:
            case None:
                return sentence
            case s.Binary("!=", chosen, value) if chosen == t.target and value != s.Nothing(value.span):
                return f"{sentence}, but not {self._nouns.noun(value, inner)}"
            case s.Unary("not", s.Apply(name, (who, chosen))) if (
                chosen == t.target and name.endswith("-from") and self._nouns.ref(who, scope) == actor
            ):
                return f"{sentence}, but not one that {said_of(name, ['they'], plural=True)}"
            case condition if must := self._must_be(t, condition, inner.saying_they()):
                return f"{sentence}, {must}"
            case condition if (clause := self._clause(condition, inner.saying_they())) != "always":
                return f"{sentence}, {such_that(clause)}"
            case _:
                return sentence

    def _must_be(self, t: s.Chooses, condition: s.Expr, scope: Scope) -> str:
        """What must be true of the value chosen, "which must be either 0 or more than the bid"; "" if it says something else."""
        chosen, simple = s.Name(_CHOSEN, t.span), simplified(condition)
        parts = [_about(part, t.target, chosen) for part in short_first(simple)]
        kind = self._context.kind(t.target, scope)
        known = scope.bind(_CHOSEN, Ref("it", kind))
        said = [self._nouns.tail(part, kind, known, _CHOSEN, False) for part in parts]
        if not all(x.startswith(" that is ") and "," not in x for x in said):
            return ""
        told = [
            paired(x.removeprefix(" that "), "and").removeprefix("is ") if depth(part) else x[9:]
            for x, part in zip(said, parts, strict=True)
        ]
        word = "or" if is_chain(simple, "or") else "and"
        if any(x.startswith("not ") for x in told[len(told) == 1 :]) or (
            word == "and" and any(map(depth, parts))
        ):
            return ""
        must = "which must not be " if told[0].startswith("not ") else "which must be "
        before = "" if len(told) == 1 else "either " if word == "or" else "both " * (len(told) == 2)
        return (
            must + before + chained(word, [x.removeprefix("not ") for x in told], either=False, within=True)
        )

    def _yes_or_no(self, t: s.Chooses, scope: Scope) -> str:
        """A decision about oneself is a clause: "decides whether they accept"."""
        name = t.target.function if isinstance(t.target, s.Apply) else getattr(t.target, "name", "")
        refs = self._nouns.refs(t.target, scope)
        if len(refs) == 1 and refs[0].kind == "player" and refs == [self._nouns.ref(t.actor, scope)]:
            return f"decides whether {said_of(name, ['they'], plural=True)}"
        return f"chooses “{plain(name)}” or not"

    def _choice(self, t: s.Chooses, scope: Scope) -> str:
        none = " or none" if t.or_none else ""
        if isinstance(t.domain, s.Range):
            low, high = (self._nouns.noun(e, scope) for e in (t.domain.low, t.domain.high))
            return f" from {low} to {high}{none}"
        if t.domain is not None:
            if self._context.kind(t.domain, scope) == "cards":
                return f" from the cards {self._nouns.place(t.domain, scope)}{none}"
            return f" from {self._nouns.noun(t.domain, scope)}{none}"
        option = self._context.file.options.get(self._context.kind(t.target, scope))
        if option is None:
            return none
        return f": {' or '.join(f'“{plain(v.value)}”' for v in option.values)}"


_CHOSEN = "the value chosen"
"""A name that no ruleset can have."""


def _about(node: Any, old: s.Expr, new: s.Expr) -> Any:
    """Part of a condition with another expression in the place of one."""
    if node == old:
        return new
    if isinstance(node, tuple):
        return tuple(_about(part, old, new) for part in node)
    if not is_dataclass(node) or isinstance(node, type | Span):
        return node
    return replace(node, **{f.name: _about(getattr(node, f.name), old, new) for f in fields(node)})
