"""Folders of rulesets: their files and ids, and the lookup of `extends:`.

In each folder, rulesets are `*.yaml` (also one folder deeper, such as `house/`) and documents
`documents/*.yaml`.  Promises: bad input gives diagnostics and never raises; rule text is not parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from trickproof_dsl.diagnostics.catalogue import did_you_mean, error, meant
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source
from trickproof_dsl.files.headings import (
    DocumentHeading,
    RulesetHeading,
    document_heading,
    ruleset_heading,
)
from trickproof_dsl.files.model import Word
from trickproof_dsl.files.yaml_tree import read_source

MAX_BASES = 20
"""Maximum length of a chain of bases."""

LISTED = "`trickproof list` names those that come with trickproof"
"""Help for an unknown ruleset."""


@dataclass
class RulesetFolders:
    """Folders in which ids are looked up, first folder first; files are read once."""

    folders: Sequence[Path] = ()
    _headings: dict[Path, tuple[RulesetHeading | None, list[Diagnostic]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def ruleset_paths(self) -> dict[str, Path]:
        """Every ruleset in the folders by id (the file's name)."""
        paths: dict[str, Path] = {}
        for path in self._files("*.yaml", "*/*.yaml"):
            if path.parent.name != "documents":
                paths.setdefault(path.stem, path)
        return paths

    def document_paths(self) -> dict[str, Path]:
        """Every registered document in the folders by id."""
        return {path.stem: path for path in reversed(list(self._files("documents/*.yaml")))}

    def documented(self) -> list[str]:
        """Ids of the rulesets directly in the folders, sorted: those transcribed from documents."""
        return sorted({path.stem for path in self._files("*.yaml")})

    def shown(self, path: Path) -> str:
        """A file's name in messages, which for files in the folders is the same on every machine."""
        return named_in(self.folders, path)

    def heading(self, path: Path) -> tuple[RulesetHeading | None, list[Diagnostic]]:
        """The heading of a ruleset file, completed from its bases."""
        return self._heading(path, ())

    def document_heading(self, path: Path) -> tuple[DocumentHeading | None, list[Diagnostic]]:
        """The heading of a document file."""
        source = read_source(path, self.shown(path))
        return document_heading(source) if isinstance(source, Source) else (None, [source])

    def base_path(self, extends: Word, path: Path, chain: Sequence[Path]) -> Path | Diagnostic:
        """The file that `extends:` of the file at `path` refers to; another one next to it takes precedence.

        `chain` has the files that led here, each based on the next.
        """
        name, span = extends.value, extends.span
        sibling = path.parent / (name if name.endswith((".yaml", ".yml")) else f"{name}.yaml")
        known = self.ruleset_paths()
        base = known.get(name)
        if is_file(sibling) and (base is None or sibling.resolve() != path.resolve()):
            base = sibling
        if base is None:
            close = meant(did_you_mean(name, known))
            return error("E401", span, name=name, help=close or self.titled(name) or LISTED)
        if base.resolve() in chain:
            names = [p.stem for p in chain[chain.index(base.resolve()) :]]
            return error("E402", span, chain=" → ".join([*names, base.stem]))
        if len(chain) > MAX_BASES:
            return error("E419", span, limit=MAX_BASES)
        return base

    def titled(self, name: str) -> str | None:
        """Help for an unknown ruleset: the documented ones with the words of the name in their own titles, or None."""
        words, such = " ".join(re.findall(r"\w+", name.lower())), []
        for path in self._files("*.yaml") if words else ():
            source = read_source(path, self.shown(path))
            heading = ruleset_heading(source)[0] if isinstance(source, Source) else None
            if heading is not None and words in (heading.title or "").lower():
                such.append(path.stem)
        return f"rulesets with `{words}` in their titles: {', '.join(such)}" if such else None

    def _heading(self, path: Path, chain: tuple[Path, ...]) -> tuple[RulesetHeading | None, list[Diagnostic]]:
        key = path.resolve()
        if key not in self._headings:
            self._headings[key] = self._read_heading(path, (*chain, key))
        return self._headings[key]

    def _read_heading(
        self, path: Path, chain: tuple[Path, ...]
    ) -> tuple[RulesetHeading | None, list[Diagnostic]]:
        source = read_source(path, self.shown(path))
        if not isinstance(source, Source):
            return None, [source]
        own, wrong = ruleset_heading(source)
        if own is None or own.extends is None:
            return own, wrong
        place = self.base_path(own.extends, path, chain)
        if isinstance(place, Diagnostic):
            return None, [place]
        base, wrong = self._heading(place, chain)
        if base is None:
            return None, wrong
        extends = Word(base.id, own.extends.span)
        title, documents = own.title or base.title, own.documents or base.documents
        return replace(own, title=title, extends=extends, documents=documents), []

    def _files(self, *patterns: str) -> Iterator[Path]:
        for folder in self.folders:
            for pattern in patterns:
                yield from sorted(folder.glob(pattern))


def named_in(folders: Iterable[Path], name: str | Path) -> str:
    """The name of a file: relative to the folder's parent if it is in one of the folders, otherwise as given.

    The name that this gives is returned unchanged, wherever it is asked for: it is no file relative to a
    working directory inside a folder.
    """
    path = Path(name)
    for folder in folders:
        try:
            home = folder.resolve()
            if path.is_relative_to(folder):
                inside = path.relative_to(folder)
            elif path.is_absolute() or path.exists():
                inside = path.resolve().relative_to(home)
            else:
                continue
        except (OSError, ValueError, RuntimeError):  # in no folder, or not a valid file name
            continue
        return (Path(home.name) / inside).as_posix()
    return str(name)


def is_file(path: Path) -> bool:
    """Whether the file exists; False for an invalid name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
