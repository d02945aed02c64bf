"""The editor's text as a ruleset, and its errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trickproof.check_runner.known_issues import unknown_known
from trickproof.support.bundled import bundled_library
from trickproof_dsl.diagnostics.diagnostic import Diagnostic, as_json
from trickproof_dsl.library import Ruleset

LONGEST = 200_000
"""Maximum number of characters of a text."""

FILE = "my.yaml"
"""The name of the editor's text in messages."""


class RefusedError(Exception):
    """Why a request is refused."""


class Texts:
    """The bundled rulesets, and the last text that was read."""

    def __init__(self) -> None:
        self.library = bundled_library()
        self._text: str | None = None
        self._loaded: tuple[Ruleset | None, list[Diagnostic]] = (None, [])

    def read(self, request: Mapping[str, Any]) -> Mapping[str, object]:
        """Read the request's text: its errors, id, title and base."""
        ruleset, wrong = self._load(request["text"])
        return {
            "kind": "read",
            "id": None if ruleset is None else ruleset.id,
            "title": None if ruleset is None else ruleset.title,
            "base": None if ruleset is None or ruleset.base is None else ruleset.base.id,
            "errors": [_shown(diagnostic, request["text"]) for diagnostic in wrong],
        }

    def ruleset(self, text: str) -> Ruleset:
        """The ruleset of a text that was read. Raises RefusedError if it has errors."""
        ruleset, _ = self._load(text)
        if ruleset is None:
            raise RefusedError("the text has errors")
        return ruleset

    def named(self, name: str) -> Ruleset:
        """A bundled ruleset by id. Raises RefusedError."""
        ruleset = None if self.library.is_path(name) else self.library.load(name)[0]
        if ruleset is None:
            raise RefusedError(f"there is no ruleset `{name}`")
        return ruleset

    def _load(self, text: str) -> tuple[Ruleset | None, list[Diagnostic]]:
        if len(text) > LONGEST:
            raise RefusedError(f"the text has more than {LONGEST:,} characters")
        if text != self._text:
            self._loaded = self._bundled(text) or self._own(text)
            self._text = text
        return self._loaded

    def _bundled(self, text: str) -> tuple[Ruleset, list[Diagnostic]] | None:
        """The bundled ruleset that has this text, if any."""
        for name, path in self.library.ruleset_paths().items():
            if path.stat().st_size == len(text.encode()) and path.read_text(encoding="utf-8") == text:
                ruleset, wrong = self.library.load(name)
                return None if ruleset is None else (ruleset, wrong)
        return None

    def _own(self, text: str) -> tuple[Ruleset | None, list[Diagnostic]]:
        ruleset, wrong = self.library.load_text(text, FILE)
        if ruleset is not None and (unknown := unknown_known([ruleset])):
            return None, unknown
        return ruleset, wrong


def _shown(diagnostic: Diagnostic, text: str) -> dict[str, object]:
    """A diagnostic with its span in UTF-16 units, as JavaScript counts; no span if it is in another file."""
    span = diagnostic.span
    here = span is not None and span.source.text == text
    start, end = (span.start, span.end) if here and span is not None else (None, None)
    return {**as_json(diagnostic), "from": utf16_offset(text, start), "to": utf16_offset(text, end)}


def utf16_offset(text: str, offset: int | None) -> int | None:
    """An offset in code points as JavaScript counts it."""
    return None if offset is None else len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2
