"""The comparison of rulesets, aspect by aspect, in the formats of `trickproof table`.

Cells are generated from the rules (`english/aspects`). Cells that are proved equivalent are merged into one,
with a letter and the citations of all its rulesets. The aspects in which rulesets disagree come first (in all
formats but text each with the command that plays a deal under two of them), then the others, the longer rules that
cells refer to by name, and table customs, which do not affect play. A table of a single ruleset has no letters.

A short helper rule is explained in the cell that refers to it. Citations are in brackets, assumptions appear
as "(assumed: …)", readings as "reading …: …", gaps as "GAP: …".
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from textwrap import indent

from tabulate import tabulate

from trickproof.english.aspects import ASPECTS, Cell, Reading, describe, restatement
from trickproof.english.inflection import listed
from trickproof.english.rules import Words
from trickproof.english.vocabulary import plain
from trickproof.equivalence.restatement import shown_restatements
from trickproof.reports.citations import brief, statement_of
from trickproof.reports.rulesets.shared_cells import (
    Custom,
    Row,
    Saying,
    Shared,
    customs,
    helper_rows,
    shared_rows,
)
from trickproof.reports.templates import page
from trickproof.reports.text import STACKED, folded
from trickproof.support.serialise import Content, document, json_text
from trickproof_dsl.library import Ruleset

FORMATS = ("grid", "github", "html", "latex", "csv", "json")
WIDTH = 100
"""Default width of a grid, in columns."""

MANY = 3
"""With more rulesets, a grid says how to narrow it."""

CLASS = "Rulesets with the same letter are proved to do the same in that aspect."
SEVERAL = "Several letters (B, C): the rule matches each of these classes; they differ only in a step that its games do not have."

_MARKS = {
    "—": "`—` (the game does not have it)",
    "none": "`none` (nothing happens)",
    "reading ": "`reading` (one way of reading what a document leaves open)",
    "GAP: ": "`GAP` (something is missing)",
    "(assumed: ": "`assumed` (no document says it)",
    "'s result": "`result` (a player's tricks minus the target)",
}
"""What the marks mean that are paragraphs, begin them, or are words in them."""

DISAGREE, AGREE = "Where they disagree", "Where they agree"
CALLED, CUSTOMS = "Rules referred to by name above", "Customs of the table"
HEADERS = ("aspect", "class", "rulesets", "rule", "deal")
UNCLASSED = {
    AGREE: ("aspect", "rulesets", "rule"),
    CALLED: ("name", "rulesets", "meaning"),
    CUSTOMS: ("custom", "rulesets", "what the documents say"),
}
"""The columns of the tables without classes and deals."""
_RAGGED = ">{\\raggedright\\arraybackslash}"


@dataclass(frozen=True, slots=True)
class Column:
    """A ruleset of the table: its cells by aspect, and the text of the statements that they cite."""

    id: str
    title: str
    cells: dict[str, Cell]
    statements: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """Several rulesets side by side."""

    aspects: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    helpers: tuple[Row, ...]
    customs: tuple[Custom, ...]

    @property
    def single(self) -> bool:
        """Whether there is only one ruleset, so nothing to compare."""
        return len(self.columns) < 2


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text table: `rule` in paragraphs; `deal` is a command, `no_deal` why there is none."""

    aspect: str
    letter: str
    rulesets: str
    rule: tuple[str, ...]
    deal: str = ""
    no_deal: str = ""


def make_table(rulesets: Sequence[Ruleset], aspects: Sequence[str] | None = None) -> Table:
    """The table of some rulesets; `aspects` selects aspects by name, by default all of them and the customs.

    Raises KeyError for an unknown aspect.
    """
    for aspect in aspects or ():
        if aspect not in ASPECTS:
            raise KeyError(aspect)
    chosen = tuple(a for a in ASPECTS if aspects is None or a in aspects)
    columns = tuple(_column(ruleset, chosen) for ruleset in rulesets)
    helpers = tuple(dict.fromkeys(h for column in columns for h in column.cells if h not in chosen))
    cells = [column.cells for column in columns]
    return Table(
        chosen,
        columns,
        shared_rows(rulesets, cells, chosen),
        helper_rows(rulesets, cells, helpers),
        customs(rulesets) if aspects is None else (),
    )


