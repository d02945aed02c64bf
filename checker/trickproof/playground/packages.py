"""The playground's packages from npm and PyPI: pinned, and refused if their digests differ.

`pins/` has the versions: npm's lock file with the digest of every archive, and pip's requirements with that
of every wheel. Both clients are run as programs; what they download is cached under the digest of the pins.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from trickproof.support.blob_cache import BlobCache

PINS = ("package.json", "package-lock.json", "requirements.txt")

FETCHED = BlobCache("playground", form=1, most=1)
"""One entry: an archive of what npm and pip downloaded."""

PYTHON = "3.14"
"""The Python version of Pyodide."""

PLATFORMS = ("pyemscripten_2026_0_wasm32", "manylinux2014_x86_64")
"""Target platforms of wheels; the second is for two packages that also work without their native code."""

MINUTES = 10
"""Minutes after which a client is given up."""


class FetchError(Exception):
    """Why the packages are not available, as a message."""


@dataclass(frozen=True, slots=True)
class Packages:
    """The location of the packages: a `node_modules` folder, and wheels."""

    node_modules: Path
    wheels: tuple[Path, ...]


@contextmanager
def packages() -> Iterator[Packages]:
    """The packages in a temporary folder, downloaded unless they are cached. Raises FetchError."""
    pins = {name: (resources.files(__package__) / "pins" / name).read_bytes() for name in PINS}
    key = hashlib.sha256(b"".join(pins[name] for name in PINS)).hexdigest()
    with tempfile.TemporaryDirectory(prefix="playground-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if not _unpacked(FETCHED.read(key), folder):
            _fetch(pins, folder)
            FETCHED.write(key, _packed(folder))
        yield Packages(folder / "node_modules", tuple(sorted((folder / "wheels").glob("*.whl"))))


def _unpacked(fetched: bytes | None, folder: Path) -> bool:
    """Unpack a cached download; return whether there is a valid one."""
    if fetched is None:
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(fetched)) as archive:
            archive.extractall(folder)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, zlib.error):
        return False
    return True


def _packed(folder: Path) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as stored:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                stored.writestr(path.relative_to(folder).as_posix(), path.read_bytes())
    return archive.getvalue()


def _fetch(pins: Mapping[str, bytes], folder: Path) -> None:
    for name, content in pins.items():
        (folder / name).write_bytes(content)
    run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder, "npm")
    wheels = ["--platform=" + platform for platform in PLATFORMS]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    pip += ["--require-hashes", f"--python-version={PYTHON}", *wheels, "-d", "wheels"]
    run([*pip, "-r", "requirements.txt"], folder, "pip")


def run(command: Sequence[str], folder: Path, name: str) -> None:
    """Run a program that builds the playground. Raises FetchError."""
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
