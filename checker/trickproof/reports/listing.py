"""The rulesets and documents of a library: `trickproof list`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabulate import tabulate

from trickproof.support.locations import shown_file
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.files.ruleset_folders import RulesetFolders


@dataclass(frozen=True, slots=True)
class Listing:
    """Rulesets and documents as the contract's JSON has them, and what is wrong with files that do not load.

    `others` are the rulesets of the folders within, such as house rules.
    """

    rulesets: tuple[dict[str, object], ...]
    others: tuple[dict[str, object], ...]
    documents: tuple[dict[str, object], ...]
    wrong: tuple[Diagnostic, ...]


def make_listing(folders: RulesetFolders) -> Listing:
    """Every file whose heading can be read, by id; files are called from the parent of their folder of rulesets."""
    rulesets: list[dict[str, object]] = []
    others: list[dict[str, object]] = []
    documents: list[dict[str, object]] = []
    wrong: list[Diagnostic] = []
    documented = set(folders.documented())
    for name, path in sorted(folders.ruleset_paths().items()):
        ruleset, problems = folders.heading(path)
        wrong += problems
        if ruleset is not None:
            (rulesets if name in documented else others).append(
                {
                    "id": name,
                    "title": ruleset.title or ruleset.id,
                    "documents": list(ruleset.documents),
                    "extends": ruleset.extends.value if ruleset.extends else None,
                    "file": shown_file(path, folders.folders),
                }
            )
    for name, path in sorted(folders.document_paths().items()):
        document, problems = folders.document_heading(path)
        wrong += problems
        if document is not None:
            documents.append(
                {
                    "id": name,
                    "file": shown_file(path, folders.folders),
                    "title": document.title,
                    "language": document.language,
                    "statements": document.statements,
                }
            )
    return Listing(tuple(rulesets), tuple(others), tuple(documents), tuple(wrong))


def listing_json(listing: Listing) -> dict[str, object]:
    """The contract's JSON."""
    return {
        "rulesets": list(listing.rulesets),
        "others": list(listing.others),
        "documents": list(listing.documents),
    }


def listing_text(listing: Listing) -> str:
    """A table each; other rulesets by the folder they are in, such as `games` and `house`."""
    within: dict[str, list[dict[str, object]]] = {}
    for ruleset in listing.others:
        within.setdefault(str(ruleset["file"]).split("/")[-2], []).append(ruleset)
    tables = [_rulesets("ruleset", listing.rulesets)]
    tables += [_rulesets(f"in {folder}", within[folder]) for folder in sorted(within)]
    documents = [[d["id"], d["title"], d["language"], str(d["statements"])] for d in listing.documents]
    headers, align = ["document", "title", "language", "statements"], ("left", "left", "left", "right")
    tables.append(
        tabulate(
            documents,
            headers,
            tablefmt="simple",
            disable_numparse=True,
            colalign=align if documents else None,
        )
    )
    return "\n\n".join(tables)


def _rulesets(heading: str, found: Sequence[dict[str, object]]) -> str:
    rows = [[r["id"], r["title"], _joined(r["documents"]), r["extends"] or ""] for r in found]
    headers = [heading, "title", "documents", "extends"]
    return tabulate(rows, headers, tablefmt="simple", disable_numparse=True)


def _joined(names: object) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list) else ""
