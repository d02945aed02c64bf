"""Loading rulesets by name: the facade over all stages from files to the core program.

A `Library` decodes files, merges them along `extends:`, checks their citations and elaborates their rules.
Loading returns a value and diagnostics and never raises on bad input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from textwrap import dedent

from trickproof_dsl import core
from trickproof_dsl.core.traversal import walk
from trickproof_dsl.diagnostics.catalogue import did_you_mean, error, meant
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.elaboration.elaborate import elaborate
from trickproof_dsl.files.decode_document import decode_document
from trickproof_dsl.files.decode_ruleset import decode_ruleset, decode_with_rules
from trickproof_dsl.files.inheritance import compose
from trickproof_dsl.files.model import PRELUDE_FILE, Backing, DocumentFile, RulesetFile
from trickproof_dsl.files.ruleset_folders import RulesetFolders, is_file
from trickproof_dsl.files.yaml_tree import MAX_ERRORS, first_errors, read_source
from trickproof_dsl.syntax.ast import Value
from trickproof_dsl.syntax.error_examples import USUAL_RULES
from trickproof_dsl.syntax.parse_errors import in_the_rule
from trickproof_dsl.syntax.parser import parse_rule

PRELUDE = "prelude"

LONGEST_NAME = 4096
"""Maximum length, in characters, of a ruleset's name, id or path; no system opens a longer path."""


@dataclass(frozen=True)
class Ruleset:
    """A loaded ruleset: the file itself (`own`), merged with its bases (`whole`), and its meaning (`program`).

    `named` is its name in scenarios: the id, or the path of a file that is in no folder of the library.
    """

    id: str
    named: str
    path: Path
    own: RulesetFile
    whole: RulesetFile
    program: core.Program
    base: Ruleset | None
    documents: dict[str, DocumentFile]

    @property
    def title(self) -> str:
        """The title; a file over a base that states none has its base's, and its own id to tell them apart."""
        if self.own.title is None and self.base is not None:
            return f"{self.base.title}: {self.id}"
        return self.whole.title.value if self.whole.title else self.id

    @property
    def extends(self) -> str | None:
        return self.base.id if self.base else None


