"""Check results of saved files: `trickproof check` in a subprocess, which the next save terminates."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHOWN = ("refuted", "undecided", "unspecified")
"""Verdicts that an editor shows, unless they are known issues."""


@dataclass(frozen=True)
class Shown:
    """A finding at a 1-based line and column of the file."""

    check: str
    verdict: str
    message: str
    line: int
    column: int


class Checks:
    """At most one running check per file."""

    def __init__(self) -> None:
        self._running: dict[Path, Process] = {}

    async def check(self, path: Path) -> list[Shown] | None:
        """What is not proved about a file; None if the file cannot be read or was saved again."""
        self.stop(path)
        command = (sys.executable, "-m", "trickproof", "check", str(path), "--json")
        process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
        self._running[path] = process
        output, _ = await process.communicate()
        if self._running.get(path) is not process:
            return None
        del self._running[path]
        with suppress(ValueError, KeyError, IndexError):
            return _shown(json.loads(output)["rulesets"][0]["findings"], path)
        return None

    def stop(self, path: Path) -> None:
        """Terminate the running check of a file."""
        process = self._running.pop(path, None)
        if process is not None and process.returncode is None:
            process.terminate()

    def stop_all(self) -> None:
        for path in list(self._running):
            self.stop(path)


def _shown(findings: list[dict[str, Any]], path: Path) -> list[Shown]:
    shown = []
    for finding in findings:
        if finding["verdict"] not in SHOWN or finding["known"]:
            continue
        where = finding["where"]
        inside = where is not None and Path(where["file"]).name == path.name
        line, column = (where["line"], where["column"]) if inside else (1, 1)
        shown.append(Shown(finding["check"], finding["verdict"], finding["message"], line, column))
    return shown
