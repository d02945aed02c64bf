"""The packages that the playground is made of, as npm and PyPI give them: pinned, and refused if their bytes are others.

`pins/` has the versions: npm's lock file with the digest of every archive, and pip's requirements with that of every wheel.
Both clients are run as programs; what they fetched is kept in the cache folder, under the digest of the pins.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from trickproof.support.cache_folder import usable_folder

PINS = ("package.json", "package-lock.json", "requirements.txt")

PYTHON = "3.14"
"""The version of Python that Pyodide is."""

PLATFORMS = ("pyemscripten_2026_0_wasm32", "manylinux2014_x86_64")
"""What wheels may be for: the second for the two packages that work without the machine code in them, too."""

MINUTES = 10
"""After so long a client is given up."""


class FetchError(Exception):
    """Why the packages are not there: what to say."""


@dataclass(frozen=True, slots=True)
class Packages:
    """Where the packages are: a `node_modules`, and wheels."""

    node_modules: Path
    wheels: tuple[Path, ...]


def packages() -> Packages:
    """The packages, fetched if an earlier run has not.  Raises FetchError."""
    pins = {name: (resources.files(__package__) / "pins" / name).read_bytes() for name in PINS}
    digest = hashlib.sha256(b"".join(pins[name] for name in PINS)).hexdigest()[:16]
    try:
        cache = usable_folder(make=True)
    except OSError:
        cache = None
    folder = (cache or Path(tempfile.gettempdir())) / f"playground-{digest}"
    if cache is None or not (folder / "complete").is_file():
        folder = _fetched(pins, folder, keep=cache is not None)
    return Packages(folder / "node_modules", tuple(sorted((folder / "wheels").glob("*.whl"))))


def _fetched(pins: dict[str, bytes], folder: Path, keep: bool) -> Path:
    """The packages in a new folder, which takes the place of `folder` once it is complete."""
    draft = Path(tempfile.mkdtemp(prefix="playground-", dir=folder.parent))
    for name, content in pins.items():
        (draft / name).write_bytes(content)
    try:
        run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], draft, "npm")
        wheels = ["--platform=" + platform for platform in PLATFORMS]
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        pip += ["--require-hashes", f"--python-version={PYTHON}", *wheels, "-d", "wheels"]
        run([*pip, "-r", "requirements.txt"], draft, "pip")
        (draft / "complete").touch()
    except FetchError:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    if not keep:
        return draft
    shutil.rmtree(folder, ignore_errors=True)
    return draft.rename(folder)


def run(command: Sequence[str], folder: Path, name: str) -> None:
    """Runs a program that the playground is built with.  Raises FetchError."""
    program = shutil.which(command[0])
    if program is None:
        raise FetchError(f"the playground is built with {name}, which is not installed")
    try:
        ended = subprocess.run(
            [program, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=60 * MINUTES
        )
    except (OSError, subprocess.TimeoutExpired) as wrong:
        raise FetchError(f"{name} failed while the playground was built: {wrong}") from None
    if ended.returncode != 0:
        lines = [line for line in ended.stderr.splitlines() if line.strip() and "WARN" not in line.upper()]
        why = f": {lines[-1].strip()}" if lines else ""
        raise FetchError(f"{name} failed while the playground was built{why}")
