"""Draw the pictures of pages in docs/screens, which the README shows, from a report and a playground.

trickproof report six-over pagat hearts -o REPORT && trickproof playground -o PLAYGROUND
python .ci/screens.py REPORT PLAYGROUND [NAME]...
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import sync_playwright

from trickproof.cli.commands.playground import StaticServer

SCREENS = Path(__file__).resolve().parents[1] / "docs/screens"
QUALITY = 60
LONG = 600_000
"""Milliseconds."""

Act = Callable[[Any], object]


def nothing(shown: Any) -> None:
    return


def at(selector: str) -> Act:
    """Shows a place at the top."""
    return lambda shown: shown.locator(selector).first.evaluate("(one) => one.scrollIntoView()")


def asked(shown: Any) -> None:
    """A question of the quiz that has a deal, with it."""
    while not shown.locator(".screen:visible summary").count():
        shown.locator(".screen:visible .answers a").first.click()
    shown.locator(".screen:visible summary").first.click()


def compared(shown: Any) -> None:
    for one, id in zip(shown.locator(".pair select").all(), ("six-over", "pagat"), strict=True):
        one.select_option(id)


def checked(shown: Any) -> None:
    shown.wait_for_selector("#findings .verdict")
    shown.wait_for_selector("body:not([data-busy])", state="attached")


def played(shown: Any) -> None:
    checked(shown)
    shown.click("#play")
    shown.wait_for_selector("#table h3")
    shown.wait_for_selector("body:not([data-busy])", state="attached")
    at("#h-play")(shown)


PAGES: Mapping[str, tuple[str, int, int, str, Act]] = {
    "index": ("index.html", 1280, 500, "light", nothing),
    "ruleset": ("rulesets/six-over.html", 1280, 760, "light", nothing),
    "compare-dark": ("compare.html", 1280, 760, "dark", nothing),
    "quiz": ("quiz.html", 1280, 620, "light", asked),
    "effects": ("effects.html", 1280, 700, "light", nothing),
    "implementers": ("implementers.html", 1280, 800, "light", nothing),
    "phone": ("rulesets/six-over.html#deal-examples-agree/4", 390, 760, "light", nothing),
    "compare-phone": ("compare.html", 390, 900, "light", compared),
}
"""Pages of the report: address, width, height, colours, and what is done first."""

LIVE: Mapping[str, tuple[str, int, int, str, Act]] = {
    "playground": ("index.html#six-over", 1280, 800, "light", checked),
    "playground-phone-dark": ("index.html#six-over", 390, 900, "dark", played),
}
"""The same of the playground."""


def main() -> None:
    report, playground, *names = sys.argv[1:]
    with sync_playwright() as playwright:
        browser: Any = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for folder, pages in ((report, PAGES), (playground, LIVE)):
            with StaticServer(Path(folder)) as server:
                Thread(target=server.serve_forever, daemon=True).start()
                for name, (address, width, height, colours, act) in pages.items():
                    if not names or name in names:
                        size = {"width": width, "height": height}
                        context = browser.new_context(viewport=size, color_scheme=colours)
                        shown = context.new_page()
                        shown.set_default_timeout(LONG)
                        shown.goto(f"{server.address}{address}")
                        act(shown)
                        shown.screenshot(path=SCREENS / f"{name}.jpg", type="jpeg", quality=QUALITY)
                        context.close()
                server.shutdown()
        browser.close()


if __name__ == "__main__":
    main()
