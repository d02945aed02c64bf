"""A rule in plain English, from its syntax tree alone, without knowledge of any particular ruleset.

`Words(ruleset.whole)` words any rule of a ruleset for two purposes: steps for a rule sheet (`rule`), and one
paragraph for a table cell (`compact`). Phrases come from `procedures`, `sentences`, `clauses`, `comparisons`
and `noun_phrases`; `vocabulary` holds the standard words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from trickproof.english.inflection import article, listed, may_do, of_whom, said_of, small, title_of
from trickproof.english.procedures import Step, Steps
from trickproof.english.referents import LATELY, MARK, Context, Ref, Scope, nodes
from trickproof.english.rule_order import Course, course, does_anything, trees_of
from trickproof.english.values import NO_OPENING, Opening
from trickproof.english.vocabulary import ASPECTS, MEANINGS, OPENINGS, RULE_NOUNS, plain, role
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.files.model import InvariantDecl, RuleDecl, RulesetFile
from trickproof_dsl.syntax import ast as s
from trickproof_dsl.syntax.parser import parse_rule

__all__ = ["Step", "Worded", "Words", "compact", "sentence"]

_LATELY = " in the previous deal"
_CHOICES = ("follow", "may-lead")
"""Rules that determine which cards may be chosen."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A rule in words; `inlined` are the helper rules whose text it includes, `named` those it refers to."""

    steps: tuple[Step, ...]
    is_value: bool
    inlined: tuple[str, ...]
    named: tuple[str, ...]


class Words:
    """The rules of one composed ruleset in words."""

    def __init__(self, file: RulesetFile) -> None:
        self.file = file
        self.trees = trees_of(file)
        self.course: Course = course(file, self.trees)
        self._context = Context(file, self.trees)

    def rule(self, name: str, *, expand: bool = False, opened: bool = False) -> list[Worded]:
        """Each text of a rule: one, one per reading, or none.

        `expand` inlines helper procedures; `opened` turns a rule that is only a value into a sentence.
        """
        return [self._text(name, tree, expand, opened) for tree in self.trees.get(name, ())]

    def condition(self, invariant: InvariantDecl) -> Worded:
        """The condition that an invariant states."""
        return self._condition(invariant.text)

    def starts(self) -> Iterator[tuple[str, str]]:
        """What the ruleset's own variables are at first, and when, unless 0, false or none, and unless a rule sets them first."""
        set_first = self.course.written.get("hand", frozenset())
        for name, v in self.file.state.items():
            value, of = v.initial.value if v.initial else "0", [w.value for w in v.of]
            if (
                value not in ("0", "false", "none")
                and of in ([], ["player"])
                and v.type.value != "player"
                and name not in {*MEANINGS, *set_first}
                and self.spoken_of([name])
            ):
                text = f"{'every player has ' if of else ''}{name} = {value}"
                when = "the first" if v.carried else "every"
                said = self._condition(Span(Source("", text), 0, len(text)))
                yield f"At the start of {when} deal", said.steps[0].text

    def _condition(self, text: Span) -> Worded:
        tree, _ = parse_rule(text.source, text)
        assert isinstance(tree, s.Value)
        context = Context(self.file, self.trees)
        steps = (Steps(context).value(tree.expr, Scope()),)
        return _worded(steps, True, context)

    def happens(self, name: str) -> bool:
        """Whether the rule does anything or has a value."""
        return does_anything(self.trees.get(name, ()))

    def is_inlined(self, name: str) -> bool:
        """Whether other rules always inline a rule, so that it needs no place of its own."""
        return self._context.inlines(name)

    def holds_one(self, zone: str) -> bool:
        """Whether a zone never holds more than a card."""
        return self._context.holds_one(zone)

    def title(self, name: str) -> str:
        """A rule as a lower-case heading."""
        return title_of(name, self._context.kind_of_rule(name))

    def heading(self, name: str) -> str:
        """The heading of a rule's section: its title, or for a condition "when a player sits out"."""
        if self.kind(name) != "boolean" or not self.file.rules[name].parameters:
            return self.title(name)
        return f"when {said_of(name, self._introduced(name))}"

    def kind(self, name: str) -> str:
        """The type of a rule's value, "" for a procedure."""
        return self._context.kind_of_rule(name)

    def parameters(self, name: str) -> dict[str, tuple[str, str]]:
        """The wording and type of each parameter of a rule, by name; empty if there is no such rule."""
        rule = self.file.rules.get(name)
        if rule is None:
            return {}
        refs = zip(rule.parameters, _parameters(rule), strict=True)
        return {word.value: (ref.text, kind.value) for (kind, word), ref in refs}

    def is_standard(self, name: str) -> bool:
        """Whether a rule has a row in every table, or a standard phrase."""
        return name in ASPECTS or name in RULE_NOUNS

    def spoken_of(self, names: Sequence[str]) -> bool:
        """Whether a rule that a deal runs mentions one of these names."""
        return any(_is_named(x, names) for rule in self.course.rules for x in nodes(self.trees.get(rule, ())))

    def counts_from_target(self) -> bool:
        """Whether `over` is always exactly the tricks taken minus the same player's target."""
        return self._over_is_deviation

    @cached_property
    def _over_is_deviation(self) -> bool:
        """Cached: wording any rule needs it, and computing it visits all rules."""
        assignments = [
            x
            for rule in self.course.rules
            for x in nodes(self.trees.get(rule, ()))
            if isinstance(x, s.Becomes) and _is_named(x.target, ["over"])
        ]
        return bool(assignments) and all(_is_deviation(x) for x in assignments)

    # ----------------------------------------------------------------------------------- wording a rule

    def _text(self, name: str, tree: s.RuleText, expand: bool, opened: bool) -> Worded:
        context = Context(self.file, self.trees, self._past(name), expand, self.counts_from_target())
        steps, scope = Steps(context), self._scope(name)
        if isinstance(tree, s.Value):
            choice = name in _CHOICES
            opening = self._opening(name, choice) if opened else replace(NO_OPENING, choice=choice)
            return _worded((steps.value(tree.expr, scope, opening),), True, context)
        if name == "payout" and tree.body and not self.happens(name):
            return _worded((Step("nothing is paid"),), False, context)
        return _worded(steps.body(tree.body, scope), False, context)

    def _past(self, name: str) -> frozenset[str]:
        """Carried variables that still hold their values from the previous deal when the rule is run."""
        written = self.course.written.get(name)
        if written is None:
            return frozenset()
        return frozenset(v.name.value for v in self.file.state.values() if v.carried) - written

    def _opening(self, name: str, choice: bool) -> Opening:
        """The opening of a rule's sentence: "the match is won by …", "the dealer is out if …"."""
        if name in OPENINGS:
            return Opening(*OPENINGS[name], choice=choice, clause=True)
        rule = self.file.rules[name]
        if self._context.kind_of_rule(name) == "boolean":
            of = [f"the number {ref.text}" if len(ref.text) < 3 else ref.text for ref in _parameters(rule)]
            return Opening(said_of(name, of), "when ", choice=False)
        return Opening(self.label(name), choice=False)

    def label(self, name: str) -> str:
        """A rule with its parameters: "the points of a player", "the pulls for two players, …"."""
        rule = self.file.rules[name]
        refs, kinds = _parameters(rule), {kind.value for kind, _ in rule.parameters}
        if len(refs) > 1 and kinds == {"player"}:
            return f"{self.title(name)} for {small(len(refs))} players, {listed([ref.text for ref in refs])}"
        of = self._introduced(name)
        if name in RULE_NOUNS and of:
            return RULE_NOUNS[name].format(*of, was="is", lately="")
        if len(of) == 1 and (may := may_do(name, self._context.kind_of_rule(name))):
            return f"the cards {of[0]} {may}"
        return of_whom(self.title(name), listed(of)) if of else self.title(name)

    def _introduced(self, name: str) -> list[str]:
        """A rule's parameters on first mention."""
        rule = self.file.rules[name]
        known = zip(_parameters(rule), rule.parameters, strict=True)
        return [_introduced(ref, kind.value, word.value) for ref, (kind, word) in known]

    def _scope(self, name: str) -> Scope:
        """The scope of a rule's parameters; a single player with a one-letter name is "the player"."""
        rule = self.file.rules[name]
        scope = Scope()
        kinds = [kind.value for kind, _ in rule.parameters]
        for (kind, word), ref in zip(rule.parameters, _parameters(rule), strict=True):
            scope = scope.bind(word.value, ref)
            if kinds.count(kind.value) == 1:
                scope = scope.about(ref)
        return replace(scope, holder=scope.subjects.get("player"))


