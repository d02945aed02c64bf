"""The language server: answers requests of the Language Server Protocol from the open files.

Needs pygls (extra `lsp`). Documents are synchronised as a whole, because pygls splits lines where neither
YAML nor the protocol does.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from trickproof.check_runner.known_issues import with_current_names
from trickproof.lsp.names import completions_at, meaning_at
from trickproof.lsp.open_files import Declaration, OpenFiles, ReadFile, is_ours
from trickproof.lsp.verdicts import Checks
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.formatting.files import format_source

PAUSE = 0.2
"""Seconds without typing after which files are read again."""

_MEANT = re.compile(r"did you mean `([^`]+)`\?$")
_COMPLETION_KINDS = {
    "rule": lsp.CompletionItemKind.Function,
    "function": lsp.CompletionItemKind.Function,
    "move": lsp.CompletionItemKind.Method,
    "variable": lsp.CompletionItemKind.Variable,
    "zone": lsp.CompletionItemKind.Struct,
    "parameter": lsp.CompletionItemKind.Constant,
    "option": lsp.CompletionItemKind.EnumMember,
    "type of options": lsp.CompletionItemKind.Enum,
    "word": lsp.CompletionItemKind.Keyword,
    "ruleset": lsp.CompletionItemKind.File,
    "document": lsp.CompletionItemKind.File,
    "statement": lsp.CompletionItemKind.Reference,
    "check": lsp.CompletionItemKind.Value,
}


_UNITS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    "utf-32": len,
}


class Positions:
    """Converts between offsets in a source and positions in LSP terms: lines from 0, columns in the negotiated units (UTF-16 by default)."""

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


class Server(LanguageServer):
    """The files of one editor."""

    def __init__(self) -> None:
        super().__init__(
            "trickproof", version("trickproof"), text_document_sync_kind=lsp.TextDocumentSyncKind.Full
        )
        self.files, self.checks = OpenFiles(), Checks()
        self.verdicts: dict[Path, list[lsp.Diagnostic]] = {}
        self.waiting: asyncio.Task[None] | None = None

    @property
    def positions(self) -> Positions:
        return Positions(self.server_capabilities.position_encoding)

    def read(self, uri: str) -> ReadFile | None:
        """An open ruleset or document, else None."""
        path = _path(uri)
        if path is None or path.resolve() not in self.files.paths:
            return None
        file = self.files.read(path)
        return file if is_ours(file.source) else None

    def at(
        self, asked: lsp.HoverParams | lsp.DefinitionParams | lsp.CompletionParams
    ) -> tuple[ReadFile, int] | None:
        """The requested file, and the offset in it."""
        file = self.read(asked.text_document.uri)
        return None if file is None else (file, self.positions.offset(file.source, asked.position))

    def changed(self, uri: str, text: str | None) -> None:
        """Take a new text, or close the file; every open file is read again once typing pauses."""
        path = _path(uri)
        if path is None:
            return
        self.files.change(path, text)
        self.verdicts.pop(path.resolve(), None)
        if text is None:
            self.checks.stop(path.resolve())
            self.publish(uri, [])
        if self.waiting is not None:
            self.waiting.cancel()
        self.waiting = asyncio.get_running_loop().create_task(self._read_again())

    async def _read_again(self) -> None:
        await asyncio.sleep(PAUSE)
        for path in self.files.paths:
            self.tell(path)
            await asyncio.sleep(0)

    def tell(self, path: Path) -> None:
        """Publish a file's diagnostics, or else the findings of its last check."""
        uri = _uri(path)
        file = self.read(uri)
        if file is not None:
            wrong = [self._diagnostic(file.source, one) for one in file.diagnostics]
            self.publish(uri, wrong or self.verdicts.get(path, []))

    def publish(self, uri: str, diagnostics: list[lsp.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics))

    def _diagnostic(self, source: Source, wrong: Diagnostic) -> lsp.Diagnostic:
        message = wrong.message + (f"\n{wrong.advice}" if wrong.advice else "")
        at, notes = wrong.span, list(wrong.notes)
        if at is not None and at.source.name != source.name:
            notes.insert(0, (wrong.message, at))
            at = next((span for _, span in wrong.notes if span.source.name == source.name), None)
        return lsp.Diagnostic(
            self.positions.range(at or _heading(source)),
            message,
            lsp.DiagnosticSeverity.Error,
            wrong.code,
            source="trickproof",
            related_information=[
                lsp.DiagnosticRelatedInformation(self.location(span), text)
                for text, span in notes
                if Path(span.source.name).is_file()
            ],
        )

    def location(self, span: Span) -> lsp.Location:
        """The location of a span in any file."""
        return lsp.Location(_uri(Path(span.source.name).resolve()), self.positions.range(span))


