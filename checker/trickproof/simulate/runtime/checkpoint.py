"""Checkpoints: the counts so far, in a file, so that an interrupted run can be resumed.

The file identifies its run by a digest of the core program and of the request; it is replaced atomically.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from trickproof.simulate.ir.counter_layout import CounterLayout, with_offsets
from trickproof.simulate.runtime.game import Game
from trickproof.simulate.runtime.scheduler import Request, Result
from trickproof.simulate.statistics.consistency import consistent
from trickproof.simulate.statistics.estimates import Counts
from trickproof.support.atomic_files import write_atomically
from trickproof.support.typed_json import newer_form
from trickproof_dsl.files.regular_file import read_regular
from trickproof_dsl.scenarios.strict_json import BadJsonError, read_json

FORM = 2
"""Version of the file format; version 1 had neither this number nor a digest."""

MAX_BYTES = 4 * 1024 * 1024
"""Largest checkpoint that is read; most have a few thousand bytes.

Parsed JSON can take thirty times as much memory.
"""

MOST_MATCHES = 1 << 60
"""Upper bound on the number of matches in any run."""

_PART = re.compile("matches ([0-9]{1,18}) to ([0-9]{1,18}): .{1,1000}")
"""The form of an entry written by `Result.leave_out`."""


class StateError(Exception):
    """A checkpoint that cannot be resumed, with the reason."""


def run_key(game: Game, request: Request) -> str:
    """A digest, equal for runs that count the same."""
    from trickproof_dsl.core.json_codec import fingerprint

    identity = json.dumps(
        {**asdict(request), "core": fingerprint(game.program), "form": FORM}, sort_keys=True
    )
    return hashlib.sha256(identity.encode()).hexdigest()


def resumable(path: Path, game: Game, request: Request) -> Result | None:
    """The result saved in a checkpoint, if some run can have produced it; None if there is no file.

    Raises StateError otherwise: the digest involves no secret, so anybody can write a file with a valid one.
    """
    from trickproof.simulate.program.counters import countable

    layout = with_offsets(countable(game.program))
    result = saved(path, run_key(game, request), layout.size)
    if result is not None and not _possible(request, result, layout):
        raise StateError(f"`{path}` is damaged; name another file, or delete it to begin anew")
    return result


def saved(path: Path, key: str, words: int) -> Result | None:
    """The result saved in a checkpoint; None if there is no file.  Raises StateError otherwise."""
    try:
        data = read_json(read_regular(path, MAX_BYTES))
    except FileNotFoundError:
        return None
    except OSError as wrong:
        raise StateError(f"`{path}` cannot be read: {wrong.strerror}") from None
    except BadJsonError as wrong:
        raise StateError(f"`{path}` is not a saved simulation: it is not JSON ({wrong.reason})") from None
    except ValueError:
        raise StateError(f"`{path}` cannot be read: no file can have this name") from None
    try:
        form, digest, belongs = data.get("form"), data.get("digest"), data["run"]
        if (why := newer_form(form, FORM)) is not None:
            raise StateError(f"`{path}` {why}")
        result = _result(data["result"])
    except (AttributeError, ValueError, KeyError, TypeError):
        raise StateError(f"`{path}` is not a saved simulation") from None
    if form != FORM:
        raise StateError(
            f"`{path}` was written by an older trickproof; name another file, or delete it to begin anew"
        )
    if digest != _digest(belongs, result):
        raise StateError(f"`{path}` is damaged; name another file, or delete it to begin anew")
    if belongs != key or len(result.totals) != words:
        raise StateError(
            f"`{path}` belongs to another run, or another trickproof; name another file, or delete it to begin anew"
        )
    return result


def _possible(request: Request, result: Result, layout: CounterLayout) -> bool:
    """Whether the totals and the other data are consistent with each other and with the request."""
    if not (_played(request, result) and _left_out(result) and consistent(layout, result.totals)):
        return False
    counts = Counts(layout, result.totals)
    return counts.hands <= result.hands and counts.matches + counts.unfinished == result.counted


def _played(request: Request, result: Result) -> bool:
    """Whether the numbers fit the request: every counted match has a hand, and `done` is set exactly at its end."""
    if not 0 <= result.counted <= result.hands or result.next > MOST_MATCHES:
        return False
    if request.hands is not None:
        ends = result.hands <= request.hands and result.done == (result.hands == request.hands)
    else:
        matches = request.matches or 0
        ends = result.next <= matches and (not result.done or result.next == matches)
    return ends and (request.records or not result.notes)


def _left_out(result: Result) -> bool:
    """Whether the omitted matches are listed in order, each once, in printable text."""
    lost = begin = 0
    for text in result.left_out:
        part = _PART.fullmatch(text) if text.isprintable() else None
        if part is None:
            return False
        first, last = int(part[1]), int(part[2])
        if not begin <= first <= last < result.next:
            return False
        lost, begin = lost + last - first + 1, last + 1
    return lost == result.lost


def _result(data: dict[str, Any]) -> Result:
    """Decode a result.  Raises TypeError for anything that `Result.as_json` cannot produce."""
    result = Result(**data)
    lists = ((result.totals, int), (result.notes, int), (result.left_out, str))
    whole = all(isinstance(items, list) and all(type(x) is kind for x in items) for items, kind in lists)
    numbers = (result.hands, result.next, result.lost)
    if not whole or type(result.done) is not bool or any(type(x) is not int or x < 0 for x in numbers):
        raise TypeError
    return result


def _digest(run: object, result: Result) -> str:
    """A digest of everything in the file."""
    claimed = json.dumps([FORM, run, result.as_json()], sort_keys=True)
    return hashlib.sha256(claimed.encode()).hexdigest()


def save(path: Path, key: str, result: Result) -> None:
    """Replace the file atomically.  Raises StateError if it cannot be written."""
    payload = {"form": FORM, "run": key, "result": result.as_json(), "digest": _digest(key, result)}
    text = json.dumps(payload, sort_keys=True)
    try:
        write_atomically(path, text.encode())
    except OSError as wrong:
        raise StateError(f"`{path}` cannot be written: {wrong.strerror}") from None
