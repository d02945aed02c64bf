"""Positions in LSP terms: lines from 0, columns in the negotiated encoding's units (UTF-16 by default)."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types as lsp

from trickproof_dsl.diagnostics.source import Source, Span

_UNITS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    "utf-32": len,
}


class Positions:
    """Converts between offsets in a source and positions."""

    def __init__(self, encoding: str | None) -> None:
        self._units = _UNITS.get(encoding or "", _UNITS["utf-16"])

    def position(self, source: Source, offset: int) -> lsp.Position:
        line, column = source.position(offset)
        return lsp.Position(line - 1, self._units(source.line_text(line)[: column - 1]))

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position(span.source, span.start), self.position(span.source, span.end))

    def offset(self, source: Source, position: lsp.Position) -> int:
        """The offset of a position; positions beyond the end of a line are clamped to it."""
        start, end = source.line_bounds(position.line + 1)
        at, units = start, 0
        while at < end and units < position.character:
            units += self._units(source.text[at])
            at += 1
        return at