def render_table(table: Table, format: str, width: int = WIDTH) -> str:
    """The table in one of `FORMATS`, without a trailing newline; a grid is at most `width` columns wide."""
    match format:
        case "grid":
            return _grid(table, width)
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
    for name, other in shown_restatements(ruleset).items():
        if other in cells:
            cell, way = cells[other], restatement(ruleset, name, words)
            cells[other] = replace(cell, restated=(*cell.restated, way))
    cited = {cite for cell in cells.values() for cite in cell.cites}
    cited |= {cite for cell in cells.values() for way in cell.restated for cite in way.cites}
    return Column(ruleset.id, ruleset.title, cells, {c: statement_of(ruleset, c) for c in sorted(cited)})


# ----------------------------------------------------------------------------------------------- cells


def cell_parts(cell: Cell) -> list[str]:
    """The paragraphs of a cell: gap, text, readings, helper rules, restatements, assumptions, citations."""
    parts = [f"GAP: {cell.gap}"] if cell.gap is not None else []
    parts += [cell.text] if cell.text else []
    parts += [reading_text(r) for r in cell.readings]
    parts += cell.terms
    parts += [restated_text(r) for r in cell.restated]
    parts += [f"(assumed: {text})" for text in cell.assumes]
    return [*parts, brief(cell.cites)] if cell.cites else parts


def reading_text(reading: Reading) -> str:
    """A reading as text."""
    assumed = "".join(f" (assumed: {text})" for text in reading.assumes)
    return f"reading “{plain(reading.name)}”: {reading.text}{assumed}"


def restated_text(restated: Reading) -> str:
    """An equivalent formulation of a rule, as text."""
    assumed = "".join(f" (assumed: {text})" for text in restated.assumes)
    return f"another way, proved to do the same: {restated.text}{assumed} {brief(restated.cites)}".rstrip()


def shared_parts(shared: Shared) -> list[str]:
    """The paragraphs of a shared cell, with the citations of all its rulesets and its mark."""
    cell = replace(shared.cell, cites=shared.cites, assumes=shared.assumes, restated=shared.restated)
    return [*cell_parts(cell), *([f"({shared.mark})"] if shared.mark else [])]


# ----------------------------------------------------------------------------------------- text tables


def sections(table: Table) -> list[tuple[str, list[Line]]]:
    """The tables of several rulesets, each with its heading."""
    all_ = len(table.columns)
    parts = [
        (DISAGREE, [line for row in table.rows if row.differs for line in _row_lines(row, all_)]),
        (AGREE, [line for row in table.rows if not row.differs for line in _row_lines(row, all_)]),
        (CALLED, [line for row in table.helpers for line in _row_lines(row, all_)]),
        (CUSTOMS, [line for custom in table.customs for line in _custom_lines(custom, all_)]),
    ]
    return [(heading, lines) for heading, lines in parts if lines]


def _row_lines(row: Row, columns: int) -> list[Line]:
    name = plain(row.aspect) if row.aspect not in ASPECTS else row.aspect
    lines = [
        Line("", letters(shared), names(shared.rulesets, columns), tuple(shared_parts(shared)))
        for shared in row.classes
    ]
    deal = f"trickproof diff {row.deal[0]} {row.deal[1]}" if row.deal else ""
    return [replace(lines[0], aspect=name, deal=deal, no_deal=row.no_deal or ""), *lines[1:]]


def _custom_lines(custom: Custom, columns: int) -> list[Line]:
    lines = [Line("", "", names(saying.rulesets, columns), saying_parts(saying)) for saying in custom.says]
    if custom.silent:
        lines.append(Line("", "", names(custom.silent, columns), ("not mentioned",)))
    return [replace(line, aspect=plain(custom.custom)) if i == 0 else line for i, line in enumerate(lines)]


