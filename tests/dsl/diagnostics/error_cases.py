"""Golden cases of mistakes: one Markdown file each, with the files of a user and everything he is told.

A case begins with a heading; blocks ```` ```yaml ```` hold files (the first is `house.yaml` and is loaded, others bear
their name after `yaml`), the block ```` ```text ```` the whole rendering.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from trickproof_dsl.diagnostics.diagnostic import Diagnostic, render
from trickproof_dsl.library import Library

ROOT = Path(__file__).parents[3]
CASES = sorted((ROOT / "tests/cases/errors").glob("*.md"))

_FILE = re.compile(r"^```yaml *(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXPECTED = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Case:
    """A case as it stands in its file."""

    path: Path
    text: str
    files: dict[str, str]
    expected: str

    def diagnostics(self, folder: Path) -> list[Diagnostic]:
        """What loading the first file says, in a library of its own folder and the documented rulesets."""
        for name, text in self.files.items():
            path = folder / "mine" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        ruleset, found = Library([folder / "mine", ROOT / "rulesets"]).load("house")
        assert (ruleset is None) == bool(found)
        return found

    def rendered(self, folder: Path) -> str:
        """The text that a user sees."""
        return render(self.diagnostics(folder)) + "\n"

    def updated(self, folder: Path) -> str:
        """The case with what is said now."""
        block = f"```text\n{self.rendered(folder)}```"
        return _EXPECTED.sub(lambda _: block, self.text)


def read_case(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    files = {name or "house.yaml": body for name, body in _FILE.findall(text)}
    (expected,) = _EXPECTED.findall(text)
    return Case(path, text, files, expected)
