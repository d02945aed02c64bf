"""A full cache, damaged by one flipped bit or otherwise: answers are unchanged, the damage is repaired.

It has every kind of entry: findings with witnesses, certificates, comparisons, questions, simulations of a report, games,
machines and their code, including that of policies that search, and the packages of a playground.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from budget import RUN, blocks, slow_but
from checker.cli.console import Run, run
from checker.rulesets_for_tests import documented
from trickproof.certificates.certificate import Root, header
from trickproof.check_runner.findings_cache import CERTIFICATES, FINDINGS
from trickproof.checking.finding import Finding
from trickproof.diff.kept_pairs import PAIRS
from trickproof.diff.kept_quiz import QUIZZES
from trickproof.playground.packages import FETCHED, packages
from trickproof.reports.site.kept_outcomes import OUTCOMES, kept_outcome
from trickproof.simulate.ir.calling_convention import LLVM
from trickproof.simulate.runtime.compiled_cache import GAMES, MACHINES
from trickproof.simulate.runtime.machine import best_backend
from trickproof.support.cache_folder import FOLDER_VARIABLE
from trickproof.support.serialise import serialised
from trickproof.validate.effects_on_play import effects
from trickproof.validate.kept_effects import EFFECTS
from trickproof_dsl.library import Ruleset

pytestmark = pytest.mark.skipif(best_backend() != LLVM, reason="without machine code not everything is kept")

FAULTY = """
ruleset: faulty
extends: pagat
rules:
  targets:
    rule: |
      target of dealer becomes 8
      target of left of dealer becomes 6
      target of right of dealer becomes 3
    assumes: a fault
