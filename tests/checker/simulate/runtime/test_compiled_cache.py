"""What `simulate` keeps of rulesets and machines: later runs count the same and read no rules; what changes is made anew."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from budget import RUN, slow_but
from trickproof.reports.simulation import simulation_document
from trickproof.simulate.ir.calling_convention import LLVM
from trickproof.simulate.runtime import compiled_cache as kept
from trickproof.simulate.runtime.compiled_cache import CompiledCache
from trickproof.simulate.runtime.executor import SerialExecutor
from trickproof.simulate.runtime.game import Game, game_of
from trickproof.simulate.runtime.kernel import Kernel
from trickproof.simulate.runtime.machine import Machine, best_backend
from trickproof.simulate.runtime.scheduler import INTERLEAVE_FROM, Request
from trickproof.simulate.simulation import Simulation
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.support.blob_cache import BlobCache
from trickproof.support.bundled import ruleset_folder
from trickproof.support.serialise import serialised
from trickproof_dsl.library import Library

pytestmark = pytest.mark.skipif(best_backend() != LLVM, reason="only machine code is kept")

ROOT = Path(__file__).parents[4]
FEW, MANY = Request(hands=500), Request(hands=INTERLEAVE_FROM)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of its own, and nothing kept yet."""
    monkeypatch.setenv("TRICKPROOF_CACHE", str(tmp_path / "cache"))
    own = tmp_path / "rulesets"
    shutil.copytree(ruleset_folder(), own)
    return own


def anew(folder: Path, request: Request = FEW, name: str = "pagat") -> tuple[Game, Machine]:
    """The ruleset read and compiled, and left to later runs."""
    game = game_of_file(folder, name)
    simulation = Simulation(game, request)
    simulation.play(SerialExecutor())
    CompiledCache(folder, name).keep(game, request, simulation.run.machine)
    return game, simulation.run.machine


def game_of_file(folder: Path, name: str = "pagat") -> Game:
    ruleset, wrong = Library([folder]).load(name)
    assert ruleset is not None, wrong
    return game_of(ruleset)


def told(game: Game, request: Request, machine: Machine) -> dict[str, object]:
    outcome: Outcome = Simulation(game, request, machine=machine).play(SerialExecutor())
    return {**serialised(simulation_document(outcome)), "hands_per_second": 0}


@pytest.mark.parametrize("name", slow_but(("pagat",), ("pagat", "oh-hell", "gamerules")))
def test_what_is_kept_counts_the_same(folder: Path, name: str) -> None:
    request = Request(hands=2_000, seed=7)
    game, machine = anew(folder, request, name)
    earlier = CompiledCache(folder, name)
    again = earlier.machine(request)
    assert earlier.game == game
    assert [list(x) for x in (earlier.game.parameters, earlier.game.readings)] == [
        list(x) for x in (game.parameters, game.readings)
    ], "in their order"
    assert again is not None
    assert again.facts == machine.facts
    assert earlier.game.program == game.program
    assert told(earlier.game, request, again) == told(game, request, machine)


def test_places_of_breakdowns_are_kept(folder: Path) -> None:
    rules = (folder / "pagat.yaml").read_text("utf-8")
    broken = rules.replace("tricks of p - target of p", "tricks of p - 80 div (9 - tricks of p)", 1)
    assert broken != rules
    (folder / "pagat.yaml").write_text(broken, "utf-8")
    game, machine = anew(folder)
    again = CompiledCache(folder, "pagat").machine(FEW)
    assert again is not None
    assert told(game, FEW, again) == told(game, FEW, machine)
    assert again.facts.fault_origins == machine.facts.fault_origins
    line = broken[: broken.index("80 div")].count("\n") + 1
    assert line in [x.line for x in Simulation(game, FEW, machine=again).play(SerialExecutor()).breakdowns]


@RUN
def test_for_many_hands_it_is_known_whether_several_are_faster(folder: Path) -> None:
    anew(folder)
    assert CompiledCache(folder, "pagat").machine(FEW) is not None
    assert CompiledCache(folder, "pagat").machine(MANY) is None
    _, machine = anew(folder, MANY)
    codes, again = machine.code_keys(), CompiledCache(folder, "pagat").machine(MANY)
    assert codes is not None
    assert codes.tried
    assert again is not None
    assert (again.several([]) is not None) == bool(codes.several)


@pytest.mark.parametrize("file", ["pagat.yaml", "documents/pagat.yaml", "house/new.yaml"])
def test_a_changed_library_is_read_anew(folder: Path, file: str) -> None:
    anew(folder)
    (folder / file).parent.mkdir(exist_ok=True)
    with (folder / file).open("a", encoding="utf-8") as text:
        text.write("# changed\n")
    earlier = CompiledCache(folder, "pagat")
    assert (earlier.game, earlier.machine(FEW)) == (None, None)


