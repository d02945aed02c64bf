"""A ruleset as a readable page: the course of a deal, in the order in which the core runs its rules.

Every rule is worded in plain English with its citations as footnotes, which paraphrase the cited statements;
assumptions, readings and gaps are marked in place. Standard rules are shown where a player needs them and
omitted where they only connect other rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from trickproof.analysis.usage import program_usage, usage_of
from trickproof.english.aspects import Cell, fact
from trickproof.english.inflection import listed, one_of
from trickproof.english.rules import Step, Worded, Words, sentence
from trickproof.english.vocabulary import WHEN, plain
from trickproof.equivalence.restatement import shown_restatements
from trickproof.reports.rulesets.rulesheet_examples import Examples, ExampleWords
from trickproof.reports.templates import page
from trickproof_dsl.files.model import Backing, DocumentFile, InvariantDecl, RuleDecl
from trickproof_dsl.library import PRELUDE, Ruleset

FORMATS = ("md", "html")
_FRAME = ("match-start", "hand", "before-play", "between-hands", "followed-suit", "under")
"""Standard rules that only connect other rules."""


@dataclass(frozen=True, slots=True)
class Footnote:
    """A citation on the page."""

    number: int
    cite: str
    says: str
    damaged: bool
    meant: str | None = None
    replaced: tuple[str, ...] = ()
    """Titles of the rules of the base that also cite the statement and that this ruleset replaces."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to read a rule: its only text, or a named reading."""

    name: str | None
    says: str
    steps: tuple[Step, ...]
    notes: tuple[Footnote, ...]
    assumes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One rule of the page; `assumes` pairs each assumption with its subject, "" for the rule itself."""

    rule: str
    title: str
    ways: tuple[Way, ...]
    notes: tuple[Footnote, ...]
    assumes: tuple[tuple[str, str], ...]
    gap: str | None = None
    restated: tuple[Way, ...] = ()
    """Other formulations of the rule that are proved equivalent."""


@dataclass(frozen=True, slots=True)
class Case:
    """A worked example on the page."""

    example: ExampleWords
    notes: tuple[Footnote, ...]


@dataclass(frozen=True, slots=True)
class Invariant:
    """What should always hold, and an introductory phrase that says when."""

    when: str
    text: str
    notes: tuple[Footnote, ...]
    assumes: tuple[str, ...]


def rulesheet(ruleset: Ruleset, format: str) -> str:
    """The page as Markdown (`md`) or as self-contained HTML (`html`).

    Raises ValueError for any other format.
    """
    if format not in FORMATS:
        raise ValueError(format)
    sheet = Sheet(ruleset)
    titles = {section.title for section in sheet.sections}

    def said(step: Step) -> str:
        """A step as a sentence; one that only calls for a section refers to it."""
        refers = step.call and sentence(step.call)[:-1] in titles
        return sentence(f"{step.text} (see below)" if refers else step.text)

    return page(
        f"rulesheet.{format}.jinja", sheet=sheet, said=said, sentence=sentence, plain=plain, listed=listed
    )


def _only_of_base(ruleset: Ruleset) -> list[str]:
    """What the sheet of the base has and this one does not: both are about the base's page."""
    if ruleset.base is None:
        return []
    own, base = ruleset.own, ruleset.base.own
    words = {"examples": (base.examples, own.examples), "known gaps": (base.known, own.known)}
    return [word for word, (before, now) in words.items() if before and not now]


