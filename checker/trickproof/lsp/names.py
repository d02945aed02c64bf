"""The meaning and declaration of a word in a file, and the words that can be completed at a position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from trickproof.checks import NAMES, current_name
from trickproof.english.rules import Words, compact
from trickproof.lsp.open_files import Declaration, ReadFile
from trickproof.reports.explanation import check_explained
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.elaboration.builtins import BUILTINS
from trickproof_dsl.files.model import (
    InvariantDecl,
    MoveDecl,
    OptionDecl,
    ParameterDecl,
    RuleDecl,
    Statement,
    VariableDecl,
    Word,
    ZoneDecl,
    in_prelude,
)
from trickproof_dsl.syntax.reserved_words import reserved_words

_WORD = re.compile(r"[A-Za-z0-9][\w-]*(?:\.[\w-]+)?")
_CITATIONS = re.compile(r"\b(?:cites|contradicts):")
_SECTION = re.compile(r"(?m)^([a-z]+):")
_KEY_OF_RULE = re.compile(r"  [\w-]*$")
_KINDS: dict[type, str] = {
    RuleDecl: "rule",
    VariableDecl: "variable",
    ZoneDecl: "zone",
    ParameterDecl: "parameter",
    OptionDecl: "type of options",
    MoveDecl: "move",
    InvariantDecl: "invariant",
}


@dataclass(frozen=True)
class Meaning:
    """The meaning of a word in Markdown, its span, and its declaration."""

    at: Span
    text: str
    declared: Span | None = None


@dataclass(frozen=True)
class Completion:
    """A word that can occur at a position, and its kind."""

    word: str
    kind: str


def meaning_at(file: ReadFile, offset: int) -> Meaning | None:
    """The meaning of the word at an offset, or None if it has none of its own."""
    at = word_at(file.source, offset)
    if at is None:
        return None
    word, section = at.text, section_at(file.source, offset)
    if section == "extends":
        return _base(file, at)
    if "." in word:
        return _cited(file, at)
    if section == "known" and current_name(word) in NAMES:
        check = check_explained(current_name(word))
        return Meaning(at, f"**{check.name}**: {check.says}\n\n{check.text}")
    if word in file.declarations:
        declared = file.declarations[word]
        return Meaning(at, "\n\n".join(described(file, declared)), _place(declared.name.span))
    if word in file.options:
        option = file.options[word]
        return Meaning(at, f"an option of type `{option.name.value}`", _place(option.name.span))
    if word in BUILTINS:
        builtin = BUILTINS[word]
        takes = ", ".join(str(one) for one in builtin.takes)
        return Meaning(at, f"`{word}({takes})` → {builtin.gives}\n\n{builtin.meaning}")
    return None


def word_at(source: Source, offset: int) -> Span | None:
    """The word that contains or ends at an offset."""
    start, end = source.line_bounds(source.position(offset)[0])
    for found in _WORD.finditer(source.text, start, end):
        if found.start() <= offset <= found.end():
            return Span(source, *found.span())
    return None


def section_at(source: Source, offset: int) -> str:
    """The top-level field that contains an offset, "" before the first."""
    sections = [found[1] for found in _SECTION.finditer(source.text) if found.start() <= offset]
    return sections[-1] if sections else ""


def described(file: ReadFile, declared: Declaration) -> Iterator[str]:
    """Paragraphs about a declaration."""
    yield f"**{declared.name.value}**: {_KINDS[type(declared)]}{_origin(file, declared)}"
    match declared:
        case RuleDecl():
            yield from _rule(file, declared)
        case VariableDecl():
            carried = ", carried from deal to deal" if declared.carried else ""
            yield f"{declared.type.value}{_owners(declared.of)}{carried}"
        case ZoneDecl():
            yield f"cards{_owners(declared.of)}, seen by {declared.seen_by.value if declared.seen_by else 'owner'}"
        case ParameterDecl():
            yield f"one of {', '.join(map(str, declared.values))}; {declared.values[0]} unless agreed otherwise"
        case OptionDecl():
            yield ", ".join(word.value for word in declared.values)
        case MoveDecl():
            to = f", to {declared.to.value}" if declared.to else ""
            yield f"a player {declared.verb.value} cards{to}"
        case InvariantDecl():
            yield f"must hold: {declared.when.value}"


def completions_at(file: ReadFile, offset: int) -> list[Completion]:
    """The possible completions at an offset."""
    source = file.source
    line = source.text[source.line_bounds(source.position(offset)[0])[0] : offset]
    section = section_at(source, offset)
    if section == "extends":
        return [Completion(name, "ruleset") for name in file.library.ruleset_paths()]
    if _CITATIONS.search(line):
        return [
            Completion(f"{name}.{statement}", "statement")
            for name, document in file.documents.items()
            for statement in document.statements
        ]
    if section == "documents":
        return [Completion(name, "document") for name in file.documents]
    if section == "known":
        return [Completion(name, "check") for name in NAMES]
    if section == "rules" and _KEY_OF_RULE.fullmatch(line):
        rules = (x for x in file.declarations.values() if isinstance(x, RuleDecl))
        return sorted((Completion(rule.name.value, "rule") for rule in rules), key=lambda x: x.word)
    if section in ("rules", "invariants"):
        return _words_of_rules(file)
    return []


def _words_of_rules(file: ReadFile) -> list[Completion]:
    words = dict.fromkeys(reserved_words(), "word")
    words |= dict.fromkeys(BUILTINS, "function")
    words |= dict.fromkeys(file.options, "option")
    for name, declared in file.declarations.items():
        if isinstance(declared, MoveDecl):
            words[declared.verb.value] = "move"
        elif not isinstance(declared, InvariantDecl):
            words[name] = _KINDS[type(declared)]
    return [Completion(word, kind) for word, kind in sorted(words.items())]


def _rule(file: ReadFile, rule: RuleDecl) -> Iterator[str]:
    """A rule in words, if the file loads, with its citations and assumptions."""
    if rule.silent:
        yield f"silent: {rule.silent.value}"
    if file.ruleset is not None and rule.name.value in file.ruleset.whole.rules:
        worded = Words(file.ruleset.whole).rule(rule.name.value, opened=True)
        names = [reading.name.value for reading in rule.readings]
        for i, text in enumerate(worded):
            reading = f"*{names[i]}*: " if i < len(names) else ""
            yield reading + compact(text.steps)
    for cite in rule.backing.cites:
        statement = _statement(file, cite.value)
        if statement is not None:
            yield f"> {cite.value}: {statement.says}"
    for assumed in rule.backing.assumes:
        yield f"assumes: {assumed.value}"


def _base(file: ReadFile, at: Span) -> Meaning | None:
    base = next((one for one in file.files if one.id.value == at.text), None)
    if base is None:
        return None
    title = base.title.value if base.title else base.id.value
    return Meaning(at, title, _place(base.id.span))


def _cited(file: ReadFile, at: Span) -> Meaning | None:
    statement = _statement(file, at.text)
    return None if statement is None else Meaning(at, statement.says, _place(statement.span))


def _statement(file: ReadFile, cited: str) -> Statement | None:
    document, _, name = cited.partition(".")
    return file.documents[document].statements.get(name) if document in file.documents else None


def _origin(file: ReadFile, declared: Declaration) -> str:
    """The origin of a declaration that is not in the file itself."""
    span = declared.name.span
    if span.source.name == file.source.name:
        return ""
    if in_prelude(span):
        return " of the standard vocabulary"
    home = next(one.id.value for one in file.files if one.source == span.source)
    return f" of `{home}`"


def _place(span: Span) -> Span | None:
    """A location that an editor can open; the standard vocabulary is not in any of the user's files."""
    return None if in_prelude(span) else span


def _owners(of: tuple[Word, ...]) -> str:
    return f", for every {' and every '.join(one.value for one in of)}" if of else ""
