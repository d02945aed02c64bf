"""The order in which a ruleset runs its rules, determined from the calls in the rule texts.

`course` contains every reachable rule, in the order in which a deal first reaches it; a rule outside it is
not part of the game. For each rule it gives the variables that the deal has written before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass

from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.elaboration.elaborate import PHASES, parse_texts
from trickproof_dsl.files.model import RulesetFile
from trickproof_dsl.syntax import ast as s

Trees = Mapping[str, tuple[s.RuleText, ...]]


@dataclass
class Course:
    """Rules in the order of a deal; `written` maps each to the variables written before it is first reached."""

    rules: list[str] = field(default_factory=list)
    written: dict[str, frozenset[str]] = field(default_factory=dict)


def trees_of(file: RulesetFile) -> Trees:
    """The syntax trees of every rule of a loaded, hence valid, ruleset."""
    return parse_texts(file, [])


def does_anything(trees: Iterable[s.RuleText]) -> bool:
    """Whether a rule does anything or has a value, by its texts."""
    return any(
        isinstance(tree, s.Value) or not all(isinstance(x, s.NothingHappens) for x in tree.body)
        for tree in trees
    )


def course(file: RulesetFile, trees: Trees) -> Course:
    """The rules that a deal runs, in order."""
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
        """Visit everything that a node runs, in the order of its parts."""
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
        """Whether a name is a variable or zone, which may share the name of a rule such as `trump`."""
        return name in self._file.state or name in self._file.zones


def parts(node: object) -> Iterator[object]:
    """The children of a node (a rule text, statement, expression or tuple), without spans."""
    if isinstance(node, tuple):
        yield from node
    elif is_dataclass(node) and not isinstance(node, Span):
        for f in fields(node):
            if f.name != "span":
                yield getattr(node, f.name)
