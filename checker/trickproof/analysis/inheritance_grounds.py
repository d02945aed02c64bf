"""Grounds for the rules that a documented ruleset inherits: what `inherits:` says, and the rules it leaves without grounds.

A ruleset is documented if it names documents of its own; a house rule over it inherits the same rules on the
same grounds, and everything else freely.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trickproof.analysis.usage import program_usage
from trickproof_dsl import core as c
from trickproof_dsl.core.traversal import Node, parts
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.files.model import InheritsDecl, in_prelude
from trickproof_dsl.library import Ruleset

FACTS = ("players", "deck")
"""What a base states in sections of its own, and a variant inherits like a rule."""


_PLAYERS = "players"
"""Stands for the players, for rules that iterate over them."""


@dataclass(frozen=True, slots=True)
class Inherited:
    """A rule of the base (or `players` or `deck`) that holds in a variant: where it is stated, and the grounds, if any."""

    rule: str
    where: Span
    grounds: tuple[InheritsDecl, ...]


def variant_of(ruleset: Ruleset) -> Ruleset | None:
    """The documented variant that a ruleset is or modifies; None if it goes back to main rules."""
    level = ruleset
    while level.base is not None and not level.own.documents:
        level = level.base
    return level if level.base is not None else None


def inherited(ruleset: Ruleset) -> dict[str, Inherited]:
    """The rules that the documented variant inherits and the ruleset does not replace, by name."""
    variant = variant_of(ruleset)
    if variant is None:
        return {}
    stated = _stated(ruleset, variant)
    whole = ruleset.whole
    places = {name: part.span for name, part in (("players", whole.players), ("deck", whole.deck)) if part}
    places |= {name: rule.name.span for name, rule in whole.rules.items()}
    return {
        name: Inherited(name, span, _grounds(variant, name))
        for name, span in places.items()
        if name not in stated and not in_prelude(span)
    }


def _stated(ruleset: Ruleset, variant: Ruleset) -> set[str]:
    """What a ruleset and its bases, up to the variant, state themselves."""
    stated: set[str] = set()
    level: Ruleset | None = ruleset
    while level is not None:
        own = level.own
        stated |= own.rules.keys() | {
            n for n, part in zip(FACTS, (own.players, own.deck), strict=True) if part
        }
        level = level.base if level is not variant else None
    return stated


def _grounds(variant: Ruleset, name: str) -> tuple[InheritsDecl, ...]:
    """The entries that name a rule; if there are none, those that name no rule."""
    entries = variant.own.inherits
    named = tuple(entry for entry in entries if any(word.value == name for word in entry.rules))
    return named or tuple(entry for entry in entries if not entry.rules)


# ------------------------------------------------------------------------------------ what has changed


def changed_words(ruleset: Ruleset, rule: str) -> tuple[str, ...]:
    """What an inherited rule mentions that the documented variant has changed, in card players' terms."""
    variant = variant_of(ruleset)
    if variant is None or variant.base is None:
        return ()
    spoken = _spoken_of(variant.program, rule)
    return tuple(what for what, names in _changes(variant, variant.base) if names & spoken)


def _changes(variant: Ruleset, base: Ruleset) -> Iterator[tuple[str, frozenset[str]]]:
    """What a variant changes that many rules depend on, and the words by which they mention it."""
    mine, theirs = variant.program, base.program
    players = mine.players != theirs.players
    if players:
        yield "the number of players", frozenset({_PLAYERS})
    if "targets" in variant.own.rules:
        yield "the targets", frozenset({"target", "over"})
    if players or "deal" in variant.own.rules or len(mine.deck.cards) != len(theirs.deck.cards):
        yield "the tricks in a deal", frozenset({"tricks", "hand-size"})
    if "kitty" in program_usage(theirs).rules - program_usage(mine).rules:
        yield "the kitty", frozenset({"kitty", "picked-up"})


def _spoken_of(program: c.Program, rule: str) -> set[str]:
    """Variables and zones in a rule's own text, excluding rules that it calls; `_PLAYERS` if it deals with sets of players."""
    code = program.rules.get(rule)
    if code is None:
        return set()
    spoken: set[str] = set()
    for node in _own_nodes(code.body or (code.value,), rule):
        match node:
            case c.Variable():
                spoken.add(node.name)
            case c.Assign():
                spoken.add(node.variable)
            case c.ZoneCards():
                spoken.add(node.zone)
        if getattr(node, "type", None) == c.PLAYERS:
            spoken.add(_PLAYERS)
    return spoken


def _own_nodes(nodes: Iterable[Node], rule: str) -> Iterator[Node]:
    for node in nodes:
        if node is not None and not (isinstance(node, c.InRule | c.RuleValue) and node.rule != rule):
            yield node
            yield from _own_nodes(parts(node), rule)
