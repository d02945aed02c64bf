"""The documentation as a site: the pages of docs/, the report of the documented rulesets, the playground and the JSON Schemas.

    python .ci/docs_site.py FOLDER [--without report,playground] [--report "six-over pagat --hands 200"]

In an environment with `pip install ".[docs]"`, and npm for the playground.  A link that leads nowhere fails, and so does
anything that a page would load from another host.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]

EXTRA = """
## On this site

- [The documented rulesets](report/index.html), compared, with every verdict and its deal
- [The playground](playground/index.html): the prover in your browser
- [JSON Schemas](json-schemas.md) of what the commands print
"""
"""What the first page says beside the README."""

SCHEMAS = """# JSON Schemas

Each of these describes a document that a command prints with `--json`, or a line of JSON Lines.

| schema | printed by |
|---|---|
"""
"""The beginning of the page that lists the schemas."""


class Page(HTMLParser):
    """Where a page leads, and the places in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: set[str] = set()
        self.places = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value and tag != "base":
                self.links.append(value)
                if name == "src" or tag == "link":
                    self.loaded.add(value)
            if name in ("id", "name") and value:
                self.places.add(value)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--without", default="", help="report, playground or both")
    options.add_argument("--report", default="", help="arguments of `trickproof report`, for a smaller one")
    chosen = options.parse_args()
    folder, without = chosen.folder.resolve(), chosen.without.split(",")
    _pages(folder)
    parts = {"report": shlex.split(chosen.report), "playground": ["--report", "../report/index.html"]}
    for name, arguments in parts.items():
        if name not in without:
            command = [sys.executable, "-m", "trickproof", name, *arguments, "-o", str(folder / name)]
            subprocess.run(command, check=True)
    broken = [
        line
        for line in broken_links(folder)
        if not any(name and f"{name}/index.html" in line for name in without)
    ]
    print("\n".join([*broken, f"{len(broken)} broken links: {folder / 'index.html'}"]))
    return 1 if broken else 0


def _pages(folder: Path) -> None:
    """The README and docs/ by mkdocs, from a copy in which the README is the first page."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        shutil.copytree(ROOT / "docs", work / "docs")
        shutil.copy(ROOT / "mkdocs.yml", work)
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        readme = readme.replace("](docs/", "](").replace("](LICENSE)", "](LICENSE.txt)")
        (work / "docs/index.md").write_text(readme + EXTRA, encoding="utf-8")
        for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
            text = (ROOT / name).read_text(encoding="utf-8")
            (work / "docs" / name).write_text(text.replace("](docs/", "]("), encoding="utf-8")
        (work / "docs/json-schemas.md").write_text(_schemas(), encoding="utf-8")
        shutil.copy(ROOT / "LICENSE", work / "docs/LICENSE.txt")
        for path in (work / "docs").glob(
            "*.md"
        ):  # mkdocs knows one word at a block, ours may say what tests do with it
            text = re.sub(r"^( *```[a-z]+) .*$", r"\1", path.read_text(encoding="utf-8"), flags=re.M)
            path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
        subprocess.run(command, cwd=work, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})


def _schemas() -> str:
    """A page that lists docs/schemas."""
    rows = []
    for path in sorted((ROOT / "docs/schemas").glob("*.json")):
        says = json.loads(path.read_text(encoding="utf-8"))["description"]
        says = re.sub("^Printed by: (trickproof.*)", r"`\1`", says).removeprefix("Printed by: ")
        rows.append(f"| [{path.name.partition('.')[0]}](schemas/{path.name}) | {says} |\n")
    return SCHEMAS + "".join(rows)


def broken_links(folder: Path) -> Iterator[str]:
    """Links of the site's pages to files, and to places in pages, that are not there; what is loaded from other hosts."""

    @cache
    def page(path: Path) -> Page:
        return Page(path)

    for path in sorted(folder.rglob("*.html")):
        for link in page(path).links:
            parts = urlsplit(link)
            if parts.netloc and link in page(path).loaded:
                yield f"{path.relative_to(folder)}: {link} (loaded from another host)"
            if parts.scheme or parts.netloc or re.match(r"#s=|javascript:", link):
                continue
            if path.name == "404.html" and parts.path.startswith("/"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            where = f"{path.relative_to(folder)}: {link}"
            if not target.is_file():
                yield where
            elif target.suffix == ".html" and unquote(parts.fragment) not in page(target).places:
                yield f"{where} (no such place)"


if __name__ == "__main__":
    sys.exit(main())