def saying_parts(saying: Saying) -> tuple[str, ...]:
    """The paragraphs of what documents say about a custom."""
    same = (
        [f"(proved to do the same as the {listed([plain(name) for name in saying.same_as])} above)"]
        if saying.same_as
        else []
    )
    return (saying.text, *same, brief(saying.cites))


def letters(shared: Shared) -> str:
    """The letters of a cell, joined."""
    return ", ".join(shared.letters)


def names(rulesets: Sequence[str], columns: int) -> str:
    """The rulesets as a list, or "all" if there are `columns` of them."""
    return "all" if len(rulesets) == columns else ", ".join(rulesets)


def headers(heading: str) -> tuple[str, ...]:
    """The column headers of one of the tables."""
    return UNCLASSED.get(heading, HEADERS)


def line_cells(heading: str, line: Line, show: Callable[[Sequence[str]], str] = " ".join) -> tuple[str, ...]:
    """The cells of a line in these columns."""
    first, rule = line.aspect, show(line.rule)
    if heading == DISAGREE:
        return first, line.letter, line.rulesets, rule, line.deal or line.no_deal
    return first, line.rulesets, rule


def _rows(table: Table, show: Callable[[list[str]], str] = " ".join) -> list[list[str]]:
    """The rows for a single ruleset: an aspect, or a rule referred to by name, and its cell."""
    return [
        [plain(name) if name not in ASPECTS else name, show(cell_parts(cell))]
        for name, cell in table.columns[0].cells.items()
    ]


def _headers(table: Table) -> list[str]:
    return ["aspect", table.columns[0].id]


# -------------------------------------------------------------------------------------------- formats


def _grid(table: Table, width: int) -> str:
    if table.single:
        if width < STACKED:
            cells = table.columns[0].cells.items()
            return _stacked(
                [Line(plain(name), "", "", tuple(cell_parts(cell))) for name, cell in cells], width
            )
        first = max(map(len, ("aspect", *table.columns[0].cells)))
        wide = min(70, width - first - 7)
        rows = _rows(table, lambda parts: "\n".join(folded(part, wide) for part in parts))
        return tabulate(rows, _headers(table), tablefmt="grid", disable_numparse=True)
    parts = sections(table)
    drawn = {
        heading: _stacked(x, width) if width < STACKED else _grid_of(heading, x, width)
        for heading, x in parts
    }
    grids = [f"{heading}\n\n{text}" for heading, text in drawn.items()]
    return "\n\n".join([*_legend(table, [heading for heading, _ in parts], width), *grids])


def _legend(table: Table, headings: Sequence[str], width: int) -> list[str]:
    """What the letters mean, how to look for a deal, and how to see less if there is much to read."""
    lines = [CLASS] if DISAGREE in headings else []
    lines += [SEVERAL] if any(len(shared.letters) > 1 for row in table.rows for shared in row.classes) else []
    parts = [part for row in table.rows for shared in row.classes for part in shared_parts(shared)]
    marks = [
        says
        for mark, says in _MARKS.items()
        if any(
            part == mark or (mark[-1] == " " and part.startswith(mark)) or (mark[0] == "'" and mark in part)
            for part in parts
        )
    ]
    lines += [f"Marks: {', '.join(marks)}."] if marks else []
    if deal := next((row.deal for row in table.rows if row.deal), None):
        lines.append(
            f"For deals that show the differences between two rulesets, type `trickproof diff {' '.join(deal)}`."
        )
    if len(table.columns) > MANY:
        first, second = (column.id for column in table.columns[:2])
        fewer = f"`trickproof table {first} {second}` compares two rulesets"
        some = ",".join(table.aspects[:2])
        aspects = f", and `--aspects {some}` selects aspects" if len(table.aspects) > 2 else ""
        lines.append(f"For a shorter table, {fewer}{aspects}.")
    return ["\n".join(folded(line, width) for line in lines)] if lines else []