def test_another_trickproof_reads_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew(folder)
    monkeypatch.setattr(kept, "files_digest", lambda *_: "another")
    assert CompiledCache(folder, "pagat").game is None


def test_what_changes_while_it_is_read_is_not_kept(folder: Path) -> None:
    """Else the older text, come back, would find the younger one's game."""
    text = (folder / "pagat.yaml").read_text("utf-8")
    earlier, game = CompiledCache(folder, "pagat"), game_of_file(folder)
    simulation = Simulation(game, FEW)
    (folder / "pagat.yaml").write_text(text + "# changed\n", "utf-8")
    earlier.keep(game, FEW, simulation.run.machine)
    (folder / "pagat.yaml").write_text(text, "utf-8")
    assert CompiledCache(folder, "pagat").game is None


def test_linked_folders_are_looked_into(folder: Path) -> None:
    (folder / "house").rename(folder.parent / "elsewhere")
    (folder / "house").symlink_to(folder.parent / "elsewhere")
    anew(folder, name="no-trump")
    with (folder.parent / "elsewhere/no-trump.yaml").open("a", encoding="utf-8") as text:
        text.write("# changed\n")
    assert CompiledCache(folder, "no-trump").game is None


@RUN
def test_what_was_not_tried_to_the_end_is_not_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption says nothing of which way is faster."""

    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Kernel, "_faster", interrupted)
        with pytest.raises(KeyboardInterrupt):
            anew(folder, MANY)
        simulation = Simulation(game_of_file(folder), MANY)
        with pytest.raises(KeyboardInterrupt):
            simulation.play(SerialExecutor())
        CompiledCache(folder, "pagat").keep(simulation.game, MANY, simulation.run.machine)
    assert CompiledCache(folder, "pagat").machine(FEW) is not None
    assert CompiledCache(folder, "pagat").machine(MANY) is None


def test_another_processor_compiles_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew(folder)
    monkeypatch.setattr(kept, "described", lambda: "another")
    earlier = CompiledCache(folder, "pagat")
    assert earlier.game is not None
    assert earlier.machine(FEW) is None


def test_other_policies_and_records_have_machines_of_their_own(folder: Path) -> None:
    anew(folder)
    earlier = CompiledCache(folder, "pagat")
    assert earlier.machine(Request(("greedy",), hands=5)) is None
    assert earlier.machine(Request(hands=5, records=True)) is None
    anew(folder, Request(hands=5, records=True))
    assert earlier.machine(Request(hands=5, records=True)) is None


@pytest.mark.parametrize("name", ["", "./pagat.yaml", "pagat.yaml", "house/x", "no-such"])
def test_only_rulesets_by_id_are_kept(folder: Path, name: str) -> None:
    anew(folder)
    assert CompiledCache(folder, name).game is None


@pytest.mark.parametrize("damage", [b"", b"x" * 40, None], ids=["empty", "garbage", "gone"])
@pytest.mark.parametrize("kind", ["games-2", "machines-3", "code-2"])
def test_what_is_damaged_is_made_anew(folder: Path, kind: str, damage: bytes | None) -> None:
    anew(folder)
    for file in (folder.parent / "cache" / kind).iterdir():
        if damage is None:
            file.unlink()
        else:
            file.write_bytes(damage)
    earlier = CompiledCache(folder, "pagat")
    assert earlier.game is None or earlier.machine(FEW) is None


@pytest.mark.parametrize(
    "content", [b"[]", b"{}", b'{"id": "x", "facts": {}, "tried": true, "one": "x", "several": ""}']
)
@pytest.mark.parametrize("pieces", [kept.GAMES, kept.MACHINES], ids=["game", "machine"])
def test_what_is_something_else_is_made_anew(folder: Path, pieces: BlobCache, content: bytes) -> None:
    anew(folder)
    for file in (folder.parent / "cache" / pieces.name).iterdir():
        pieces.write(file.name, content)
    earlier = CompiledCache(folder, "pagat")
    assert earlier.game is None or earlier.machine(FEW) is None


def command(cache: Path, *arguments: str) -> tuple[str, set[str]]:
    """What the program prints, and the modules that it needs."""
    path = os.pathsep.join(str(ROOT / name) for name in ("dsl", "checker"))
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "trickproof", "simulate", *arguments],
        env={**os.environ, "PYTHONPATH": path, "TRICKPROOF_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [
        line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import")
    ]
    return done.stdout, set(lines)


@RUN
def test_the_second_run_reads_no_rules(tmp_path: Path) -> None:
    first, slow = command(tmp_path, "gamerules", "--hands", "300", "--reading", "reveal=than-received")
    again, fast = command(tmp_path, "gamerules", "--hands", "300", "--reading", "reveal=than-received")
    assert again == first
    heavy = {
        "lark",
        "yaml",
        "trickproof_dsl.library",
        "trickproof_dsl.core",
        "trickproof.simulate.program.compile",
    }
    assert heavy <= slow
    assert not heavy & fast
