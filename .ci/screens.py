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
QUALITY = 50
LONG = 600_000
"""Milliseconds."""

Act = Callable[[Any], object]

FORMS = {"": (1280, 760, "light"), "-dark": (1280, 760, "dark"), "-phone": (390, 760, "light")}
"""Every page is drawn in each of these, by how its name ends: width, height, colours."""

PATIENT = """addEventListener("DOMContentLoaded", () => {
  const limit = document.getElementById("limit");
  if (limit) limit.value = 3600;
});"""
"""So that the pictures of a slow machine show everything, too."""


def nothing(shown: Any) -> None:
    return


def on_a_phone(act: Act) -> Act:
    return lambda shown: act(shown) if shown.viewport_size["width"] < 500 else None


def at(selector: str) -> Act:
    """Shows a place at the top."""
    return lambda shown: shown.locator(selector).first.evaluate("(one) => one.scrollIntoView()")


def asked(shown: Any) -> None:
    """A question of the quiz that has a deal, with it."""
    while not shown.locator(".screen:visible summary").count():
        shown.locator(".screen:visible .answers a").first.click()
    shown.locator(".screen:visible details").first.evaluate("(one) => (one.open = true)")
    at(".screen:target")(shown)


def compared(shown: Any) -> None:
    for one, id in zip(shown.locator(".pair select").all(), ("six-over", "pagat"), strict=True):
        one.select_option(id)


def stepped(shown: Any) -> None:
    """A deal, step by step."""
    shown.evaluate("(location.hash = 'deal-examples-agree/4') && null")


def checked(shown: Any) -> None:
    shown.wait_for_selector("#findings .verdict")
    shown.wait_for_selector("body:not([data-busy])", state="attached")


def played(shown: Any) -> None:
    shown.click("#play")
    shown.wait_for_selector("#table h3")
    shown.wait_for_selector("body:not([data-busy])", state="attached")
    at("#h-play")(shown)


PAGES: Mapping[str, tuple[str, Act, Act]] = {
    "index": ("index.html", nothing, nothing),
    "ruleset": ("rulesets/six-over.html", nothing, on_a_phone(stepped)),
    "compare": ("compare.html", nothing, on_a_phone(compared)),
    "quiz": ("quiz.html", nothing, asked),
    "effects": ("effects.html", nothing, nothing),
    "implementers": ("implementers.html", nothing, nothing),
}
"""Pages of the report: address, what is done once, and what before each picture."""

LIVE: Mapping[str, tuple[str, Act, Act]] = {
    "playground": ("index.html#six-over", checked, on_a_phone(played)),
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
                for name, (address, once, each) in pages.items():
                    if not names or name in names:
                        shown = browser.new_page()
                        shown.set_default_timeout(LONG)
                        shown.add_init_script(PATIENT)
                        shown.goto(f"{server.address}{address}")
                        once(shown)
                        for form, (width, height, colours) in FORMS.items():
                            shown.set_viewport_size({"width": width, "height": height})
                            shown.emulate_media(color_scheme=colours)
                            each(shown)
                            path = SCREENS / f"{name}{form}.jpg"
                            shown.screenshot(path=path, type="jpeg", quality=QUALITY)
                        shown.close()
                server.shutdown()
        browser.close()


if __name__ == "__main__":
    main()
