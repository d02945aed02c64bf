"""The style of rollouts cached between runs, where finding it takes seconds: in plain Python.

In machine code it takes no longer than computing the key: a digest of the program with its parameters and
readings, and of all files of this installation of trickproof.  Entries may be missing or damaged: then the
style is found again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import trickproof
import trickproof_dsl
from trickproof.search.tuning import Engine, tuned
from trickproof.simulate.policies.auto import STYLE_BITS
from trickproof.support.atomic_files import files_digest
from trickproof.support.blob_cache import BlobCache
from trickproof_dsl import core as c
from trickproof_dsl.core.json_codec import program_json

STYLES = BlobCache("styles", form=1, most=400)


def kept_style(engine: Engine, parameters: Mapping[str, int], readings: Mapping[str, int]) -> int:
    """The word of the best style, as `tuned` finds it."""
    key = program_key(engine.form.program, parameters, readings)
    if key is None:
        return tuned(engine, parameters, readings)
    style = _style(STYLES.read(key))
    if style is None:
        style = tuned(engine, parameters, readings)
        STYLES.write(key, str(style).encode())
    return style


def _style(stored: bytes | None) -> int | None:
    """Decode a cached style; None if it is none."""
    if stored is None or not stored.isdigit() or len(stored) > len(str(1 << STYLE_BITS)):
        return None
    return int(stored) if int(stored) >> STYLE_BITS == 0 else None


def program_key(program: c.Program, parameters: Mapping[str, int], readings: Mapping[str, int]) -> str | None:
    """The key of what is found by playing a program; None if trickproof's files cannot be read."""
    packages = (Path(trickproof.__file__).parent, Path(trickproof_dsl.__file__).parent)
    if not Path(__file__).is_file():
        return None
    try:
        own = [files_digest(package, "*.py", "*.lark", "*.yaml") for package in packages]
    except OSError:
        return None
    bound = [sorted(x.items()) for x in (parameters, readings)]
    identity = json.dumps([program_json(program, spans=False), bound, own, sys.version], sort_keys=True)
    return hashlib.sha256(identity.encode()).hexdigest()
