"""Measure how soon the playground answers in Chromium, beside the command line on the same machine at the same time.

    PYTHONPATH=tests python tests/benchmarks/playground.py [ROUNDS]

From a cold load to the first verdict and to all of six-over; from a changed target to its verdict and to all of the house rule; and
from a reload, where the browser has kept them. Each in seconds of the clock and in processor seconds of all processes of the browser;
for a cold load as a ratio to `trickproof check six-over` in one process, too. The clock says what a tab can do only if the machine
does nothing else; processor seconds and ratios hold on any.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import sync_playwright

from browser.looks import page
from browser.texts import HOUSE
from trickproof.cli.commands.playground import StaticServer

LONG = 1_800_000
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
                clock, processor = native()
                print(f"native: {clock:.1f} s, {processor:.1f} processor seconds (load {load:.1f})")
                print(*measured(started, server.address, processor), sep="\n", flush=True)
            server.shutdown()


def native() -> tuple[float, float]:
    """Seconds and processor seconds of all checks of six-over on the command line, in one process without a cache."""
    command = [sys.executable, "-m", "trickproof", "check", "six-over", "--no-cache", "--workers", "1"]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "TRICKPROOF_PLAIN": "1"}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - begun, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processor_seconds() -> float:
    """Of all processes that descend from this one, and of those that they have waited for."""
    fields = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parts = file.read_text().rpartition(")")[2].split()
            fields[int(file.parent.name)] = int(parts[1]), sum(map(int, parts[11:15]))
    own, ticks = {os.getpid()}, 0
    while found := {pid for pid, (parent, _) in fields.items() if parent in own} - own:
        own |= found
        ticks += sum(fields[pid][1] for pid in found)
    return ticks / os.sysconf("SC_CLK_TCK")


def measured(browser: Any, address: str, processor: float) -> list[str]:
    """Each measure with its seconds to the first verdict and to all of them; `processor` seconds are those of `native`."""
    with page(browser) as shown:
        shown.set_default_timeout(LONG)
        shown.add_init_script("addEventListener('DOMContentLoaded', () => (limit.value = 3600))")

        def timed(what: str, act: Callable[[], object], verdict: str) -> str:
            begun, before = time.monotonic(), processor_seconds()
            act()
            shown.wait_for_selector(f"#findings .verdict:not(.stale){verdict}")
            first, used = time.monotonic() - begun, processor_seconds() - before
            shown.wait_for_selector("body:not([data-busy])", state="attached")
            every, all_used = time.monotonic() - begun, processor_seconds() - before
            ratio = f", {all_used / processor:.1f} times native" if what == "cold load" else ""
            return f"{what}: {first:.1f} s ({used:.1f}), all {every:.1f} s ({all_used:.1f} processor seconds{ratio})"

        def write(text: str) -> None:
            shown.locator("#editor .cm-content").click()
            shown.keyboard.press("Control+A")
            shown.keyboard.insert_text(text)

        def target(becomes: int, word: str) -> tuple[Callable[[], object], str]:
            """Writes the house rule with another target, and what it waits for."""
            text = HOUSE.replace("becomes 3", f"becomes {becomes}")
            return lambda: write(text), f"[data-check=target-total][data-verdict={word}]"

        cold = timed("cold load", lambda: shown.goto(f"{address}#six-over"), "")
        timed("from six-over, whose targets are right", *target(5, "refuted"))
        timed("to verdicts of the house rule", *target(3, "proved"))
        edit = timed("edit", *target(4, "refuted"))
        kept = timed("reload", shown.reload, "[data-check=target-total][data-verdict=refuted]")
        return [cold, edit, kept]


if __name__ == "__main__":
    main()
