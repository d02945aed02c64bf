"""Chromium, axe-core, and what is looked at: a report and the playground, each made once for all processes of a run.

Where Chromium or npm is missing the tests fail, unless `TRICKPROOF_WITHOUT` names it: `browser`, `npm` or both.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from browser.texts import UNTRUSTED
from trickproof.cli.commands.playground import StaticServer

HERE = Path(__file__).parent
WITHOUT = {word.strip() for word in os.environ.get("TRICKPROOF_WITHOUT", "").split(",")}
LONGEST = 900
"""Seconds that another process may take to make something."""

RULESETS = ("six-over", "pagat", "hearts")
"""What the report is of, beside one that nobody trusts."""


def needed(what: str, there: object, why: str) -> None:
    if there:
        return
    if what in WITHOUT:
        pytest.skip(f"without {what}: {why}")
    pytest.fail(f"{why}; TRICKPROOF_WITHOUT={what} leaves these tests out")


@pytest.fixture(scope="session")
def npm() -> str:
    path = shutil.which("npm")
    needed("npm", path, "npm is not installed")
    assert path is not None
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, or another that is called so."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    needed("browser", chromium, "Chromium is not installed")
    there = find_spec("playwright")
    needed("browser", there, "Playwright for Python is not installed (pip install '.[dev]')")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
        started = playwright.chromium.launch(executable_path=chromium, args=arguments)
        yield started
        started.close()


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Makes a folder with a name, in the first process that asks; the others wait for it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def folder(name: str, make: Callable[[Path], None]) -> Path:
        place, done, failed = (shared / f"{name}{end}" for end in ("", ".done", ".failed"))
        try:
            place.mkdir()
        except FileExistsError:
            until = time.monotonic() + LONGEST
            while not done.exists():
                assert not failed.exists(), failed.read_text()
                assert time.monotonic() < until, f"{name} was not made"
                time.sleep(0.5)
            return place
        try:
            make(place)
        except BaseException as wrong:
            failed.write_text(f"{name}: {wrong}")
            raise
        done.touch()
        return place

    return folder


def run(command: list[str], cwd: Path, **variables: str) -> str:
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **variables}, capture_output=True, text=True, timeout=LONGEST
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def trickproof(*arguments: str, cwd: Path, **variables: str) -> str:
    return run([sys.executable, "-m", "trickproof", *arguments], cwd, **variables)


@pytest.fixture(scope="session")
def axe(npm: str, once: Callable[[str, Callable[[Path], None]], Path]) -> str:
    """The text of axe-core."""

    def make(folder: Path) -> None:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / "npm" / name, folder)
        run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder)

    return (once("axe", make) / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def report(once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The folder of a report, with a ruleset of a stranger."""

    def make(folder: Path) -> None:
        (folder / "untrusted.yaml").write_text(UNTRUSTED, encoding="utf-8")
        cache = str(folder / "cache")
        trickproof(
            "report",
            *RULESETS,
            "untrusted.yaml",
            "-o",
            "site",
            "--hands",
            "500",
            cwd=folder,
            TRICKPROOF_CACHE=cache,
        )

    return once("report", make) / "site"


@pytest.fixture(scope="session")
def playground_files(npm: str, once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The folder of the playground."""

    def make(folder: Path) -> None:
        trickproof(
            "playground",
            "-o",
            "playground",
            cwd=folder,
            TRICKPROOF_CACHE=str(folder / "cache"),
            TRICKPROOF_NO_CACHE="",
        )

    return once("playground", make) / "playground"


@pytest.fixture(scope="session")
def playground(playground_files: Path) -> Iterator[str]:
    """Where a server has the playground."""
    with StaticServer(playground_files) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.address
        server.shutdown()
