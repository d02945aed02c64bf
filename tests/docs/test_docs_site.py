"""The documentation as a site: built by its one command, without the report and the playground, which have tests of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow(every=True)


def test_pages_are_built_and_their_links_lead_somewhere(tmp_path: Path) -> None:
    command = [sys.executable, ".ci/docs_site.py", str(tmp_path / "site"), "--without", "report,playground"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("0 broken links: ")
    for name in ("index", "language", "proofs", "json-schemas"):
        assert (tmp_path / f"site/{name}.html").is_file()
    assert (tmp_path / "site/schemas/check.schema.json").is_file()
    assert 'id="common-mistakes"' in (tmp_path / "site/language.html").read_text()
