"""The files open in an editor, loaded with everything that they extend."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from trickproof.support.bundled import ruleset_folder
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.decode_document import decode_document
from trickproof_dsl.files.decode_ruleset import decode_ruleset
from trickproof_dsl.files.headings import ruleset_heading
from trickproof_dsl.files.model import (
    DocumentFile,
    InvariantDecl,
    MoveDecl,
    OptionDecl,
    ParameterDecl,
    RuleDecl,
    RulesetFile,
    VariableDecl,
    ZoneDecl,
)
from trickproof_dsl.library import Library, Ruleset, prelude

Declaration = RuleDecl | VariableDecl | ZoneDecl | ParameterDecl | OptionDecl | MoveDecl | InvariantDecl
"""What a name in a ruleset refers to."""


@dataclass(frozen=True)
class ReadFile:
    """A ruleset or document as in the editor; `files` are its own file, if it parses, and those of its bases."""

    source: Source
    library: Library
    ruleset: Ruleset | None
    files: tuple[RulesetFile, ...]
    diagnostics: tuple[Diagnostic, ...]

    @cached_property
    def declarations(self) -> Mapping[str, Declaration]:
        """Every declaration by name; the file's own take precedence over inherited ones."""
        sections = (
            section
            for file in self.files
            for section in (
                file.rules,
                file.state,
                file.zones,
                file.parameters,
                file.options,
                file.moves,
                file.invariants,
            )
        )
        return ChainMap(*(dict[str, Declaration](section) for section in sections))

    @cached_property
    def options(self) -> Mapping[str, OptionDecl]:
        """Every option value by name, with its option type."""
        return {
            word.value: option
            for file in reversed(self.files)
            for option in file.options.values()
            for word in option.values
        }

    @cached_property
    def documents(self) -> Mapping[str, DocumentFile]:
        """The registered documents that load; one next to the file takes precedence."""
        names = {
            *self.library.document_paths(),
            *(word.value for file in self.files for word in file.documents),
        }
        read = {name: self.library.document(name, Path(self.source.name))[0] for name in sorted(names)}
        return {name: file for name, file in read.items() if file is not None}


class OpenFiles:
    """Texts by path; a file that is not open is read from disk."""

    def __init__(self) -> None:
        self._texts: dict[Path, str] = {}
        self._read: dict[Path, ReadFile] = {}
        self._readable: dict[Path, RulesetFile] = {}
        """The last readable version of each file: an unfinished line makes YAML unreadable."""

    def change(self, path: Path, text: str | None) -> None:
        """Update a file's text, or close it; other files may extend it."""
        if text is None:
            self._texts.pop(path.resolve(), None)
            self._readable.pop(path.resolve(), None)
        else:
            self._texts[path.resolve()] = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
        self._read.clear()

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(self._texts)

    def text(self, path: Path) -> str:
        """The text of an open file."""
        return self._texts[path.resolve()]

    def read(self, path: Path) -> ReadFile:
        """An open file; raises KeyError for any other."""
        path = path.resolve()
        if path not in self._read:
            self._read[path] = self._newly_read(path)
        return self._read[path]

    def _newly_read(self, path: Path) -> ReadFile:
        library = Library([ruleset_folder()], texts=self._texts)
        source = Source(str(path), self._texts[path])
        if is_document(source):
            return ReadFile(source, library, None, (), tuple(decode_document(source)[1]))
        ruleset, wrong = library.load(str(path))
        own = ruleset.own if ruleset else decode_ruleset(source)[0]
        if own is not None:
            self._readable[path] = own
        own = own or self._readable.get(path)
        files = (*([own] if own else []), *_bases(library, source, own), prelude())
        return ReadFile(source, library, ruleset, files, tuple(wrong))


def is_document(source: Source) -> bool:
    """Whether a file registers a document."""
    return any(line.startswith(("document:", "statements:")) for line in source.text.splitlines())


def is_ours(source: Source) -> bool:
    """Whether a YAML file is a ruleset or a document; editors send others as well."""
    return is_document(source) or any(
        line.startswith(("ruleset:", "extends:", "rules:")) for line in source.text.splitlines()
    )


def _bases(library: Library, source: Source, own: RulesetFile | None) -> Iterator[RulesetFile]:
    """The files that a file extends, nearest first."""
    heading = own or ruleset_heading(source)[0]
    if heading is None or heading.extends is None:
        return
    place = library.base_path(heading.extends, Path(source.name), ())
    base = library.load(str(place))[0] if isinstance(place, Path) else None
    while base is not None:
        yield base.own
        base = base.base