def create_server() -> Server:
    """A server with all its features."""
    server = Server()
    _synchronise(server)
    _answer(server)
    _edit(server)
    return server


def _synchronise(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri, params.content_changes[-1].text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.changed(params.text_document.uri, None)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        file = server.read(params.text_document.uri)
        if file is None or file.ruleset is None:
            return
        path, source = Path(file.source.name), file.source
        shown = await server.checks.check(path)
        if shown is None or path not in server.files.paths or server.files.text(path) != source.text:
            return
        server.verdicts[path] = [
            lsp.Diagnostic(
                server.positions.range(_line_from(source, one.line, one.column)),
                f"{one.verdict}: {one.message}",
                lsp.DiagnosticSeverity.Warning
                if one.verdict == "refuted"
                else lsp.DiagnosticSeverity.Information,
                one.check,
                source="trickproof",
            )
            for one in shown
        ]
        server.tell(path)

    @server.feature(lsp.SHUTDOWN)
    def shut_down(_: None) -> None:
        server.checks.stop_all()


def _answer(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        asked = server.at(params)
        meaning = meaning_at(*asked) if asked else None
        if meaning is None:
            return None
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, meaning.text)
        return lsp.Hover(text, server.positions.range(meaning.at))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        asked = server.at(params)
        meaning = meaning_at(*asked) if asked else None
        return server.location(meaning.declared) if meaning and meaning.declared else None

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        asked = server.at(params)
        return [
            lsp.CompletionItem(one.word, kind=_COMPLETION_KINDS[one.kind], detail=one.kind)
            for one in (completions_at(*asked) if asked else ())
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        file = server.read(params.text_document.uri)
        return list(_symbols(server, file)) if file else []


def _edit(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        file = server.read(params.text_document.uri)
        text = format_source(with_current_names(file.source))[0] if file else None
        if file is None or text is None or text == file.source.text:
            return []
        whole = server.positions.range(Span(file.source, 0, len(file.source.text)))
        return [lsp.TextEdit(whole, text)]

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        file = server.read(uri)
        if file is None:
            return []
        found = []
        for wrong in file.diagnostics:
            meant = _MEANT.search(wrong.suggestion or "")
            if meant is None or wrong.span is None or wrong.span.source.name != file.source.name:
                continue
            at = server.positions.range(wrong.span)
            if at.start.line <= params.range.end.line and params.range.start.line <= at.end.line:
                edit = lsp.WorkspaceEdit({uri: [lsp.TextEdit(at, meant[1])]})
                title = f"Replace `{wrong.span.text}` with `{meant[1]}`"
                found.append(lsp.CodeAction(title, kind=lsp.CodeActionKind.QuickFix, edit=edit))
        return found


def _symbols(server: Server, file: ReadFile) -> Iterator[lsp.DocumentSymbol]:
    """The file's own declarations, in order."""
    own = next((one for one in file.files if one.source.name == file.source.name), None)
    if own is None or own.source != file.source:
        return
    sections: tuple[tuple[Mapping[str, Declaration], lsp.SymbolKind], ...] = (
        (own.parameters, lsp.SymbolKind.Constant),
        (own.options, lsp.SymbolKind.Enum),
        (own.state, lsp.SymbolKind.Variable),
        (own.zones, lsp.SymbolKind.Struct),
        (own.moves, lsp.SymbolKind.Method),
        (own.rules, lsp.SymbolKind.Function),
        (own.invariants, lsp.SymbolKind.Boolean),
    )
    for section, kind in sections:
        for name, declared in section.items():
            at = server.positions.range(declared.name.span.to(declared.span))
            yield lsp.DocumentSymbol(name, kind, at, server.positions.range(declared.name.span))


def _heading(source: Source) -> Span:
    return Span(source, *source.line_bounds(1))


def _line_from(source: Source, line: int, column: int) -> Span:
    start, end = source.line_bounds(line)
    return Span(source, min(start + column - 1, end), end)


def _path(uri: str) -> Path | None:
    """The path of a URI; None if it is not a file on disk."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return None if path is None else Path(path)


def _uri(path: Path) -> str:
    return from_fs_path(str(path)) or path.as_uri()