@dataclass
class Library(RulesetFolders):
    """Folders of rulesets and what is loaded from them; a file is loaded once.

    `texts` replace the content of the files at those paths (resolved), such as unsaved text in an editor.
    """

    texts: Mapping[Path, str] = field(default_factory=dict, repr=False)
    _loaded: dict[Path, tuple[Ruleset | None, list[Diagnostic]]] = field(
        default_factory=dict, init=False, repr=False
    )
    _documents: dict[Path, tuple[DocumentFile | None, list[Diagnostic]]] = field(
        default_factory=dict, init=False, repr=False
    )

    # ---------------------------------------------------------------------------------------- loading

    def load(self, name: str) -> tuple[Ruleset | None, list[Diagnostic]]:
        """A ruleset by id or by path."""
        if len(name) > LONGEST_NAME:
            return None, [error("E424", None, name=name, length=len(name), limit=LONGEST_NAME)]
        if self.is_path(name):
            return self._load_path(Path(name), name, ())
        paths = self.ruleset_paths()
        if name in paths:
            return self._load_path(paths[name], self.shown(paths[name]), ())
        return None, [error("E401", None, name=name, help=meant(did_you_mean(name, paths)))]

    def is_path(self, name: str) -> bool:
        """Whether a name is a path (with a slash, or ending in .yaml) rather than an id."""
        return "/" in name or "\\" in name or name.endswith((".yaml", ".yml"))

    def load_text(self, text: str, name: str) -> tuple[Ruleset | None, list[Diagnostic]]:
        """A ruleset from its text; `name` is the file's name in messages."""
        return self._load_source(Source(name, text), Path(name), ())

    def document(self, name: str, beside: Path | None = None) -> tuple[DocumentFile | None, list[Diagnostic]]:
        """A registered document by id; a folder `documents` next to the ruleset takes precedence."""
        paths = self.document_paths()
        if beside is not None and is_file(beside / "documents" / f"{name}.yaml"):
            paths = {**paths, name: beside / "documents" / f"{name}.yaml"}
        if name not in paths:
            return None, []
        path = paths[name]
        if path not in self._documents:
            source = self._source(path, self.shown(path))
            self._documents[path] = (
                decode_document(source) if isinstance(source, Source) else (None, [source])
            )
        return self._documents[path]

    def _source(self, path: Path, name: str) -> Source | Diagnostic:
        text = self.texts.get(path.resolve()) if self.texts else None
        return read_source(path, name) if text is None else Source(name, text)

    def _load_path(
        self, path: Path, name: str, chain: tuple[Path, ...]
    ) -> tuple[Ruleset | None, list[Diagnostic]]:
        try:
            key = path.resolve()
        except (OSError, ValueError, RuntimeError):  # not a valid file name, or symbolic links form a cycle
            return None, [error("E001", None, file=name)]
        if key not in self._loaded:
            source = self._source(path, name)
            if not isinstance(source, Source):
                return None, [source]
            self._loaded[key] = self._load_source(source, path, (*chain, key))
        return self._loaded[key]

    def _load_source(
        self, source: Source, path: Path, chain: tuple[Path, ...]
    ) -> tuple[Ruleset | None, list[Diagnostic]]:
        own, wrong, rules = decode_with_rules(source)
        base, problems = self._base(own, path, chain) if own is not None else (None, [])
        if own is None or (own.extends is not None and base is None):
            in_rules = [
                in_the_rule(d, name, text)
                for name, text in rules[:MAX_ERRORS]
                for d in parse_rule(source, text)[1]
            ]
            return None, [*problems, *first_errors([*wrong, *in_rules])]
        below = base.whole if base else prelude()
        whole, problems = compose(own, below)
        wrong += problems
        documents = self._cited(own, whole, path, wrong)
        wrong += _unbacked(own)
        wrong += _contrary(own)
        program, problems = elaborate(whole, added=own.rules.keys() - below.rules.keys())
        wrong += problems
        if program is None or wrong:
            return None, first_errors(_as_in_base(_nearest(wrong, own), own, below))
        whole, program = _without_meaningless(own, whole, program)
        known = self.ruleset_paths().get(path.stem) == path
        named = own.id.value if known else source.name
        id_ = path.name if base is not None and base.id == own.id.value else own.id.value
        return Ruleset(id_, named, path, own, whole, program, base, documents), []

    def _base(
        self, own: RulesetFile, path: Path, chain: tuple[Path, ...]
    ) -> tuple[Ruleset | None, list[Diagnostic]]:
        if own.extends is None:
            return None, []
        place = self.base_path(own.extends, path, chain)
        if isinstance(place, Diagnostic):
            return None, [place]
        return self._load_path(place, self.shown(place), chain)

    # -------------------------------------------------------------------------------------- citations

    def _cited(
        self, own: RulesetFile, whole: RulesetFile, path: Path, wrong: list[Diagnostic]
    ) -> dict[str, DocumentFile]:
        """The documents of a ruleset; reports missing documents, and cited statements that they do not have."""
        tried: dict[str, DocumentFile | None] = {}
        for word in whole.documents:
            self._register(word.value, word.span if own.documents else None, path, tried, wrong)
        for backing in backings(own):
            for cite in (*backing.cites, *backing.contradicts):
                document, _, statement = cite.value.partition(".")
                self._register(document, cite.span, path, tried, wrong)
                file = tried.get(document)
                if file is not None and statement not in file.statements:
                    help_ = _cited(statement, [*file.statements])
                    wrong.append(error("E404", cite.span, document=document, name=statement, help=help_))
        return {name: file for name, file in tried.items() if file is not None}

    def _register(
        self,
        name: str,
        span: Span | None,
        path: Path,
        tried: dict[str, DocumentFile | None],
        wrong: list[Diagnostic],
    ) -> None:
        """Load a document once; `span` is where the ruleset itself names it."""
        if name in tried or len(wrong) > MAX_ERRORS:
            return
        tried[name], problems = self.document(name, path.parent)
        wrong += problems
        if tried[name] is None and not problems and span is not None:
            known = self.document_paths()
            listed = (
                f"registered documents include {', '.join(f'`{one}`' for one in sorted(known)[:8])}"
                if known
                else None
            )
            wrong.append(error("E403", span, name=name, help=meant(did_you_mean(name, known)) or listed))


