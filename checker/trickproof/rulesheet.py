"""A ruleset as a page that a player can read: the course of a hand in the order the core runs its rules.

Every rule stands in plain words with its citations as footnotes (what the cited statements say, in our own words);
assumptions, readings and gaps are marked where they are.  Rules of the standard vocabulary are shown where a player
needs them and left out where they only hold the others together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trickproof.aspects import Cell, fact
from trickproof.templates import page
from trickproof.words import Step, Worded, Words, sentence
from trickproof.words_vocabulary import plain
from trickproof_dsl.document import Backing, DocumentFile, RuleDecl
from trickproof_dsl.load import PRELUDE, Ruleset

FORMATS = ("md", "html")
_FRAME = ("match-start", "hand", "before-play", "between-hands", "followed-suit", "under")
"""Standard rules that only hold the others together."""


@dataclass(frozen=True, slots=True)
class Footnote:
    """A citation of the page."""

    number: int
    cite: str
    says: str
    damaged: bool


@dataclass(frozen=True, slots=True)
class Way:
    """One way to take a rule: its only text, or a reading with a name."""

    name: str | None
    says: str
    steps: tuple[Step, ...]
    notes: tuple[Footnote, ...]
    assumes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One rule of the page."""

    title: str
    ways: tuple[Way, ...]
    notes: tuple[Footnote, ...]
    assumes: tuple[str, ...]
    gap: str | None = None


def rulesheet(ruleset: Ruleset, format: str) -> str:
    """The page, as Markdown (`md`) or as a self-contained `html` page."""
    if format not in FORMATS:
        raise ValueError(format)
    return page(f"rulesheet.{format}.jinja", sheet=_Sheet(ruleset), sentence=sentence, plain=plain)


class _Sheet:
    """What the templates show; footnotes are numbered in the order of the page."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset, self._words = ruleset, Words(ruleset.whole)
        self._numbers: dict[str, Footnote] = {}
        self.title, self.id, self.extends = ruleset.title, ruleset.id, ruleset.extends
        self.facts = tuple(
            (name, cell, self._notes(cell.cites))
            for name, cell in (("Players", self._fact("players")), ("Cards", self._fact("deck")))
        )
        self.parameters = tuple(_parameter(p.name.value, p.values) for p in ruleset.whole.parameters.values())
        self.sections = self._sections()
        self.up_and_down = self._words.counts_from_target() and any(
            _speaks(s, ("up", "down", "result")) for x in self.sections for w in x.ways for s in w.steps
        )
        self.invariants = tuple(
            (self._words.condition(i).steps[0].text, self._notes(_cites([i.backing])))
            for i in ruleset.whole.invariants.values()
        )
        self.examples = tuple(
            (plain(e.name.value), self._notes(_cites([e.backing])), e.known.value if e.known else None)
            for e in ruleset.own.examples
        )
        self.known = tuple((k.check.value, k.reason.value) for k in ruleset.own.known)
        self.footnotes = tuple(self._numbers.values())
        self.sources = tuple(_source(d) for d in ruleset.documents.values())

    def _fact(self, name: str) -> Cell:
        return fact(self._ruleset, name)

    def _notes(self, cites: Iterable[str]) -> tuple[Footnote, ...]:
        return tuple(
            sorted((self._note(cite) for cite in dict.fromkeys(cites)), key=lambda note: note.number)
        )

    def _note(self, cite: str) -> Footnote:
        if cite not in self._numbers:
            document, _, name = cite.partition(".")
            file = self._ruleset.documents.get(document)
            found = file.statements.get(name) if file else None
            says, damaged = (found.says, found.damaged) if found else ("", False)
            self._numbers[cite] = Footnote(len(self._numbers) + 1, cite, says, damaged)
        return self._numbers[cite]

    # ----------------------------------------------------------------------------------------- sections

    def _sections(self) -> tuple[Section, ...]:
        rules = [self._ruleset.whole.rules[name] for name in self._words.course.rules]
        texts = {rule.name.value: self._words.rule(rule.name.value, opened=True) for rule in rules}
        shown = [rule for rule in rules if self._is_shown(rule, texts[rule.name.value])]
        return tuple(self._section(rule, texts[rule.name.value]) for rule in shown)

    def _is_shown(self, rule: RuleDecl, texts: list[Worded]) -> bool:
        name = rule.name.value
        standard = rule.name.span.source.name == f"{PRELUDE}.yaml"
        if standard and (name in _FRAME or (texts and not self._words.happens(name))):
            return False
        return not (texts and self._words.is_inlined(name))

    def _section(self, rule: RuleDecl, texts: list[Worded]) -> Section:
        backings = [rule.backing]
        for text in texts:
            backings += [self._ruleset.whole.rules[name].backing for name in text.inlined]
        notes = self._notes(_cites(backings))
        assumes = tuple(dict.fromkeys(w.value for b in backings for w in b.assumes))
        gap = rule.silent.value if rule.silent else None if texts else "the ruleset gives no rule for this"
        return Section(self._title(rule.name.value), self._ways(rule, texts), notes, assumes, gap)

    def _title(self, name: str) -> str:
        title = self._words.title(name)
        return title[0].upper() + title[1:]

    def _ways(self, rule: RuleDecl, texts: list[Worded]) -> tuple[Way, ...]:
        steps = [text.steps for text in texts]
        if not rule.readings:
            return tuple(Way(None, "", made, (), ()) for made in steps)
        return tuple(
            Way(
                plain(reading.name.value),
                reading.says.value if reading.says else "",
                made,
                self._notes(_cites([reading.backing])),
                tuple(w.value for w in reading.backing.assumes),
            )
            for reading, made in zip(rule.readings, steps, strict=True)
        )


def _cites(backings: Iterable[Backing]) -> list[str]:
    return [w.value for b in backings for w in b.cites]


def _parameter(name: str, values: tuple[int, ...]) -> str:
    if len(values) == 1:
        return f"{plain(name)}: {values[0]}"
    told = " or ".join(map(str, values)) if len(values) < 5 else f"{values[0]} to {values[-1]}"
    return f"{plain(name)}: {told} (unless agreed otherwise {values[0]})"


def _speaks(step: Step, words: tuple[str, ...]) -> bool:
    said = step.text.replace(",", " ").split()
    return any(w in said for w in words) or any(_speaks(x, words) for x in step.steps)


def _source(document: DocumentFile) -> str:
    """A document in one line."""
    parts = [document.title]
    parts += [f"by {document.author}"] if document.author else []
    parts += [f"language {document.language}"]
    parts += [document.date] if document.date else []
    parts += [f"file {document.original}"] if document.original else []
    return f"{document.id.value}: {', '.join(parts)}"