def _is_named(node: object, names: Sequence[str]) -> bool:
    return (isinstance(node, s.Name) and node.name in names) or (
        isinstance(node, s.Apply) and node.function in names
    )


def _is_deviation(t: s.Becomes) -> bool:
    match t.target, t.value:
        case s.Apply(_, of), s.Binary("-", s.Apply("tricks", a), s.Apply("target", b)):
            return of == a == b
        case _:
            return False


def _parameters(rule: RuleDecl) -> list[Ref]:
    """How a rule's text refers to its parameters."""
    kinds = [kind.value for kind, _ in rule.parameters]
    refs = []
    for kind, word in rule.parameters:
        alone, letter = kinds.count(kind.value) == 1, len(word.value) < 3
        if kind.value == "integer":
            text = word.value if letter else f"the {plain(word.value)}"
        elif kind.value == "player" and not letter:
            text = f"the {role(word.value)}"
        elif alone:
            text = f"the {plain(kind.value)}"
        else:
            text = f"{kind.value} {word.value}" if letter else f"the {kind.value} “{plain(word.value)}”"
        refs.append(Ref(text, kind.value, None if text.endswith("”") else f"{text}'s"))
    return refs


def _introduced(ref: Ref, kind: str, word: str) -> str:
    """A parameter on first mention: "a player", "a giver", "a number n"."""
    if kind == "integer":
        return f"a number {word}" if len(word) < 3 else f"a number “{plain(word)}”"
    if kind in ("cards", "players"):
        return ref.text.removeprefix("the ")
    return article(ref.text.removeprefix("the ")) if ref.text.startswith("the ") else ref.text


def _worded(steps: tuple[Step, ...], is_value: bool, context: Context) -> Worded:
    inlined, named = (tuple(dict.fromkeys(x)) for x in (context.inlined, context.named))
    return Worded(_finished(steps), is_value, inlined, named)


def sentence(text: str) -> str:
    """Capitalise a text, which may begin with brackets or a quotation mark, and add a full stop.

    A number that is called by a letter keeps its small one.
    """
    if not text:
        return text
    first, stop = len(text) - len(text.lstrip("(“")) + 1, "" if text[-1] in ".:!?" else "."
    if text[1:2] == " " and text[0] != "a":
        return text + stop
    return text[:first].upper() + text[first:] + stop


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
    """The steps without marks; "in the previous deal" is kept only at its first occurrence."""
    said = False

    def finish(step: Step) -> Step:
        nonlocal said
        text = step.text.replace(MARK, "")
        if LATELY in text and not said:
            text, said = text.replace(LATELY, _LATELY, 1), True
        return replace(step, text=text.replace(LATELY, ""), steps=tuple(finish(x) for x in step.steps))

    return tuple(finish(step) for step in steps)
