"""Damaged JSON of every kind that commands read: scenarios, vectors, matches, states, certificates.

Whatever the content, there is an answer or one clear message, and soon; no exception escapes the reader.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from zlib import crc32

import pytest

from budget import blocks, size, slow_but
from checker.rulesets_for_tests import documented
from trickproof.certificates.certificate import MalformedError
from trickproof.certificates.second_solver import Second
from trickproof.certificates.verifier import verify
from trickproof.check_runner.certificates import certificate
from trickproof.check_runner.runner import check_ruleset
from trickproof.play.saved_match import Match, MatchError, Setting, load_match
from trickproof.simulate.runtime.checkpoint import StateError, save, saved
from trickproof.simulate.runtime.scheduler import Result
from trickproof.vectors.generate import by_chance
from trickproof.vectors.serialisation import NoVectorError, differences, read
from trickproof_dsl.library import Library, Ruleset
from trickproof_dsl.scenarios.json_lines import named_ruleset, replay_line

from .damage_json import damaged_json
from .test_damaged_rulesets import ROOT, RULESETS, in_time, some_choice

LIBRARY = Library([RULESETS, ROOT / "tests/cases/rulesets"])
NAMES = ("pagat", "forty-in-pairs", "weaver-four", "nine-five-two", "skat", "oh-hell")[
    : 2 if size() == "default" else 6
]
MOST_BYTES = 1 << 30

_PYTHON = re.compile(r"Traceback|<class|NoneType|frozenset|\w+Error\b|object at|dict_|\bint\(\)")


@cache
def ruleset(name: str) -> Ruleset:
    loaded, wrong = LIBRARY.load(name)
    assert loaded is not None, wrong
    return loaded


def check_message(message: str, *place: object) -> None:
    """Assert that a message is one line of plain words."""
    assert message
    assert message.replace("\n", "").isprintable(), message
    assert len(message) < 3000, message
    assert not _PYTHON.search(message), message
    assert "`" in message or "column" in message or any(x is not None for x in place), f"no place: {message}"


# -------------------------------------------------------------------------------------------------- kinds of input


@cache
def vectors() -> tuple[str, ...]:
    return tuple(json.dumps(vector) for name in NAMES for vector in by_chance(ruleset(name), 6, seed=5))


@cache
def scenarios() -> tuple[str, ...]:
    """Scenarios, and matches of one or two of them."""
    single = [json.loads(line)["scenario"] for line in vectors()]
    matches = [{"match": deals} for deals in zip(single, single, strict=True)]
    return tuple(json.dumps(one) for one in [*single, *matches[::4]])


def check_scenario(text: str, folder: Path) -> None:
    for line in text.splitlines() or [text]:
        answer = replay_line(LIBRARY, line)
        json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
        if not answer["ok"]:
            check_message(answer["error"]["message"], answer["error"]["move_index"], answer.get("deal"))


def check_vector(text: str, folder: Path) -> None:
    try:
        vector = read(text)
    except NoVectorError as wrong:
        check_message(f"line 1: {wrong}", 1)
        return
    other, why = named_ruleset(LIBRARY, vector["scenario"]["ruleset"])
    if other is None:
        check_message(why)
        return
    for line in differences(other, vector):
        check_message(line, 1)


@cache
def matches() -> dict[str, str]:
    """Saved matches of a deal and some moves, by ruleset."""
    return {name: _played(ruleset(name), Random(name)) for name in NAMES}


def _played(rules: Ruleset, random: Random) -> str:
    match = Match(rules, Setting(0, "greedy", 3, {}, {}))
    for _ in range(30):
        if match.now.decision is not None:
            match.choose(some_choice(match.now.decision, random))
        elif match.now.hand_over and not match.now.match_over:
            match.begin_next_hand()
    with TemporaryDirectory() as folder:
        match.save(Path(folder) / "match")
        return (Path(folder) / "match").read_text()


def check_match(text: str, folder: Path) -> None:
    path = folder / "match"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    for name in ("pagat", _ruleset_named_in(text)):
        try:
            match = load_match(path, ruleset(name))
        except MatchError as wrong:
            check_message(str(wrong))
        else:
            assert match is not None
            assert match.now


def _ruleset_named_in(text: str) -> str:
    return next((name for name in NAMES if f'"{name}"' in text), "pagat")


WORDS = 12
"""Number of totals in the states that are damaged."""


@cache
def states() -> tuple[str, ...]:
    results = (Result([0] * WORDS), Result([3] * WORDS, 100, 7, ["matches 0 to 3: lost"], 4, [1, 2, 3], True))
    texts = []
    with TemporaryDirectory() as folder:
        for result in results:
            save(Path(folder) / "state", "key", result)
            texts.append((Path(folder) / "state").read_text())
    return tuple(texts)


def check_state(text: str, folder: Path) -> None:
    path = folder / "state"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        result = saved(path, "key", WORDS)
    except StateError as wrong:
        check_message(str(wrong))
    else:
        assert result is not None
        assert len(result.totals) == WORDS


@cache
def certificates() -> tuple[str, ...]:
    """The lines of a certificate."""
    rules = documented("six-over")
    findings, _ = check_ruleset(rules, ["target-total"], 1)
    return tuple(certificate(rules, [finding for finding in findings if finding.verdict.proved], 1))


def check_certificate(text: str, folder: Path) -> None:
    """Verify the whole certificate with one line damaged, with solvers that report everything impossible."""
    for _ in _verified([text, *certificates()[1:]] if '"certificate"' in text else _with(text)):
        pass


def _with(line: str) -> list[str]:
    rows = list(certificates())
    rows[1 + crc32(line.encode(errors="surrogatepass")) % (len(rows) - 1)] = line
    return rows


def _verified(lines: list[str]) -> Iterator[object]:
    try:
        yield from verify(lines, lambda *_: documented("six-over"), ask=lambda _: Second("cvc5", False))
    except MalformedError as wrong:
        check_message(str(wrong), 1)


Check = Callable[[str, Path], None]
KINDS: dict[str, tuple[Callable[[], Sequence[str]], Check]] = {
    "scenarios": (scenarios, check_scenario),
    "vectors": (vectors, check_vector),
    "matches": (lambda: tuple(matches().values()), check_match),
    "states": (states, check_state),
    "certificates": (lambda: certificates()[:600], check_certificate),
}
"""What is damaged, and how it is read."""


def check_case(kind: str, seed: int, folder: Path) -> None:
    """One case; deterministic for a given kind and seed."""
    texts, check = KINDS[kind]
    random = Random(f"{kind} {seed}")
    damaged = damaged_json(random, random.choice(texts()))
    try:
        with in_time(kind):
            check(damaged, folder)
    except Exception as wrong:
        raise AssertionError(f"check_case({kind!r}, {seed}): {damaged[:500]!r}") from wrong


def soaked(kind: str, seeds: range, folder: Path) -> None:
    """Many cases in their own process, within a memory limit; those of the default run in this process."""
    if size() == "default":
        check_cases(kind, seeds, folder)
        return
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        peak = process.submit(check_cases, kind, seeds, folder).result()
    assert peak <= MOST_BYTES, "more memory than any input may take"


def check_cases(kind: str, seeds: range, folder: Path) -> int:
    """Run cases in turn; return the peak memory of this process in bytes.

    `getrusage` would include the parent process's memory.
    """
    for seed in seeds:
        check_case(kind, seed, folder)
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) * 1024


@pytest.mark.parametrize("kind", slow_but([kind for kind in KINDS if kind != "certificates"], KINDS))
def test_what_is_damaged_is_sound(kind: str, tmp_path: Path) -> None:
    """Undamaged input gives no messages; otherwise the cases would prove nothing."""
    texts, check = KINDS[kind]
    check(texts()[0], tmp_path)


@pytest.mark.grows("fuzz.scenarios")
@pytest.mark.parametrize("seeds", blocks("fuzz.scenarios", 1000))
def test_damaged_scenarios(seeds: range, tmp_path: Path) -> None:
    soaked("scenarios", seeds, tmp_path)


@pytest.mark.grows("fuzz.vectors")
@pytest.mark.parametrize("seeds", blocks("fuzz.vectors", 1000))
def test_damaged_vectors(seeds: range, tmp_path: Path) -> None:
    soaked("vectors", seeds, tmp_path)


@pytest.mark.grows("fuzz.matches")
@pytest.mark.parametrize("seeds", blocks("fuzz.matches", 1000))
def test_damaged_matches(seeds: range, tmp_path: Path) -> None:
    soaked("matches", seeds, tmp_path)


@pytest.mark.grows("fuzz.states")
@pytest.mark.parametrize("seeds", blocks("fuzz.states", 1000))
def test_damaged_states(seeds: range, tmp_path: Path) -> None:
    soaked("states", seeds, tmp_path)


@pytest.mark.slow
@pytest.mark.grows("fuzz.certificates")
@pytest.mark.parametrize("seeds", blocks("fuzz.certificates", 250))
def test_damaged_certificates(seeds: range, tmp_path: Path) -> None:
    soaked("certificates", seeds, tmp_path)
