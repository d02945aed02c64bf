"""The parts of a ruleset that belong to a rule: its text and its helper rules, but not other aspects."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from trickproof.english.rule_order import Course, Trees, course, does_anything, parts, trees_of
from trickproof.english.vocabulary import ASPECTS
from trickproof.proofs import kernel
from trickproof.proofs.kernel import Theorem
from trickproof_dsl.elaboration.elaborate import PHASES
from trickproof_dsl.files.model import RulesetFile
from trickproof_dsl.library import Ruleset, prelude
from trickproof_dsl.syntax import ast as s

SECTIONS = ("state", "zones", "parameters", "options", "moves")
"""The sections of a file that declare the names used in rule texts."""


@dataclass(frozen=True, eq=False)
class Texts:
    """The rules of one ruleset as syntax trees."""

    ruleset: Ruleset
    grafted: dict[object, Ruleset] = field(default_factory=dict)
    """Memoised variants of the ruleset, with another's declarations added and some aspects left out."""
    forms: dict[object, list[Any]] = field(default_factory=dict)
    """Memoised normal forms of rules, with some aspects left out."""

    @property
    def file(self) -> RulesetFile:
        return self.ruleset.whole

    @cached_property
    def trees(self) -> Trees:
        return trees_of(self.file)

    @cached_property
    def course(self) -> Course:
        """The rules that a match reaches."""
        return course(self.file, self.trees)

    def happens(self, rule: str) -> bool:
        """Whether a match reaches the rule and it does anything or has a value, or is silent."""
        trees = self.trees.get(rule, ())
        return rule in self.course.written and (not trees or does_anything(trees))

    def closure(self, rule: str) -> tuple[str, ...]:
        """The rule and the helpers that it calls, directly or indirectly, in breadth-first order.

        Other aspects, and rules that belong to no aspect, are compared separately and excluded.
        """
        return self._closure(rule, {*ASPECTS, *self.beside_aspects})

    def _closure(self, rule: str, others: Collection[str]) -> tuple[str, ...]:
        names: dict[str, None] = {}
        waiting = [rule]
        while waiting:
            name = waiting.pop(0)
            if name not in names:
                names[name] = None
                waiting += [x for x in self.called(name) if x not in others]
        return tuple(names)

    def reaches(self, rule: str) -> frozenset[str]:
        """The rule and every rule that it calls, directly or indirectly."""
        names: set[str] = set()
        waiting = [rule]
        while waiting:
            name = waiting.pop()
            if name not in names:
                names.add(name)
                waiting += self.called(name)
        return frozenset(names)

    def called(self, rule: str) -> list[str]:
        """The rules that a rule's text calls; variables and zones may share the names of rules."""
        places = self.file.state.keys() | self.file.zones.keys()
        names = dict.fromkeys(_calls(self.trees.get(rule, ()), places))
        return [name for name in names if name in self.file.rules]

    def named(self, rule: str, muted: Collection[str] = ()) -> list[str]:
        """Every name in a rule's text, in order; steps that run a `muted` rule are skipped."""
        trees = tuple(_without(tree, muted) for tree in self.trees.get(rule, ()))
        return list(dict.fromkeys(_names(trees)))

    def declared(self, rules: tuple[str, ...], muted: Collection[str] = ()) -> dict[tuple[str, str], object]:
        """The declarations of the names in some rules, and of their types and zones, by section and name."""
        words = {word for rule in rules for word in self.named(rule, muted)}
        for word in sorted(words):
            if word in self.file.state:
                kinds = self.file.state[word]
                words |= {kinds.type.value, *(owner.value for owner in kinds.of)}
        for move in self.file.moves.values():
            if move.to is not None and {move.name.value, move.verb.value} & words:
                words.add(move.to.value)
        declarations: dict[tuple[str, str], object] = {}
        for section in SECTIONS:
            for name, declared in getattr(self.file, section).items():
                verb = declared.verb.value if section == "moves" else name
                values = {word.value for word in declared.values} if section == "options" else set()
                if {name, verb, *values} & words:
                    declarations[(section, name)] = declared
        return declarations

    def used_without(self, rule: str) -> frozenset[str]:
        """The rules that a match reaches if one rule is left out."""
        names: set[str] = set()
        waiting = list(PHASES)
        while waiting:
            name = waiting.pop()
            if name not in names and name != rule and name in self.file.rules:
                names.add(name)
                waiting += self.called(name)
        return frozenset(names)

    @cached_property
    def beside_aspects(self) -> list[str]:
        """Rules that a match reaches and that belong to no aspect, in match order.

        What only has a value, and is no rule of the standard vocabulary, belongs to the rules that use it.
        """
        known = [aspect for aspect in ASPECTS if aspect in self.file.rules]
        inside = {name for aspect in known for name in self._closure(aspect, ASPECTS)}
        return [name for name in self.course.rules if name not in inside and not self._is_used_only(name)]

    def _is_used_only(self, name: str) -> bool:
        trees = self.trees.get(name, ())
        return name not in prelude().rules and any(isinstance(tree, s.Value) for tree in trees)


def _calls(node: object, places: Collection[str]) -> Iterator[str]:
    match node:
        case s.Do(rule):
            yield rule
        case s.Name(name) | s.Apply(name) if name not in places:
            yield name
    for part in parts(node):
        yield from _calls(part, places)


def _names(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    for part in parts(node):
        yield from _names(part)


def same_text(one: Texts, other: Texts, rule: str, muted: Collection[str] = ()) -> Theorem | None:
    """A rule's text is identical in both, with everything that it calls and declares; None if it is not.

    Steps that run a `muted` rule are skipped.
    """
    mine, theirs = (_all_said(texts, rule, muted) for texts in (one, other))
    return kernel.equivalence("the same rule", (mine, theirs))


def _all_said(texts: Texts, rule: str, muted: Collection[str]) -> object:
    rules = texts.closure(rule)
    return {name: _said(texts, name, muted) for name in rules}, texts.declared(rules, muted)


def _said(texts: Texts, rule: str, muted: Collection[str]) -> object:
    decl = texts.file.rules.get(rule)
    if decl is None:
        return None
    parameters = tuple((kind.value, name.value) for kind, name in decl.parameters)
    readings = tuple(reading.name.value for reading in decl.readings)
    trees = tuple(_without(tree, muted) for tree in texts.trees.get(rule, ()))
    return trees, parameters, readings, decl.silent is not None


def _without(tree: s.RuleText, muted: Collection[str]) -> s.RuleText:
    """A procedure without its top-level steps that run the given rules."""
    if not muted or not isinstance(tree, s.Procedure):
        return tree
    return replace(tree, body=tuple(x for x in tree.body if not (isinstance(x, s.Do) and x.rule in muted)))
