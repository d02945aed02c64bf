"""The Python part of the playground: trickproof, its rulesets and its dependencies, in one archive."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path, PurePosixPath

import trickproof
import trickproof_dsl
from trickproof.support.bundled import ruleset_folder

DATE = (2020, 1, 1, 0, 0, 0)
"""Timestamp of every file, for reproducible bytes."""

NATIVE = (".so", ".c", ".pyi", ".h", ".typed", ".cdx.json")
"""Files of a wheel that are useless in a tab."""

UNUSED = ("adapters", "cli", "playground/pins", "reports/templates/playground")
"""Parts of trickproof that a tab never uses."""


def archive(wheels: Iterable[Path]) -> bytes:
    """All pure Python files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in sorted(_files(wheels)):
            zipped.writestr(zipfile.ZipInfo(name, DATE), content, zipfile.ZIP_DEFLATED)
    return held.getvalue()


def _files(wheels: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    checker, language = Path(trickproof.__file__).parent, Path(trickproof_dsl.__file__).parent
    yield from _folder(language, "trickproof_dsl")
    for name, content in _folder(checker, "trickproof"):
        inner = PurePosixPath(name).relative_to("trickproof")
        if not any(inner.is_relative_to(part) for part in (*UNUSED, "rulesets")):
            yield name, content
    yield from _folder(ruleset_folder(), "trickproof/rulesets")
    metadata = f"Metadata-Version: 2.1\nName: trickproof\nVersion: {version('trickproof')}\n"
    yield "trickproof.dist-info/METADATA", metadata.encode()
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as unzipped:
            for name in unzipped.namelist():
                if not name.endswith(("/", *NATIVE)):
                    yield name, unzipped.read(name)


def _folder(folder: Path, name: str) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        inner = path.relative_to(folder)
        if path.is_file() and "__pycache__" not in inner.parts and path.suffix not in (".pyc", ".typed"):
            yield f"{name}/{inner.as_posix()}", path.read_bytes()
