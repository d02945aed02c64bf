"""docs/api.md: its python blocks run in one namespace and print what the text block after them says.

To renew the text blocks after a deliberate change: `python tests/docs/test_api_doc.py`, and read the difference.
"""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/api.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def outputs(page: str) -> list[tuple[str, str, str | None]]:
    """Each python block, what it prints, and what the page says it prints."""
    namespace: dict[str, object] = {}
    found = []
    for block in _BLOCK.finditer(page):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block[1], f"{PAGE.name}: {block[1].splitlines()[0]}", "exec"), namespace)
        found.append((block[1], printed.getvalue(), block[2]))
    return found


def renewed(page: str) -> str:
    printed = iter(outputs(page))

    def block(match: re.Match[str]) -> str:
        code, told, _ = next(printed)
        return f"```python\n{code}```\n" + (f"\n```text\n{told}```\n" if told else "")

    return _BLOCK.sub(block, page)


def test_the_page_says_what_its_examples_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = outputs(PAGE.read_text("utf-8"))
    assert len(found) >= 8
    for code, printed, told in found:
        assert printed == (told or ""), code


BLOCKED = """
import pathlib
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names | {"trickproof_dsl", "lark", "yaml", "_yaml", "regex"}:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocker())
import trickproof_dsl
for name in trickproof_dsl.__all__:
    getattr(trickproof_dsl, name)
library = trickproof_dsl.Library([pathlib.Path("rulesets")])
ruleset, problems = library.load("pagat")
assert ruleset is not None, trickproof_dsl.render(problems)
end = trickproof_dsl.play_hand(ruleset, [trickproof_dsl.random_player(n) for n in range(3)])
assert end.hand_over
import pkgutil
for module in pkgutil.walk_packages(trickproof_dsl.__path__, "trickproof_dsl."):
    __import__(module.name)
foreign = {name.partition(".")[0] for name in sys.modules} & {"z3", "click", "hypothesis", "trickproof"}
assert not foreign, foreign
"""


def test_the_referee_needs_only_lark_yaml_and_the_standard_library() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_importing_the_package_brings_in_nothing_heavy() -> None:
    code = (
        "import sys, trickproof_dsl; assert not {'lark', 'yaml', 'trickproof_dsl.library'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


if __name__ == "__main__":
    with contextlib.chdir(ROOT):
        PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