class Sheet:
    """The data for the templates; footnotes are numbered in order of appearance."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset, self._words = ruleset, Words(ruleset.whole)
        self._numbers: dict[str, Footnote] = {}
        self._replaced = _replaced(ruleset)
        self._restated = shown_restatements(ruleset)
        self.title, self.id, self.extends = ruleset.title, ruleset.id, ruleset.extends
        self.facts = tuple(
            (name, cell, self._notes(cell.cites))
            for name, cell in (
                ("Players", _number_of_players(self._fact("players"))),
                ("Cards", self._fact("deck")),
            )
        )
        self.parameters = (*_parameters(ruleset), *self._words.starts())
        self.sections = self._sections()
        self.glossary = _glossary(self._words)
        known = {k.check.value for k in ruleset.own.known}
        holding = (x for name, x in ruleset.whole.invariants.items() if name not in known)
        self.invariants = tuple(map(self._invariant, holding))
        examples = Examples(self._words, ruleset.program.players)
        self.examples = tuple(
            Case(examples.example(e), self._notes(_cites([e.backing]))) for e in ruleset.own.examples
        )
        self.numbered = any(case.example.numbered for case in self.examples)
        self.known = tuple((k.check.value, k.reason.value) for k in ruleset.own.known)
        self.elsewhere = " and ".join(_only_of_base(ruleset))
        self.footnotes = tuple(self._numbers.values())
        cited = {note.cite.partition(".")[0] for note in self.footnotes}
        self.sources = tuple(
            _source(d) for name, d in self._documents.items() if name in cited or name in ruleset.documents
        )

    @property
    def _documents(self) -> dict[str, DocumentFile]:
        """The documents of the ruleset and of its bases, which may lie in other folders."""
        documents, one = dict(self._ruleset.documents), self._ruleset.base
        while one is not None:
            documents |= {name: d for name, d in one.documents.items() if name not in documents}
            one = one.base
        return documents

    def _fact(self, name: str) -> Cell:
        return fact(self._ruleset, name)

    def _notes(self, cites: Iterable[str]) -> tuple[Footnote, ...]:
        return tuple(
            sorted((self._note(cite) for cite in dict.fromkeys(cites)), key=lambda note: note.number)
        )

    def _note(self, cite: str) -> Footnote:
        if cite not in self._numbers:
            document, _, name = cite.partition(".")
            file = self._documents.get(document)
            cited = file.statements.get(name) if file else None
            number = len(self._numbers) + 1
            replaced = tuple(self._words.title(rule) for rule in self._replaced.get(cite, ()))
            if cited is None:
                self._numbers[cite] = Footnote(number, cite, "", False, None, replaced)
            else:
                self._numbers[cite] = Footnote(number, cite, cited.says, cited.damaged, cited.meant, replaced)
        return self._numbers[cite]

    # ----------------------------------------------------------------------------------------- sections

    def _sections(self) -> tuple[Section, ...]:
        rules = [self._ruleset.whole.rules[name] for name in [*self._words.course.rules, *self._beyond()]]
        texts = {rule.name.value: self._words.rule(rule.name.value, opened=True) for rule in rules}
        shown = [rule for rule in rules if self._is_shown(rule, texts[rule.name.value])]
        return tuple(self._section(rule, texts[rule.name.value]) for rule in shown)

    def _beyond(self) -> list[str]:
        """Rules that the game never reaches but an invariant mentions."""
        beyond: list[str] = []
        waiting = [n for i in self._ruleset.whole.invariants.values() for n in self._words.condition(i).named]
        while waiting:
            name = waiting.pop(0)
            if name not in beyond and name not in self._words.course.written:
                beyond.append(name)
                waiting += [n for text in self._words.rule(name) for n in text.named]
        return beyond

    def _invariant(self, invariant: InvariantDecl) -> Invariant:
        worded = self._words.condition(invariant)
        helpers = [self._ruleset.whole.rules[name].backing for name in worded.inlined]
        notes = self._notes(_cites([invariant.backing, *helpers]))
        assumes = tuple(w.value for w in invariant.backing.assumes)
        return Invariant(WHEN[invariant.when.value], worded.steps[0].text, notes, assumes)

    def _is_shown(self, rule: RuleDecl, texts: list[Worded]) -> bool:
        name = rule.name.value
        standard = rule.name.span.source.name == f"{PRELUDE}.yaml"
        if standard and (name in _FRAME or (texts and not self._words.happens(name))):
            return False
        return not (texts and self._words.is_inlined(name))

    def _section(self, rule: RuleDecl, texts: list[Worded]) -> Section:
        inlined = dict.fromkeys(name for text in texts for name in text.inlined)
        helpers = [self._ruleset.whole.rules[name] for name in inlined]
        notes = self._notes(_cites([rule.backing, *(h.backing for h in helpers)]))
        assumes = [("", w.value) for w in rule.backing.assumes]
        assumes += [(plain(h.name.value), w.value) for h in helpers for w in h.backing.assumes]
        gap = rule.silent.value if rule.silent else None if texts else "the ruleset gives no rule for this"
        name = rule.name.value
        distinct = tuple(dict.fromkeys(assumes))
        ways, restated = self._ways(rule, texts), self._restatements(name)
        return Section(name, self._title(name), ways, notes, distinct, gap, restated)

    def _restatements(self, rule: str) -> tuple[Way, ...]:
        """Other formulations of a rule, each as a single text."""
        ways = []
        for name in (name for name, other in self._restated.items() if other == rule):
            backing = self._ruleset.whole.rules[name].backing
            for text in self._words.rule(name, opened=True):
                assumes = tuple(w.value for w in backing.assumes)
                ways.append(Way(plain(name), "", text.steps, self._notes(_cites([backing])), assumes))
        return tuple(ways)

    def _title(self, name: str) -> str:
        return sentence(self._words.heading(name))[:-1]

    def _ways(self, rule: RuleDecl, texts: list[Worded]) -> tuple[Way, ...]:
        steps = [text.steps for text in texts]
        if not rule.readings:
            return tuple(Way(None, "", part, (), ()) for part in steps)
        return tuple(
            Way(
                plain(reading.name.value),
                reading.says.value if reading.says else "",
                part,
                self._notes(_cites([reading.backing])),
                tuple(w.value for w in reading.backing.assumes),
            )
            for reading, part in zip(rule.readings, steps, strict=True)
        )


def _replaced(ruleset: Ruleset) -> dict[str, list[str]]:
    """The statements that rules of the base cite and a house rule replaces, with the names of these rules.

    A ruleset with documents of its own says itself what its rules rest on.
    """
    replaced: dict[str, list[str]] = {}
    for name in ruleset.own.rules if ruleset.base is not None and not ruleset.own.documents else ():
        assert ruleset.base is not None
        rule, above = ruleset.own.rules[name], ruleset.base.whole.rules.get(name)
        backings = [] if above is None else [above.backing, *(x.backing for x in above.readings)]
        kept = _cites([rule.backing, *(x.backing for x in rule.readings)])
        for cite in dict.fromkeys(_cites(backings)):
            if cite not in kept:
                replaced.setdefault(cite, []).append(name)
    return replaced


def _cites(backings: Iterable[Backing]) -> list[str]:
    return [w.value for b in backings for w in b.cites]


def _number_of_players(cell: Cell) -> Cell:
    """The number after the heading "Players", which is not said twice."""
    return replace(cell, text=cell.text.replace(" players in ", ", in ").replace(" players", ""))


def _parameters(ruleset: Ruleset) -> tuple[tuple[str, str], ...]:
    """Headings and texts of the parameters that the game or its invariants use."""
    program = ruleset.program
    stated = usage_of(*(invariant.condition for invariant in program.invariants.values())).parameters
    used = program_usage(program).parameters | stated
    declared = ruleset.whole.parameters.values()
    return tuple(_parameter(p.name.value, p.values) for p in declared if p.name.value in used)


def _parameter(name: str, values: tuple[int, ...]) -> tuple[str, str]:
    heading = sentence(plain(name))[:-1]
    if len(values) == 1:
        return heading, str(values[0])
    if {*values} == {0, 1}:
        return "Option", f"{plain(name)}, {'if agreed' if values[0] == 0 else 'unless agreed otherwise'}"
    return heading, f"{one_of(values)}, as agreed ({values[0]} if nothing is agreed)"


def _glossary(words: Words) -> str:
    """What "up", "down" and "result" mean, as far as the rules define them; "" if no rule uses them."""
    if not words.spoken_of(["over", "under"]):
        return ""
    if words.counts_from_target():
        return (
            "a player's result is the tricks taken minus the target. "
            "A player with more is up, one with fewer is down."
        )
    return "a player whose result is above 0 is up, one whose result is below 0 is down."


_LANGUAGES = {
    "cs": "Czech", "da": "Danish", "de": "German", "es": "Spanish", "fr": "French", "hu": "Hungarian",
    "it": "Italian", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian", "sv": "Swedish",
}  # fmt: skip
"""Languages of documents, by their codes (ISO 639-1)."""


def _source(document: DocumentFile) -> str:
    """A document in one line."""
    parts = [document.title]
    parts += [f"by {document.author}"] if document.author else []
    language = document.language.partition("-")[0]
    parts += [] if language == "en" else [f"in {_LANGUAGES.get(language, f'the language `{language}`')}"]
    parts += [document.date] if document.date else []
    address = "://" in document.original if document.original else False
    parts += [f"{'at' if address else 'file'} {document.original}"] if document.original else []
    return f"{document.id.value}: {', '.join(parts)}"
