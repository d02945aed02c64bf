"""The worker's interface to the page: a JSON request, answered by a stream of JSON items.

Guarantees that every request ends with `done` or `failed` whatever its text, that nothing is raised or
printed, and that no file is written except cached findings and comparisons. The page can abandon a check
between two findings by not asking for the next item.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from trickproof.playground.texts import RefusedError, Texts
from trickproof.support.exception_causes import out_of_memory
from trickproof.support.serialise import serialised

Item = Mapping[str, object]

JOBS: Mapping[str, tuple[str, str]] = {
    "read": ("words", "in_words"),
    "check": ("answers", "checked"),
    "diff": ("answers", "compared"),
    "validate": ("answers", "judged"),
    "replay": ("replayed", "replayed"),
    "play": ("table", "at_table"),
}
"""The jobs on a text after reading it: a module and its function, imported on demand."""


class Tab:
    """The worker's state: the loaded rulesets."""

    def __init__(self) -> None:
        self._texts = Texts()

    def ask(self, request: str) -> Iterator[str]:
        """The items of an answer."""
        for item in self._items(json.loads(request)):
            yield json.dumps(serialised(item), ensure_ascii=False)

    def _items(self, request: Mapping[str, Any]) -> Iterator[Item]:
        try:
            yield self._texts.read(request)
            if request["do"] in JOBS:
                module, function = JOBS[request["do"]]
                answer = getattr(import_module(f"trickproof.playground.{module}"), function)
                yield from answer(self._texts, request)
            yield {"kind": "done"}
        except RefusedError as why:
            yield {"kind": "failed", "message": str(why)}
        except Exception as problem:
            short = "there is not enough memory in this tab" if out_of_memory(problem) else None
            yield {"kind": "failed", "message": short or f"bug: {type(problem).__name__}: {problem}"}
