"""The rulesets and documents of a library: `trickproof list`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trickproof.reports.text import PLAIN, Page
from trickproof.support.locations import shown_file
from trickproof.support.serialise import HIDDEN
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.files.ruleset_folders import RulesetFolders


@dataclass(frozen=True, slots=True)
class ListedRuleset:
    """A ruleset that loads; `file` is relative to the parent of its ruleset folder."""

    id: str
    title: str
    documents: Sequence[str]
    extends: str | None
    file: str


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document that loads, with the number of its statements."""

    id: str
    file: str
    title: str
    language: str
    statements: int


@dataclass(frozen=True, slots=True)
class Listing:
    """Rulesets and documents, and the diagnostics of files that do not load.

    `others` are the rulesets in subfolders, such as house rules.
    """

    rulesets: tuple[ListedRuleset, ...]
    others: tuple[ListedRuleset, ...]
    documents: tuple[ListedDocument, ...]
    wrong: tuple[Diagnostic, ...] = field(metadata=HIDDEN)


FOLDERS = {"games": "other games", "house": "house rules"}
"""Headings for the subfolders of the bundled rulesets."""


def make_listing(folders: RulesetFolders) -> Listing:
    """Every file with a readable heading, sorted by id; paths start at the parent of the ruleset folder."""
    rulesets: list[ListedRuleset] = []
    others: list[ListedRuleset] = []
    documents: list[ListedDocument] = []
    wrong: list[Diagnostic] = []
    documented = set(folders.documented())
    for name, path in sorted(folders.ruleset_paths().items()):
        heading, problems = folders.heading(path)
        wrong += problems
        if heading is not None:
            extends = heading.extends.value if heading.extends else None
            file = shown_file(path, folders.folders)
            row = ListedRuleset(name, heading.title or heading.id, heading.documents, extends, file)
            (rulesets if name in documented else others).append(row)
    for name, path in sorted(folders.document_paths().items()):
        document, problems = folders.document_heading(path)
        wrong += problems
        if document is not None:
            file = shown_file(path, folders.folders)
            documents.append(
                ListedDocument(name, file, document.title, document.language, document.statements)
            )
    return Listing(tuple(rulesets), tuple(others), tuple(documents), tuple(wrong))


def listing_text(listing: Listing, page: Page = PLAIN) -> str:
    """One table for the rulesets, one per subfolder, one for the documents."""
    within: dict[str, list[ListedRuleset]] = {}
    for ruleset in listing.others:
        within.setdefault(ruleset.file.split("/")[-2], []).append(ruleset)
    tables = [_rulesets("ruleset", listing.rulesets, page)]
    tables += [_rulesets(FOLDERS.get(folder, folder), within[folder], page) for folder in sorted(within)]
    documents = [[d.id, d.title, d.language, str(d.statements)] for d in listing.documents]
    tables.append(page.table(documents, ["document", "title", "language", "statements"], right=[3]))
    return "\n\n".join(tables)


def _rulesets(heading: str, rulesets: Sequence[ListedRuleset], page: Page) -> str:
    """A table with the columns that say something; of rulesets that all extend another, as house rules do, just the ids."""
    if all(x.extends for x in rulesets):
        ids = f"{len(rulesets)} {heading}: {', '.join(x.id for x in rulesets)}"
        return "\n".join(page.wrapped(ids, hang=2))
    columns = [
        (heading, [x.id for x in rulesets]),
        ("title", [x.title for x in rulesets]),
        ("documents", [", ".join(x.documents) for x in rulesets]),
    ]
    if any(x.extends for x in rulesets):
        columns.append(("extends", [x.extends or "" for x in rulesets]))
    return page.table([*zip(*(cells for _, cells in columns), strict=True)], [head for head, _ in columns])