def _without_meaningless(
    own: RulesetFile, whole: RulesetFile, program: core.Program
) -> tuple[RulesetFile, core.Program]:
    """Drop open parameters and readings of a base that this file leaves no rule in use to depend on.

    The program also drops the rules that depend on them; the file keeps them, with what their text mentions,
    for rulesets that extend it.
    """
    codes = {name: (rule.body, rule.value) for name, rule in program.rules.items()}
    asking = {name: _asked(code) for name, code in codes.items()}
    conditions = [invariant.condition for invariant in program.invariants.values()]
    runs = _asked((*program.phases, *conditions))
    runs = runs.union(*(asking.get(e.run.value, frozenset()) for e in whole.examples if e.run))
    gone = {("parameter", name) for name in program.parameters.keys() - own.parameters.keys()}
    gone |= {("reading", name) for name in program.readings.keys() - own.rules.keys()}
    gone -= runs
    if not gone:
        return whole, program
    spoken = runs.union(*asking.values()) | {("parameter", name) for name in own.parameters}
    return replace(
        whole,
        parameters={name: one for name, one in whole.parameters.items() if ("parameter", name) in spoken},
    ), replace(
        program,
        rules={name: rule for name, rule in program.rules.items() if not asking[name] & gone},
        parameters={n: values for n, values in program.parameters.items() if ("parameter", n) not in gone},
        readings={name: ways for name, ways in program.readings.items() if ("reading", name) not in gone},
    )


def _asked(code: object) -> frozenset[tuple[str, str]]:
    """The parameters, and the rules with readings, that code depends on."""
    return frozenset(
        ("parameter", node.name) if isinstance(node, core.Parameter) else ("reading", node.rule)
        for node in walk(code)
        if isinstance(node, core.Parameter | core.Reading)
    )


_AS_STATEMENT = re.compile(
    r"write `[^`]* becomes |`then` makes a value|write only the value|a condition comes first"
)
"""Matches hints that take a rule for one that does something, or do not know what value it has."""

_REPLACE_TOO = "declare it as the base does, or replace the rule of the base as well"


def _as_in_base(wrong: list[Diagnostic], own: RulesetFile, base: RulesetFile) -> list[Diagnostic]:
    """The errors, with hints about what a rule usually says in the words of the base, which may count something else.

    A verb is no error of its own in a rule that ought to be a value, nor is the name or the type of a rule that ought not.
    """
    values = [d.data["name"] for d in wrong if d.code == "E311"]
    places = [d.span for d in wrong if d.code == "E311"]
    wrong = [
        d
        for d in wrong
        if (d.code != "E405" or d.data["name"] not in values) and (d.code != "E302" or d.span not in places)
    ]
    not_values = [d.span for d in wrong if d.code == "E312" and d.span]
    verbs = [
        d
        for d in wrong
        if d.code == "E306" and d.span and any(x.start <= d.span.start <= x.end for x in not_values)
    ]
    return [_in_words_of(base, d, own) for d in wrong if d not in verbs]


def _in_words_of(base: RulesetFile, d: Diagnostic, own: RulesetFile) -> Diagnostic:
    """The error; a hint that has what the user wrote, put right, stays as it is."""
    help_ = d.data.get("help")
    rule = next(
        (r for r in own.rules.values() if d.span and r.span.start <= d.span.start <= r.span.end), None
    )
    original = rule and base.rules.get(rule.name.value)
    if rule is None or original is None or original.text is None:
        return d
    name, lines = rule.name.value, original.text.text.strip().splitlines()
    value = isinstance(parse_rule(original.text.source, original.text)[0], Value)
    as_statement = isinstance(help_, str) and value and _AS_STATEMENT.match(help_)
    itself = d.data.get("chain") == f"`{name}` → `{name}`"
    usual_text = isinstance(help_, str) and help_.startswith(f"`{name}` is `")
    unsaid = help_ is None and d.code == "E201" and (value or len(lines) == 1)
    if itself or as_statement or usual_text or unsaid:
        text = " ".join(map(str.strip, lines))
        if len(text) < 200:
            help_ = f"in {base.id.value}, `{name}` is `{text}`{'; write that, and your change' * itself}"
    elif isinstance(help_, str) and f"the rule `{name}` is" in help_ and len(lines) > 2:
        help_ = f"this replaces the whole rule; in {base.id.value} it is"
        return replace(d, data={**d.data, "help": help_, "lines": dedent(original.text.text).strip("\n")})
    elif isinstance(help_, str) and (
        " such as " in help_ or not help_.startswith(("write", "leave out art"))
    ):
        usual = USUAL_RULES.get(name, ())
        if len(lines) == len(usual) and all(f"`{line}`" in help_ for line in usual):
            for line, known in zip(usual, lines, strict=True):
                help_ = help_.replace(f"`{line}`", f"`{known.strip()}`")
            help_ = re.sub(r"(`[^`]+`) or \1", r"\1", help_)
    return d if help_ == d.data.get("help") else replace(d, data={**d.data, "help": help_})


