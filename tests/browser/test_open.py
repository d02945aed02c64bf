"""`--open`: what a browser, here a program in its place, is given, and that it gets what it asks for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow(every=True)

READER = """\
import sys
from pathlib import Path
from urllib.request import urlopen
Path("opened.part").write_bytes(sys.argv[1].encode() + b"\\n" + urlopen(sys.argv[1]).read())
Path("opened.part").rename("opened")
"""
"""Reads the address that it is given, as a browser in the terminal does: nobody goes on until it has ended."""


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "reader.py").write_text(READER)
    return {**os.environ, "BROWSER": f"{sys.executable} {tmp_path / 'reader.py'} %s"}


def opened(folder: Path) -> tuple[str, bytes]:
    """The address, and what was read there."""
    address, _, text = (folder / "opened").read_bytes().partition(b"\n")
    return address.decode(), text


def test_a_report_is_opened_as_a_file(tmp_path: Path, variables: dict[str, str]) -> None:
    words = ["report", "pagat", "-o", "site", "--hands", "20", "--open"]
    subprocess.run([sys.executable, "-m", "trickproof", *words], cwd=tmp_path, env=variables, check=True)
    index = tmp_path / "site/index.html"
    assert opened(tmp_path) == (index.as_uri(), index.read_bytes())


def test_the_playground_is_served_until_it_is_interrupted(
    tmp_path: Path, variables: dict[str, str], playground_files: Path
) -> None:
    words = ["playground", "-o", "playground", "--open"]
    cache = {"TRICKPROOF_CACHE": str(playground_files.parent / "cache"), "TRICKPROOF_NO_CACHE": ""}
    with subprocess.Popen(
        [sys.executable, "-m", "trickproof", *words],
        cwd=tmp_path,
        env={**variables, **cache},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().endswith(" files written; begin with playground/index.html\n")
        address = process.stdout.readline().removesuffix(" (Ctrl-C ends it)\n")
        while not (tmp_path / "opened").exists():
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "\ninterrupted\n")
    assert opened(tmp_path) == (address, (tmp_path / "playground/index.html").read_bytes())
    assert address.startswith("http://127.0.0.1:")
