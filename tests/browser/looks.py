"""What every page is looked at for: accessibility, width, errors, requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

WIDTHS = (390, 768, 1280)
SCHEMES = ("light", "dark")


@contextmanager
def page(browser: Any, width: int = 1280, scheme: str = "light", **options: Any) -> Iterator[Any]:
    """A new page; at its end nothing has failed on it, and nothing was asked of another host than its first."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
    shown = context.new_page()
    wrong: list[str] = []
    asked: set[str] = set()
    shown.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    shown.on("pageerror", lambda problem: wrong.append(str(problem)))
    shown.on("dialog", lambda dialog: wrong.append(dialog.message))
    context.on("request", lambda request: asked.add(request.url.split("/")[2]))
    try:
        yield shown
        assert wrong == [], wrong
        assert len(asked - {""}) <= 1, asked
    finally:
        context.close()


def violations(shown: Any, axe: str) -> list[str]:
    """What axe-core finds, at the width and in the colours that the page has now."""
    shown.evaluate(axe)
    found = shown.evaluate("axe.run()")["violations"]
    return [f"{one['id']}: {node['html'][:150]}" for one in found for node in one["nodes"]]


def sideways(shown: Any) -> int:
    """By how many pixels the page is wider than the window."""
    return int(shown.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
