"""An editor for tests: it speaks the protocol with `trickproof lsp`, which is a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any


class Editor:
    """One server; as a context manager it is shut down at the end."""

    def __init__(self, encodings: tuple[str, ...] = ()) -> None:
        command = (sys.executable, "-m", "trickproof", "lsp")
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._asked = 0
        capabilities = {"general": {"positionEncodings": list(encodings)}} if encodings else {}
        parameters = {"processId": None, "rootUri": None, "capabilities": capabilities}
        self.capabilities = self.ask("initialize", parameters)["capabilities"]
        self.tell("initialized", {})

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        assert self._process.wait(20) == 0

    def tell(self, method: str, parameters: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def ask(self, method: str, parameters: Any) -> Any:
        """The answer; raises KeyError for an error."""
        self._asked += 1
        self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": parameters})
        while (message := self._receive()).get("id") != self._asked:
            pass
        return message["result"]

    def open(self, path: Path, text: str) -> list[dict[str, Any]]:
        """Opens a file with a text that need not be on the disk; what is wrong with it."""
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics(path)

    def change(self, path: Path, text: str) -> list[dict[str, Any]]:
        item = {"uri": path.as_uri(), "version": 2}
        self.tell("textDocument/didChange", {"textDocument": item, "contentChanges": [{"text": text}]})
        return self.diagnostics(path)

    def diagnostics(self, path: Path) -> list[dict[str, Any]]:
        """What the server says next of a file."""
        while True:
            message = self._receive()
            parameters = message.get("params", {})
            if (
                message.get("method") == "textDocument/publishDiagnostics"
                and parameters["uri"] == path.as_uri()
            ):
                found: list[dict[str, Any]] = parameters["diagnostics"]
                return found

    def about(self, method: str, path: Path, text: str, before: str, **more: Any) -> Any:
        """Asks about the place right after the first occurrence of some text."""
        start = text[: text.index(before) + len(before)]
        line = start.count("\n")
        column = len(start.rpartition("\n")[2].encode("utf-16-le")) // 2
        place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}
        return self.ask(f"textDocument/{method}", {**place, **more})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        body = json.dumps(message).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        return message
