"""A rule in plain English, from its syntax tree alone: no ruleset is known here.

`Words(ruleset.whole)` puts any rule of a ruleset into words, for two readers: steps for a rule sheet (`rule`), and
one paragraph for a cell of a table (`compact`).  The English of single phrases is made by `words_steps`,
`words_acts`, `words_clauses`, `words_comparisons` and `words_nouns`; `words_vocabulary` holds the standard words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trickproof.course import Course, course, trees_of
from trickproof.words_scope import LATELY, MARK, Context, Ref, Scope
from trickproof.words_steps import Step, Steps
from trickproof.words_vocabulary import OPENINGS, plain
from trickproof_dsl import syntax as s
from trickproof_dsl.document import RulesetFile

__all__ = ["Step", "Worded", "Words", "compact", "sentence"]

_LATELY = " in the last hand"


@dataclass(frozen=True, slots=True)
class Worded:
    """A rule in words; `inlined` are the helper rules whose text is part of it."""

    steps: tuple[Step, ...]
    is_value: bool
    inlined: tuple[str, ...]


class Words:
    """The rules of one composed ruleset in words."""

    def __init__(self, file: RulesetFile) -> None:
        self.file = file
        self.trees = trees_of(file)
        self.course: Course = course(file, self.trees)

    def rule(self, name: str, *, expand: bool = False) -> list[Worded]:
        """Each text of a rule: one, one for each reading, or none.  `expand` takes helper rules into the text."""
        return [self._text(name, tree, expand) for tree in self.trees.get(name, ())]

    def happens(self, name: str) -> bool:
        """Whether the rule does or says anything."""
        return any(
            isinstance(t, s.Value) or not all(isinstance(x, s.NothingHappens) for x in t.body)
            for t in self.trees.get(name, ())
        )

    def _text(self, name: str, tree: s.RuleText, expand: bool) -> Worded:
        context = Context(self.file, self.trees, self._past(name), expand)
        steps = Steps(context)
        scope = self._scope(name)
        if isinstance(tree, s.Value):
            made: tuple[Step, ...] = (steps.value(tree.expr, scope),)
        else:
            made = steps.body(tree.body, scope)
        return Worded(_finished(made), isinstance(tree, s.Value), tuple(dict.fromkeys(context.inlined)))

    def _past(self, name: str) -> frozenset[str]:
        """Carried variables that still hold what the last hand left when the rule is run."""
        written = self.course.written.get(name)
        if written is None:
            return frozenset()
        return frozenset(v.name.value for v in self.file.state.values() if v.carried) - written

    def _scope(self, name: str) -> Scope:
        """The parameters of a rule by their own names; a lone player called by a letter is "the player"."""
        scope = Scope()
        parameters = self.file.rules[name].parameters
        kinds = [kind.value for kind, _ in parameters]
        for kind, word in parameters:
            text = f"the {plain(word.value)}" if len(word.value) > 2 else f"the {plain(kind.value)}"
            text = f"the number {word.value}" if text == "the integer" else text
            ref = Ref(text, kind.value, f"{text}'s")
            scope = scope.bind(word.value, ref)
            if kinds.count(kind.value) == 1:
                scope = scope.about(ref)
        return scope


def opened(rule: str, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps of a rule that gives a value, with the words such a rule begins with on a rule sheet."""
    first, *rest = steps
    return (replace(first, text=OPENINGS.get(rule, "") + first.text), *rest)


def sentence(text: str) -> str:
    """A capital at the start and a stop at the end."""
    if not text:
        return text
    stop = "" if text[-1] in ".:!?" else "."
    return text[0].upper() + text[1:] + stop


def compact(steps: Sequence[Step]) -> str:
    """Steps as one paragraph."""
    return " ".join(
        sentence(f"then {_flat(step)}" if step.call and i else _flat(step)) for i, step in enumerate(steps)
    )


def _flat(step: Step) -> str:
    if not step.steps:
        return step.text
    parts = []
    for i, inner in enumerate(step.steps):
        text = _flat(inner)
        last = i + 1 == len(step.steps)
        text = f"({text})" if inner.steps and not last else text
        parts.append(text if i == 0 else f"; {text}" if inner.otherwise else f"; then {text}")
    return f"{step.text}: {''.join(parts)}"


def _finished(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps without marks; "in the last hand" stays where it is first said."""
    said = False

    def finish(step: Step) -> Step:
        nonlocal said
        text = step.text.replace(MARK, "")
        if LATELY in text and not said:
            text, said = text.replace(LATELY, _LATELY, 1), True
        return replace(step, text=text.replace(LATELY, ""), steps=tuple(finish(x) for x in step.steps))

    return tuple(finish(step) for step in steps)