def _stacked(lines: Sequence[Line], width: int) -> str:
    """The same without columns, with labels over text."""
    groups: list[list[Line]] = []
    for line in lines:
        if line.aspect:
            groups.append([])
        groups[-1].append(line)
    return "\n\n".join(_block(group, width) for group in groups)


def _block(group: Sequence[Line], width: int) -> str:
    """An aspect: what rulesets say, each under its letter and its rulesets."""
    said = [(0, group[0].aspect)]
    for line in group:
        label = "  ".join(filter(None, (line.letter, line.rulesets)))
        said += [(2, label)] if label else []
        said += [(4 if label else 2, part) for part in line.rule]
    said += [(2, text) for text in _no_deal(group[0])]
    return "\n".join(indent(folded(text, width - by), " " * by) for by, text in said)


def _no_deal(line: Line) -> list[str]:
    """Why no deal shows what differs, if so."""
    return [f"no deal can show the difference: {line.no_deal.removeprefix('none: ')}"] if line.no_deal else []


def _grid_of(heading: str, lines: Sequence[Line], width: int) -> str:
    """One grid, without a column for deals.

    Every column is at least two characters wider than its header, and ruleset names, with their comma, are
    not broken.
    """
    longest = max(len(name) for line in lines for name in line.rulesets.split(", "))
    widths = {"rulesets": max(14 if width <= WIDTH else 18, min(longest + 1, 30)), "class": 7}
    columns = [name for name in headers(heading) if name != "deal"]
    first = min(18, max(len(columns[0]) + 2, *(len(line.aspect) for line in lines)))
    wide = width - first - sum(widths.get(name, 0) for name in columns[1:]) - 3 * len(columns) - 1

    def shown(line: Line) -> list[str]:
        rule = "\n".join(folded(part, wide) for part in [*line.rule, *_no_deal(line)])
        letter = [line.letter] if heading == DISAGREE else []
        return [folded(line.aspect, first), *letter, folded(line.rulesets, widths["rulesets"]), rule]

    heads = [columns[0], *(name if name in widths else folded(name, wide - 2) for name in columns[1:])]
    return tabulate(list(map(shown, lines)), heads, tablefmt="grid", disable_numparse=True)


def _github(table: Table) -> str:
    if table.single:
        rows = _rows(table, lambda parts: "<br>".join(map(github_cell, parts)))
        return github_table(rows, [github_cell(text) for text in _headers(table)])
    return "\n\n".join(
        f"## {heading}\n\n{github_lines(heading, lines)}" for heading, lines in sections(table)
    )


def github_lines(heading: str, lines: Sequence[Line], link: Callable[[Line], str] | None = None) -> str:
    """Lines as a Markdown table; `link` renders the link to a deal, by default the command that shows it."""
    rows = []
    for line in lines:
        *cells, rule = line_cells(heading, replace(line, deal="", no_deal=""), _in_lines)[:4]
        row = [*map(github_cell, cells), rule]
        if heading == DISAGREE:
            deal = (link(line) if link else f"`{line.deal}`") if line.deal else line.no_deal
            row.append(deal)
        rows.append(row)
    return github_table(rows, headers(heading))


def _in_lines(parts: Sequence[str]) -> str:
    return "<br>".join(map(github_cell, parts))


