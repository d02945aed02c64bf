"""The style of rollouts: found by self-play, the same on both back ends, and random where the rules have nothing to style."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from budget import RUN
from checker.adapters.peer_rulesets import ROOT, from_text, loaded
from checker.search.hands import engine_of, moments
from checker.search.test_player import IDLE
from trickproof.information.record import HOLE
from trickproof.search import kept_style as kept
from trickproof.search.engine import SearchEngine
from trickproof.search.kept_style import kept_style
from trickproof.search.tuning import CARD_PLAY, tuned
from trickproof.simulate.ir.calling_convention import LLVM, PYTHON
from trickproof.simulate.policies.auto import AVOID, HIGH, LOW, RANDOM, SURE, TAKE, Style
from trickproof.simulate.runtime.machine import best_backend
from trickproof.simulate.script.machine import Setting, Sums

DEALS = 6

needs_llvm = pytest.mark.skipif(best_backend() != LLVM, reason="there is no llvmlite")


def of_seat(engine: SearchEngine, header: tuple[int, ...], styles: list[int], deals: int) -> Sums:
    """Points of the first player in deals in which everybody plays as told."""
    setting = Setting([0, *header], 1, len(header) + 1, len(header) + 1, 1, 0, styles)
    return engine.machine.tried(setting, [HOLE], deals, 5, deals).sums[0]


def first_header(name: str) -> tuple[int, ...]:
    return next(moments(loaded(ROOT / name), 1)).header


@needs_llvm
@pytest.mark.parametrize(
    ("name", "follow", "satiety"),
    [("pagat", TAKE, False), ("games/hearts", AVOID, None), ("games/oh-hell", None, True)],
)
def test_the_style_fits_the_scoring(name: str, follow: int | None, satiety: bool | None) -> None:
    """Tricks beyond the target count in Sergeant Major, tricks with points are bad in hearts, and oh hell wants no trick too many."""
    style = tuned(engine_of(loaded(ROOT / f"rulesets/{name}.yaml")), {}, {})
    fitting = [
        Style(lead, how, full, sets, suits).word
        for lead, how in CARD_PLAY
        for full in (False, True)
        for sets in (False, True)
        for suits in (False, True)
        if follow in (None, how) and satiety in (None, full)
    ]
    assert style in fitting


@RUN
@needs_llvm
def test_both_back_ends_find_the_same_style() -> None:
    ruleset = loaded(ROOT / "tests/adversarial/cases/plain-three.yaml")
    assert len({tuple(engine_of(ruleset, backend).styles) for backend in (LLVM, PYTHON)}) == 1


def test_where_no_card_is_played_rollouts_are_random() -> None:
    assert tuned(engine_of(from_text(IDLE, "idle.yaml")), {}, {}) == RANDOM


@needs_llvm
@pytest.mark.parametrize(
    "name", ["rulesets/pagat.yaml", "rulesets/games/hearts.yaml", "rulesets/games/oh-hell.yaml"]
)
def test_every_style_plays_deals_to_their_end_alike_on_both_back_ends(name: str) -> None:
    engines = [engine_of(loaded(ROOT / name), backend) for backend in (LLVM, PYTHON)]
    header, players = first_header(name), engines[0].form.program.players
    found = set()
    for lead, follow in CARD_PLAY:
        styles = [Style(lead, follow, bool(p & 1), bool(p & 2), lead > follow).word for p in range(players)]
        compiled, plain = (of_seat(engine, header, styles, DEALS) for engine in engines)
        assert compiled == plain
        assert compiled.number == DEALS
        found.add((compiled.total, compiled.squares))
    assert len(found) > 1


@needs_llvm
def test_who_avoids_tricks_takes_fewer_and_who_is_sure_takes_more() -> None:
    name = "rulesets/pagat.yaml"
    engine, header = engine_of(loaded(ROOT / name)), first_header(name)

    def over(style: int) -> float:
        sums = of_seat(engine, header, [style, RANDOM, RANDOM], 2000)
        return sums.total / sums.number

    avoiding, random, sure = (
        over(word) for word in (Style(LOW, AVOID, False, False, False).word, RANDOM, Style(SURE, TAKE).word)
    )
    assert avoiding + 1 < random < sure - 1
    sated = over(Style(HIGH, TAKE, satiety=True).word)
    assert sated < over(Style(HIGH, TAKE).word)


class Found:
    """Counts how often a style is found anew."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number = 0
        monkeypatch.setattr(kept, "tuned", self)

    def __call__(self, *_: object) -> int:
        self.number += 1
        return Style(SURE, TAKE).word


def test_a_style_is_kept_for_its_rules_parameters_and_build(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Found(monkeypatch)
    idle, plain = (
        engine_of(from_text(IDLE, "idle.yaml")),
        engine_of(from_text(IDLE.replace("2", "4"), "idle.yaml")),
    )
    for _ in range(2):
        assert kept_style(idle, {}, {}) == Style(SURE, TAKE).word
    assert found.number == 1
    kept_style(plain, {}, {})
    kept_style(idle, {"n": 1}, {})
    kept_style(idle, {}, {"n": 1})
    assert found.number == 4
    monkeypatch.setattr(kept, "files_digest", lambda *_: "another build")
    kept_style(idle, {}, {})
    assert found.number == 5


@pytest.mark.parametrize("content", [b"", b"256", b"-1", b"197 ", b"9" * 5000, "²".encode(), b"\xff"])
def test_what_is_no_style_is_found_again(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    found, idle = Found(monkeypatch), engine_of(from_text(IDLE, "idle.yaml"))
    style = kept_style(idle, {}, {})
    (file,) = Path(os.environ["TRICKPROOF_CACHE"]).glob("styles-*/*")
    kept.STYLES.write(file.name, content)
    assert kept_style(idle, {}, {}) == style
    file.write_bytes(file.read_bytes()[:-1] + b"5")
    assert kept_style(idle, {}, {}) == style
    assert found.number == 3
    assert kept_style(idle, {}, {}) == style
    assert found.number == 3
