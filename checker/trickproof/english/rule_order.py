"""The order in which a ruleset runs its rules, read off the calls in the rule texts.

`course` promises every rule that can be reached, in the order in which a hand first comes to it; a rule that is not
in it is not part of the game.  For each it tells which variables the hand has written before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass

from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.elaboration.elaborate import PHASES, parse_texts
from trickproof_dsl.files.model import RulesetFile
from trickproof_dsl.syntax import ast as s

Trees = Mapping[str, tuple[s.RuleText, ...]]


@dataclass
class Course:
    """Rules in the order of a hand; `written` are the variables already written when a rule is first reached."""

    rules: list[str] = field(default_factory=list)
    written: dict[str, frozenset[str]] = field(default_factory=dict)


def trees_of(file: RulesetFile) -> Trees:
    """The syntax trees of every rule of a ruleset that has been loaded (so nothing is wrong with them)."""
    return parse_texts(file, [])


def course(file: RulesetFile, trees: Trees) -> Course:
    """What a hand runs, in order."""
    walk = _Walk(file, trees)
    for phase in PHASES:
        walk.enter(phase)
    return walk.course


class _Walk:
    def __init__(self, file: RulesetFile, trees: Trees) -> None:
        self._file, self._trees = file, trees
        self.course = Course()
        self._written: set[str] = set()

    def enter(self, rule: str) -> None:
        if rule in self.course.written or rule not in self._file.rules:
            return
        self.course.rules.append(rule)
        self.course.written[rule] = frozenset(self._written)
        parameters = frozenset(word.value for _, word in self._file.rules[rule].parameters)
        for tree in self._trees.get(rule, ()):
            self._node(tree, parameters)

    def _node(self, node: object, bound: frozenset[str]) -> None:
        """Whatever a node runs, in the order of its parts."""
        binder = getattr(node, "binder", None)
        inner = bound | {binder} if isinstance(binder, str) else bound
        match node:
            case s.Do(rule):
                self.enter(rule)
            case s.Name(name) | s.Apply(name) if name not in bound and not self._is_place(name):
                self.enter(name)
        for part in parts(node):
            self._node(part, inner)
        match node:
            case s.Becomes(s.Name(name) | s.Apply(name)) | s.Chooses(_, s.Name(name) | s.Apply(name)):
                self._written.add(name)

    def _is_place(self, name: str) -> bool:
        """A variable or zone may have the name of a rule that is only run, such as `trump`."""
        return name in self._file.state or name in self._file.zones


def parts(node: object) -> Iterator[object]:
    """The parts of a node, spans aside; a rule text, a statement, an expression or a tuple of them."""
    if isinstance(node, tuple):
        yield from node
    elif is_dataclass(node) and not isinstance(node, Span):
        for f in fields(node):
            if f.name != "span":
                yield getattr(node, f.name)
