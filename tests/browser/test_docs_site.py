"""The documentation as a site, with a report and the playground in it: every link, and some of its pages in Chromium."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from browser.conftest import run
from browser.looks import SCHEMES, page, sideways
from trickproof.cli.commands.playground import StaticServer

pytestmark = pytest.mark.slow(every=True)

ROOT = Path(__file__).parents[2]

SMALL = ["--report", "six-over --hands 200"]
"""The report of all documented rulesets compares every pair of them, which takes too long for a test."""


@pytest.fixture(scope="session")
def docs_site(playground_files: Path, once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The folder of the site."""

    def make(folder: Path) -> None:
        command = [sys.executable, str(ROOT / ".ci/docs_site.py"), str(folder / "site"), *SMALL]
        cache = playground_files.parent / "cache"
        said = run(command, folder, TRICKPROOF_CACHE=str(cache), TRICKPROOF_NO_CACHE="")
        (folder / "said").write_text(said)

    return once("docs-site", make) / "site"


@pytest.fixture(scope="session")
def address(docs_site: Path) -> Iterator[str]:
    with StaticServer(docs_site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.address
        server.shutdown()


def test_every_link_leads_somewhere(docs_site: Path) -> None:
    assert "\n0 broken links: " in (docs_site.parent / "said").read_text()


def test_every_part_is_reached_from_the_first_page(browser: Any, address: str) -> None:
    for name, heading in (
        ("The documented rulesets", "Rulesets"),
        ("The playground", "Playground"),
        ("JSON Schemas", "JSON Schemas"),
    ):
        with page(browser) as shown:
            shown.goto(address)
            shown.get_by_role("navigation").get_by_role("link", name=name).first.click()
            shown.locator(
                "h1", has_text=re.compile(f"^{heading}")
            ).wait_for()  # the click may lead there later
            assert shown.locator("h1").inner_text().startswith(heading)


@pytest.mark.parametrize("name", ["index", "json-schemas", "language", "report/index", "playground/index"])
def test_nothing_is_wider_than_a_phone(browser: Any, address: str, name: str) -> None:
    for scheme in SCHEMES:
        with page(browser, 390, scheme) as shown:
            shown.goto(f"{address}{name}.html")
            assert sideways(shown) <= 0


def test_a_browser_without_the_prover_is_led_to_the_report(browser: Any, address: str) -> None:
    with page(browser) as shown:
        shown.add_init_script("delete globalThis.WebAssembly")
        shown.goto(f"{address}playground/index.html")
        shown.locator("#problem").get_by_role("link", name="The report").click()
        shown.locator("h1", has_text=re.compile("^Rulesets$")).wait_for()
        assert shown.locator("h1").inner_text() == "Rulesets"
