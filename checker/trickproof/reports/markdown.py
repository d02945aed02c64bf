"""The project's Markdown pages on a terminal: headings, lists, quotes and footnotes, wrapped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trickproof.reports.text import Page

_NOTES = re.compile(r"(?:\[\^(\d+)\])+")
_NOTE = re.compile(r"^\[\^(\d+)\]: ")
_ITEM = re.compile(r"^( *)(\d+\.|[-*]) +")
_LEAD = re.compile(r"^\*\*([^*]+)\*\*")
_STRONG = re.compile(r"\*\*([^*]+)\*\*|(?<!\w)\*([^*\s][^*]*)\*(?!\w)|(?<!\w)_([^_\s][^_]*)_(?!\w)")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")
_TAG = re.compile(r"</?(?:details|summary|sup|br)[^>]*>")


def rendered(text: str, page: Page) -> str:
    """Render a Markdown page for a terminal."""
    lines: list[str] = []
    for line in text.splitlines():
        shown = list(_line(line, page))
        if shown != [""] or (lines and lines[-1] != ""):
            lines += shown
    return "\n".join(lines).rstrip("\n")


def _line(line: str, page: Page) -> Iterator[str]:
    heading = line.lstrip("#")
    if heading != line and heading.startswith(" "):
        yield from (page.styled(part, "strong") for part in page.wrapped(_plain(heading.strip())))
        return
    if (note := _NOTE.match(line)) is not None:
        head = f"[{note[1]}] "
        yield from page.wrapped(_plain(line[note.end() :]), head)
        return
    quote = "  " if line.startswith("> ") else ""
    line = line.removeprefix("> ")
    item = _ITEM.match(line)
    head = quote if item is None else f"{quote}{item[1]}{item[2]} "
    body = line if item is None else line[item.end() :]
    text = _plain(body.strip())
    if not text:
        yield ""
        return
    lead = _LEAD.match(body)
    first, *others = page.wrapped(text, head, len(head))
    yield first if lead is None else first.replace(lead[1], page.styled(lead[1], "strong"), 1)
    yield from others


def _plain(text: str) -> str:
    """Text without markup: footnotes in brackets, links with their address."""
    text = _NOTES.sub(_numbers, _TAG.sub("", text))
    text = _LINK.sub(lambda link: link[1] if link[1] == link[2] else f"{link[1]} ({link[2]})", text)
    text = _STRONG.sub(lambda strong: next(filter(None, strong.groups())), text)
    return _ESCAPED.sub(r"\1", text)


def _numbers(notes: re.Match[str]) -> str:
    """Consecutive footnotes as ranges: ` [3-11]`."""
    runs: list[list[int]] = []
    for number in sorted(map(int, re.findall(r"\d+", notes[0]))):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = (f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f" [{', '.join(parts)}]"