def github_table(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> str:
    """Cells that are already Markdown, as a table without alignment padding."""
    lines = tabulate(rows, headers, tablefmt="github", disable_numparse=True).splitlines()
    lines[1] = re.sub("-{3,}", "---", lines[1])
    return "\n".join(re.sub(" {2,}", " ", line) for line in lines)


def github_cell(text: str) -> str:
    """Text escaped for a Markdown cell, on one line."""
    return " ".join(re.sub(r"([\\|*`<>])", r"\\\1", text).split())


def _latex(table: Table) -> str:
    """A `longtable` with `booktabs` rules; the `array` package is needed too."""
    if table.single:
        return _latex_table(_headers(table), (0.2, 0.75), _rows(table, "\n".join))
    parts = []
    for heading, lines in sections(table):
        widths = (0.13, 0.06, 0.19, 0.34, 0.14) if heading == DISAGREE else (0.14, 0.22, 0.57)
        rows = [line_cells(heading, line, "\n".join) for line in lines]
        parts.append(f"\\subsection*{{{_tex(heading)}}}\n{_latex_table(headers(heading), widths, rows)}")
    return "\n\n".join(parts)


def _latex_table(headers: Sequence[str], widths: Sequence[float], rows: Sequence[Sequence[str]]) -> str:
    columns = "".join(f"{_RAGGED}p{{{width}\\linewidth}}" for width in widths)
    lines = [rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}", r"\toprule", _tex_row(headers), r"\midrule"]
    lines += [r"\endhead", r"\bottomrule", r"\endfoot"]
    for number, row in enumerate(rows):
        if number and row[0]:
            lines.append(r"\addlinespace")
        lines.append(_tex_row(row))
    return "\n".join([*lines, r"\end{longtable}"])


def _tex_row(cells: Sequence[str]) -> str:
    return " & ".join(map(_tex, cells)) + r" \\"


_TEX = {
    "\n": r" \newline ",
    "\\": r"\textbackslash{}",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
    "≥": r"\ensuremath{\geq}",
}


def _tex(text: str) -> str:
    """Text escaped for TeX, line by line."""
    return "".join(_TEX.get(sign, sign) for sign in text)


def _csv(table: Table) -> str:
    """One table for all sections; a single ruleset has one line per aspect."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if table.single:
        writer.writerow(_headers(table))
        writer.writerows(_rows(table))
    else:
        writer.writerow(["section", *HEADERS])
        for heading, lines in sections(table):
            aspect = ""
            for line in lines:
                aspect = line.aspect or aspect
                deal = line.deal or line.no_deal
                writer.writerow([heading, aspect, line.letter, line.rulesets, " ".join(line.rule), deal])
    return out.getvalue().removesuffix("\n")


def _html(table: Table) -> str:
    parts = [
        (DISAGREE, [row for row in table.rows if row.differs]),
        (AGREE, [row for row in table.rows if not row.differs]),
        (CALLED, table.helpers),
    ]
    return page(
        "table.html.jinja",
        table=table,
        sections=parts,
        disagree=DISAGREE,
        headers=headers,
        customs=CUSTOMS,
        statements={cite: says for column in table.columns for cite, says in column.statements.items()},
        plain=plain,
        aspects=ASPECTS,
        cell_parts=cell_parts,
        shared_parts=shared_parts,
        saying_parts=saying_parts,
        brief=brief,
        letters=letters,
        names=names,
    )


# ---------------------------------------------------------------------------------------------- JSON


def table_document(table: Table) -> Content:
    """The cells by aspect and ruleset, and by class; what is said about customs."""
    rows = [
        {
            "aspect": row.aspect,
            "cells": {c.id: c.cells[row.aspect] for c in table.columns},
            "classes": [_class_document(shared) for shared in row.classes],
            "differs": row.differs,
            "deal": None if row.deal is None else {"a": row.deal[0], "b": row.deal[1]},
        }
        for row in table.rows
    ]
    helpers = [
        {"rule": row.aspect, "classes": [_class_document(shared) for shared in row.classes]}
        for row in table.helpers
    ]
    return {
        "rulesets": [{"id": x.id, "title": x.title} for x in table.columns],
        "aspects": rows,
        "helpers": helpers,
        "customs": table.customs,
    }


def _class_document(shared: Shared) -> Content:
    return {
        "letters": list(shared.letters),
        "rulesets": list(shared.rulesets),
        "mark": shared.mark,
        "text": shared.cell.text,
        "readings": shared.cell.readings,
        "terms": list(shared.cell.terms),
        "restated": shared.restated,
        "gap": shared.cell.gap,
        "cites": list(shared.cites),
        "assumes": list(shared.assumes),
    }