"""

ONLY = ["--only", "target-total", "--only", "rules-complete"]
CHECK = ["check", "FAULTY", *ONLY, "--hands", "1", "--workers", "1", "-v"]
CERTIFY = [*CHECK, "--certificate", "CERTIFICATE"]
DIFF = ["diff", "pagat", "FAULTY", "--workers", "1"]
QUIZ = ["quiz", "pagat", "FAULTY", "--deals", "--workers", "1"]
SIMULATE = ["simulate", "six-over", "--hands", "300", "--workers", "1"]
SEARCH = ["simulate", "six-over", "--hands", "2", "--policy", "search:2", "--workers", "1"]
RUNS = {
    "certify": CERTIFY,
    "check": CHECK,
    "diff": DIFF,
    "quiz": QUIZ,
    "simulate": SIMULATE,
    "search": SEARCH,
    "outcomes": [],
    "effects": [],
    "playground": [],
}
KINDS: dict[str, tuple[tuple[str, ...], float]] = {
    "findings": (("check",), 0.2),
    "certificates": (("certify",), 0.1),
    "pairs": (("diff",), 0.15),
    "quizzes": (("quiz",), 0.05),
    "outcomes": (("outcomes",), 0.05),
    "effects": (("effects",), 0.05),
    "games": (("simulate", "search"), 0.1),
    "machines": (("simulate", "search"), 0.1),
    "code": (("simulate", "search"), 0.15),
    "playground": (("playground",), 0.05),
}
"""The commands that read each kind, and the share of cases in which it is damaged."""

WORK = (
    "trickproof.check_runner.runner.check_ruleset",
    "trickproof.check_runner.certificates.certificate",
    "trickproof.diff.kept_pairs.compare",
    "trickproof.diff.decision_tree.quiz",
    "trickproof.reports.site.kept_outcomes.simulate",
    "trickproof.validate.effects_on_play._played",
    "trickproof.simulate.backends.jit._compiled",
)
"""The work that is repeated if something is not taken from the cache."""

Damage = Callable[[bytearray, Random], bytes]


@dataclass(frozen=True)
class Full:
    """A cache as normal runs leave it, and their answers."""

    folder: Path
    files: Path
    answers: dict[str, tuple[Run, bytes]]
    work: list[str]
    """The work done since."""

    def run(self, name: str) -> tuple[Run, bytes]:
        """The output of a command, and its certificate; for a playground, its packages; what a report simulates."""
        if name == "outcomes":
            outcome = kept_outcome(documented("six-over"), "random", 300, 1)
            return Run(0, json.dumps(serialised(outcome)), ""), b""
        if name == "effects":
            found = effects(documented("six-over"), documented("pagat"), hands=60, kept=True)
            return Run(0, repr(found.measures), ""), b""
        if name == "playground":
            with packages() as there:
                files = [there.node_modules / "one/package.json", *there.wheels]
                return Run(0, repr([path.name for path in files]), ""), b"".join(map(Path.read_bytes, files))
        certificate = self.files / "certificate"
        certificate.write_bytes(b"")
        words = {"FAULTY": str(self.files / "faulty.yaml"), "CERTIFICATE": str(certificate)}
        done = run(*[words.get(word, word) for word in RUNS[name]])
        return done, certificate.read_bytes()


def remembered(name: str, work: list[str]) -> Callable[..., Any]:
    """A function by name that runs once per ruleset or program, and is recorded each time."""
    module, _, function = name.rpartition(".")
    usual = getattr(import_module(module), function)
    results: dict[str, Any] = {}

    def again(about: Ruleset | str | Sequence[Ruleset], *more: Any, **settings: Any) -> Any:
        work.append(name)
        key = about if isinstance(about, str) else repr((_named(about), *map(_named, more[:1])))
        if key not in results:
            results[key] = usual(about, *more, **settings)
        return results[key]

    return again


def _named(about: object) -> object:
    """Rulesets by name, mappings by their keys, anything else unchanged."""
    match about:
        case Ruleset():
            return about.named
        case list() | tuple() | dict():
            return [_named(part) for part in about]
        case _:
            return about


def fetching(work: list[str]) -> Callable[[Mapping[str, bytes], Path], None]:
    """Stands in for npm and pip."""

    def fetch(pins: Mapping[str, bytes], folder: Path) -> None:
        work.append("fetch")
        (folder / "node_modules/one").mkdir(parents=True)
        (folder / "node_modules/one/package.json").write_bytes(pins["package.json"])
        (folder / "wheels").mkdir()
        (folder / "wheels/one.whl").write_bytes(bytes(range(256)))

    return fetch


def short_certificate(ruleset: Ruleset, shown: list[Finding], _: int) -> list[str]:
    """Stands in for a certificate, whose nodes the cache does not inspect."""
    nodes = [{"node": number} for number in range(50)]
    roots = [Root(finding.check, finding.verdict.refuted) for finding in shown]
    return [
        json.dumps(row) for row in (header(ruleset.named, ruleset.program, roots, {}, len(nodes)), *nodes)
    ]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Full]:
    files = tmp_path_factory.mktemp("full")
    (files / "faulty.yaml").write_text(FAULTY)
    made = Full(files / "cache", files, {}, [])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER_VARIABLE, str(made.folder))
        patch.setattr(WORK[1], short_certificate)
        for name in WORK:
            patch.setattr(name, remembered(name, made.work))
        patch.setattr("trickproof.playground.packages._fetch", fetching(made.work))
        for name in RUNS:
            made.answers[name] = made.run(name)
            assert made.answers[name][0].code in (0, 1)
        yield made


def flipped(content: bytearray, chance: Random) -> bytes:
    bit = chance.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    return bytes(content)


def cut(content: bytearray, chance: Random) -> bytes:
    return bytes(content[: chance.randrange(len(content))])


def blanked(content: bytearray, chance: Random) -> bytes:
    start = chance.randrange(len(content))
    return bytes(content[:start]) + bytes(len(content) - start)


def longer(content: bytearray, chance: Random) -> bytes:
    return bytes(content) + chance.randbytes(chance.randrange(1, 100))


def other(content: bytearray, chance: Random) -> bytes:
    """Unrelated bytes."""
    return chance.randbytes(chance.randrange(300))


def unharmed(full: Full, kind: str, damage: Damage, chance: Random) -> None:
    """Damage a file of a kind; the next run must give the same answer, and the one after use the cache."""
    (file,) = chance.sample(sorted(full.folder.glob(f"{kind}-*/*")), 1)
    before = file.read_bytes()
    file.write_bytes(damage(bytearray(before), chance))
    names, _ = KINDS[kind]
    for name in names:
        assert full.run(name) == full.answers[name], file
    assert file.stat().st_mode & 0o777 == 0o600
    full.work.clear()
    for name in names:
        assert full.run(name) == full.answers[name], file
    assert full.work == [], file


def kinds(chance: Random) -> str:
    (kind,) = chance.choices(list(KINDS), [share for _, share in KINDS.values()])
    return kind


@pytest.fixture
def used(full: Full, monkeypatch: pytest.MonkeyPatch) -> Full:
    monkeypatch.setenv(FOLDER_VARIABLE, str(full.folder))
    return full


@pytest.mark.grows("fuzz.cache")
@pytest.mark.parametrize(
    "block", blocks("fuzz.cache", 50), ids=lambda block: f"{block.start}-{block.stop - 1}"
)
@RUN
def test_flipped_bits(used: Full, block: range) -> None:
    for seed in block:
        chance = Random(seed)
        unharmed(used, kinds(chance), flipped, chance)


CASES = [(kind, damage) for kind in KINDS for damage in (cut, blanked, longer, other)]


@pytest.mark.parametrize(
    "case",
    slow_but([("findings", cut), ("certificates", cut), ("playground", other)], CASES),
    ids=lambda case: f"{case[0]}-{case[1].__name__}",
)
def test_damaged_files(used: Full, case: tuple[str, Damage]) -> None:
    unharmed(used, *case, Random(0))


@pytest.mark.parametrize("kind", slow_but(["findings"], KINDS))
def test_a_file_in_the_place_of_another(used: Full, kind: str) -> None:
    """The digest covers the key too: an entry that is valid elsewhere is invalid here."""
    files = sorted(used.folder.glob("*/*"))
    for file in files:
        if file.parent.name.startswith(kind):
            others = iter([other.read_bytes() for other in files if other != file])
            for content in list(others)[:3]:
                unharmed(used, kind, lambda _, __, content=content: content, Random(0))


DEEP = b"[" * 100_000
WRONG = [
    b"{}",
    b"[]",
    b"null",
    b'"x"',
    b"1e999",
    b'{"target-total": {}}',
    b'{"target-total": null}',
    DEEP,
    b"\xff",
    b'{"a": NaN}',
]


@RUN
@pytest.mark.parametrize(
    "content", slow_but([DEEP], WRONG), ids=lambda content: content[:12].decode("latin-1")
)
def test_whole_entries_of_the_wrong_shape(used: Full, content: bytes) -> None:
    """Their digests are right, but their content is nonsense."""
    for store, command in (
        (FINDINGS, "check"),
        (CERTIFICATES, "certify"),
        (PAIRS, "diff"),
        (QUIZZES, "quiz"),
        (OUTCOMES, "outcomes"),
        (EFFECTS, "effects"),
        (GAMES, "simulate"),
        (MACHINES, "simulate"),
        (FETCHED, "playground"),
    ):
        for file in sorted((used.folder / store.name).iterdir()):
            assert store.write(file.name, zlib.compress(content) if store is CERTIFICATES else content)
        assert used.run(command) == used.answers[command]


def test_the_whole_cache_was_there(used: Full) -> None:
    """Otherwise nothing was tested here."""
    assert {path.name.partition("-")[0] for path in used.folder.iterdir()} == set(KINDS)
    assert all(os.listdir(path) for path in used.folder.iterdir())
