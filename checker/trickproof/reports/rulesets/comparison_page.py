"""The documents compared, as the page docs/comparison.md: generated, and kept current by a test.

Which tables there are follows from `extends` alone: one of the rulesets that stand on their own, and for each that has
variants tables of what the variants change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trickproof.english.aspects import Cell
from trickproof.reports.rulesets.table import (
    Column,
    Table,
    cell_parts,
    github_cell,
    github_table,
    make_table,
    row_name,
)
from trickproof_dsl.library import Library, Ruleset

MOST_COLUMNS = 3
SAME = "″"
_HEAD = """\
# The documents compared

Generated from the rulesets (`trickproof table --format github` prints the same cells for any choice of them); do not
edit. Every cell is put into words from the rule itself. In brackets are the cited statements; `trickproof sources`
tells what each says. *assumed* marks what no document says, *reading* the ways to take what a document leaves open,
*GAP* what is missing, *—* what a game does not have, and *none* what does not happen. A player is *up* with more tricks
than the target and *down* with fewer; the difference is the player's *result*."""


def comparison_markdown(library: Library) -> str:
    """The page for the rulesets of a library's folders (not those of deeper folders); they must load."""
    names = [name for name, path in library.ruleset_paths().items() if path.parent in library.folders]
    loaded = {name: library.load(name)[0] for name in sorted(names)}
    rulesets = [ruleset for ruleset in loaded.values() if ruleset is not None]
    mains = [r for r in rulesets if r.base is None]
    parts = [_HEAD, "## The main rules of each document"]
    parts += [_table(make_table(some)) for some in _batches(mains, MOST_COLUMNS)]
    for main in mains:
        variants = [r for r in rulesets if r is not main and _root(r) == main.id]
        if variants:
            parts += _family(main, variants)
    return "\n\n".join(parts) + "\n"


def _batches(rulesets: Sequence[Ruleset], size: int) -> Iterator[Sequence[Ruleset]]:
    for i in range(0, len(rulesets), size):
        yield rulesets[i : i + size]


def _root(ruleset: Ruleset) -> str:
    return ruleset.id if ruleset.base is None else _root(ruleset.base)


def _family(main: Ruleset, variants: Sequence[Ruleset]) -> list[str]:
    """What the variants of a ruleset change."""
    note = f"Aspects that a variant changes; {SAME} is the rule of `{main.id}`, in the first column."
    parts = [f"## Variants of {main.id}", note]
    for some in _batches(variants, MOST_COLUMNS - 1):
        table = make_table([main, *some])
        changed = [a for a in table.aspects if any(not _same(c, table.columns[0], a) for c in table.columns)]
        parts.append(_table(Table(tuple(changed), table.columns), table.columns[0]))
    return parts


def _same(column: Column, main: Column, aspect: str) -> bool:
    return _content(column.cells[aspect]) == _content(main.cells[aspect])


def _content(cell: Cell) -> tuple[object, ...]:
    return cell.text, cell.readings, cell.terms, cell.gap, cell.assumes


def _table(table: Table, main: Column | None = None) -> str:
    rows = []
    for aspect in table.aspects:
        row = [row_name(aspect)]
        for column in table.columns:
            same = main is not None and column is not main and _same(column, main, aspect)
            row.append(SAME if same else "<br>".join(map(github_cell, cell_parts(column.cells[aspect]))))
        rows.append(row)
    return github_table(rows, ["aspect", *(f"`{column.id}`" for column in table.columns)])
