"""Measure how soon the playground answers in Chromium, in seconds of the clock; only a machine that does nothing else says what it can.

    PYTHONPATH=tests python tests/benchmarks/playground.py [ROUNDS]

From a cold load to the first verdict and to all of six-over; from a changed target to its verdict and to all of the house rule; and
from a reload, where the browser has kept them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import sync_playwright

from browser.looks import page
from browser.texts import HOUSE
from trickproof.cli.commands.playground import StaticServer

LONG = 240_000
"""Milliseconds."""


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "trickproof", "playground", "-o", str(folder)], check=True)
        started = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with StaticServer(folder) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            for _ in range(rounds):
                load = os.getloadavg()[0]
                print(*measured(started, server.address), f"(load {load:.1f})", sep="; ", flush=True)
            server.shutdown()


def measured(browser: Any, address: str) -> list[str]:
    """Each measure with its seconds to the first verdict and to all of them."""
    with page(browser) as shown:
        shown.set_default_timeout(LONG)

        def timed(what: str, act: Callable[[], object], verdict: str) -> str:
            begun = time.monotonic()
            act()
            shown.wait_for_selector(f"#findings .verdict:not(.stale){verdict}")
            first = time.monotonic() - begun
            shown.wait_for_selector("body:not([data-busy])", state="attached")
            return f"{what}: {first:.1f} s, all {time.monotonic() - begun:.1f} s"

        def write(text: str) -> None:
            shown.locator("#editor .cm-content").click()
            shown.keyboard.press("Control+A")
            shown.keyboard.insert_text(text)

        cold = timed("cold load", lambda: shown.goto(f"{address}#six-over"), "")
        timed("", lambda: write(HOUSE), "[data-check=target-total][data-verdict=proved]")
        time.sleep(5)  # until the house rule's own verdicts, not those of six-over, are there
        changed = HOUSE.replace("becomes 3", "becomes 4")
        edit = timed("edit", lambda: write(changed), "[data-check=target-total][data-verdict=refuted]")
        kept = timed("reload", shown.reload, "[data-check=target-total][data-verdict=refuted]")
        return [cold, edit, kept]


if __name__ == "__main__":
    main()
