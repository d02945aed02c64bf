"""The comparison of rulesets, one column a ruleset and one row an aspect, in the formats of `trickproof table`.

Cells are generated from the rules (`english/aspects`).  The meaning of a short helper rule is in the cell that calls it by
name; longer ones have rows of their own behind the aspects.  Citations stand in brackets, assumptions as "(assumed: …)", the
ways to take a rule as "reading …: …", gaps as "GAP: …".  Grids are as wide as the terminal, or 160 columns: where the rulesets do
not fit beside each other, several grids follow one another.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tabulate import tabulate

from trickproof.english.aspects import ABSENT, ASPECTS, Cell, Reading, describe
from trickproof.english.rules import Words
from trickproof.english.vocabulary import plain
from trickproof.reports.citations import brief, statement_of
from trickproof.reports.templates import page
from trickproof.reports.text import folded
from trickproof.support.serialise import Content, document, json_text
from trickproof_dsl.library import Ruleset

FORMATS = ("grid", "github", "html", "latex", "csv", "json")
WIDEST_GRID = 160
"""Columns of the widest grid where the output is no terminal."""
NARROWEST = 30
"""Columns that a cell of a grid needs to be read."""


@dataclass(frozen=True, slots=True)
class Column:
    """A ruleset of the table: its cells by aspect, and what the statements that they cite say."""

    id: str
    title: str
    cells: dict[str, Cell]
    statements: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """Rulesets side by side."""

    aspects: tuple[str, ...]
    columns: tuple[Column, ...]


def make_table(rulesets: Sequence[Ruleset], aspects: Sequence[str] | None = None) -> Table:
    """The table of some rulesets; `aspects` are names of the contract, all of them when left out.

    Raises KeyError for a name that is no aspect.
    """
    for aspect in aspects or ():
        if aspect not in ASPECTS:
            raise KeyError(aspect)
    chosen = tuple(a for a in ASPECTS if aspects is None or a in aspects)
    columns = tuple(_column(ruleset, chosen) for ruleset in rulesets)
    helpers = tuple(dict.fromkeys(h for column in columns for h in column.cells if h not in chosen))
    for column in columns:
        for helper in helpers:
            column.cells.setdefault(helper, Cell(helper, ABSENT))
    return Table(chosen + helpers, columns)


def render_table(table: Table, format: str, width: int = WIDEST_GRID) -> str:
    """The table as text in one of `FORMATS`, without a line break at its end; a grid is at most `width` wide."""
    match format:
        case "grid":
            return "\n\n".join(_grid(part, width) for part in _parts(table, width))
        case "github":
            return _github(table)
        case "latex":
            return _latex(table)
        case "html":
            return _html(table)
        case "csv":
            return _csv(table)
        case "json":
            return json_text(document(table_document(table)))
        case _:
            raise ValueError(format)


def _column(ruleset: Ruleset, aspects: Sequence[str]) -> Column:
    words = Words(ruleset.whole)
    cells: dict[str, Cell] = {}
    waiting = list(aspects)
    while waiting:
        name = waiting.pop(0)
        if name not in cells:
            cells[name] = describe(ruleset, name, words)
            waiting += cells[name].helpers
    cited = {cite for cell in cells.values() for cite in cell.cites}
    return Column(ruleset.id, ruleset.title, cells, {c: statement_of(ruleset, c) for c in sorted(cited)})


# -------------------------------------------------------------------------------------------- one cell


def cell_parts(cell: Cell) -> list[str]:
    """The paragraphs of a cell: gap, text, each reading, what helper rules mean, each assumption, citations."""
    parts = [f"GAP: {cell.gap}"] if cell.gap is not None else []
    parts += [cell.text] if cell.text else []
    parts += [reading_text(r) for r in cell.readings]
    parts += cell.terms
    parts += [f"(assumed: {text})" for text in cell.assumes]
    return [*parts, brief(cell.cites)] if cell.cites else parts


def reading_text(reading: Reading) -> str:
    """A reading as text."""
    assumed = "".join(f" (assumed: {text})" for text in reading.assumes)
    return f"reading {plain(reading.name)}: {reading.text}{assumed}"


def _rows(table: Table, show: Callable[[list[str]], str] = " ".join) -> list[list[str]]:
    return [
        [row_name(aspect), *(show(cell_parts(column.cells[aspect])) for column in table.columns)]
        for aspect in table.aspects
    ]


def row_name(aspect: str) -> str:
    """What a row is called: an aspect of the contract, or a helper rule that the cells above call by name."""
    return aspect if aspect in ASPECTS else f"helper: {aspect}"


def _headers(table: Table) -> list[str]:
    return ["aspect", *(column.id for column in table.columns)]


# -------------------------------------------------------------------------------------------- formats


def _parts(table: Table, width: int) -> list[Table]:
    """The table cut into parts that fit the width."""
    fit = max(1, (width - _first_width(table) - 4) // (NARROWEST + 3))
    columns = table.columns
    return [Table(table.aspects, columns[i : i + fit]) for i in range(0, len(columns), fit)] or [table]


def _first_width(table: Table) -> int:
    return max(map(len, ("aspect", *map(row_name, table.aspects))))


def _grid(table: Table, width: int) -> str:
    first, n = _first_width(table), max(1, len(table.columns))
    wide = min(70, (width - first - 4) // n - 3)

    def wrapped(parts: list[str]) -> str:
        return "\n".join(folded(part, wide) for part in parts)

    headers = [folded(text, wide) for text in _headers(table)]
    return tabulate(_rows(table, wrapped), headers, tablefmt="grid", disable_numparse=True)


def _github(table: Table) -> str:
    rows = _rows(table, lambda parts: "<br>".join(map(github_cell, parts)))
    headers = [github_cell(text) for text in _headers(table)]
    return github_table(rows, headers)


def github_table(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> str:
    """Cells that are ready for Markdown as a table, without the blanks that would line the columns up."""
    lines = tabulate(rows, headers, tablefmt="github", disable_numparse=True).splitlines()
    lines[1] = re.sub("-{3,}", "---", lines[1])
    return "\n".join(re.sub(" {2,}", " ", line) for line in lines)


def github_cell(text: str) -> str:
    """Text that stays in its cell and is shown as it is."""
    return " ".join(re.sub(r"([\\|*`<>])", r"\\\1", text).split())


def _latex(table: Table) -> str:
    text = tabulate(_rows(table), _headers(table), tablefmt="latex", disable_numparse=True)
    spread = "l" + "p{5cm}" * len(table.columns)
    return re.sub(r"\\begin\{tabular\}\{l+\}", lambda _: rf"\begin{{tabular}}{{{spread}}}", text, count=1)


def _csv(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_headers(table))
    writer.writerows(_rows(table))
    return out.getvalue().removesuffix("\n")


def _html(table: Table) -> str:
    return page("table.html.jinja", table=table, plain=plain, row_name=row_name)


# ---------------------------------------------------------------------------------------------- JSON


def table_document(table: Table) -> Content:
    """The cells by aspect and ruleset."""
    rows = [
        {"aspect": aspect, "cells": {c.id: c.cells[aspect] for c in table.columns}}
        for aspect in table.aspects
    ]
    return {"rulesets": [{"id": x.id, "title": x.title} for x in table.columns], "aspects": rows}