def _nearest(wrong: list[Diagnostic], own: RulesetFile) -> list[Diagnostic]:
    """The errors of this file, without those reported in its (by themselves valid) bases as a consequence.

    If only bases have errors, the first for each name that this file redeclares, with a note at its place.
    """
    others = [d for d in wrong if d.code.startswith("E3") and not (d.span and d.span.source == own.source)]
    mine = [d for d in wrong if d not in others]
    if mine:
        return mine
    causes: dict[Span, Diagnostic] = {}
    for d in others:
        cause = _declared_anew(d, own)
        notes = (*d.notes, ("this no longer fits what is declared here", cause))
        causes.setdefault(cause, replace(d, notes=notes, data={**d.data, "help": _REPLACE_TOO}))
    return list(causes.values())


def _declared_anew(wrong: Diagnostic, own: RulesetFile) -> Span:
    """The name in this file that occurs in the line with the error, or the file's own."""
    line = wrong.span.source.line_text(wrong.span.line) if wrong.span else ""
    words = re.findall(r"[a-z][a-z0-9-]*", line)
    for section in (own.state, own.zones, own.rules, own.moves, own.parameters, own.options):
        for name, declared in section.items():
            if name in words:
                return declared.name.span
    return own.id.span


def backings(file: RulesetFile) -> Iterator[Backing]:
    """The backings of everything in a file."""
    for part in (file.players, file.deck):
        if part is not None:
            yield part.backing
    for rule in file.rules.values():
        yield rule.backing
        yield from (reading.backing for reading in rule.readings)
    yield from (variable.backing for variable in file.state.values())
    yield from (i.backing for i in file.invariants.values())
    yield from (e.backing for e in file.examples)
    yield from (entry.backing for entry in file.inherits)


@cache
def prelude() -> RulesetFile:
    """The standard vocabulary, the base of every ruleset without `extends:`."""
    text = (resources.files("trickproof_dsl") / PRELUDE_FILE).read_text(encoding="utf-8")
    file, wrong = decode_ruleset(Source(PRELUDE_FILE, text))
    assert file is not None, [d.message for d in wrong]
    return file


def _cited(name: str, statements: list[str]) -> str | None:
    """A hint about a statement that a document does not have; a wrong number is no misspelling of another."""
    if re.fullmatch(r"s\d+", name) and statements:
        return f"its statements are `{statements[0]}` to `{statements[-1]}`"
    return meant(did_you_mean(name, statements))


def _contrary(own: RulesetFile) -> list[Diagnostic]:
    """Statements that one rule both cites and contradicts."""
    wrong = []
    for backing in backings(own):
        cited = {word.value for word in backing.cites}
        wrong += [error("E423", w.span, name=w.value) for w in backing.contradicts if w.value in cited]
    return wrong


def _unbacked(own: RulesetFile) -> list[Diagnostic]:
    """Rules that have no citation, assumption, or reason for being silent."""
    return [
        error("E409", rule.name.span, name=rule.name.value)
        for rule in own.rules.values()
        if not (rule.backing.cites or rule.backing.assumes or rule.silent)
        and not (rule.readings and all(r.backing.cites or r.backing.assumes for r in rule.readings))
    ]
