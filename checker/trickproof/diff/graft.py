"""Grafting: one ruleset with a rule of another in place of its own.

The rule brings along the helper rules that it calls and the declarations that it uses. A helper whose name
the host needs for its own version is renamed. Aspects that only one of the two reaches are left out of both;
they are compared separately.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from trickproof.diff.rule_dependencies import SECTIONS, Texts, same_text
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.elaboration.elaborate import elaborate
from trickproof_dsl.files.model import Backing, RuleDecl, RulesetFile
from trickproof_dsl.library import Ruleset

ASKED = ("lead", "targets")
"""Rules of a program that are also queried separately."""

MUTED = Source("nothing", "nothing happens")


class ShapeError(Exception):
    """A rule makes no sense in the other game; the message says why."""


@dataclass(frozen=True, eq=False)
class Graft:
    """`own` is the host unchanged, `taken` has the donor's rule; both declare the names of both rulesets."""

    host: Texts
    donor: Texts
    rule: str
    muted: frozenset[str]

    @cached_property
    def own(self) -> Ruleset:
        """The host itself, with the declarations of both. Raises ShapeError."""
        file = self._file({})
        if file == self.host.file:
            return self.host.ruleset
        key = self.muted, tuple(tuple(getattr(file, section)) for section in SECTIONS)
        if key not in self.host.grafted:
            self.host.grafted[key] = self._elaborated(file, own=True)
        return self.host.grafted[key]

    @cached_property
    def taken(self) -> Ruleset:
        """The host with the donor's rule. Raises ShapeError."""
        return self._elaborated(self._file(self._rules()))

    def _file(self, rules: dict[str, RuleDecl]) -> RulesetFile:
        whole, other = self.host.file, self.donor.file
        sections: dict[str, Any] = {section: self._section(section, whole, other) for section in SECTIONS}
        mute = {x: _mute(whole.rules[x]) for x in self.muted if x in whole.rules and not self._is_value(x)}
        return replace(whole, rules={**whole.rules, **rules, **mute}, **sections)

    def _is_value(self, rule: str) -> bool:
        """Whether a rule of the host only says something, so that nothing can be left out."""
        code = self.host.ruleset.program.rules.get(rule)
        return code is not None and code.value is not None

    def _section(self, section: str, whole: RulesetFile, other: RulesetFile) -> dict[str, object]:
        """The declarations of both; those that the rule uses must not conflict."""
        mine, theirs = getattr(whole, section), getattr(other, section)
        needed = {
            name for kind, name in self.donor.declared(self.donor.closure(self.rule)) if kind == section
        }
        for name in sorted(needed & mine.keys()):
            same = mine[name] == theirs[name]
            if section == "parameters":  # whichever is the default
                same = {*mine[name].values} == {*theirs[name].values}
            if not same:
                raise ShapeError(f"`{name}` is declared in two ways")
        if section == "moves":
            verbs = {move.verb.value: name for name, move in mine.items()}
            for name in sorted(needed):
                verb = theirs[name].verb.value
                if verbs.get(verb, name) != name:
                    raise ShapeError(f"`{verb}` is a verb of `{name}` and of `{verbs[verb]}`")
        return {**mine, **{name: theirs[name] for name in theirs if name in needed - mine.keys()}}

    def _rules(self) -> dict[str, RuleDecl]:
        """The rule and its helpers, renamed for the host; an empty rule if the donor never reaches it."""
        if not self.donor.happens(self.rule) and self.rule in self.host.file.rules:
            if self._is_value(self.rule):
                raise ShapeError(f"{self.donor.ruleset.id} does not ask for it by this name")
            return {self.rule: _mute(self.host.file.rules[self.rule])}
        names = [name for name in self.donor.closure(self.rule) if name in self.donor.file.rules]
        elsewhere = self.host.used_without(self.rule)
        new: dict[str, str] = {}
        unchanged: set[str] = set()
        for name in names[1:]:
            if same_text(self.host, self.donor, name) is not None:
                unchanged.add(name)
            elif name in self.host.file.rules and name in elsewhere:
                new[name] = f"{name}-taken-over"
        return {
            new.get(name, name): _renamed(self.donor.file.rules[name], new)
            for name in names
            if name not in unchanged
        }

    def _elaborated(self, file: RulesetFile, own: bool = False) -> Ruleset:
        program, wrong = elaborate(file, only=None if own else (self.rule, *ASKED))
        if program is None:
            raise ShapeError(wrong[0].message if wrong else "it has no meaning there")
        return replace(self.host.ruleset, whole=file, program=program)


@dataclass(frozen=True, eq=False)
class JointGraft:
    """A graft of several rules of the donor, one after another."""

    host: Texts
    donor: Texts
    rules: tuple[str, ...]
    muted: frozenset[str]

    @cached_property
    def own(self) -> Ruleset:
        """The host itself, with the declarations of both. Raises ShapeError."""
        texts = self.host
        for rule in self.rules:
            texts = Texts(Graft(texts, self.donor, rule, self.muted).own)
        return texts.ruleset

    @cached_property
    def taken(self) -> Ruleset:
        """The host with all of the donor's rules. Raises ShapeError."""
        texts = self.host
        for rule in self.rules:
            texts = Texts(Graft(texts, self.donor, rule, self.muted).taken)
        return texts.ruleset


def graft_of(host: Texts, donor: Texts, rules: tuple[str, ...], muted: frozenset[str]) -> Graft | JointGraft:
    """The host with one rule of the donor, or with several."""
    return Graft(host, donor, rules[0], muted) if len(rules) == 1 else JointGraft(host, donor, rules, muted)


def _mute(rule: RuleDecl) -> RuleDecl:
    """The same rule with an empty body."""
    span = Span(MUTED, 0, len(MUTED.text))
    return replace(rule, text=span, readings=(), silent=None, backing=Backing())


def _renamed(rule: RuleDecl, new: dict[str, str]) -> RuleDecl:
    if not new:
        return rule
    pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(new)))})(?![\w-])")

    def there(span: Span) -> Span:
        """The same region of the renamed text."""
        start, end = (_length(pattern, new, span.source.text[:at]) for at in (span.start, span.end))
        text = pattern.sub(lambda match: new[match[0]], span.source.text)
        return Span(Source(span.source.name, text), start, end)

    readings = tuple(replace(reading, text=there(reading.text)) for reading in rule.readings)
    name = replace(rule.name, value=new.get(rule.name.value, rule.name.value))
    return replace(rule, name=name, text=rule.text and there(rule.text), readings=readings)


def _length(pattern: re.Pattern[str], new: dict[str, str], text: str) -> int:
    return len(pattern.sub(lambda match: new[match[0]], text))
