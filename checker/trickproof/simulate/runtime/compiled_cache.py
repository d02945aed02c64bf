"""Cache of compiled rulesets between runs, to skip reading the rules and compiling them.

A cached game is keyed by the contents of all files of the library and of this installation of trickproof; a
cached machine by its game, the policies, the processor and the compiler.  Entries may be missing, damaged or
rejected: then everything is computed afresh, and only the time differs.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import trickproof
import trickproof_dsl
from trickproof.simulate.backends.jit import cached_code, described
from trickproof.simulate.ir.calling_convention import LLVM, Facts, searches
from trickproof.simulate.runtime.game import Game
from trickproof.simulate.runtime.machine import EntryPoint, Machine, in_machine_code
from trickproof.simulate.runtime.scheduler import Request, worth_interleaving
from trickproof.support.atomic_files import files_digest
from trickproof.support.blob_cache import BlobCache
from trickproof.support.typed_json import typed

if TYPE_CHECKING:
    from trickproof_dsl import core as c

T = TypeVar("T")

LOOKED_INTO = ("*.yaml", "*/*.yaml", "*/*/*.yaml")
"""Patterns of the files that a library may have: rulesets and the documents beside them."""

GAMES = BlobCache("games", form=2, most=100)
MACHINES = BlobCache("machines", form=3, most=400)


@dataclass(frozen=True)
class _KeptGame:
    """A cached `Game`."""

    id: str
    named: str
    title: str
    players: int
    parameters: Mapping[str, tuple[int, ...]]
    readings: Mapping[str, tuple[str, ...]]
    core: str


@dataclass(frozen=True)
class _KeptMachine:
    """How to call the cached machine code, and its keys (see `CodeKeys`)."""

    facts: Facts
    one: str
    several: str
    tried: bool


class CompiledCache:
    """The cache entries for one ruleset of a library; `game` is None if there is none."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._key = _game_key(folder, name)
        self.game = None if self._key is None else _game(GAMES.read(self._key))

    def machine(self, request: Request) -> Machine | None:
        """The cached machine for a request; for large requests, only if it is known whether interleaving is faster."""
        key = self._machine_key(request)
        if key is None or (stored := MACHINES.read(key)) is None:
            return None
        kept = _kept(_KeptMachine, stored)
        if kept is None or (worth_interleaving(request, LLVM, kept.facts) and not kept.tried):
            return None
        codes = [cached_code(name) for name in (kept.one, kept.several) if name]
        ways = [in_machine_code(code, tracing=False) for code in codes if code is not None]
        game = self.game
        if game is None or not ways or len(ways) < len(codes):
            return None
        return _CachedMachine(kept.facts, ways, lambda: game.program)

    def keep(self, game: Game, request: Request, machine: Machine) -> None:
        """Cache a game and its machine, if they can be cached.

        Nothing is cached if a file has changed since, because it is unknown which version was read.
        """
        key, codes = self._machine_key(request), machine.code_keys()
        if (
            self._key is None
            or key is None
            or codes is None
            or _game_key(self._folder, self._name) != self._key
        ):
            return
        kept_game = {field.name: getattr(game, field.name) for field in fields(_KeptGame)}
        GAMES.write(self._key, json.dumps(kept_game).encode())
        kept = _KeptMachine(machine.facts, *codes)
        MACHINES.write(key, json.dumps(asdict(kept)).encode())

    def _machine_key(self, request: Request) -> str | None:
        if self._key is None or request.records or searches(request.policies):
            return None
        identity = json.dumps([self._key, request.policies, described()])
        return hashlib.sha256(identity.encode()).hexdigest()


class _CachedMachine(Machine):
    """A machine with cached code for one match at a time, and possibly for several."""

    def __init__(self, facts: Facts, ways: list[EntryPoint], program: Callable[[], c.Program]) -> None:
        super().__init__(facts, LLVM, ways[0], program)
        self._several = ways[1] if len(ways) > 1 else None

    def several(self, words: list[int]) -> EntryPoint | None:
        return self._several


def _game(stored: bytes | None) -> Game | None:
    kept = None if stored is None else _kept(_KeptGame, stored)
    return None if kept is None else Game(**vars(kept))


def _kept(kind: type[T], stored: bytes) -> T | None:
    """Decode a cached value; None if it does not have the expected shape."""
    try:
        return cast(T, typed(kind, json.loads(stored)))
    except (ValueError, RecursionError):
        return None


def _game_key(folder: Path, name: str) -> str | None:
    """The key of a game; None unless the ruleset is one of the library's, named by its id."""
    if not name or "/" in name or "\\" in name or name.endswith((".yaml", ".yml")):
        return None
    packages = (Path(trickproof.__file__).parent, Path(trickproof_dsl.__file__).parent)
    try:
        own = [files_digest(package, "*.py", "*.lark", "*.yaml") for package in packages]
        files = [
            (str(path), path.read_bytes()) for pattern in LOOKED_INTO for path in sorted(folder.glob(pattern))
        ]
    except OSError:
        return None
    if not Path(__file__).is_file():
        return None
    digest = hashlib.sha256(json.dumps([name, str(folder), sys.version, own]).encode())
    for path, content in files:
        digest.update(f"\n{path}\n{len(content)}\n".encode("utf-8", "surrogatepass") + content)
    return digest.hexdigest()
